"""The question over a box: the least pair of all zeros of K in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.algebra.polynomial import Polynomial
from rlct.algebra.positivity.squares import SumOfSquares, squares_of_expression
from rlct.algebra.real_algebraic import Coordinate
from rlct.errors import InputError
from rlct.questions.points import hidden_numbers, read_rational
from rlct.questions.portable import PortableQuestion
from rlct.questions.problem import Problem
from rlct.questions.reading import read_polynomials, read_prior
from rlct.questions.walls import (
    OpenSide,
    Walls,
    clipped_sides,
    over_simplices,
    read_walls,
    simplices_of,
)
from rlct.system.options import as_list, as_mapping


@dataclass(frozen=True)
class BoxProblem(PortableQuestion):
    """A question about the minimum of (λ, θ) over a box; build it with `of`."""

    #: K itself, or generators of an ideal.
    generators: tuple[Polynomial, ...]
    #: Which of the two.
    is_ideal: bool
    #: Exponents h > −1, one per variable.
    prior: tuple[Fraction, ...]
    #: Ends of the interval of each variable.
    sides: tuple[tuple[Fraction, Fraction], ...]
    #: K = Σ c·g², where the input shows it.
    squares: SumOfSquares | None = None
    #: What was asked, where there are other walls; all else is in coordinates with these.
    walls: Walls | None = None

    @classmethod
    def of(
        cls,
        inputs: Iterable[Any],
        box: Mapping[str, tuple[Any, Any]] | tuple[Any, Any],
        prior: str | Mapping[str, Any] | None = None,
        walls: Iterable[Any] = (),
        *,
        is_ideal: bool,
    ) -> BoxProblem:
        """Read a question over a box; (low, high) alone is of every variable.

        Walls are variables x ≥ 0, linear forms or inequalities.

        >>> BoxProblem.of(["(x-1)**2"], {"x": (0, 2)}, is_ideal=False).where
        'minimum over the box 0 <= x <= 2'
        """
        declared = [name for part in (box, prior) if isinstance(part, Mapping) for name in part]
        inputs, walls = list(inputs), as_list(walls, "nonneg")
        if hidden_numbers(inputs)[1]:
            raise InputError("roots as coefficients are read at a point, and not over a box")
        names, generators, tree = read_polynomials(inputs, [*declared, *walls])
        box = (
            dict.fromkeys(names, box)
            if isinstance(box, tuple) and len(box) == 2
            else as_mapping(box, "over", "{'x': (-1, 1)}")
        )
        box = {str(name): interval for name, interval in box.items()}
        if any(g.is_ground for g in generators):
            raise InputError("a generator is a number other than 0: K has no zero")
        for name in box:
            if name not in names:
                raise InputError(f"over names {name}, which does not occur in K")
        given: list[OpenSide] = []
        for name in names:
            interval = as_list(box.get(name, (None, None)), f"the interval of {name}")
            if len(interval) != 2:
                raise InputError(f"the interval of {name} is not two numbers (low, high)")
            if name in box:
                interval = [read_rational(end, f"the interval of {name}") for end in interval]
            given.append((interval[0], interval[1]))
        given, forms = clipped_sides(given, read_walls(walls, names))
        simplices = simplices_of(names, given, forms)
        for simplex in simplices:
            for i, *ends in zip(simplex["variables"], *simplex["vertices"], strict=True):
                given[i] = (min(ends), max(ends))
        sides = []
        for name, (low, high) in zip(names, given, strict=True):
            if low is None or high is None:
                raise InputError(f"over gives no interval for {name}: write {name}=-1:1")
            if low >= high:
                raise InputError(
                    f"the interval {low}:{high} of {name} is empty: write the smaller end first"
                )
            sides.append((low, high))
        exponents = read_prior(prior, names)
        squares = None
        if tree is not None and not is_ideal:
            squares = squares_of_expression(tree, generators[0].ring)
        problem = cls(generators, is_ideal, exponents, tuple(sides), squares)
        return over_simplices(problem, forms, simplices) if forms else problem

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables, in natural order."""
        return tuple(str(symbol) for symbol in self.generators[0].ring.symbols)

    @property
    def where(self) -> str:
        """The box, in words."""
        if self.walls is not None:
            return self.walls.where
        named = zip(self.variables, self.sides, strict=True)
        return "minimum over the box " + ", ".join(f"{a} <= {n} <= {b}" for n, (a, b) in named)

    def at(self, point: tuple[Coordinate, ...]) -> Problem:
        """Local question at a zero in the box.

        On the lower wall x = a the variable moves in x ≥ a; on the upper wall x = b it is
        replaced by b − x.  A prior |x|^h with x ≠ 0 at the point is a unit there.  Walls are
        rational, so irrational coordinates stay where they are.
        """
        on_wall = [value in side for value, side in zip(point, self.sides, strict=True)]
        ring = self.generators[0].ring
        domain = ring.domain
        moves = [
            (x, domain(a.numerator, a.denominator) + (-x if a == high else x))
            for x, a, (_, high) in zip(ring.gens, point, self.sides, strict=True)
            if isinstance(a, Fraction)
        ]
        local = tuple(g.compose(moves) for g in self.generators)
        prior = tuple(h if a == 0 else Fraction(0) for h, a in zip(self.prior, point, strict=True))
        irrational_point = tuple(Fraction(0) if isinstance(a, Fraction) else a for a in point)
        return Problem(local, self.is_ideal, prior, tuple(on_wall), irrational_point, None, "box")
