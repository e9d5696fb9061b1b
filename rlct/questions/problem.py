"""The question: a function K ≥ 0 (or an ideal), a point, a prior and a domain."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from rlct.algebra.expression import SIZE_LIMITS, bits_of
from rlct.algebra.number_field import NumberField
from rlct.algebra.polynomial import Polynomial, Ring, make_ring
from rlct.algebra.positivity.negative_curves import negative_curve
from rlct.algebra.positivity.squares import SumOfSquares, squares_of_expression
from rlct.algebra.real_algebraic import (
    Coordinate,
    domain_of,
    field_of,
)
from rlct.errors import InputError, NegativeError, NotZeroError
from rlct.questions.points import hidden_numbers
from rlct.questions.portable import (
    PortableQuestion,
    SignedTerms,
    element_over,
    from_signed_terms,
)
from rlct.questions.portable import signed_terms as signed_terms  # what others import from here
from rlct.questions.reading import (
    read_base_point,
    read_polynomials,
    read_prior,
    refuse_several,
)
from rlct.questions.walls import Walls, at_corner, nonnegative_axes, read_walls
from rlct.system.options import as_list

_MOST_SHIFTED = 50_000  # terms when the point is moved to the origin, before they are collected


@dataclass(frozen=True)
class Germ:
    """The question moved to the origin of R^d, with every constraint removed."""

    #: In one ring; all vanish at the origin.
    generators: tuple[Polynomial, ...]
    #: Exponents h ≥ 0 of the prior ``Π|x_i|^h_i``.
    prior: tuple[Fraction, ...]
    #: True: K = Σ g².  False: ``K = |g|`` for the single generator.
    is_ideal: bool
    field: NumberField | None = None

    @property
    def ring(self) -> Ring:
        """Ring of the generators."""
        return self.generators[0].ring


@dataclass(frozen=True)
class Problem(PortableQuestion):
    """A question about λ and θ of K at a point; build it with `poly` or `ideal`.

    Attributes
    ----------
    generators : tuple of Polynomial
        K itself (one polynomial), or the generators of an ideal, which stands for K = Σ g².
    is_ideal : bool
        Which of the two.
    prior : tuple of Fraction
        Exponents h > −1 of the prior ``Π|x|^h``, one per variable.
    nonneg : tuple of bool
        Variables restricted to x ≥ 0.
    point : tuple of Coordinate
        Where λ is asked; irrational coordinates are in one field.
    squares : SumOfSquares or None
        K = Σ c·g², where the input shows it.
    provenance : str
        What the question came from.
    walls : Walls or None
        What was asked, where there are other walls; all else is in coordinates with these.
    number_field : NumberField or None
        That of the coefficients, if they are irrational; that of the point, too.
    """

    generators: tuple[Polynomial, ...]
    is_ideal: bool
    prior: tuple[Fraction, ...]
    nonneg: tuple[bool, ...]
    point: tuple[Coordinate, ...]
    squares: SumOfSquares | None
    provenance: str
    walls: Walls | None = None
    number_field: NumberField | None = None

    @classmethod
    def poly(
        cls,
        K: Any,
        at: Mapping[str, Any] | Sequence[Any] | None = None,
        prior: str | Mapping[str, Any] | None = None,
        nonneg: Iterable[str] = (),
        *,
        provenance: str = "polynomial",
    ) -> Problem:
        """Ask about K itself.

        Parameters
        ----------
        K : str, sympy.Expr or sympy.Poly
            Polynomial with rational coefficients, or roots in text, K ≥ 0 near the point.
        at : mapping or sequence, optional
            Point, by variable or in the order of the variables; the origin by default.  Values
            are exact: rationals, roots as ``"root(t^2-2, 1..2)"``, or sympy numbers such as
            ``sqrt(2)``.
        prior : str, sympy expression or mapping, optional
            Monomial ``|x|^h…``, as text (``"x*y**3"``) or exponents by variable, h > −1.
        nonneg : iterable of str
            Variables restricted to x ≥ 0, linear forms ``"1-x-y"``, inequalities ``"x <= y"``.

        Raises
        ------
        InputError
            If K is not such a polynomial, does not vanish at the point, or is negative near it.

        Examples
        --------
        >>> Problem.poly("x**2*y**4").variables
        ('x', 'y')
        >>> Problem.poly("x")
        Traceback (most recent call last):
        ...
        rlct.errors.NegativeError: K is negative near the point: on x = -t it is -t + … (t > 0)
        """
        return cls._build([K], False, at, prior, nonneg, provenance)

    @classmethod
    def ideal(
        cls,
        generators: Iterable[Any],
        at: Mapping[str, Any] | Sequence[Any] | None = None,
        prior: str | Mapping[str, Any] | None = None,
        nonneg: Iterable[str] = (),
        *,
        provenance: str = "ideal",
    ) -> Problem:
        """Ask about K = Σ g²; parameters and errors as in `poly`.

        Examples
        --------
        >>> Problem.ideal(["x", "y**2"]).is_ideal
        True
        """
        return cls._build(as_list(generators, "generators"), True, at, prior, nonneg, provenance)

    @classmethod
    def _build(
        cls,
        inputs: list[Any],
        is_ideal: bool,
        at: Mapping[str, Any] | Sequence[Any] | None,
        prior: str | Mapping[str, Any] | None,
        nonneg: Iterable[str],
        provenance: str,
    ) -> Problem:
        nonneg = as_list(nonneg, "nonneg")
        refuse_several(inputs, at, prior is not None, nonneg)
        # A prior as text is a product itself, and declares no name.
        declared = [
            *nonneg,
            *(name for part in (at, prior) if isinstance(part, Mapping) for name in part),
        ]
        texts, numbers = hidden_numbers(inputs)  # a polynomial in these, until they are put in
        names, polynomials, tree = read_polynomials(texts, [*declared, *numbers], typed=inputs)
        ring = polynomials[0].ring
        forms = read_walls(nonneg, names)
        signs = nonnegative_axes(forms, len(names))
        problem = cls(
            polynomials,
            is_ideal,
            read_prior(prior, names),
            signs or (False,) * len(names),
            read_base_point(at, names, numbers),
            None if is_ideal or tree is None else squares_of_expression(tree, ring),
            provenance,
        )
        if numbers and signs is None:
            raise InputError("irrational coefficients and walls other than x >= 0: leave one out")
        if numbers:
            problem = _with_numbers(problem, numbers)
        if signs is None:
            problem = at_corner(problem, forms)
        problem._check()
        return problem

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables, in natural order."""
        return tuple(str(symbol) for symbol in self.generators[0].ring.symbols)

    @property
    def where(self) -> str:
        """The point in words, with the variables where a name might be read as something else."""
        if self.walls is not None:
            return self.walls.where
        if not any(self.point):
            names = self.variables
            unclear = any(n in "ei" or sum(map(str.isalpha, n)) > 1 for n in names)
            return "at the origin" + f" of {', '.join(names)}" * unclear
        named = zip(self.variables, self.point, strict=True)
        return "at " + ", ".join(f"{name} = {value}" for name, value in named)

    @cached_property
    def powers(self) -> tuple[int, ...]:
        """Exponents q of the substitution x = x₀ + y^q that removes constraints.

        q = 2 removes x ≥ 0 where the point lies on that wall; an odd q is a bijection of R
        and raises a prior exponent in (−1, 0) to q(h+1) − 1 ≥ 0.
        """
        powers = []
        for h, value, wall in zip(self.prior, self.point, self.nonneg, strict=True):
            q = 1
            if value == 0:
                if wall:
                    q = 2
                while q * (h + 1) < 1:
                    q += 2
            powers.append(q)
        return tuple(powers)

    @cached_property
    def field(self) -> NumberField | None:
        """The field of the point and the coefficients; None if these are rational."""
        return self.number_field or field_of(self.point)

    @cached_property
    def _domain(self) -> Any:
        """The same as a domain of sympy."""
        return self.generators[0].ring.domain if self.field is None else domain_of(self.field)

    def localise(self, polynomial: Polynomial) -> Polynomial:
        """Pull a polynomial back to the coordinates of the germ."""
        polynomial = self.shifted(polynomial)
        if any(q > 1 for q in self.powers):
            polynomial = polynomial.ring.from_dict(
                {
                    tuple(e * q for e, q in zip(m, self.powers, strict=True)): c
                    for m, c in polynomial.terms()
                }
            )
        return polynomial

    def shifted(self, polynomial: Polynomial) -> Polynomial:
        """Move the point to the origin, in the coordinates that were given."""
        ring, domain = polynomial.ring, self._domain
        if any(self.point):
            _check_shift(polynomial, self.point)
            if self.field is not None:
                ring = ring.clone(domain=domain)
                polynomial = polynomial.set_ring(ring)
            shifts = [
                (x, x + element_over(a, domain, self.field))
                for x, a in zip(ring.gens, self.point, strict=True)
                if a
            ]
            polynomial = polynomial.compose(shifts)
        return polynomial

    @cached_property
    def local(self) -> Germ:
        """The question at the origin, as given: ``K = |g|``, or K = Σ g² for an ideal."""
        prior = tuple(
            q * (h + 1) - 1 if value == 0 else Fraction(0)
            for h, q, value in zip(self.prior, self.powers, self.point, strict=True)
        )
        generators = tuple(g for g in map(self.localise, self.generators) if g)
        return Germ(generators, prior, self.is_ideal, self.field)

    @cached_property
    def local_squares(self) -> SumOfSquares | None:
        """The visible squares of K, in the coordinates of the germ."""
        if self.squares is None:
            return None
        return tuple((c, g) for c, g in ((c, self.localise(g)) for c, g in self.squares) if g)

    def germ(self) -> Germ:
        """The question at the origin, as an ideal wherever K is visibly a sum of squares."""
        if self.is_ideal or self.local_squares is None:
            return self.local
        return Germ(tuple(g for _, g in self.local_squares), self.local.prior, True, self.field)

    def _check(self) -> None:
        """Refuse a K that does not vanish at the point or is negative near it."""
        for name, value, wall in zip(self.variables, self.point, self.nonneg, strict=True):
            if wall and value < 0:
                raise InputError(f"the point has {name} = {value}, outside {name} ≥ 0")
        zero = (0,) * len(self.variables)
        for index, g in enumerate(self.local.generators, start=1):
            if zero in g:
                value = signed_terms(g, self.field)[zero]
                what = f"generator {index}" if self.is_ideal else "K"
                raise NotZeroError(f"{what} is {value}, not 0, {self.where}: choose a zero of K")
        if not self.is_ideal and self.squares is None:
            K = self.local.generators[0]
            curve = negative_curve(signed_terms(K, self.field))
            if curve is not None:
                raise NegativeError(f"K is negative near the point: {self._describe(*curve)}")

    def _describe(
        self, direction: tuple[int, ...], weights: tuple[int, ...], order: int, value: Coordinate
    ) -> str:
        path = []
        for name, p, w, q, a in zip(
            self.variables, direction, weights, self.powers, self.point, strict=True
        ):
            start = f"{a} + " if a else ""
            factor = p**q
            power = w * q
            moving = "t" if power == 1 else f"t^{power}"
            if factor == 0:
                path.append(f"{name} = {a}")
            else:
                scale = "" if factor == 1 else "-" if factor == -1 else f"{factor}*"
                path.append(f"{name} = {start}{scale}{moving}")
        scale = "-" if value == -1 else f"{value}*"
        lowest = "t" if order == 1 else f"t^{order}"
        return f"on {', '.join(path)} it is {scale}{lowest} + … (t > 0)"


