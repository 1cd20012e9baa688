"""Which language a text is in, or that nobody can tell.

py3langid knows 140 languages, ships its model inside its wheel and touches no network. It needs a
hundred microseconds a text, so what is written in the table's own language is told by its most
frequent words first. The model is loaded on first use, in the child process that checks rows.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from tailor.engine.data.doctor.scripts import DENSE

SURE = 0.85
ONE_SCRIPT = 0.7
"""A text in two scripts is in two languages."""
LETTERS_LEAST = 40
LETTERS_LEAST_DENSE = 15
"""Where a letter is a syllable or a word."""
SAMPLE_CHARACTERS = 300
UNKNOWN = ""
NAMES = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "ga": "Irish", "gl": "Galician", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic",
    "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "ko": "Korean",
    "la": "Latin", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ms": "Malay",
    "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian",
    "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai", "tl": "Tagalog",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""Others are too small in the model to be sure of, or too near to a large one."""
_ASKS_FOR_LANGUAGE = re.compile(
    r"translat|übersetz|traduc|tradui|tradurre|traduz|vertaal|перевед|перевод|翻译|翻譯|訳|번역|tłumacz"
    r"|language|sprache|langue|idioma|lingua|语言|语法|拼音"
    r"|[英中汉法德日俄韩]语|[英中法德日俄韩]文|西班牙语|"
    + "|".join(re.escape(name) for name in NAMES.values()),
    re.IGNORECASE,
)

_RELATIVES = (
    {"no", "nb", "nn", "da", "sv"}, {"es", "gl", "ca", "pt"}, {"hr", "sr", "bs", "sl"},
    {"cs", "sk"}, {"id", "ms"}, {"ru", "uk", "be", "bg", "mk"}, {"nl", "af"}, {"zh", "ja"},
)  # fmt: skip
_COUNTED = {"nb": "no", "nn": "no", "wuu": "zh", "yue": "zh"}


def find_language(text: str, scripts: dict[str, int]) -> str:
    """Code of the language, when it can be told for sure. `scripts` are the text's letters."""
    letters = sum(scripts.values())
    if letters and max(scripts.values()) < ONE_SCRIPT * letters:
        return UNKNOWN
    is_dense = not DENSE.isdisjoint(scripts)
    if letters < (LETTERS_LEAST_DENSE if is_dense else LETTERS_LEAST):
        return UNKNOWN
    likely: dict[str, float] = {}
    for code, share in _read_model().rank(text[:SAMPLE_CHARACTERS])[:4]:
        name = _COUNTED.get(code, code)
        likely[name] = likely.get(name, 0.0) + share
    code, share = max(likely.items(), key=lambda one: one[1])
    return code if share >= SURE and code in NAMES else UNKNOWN


def asks_for_language(texts: Iterable[str]) -> bool:
    """Whether somebody asks for a translation or names a language, so that another one is meant."""
    return any(_ASKS_FOR_LANGUAGE.search(text) for text in texts)


def are_alike(one: str, other: str) -> bool:
    """Whether two languages are so near that a short text may be taken for the other."""
    return one == other or any({one, other} <= family for family in _RELATIVES)


@cache
def _read_model() -> Any:
    # 130 MB that the engine's own process must never hold: only the child asks for a language.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
