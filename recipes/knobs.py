"""Reads what a person chose: every knob of a recipe gets a value that it knows.

A spec file may name a knob that does not exist or a value that was never offered; training with
something else in silence would be worse than refusing. Recipes call it first in their `plan()`.
"""

from collections.abc import Mapping

from tailor.recipes.spec import Knob, RunSpec


class UnknownChoiceError(ValueError):
    """Something was named that does not exist; `title`, `detail` and `fix` are for people."""

    def __init__(self, *, title: str, detail: str, fix: str) -> None:
        """The three parts of the sentence that a person reads."""
        super().__init__(f"{title}. {detail} {fix}")
        self.title = title
        self.detail = detail
        self.fix = fix


def read_knobs(knobs: tuple[Knob, ...], spec: RunSpec) -> Mapping[str, str]:
    """The value of every knob, by its id; what was not chosen keeps its default."""
    offered = {knob.id: knob for knob in knobs}
    for name, value in spec.knobs:
        if name not in offered:
            raise UnknownChoiceError(
                title=f'There is no choice called "{name}"',
                detail=f"The recipe {spec.recipe} knows: {', '.join(offered)}.",
                fix="Use one of these names, or leave the line out.",
            )
        values = [choice.value for choice in offered[name].choices]
        if value not in values:
            raise UnknownChoiceError(
                title=f'"{value}" cannot be chosen for "{name}"',
                detail=f"It can be: {', '.join(values)}.",
                fix="Use one of these values, or leave the line out for the default.",
            )
    return {knob.id: knob.default for knob in knobs} | dict(spec.knobs)
