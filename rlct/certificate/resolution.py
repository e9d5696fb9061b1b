"""Rules of blow-ups, changes of coordinates and strata; ``theory/blowups.md`` proves each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rlct.certificate.arithmetic import (
    Poly,
    add,
    divide,
    fraction,
    multiply,
    read,
    scale,
    variables,
)
from rlct.certificate.family import (
    Family,
    FamilyRule,
    coefficients,
    family_of,
    is_unit,
    substituted,
)
from rlct.certificate.statement import Bounds, Data, Rule, Statement, need
from rlct.certificate.uniform import UNIFORM, floor, in_coordinates
from rlct.certificate.univariate import Dense, gcd, has_real_root, quotient

__all__ = ["FAMILY_RULES", "PLAIN_RULES"]

Solve = Callable[[Family | Statement], Bounds]


def blowup(family: Family, data: Data, solve: Solve) -> Bounds:
    """Weighted blow-up of a coordinate subspace; the children are the charts."""
    weights, permutations = data["weights"], data.get("symmetries", [])
    need(set(data) <= {"weights", "symmetries"}, "blowup: unknown evidence")
    need(len(weights) == family.locals, "blowup: weights")
    need(all(type(w) is int and w >= 0 for w in weights) and any(weights), "blowup: weights")
    orbits = _orbits(family, weights, permutations)
    return _least([solve(chart) for chart in _charts(family, weights, orbits)])


def _orbits(family: Family, weights: list[int], permutations: list[list[int]]) -> list[list[int]]:
    """Orbits of the variables of the centre under permutations that leave everything."""
    d = family.locals
    orbit = {i: {i} for i in range(d) if weights[i]}
    for image in permutations:
        need(
            all(type(k) is int for k in image) and sorted(image) == list(range(d)),
            "blowup: not a permutation",
        )
        for i, k in enumerate(image):
            same = weights[i] == weights[k] and family.prior[i] == family.prior[k]
            need(same, "blowup: a permutation changes weights or priors")
        place = [image.index(k) for k in range(d)]
        for g in family.generators:
            moved = {(*(m[place[k]] for k in range(d)), *m[d:]): c for m, c in g.items()}
            need(
                moved in family.generators or scale(moved, -1) in family.generators,
                "blowup: a permutation changes the generators",
            )
        for i in orbit:
            joined = orbit[i] | orbit[image[i]]
            for k in joined:
                orbit[k] = joined
    found = {min(members): sorted(members) for members in orbit.values()}.values()
    return sorted(found, key=lambda members: (weights[members[0]], members))


def _least(bounds: list[Bounds]) -> Bounds:
    uppers = [upper for _, upper in bounds if upper is not None]
    return min(lower for lower, _ in bounds), min(uppers) if uppers else None


def _charts(family: Family, weights: list[int], orbits: list[list[int]]) -> list[Family]:
    d = family.locals
    centre = [i for i in range(d) if weights[i]]
    outside = [i for i in range(d) if not weights[i]]
    exceptional = sum((weights[i] * (1 + family.prior[i]) for i in centre), Fraction(-1))
    charts = []
    for position, (i, *_) in enumerate(orbits):
        earlier = [j for orbit in orbits[:position] for j in orbit]
        later = [j for j in centre if j != i and j not in earlier]
        order = [*outside, i, *earlier, *later, *range(d, family.width)]
        for sign in [1, -1] if weights[i] % 2 == 0 else [1]:

            def pulled(p: Poly, i: int = i, sign: int = sign, order: list[int] = order) -> Poly:
                result: Poly = {}
                for m, c in p.items():
                    image = list(m)
                    image[i] = sum(w * e for w, e in zip(weights, m[:d], strict=True))
                    value = -c if sign < 0 and m[i] % 2 else c
                    result[tuple(image[k] for k in order)] = value
                return result

            prior = [family.prior[k] for k in outside] + [exceptional]
            prior += [family.prior[k] for k in earlier]
            free = tuple(family.prior[k] for k in later)
            units = tuple(pulled(u) for u in family.units)
            empty = Family((), tuple(prior), free, family.fixed, units)
            charts.append(empty.with_generators([pulled(g) for g in family.generators]))
    return charts


def coordinate(family: Family, data: Data, solve: Solve) -> Bounds:
    """The coordinate a·x_i + r in place of x_i."""
    i, d = data["variable"], family.locals
    a, r = read(data["scale"], family.width), read(data["shift"], family.width)
    need(type(i) is int and 0 <= i < d and family.prior[i] == 0, "coordinate: the variable")
    need(i not in variables([a, r]), "coordinate: the change involves its variable")
    zero = (0,) * d
    need(is_unit(coefficients(a, d).get(zero, {}), family.units), "coordinate: the scale")
    need(zero not in coefficients(r, d), "coordinate: the shift does not vanish")
    return solve(family.with_generators(_changed(family, family.generators, i, a, r)))


def _changed(family: Family, polynomials: tuple[Poly, ...], i: int, a: Poly, r: Poly) -> list[Poly]:
    """Polynomials with x_i = (x_i − r)/a, each times a power of a."""
    x: Poly = {tuple(int(k == i) for k in range(family.width)): Fraction(1)}
    numerator = add(x, scale(r, -1))
    return [substituted(p, i, numerator, a, family.width) for p in polynomials]


def fix(family: Family, data: Data, solve: Solve) -> Bounds:
    """Free parameters are fixed; their priors are units."""
    d, m = family.locals, len(family.free)
    for k, h in enumerate(family.free):
        t: Poly = {tuple(int(i == d + k) for i in range(family.width)): Fraction(1)}
        need(not h or is_unit(t, family.units), "fix: the prior of a parameter may vanish")
    inner = Family(family.generators, family.prior, (), family.fixed + m, family.units)
    lower, upper = solve(inner)
    point = data.get("point")
    if point is None:
        return lower, None
    need(len(point) == m and all(type(v) is int for v in point), "fix: the point")
    involved = [u for u in family.units if _meets(family, u)]
    others = [u for u in family.units if not _meets(family, u)]
    for u in involved:
        need(is_unit(_at(u, d, point), others), "fix: a unit vanishes at the point")
    return lower, upper


def _meets(family: Family, p: Poly) -> bool:
    d = family.locals
    return any(d <= i < d + len(family.free) for i in variables([p]))


def _at(p: Poly, first: int, point: list[int]) -> Poly:
    """P at values of the variables from `first` on."""
    total: Poly = {}
    last = first + len(point)
    for m, c in p.items():
        for v, e in zip(point, m[first:last], strict=True):
            c *= Fraction(v) ** e
        total = add(total, {(*m[:first], *((0,) * len(point)), *m[last:]): c} if c else {})
    return total


def stratify(family: Family, data: Data, solve: Solve) -> Bounds:
    """Points where a polynomial in the parameters vanishes, and those where it does not."""
    need(set(data) == {"by", "zeros"}, "stratify: unknown evidence")
    g = read(data["by"], family.width)
    need(min(variables([g]), default=0) >= family.locals, "stratify: a local is involved")
    need(_meets(family, g), "stratify: no free parameter is involved")
    nonzero = Family(
        family.generators,
        family.prior,
        family.free,
        family.fixed,
        (*family.units, g),
        seen=(*family.seen, (g, family.units)),
    )
    bounds = [solve(nonzero)]
    zeros: dict[str, Any] = dict(data["zeros"])
    listed = zeros.pop("units", [])
    if set(zeros) == {"none"}:
        squares = _squares(family, g, zeros["none"])
        need(
            any(h and not any(any(m) for m in h) for h in squares),
            "stratify: no square is a number",
        )
    elif set(zeros) == {"symmetric"}:
        _check_symmetric(family, g, zeros["symmetric"])
    elif zeros == {"smooth": True} and zeros["smooth"] is True:
        bounds.append(
            solve(
                Family(family.generators, family.prior, family.free, family.fixed, family.units, g)
            )
        )
    elif zeros == {"open": True} and zeros["open"] is True:
        bounds.append(solve(family))
    elif set(zeros) == {"solve"}:
        bounds.append(_on_graph(family, g, zeros["solve"], listed, solve))
    else:
        need(set(zeros) == {"within", "solve"}, "stratify: unknown evidence")
        within = zeros["within"]
        h = _squares(family, g, within)[within["index"]]
        f = read(within["factor"], family.width)
        need(bool(h) and any(any(m) for m in f), "stratify: the factor is a number")
        while (rest := divide(h, f)) is not None:
            h = rest
        need(is_unit(h, family.units), "stratify: the square has other zeros")
        bounds.append(_on_graph(family, f, zeros["solve"], listed, solve))
    return _least(bounds)


def _check_symmetric(family: Family, g: Poly, data: Data) -> None:
    """A permutation takes the zeros of g into those of an earlier split of the same family."""
    number, image = data["split"], data["permutation"]
    d, m = family.locals, len(family.free)
    need(set(data) == {"split", "permutation"}, "stratify: unknown evidence")
    need(type(number) is int and 0 <= number < len(family.seen), "stratify: no such split")
    need(
        all(type(k) is int for k in image)
        and sorted(image[:d]) == list(range(d))
        and sorted(image[d:]) == list(range(d, d + m)),
        "stratify: not a permutation of locals and of free parameters",
    )
    priors = [*family.prior, *family.free]
    need(
        all(priors[i] == priors[k] for i, k in enumerate(image)),
        "stratify: the permutation changes a prior",
    )
    whole = [*image, *range(d + m, family.width)]
    place = [whole.index(k) for k in range(family.width)]

    def moved(p: Poly) -> Poly:
        return {tuple(e[i] for i in place): c for e, c in p.items()}

    for f in family.generators:
        image_of = moved(f)
        need(
            image_of in family.generators or scale(image_of, -1) in family.generators,
            "stratify: the permutation changes the generators",
        )
    earlier, units = family.seen[number]
    found = moved(earlier)
    lead = max(g)
    need(
        lead in found and scale(found, g[lead] / found[lead]) == g,
        "stratify: the permutation does not lead to the earlier split",
    )
    need(
        all(is_unit(moved(u), family.units) for u in units),
        "stratify: a unit of the earlier split is not known to be one",
    )


def _squares(family: Family, g: Poly, data: Data) -> list[Poly]:
    """The h of ±g = Σ c·h², c > 0."""
    items = [(fraction(c), read(h, family.width)) for c, h in data["squares"]]
    need(all(c > 0 for c, _ in items), "stratify: a coefficient is not positive")
    need(type(data["sign"]) is int and data["sign"] in (1, -1), "stratify: the sign")
    total = add(*(scale(multiply(h, h), c) for c, h in items))
    need(total == scale(g, data["sign"]), "stratify: the squares do not add up")
    return [h for _, h in items]


def _on_graph(family: Family, g: Poly, j: Any, listed: list[Any], solve: Solve) -> Bounds:
    """The stratum g = a·t_j + b = 0 with a a unit; g becomes a local in place of t_j."""
    d = family.locals
    need(type(j) is int and d <= j < d + len(family.free), "stratify: not a free parameter")
    need(max(m[j] for m in g) == 1, "stratify: the parameter is not linear")
    a = {(*m[:j], 0, *m[j + 1 :]): c for m, c in g.items() if m[j]}
    b = {m: c for m, c in g.items() if not m[j]}
    need(is_unit(a, family.units), "stratify: the coefficient is not known to be a unit")
    h = family.free[j - d]
    need(not h or not b or is_unit(b, family.units), "stratify: the prior of the parameter")
    order = [*range(d), j, *(k for k in range(d, family.width) if k != j)]

    def moved(p: Poly) -> Poly:
        return {tuple(m[k] for k in order): c for m, c in p.items()}

    prior = (*family.prior, Fraction(0) if b else h)
    free = tuple(x for k, x in enumerate(family.free) if k != j - d)
    empty = Family((), prior, free, family.fixed, ())
    a, b = moved(a), moved(b)
    width = family.width
    images = [substituted(u, d, scale(b, -1), a, width) for u in [*map(moved, family.units), a]]
    need(all(images), "stratify: a unit vanishes on the stratum")
    units = tuple(read(u, width) for u in listed)
    need(
        all(any(divide(image, u) is not None for image in images) for u in units),
        "stratify: a unit of the stratum divides none of the family",
    )
    kept = Family((), prior, free, family.fixed, units)
    generators = tuple(moved(g) for g in family.generators)
    changed = _changed(empty, generators, d, a, b)
    child = kept.with_generators(changed)
    lower, upper = solve(child)
    # Where a unit involves fixed parameters only, the stratum may be empty for some of them.
    outer = [u for u in map(moved, family.units) if not _meets(family, _back(u, order))]
    honest = all(_meets(child, u) or is_unit(u, outer) for u in kept.units)
    return lower, upper if honest else None


def _back(p: Poly, order: list[int]) -> Poly:
    return {tuple(m[order.index(k)] for k in range(len(order))): c for m, c in p.items()}


def smooth_zeros(family: Family, data: Data, solve: Solve) -> Bounds:
    """Points of g = 0, where dg ≠ 0 and generators are monomials in coordinates."""
    d, m = family.locals, len(family.free)
    g = family.zero
    need(g is not None, "smooth-zeros: not a statement about zeros")
    assert g is not None
    for k, h in enumerate(family.free):
        t: Poly = {tuple(int(i == d + k) for i in range(family.width)): Fraction(1)}
        need(not h or is_unit(t, family.units), "smooth-zeros: the prior of a parameter")
    derivatives = [_derivative(g, d + k) for k in range(m)]
    cofactors = [read(c, family.width) for c in data["cofactors"]]
    need(len(cofactors) == m + 1, "smooth-zeros: the wrong number of cofactors")
    total = add(*(multiply(c, p) for c, p in zip(cofactors, [g, *derivatives], strict=True)))
    need(is_unit(total, family.units), "smooth-zeros: the differential may vanish")
    kept = data["kept"]
    need(
        bool(kept) and all(type(k) is int and 0 <= k < len(family.generators) for k in kept),
        "smooth-zeros: no such generator",
    )
    pair = in_coordinates(family, tuple(family.generators[k] for k in kept), data)
    complete = set(kept) == set(range(len(family.generators)))
    if not complete or "line" not in data:
        return pair, None
    _check_line(family, g, data["line"])
    return pair, pair


def _derivative(p: Poly, i: int) -> Poly:
    return {(*m[:i], m[i] - 1, *m[i + 1 :]): c * m[i] for m, c in p.items() if m[i]}


def _check_line(family: Family, g: Poly, line: Data) -> None:
    """On the line g has a real zero that is no zero of a unit."""
    d, m = family.locals, len(family.free)
    j, values = line["parameter"], line["at"]
    need(family.fixed == 0, "smooth-zeros: a line does not fit fixed parameters")
    need(type(j) is int and 0 <= j < m and len(values) == m, "smooth-zeros: the line")
    need(all(type(v) is int for v in values), "smooth-zeros: the line")

    def on_line(p: Poly) -> list[Fraction]:
        dense = [Fraction(0)] * (max((e[d + j] for e in p), default=0) + 1)
        for e, c in p.items():
            for k, v in enumerate(values):
                if k != j:
                    c *= Fraction(v) ** e[d + k]
            dense[e[d + j]] += c
        while dense and not dense[-1]:
            dense.pop()
        return dense

    zeros: Dense = on_line(g)
    need(bool(zeros), "smooth-zeros: the line lies in the zeros")
    for u in family.units:
        unit = on_line(u)
        need(bool(unit), "smooth-zeros: a unit vanishes on the line")
        while len(common := gcd([zeros, unit])) > 1:
            zeros = quotient(zeros, common)
    need(len(zeros) > 1 and has_real_root(zeros), "smooth-zeros: no zero on the line")


def unresolved(family: Family, data: Data, solve: Solve) -> Bounds:
    """Nothing but the bound of the degree."""
    need(family.zero is None, "open: not for zeros")
    return floor(family), None


def _without_free(rule: FamilyRule) -> FamilyRule:
    def guarded(family: Family, data: Data, solve: Solve) -> Bounds:
        need(not family.free and family.zero is None, "a rule for fixed parameters only")
        return rule(family, data, solve)

    return guarded


def _plain(rule: FamilyRule) -> Rule:
    def applied(statement: Statement, data: Data, solve: Any) -> Bounds:
        return rule(family_of(statement), data, solve)

    return applied


def _with_free(rule: FamilyRule) -> FamilyRule:
    def guarded(family: Family, data: Data, solve: Solve) -> Bounds:
        need(bool(family.free) and family.zero is None, "a rule for free parameters only")
        return rule(family, data, solve)

    return guarded


#: Rules for statements without parameters that lead to families, or read a germ like one.
PLAIN_RULES: dict[str, Rule] = {
    "blowup": _plain(blowup),
    "coordinate": _plain(coordinate),
    "monomials": _plain(UNIFORM["monomials"]),
}

FAMILY_RULES: dict[str, FamilyRule] = {
    **{name: _without_free(rule) for name, rule in UNIFORM.items()},
    "blowup": _without_free(blowup),
    "coordinate": _without_free(coordinate),
    "fix": _with_free(fix),
    "stratify": _with_free(stratify),
    "smooth-zeros": smooth_zeros,
    "open": unresolved,
}
