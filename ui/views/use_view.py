"""The Use it screen as markup: what can be taken along, and the lines of code that load it. Pure.

Paths are the real ones of this computer; the code is complete, so that copy and paste is enough.
"""

import json
from typing import Final, Literal
from urllib.parse import quote

from tailor.engine.types import Draft, ExportRecord, Job, RunRecord
from tailor.estimator.record import record
from tailor.recipes.spec import Message
from tailor.ui.text_use import UseText
from tailor.ui.views.copy_block import copy_block
from tailor.ui.views.html import NOTHING, Html, each, element
from tailor.ui.views.icons import icon
from tailor.ui.views.problem import error_card
from tailor.ui.views.quantities import bytes_words, percent_words
from tailor.ui.views.step_rail import PLAN

ExportKind = Literal["adapter", "merged"]
KINDS: Final[tuple[ExportKind, ...]] = ("adapter", "merged")

# The add-on names its base without a folder, so that it can travel; here the base is at hand.
LOAD_ADAPTER: Final = """\
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

base = {base}
folder = {path}
tokenizer = AutoTokenizer.from_pretrained(folder)
model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base), folder)
"""
LOAD_WHOLE: Final = """\
from transformers import AutoModelForCausalLM, AutoTokenizer

folder = {path}
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder)
"""
ASK: Final = """
messages = [
{messages}
]
inputs = tokenizer.apply_chat_template(
    messages, add_generation_prompt=True, return_dict=True, return_tensors="pt"
)
answer = model.generate(**inputs, max_new_tokens={new_tokens}, do_sample=False)
print(tokenizer.decode(answer[0, inputs["input_ids"].shape[1]:], skip_special_tokens=True))
"""


@record
class Offer:
    """One thing to take along and how far it is."""

    kind: ExportKind
    export: ExportRecord | None = None
    """None until it is made."""
    job: Job | None = None
    """The job that makes it."""


def offers_for(
    run: RunRecord, exports: tuple[ExportRecord, ...], job: Job | None, kind: str
) -> tuple[Offer, ...]:
    """What can be taken along; a fully trained model has no add-on."""
    made = {export.kind: export for export in exports}
    kinds = KINDS if run.plan.technique != "full" else KINDS[1:]
    return tuple(
        Offer(kind=each_kind, export=made.get(each_kind), job=job if each_kind == kind else None)
        for each_kind in kinds
    )


def no_model_html(draft: Draft) -> Html:
    """Why nothing can be used yet, and the way to where it comes from."""
    if draft.run_id:
        fix, words, address = UseText.NO_MODEL_FIX, UseText.TO_RUN, f"run={draft.run_id}"
    else:
        fix, words, address = UseText.NO_RUN_FIX, UseText.TO_PLAN, f"draft={draft.id}&step={PLAN}"
    return element(
        "section",
        element("p", UseText.NO_MODEL_TITLE, class_="card-title"),
        element("p", UseText.NO_MODEL_DETAIL),
        element("p", fix, class_="quiet"),
        element("a", words, href=f"/project?{address}", class_="own-button"),
        class_="card no-model",
    )


def offers_html(run: RunRecord, offers: tuple[Offer, ...]) -> Html:
    """A card each: what it is, make it or take it."""
    is_busy = any(offer.job is not None and offer.job.status == "running" for offer in offers)
    return element("div", each(_offer(run, offer, is_busy) for offer in offers), class_="offers")


def download_url(run_id: str, kind: str) -> str:
    """Our own route; the owner is checked there."""
    return f"/download/{quote(run_id, safe='')}/{quote(kind, safe='')}"


def python_snippet(run: RunRecord, exports: tuple[ExportRecord, ...]) -> str:
    """Code that loads the model from its real path and asks it the first exam question."""
    merged = next((export.path for export in exports if export.kind == "merged"), "")
    folder = run.result.folder if run.result else run.folder
    if merged or run.plan.technique == "full":
        load = LOAD_WHOLE.format(path=_quoted(merged or folder))
    else:
        load = LOAD_ADAPTER.format(base=_quoted(run.spec.model.path), path=_quoted(folder))
    return load + ASK.format(
        messages="\n".join(f"    {_turn(message)}," for message in _example_turns(run)),
        new_tokens=run.plan.max_new_tokens,
    )


def _example_turns(run: RunRecord) -> tuple[Message, ...]:
    if run.spec.exam:
        return run.spec.exam[0].messages
    return (Message(role="user", content=UseText.CODE_QUESTION),)


def _turn(message: Message) -> str:
    # JSON's string is Python's string too, once no character is turned into a surrogate pair.
    return f'{{"role": "{message.role}", "content": {_quoted(message.content)}}}'


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def packages_words(run: RunRecord, exports: tuple[ExportRecord, ...]) -> str:
    """What has to be installed for the code."""
    is_whole = run.plan.technique == "full" or any(e.kind == "merged" for e in exports)
    return UseText.CODE_LEAD.format(
        packages="transformers, torch" if is_whole else "transformers, peft, torch"
    )


def _offer(run: RunRecord, offer: Offer, is_busy: bool) -> Html:
    title = element(
        "h3",
        UseText.KINDS[offer.kind],
        " ",
        element("span", UseText.KIND_EXPERT[offer.kind], class_="real-name"),
    )
    return element(
        "section",
        title,
        element("p", UseText.KIND_WORDS[offer.kind], class_="quiet"),
        _ready(run, offer.export) if offer.export else _make(run, offer, is_busy),
        class_="card offer",
    )


def _ready(run: RunRecord, export: ExportRecord) -> Html:
    return element(
        "div",
        element(
            "p",
            icon("check"),
            UseText.READY.format(size=bytes_words(export.bytes)),
            class_="ready",
        ),
        copy_block(f"path-{export.kind}", export.path, label=UseText.PATH),
        element(
            "a",
            icon("download"),
            UseText.DOWNLOAD,
            href=download_url(run.id, export.kind),
            download=True,
            class_="own-button",
        ),
        class_="offer-ready",
    )


def _make(run: RunRecord, offer: Offer, is_busy: bool) -> Html:
    job = offer.job
    if job is not None and job.status == "running":
        words = job.words or UseText.MAKING
        share = f" {percent_words(job.done)}" if job.done else ""
        fill = "bar-fill" if job.done else "bar-fill unknown"
        return element(
            "div",
            element("p", words + share, role="status"),
            element(
                "div",
                element("span", class_=fill, style=f"width:{100 * (job.done or 1):.0f}%"),
                class_="progress-bar",
            ),
        )
    failed = error_card(job.problem) if job is not None and job.status == "failed" else NOTHING
    return element(
        "div",
        failed,
        element(
            "button",
            UseText.MAKE[offer.kind],
            type="button",
            class_="own-button",
            data_send=offer.kind,
            aria_disabled="true" if is_busy else None,
        ),
        element(
            "span",
            UseText.MAKE_NOTE.format(size=bytes_words(_likely_bytes(run, offer.kind))),
            class_="quiet small",
        ),
        class_="offer-make",
    )


def _likely_bytes(run: RunRecord, kind: ExportKind) -> int:
    if kind == "merged":
        return run.spec.model.weights_bytes
    return sum(part.bytes for part in run.estimate.parts if part.name == "adapter")
