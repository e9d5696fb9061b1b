"""Layers of a smaller network within those of a larger one."""

from collections.abc import Callable, Sequence


def cheapest_placement(
    widths: Sequence[int], true: Sequence[int], repeat: Callable[[int], int | None]
) -> tuple[int, tuple[int, ...]] | None:
    """Hand each true layer through the layers of a wider and deeper network.

    Returns what that costs, and how many true layers are computed after each layer.

    Each layer either computes the next true layer or repeats the present one, and needs its width.
    ``widths`` and ``true`` are those of input and hidden layers, from the same input on.
    ``repeat`` takes the number of true layers computed so far to the cost of one more layer that
    repeats the last of them, or to None if that is not possible.  None if the true layers do not
    fit.

    >>> cheapest_placement((2, 5, 5), (2, 3), lambda done: 7 + done)
    (7, (0, 1))
    >>> cheapest_placement((2, 1), (2, 3), lambda done: 0) is None
    True
    """
    costs: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for width in widths[1:]:
        following: dict[int, tuple[int, tuple[int, ...]]] = {}
        for done, (cost, path) in costs.items():
            for reached, more in ((done, repeat(done)), (done + 1, 0)):
                if more is None or reached >= len(true) or true[reached] > width:
                    continue
                longer = cost + more, (*path, reached)
                following[reached] = min(following.get(reached, longer), longer)
        costs = following
    return costs.get(len(true) - 1)
