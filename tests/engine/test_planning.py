from dataclasses import replace
from pathlib import Path

import pytest
from small_runs import HARDWARE, make_spec

from tailor.engine.errors import UserError
from tailor.engine.learned import write_measured
from tailor.engine.planning import plan_run, refuse_stops
from tailor.engine.settings import Settings, save_settings
from tailor.estimator.learned.run_measured import MeasuredRun


def test_recipe_estimator_and_preflight_meet_in_one_plan(tmp_path: Path) -> None:
    planned = plan_run(make_spec(), HARDWARE, tmp_path)
    assert planned.plan.recipe == "sft_lora"
    assert planned.estimate.seconds.low <= planned.estimate.seconds.high
    # The spec names a model and rows that are not there.
    with pytest.raises(UserError):
        refuse_stops(planned.findings)


def test_a_plan_is_promised_with_what_this_computers_runs_have_taught(tmp_path: Path) -> None:
    here = replace(HARDWARE, cpu_name="Processor X", cpu_flops_per_second=100e9)
    before = plan_run(make_spec(), here, tmp_path)
    told = before.estimate.uncorrected
    assert told is not None
    for number in range(4):
        run = MeasuredRun(
            run_id=f"run_{number}", ended_at=float(number), outcome="finished", device="cpu",
            configuration="0", workload=before.plan.workload,
            architecture=make_spec().model.architecture, weights_bytes=1, predicted=told,
            promised_memory_bytes=before.estimate.memory_bytes, capacity_bytes=1 << 30, steps=9,
            step_seconds=2 * told.step_seconds.likely,
        )  # fmt: skip
        write_measured(tmp_path, run)
    after = plan_run(make_spec(), here, tmp_path).estimate
    assert (after.runs_learned_from, after.provenance) == (4, "measured_here")
    assert after.uncorrected == told
    assert after.step_seconds is not None
    assert after.step_seconds.likely > 1.8 * told.step_seconds.likely
    assert after.seconds.high / after.seconds.low < (
        before.estimate.seconds.high / before.estimate.seconds.low
    )


def test_what_the_owner_pays_is_promised_too(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    prices = Settings(per_kwh=0.4, currency="EUR", computer_watts=100.0)
    save_settings(tmp_path, "ada", prices)
    promised = plan_run(replace(make_spec(), owner="ada"), HARDWARE, tmp_path).estimate
    assert promised.money is not None
    assert promised.currency == "EUR"
    assert plan_run(make_spec(), HARDWARE, tmp_path).estimate.money is None


def test_a_plan_that_makes_no_sense_is_refused_in_words(tmp_path: Path) -> None:
    nowhere = replace(HARDWARE, ram_bytes=0)
    with pytest.raises(UserError, match="cannot be carried out") as refused:
        plan_run(make_spec(), nowhere, tmp_path)
    assert "0 bytes of memory" in refused.value.detail
