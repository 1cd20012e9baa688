"""The verbs of calibration: what measurements teach, and the runs of this computer that taught it.

They belong to the computer and to no owner: a record is numbers alone. The wizard asks for the
calibration once a page, so that its promises are those of the engine.
"""

from fastapi import APIRouter, Response

from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Owner
from tailor.engine.learned import read_calibration, read_experience
from tailor.estimator.calibration import Calibration
from tailor.estimator.learned.run_measured import MeasuredRun

ROUTER = APIRouter(prefix="/v1", tags=["calibration"])


@ROUTER.get("/calibration", response_model=Calibration)
def show_calibration(parts: EngineParts, _: Owner) -> Response:
    """What measurements, this computer's own runs among them, teach about promises."""
    return answer(Calibration, read_calibration(parts.home, parts.hardware()))


@ROUTER.get("/calibration/runs", response_model=tuple[MeasuredRun, ...])
def list_measured_runs(parts: EngineParts, _: Owner) -> Response:
    """What the runs of this computer have measured, oldest first."""
    return answer(tuple[MeasuredRun, ...], read_experience(parts.home, parts.hardware()).runs)
