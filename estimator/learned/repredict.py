"""A run of the past, predicted again by today's formulas for today's machine.

What is known of a machine changes: its speed is measured anew, formulas get better with a version.
A correction learned against the numbers of then would be wrong by that change, so each record is
predicted again before it is learned from. `learn` is given the answers.
"""

from dataclasses import replace

from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.formulas import compute_formulas, find_device_name, tell_uncorrected
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.learned.run_measured import MeasuredRun
from tailor.estimator.sense import refuse_nonsense


def repredict(
    run: MeasuredRun, hardware: HardwareSpec, calibration: Calibration = SHIPPED
) -> MeasuredRun:
    """The record with the prediction of today.

    A run of another device keeps its own, and so does memory that a trace or a rehearsal told. A
    ValueError tells that the record's plan makes no sense.
    """
    if run.predicted.device_name != find_device_name(hardware):
        return run
    refuse_nonsense(run.workload, run.architecture, hardware, run.weights_bytes)
    formulas = compute_formulas(
        run.workload, run.architecture, hardware,
        weights_bytes=run.weights_bytes, calibration=calibration,
    )  # fmt: skip
    told = tell_uncorrected(formulas, calibration)
    if run.predicted.layer != "closed_form":
        told = replace(told, memory_bytes=run.predicted.memory_bytes, layer=run.predicted.layer)
    return replace(run, predicted=told)
