"""The nearest plans that fit a machine, in the order of least harm, and what each gives up.

A refusal without a way out helps nobody. `nearest_fitting` looks for the way out, or for a better
use of room that is left; `explain_shortfall` says what would do where there is none; `frontier`
tells which of several plans nobody would rule out. Screens, recipes and the command line ask.
"""

from tailor.estimator.search.frontier import frontier
from tailor.estimator.search.nearest import nearest_fitting
from tailor.estimator.search.shortfall import Shortfall, explain_shortfall
from tailor.estimator.search.suggestion import ModelChoice, Move, MoveKind, Suggestion

__all__ = [
    "ModelChoice",
    "Move",
    "MoveKind",
    "Shortfall",
    "Suggestion",
    "explain_shortfall",
    "frontier",
    "nearest_fitting",
]
