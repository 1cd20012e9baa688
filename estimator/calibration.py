"""What was learned from measurements: errors of earlier predictions, by circumstance, and what this
machine's own runs add.

A promise without a range is a guess, and a range that nobody checked is a promise without a base.
`calibration.json` ships the errors that were made on public measurements (`fit.py` writes it, each
residual from a prediction that had not seen its model or source); the engine adds the runs of the
machine with `learn`. `estimate()` and the evaluator ask `residual` for every range they tell.

The file, which `fit.py` writes with `to_json` and anybody reads with `from_json`:

    schema            1
    made_from         words: which file, which command
    made_from_sha256  of that file
    versions          {"torch": "2.13", ...}: libraries that the formulas were checked against
    efficiency        what `fit_efficiency` found, see `efficiency.py`; null for its prior alone
    groups            [{"quantity": "allocated" | "reserved_ratio" | "step_seconds"
                                    | "around_seconds",
                        "layer": "closed_form" | "trace" | "dry_run",
                        "technique": "full" | "lora" | "qlora",
                        "sharing": "one" | "replicated" | "sharded" | "offloaded",
                        "device": "" or for step_seconds the card's name as in gpus.csv,
                        "residuals": [log(measured / predicted), ... rising]}]

For `reserved_ratio` a residual is log(reserved / predicted allocated).
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast, get_args

from tailor.estimator.learned.conformal import FEWEST_RESIDUALS, LEVELS, median, two_sided
from tailor.estimator.learned.residual import (
    NEW_VERSION_WIDENING,
    Bounds,
    Quantity,
    Residual,
    ResidualKey,
    Sharing,
    formula_bounds,
    hull,
    start_bounds,
    stranger_bounds,
    stretched,
)
from tailor.estimator.promise import Layer, Range
from tailor.estimator.record import record
from tailor.estimator.timing.efficiency import (
    Efficiency,
    efficiency_from_json,
    efficiency_to_json,
)
from tailor.estimator.workload import Technique

SCHEMA = 1
HAS_MIDDLE: frozenset[Quantity] = frozenset({"reserved_ratio"})
"""Quantities whose likely value is the middle of their residuals. Of the others the formulas give
the likely value: a shift learned from other models would be one more constant to overfit."""


@record
class ResidualGroup:
    """Errors made under the same circumstances."""

    quantity: Quantity
    layer: Layer
    technique: Technique
    sharing: Sharing
    device: str = ""
    """Only speed is told apart by it."""
    residuals: tuple[float, ...]
    """log(measured / predicted), rising."""


@record
class Learned:
    """What the runs of this machine teach about one quantity."""

    quantity: Quantity
    device: str
    technique: Technique | Literal["any"]
    """"any" is for techniques that were not run here yet."""
    sharing: Sharing | Literal["any"]
    mean_log: float
    width: float
    """Width of the range against the one before these runs; 1 is unchanged."""
    runs: int


@record
class Calibration:
    """Everything measured that a prediction leans on."""

    schema: int = SCHEMA
    made_from: str = ""
    made_from_sha256: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    """Library versions that the formulas were checked against, major and minor."""
    efficiency: Efficiency = Efficiency()
    """Which share of a card's speed a step reaches."""
    groups: tuple[ResidualGroup, ...] = ()
    learned: tuple[Learned, ...] = ()
    """From this machine's own runs; empty in what ships."""
    drifting: tuple[str, ...] = ()
    """Why the last runs no longer agree with what was learned, in words; empty when they do."""
    is_new_version: bool = False
    """A library here is newer than what was checked, and no run has measured it yet."""

    def residual(
        self, quantity: Quantity, key: ResidualKey, *, start: Range | None = None
    ) -> Residual:
        """What to expect of a prediction under these circumstances.

        `start` is the range that the formulas give themselves; it speaks where too few similar
        predictions were ever compared with a measurement.
        """
        pooled, used, has_device = self._pool(quantity, key)
        own = _exact(self.groups, quantity, key)
        first = start_bounds(quantity, key) if start is None else formula_bounds(start)
        if pooled:
            bounds: Bounds = tuple(two_sided(pooled, level) for level in LEVELS)
            if own and own != pooled:
                # Others stand in for too few of its own: it may not be surer than its own errors.
                bounds = hull(bounds, ((own[0], own[-1]),) * len(LEVELS))
            bounds = hull(bounds, stranger_bounds(quantity, key, has_device))
            if not key.is_measured_stack and quantity not in HAS_MIDDLE:
                bounds = hull(bounds, first)
        else:
            used, bounds = "start", hull(first, stranger_bounds(quantity, key, True))
        middle = median(pooled) if pooled and quantity in HAS_MIDDLE else 0.0
        told = Residual(mean_log=middle, count=len(pooled), key_used=used, bounds=bounds)
        told = self._with_own_runs(told, quantity, key)
        if key.is_new_version or self.is_new_version:
            around = told.mean_log
            wider = tuple((low - around, high - around) for low, high in told.bounds)
            told = replace(told, bounds=stretched(wider, around, NEW_VERSION_WIDENING))
        return told

    def without_runs(self) -> "Calibration":
        """The same before this machine's own runs."""
        return replace(self, learned=(), drifting=(), is_new_version=False)

    def runs(self, device: str) -> int:
        """Runs of this machine that were learned from, on this device."""
        return max((one.runs for one in self.learned if one.device == device), default=0)

    def _pool(self, quantity: Quantity, key: ResidualKey) -> tuple[list[float], str, bool]:
        """The most similar errors of which there are enough, what they are called, and whether
        they are of the same device."""
        candidates = [group for group in self.groups if group.quantity == quantity]
        if quantity == "step_seconds":
            of_device = [group for group in candidates if group.device == key.device]
            pooled, used = _back_off(of_device, key)
            if pooled:
                return pooled, f"{used} on {key.device}", True
        pooled, used = _back_off(candidates, key)
        return pooled, used, quantity != "step_seconds"

    def _with_own_runs(self, told: Residual, quantity: Quantity, key: ResidualKey) -> Residual:
        for technique, sharing in ((key.technique, key.sharing), ("any", "any")):
            for one in self.learned:
                if (one.quantity, one.device) != (quantity, key.device):
                    continue
                if (one.technique, one.sharing) == (technique, sharing):
                    return replace(
                        told,
                        mean_log=one.mean_log,
                        runs=one.runs,
                        key_used=f"{one.runs} runs here",
                        bounds=stretched(_centred(told), one.mean_log, one.width),
                    )
        return told

    def to_json(self) -> str:
        """The file of this module's docstring; what this machine learned stays in its records."""
        told = {
            "schema": self.schema,
            "made_from": self.made_from,
            "made_from_sha256": self.made_from_sha256,
            "versions": dict(self.versions),
            "efficiency": efficiency_to_json(self.efficiency) if self.efficiency.points else None,
            "groups": [
                {
                    "quantity": group.quantity,
                    "layer": group.layer,
                    "technique": group.technique,
                    "sharing": group.sharing,
                    "device": group.device,
                    "residuals": [round(error, 5) for error in group.residuals],
                }
                for group in self.groups
            ],
        }
        return json.dumps(told, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Calibration":
        """Read such a file; a ValueError tells what is wrong with it."""
        told = json.loads(text)
        if not isinstance(told, dict) or told.get("schema") != SCHEMA:
            raise ValueError(f"this is no calibration of schema {SCHEMA}")
        try:
            return cls(
                made_from=str(told["made_from"]),
                made_from_sha256=str(told["made_from_sha256"]),
                versions=tuple((str(k), str(v)) for k, v in told["versions"].items()),
                efficiency=efficiency_from_json(told.get("efficiency")),
                groups=tuple(_read_group(group) for group in told["groups"]),
            )
        except (KeyError, TypeError, AttributeError) as wrong:
            raise ValueError(f"a field of the calibration is missing or wrong: {wrong}") from wrong


def _centred(told: Residual) -> Bounds:
    return tuple((low - told.mean_log, high - told.mean_log) for low, high in told.bounds)


def _exact(groups: tuple[ResidualGroup, ...], quantity: Quantity, key: ResidualKey) -> list[float]:
    same = [group for group in groups if group.quantity == quantity]
    if quantity == "step_seconds":
        same = [group for group in same if group.device == key.device]
    return _pooled(same, key.layer, key.technique, key.sharing)


def _back_off(groups: list[ResidualGroup], key: ResidualKey) -> tuple[list[float], str]:
    """Drop sharing, then technique, until there are enough.

    The layer is never dropped: errors of formulas would widen a rehearsal, and a trace's would make
    formulas look sure.
    """
    for technique, sharing in _patterns(key):
        pooled = _pooled(groups, key.layer, technique, sharing)
        if len(pooled) >= FEWEST_RESIDUALS:
            names = (key.layer, technique or "any technique", sharing or "any sharing")
            return pooled, " ".join(names)
    return [], ""


def _patterns(key: ResidualKey) -> Iterator[tuple[str, str]]:
    yield key.technique, key.sharing
    if key.sharing == "offloaded":
        # Weights that come and go are a kind of their own: errors of resident ones say nothing.
        yield "", key.sharing
        return
    yield key.technique, ""
    yield "", ""


def _pooled(groups: list[ResidualGroup], layer: str, technique: str, sharing: str) -> list[float]:
    return sorted(
        error
        for group in groups
        if group.layer == layer
        and technique in ("", group.technique)
        and sharing in ("", group.sharing)
        for error in group.residuals
    )


def _read_group(told: Mapping[str, Any]) -> ResidualGroup:
    for name, kind in (
        ("quantity", Quantity), ("layer", Layer), ("technique", Technique), ("sharing", Sharing),
    ):  # fmt: skip
        if told[name] not in get_args(kind):
            raise ValueError(f"{name} is {told[name]!r:.40}")
    errors = tuple(sorted(float(error) for error in told["residuals"]))
    if not all(math.isfinite(error) for error in errors):
        raise ValueError("a residual is not a number")
    return ResidualGroup(
        quantity=cast(Quantity, told["quantity"]),
        layer=cast(Layer, told["layer"]),
        technique=cast(Technique, told["technique"]),
        sharing=cast(Sharing, told["sharing"]),
        device=str(told.get("device", "")),
        residuals=errors,
    )


@cache
def read_shipped() -> Calibration:
    """What ships with this version."""
    return Calibration.from_json(
        files("tailor.estimator").joinpath("calibration.json").read_text("utf-8")
    )


SHIPPED = read_shipped()
"""The calibration of public measurements, before this machine has run anything."""
