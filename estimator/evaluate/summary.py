"""Everything that an evaluation tells, before it is rendered.

Which rows make the headline, which stand apart and which beside it is decided here once, so that
the tables and the JSON file cannot disagree. `report.py` and `machine_report.py` render it.
"""

from collections import Counter
from collections.abc import Sequence

from tailor.estimator.evaluate.failures import (
    FailureScore,
    RunOutcome,
    compute_failure_score,
)
from tailor.estimator.evaluate.families import FAMILIES, Family, find_family
from tailor.estimator.evaluate.refused import RefusalError, Refused
from tailor.estimator.evaluate.scores import Compared, Score, compute_score, sort_by_source
from tailor.estimator.learned.residual import SHARING, Sharing
from tailor.estimator.record import record

NOT_ASKABLE = frozenset(("not_text_model", "unsupported_metric"))
"""Refusals of rows that measure something else than a text model by a metric of the table."""
ALL = "all families"
SHARING_WORDS: dict[Sharing, str] = {
    "one": "one card",
    "replicated": "whole on every card",
    "sharded": "shared by the cards",
    "offloaded": "with weights away",
}


@record
class Line:
    """One line of a table."""

    name: str
    family: Family | None
    source_group: str = ""
    """Empty over all sources."""
    score: Score


@record
class Summary:
    """One evaluation."""

    header: tuple[tuple[str, str], ...]
    rows: int
    predicted: int
    refused: int
    askable: int
    """Rows that measure a text model by a metric we predict."""
    refusals: tuple[tuple[str, str, int], ...]
    """Code, words and how often."""
    families: tuple[Line, ...]
    """The headline."""
    by_sharing: tuple[Line, ...]
    """The headline again, by how cards share the model."""
    apart: tuple[Line, ...]
    beside: tuple[Line, ...]
    failures: tuple[tuple[str, FailureScore], ...]

    @property
    def share_predicted(self) -> float:
        """Of the rows that measure a text model by a metric we predict."""
        return self.predicted / self.askable if self.askable else float("nan")


def summarise(
    header: tuple[tuple[str, str], ...],
    compared: Sequence[Compared],
    refused: Sequence[Refused],
    outcomes: Sequence[RunOutcome],
    oom_rows: int,
) -> Summary:
    """Count everything; `oom_rows` are predicted too, by a verdict instead of a number."""
    headline = [one for one in compared if not is_apart(one)]
    predicted = len(compared) + oom_rows
    words = Counter((one.code, one.words) for one in refused)
    return Summary(
        header=header,
        rows=predicted + len(refused),
        predicted=predicted,
        refused=len(refused),
        askable=predicted + sum(one.code not in NOT_ASKABLE for one in refused),
        refusals=tuple(
            (code, told, count)
            for (code, told), count in sorted(words.items(), key=lambda item: (-item[1], item[0]))
        ),
        families=_lines(headline, refused, has_sources=True),
        by_sharing=_sharing_lines(headline),
        apart=_apart_lines(compared),
        beside=_lines(
            [one for one in headline if one.prediction.case.assumed], (), has_sources=False
        ),
        failures=_failure_lines(outcomes),
    )


def is_apart(one: Compared) -> bool:
    """Whether a row may not enter the headline: its shape or the length of its rows is a guess."""
    case = one.prediction.case
    is_speed = case.family in ("tokens/s", "samples/s", "train time")
    return case.is_generic or case.is_length_unknown or (case.is_length_cap and is_speed)


def _lines(
    compared: Sequence[Compared], refused: Sequence[Refused], *, has_sources: bool
) -> tuple[Line, ...]:
    lines = []
    for family in FAMILIES:
        of_family = [one for one in compared if one.prediction.case.family == family]
        turned_away = [one for one in refused if _family_of(one) == family]
        if not of_family and not turned_away:
            continue
        score = compute_score(of_family, turned_away)
        lines.append(Line(name=family, family=family, score=score))
        if has_sources:
            lines += _source_lines(compared, turned_away, family)
    if lines:
        known = [one for one in refused if _family_of(one) in FAMILIES]
        lines.append(Line(name=ALL, family=None, score=compute_score(compared, known)))
    return tuple(lines)


def _source_lines(
    compared: Sequence[Compared], refused: Sequence[Refused], family: Family
) -> list[Line]:
    by_source = sort_by_source(compared, family)
    names = sorted(set(by_source) | {one.source_group for one in refused})
    return [
        Line(
            name=f"  {name}",
            family=family,
            source_group=name,
            score=compute_score(
                by_source.get(name, ()), [one for one in refused if one.source_group == name]
            ),
        )
        for name in names
    ]


def _sharing_lines(compared: Sequence[Compared]) -> tuple[Line, ...]:
    lines = []
    for family in FAMILIES:
        for sharing, words in SHARING_WORDS.items():
            rows = [
                one
                for one in compared
                if one.prediction.case.family == family
                and SHARING[one.prediction.case.workload.sharding] == sharing
            ]
            if rows:
                name = f"{family}, {words}"
                lines.append(Line(name=name, family=family, score=compute_score(rows)))
    return tuple(lines)


def _apart_lines(compared: Sequence[Compared]) -> tuple[Line, ...]:
    apart = [one for one in compared if is_apart(one)]
    generic = [one for one in apart if one.prediction.case.is_generic]
    unknown = [one for one in apart if not one.prediction.case.is_generic]
    lines = []
    for name, rows in (("shape guessed from size", generic), ("length is a cap", unknown)):
        for family in FAMILIES:
            of_family = [one for one in rows if one.prediction.case.family == family]
            if of_family:
                score = compute_score(of_family)
                lines.append(Line(name=f"{name}: {family}", family=family, score=score))
    return tuple(lines)


def _failure_lines(outcomes: Sequence[RunOutcome]) -> tuple[tuple[str, FailureScore], ...]:
    if not outcomes:
        return ()
    names = sorted({one.source_group for one in outcomes})
    of_source = [
        (f"  {name}", compute_failure_score([one for one in outcomes if one.source_group == name]))
        for name in names
    ]
    return (("all sources", compute_failure_score(outcomes)), *of_source)


def _family_of(refused: Refused) -> Family | None:
    try:
        return find_family(refused.metric)
    except RefusalError:
        return None
