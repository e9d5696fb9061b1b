"""Programmes of terms, and steps from one ideal to another."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rlct.errors import InputError
from rlct.kernel.algebra import QPoly, identity
from rlct.kernel.rules import LocalGerm
from rlct.newton.linear_program import monomial_optimum
from rlct.witness.terms import (
    NotCoveredError,
    choice,
    minus,
    solve_rows,
    term,
    write,
    write_rows,
)

Multiple = tuple[QPoly, list[QPoly]]  # a unit and factors
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


def compare(
    new_generators: Sequence[QPoly],
    of: Any,
    lower: Sequence[Multiple],
    upper: Sequence[Multiple],
) -> Any:
    """Compare with another ideal."""
    sides = [[write([u, *f]) for u, f in side] for side in (lower, upper)]
    shown = {"generators": write(new_generators), "lower": sides[0], "upper": sides[1]}
    return {"rule": "compare", **shown, "of": of}


class Path:
    """Steps from an ideal to another.

    Parameters
    ----------
    germ : LocalGerm
    """

    def __init__(self, germ: LocalGerm) -> None:
        self.germ = germ
        self._wraps: list[Callable[[Any], Any]] = []

    @property
    def generators(self) -> list[QPoly]:
        """The generators at the end."""
        return self.germ.generators

    def replace(self, k: int, new: QPoly, unit: QPoly, factors: Sequence[QPoly]) -> None:
        """Replace g_k by `new`, where unit·new = Σ factors·g, and factors[k] is a unit."""
        width, size = len(self.germ.prior), len(self.generators)
        lower = [(term(1, (0,) * width), choice(width, size, i)) for i in range(size)]
        upper = list(lower)
        lower[k] = unit, list(factors)
        upper[k] = factors[k], [unit if i == k else minus(f) for i, f in enumerate(factors)]
        self._to([new if i == k else g for i, g in enumerate(self.generators)], lower, upper)

    def drop(self) -> None:
        """Leave out generators that are 0."""
        width, size = len(self.germ.prior), len(self.generators)
        kept, one = [k for k, g in enumerate(self.generators) if g], term(1, (0,) * width)
        lower = [(one, choice(width, size, k)) for k in kept]
        where = [kept.index(k) if k in kept else -1 for k in range(size)]
        upper = [(one, choice(width, len(kept), k)) for k in where]
        self._to([self.generators[k] for k in kept], lower, upper)

    def _to(
        self, new_generators: list[QPoly], lower: list[Multiple], upper: list[Multiple]
    ) -> None:
        if new_generators != self.generators:
            self._wraps.append(lambda of: compare(new_generators, of, lower, upper))
            self.germ = LocalGerm(self.germ.prior, new_generators)

    def wrap(self, of: Any) -> Any:
        """Write the steps around a witness of the germ at the end."""
        for step in reversed(self._wraps):
            of = step(of)
        return of
