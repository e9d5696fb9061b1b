"""Finding curves on which a polynomial is negative: proofs that it is not a K."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from rlct.algebra.real_algebraic import Coordinate

_WEIGHT_RANGE = (1, 2, 3, 4)
_POINT_VALUES = (1, -1, 2, -2, 3, -3, 0)
_MOST_WEIGHTS = 300  # tuples w of exponents of t
_MOST_POINTS = 400  # directions p
_MOST_ENTRIES = 20_000_000  # floats of the table of directions and terms

#: Direction p, weights w, order and leading coefficient of K(p_i t^w_i).
Curve = tuple[tuple[int, ...], tuple[int, ...], int, Coordinate]


def negative_curve(terms: Mapping[tuple[int, ...], Coordinate]) -> Curve | None:
    """Look for a curve x_i = p_i t^w_i, t > 0, on which K is negative near the origin.

    Floats choose the candidates, exact arithmetic decides: what is returned is a proof that
    K takes negative values in every neighbourhood of the origin.  None proves nothing.

    >>> from rlct.algebra.polynomial import make_ring, terms_of
    >>> ring = make_ring(["x", "y"]); x, y = ring.gens
    >>> negative_curve(terms_of((x**2 - y**3)**2 - y**7))
    ((1, 1), (3, 2), 14, Fraction(-1, 1))
    >>> negative_curve(terms_of(x**2 + y**2))
    """
    import numpy as np

    exponents = np.array(list(terms), dtype=np.float64)
    largest = _largest(list(terms.values()))
    coefficients = np.array([_ratio(c, largest) for c in terms.values()])
    weights = _sample(_WEIGHT_RANGE, exponents.shape[1], _MOST_WEIGHTS, seed=1)
    points = _sample(_POINT_VALUES, exponents.shape[1], _MOST_POINTS, seed=2)
    budget = max(1, _MOST_ENTRIES // max(1, exponents.size))
    points = points[:budget]
    with np.errstate(over="ignore", invalid="ignore"):
        powers = np.prod(np.array(points, dtype=float)[:, None, :] ** exponents, axis=2)
        values = powers * coefficients
    for w in weights:
        orders = exponents @ np.array(w, dtype=float)
        ranked = np.argsort(orders, kind="stable")
        starts = np.flatnonzero(np.diff(orders[ranked])) + 1
        undecided_points = np.flatnonzero(values.any(axis=1))
        for columns in np.split(ranked, starts):
            part = values[np.ix_(undecided_points, columns)]
            with np.errstate(over="ignore", invalid="ignore"):
                total = part.sum(axis=1)
                visible = np.abs(total) > 1e-9 * np.abs(part).max(axis=1)
            for index in undecided_points[visible & (total < 0)]:
                found = _leading(terms, points[index], w)
                if found is not None and found[1] < 0:
                    return points[index], w, *found
            undecided_points = undecided_points[~visible]
            if not undecided_points.size:
                break
    return None


def _largest(numbers: list[Coordinate]) -> Coordinate:
    """Largest absolute value."""
    largest: Coordinate = Fraction(0)
    for c in numbers:
        size = -c if c < 0 else c
        largest = max(largest, size)
    return largest


def _ratio(c: Coordinate, largest: Coordinate) -> float:
    """c/largest; coefficients may be larger than any float."""
    if isinstance(c, Fraction) and isinstance(largest, Fraction):
        return float(c / largest)
    return float(c) / float(largest)


def _sample(values: tuple[int, ...], d: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """All tuples if there are few, else a fixed sample that starts with the simplest ones."""
    if len(values) ** d <= most:
        return sorted(product(values, repeat=d), key=lambda p: sum(map(abs, p)))
    import numpy as np

    rng = np.random.default_rng(seed)
    simple = [tuple(values[0] for _ in range(d))]
    for i, v in product(range(min(d, most // len(values))), values[1:]):
        simple.append(tuple(v if j == i else values[0] for j in range(d)))
    drawn = rng.choice(values, size=(most - len(simple) // 2, d))
    return (simple + [tuple(int(v) for v in row) for row in drawn])[:most]


def _leading(
    terms: Mapping[tuple[int, ...], Coordinate], point: tuple[int, ...], weights: tuple[int, ...]
) -> tuple[int, Coordinate] | None:
    """Order and leading coefficient of K(p t^w), exactly; None if it vanishes identically."""
    sums: dict[int, Coordinate] = {}
    for exponents, coefficient in terms.items():
        value = coefficient
        for p, e in zip(point, exponents, strict=True):
            value *= p**e
        order = sum(w * e for w, e in zip(weights, exponents, strict=True))
        sums[order] = sums.get(order, Fraction(0)) + value
    return min(((o, v) for o, v in sums.items() if v != 0), default=None)
