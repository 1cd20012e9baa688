"""Which of several plans nobody would rule out: no other needs less memory and less time.

The plot of memory against hours joins these and greys the rest. Pure arithmetic on pairs, so that
money can take the place of hours.
"""

from collections.abc import Sequence


def frontier(points: Sequence[tuple[float, float]]) -> tuple[bool, ...]:
    """For each pair, of which less is better in both, whether no other pair beats it.

    Equal pairs stand or fall together.
    """
    order = sorted(range(len(points)), key=lambda place: points[place])
    stands = [False] * len(points)
    best_second = float("inf")
    last: tuple[float, float] | None = None
    for place in order:
        point = points[place]
        if point == last or point[1] < best_second:
            stands[place] = True
            best_second, last = point[1], point
    return tuple(stands)
