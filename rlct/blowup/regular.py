"""Regular subdivision: star subdivisions at lattice points until every cone is unimodular."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import gcd

from sympy import ZZ
from sympy.polys.matrices import DomainMatrix

from rlct.blowup.fan import Fan, TooManyChartsError

_MOST_CANDIDATES = 500  # lattice points compared; any would do, a good one saves charts

Vector = tuple[int, ...]


def integer_determinant(rows: list[Vector]) -> int:
    """Determinant of a square integer matrix."""
    return int(DomainMatrix([list(map(ZZ, row)) for row in rows], (len(rows),) * 2, ZZ).det())


def regular_fan(fan: Fan, limit: int) -> Fan:
    """Subdivide a simplicial fan until the rays of every cone are a basis of Z^d.

    The rays are those of the first, and more.  TooManyChartsError if there are more than `limit`
    cones.

    A cone of multiplicity m = |det| > 1 has a lattice point v = Σ a_i v_i, 0 ≤ a_i < 1,
    besides 0.  Subdividing every cone around v at v replaces a cone of multiplicity m by
    cones of multiplicities a_i·m < m, hence the method ends (Kempf, Knudsen, Mumford and
    Saint-Donat, *Toroidal Embeddings I*, chapter I, theorem 11).

    >>> from rlct.blowup.fan import simplicial_fan
    >>> fine = regular_fan(simplicial_fan([[2, 0], [0, 3]], 10), 10)
    >>> fine.rays
    ((3, 2), (1, 0), (0, 1), (1, 1), (2, 1))
    >>> fine.cones
    ((0, 3), (0, 4), (1, 4), (2, 3))
    """
    rays = list(fan.rays)
    cones = {cone: abs(integer_determinant([rays[i] for i in cone])) for cone in fan.cones}
    while max(cones.values()) > 1:
        worst = max(cones, key=lambda cone: (cones[cone], cone))
        point, parts = _lattice_point([rays[i] for i in worst], cones[worst])
        shares = {worst[i]: a for i, a in parts.items()}
        new = len(rays)
        rays.append(point)
        for cone in [c for c in cones if shares.keys() <= set(c)]:
            multiplicity = cones.pop(cone)
            for i, a in shares.items():
                replaced = (*(j for j in cone if j != i), new)
                cones[replaced] = int(a * multiplicity)
        if len(cones) > limit:
            raise TooManyChartsError(f"the regular fan has more than {limit} charts")
    return Fan(tuple(rays), tuple(sorted(cones)))


def _lattice_point(rows: list[Vector], multiplicity: int) -> tuple[Vector, dict[int, Fraction]]:
    """Return a primitive lattice point Σ a_i v_i, 0 ≤ a_i < 1, and its a_i > 0."""
    # Small coordinates leave small cones: few charts in the end.
    best = min(islice(_group(rows, multiplicity), _MOST_CANDIDATES), key=lambda a: (sum(a), a))
    point = [
        sum(a * row[j] for a, row in zip(best, rows, strict=True)) // multiplicity
        for j in range(len(rows))
    ]
    divisor = gcd(*point)
    shares = {i: Fraction(a, multiplicity * divisor) for i, a in enumerate(best) if a}
    return tuple(x // divisor for x in point), shares


def _group(rows: list[Vector], multiplicity: int) -> Iterator[Vector]:
    """Numerators over the multiplicity of the coordinates of Z^d modulo the rays, 0 aside."""
    size = len(rows)
    matrix = DomainMatrix([list(map(ZZ, row)) for row in rows], (size, size), ZZ)
    inverse, det = matrix.adj_det()
    sign = 1 if det > 0 else -1
    steps = [tuple(sign * int(x) % multiplicity for x in row) for row in inverse.to_list()]
    seen = {(0,) * size}
    queue = list(seen)
    for element in queue:
        for step in steps:
            moved = tuple((x + y) % multiplicity for x, y in zip(element, step, strict=True))
            if moved not in seen:
                seen.add(moved)
                queue.append(moved)
                yield moved
