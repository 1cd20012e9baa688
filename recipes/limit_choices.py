"""What a limit on the length of a row costs: rows that are cut on one side, memory on the other.

A person who reads "412 rows are longer" wants to know what raising the limit would take. Each step
is planned with the recipe itself and priced by the estimator, so the figure is the one that the
Plan screen will show. Pure; the render child asks with the lengths that it has counted.
"""

from collections.abc import Sequence
from dataclasses import replace

from tailor.estimator.estimate import estimate
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.recipes.catalog import get_recipe
from tailor.recipes.row_length import AUTOMATIC, LONGEST_ROW, choose_row_length
from tailor.recipes.spec import RunSpec


@record
class LimitChoice:
    """One step that the limit can have."""

    tokens: int
    cut_rows: int
    """Training rows that are longer."""
    memory_low_bytes: int
    memory_high_bytes: int
    """The run's peak by the estimator, nine times in ten between these."""


def price_limits(
    spec: RunSpec, hardware: HardwareSpec, lengths_tokens: Sequence[int]
) -> tuple[LimitChoice, ...]:
    """Every step of the knob that this model can read, the shortest first.

    `lengths_tokens` are all training rows, uncut. A step beyond the longest row changes nothing and
    is left out.
    """
    if not lengths_tokens:
        return ()
    recipe, lengths = get_recipe(spec.recipe), spec.dataset.lengths
    others = tuple(knob for knob in spec.knobs if knob[0] != LONGEST_ROW.id)
    own_limit = spec.model.architecture.max_positions
    enough = choose_row_length(AUTOMATIC, lengths, own_limit).limit_tokens
    priced: dict[int, LimitChoice] = {}
    for choice in LONGEST_ROW.choices:
        tokens = choose_row_length(choice.value, lengths, own_limit).limit_tokens
        if tokens in priced or tokens > enough:
            continue
        asked = replace(spec, knobs=(*others, (LONGEST_ROW.id, choice.value)))
        plan = recipe.plan(asked, hardware)
        memory = estimate(
            plan.workload,
            spec.model.architecture,
            hardware,
            weights_bytes=spec.model.weights_bytes,
        ).memory_bytes
        priced[tokens] = LimitChoice(
            tokens=tokens,
            cut_rows=sum(length > tokens for length in lengths_tokens),
            memory_low_bytes=round(memory.low),
            memory_high_bytes=round(memory.high),
        )
    return tuple(priced[tokens] for tokens in sorted(priced))
