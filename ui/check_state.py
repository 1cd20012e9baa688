"""How far the check of a draft's rows is: mapped, model here, read by its tokenizer, or in trouble.

Four things must happen one after the other, and the page may be closed between any two of them, so
each look asks the engine anew and starts only what is missing. The rows' own checks are shown while
the model still reads.
"""

from tailor.engine.data_types import DatasetRecord, RenderReport
from tailor.engine.errors import UserError
from tailor.engine.models import starter
from tailor.engine.types import Draft, Job, ModelRecord
from tailor.estimator.record import record
from tailor.ui.row_limit import read_row_limit
from tailor.ui.services import Services, read_report
from tailor.ui.text_check import CheckText
from tailor.ui.text_data import DataText


@record
class Waiting:
    """Not there yet: what is going on."""

    words: str
    share: float = 0.0


@record
class Checked:
    """Everything that the Check screen shows."""

    dataset: DatasetRecord
    report: RenderReport
    model_name: str


def look_at(
    services: Services, owner: str, draft: Draft, *, is_anew: bool = False
) -> Waiting | Checked:
    """One look; `is_anew` starts a job again that failed before."""
    dataset = look_at_rows(services, owner, draft)
    if dataset.status == "reading":
        return wait_for_rows(dataset)
    return look_at_reading(services, owner, draft, dataset, is_anew=is_anew)


def look_at_rows(services: Services, owner: str, draft: Draft) -> DatasetRecord:
    """The rows, which may still be "reading"; raises when nobody said yes to them yet.

    A problem beside rows is one of the last verb: the rows are as they were before it.
    """
    if not draft.dataset_id:
        raise _no_rows()
    dataset = services.engine(owner).dataset(draft.dataset_id)
    if dataset.status == "reading":
        return dataset
    if dataset.mapping is None:
        raise UserError.of(dataset.problem) if dataset.problem is not None else _no_rows()
    return dataset


def wait_for_rows(dataset: DatasetRecord) -> Waiting:
    """What the engine does with the rows just now."""
    return Waiting(words=dataset.progress or CheckText.WAIT_READING, share=dataset.done)


def look_at_reading(
    services: Services, owner: str, draft: Draft, dataset: DatasetRecord, *, is_anew: bool = False
) -> Waiting | Checked:
    """What a model reads of the rows; its job is started when there is none."""
    model = reading_model(services.engine(owner).models(), draft.model_id)
    if not model.is_ready:
        job = services.fetch_model(owner, "starter", is_anew=is_anew)
        return _waiting(job, CheckText.WAIT_FETCH)
    job = services.render(
        owner, dataset, model.id, max_length_tokens=read_row_limit(draft),
        added_words=draft.added_words, is_anew=is_anew,
    )  # fmt: skip
    report = read_report(job)
    if report is None:
        return _waiting(job, CheckText.WAIT_RENDER.format(model=model.name))
    return Checked(dataset=dataset, report=report, model_name=model.name)


def reading_model(models: tuple[ModelRecord, ...], chosen: str) -> ModelRecord:
    """The chosen model when it is here, else the starter model, else any that is here."""
    by_id = {model.id: model for model in models}
    if chosen in by_id and by_id[chosen].is_ready:
        return by_id[chosen]
    if starter.ID in by_id:
        return by_id[starter.ID]
    return next((model for model in models if model.is_ready), models[0])


def _waiting(job: Job, words: str) -> Waiting:
    if job.problem is not None:
        raise UserError.of(job.problem)
    return Waiting(words=f"{words} {job.words}".strip(), share=job.done)


def _no_rows() -> UserError:
    return UserError(
        title=DataText.NONE_TITLE, detail=DataText.NONE_DETAIL, fix=DataText.NONE_FIX, status=409
    )
