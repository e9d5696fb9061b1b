"""Cells: points where some variables are 0 and some others are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Any

from sympy.polys.orderings import lex

from rlct.algebra.polynomial import Polynomial, Ring, terms_of, value_at
from rlct.engine.germs.family import Family, is_unit


@dataclass(frozen=True)
class CoordinateChange:
    """The coordinate a·x + r in place of a variable, when the others had these values."""

    name: str
    a: Polynomial
    r: Polynomial
    values: tuple[tuple[str, Fraction], ...]

    def undo(self, point: dict[str, Fraction]) -> bool:
        """Turn the new coordinate of a point into the variable; False where it is none."""
        start = dict(self.values)
        names = [str(s) for s in self.a.ring.symbols]
        here = {n: point[n] - start.get(n, Fraction(0)) for n in names}
        a, r = (value_at(terms_of(p), [here[n] for n in names]) for p in (self.a, self.r))
        if a:
            point[self.name] = (here[self.name] - r) / a + start.get(self.name, Fraction(0))
        return bool(a)


@dataclass(frozen=True)
class LiteralCell:
    """The zeros of an ideal where some variables are 0 and some others are not."""

    #: In one ring.
    generators: tuple[Polynomial, ...]
    #: Exponents h ≥ 0, one for each variable.
    prior: tuple[Fraction, ...]
    #: Variables that are 0 on the cell, and that are not.
    zeros: frozenset[int] = frozenset()
    nonzero: frozenset[int] = frozenset()
    #: Variables of the question that have a value: they are left out, or measured from there.
    values: tuple[tuple[str, Fraction], ...] = ()
    #: Vanish nowhere on the cell.
    units: tuple[Polynomial, ...] = ()
    #: Coordinates that were changed on the way, the first one first.
    changes: tuple[CoordinateChange, ...] = ()

    @property
    def ring(self) -> Ring:
        """Ring of the generators."""
        return self.generators[0].ring

    @property
    def width(self) -> int:
        """Number of variables."""
        return len(self.prior)

    def on_cell(self, g: Polynomial) -> dict[tuple[int, ...], Any]:
        """Terms of a generator that do not vanish on the whole cell."""
        return {m: c for m, c in g.terms() if not any(m[i] for i in self.zeros)}

    def local_parts(self, g: Polynomial) -> dict[tuple[int, ...], Polynomial]:
        """Exponents of the variables that are 0 on the cell, to coefficients in the others."""
        parts: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for m, c in g.terms():
            local = tuple(e if i in self.zeros else 0 for i, e in enumerate(m))
            rest = tuple(0 if i in self.zeros else e for i, e in enumerate(m))
            parts.setdefault(local, {})[rest] = c
        return {m: self.ring.from_dict(part) for m, part in parts.items()}

    def in_space(self, values: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
        """The point of the question with these values, where all coordinates are such."""
        place = dict(values)
        good = all(change.undo(place) for change in reversed(self.changes))
        return place if good else None

    def with_zeros(self, indices: frozenset[int]) -> LiteralCell:
        """The part where some more variables are 0."""
        return replace(self, zeros=self.zeros | indices, nonzero=self.nonzero - indices)

    def valued(self, i: int, value: Fraction) -> tuple[tuple[str, Fraction], ...]:
        """The values, when x_i gets one; it may be measured from another already."""
        name, values = str(self.ring.symbols[i]), dict(self.values)
        values[name] = values.get(name, Fraction(0)) + value
        return tuple(values.items())

    def without(self, i: int, value: int) -> LiteralCell:
        """The cell and the ideal on x_i = value, in the other variables."""
        names = [str(s) for s in self.ring.symbols]
        ring = self.ring.clone(symbols=[*names[:i], *names[i + 1 :]])

        def restricted(g: Polynomial) -> Polynomial:
            terms: dict[tuple[int, ...], Any] = {}
            for m, c in g.terms():
                key = (*m[:i], *m[i + 1 :])
                terms[key] = terms.get(key, ring.domain.zero) + c * value ** m[i]
            return ring.from_dict({m: c for m, c in terms.items() if c})

        generators = map(restricted, self.generators)
        return LiteralCell(
            tuple(g for g in generators if g),
            (*self.prior[:i], *self.prior[i + 1 :]),
            frozenset(k - (k > i) for k in self.zeros if k != i),
            frozenset(k - (k > i) for k in self.nonzero if k != i),
            self.valued(i, Fraction(value)),
            tuple(map(restricted, self.units)),
            self.changes,
        )

    def kept_units(self, weights: Sequence[int], degree: int | None) -> tuple[Polynomial, ...]:
        """Units that are homogeneous, of a given degree if it is not None."""
        units_left = []
        for u in map(self.on_cell, self.units):
            degrees = {sum(map(mul, weights, m)) for m in u}
            if len(degrees) == 1 and degree in (None, *degrees):
                units_left.append(self.ring.from_dict(u))
        return tuple(units_left)

    def known_units(self) -> tuple[Polynomial, ...]:
        """Variables and polynomials that are not 0 on the cell, without terms that are."""
        on_cell = [self.ring.from_dict(self.on_cell(u)) for u in self.units]
        variables = (self.ring.gens[i] for i in sorted(self.nonzero))
        return (*variables, *(u for u in on_cell if not u.is_ground))

    def is_unit(self, p: Polynomial) -> bool:
        """Whether a polynomial is known to vanish nowhere on the cell."""
        return is_unit(self.ring.from_dict(self.on_cell(p)), self.known_units())

    def where(self, u: Polynomial) -> LiteralCell:
        """The part where a polynomial is not 0; a monomial on the cell says it of variables."""
        on_cell = self.on_cell(u)
        if len(on_cell) == 1:
            (m,) = on_cell
            return replace(self, nonzero=self.nonzero | {i for i, e in enumerate(m) if e})
        return replace(self, units=(*self.units, u))


def cell_family(cell: LiteralCell) -> Family:
    """Germs at the points of a cell, with the variables that are not 0 as parameters.

    Where generators do not vanish on the whole cell they are multiplied by a local s whose prior
    is so large that the pair where g ≠ 0 is above that at any zero of g (``theory/points.md``).
    """
    names = [str(s) for s in cell.ring.symbols]
    local_order, free_order = (
        sorted(cell.zeros),
        [i for i in range(cell.width) if i not in cell.zeros],
    )
    order = [*local_order, *free_order]
    extra_names = [next(n for k in range(len(names) + 1) if (n := f"s_{k}") not in names)]
    if not any(map(cell.on_cell, cell.generators)):
        extra_names = []
    ring = cell.ring.clone(symbols=[*extra_names, *(names[i] for i in order)], order=lex)
    first = (1,) * len(extra_names)
    large = sum((1 + h for h in cell.prior), Fraction(0))
    return Family(
        tuple(
            ring.from_dict({(*first, *(m[i] for i in order)): c for m, c in g.terms()})
            for g in cell.generators
        ),
        (*(large for _ in extra_names), *(cell.prior[i] for i in local_order)),
        tuple(cell.prior[i] for i in free_order),
        tuple(
            ring.gens[len(extra_names) + order.index(i)] for i in free_order if i in cell.nonzero
        ),
    )
