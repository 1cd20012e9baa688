"""The exact trace: from a request to the bytes of every phase, or to the reason why not.

A shallow model or two are followed and prolonged where that is exact, the whole model otherwise.
Nothing is loaded and nothing is computed, so a model of any size fits into any computer. The server
of this folder calls it; so does the script that checks it against published measurements.
"""

import time
import traceback
import warnings
from contextlib import ExitStack
from typing import Any

from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorMode,
    UnsupportedFakeTensorException,
    UnsupportedOperatorException,
)

from tailor.engine.worker.trace.attention import flash_in_place_of_sdpa
from tailor.engine.worker.trace.card import as_on_a_card
from tailor.engine.worker.trace.fast_kernels import refuse_hidden_kernels
from tailor.engine.worker.trace.head import kernels_left_out
from tailor.engine.worker.trace.known import KnownOutcomes, rows_stand_alone
from tailor.engine.worker.trace.layers import count_layers, cut, read_pattern
from tailor.engine.worker.trace.ledger import Ledger
from tailor.engine.worker.trace.model import build_skeleton, complete, give_weights
from tailor.engine.worker.trace.refusal import CannotTraceError
from tailor.engine.worker.trace.step import follow_run
from tailor.engine.worker.trace.versions import read_versions
from tailor.estimator.trace import Phase, TraceRequest, TraceResult
from tailor.estimator.trace_depth import Depth, Peak, Peaks, extrapolate, plan_depths, read_peaks

UNSUPPORTED = (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedFakeTensorException,
    UnsupportedOperatorException,
)


def trace(request: TraceRequest) -> TraceResult:
    """Follow a step; a step that cannot be followed is answered with the reason."""
    begun = time.monotonic()
    try:
        peaks, depths = _find_peaks(request)
    except CannotTraceError as refusal:
        return _refuse(str(refusal), begun)
    except UNSUPPORTED as unsupported:
        return _refuse(
            "What this model computes depends on the numbers in it, which an exact check does not "
            f"have ({_name(unsupported)}).",
            begun,
        )
    # The edge to libraries of any version and models of any kind: whatever they raise, it is
    # better to say that there is no answer than to end.
    except Exception:
        traceback.print_exc()
        return _refuse("The installed libraries did not let this model be followed.", begun)
    return TraceResult(
        ok=True,
        weights_bytes=peaks["weights"].bytes,
        forward_bytes=peaks["forward"].bytes + request.workspace_bytes,
        backward_bytes=peaks["backward"].bytes + request.workspace_bytes,
        optimizer_bytes=peaks["optimizer"].bytes + request.workspace_bytes,
        evaluation_bytes=peaks["evaluation"].bytes + request.workspace_bytes,
        operations=tuple((phase, peak.operation) for phase, peak in peaks.items()),
        depths=depths,
        versions=read_versions(),
        seconds=time.monotonic() - begun,
    )


def _find_peaks(request: TraceRequest) -> tuple[dict[Phase, Peak], tuple[int, ...]]:
    if request.has_fused_kernels:
        raise CannotTraceError("Tailor's own kernels are not followed yet.")
    skeleton = build_skeleton(request)
    refuse_hidden_kernels(skeleton)
    layers = count_layers(skeleton)
    depths = plan_depths(read_pattern(skeleton), layers, request.checkpointed_layers)
    if depths.shallow:
        told = extrapolate(depths, [follow(request, skeleton, one) for one in depths.shallow])
        if told is not None:
            return told, tuple(depth.layers for depth in depths.shallow)
    return read_peaks(follow(request, skeleton, depths.whole)), (layers,)


def follow(request: TraceRequest, skeleton: Any, depth: Depth) -> Peaks:
    """What one model of this depth holds, operation by operation."""
    ledger = Ledger(KnownOutcomes(request))
    with ExitStack() as stack:
        # Libraries tell each other what is deprecated; nobody is asked to do anything.
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        model = complete(cut(skeleton, depth.layers), request, depth)
        if request.head == "tile":
            stack.enter_context(kernels_left_out())
        if request.attention == "flash":
            stack.enter_context(flash_in_place_of_sdpa())
        stack.enter_context(rows_stand_alone())
        stack.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        give_weights(model)
        stack.enter_context(as_on_a_card())
        stack.enter_context(ledger)
        follow_run(model, request, ledger)
    return ledger.peaks


def _refuse(reason: str, begun: float) -> TraceResult:
    return TraceResult(
        ok=False, reason=reason, versions=read_versions(), seconds=time.monotonic() - begun
    )


def _name(error: Exception) -> str:
    told = str(getattr(error, "func", "")) or type(error).__name__
    return told.removeprefix("aten.").split(".")[0]
