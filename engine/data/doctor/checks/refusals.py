"""Answers that refuse, or say that a machine is speaking, in several languages.

They come along when rows were written by another model, and a model learns very readily to say no.
"""

from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import PROSE_SHAPES, CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, around
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.split import Split

OPENING_CHARACTERS = 200
"""A refusal stands at the beginning of an answer; later the same words are often honest."""


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split("|"))


_OPENINGS = _phrases("""
i can't help with | i cannot help with | i can't assist | i cannot assist | i'm unable to |
i am unable to | i'm not able to | i am not able to | i can't fulfill | i cannot fulfill |
i can't provide | i cannot provide | i can not provide | i can't comply | i cannot comply |
i can't generate | i cannot generate | i can't answer | i cannot answer | i can't do that |
i'm sorry, but i can | i am sorry, but i can | i'm sorry, i can | sorry, but i can't |
sorry, i can't | i must decline | i won't be able to | i don't have access to real-time |
i do not have access to | i don't have personal | i do not have personal |
i apologize, but i | tut mir leid, aber ich kann | es tut mir leid, ich kann |
ich kann dabei nicht helfen | ich kann ihnen dabei nicht | ich kann dir dabei nicht |
dabei kann ich nicht helfen | ich bin nicht in der lage | je suis désolé, mais je ne |
je suis désolée, mais je ne | désolé, je ne peux pas | je ne peux pas vous aider |
je ne suis pas en mesure | lo siento, pero no puedo | lo siento, no puedo |
no puedo ayudarte con | no puedo ayudarle con | mi dispiace, ma non posso |
non posso aiutarti con | non sono in grado di | desculpe, mas não posso |
sinto muito, mas não posso | não posso ajudar com | het spijt me, maar ik kan |
ik kan je daar niet bij helpen | przykro mi, ale nie mogę | nie mogę pomóc |
извините, но я не могу | к сожалению, я не могу | я не могу помочь |
вибачте, але я не можу | üzgünüm, ancak | üzgünüm, ama bu konuda | maaf, saya tidak |
xin lỗi, nhưng tôi không thể | 抱歉，我无法 | 对不起，我无法 | 很抱歉，我 | 抱歉，我不能 |
对不起，我不能 | 我无法提供 | 抱歉，我無法 | 申し訳ありませんが、 |
申し訳ございませんが、 | お手伝いできません | 죄송하지만 | 죄송합니다만 | عذرا، لا أستطيع |
عذراً، لا يمكنني | آسف، لا أستطيع | क्षमा करें, मैं | मुझे खेद है, लेकिन
""")
_MACHINES = _phrases("""
as an ai language model | as an ai model | as an ai assistant | as a large language model |
as a language model | i am an ai language model | i'm an ai language model |
as an artificial intelligence | als ki-sprachmodell | als ki-modell | als ein ki- |
als künstliche intelligenz | als sprachmodell | en tant qu'ia |
en tant que modèle de langage | en tant qu'intelligence artificielle | en tant qu’ia |
como modelo de lenguaje | como una ia | como inteligencia artificial |
como um modelo de linguagem | como uma ia | come modello linguistico |
in quanto modello linguistico | in quanto ia | als ai-taalmodel | als taalmodel |
jako model językowy | как языковая модель | как искусственный интеллект | як мовна модель |
bir yapay zeka dil modeli | sebagai model bahasa | 作为一个人工智能 | 作为人工智能 |
作为一个ai | 作为ai | 作为一个语言模型 | 作為一個ai | aiとして | 言語モデルとして |
ai 언어 모델 | 인공지능으로서 | كنموذج لغوي | एक एआई भाषा मॉडल
""")
_TELLING_WORDS = frozenset(
    max(phrase.split()[:-1], key=len) for phrase in _OPENINGS if phrase.isascii()
)
"""An opening in plain letters without any of these words is no refusal."""
_MACHINE_MARKS = (
    "as a",
    "an ai ",
    "als ",
    "en tant qu",
    "como ",
    "come m",
    "in quanto",
    "yapay",
    "sebagai",
)
"""The same for a machine that speaks; what is not in plain letters is always looked for."""


class Refusals:
    """Looks at every answer."""

    def __init__(self, scope: Scope) -> None:
        self._hits = Hits()

    def see(self, row: Row) -> None:
        """Look for the phrases in one row."""
        if not row.is_usable:
            return
        for answer in row.answers:
            found = find_refusal(answer)
            if found:
                self._hits.add(row, around(answer, *found))
                return

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows that refuse."""
        if not self._hits:
            return ()
        number = len(self._hits)
        rows = count_words(number, "answer")
        does = "refuses or speaks" if number == 1 else "refuse or speak"
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"{rows} that {does} as a machine",
                detail="They begin like “I'm sorry, but I can't” or say “as an AI language model”, "
                "and were probably written by another model.",
                effect="A few of these are enough to make a model refuse honest questions.",
                fix="Look at them, and leave out those that you would not say yourself.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=(leave_out(self._hits.ids, "its answer refuses"),),
            ),
        )


def find_refusal(answer: str) -> tuple[int, int] | None:
    """Where the phrase stands."""
    low = answer.lower().replace("’", "'")
    opening = low[:OPENING_CHARACTERS]
    is_plain = opening.isascii() and _TELLING_WORDS.isdisjoint(opening.split())
    for phrase in () if is_plain else _OPENINGS:
        at = opening.find(phrase)
        if at >= 0:
            return at, at + len(phrase)
    is_plain = low.isascii() and not any(mark in low for mark in _MACHINE_MARKS)
    for phrase in () if is_plain else _MACHINES:
        at = low.find(phrase)
        if at >= 0:
            return at, at + len(phrase)
    return None


CHECK = CheckKind(id="refusals", order=55, make=Refusals, shapes=PROSE_SHAPES)
