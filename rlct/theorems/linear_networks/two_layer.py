"""Two linear layers at any parameter: the pair from three ranks."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.working import note_case, step


def two_layer(outputs: int, hidden: int, inputs: int, inner: int, outer: int, both: int) -> Pair:
    """Pair of K = ‖BA − B₀A₀‖² near (A₀, B₀).

    B is outputs × hidden, A is hidden × inputs; ``inner``, ``outer`` and ``both`` are the ranks of
    A₀, B₀ and B₀A₀ (``theory/linear-point.md`` has the proof).

    >>> two_layer(1, 2, 2, 1, 1, 1), two_layer(2, 2, 2, 0, 0, 0), two_layer(2, 2, 2, 1, 1, 1)
    (Pair(1, 1), Pair(3/2, 1), Pair(2, 2))
    """
    from rlct.theorems.linear_networks.rank_paths import least_path_pair

    smooth_lambda = Fraction(outputs * inner + outer * inputs - inner * outer, 2)
    text = f"({outputs}·{inner} + {outer}·{inputs} − {inner}·{outer})/2"
    spare = (inputs - inner, hidden - inner - outer + both, outputs - outer)
    note_case(
        f"ranks a = {inner}, b = {outer}, r = {both}, remaining widths {', '.join(map(str, spare))}"
    )
    if 0 in spare:
        return Pair(step(f"λ = {text}", smooth_lambda), 1)
    core = least_path_pair(spare, 0)
    return Pair(step(f"altogether λ = {text} + {core.lam}", smooth_lambda + core.lam), core.theta)
