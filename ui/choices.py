"""What was chosen so far, read from the engine for the list beside every question.

Every answer is saved with the draft, so the list of one revision stays as it is and is kept: a step
back and forth asks the engine for nothing that it has told before.
"""

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.services import Services
from tailor.ui.text import GoalText, ShellText
from tailor.ui.views.choices import Choice
from tailor.ui.views.quantities import count_words


def read_choices(services: Services, owner: str, draft: Draft) -> tuple[Choice, ...]:
    """Goal, examples, own questions and model, as far as they are chosen."""
    if draft.revision == 0:
        return ()
    kept = services.kept_choices.get((owner, draft.id))
    if kept is not None and kept[0] == draft.revision:
        return kept[1]
    choices, is_settled = _read(services, owner, draft)
    if is_settled:
        services.kept_choices[owner, draft.id] = (draft.revision, choices)
    return choices


def _read(services: Services, owner: str, draft: Draft) -> tuple[tuple[Choice, ...], bool]:
    """The list, and whether it can only change with the draft."""
    is_settled = True
    choices: list[Choice] = [(ShellText.CHOICE_GOAL, GoalText.CARDS[draft.goal][0])]
    if draft.dataset_id:
        words, is_settled = _examples(services, owner, draft.dataset_id)
        choices.append((ShellText.CHOICE_DATA, words))
    if draft.own_questions:
        choices.append((ShellText.CHOICE_QUESTIONS, count_words(len(draft.own_questions))))
    if draft.model_id:
        choices.append((ShellText.CHOICE_MODEL, services.model_name(owner, draft.model_id)))
    return tuple(choices), is_settled


def _examples(services: Services, owner: str, dataset_id: str) -> tuple[str, bool]:
    try:
        dataset = services.engine(owner).dataset(dataset_id)
    except UserError as problem:
        return problem.title, False
    if dataset.mapping is None:
        return dataset.title, dataset.status == "ready"
    words = ShellText.CHOICE_DATA_ROWS.format(
        title=dataset.title,
        train=count_words(dataset.train_rows),
        held_out=count_words(dataset.held_out_rows),
    )
    return words, dataset.status == "ready"
