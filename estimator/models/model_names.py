"""Public models by their name: the shape of "llama-2-7b-hf" or "unsloth/Qwen3-8B-bnb-4bit".

A forecast before the download needs the shape before the download. `architectures.csv` holds what
makers published, with its source; here a name is brought to the form of that table. The evaluator,
the command line and the tables of the Plan screen ask `resolve`.
"""

from functools import cache
from typing import Literal

from tailor.estimator.architecture import Architecture
from tailor.estimator.models.generic_shape import build_generic, read_pattern
from tailor.estimator.models.model_words import (
    OTHER_SHAPE,
    find_spellings,
    find_words,
    has_size,
    is_not_text,
    squeeze,
    strip_words,
)
from tailor.estimator.models.shape_table import KnownModel, read_models
from tailor.estimator.record import record

RefusalCode = Literal["unknown_model", "not_text_model", "unknown_card", "ambiguous_card"]
SIZE_TOLERANCE = 0.15
"""How far a told size may be from a model's own, where the name leaves the size out."""
BILLION = 1e9


@record
class Resolved:
    """The shape of a model that was asked for by name."""

    architecture: Architecture
    is_generic: bool
    """True where only the size is known and the shape is a usual one."""


@record
class Refusal:
    """Why a name leads nowhere."""

    code: RefusalCode
    words: str


def resolve(name: str, params_b: float | None = None) -> Resolved | Refusal:
    """The shape of a model by its name, and by its size where the name is not known."""
    if is_not_text(name):
        words = f"{name:.80} makes or reads pictures or sound; only models of text are forecast."
        return Refusal(code="not_text_model", words=words)
    known = find_known(name, params_b)
    if known:
        return Resolved(architecture=known.architecture, is_generic=False)
    spelled = read_pattern(name)
    if spelled:
        return Resolved(architecture=spelled, is_generic=False)
    usual = build_generic(params_b) if params_b is not None else None
    if usual:
        return Resolved(architecture=usual, is_generic=True)
    return Refusal(
        code="unknown_model",
        words=f"The shape of {name or 'a model without a name':.80} is not known here.",
    )


def find_known(name: str, params_b: float | None = None) -> KnownModel | None:
    """The row of the table that a name means."""
    words = find_words(name)
    if not words:
        return None
    for spelling in find_spellings(name):
        for kept in strip_words(spelling):
            found = _by_words().get(kept) or _by_squeezed().get(squeeze(kept))
            if found:
                return found
    if not has_size(words) and params_b is not None:
        return _find_by_size(words, params_b)
    return _find_inside(words)


@cache
def _by_words() -> dict[tuple[str, ...], KnownModel]:
    found: dict[tuple[str, ...], KnownModel] = {}
    for model in read_models():
        for name in (model.name, *model.aliases):
            words = find_words(name)
            if words in found:
                raise ValueError(f"architectures.csv names {name} twice")
            found[words] = model
    return found


@cache
def _by_squeezed() -> dict[str, KnownModel]:
    """Names without any mark; one that would mean two models is left out."""
    found: dict[str, KnownModel | None] = {}
    for words, model in _by_words().items():
        key = squeeze(words)
        found[key] = None if found.get(key, model) is not model else model
    return {key: model for key, model in found.items() if model}


def _find_by_size(words: tuple[str, ...], params_b: float) -> KnownModel | None:
    """A family by its name and one of its models by the size, such as "Llama 2" and 13."""
    for kept in reversed(strip_words(words)):
        family = squeeze(kept)
        near = [
            model
            for known, model in _by_words().items()
            if has_size(known)
            and squeeze(tuple(word for word in known if not has_size((word,)))) == family
            and abs(model.published_parameters / BILLION / params_b - 1) <= SIZE_TOLERANCE
        ]
        if near:
            return min(near, key=lambda m: abs(m.published_parameters / BILLION - params_b))
    return None


def _find_inside(words: tuple[str, ...]) -> KnownModel | None:
    """A known name inside a longer one, such as "Hermes-3-Llama-3.1-8B"; the longest counts."""
    if OTHER_SHAPE.intersection(words):
        return None
    for length in range(len(words) - 1, 1, -1):
        for start in range(len(words) - length + 1):
            part = words[start : start + length]
            found = _by_words().get(part) or (
                _by_squeezed().get(squeeze(part)) if has_size(part) else None
            )
            if found:
                return found
    return None