def _with_numbers(problem: Problem, numbers: Container[str]) -> Problem:
    """Put the values of names that stand for numbers into the polynomials."""
    hidden = [i for i, name in enumerate(problem.variables) if name in numbers]
    kept = [i for i in range(len(problem.variables)) if i not in hidden]
    if not kept:
        raise InputError("K is a constant: λ needs a zero of a polynomial")
    field, ring = problem.field, make_ring([problem.variables[i] for i in kept])

    def evaluated(p: Polynomial) -> Polynomial:
        terms: SignedTerms = {}
        for m, c in signed_terms(p, None).items():
            value = prod((problem.point[i] ** m[i] for i in hidden), start=c)
            exponents = tuple(m[i] for i in kept)
            terms[exponents] = terms.get(exponents, Fraction(0)) + value
        return from_signed_terms(ring, terms, field)

    def chosen(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(values[i] for i in kept)

    generators = tuple(filter(None, map(evaluated, problem.generators)))
    if not generators:
        raise InputError("K is the zero polynomial: λ is not defined")
    squares = problem.squares and tuple((c, evaluated(g)) for c, g in problem.squares)
    return replace(
        problem,
        generators=generators,
        prior=chosen(problem.prior),
        nonneg=chosen(problem.nonneg),
        point=chosen(problem.point),
        squares=squares,
        number_field=field,
    )


def _check_shift(polynomial: Polynomial, point: tuple[Coordinate, ...]) -> None:
    """Refuse a point at which expanding would not end."""
    moved = [i for i, a in enumerate(point) if a]
    count = sum(prod(m[i] + 1 for i in moved) for m in polynomial.itermonoms())
    parts = [c for a in point for c in ([a] if isinstance(a, Fraction) else a.parts)]
    bits = max(map(bits_of, parts)) * max(sum(m) for m in polynomial.itermonoms())
    if count > _MOST_SHIFTED or bits > 100 * SIZE_LIMITS.coefficient_bits:
        raise InputError("moving the point to the origin gives too many terms, or too long ones")
