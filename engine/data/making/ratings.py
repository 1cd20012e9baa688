"""Thumbs in the words people use: yes and no, up and down, points and stars, and which of two.

A rating that cannot be read leaves its row out: taking everything as good once trained a model on
its worst answers (seen in another program). `thumbs` and `preference` read ratings here, and the
detectors ask what a column of them can mean.
"""

import re
from typing import Literal

from tailor.engine.data.making.example import NotTeachableError

Thumb = Literal["good", "bad"]
Side = Literal["first", "second"]

_WORDS: dict[Thumb, str] = {
    "good": "true yes y good up thumbsup thumbs_up like liked positive pos helpful correct right "
    "accept accepted approved pass chosen ok okay ja gut richtig hilfreich positiv daumen_hoch "
    "hoch passt oui bon bonne vrai utile correcte positif si sí bueno buena bien útil correcto "
    "positivo sim bom boa sì buono vero da да хорошо 是 好 对 好评 👍 "
    "✓ ✔ ✔️ ✅ ☑ 😀 🙂 😊 +1 +",
    "bad": "false no n bad down thumbsdown thumbs_down dislike disliked negative neg unhelpful "
    "not_helpful incorrect wrong reject rejected denied fail not_ok nein schlecht falsch "
    "nicht_hilfreich negativ daumen_runter runter passt_nicht non mauvais mauvaise faux inutile "
    "incorrecte négatif negatif malo mala mal inútil incorrecto negativo não nao ruim cattivo "
    "нет плохо 否 不 差 错 差评 👎 ✗ ✘ ❌ ☹ 🙁 😞 -1 -",
}  # fmt: skip
_THUMBS: dict[str, Thumb] = {word: side for side, words in _WORDS.items() for word in words.split()}
_SIDES: dict[str, Side] = {
    "a": "first", "1": "first", "first": "first", "left": "first", "links": "first",
    "erste": "first", "gauche": "first", "izquierda": "first", "j": "first",
    "b": "second", "2": "second", "second": "second", "right": "second", "rechts": "second",
    "zweite": "second", "droite": "second", "derecha": "second", "k": "second",
}  # fmt: skip
_TIES = frozenset({"tie", "equal", "same", "both", "neither", "none", "draw", "gleich", "beide",
    "unentschieden", "keine", "égal", "igual", "ambos", "="})  # fmt: skip
_SKIN = dict.fromkeys(range(0x1F3FB, 0x1F400))
"""Colours of a hand, which say nothing about the thumb."""
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_OUT_OF = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:/|of|von|sur|de|out of)\s*(\d+)", re.IGNORECASE)
_STAR_WORDS = re.compile(
    r"\s*(?:stars?|sterne?|étoiles?|etoiles?|estrellas?|points?|punkte?)$", re.I
)
LONGEST_RATING = 40
GOOD_FROM, BAD_TO = 0.6, 0.4
"""Share of the points: 4 and 5 of five stars are good, 1 and 2 are bad, 3 says neither."""


def read_thumb(cell: str, stars: int = 0) -> Thumb:
    """Good or bad; raises when the cell says neither. `stars` is the most that can be given."""
    plain = _plain(cell)
    if not plain:
        raise NotTeachableError("it has no rating")
    points = read_points(cell)
    most = _most(cell) or stars
    if most and points is not None:
        share = max(0.0, points - 1) / (most - 1) if most > 1 else points
        if GOOD_FROM > share > BAD_TO:
            raise NotTeachableError(f"its rating “{cell.strip()[:20]}” is neither good nor bad")
        return "good" if share >= GOOD_FROM else "bad"
    word = plain.replace(" ", "_")
    if points in (0.0, 1.0) and not _is_signed(plain):
        return "good" if points else "bad"
    if word in _THUMBS:
        return _THUMBS[word]
    raise NotTeachableError(f"its rating “{cell.strip()[:20]}” is not understood")


def read_points(cell: str) -> float | None:
    """The number that a rating gives, with stars counted; None when it is no number."""
    plain = cell.strip()
    if len(plain) > LONGEST_RATING:
        return None
    if plain and set(plain) <= set("★☆⭐✩️"):
        return float(plain.count("★") + plain.count("⭐"))
    if out_of := _OUT_OF.fullmatch(plain):
        plain = out_of[1]
    plain = _STAR_WORDS.sub("", plain)
    return float(plain.replace(",", ".")) if _NUMBER.fullmatch(plain) else None


def read_side(cell: str, first: str, second: str) -> Side:
    """Which of two answers a rater prefers; `first` and `second` are their columns' names."""
    plain = _plain(cell)
    if not plain:
        raise NotTeachableError("the rater has not chosen an answer")
    if plain in (_plain(first), _plain(second)):
        return "first" if plain == _plain(first) else "second"
    words = set(re.split(r"[\s_.:()-]+", plain)) - {""}
    if not words.isdisjoint(_TIES):
        raise NotTeachableError("the rater saw no difference between the two answers")
    sides = {_SIDES[word] for word in words if word in _SIDES}
    if len(sides) != 1:
        raise NotTeachableError(f"“{cell.strip()[:20]}” does not say which answer is better")
    return sides.pop()


def _most(cell: str) -> int:
    """The most points that a cell itself speaks of: "4/5" and "★★★★☆" say five."""
    plain = cell.strip()
    if out_of := _OUT_OF.fullmatch(plain):
        return int(out_of[2])
    return len(plain.replace("\ufe0f", "")) if "☆" in plain or "✩" in plain else 0


def _plain(cell: str) -> str:
    return cell.strip().strip("\"'").translate(_SKIN).casefold()


def _is_signed(plain: str) -> bool:
    return plain[:1] in "+-"
