"""Programmes of terms."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rlct.errors import InputError
from rlct.kernel.algebra import identity
from rlct.kernel.rules import LocalGerm
from rlct.newton.linear_program import monomial_optimum
from rlct.witness.terms import NotCoveredError, solve_rows, write_rows

Corner = tuple[int, ...]


def programme(
    germ: LocalGerm, monomials: Sequence[Corner]
) -> tuple[Fraction, list[Sequence[Fraction]], Any]:
    """Return value, weights and witness of the programme of monomials."""
    rows, units, prior = [[*m] for m in monomials], identity(len(germ.prior)), [*germ.prior]
    try:
        optimum = monomial_optimum(rows, prior)
    except InputError as error:
        raise NotCoveredError("a unit") from error
    weights: list[Sequence[Fraction]] = list(optimum.points)
    multipliers = [optimum.multipliers.get(k, Fraction(0)) for k in range(len(rows))]
    pairs = list(zip(multipliers, rows, strict=True))
    slack = [1 + h - sum(u * row[j] for u, row in pairs) for j, h in enumerate(prior)]
    tight = [row for u, row in pairs if u] + [e for e, s in zip(units, slack, strict=True) if s]
    spread = [[x - y for x, y in zip(w, weights[0], strict=True)] for w in weights[1:]]
    inverse = solve_rows([*zip(*spread, strict=True)], identity(len(spread))) if spread else []
    columns = [*zip(*inverse, strict=True)] or [()] * len(units)
    rests = [
        [
            x - sum((s[j] * y for s, y in zip(spread, column, strict=True)), Fraction(0))
            for x, column in zip(unit, columns, strict=True)
        ]
        for j, unit in enumerate(units)
    ]
    complement = solve_rows(tight, rests)
    witness = [write_rows(part) for part in (weights, inverse, complement, [multipliers])]
    return sum(multipliers, Fraction(0)), weights, witness


def monomial(germ: LocalGerm) -> Any:
    """Prove the pair of terms."""
    return {"rule": "monomial", "programme": programme(germ, [m for (m,) in germ.generators])[2]}
