from pathlib import Path

import pytest
from small_runs import HARDWARE, make_spec

from tailor.engine.errors import UserError
from tailor.engine.planning import plan_run, refuse_stops


def test_recipe_estimator_and_preflight_meet_in_one_plan(tmp_path: Path) -> None:
    planned = plan_run(make_spec(), HARDWARE, tmp_path)
    assert planned.plan.recipe == "sft_lora"
    assert planned.estimate.seconds.low <= planned.estimate.seconds.high
    # The spec names a model and rows that are not there.
    with pytest.raises(UserError):
        refuse_stops(planned.findings)
