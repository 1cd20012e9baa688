"""One look at a run for one viewer: what changed since their last look, ready to be shown.

The Run screen's timer calls it once a second. A few short questions to the engine, and only what is
new is drawn; `None` means that the viewer has it already.
"""

from tailor.engine.client import EngineClient
from tailor.engine.types import RunRecord
from tailor.estimator.record import record
from tailor.ui.run_story import Story, read_story
from tailor.ui.views.diary import diary_html
from tailor.ui.views.exam_strip import build_strip, strip_html
from tailor.ui.views.html import Html
from tailor.ui.views.live_series import NAMES, ChartValue, chart_value
from tailor.ui.views.run_head import run_head
from tailor.ui.views.run_shown import Shown, fingerprint
from tailor.ui.views.run_status import RunStatus, run_status


@record
class RunView:
    """What to send to one viewer."""

    status: RunStatus
    head: Html | None
    chart: ChartValue | None
    strip: Html | None
    diary: Html | None
    has_new_controls: bool
    shown: Shown


def read_run_view(client: EngineClient, shown: Shown, *, now: float) -> RunView:
    """Ask the engine; compare with what this viewer has."""
    run = client.run(shown.run_id)
    news = read_story(client, run.id, after=shown.events_seq)
    status = run_status(run, now=now)
    phases = shown.phases + news.phases
    head = run_head(run, status, phases, now=now)
    controls = fingerprint(run.status, sorted(status.buttons), run.attempt)
    cursor, chart_key, chart = _chart(client, run, status, shown)
    strip_key, strip = _strip(client, run, news, shown)
    diary_key, diary = _diary(client, run, news, shown, now)
    marks = Shown(
        run_id=run.id, events_seq=news.last_seq, phases=phases, series_cursor=cursor,
        chart=chart_key, head=fingerprint(head), strip=strip_key, diary=diary_key,
        controls=controls,
    )  # fmt: skip
    return RunView(
        status=status,
        head=head if marks.head != shown.head else None,
        chart=chart,
        strip=strip,
        diary=diary,
        has_new_controls=controls != shown.controls,
        shown=marks,
    )


def _chart(
    client: EngineClient, run: RunRecord, status: RunStatus, shown: Shown
) -> tuple[int, str, ChartValue | None]:
    """New points, or new marks on the same points."""
    best = run.progress.best_step
    key = fingerprint(best, status.is_live)
    after = shown.series_cursor if key == shown.chart else 0
    series = client.series(run.id, names=NAMES, after=after)
    if series.unchanged and shown.chart == key:
        return shown.series_cursor, key, None
    value = chart_value(run, series, is_live=status.is_live)
    return series.cursor, key, value


def _strip(
    client: EngineClient, run: RunRecord, news: Story, shown: Shown
) -> tuple[str, Html | None]:
    """The whole strip again when there is a new answer; else only if the kept version moved."""
    key = fingerprint(run.progress.best_step)
    if shown.strip == key and not news.samples:
        return key, None
    story = news if shown.events_seq == 0 else read_story(client, run.id)
    return key, strip_html(build_strip(run.spec.exam, story.samples, run.progress.best_step))


def _diary(
    client: EngineClient, run: RunRecord, news: Story, shown: Shown, now: float
) -> tuple[str, Html | None]:
    """Asked again when the status moved or an event may have added a line."""
    key = fingerprint(run.status, run.attempt, run.reason)
    if shown.diary == key and not news.has_told:
        return key, None
    return key, diary_html(client.diary(run.id), now=now)
