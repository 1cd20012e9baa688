"""The same evaluation as data: the summary's figures, and one record for every row.

Scorers join the records with their file by the row's number; no measured value is written, so that
a file of predictions can be handed on. `__main__.py` writes it for `--json`.
"""

import json
import math
from collections.abc import Sequence
from typing import Any

from tailor.estimator.evaluate.failures import FailureScore
from tailor.estimator.evaluate.families import KINDS, Kind
from tailor.estimator.evaluate.predict import LEVELS, Prediction
from tailor.estimator.evaluate.refused import Refused
from tailor.estimator.evaluate.scores import Score
from tailor.estimator.evaluate.summary import Line, Summary

UNITS: dict[Kind, str] = {
    "memory": "bytes_per_card",
    "speed": "per_second_all_cards",
    "time": "seconds",
    "outcome": "bytes_per_card",
}


def render_json(
    summary: Summary, predictions: Sequence[Prediction], refused: Sequence[Refused]
) -> str:
    """The whole file."""
    rows = [_prediction(one) for one in predictions] + [_refused(one) for one in refused]
    told = {
        "header": dict(summary.header),
        "rows_in_file": summary.rows,
        "rows_predicted": summary.predicted,
        "rows_refused": summary.refused,
        "rows_askable": summary.askable,
        "share_predicted": _number(summary.share_predicted),
        "refusals": [
            {"code": code, "words": words, "count": count}
            for code, words, count in summary.refusals
        ],
        "families": [_line(line) for line in summary.families],
        "by_sharing": [_line(line) for line in summary.by_sharing],
        "apart": [_line(line) for line in summary.apart],
        "beside": [_line(line) for line in summary.beside],
        "failures": [{"name": name.strip(), **_failure(score)} for name, score in summary.failures],
        "rows": sorted(rows, key=lambda row: row["row"]),
    }
    return json.dumps(told, indent=1, allow_nan=False) + "\n"


def _line(line: Line) -> dict[str, Any]:
    return {"name": line.name.strip(), "source": line.source_group, **_score(line.score)}


def _score(score: Score) -> dict[str, Any]:
    return {
        "n": score.rows,
        "n_predicted": score.predicted,
        "refused": dict(score.refused),
        "median_error": _number(score.median_error),
        "mean_error": _number(score.mean_error),
        "p90_error": _number(score.p90_error),
        "median_signed_error": _number(score.median_signed_error),
        "harmful_share": _number(score.harmful_share),
        **{
            f"coverage_{round(level * 100)}": _number(share)
            for level, share in zip(LEVELS, score.coverage, strict=True)
        },
        "within_q95_share": _number(score.within_bound_share),
        "median_width_90": _number(score.median_width),
    }


def _failure(score: FailureScore) -> dict[str, Any]:
    return {
        "failed": score.failed,
        "worked": score.worked,
        "recall": _number(score.recall),
        "false_alarms": _number(score.false_alarms),
        "recall_with_tight": _number(score.recall_with_tight),
        "false_alarms_with_tight": _number(score.false_alarms_with_tight),
        "tight_share": _number(score.tight_share),
    }


def _prediction(one: Prediction) -> dict[str, Any]:
    case = one.case
    return {
        "row": case.number,
        "source": case.source,
        "metric": case.metric,
        "family": case.family,
        "model": case.model,
        "predicted": one.value,
        "unit": UNITS[KINDS[case.family]],
        "predicted_in_unit_of_row": one.value / case.scale,
        **{f"interval_{round(level * 100)}": one.interval(level) for level in LEVELS},
        "verdict": one.verdict,
        "parts": {part.name: part.bytes for part in one.parts},
        "assumed": case.assumed,
        "is_generic": case.is_generic,
        "is_length_cap": case.is_length_cap,
        "refusal": None,
    }


def _refused(one: Refused) -> dict[str, Any]:
    return {
        "row": one.number,
        "metric": one.metric,
        "model": one.model,
        "refusal": one.code,
        "words": one.words,
    }


def _number(number: float) -> float | None:
    return None if math.isnan(number) else number
