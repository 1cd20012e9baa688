"""A found plan with its promise and its words: what the search hands out.

Both directions of the search tell their plans here, so that a plan reads the same wherever it was
found.
"""

from tailor.estimator.search.bench import Bench
from tailor.estimator.search.suggestion import ModelChoice, Suggestion
from tailor.estimator.search.words import compare_promises, join_words, list_moves, name_model
from tailor.estimator.workload import Workload


def tell(
    bench: Bench, asked: Workload, made: Workload, *, is_improvement: bool = False
) -> Suggestion:
    """`made` against `asked`, on the same machine with the same model."""
    moves = tuple(list_moves(asked, made, bench.layers))
    promise = bench.promise(made)
    return Suggestion(
        moves=moves,
        workload=made,
        estimate=promise,
        words=join_words(moves),
        gives_up=compare_promises(bench.promise(asked), promise, moves),
        is_improvement=is_improvement,
    )


def tell_model(
    bench: Bench, asked: Workload, other: Bench, made: Workload, choice: ModelChoice
) -> Suggestion:
    """`made` with another model on `other`, against `asked` on `bench`."""
    moves = (*list_moves(asked, made, other.layers), name_model(choice))
    promise = other.promise(made)
    return Suggestion(
        moves=moves,
        workload=made,
        estimate=promise,
        words=join_words(moves),
        gives_up=compare_promises(bench.promise(asked), promise, moves),
        model=choice,
    )
