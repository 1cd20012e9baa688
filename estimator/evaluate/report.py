"""The summary of an evaluation as tables to read.

People compare two versions by these lines, and scorers get the same figures with `--json`; both are
rendered from one `Summary`. `__main__.py` prints it.
"""

import math
from collections.abc import Sequence

from tailor.estimator.evaluate.failures import FailureScore
from tailor.estimator.evaluate.scores import Score
from tailor.estimator.evaluate.summary import Line, Summary

LINE = (
    "{name:<44} {rows:>5} {predicted:>5} {median:>7} {mean:>7} {p90:>7} {signed:>7} {harmful:>7} "
    "{c80:>6} {c90:>6} {c95:>6} {bound:>6} {width:>6}"
)
HEAD = LINE.format(
    name="", rows="n", predicted="pred.", median="median", mean="mean", p90="p90", signed="signed",
    harmful=">5%bad", c80="80%", c90="90%", c95="95%", bound="<q95", width="width",
)  # fmt: skip
EXPLAINED = """\
Errors are of predicted / measured - 1, in percent: median, mean and ninth tenth of their absolute
value, median with its sign. ">5%bad" is the share that came out over 5 % worse than was promised.
80, 90 and 95 % are the shares that lie in those intervals, "<q95" those within the one-sided bound,
"width" the median width of the 90 % interval against the prediction."""
OTHERWISE = "  -"


def render_report(summary: Summary) -> str:
    """All tables, ending in a new line."""
    blocks = [
        "\n".join(f"{name:<14} {words}" for name, words in summary.header),
        _refusals(summary),
        f"{EXPLAINED}\n\n{_table('Headline', summary.families)}",
        _table("The headline by how cards share the model", summary.by_sharing),
        _table("Apart, not in the headline", summary.apart),
        _table("Beside: rows of the headline with assumed inputs", summary.beside),
        _failures(summary.failures),
    ]
    return "\n\n".join(blocks) + "\n"


def _refusals(summary: Summary) -> str:
    lines = [
        f"{summary.rows} rows: {summary.predicted} predicted, {summary.refused} refused.",
        f"Of the {summary.askable} rows that measure a text model by a metric we predict, "
        f"{summary.predicted} are predicted: {_percent(summary.share_predicted).strip()} %.",
    ]
    lines += [f"  {count:>5}  {code}: {words}" for code, words, count in summary.refusals]
    return "\n".join(lines)


def _table(title: str, lines: Sequence[Line]) -> str:
    if not lines:
        return f"{title}\n  none"
    return "\n".join((title, HEAD, *(_line(line.name, line.score) for line in lines)))


def _line(name: str, score: Score) -> str:
    told = LINE.format(
        name=name[:44],
        rows=score.rows,
        predicted=score.predicted,
        median=_percent(score.median_error),
        mean=_percent(score.mean_error),
        p90=_percent(score.p90_error),
        signed=_percent(score.median_signed_error),
        harmful=_percent(score.harmful_share),
        c80=_percent(score.coverage[0]),
        c90=_percent(score.coverage[1]),
        c95=_percent(score.coverage[2]),
        bound=_percent(score.within_bound_share),
        width=_percent(score.median_width),
    )
    refused = ", ".join(f"{code} {count}" for code, count in score.refused)
    return f"{told}  refused: {refused}" if refused else told


def _failures(lines: Sequence[tuple[str, FailureScore]]) -> str:
    if not lines:
        return "Out of memory\n  no source tells of failures"
    head = (
        f"{'':<44} {'failed':>7} {'worked':>7} {'recall':>7} {'alarms':>7} "
        f"{'recall with tight':>18} {'alarms with tight':>18} {'tight':>7}"
    )
    return "\n".join(("Out of memory, by run", head, *(_failure_line(*line) for line in lines)))


def _failure_line(name: str, score: FailureScore) -> str:
    return (
        f"{name[:44]:<44} {score.failed:>7} {score.worked:>7} {_percent(score.recall):>7} "
        f"{_percent(score.false_alarms):>7} {_percent(score.recall_with_tight):>18} "
        f"{_percent(score.false_alarms_with_tight):>18} {_percent(score.tight_share):>7}"
    )


def _percent(number: float) -> str:
    return OTHERWISE if math.isnan(number) else f"{number * 100:.1f}"
