"""What a choice on the Plan screen changes: the promise card, the checks, the words, Start.

Every handler of the screen that changes the plan answers with these values, in the order of
`PlanPage.answer`. The last of them is a stamp of the promise: when it moves, the page asks for what
stands beside the promise (`plan_beside`), which may take a little longer than the card.
"""

import hashlib
import time
from typing import Any

import gradio as gr

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.types import Draft, Job
from tailor.ui.components.screen import promise_markup
from tailor.ui.plan.basis import Planned, plan_for, read_basis, read_circumstances
from tailor.ui.plan.exact import with_exact
from tailor.ui.services import Services
from tailor.ui.text_plan import PlanText
from tailor.ui.views.copy_block import copy_block
from tailor.ui.views.estimate_card import estimate_card, waiting_promise, when_done
from tailor.ui.views.findings import findings_list
from tailor.ui.views.html import NOTHING, Html, join
from tailor.ui.views.plan_words import plan_settings, plan_words
from tailor.ui.views.problem import error_card
from tailor.ui.views.run_spec import to_spec_file

NO_STAMP = ""
"""Of a promise that is not there yet."""


def promise(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """Values for `PlanPage.answer`: the promise for this draft, or why there is none yet."""
    services.choices_made[owner, draft.id] += 1
    try:
        basis = read_basis(services, owner, draft)
        if isinstance(basis, Job):
            words = basis.words or PlanText.MEASURING
            return _waiting(waiting_promise(words), is_active=True)
        around = read_circumstances(services, owner)
        planned = plan_for(basis, draft, around)
        checked = with_exact(services, owner, basis, planned, around)
        planned = checked.planned
        findings = (*basis.stops, *services.engine(owner).preflight(planned.spec))
    except UserError as problem:
        return _waiting(error_card(problem), is_active=False)
    now = time.time()
    return (
        estimate_card(
            planned.estimate,
            planned.plan.workload,
            around.hardware,
            now=now,
            exactness=checked.exactness,
        ),
        findings_list(findings, none=PlanText.CHECKS_NONE),
        plan_words(planned.plan),
        plan_settings(planned.plan),
        yaml_html(to_spec_file(draft, basis.dataset)),
        *_start(planned, findings, now),
        gr.Timer(active=checked.exactness.state == "running"),
        stamp_of(draft, planned),
    )


def yaml_html(text: str) -> Html:
    """The run as a file, and the command that starts it."""
    return join(
        copy_block("yaml-command", PlanText.YAML_COMMAND, label=PlanText.YAML_LEAD),
        copy_block("yaml", text, label=PlanText.YAML_LABEL),
    )


def stamp_of(draft: Draft, planned: Planned) -> str:
    """Differs whenever the plan or what it needs does."""
    told = repr((draft.recipe, draft.model_id, draft.knobs, planned.estimate))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _start(planned: Planned, findings: tuple[Finding, ...], now: float) -> tuple[Any, Any]:
    is_off = planned.estimate.verdict == "will_not_fit" or any(
        finding.level == "stop" for finding in findings
    )
    if is_off:
        label, hint = PlanText.START_OFF, PlanText.START_HINT_OFF
    else:
        when = when_done(planned.estimate, now=now)
        label, hint = PlanText.START.format(when=when), PlanText.START_HINT
    return gr.Button(label, interactive=not is_off), promise_markup(hint)


def _waiting(card: Html, *, is_active: bool) -> tuple[Any, ...]:
    return (
        card,
        NOTHING,
        NOTHING,
        NOTHING,
        NOTHING,
        gr.Button(PlanText.START_WAIT if is_active else PlanText.START_OFF, interactive=False),
        promise_markup(PlanText.START_HINT if is_active else PlanText.START_HINT_OFF),
        gr.Timer(active=is_active),
        NO_STAMP,
    )
