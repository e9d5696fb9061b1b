"""A cell of the parameters, by literals x = 0 and x ≠ 0; ``theory/fibres.md`` has the meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rlct.certificate.family import is_known_unit
from rlct.certificate.numbers.arithmetic import (
    Poly,
    variables,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.statement import need


@dataclass(frozen=True)
class FibreCell:
    """The points where the variables in `zeros` are 0, and those in `nonzero` and `units` are not.

    K = Σ g² in all variables; the prior is Π|x|^h with h ≥ 0.  A variable is one of the question,
    given by `origin`, less its entry in `values`; those that are left out have the value there.
    No zero in space has a λ of `above` or more.
    """

    generators: tuple[Poly, ...]
    prior: tuple[Fraction, ...]
    origin: tuple[int, ...]
    above: Fraction
    zeros: frozenset[int] = frozenset()
    nonzero: frozenset[int] = frozenset()
    values: tuple[tuple[int, Fraction], ...] = ()
    units: tuple[Poly, ...] = ()

    @classmethod
    def whole(cls, generators: Sequence[Poly], prior: Sequence[Fraction]) -> FibreCell:
        """All of space."""
        nonzero_generators = tuple(g for g in generators if g)
        # Twice the λ at a zero is at most Σ (1 + h), since g² ≤ C·|x − x₀|² there.
        above = sum((1 + h for h in prior), Fraction(0))
        return cls(nonzero_generators, tuple(prior), tuple(range(len(prior))), above)

    @property
    def width(self) -> int:
        """Number of variables."""
        return len(self.prior)

    def on_cell(self, g: Poly) -> Poly:
        """Terms of a generator that do not vanish on the whole cell."""
        return {m: c for m, c in g.items() if not any(m[i] for i in self.zeros)}

    def valued(self, i: int, value: Fraction) -> tuple[tuple[int, Fraction], ...]:
        """The values, when x_i gets one; it may be measured from another already."""
        earlier = dict(self.values)
        earlier[self.origin[i]] = earlier.get(self.origin[i], Fraction(0)) + value
        return tuple(earlier.items())

    def without(self, i: int, value: int) -> FibreCell:
        """The cell and the ideal on x_i = value, in the other variables."""
        generators = [restricted_generator(g, i, value) for g in self.generators]
        need(any(generators), "fibre: no generator is left")

        def moved(indices: frozenset[int]) -> frozenset[int]:
            return frozenset(k - (k > i) for k in indices if k != i)

        return FibreCell(
            tuple(g for g in generators if g),
            (*self.prior[:i], *self.prior[i + 1 :]),
            (*self.origin[:i], *self.origin[i + 1 :]),
            self.above,
            moved(self.zeros),
            moved(self.nonzero),
            self.valued(i, Fraction(value)),
            tuple(filter(None, (restricted_generator(u, i, value) for u in self.units))),
        )

    def where(self, u: Poly) -> FibreCell:
        """The part where a polynomial is not 0; a monomial on the cell says it of variables."""
        on_cell = self.on_cell(u)
        if len(on_cell) == 1:
            return replace(self, nonzero=self.nonzero | variables([on_cell]))
        return replace(self, units=(*self.units, u))

    def known_units(self) -> tuple[Poly, ...]:
        """Polynomials that vanish nowhere on the cell, without terms that vanish on all of it."""
        variables_of_cell: list[Poly] = [
            {tuple(int(k == i) for k in range(self.width)): Fraction(1)}
            for i in sorted(self.nonzero)
        ]
        return (*variables_of_cell, *on_cell(self))

    def is_unit(self, p: Poly) -> bool:
        """Whether a polynomial is known to vanish nowhere on the cell."""
        on_cell = self.on_cell(p)
        return bool(on_cell) and is_known_unit(on_cell, self.known_units())


def on_cell(cell: FibreCell) -> tuple[Poly, ...]:
    """Units of a cell without terms that vanish on all of it."""
    return tuple(filter(None, map(cell.on_cell, cell.units)))


def restricted_generator(g: Poly, i: int, value: int) -> Poly:
    """The polynomial on x_i = value, in the other variables."""
    parts: dict[tuple[int, ...], list[RealNumber]] = {}
    for m, c in g.items():
        parts.setdefault((*m[:i], *m[i + 1 :]), []).append(c * value ** m[i])
    sums = {m: sum(numbers, Fraction(0)) for m, numbers in parts.items()}
    return {m: c for m, c in sums.items() if c}
