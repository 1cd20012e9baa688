"""Models as choice cards: licence, size, and whether learning with it fits this computer."""

from tailor.engine.types import ModelRecord
from tailor.estimator.estimate import Estimate
from tailor.ui.text import ModelText
from tailor.ui.views.choice_cards import Card, choice_cards
from tailor.ui.views.findings import findings_list
from tailor.ui.views.html import NOTHING, Html, element, join
from tailor.ui.views.quantities import bytes_range_words, bytes_words, duration_range_words

MILLION, BILLION = 1e6, 1e9


def model_cards(
    models: tuple[ModelRecord, ...],
    chosen: str,
    *,
    suggested: str,
    estimates: dict[str, Estimate],
) -> Html:
    """One card a model; those with findings that stop cannot be picked."""
    cards = tuple(
        Card(
            value=model.id,
            title=model.name,
            line=model.words,
            facts=_facts(model, estimates.get(model.id)),
            note=ModelText.SUGGESTED if model.id == suggested else "",
            is_off=not model.is_ready or _is_refused(model),
            foot=_foot(model),
        )
        for model in models
    )
    return choice_cards("model", ModelText.LEGEND, cards, chosen)


def parameters_words(count: float) -> str:
    """134515008 becomes "135 million"."""
    if count >= BILLION:
        return f"{count / BILLION:.1f} billion".replace(".0 ", " ")
    return f"{count / MILLION:.0f} million"


def _facts(model: ModelRecord, estimate: Estimate | None) -> tuple[str, ...]:
    if model.spec is None:
        size = bytes_words(model.download_bytes)
        return (
            ModelText.NOT_HERE,
            *((ModelText.TO_FETCH.format(bytes=size),) if model.download_bytes else ()),
        )
    licence = model.spec.licence
    facts = [
        ModelText.LICENCE.format(licence=licence) if licence else ModelText.LICENCE_UNKNOWN,
        ModelText.SIZE.format(
            bytes=bytes_words(model.spec.weights_bytes),
            parameters=parameters_words(count_parameters(model)),
        ),
        _verdict(estimate) if estimate else ModelText.VERDICT_LATER,
    ]
    if not model.spec.has_chat_template:
        facts.append(ModelText.NO_TEMPLATE)
    return tuple(facts)


def count_parameters(model: ModelRecord) -> float:
    """From the shape of the model."""
    return 0.0 if model.spec is None else model.spec.architecture.parameters


def _verdict(estimate: Estimate) -> str:
    memory, seconds = estimate.memory_bytes, estimate.seconds
    return ModelText.VERDICTS[estimate.verdict].format(
        low_high=bytes_range_words(memory.low, memory.high),
        free=bytes_words(estimate.capacity_bytes),
        time=duration_range_words(seconds.low, seconds.high),
    )


def _is_refused(model: ModelRecord) -> bool:
    return any(finding.level == "stop" for finding in model.findings)


def _foot(model: ModelRecord) -> Html:
    findings = findings_list(model.findings) if model.findings else NOTHING
    if model.is_ready:
        return findings
    size = bytes_words(model.download_bytes)
    label = ModelText.FETCH.format(bytes=size) if model.download_bytes else ModelText.FETCH_PLAIN
    button = element("button", label, type="button", class_="own-button", data_send="fetch starter")
    return join(findings, element("span", button))
