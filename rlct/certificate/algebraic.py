"""Rules of families over algebraic functions; ``theory/blowups.md`` proves each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.arithmetic import (
    Poly,
    add,
    at,
    divide,
    expanded,
    multiply,
    partial,
    variables,
)
from rlct.certificate.family import Family, is_unit, positive
from rlct.certificate.field import Number
from rlct.certificate.statement import (
    Bounds,
    Data,
    Statement,
    index,
    need,
)
from rlct.certificate.univariate import Dense, gcd, has_real_root, quotient

__all__ = ["adjoined", "combined", "has_zero_on_line", "unit"]

Solve = Callable[[Family | Statement], Bounds]


def unit(family: Family, data: Data, solve: Solve) -> Bounds:
    """A polynomial that has no zeros where the relations hold is one more unit."""
    need(family.zero is None, "unit: not for zeros")
    p = family.polynomial(data["polynomial"])
    need(bool(p) and min(variables([p]), default=0) >= family.locals, "unit: a local is involved")
    total = combined(family, [p, *family.relations], data, "unit")
    need(is_unit(total, family.units), "unit: the combination is not known to be a unit")
    return solve(replace(family, units=(*family.units, p), seen=()))


def combined(family: Family, polynomials: list[Poly], data: Data, rule: str) -> Poly:
    """Σ c_k·p_k with the recorded cofactors, which are polynomials in the parameters."""
    cofactors = [family.polynomial(c) for c in data["cofactors"]]
    need(len(cofactors) == len(polynomials), f"{rule}: the wrong number of cofactors")
    need(
        all(i >= family.locals for i in variables(cofactors)),
        f"{rule}: a cofactor involves a local",
    )
    return add(*(multiply(c, p) for c, p in zip(cofactors, polynomials, strict=True)))


def adjoined(family: Family, g: Poly, data: Data) -> tuple[Family, bool]:
    """Family on g = 0, where t_j is an algebraic function of the other parameters.

    Returns
    -------
    Family
        Locals with y = t_j − α in place of t_j; free parameters that g does not involve; fixed
        ones, with the others of g and α at the end.
    bool
        Whether there are such points for all values of the fixed parameters.
    """
    d, m, width = family.locals, len(family.free), family.width
    j = index(data["adjoin"], d + m, "stratify: not a free parameter", first=d)
    used = set(variables([g]))
    need(j in used, "stratify: the parameter is not involved")
    need(
        all(positive(family, k - d) for k in used & set(range(d, d + m))),
        "stratify: the prior of a parameter may vanish",
    )
    total = combined(family, [g, partial(g, j), *family.relations], data, "stratify")
    need(is_unit(total, family.units), "stratify: the combination is not known to be a unit")
    rest = [k for k in range(d, d + m) if k not in used]
    tied = [k for k in range(d, d + m) if k in used and k != j]
    order = [*range(d), j, *rest, *range(d + m, width), *tied]

    def as_root(p: Poly) -> Poly:
        """P with t_j = α."""
        return {(*(0 if k == j else e[k] for k in order), e[j]): c for e, c in p.items()}

    def place(e: tuple[int, ...], low: int) -> tuple[int, ...]:
        """y^low α^(n − low) of t_j = α + y."""
        return (*(low if k == j else e[k] for k in order), e[j] - low)

    child = replace(
        family,
        prior=(*family.prior, Fraction(0)),
        free=tuple(family.free[k - d] for k in rest),
        fixed=family.fixed + len(tied) + 1,
        units=tuple(map(as_root, family.units)),
        relations=tuple(map(as_root, [*family.relations, g])),
    ).with_generators([expanded(f, j, Fraction(1), place) for f in family.generators])
    if "line" not in data:
        return child, False
    has_zero_on_line(family, g, data["line"], "stratify")
    return child, True


def has_zero_on_line(family: Family, g: Poly, line: Data, rule: str) -> None:
    """Check that g has a real zero on the line that is no zero of a unit.

    On the line g must not involve fixed parameters, and units only as factors that are units.
    """
    d, m = family.locals, len(family.free)
    j, values = index(line["parameter"], m, f"{rule}: the line"), line["at"]
    need(len(values) == m, f"{rule}: the line")
    need(all(type(v) is int for v in values), f"{rule}: the line")
    constants = [u for u in family.units if min(variables([u]), default=0) >= d + m]

    def on_line(p: Poly) -> Dense:
        total = at(p, {d + k: Fraction(v) for k, v in enumerate(values) if k != j})
        for u in constants:
            while any(any(e) for e in u) and (rest := divide(total, u)):
                total = rest
        need(bool(total), f"{rule}: a unit vanishes on the line")
        need(
            not any(any(e[d + m :]) for e in total),
            f"{rule}: a fixed parameter is involved on the line",
        )
        cost.charge(10 * max(e[d + j] for e in total), "a polynomial in one variable")
        dense: list[Number] = [Fraction(0)] * (max(e[d + j] for e in total) + 1)
        for e, c in total.items():
            dense[e[d + j]] += c
        return dense

    zeros = on_line(g)
    for u in family.units:
        unit_on_line = on_line(u)
        while len(common := gcd([zeros, unit_on_line])) > 1:
            zeros = quotient(zeros, common)
    need(has_real_root(zeros), f"{rule}: no zero on the line")
