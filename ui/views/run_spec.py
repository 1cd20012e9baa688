"""From what was chosen in the wizard to what the engine is asked to run. Pure.

The draft holds ids and answers; a run needs the frozen nouns behind them. The Plan screen makes
the `RunSpec` here at every change, so the promise is made for exactly what Start submits.
"""

from tailor.engine.data_types import DatasetRecord
from tailor.engine.types import Draft
from tailor.recipes.spec import DatasetSpec, ExamQuestion, ModelSpec, RunSpec
from tailor.recipes.spec_file import SpecFile, render_spec_file
from tailor.ui.text import HomeText


def to_run_spec(
    draft: Draft, dataset: DatasetSpec, model: ModelSpec, exam: tuple[ExamQuestion, ...]
) -> RunSpec:
    """The run that this draft asks for. The person's own questions follow the picked ones."""
    return RunSpec(
        title=draft.title or HomeText.UNTITLED,
        goal=draft.goal,
        recipe=draft.recipe,
        model=model,
        dataset=dataset,
        exam=exam + own_questions(draft, exam),
        knobs=draft.knobs,
        owner=draft.owner,
        draft_id=draft.id,
        added_words=draft.added_words,
    )


def own_questions(draft: Draft, exam: tuple[ExamQuestion, ...]) -> tuple[ExamQuestion, ...]:
    """The person's questions, without any whose id the picked exam uses already."""
    taken = {question.id for question in exam}
    return tuple(question for question in draft.own_questions if question.id not in taken)


def to_spec_file(draft: Draft, dataset: DatasetRecord) -> str:
    """The same run as the YAML that `python app.py run` reads."""
    return render_spec_file(
        SpecFile(
            title=draft.title,
            goal=draft.goal,
            dataset=dataset.id,
            model=draft.model_id,
            recipe=draft.recipe,
            knobs=dict(draft.knobs),
        )
    )
