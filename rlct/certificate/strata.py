"""Rules of strata of families; ``theory/blowups.md`` proves each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.algebraic import adjoined, combined, has_zero_on_line
from rlct.certificate.arithmetic import (
    Poly,
    add,
    among,
    divide,
    multiply,
    number,
    partial,
    scale,
    variables,
)
from rlct.certificate.family import Family, changed, is_unit, least, meets, positive, substituted
from rlct.certificate.statement import (
    Bounds,
    Data,
    Statement,
    index,
    indices,
    need,
)
from rlct.certificate.uniform import in_coordinates

__all__ = ["smooth_zeros", "stratify"]

Solve = Callable[[Family | Statement], Bounds]


def stratify(family: Family, data: Data, solve: Solve) -> Bounds:
    """Points where a polynomial in the parameters vanishes, and those where it does not."""
    g = family.polynomial(data["by"])
    need(min(variables([g]), default=0) >= family.locals, "stratify: a local is involved")
    need(meets(family, g), "stratify: no free parameter is involved")
    seen = (*family.seen, (g, family.units))
    nonzero = replace(family, units=(*family.units, g), seen=seen)
    bounds = [solve(nonzero)]
    zeros = data["zeros"]
    kinds = set(zeros) - {"units"}
    if kinds == {"none"}:
        squares = _squares(family, g, zeros["none"])
        need(
            any(h and not any(any(m) for m in h) for h in squares),
            "stratify: no square is a number",
        )
    elif kinds == {"symmetric"}:
        _check_symmetric(family, g, zeros["symmetric"])
    elif kinds == {"smooth"} and zeros["smooth"] is True:
        bounds.append(solve(replace(family, zero=g, seen=())))
    elif kinds == {"open"} and zeros["open"] is True:
        bounds.append(solve(family))
    elif "adjoin" in zeros:
        child, inhabited = adjoined(family, g, zeros)
        lower, upper = solve(child)
        bounds.append((lower, upper if inhabited else None))
    elif kinds == {"solve"}:
        bounds.append(_on_graph(family, g, zeros, solve))
    else:
        need(kinds == {"within", "solve"}, "stratify: unknown evidence")
        within = zeros["within"]
        squares = _squares(family, g, within)
        h = squares[index(within["index"], len(squares), "stratify: no such square")]
        f = family.polynomial(within["factor"])
        need(bool(h) and any(any(m) for m in f), "stratify: the factor is a number")
        while (rest := divide(h, f)) is not None:
            h = rest
        need(is_unit(h, family.units), "stratify: the square has other zeros")
        bounds.append(_on_graph(family, f, zeros, solve))
    return least(bounds)


def _check_symmetric(family: Family, g: Poly, data: Data) -> None:
    """A permutation takes the zeros of g into those of an earlier split of the same family."""
    d, m = family.locals, len(family.free)
    earlier, units = family.seen[index(data["split"], len(family.seen), "stratify: no such split")]
    no_permutation = "stratify: not a permutation of locals and of free parameters"
    image = indices(data["permutation"], d + m, no_permutation)
    need(
        sorted(image[:d]) == list(range(d)) and sorted(image[d:]) == list(range(d, d + m)),
        no_permutation,
    )
    priors = [*family.prior, *family.free]
    need(
        all(priors[i] == priors[k] for i, k in enumerate(image)),
        "stratify: the permutation changes a prior",
    )
    terms = sum(map(len, [*family.generators, earlier, *units]))
    cost.charge(2 * family.width**2 + terms * (10 + family.width), "a symmetry")
    whole = [*image, *range(d + m, family.width)]
    place = [whole.index(k) for k in range(family.width)]

    def moved(p: Poly) -> Poly:
        return {tuple(e[i] for i in place): c for e, c in p.items()}

    for f in family.generators:
        image_of = moved(f)
        need(
            among(image_of, family.generators) or among(scale(image_of, -1), family.generators),
            "stratify: the permutation changes the generators",
        )
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
    items = [(number(c, family.field), family.polynomial(h)) for c, h in data["squares"]]
    need(all(c > 0 for c, _ in items), "stratify: a coefficient is not positive")
    need(type(data["sign"]) is int and data["sign"] in (1, -1), "stratify: the sign")
    total = add(*(scale(multiply(h, h), c) for c, h in items))
    need(total == scale(g, data["sign"]), "stratify: the squares do not add up")
    return [h for _, h in items]


def _on_graph(family: Family, g: Poly, zeros: Data, solve: Solve) -> Bounds:
    """The stratum g = a·t_j + b = 0 with a a unit; g becomes a local in place of t_j."""
    d = family.locals
    j = index(zeros["solve"], d + len(family.free), "stratify: not a free parameter", first=d)
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
    units = tuple(family.polynomial(u) for u in zeros.get("units", []))
    need(all(any(map(any, u)) for u in units), "stratify: a unit of the stratum is a number")
    need(
        all(any(divide(image, u) is not None for image in images) for u in units),
        "stratify: a unit of the stratum divides none of the family",
    )
    # Else the stratum would have points that the family does not have, or where a vanishes.
    need(
        all(is_unit(image, units) for image in images),
        "stratify: a unit of the family is not one on the stratum",
    )
    relations = tuple(map(moved, family.relations))
    kept = replace(family, prior=prior, free=free, units=units, relations=relations)
    generators = tuple(moved(g) for g in family.generators)
    child = kept.with_generators(changed(empty, generators, d, a, b))
    lower, upper = solve(child)
    # Where a unit involves fixed parameters only, the stratum may be empty for some of them.
    outer = [moved(u) for u in family.units if not meets(family, u)]
    honest = all(meets(child, u) or is_unit(u, outer) for u in kept.units)
    return lower, upper if honest else None


def smooth_zeros(family: Family, data: Data, solve: Solve) -> Bounds:
    """Points of g = 0, where dg ≠ 0 and generators are monomials in coordinates."""
    d, m = family.locals, len(family.free)
    g = family.zero
    need(g is not None, "smooth-zeros: not a statement about zeros")
    assert g is not None
    need(all(positive(family, k) for k in range(m)), "smooth-zeros: the prior of a parameter")
    derivatives = [partial(g, d + k) for k in range(m)]
    total = combined(family, [g, *derivatives], data, "smooth-zeros")
    need(is_unit(total, family.units), "smooth-zeros: the differential may vanish")
    kept = indices(data["kept"], len(family.generators), "smooth-zeros: no such generator")
    need(bool(kept), "smooth-zeros: no such generator")
    cost.charge(20 * sum(len(family.generators[k]) for k in kept), "the kept generators")
    pair = in_coordinates(family, tuple(family.generators[k] for k in kept), data)
    complete = set(kept) == set(range(len(family.generators)))
    if not complete or "line" not in data:
        return pair, None
    has_zero_on_line(family, g, data["line"], "smooth-zeros")
    return pair, pair
