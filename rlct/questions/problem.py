"""The question: a function K ≥ 0 (or an ideal), a point, a prior and a domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from rlct.algebra.expression import SIZE_LIMITS, bits_of
from rlct.algebra.number_field import NumberField
from rlct.algebra.polynomial import Polynomial, Ring, Terms, from_terms, make_ring, terms_of
from rlct.algebra.positivity.negative_curves import negative_curve
from rlct.algebra.positivity.squares import SumOfSquares, squares_of_expression
from rlct.algebra.real_algebraic import (
    AlgebraicNumber,
    Coordinate,
    domain_of,
    element_of,
    field_of,
    number_of,
)
from rlct.errors import InputError, NegativeError, NotZeroError
from rlct.questions.reading import (
    read_base_point,
    read_polynomials,
    read_prior,
    refuse_several,
)
from rlct.questions.walls import Walls, at_corner, axes_of, read_walls
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


class PortableQuestion:
    """A question with polynomials that pickles by their terms, as rings of sympy do not."""

    def __reduce__(self) -> tuple[Any, ...]:
        values = {item.name: getattr(self, item.name) for item in fields(self)}  # type: ignore[arg-type]
        generators, squares = values.pop("generators"), values.pop("squares")
        names = tuple(map(str, generators[0].ring.symbols))
        terms = [terms_of(g) for g in generators]
        square_terms = None if squares is None else [(c, terms_of(g)) for c, g in squares]
        return _restored, (type(self), names, terms, square_terms, values)


def _restored(
    kind: type,
    names: tuple[str, ...],
    terms: list[Terms],
    square_terms: list[tuple[Fraction, Terms]] | None,
    values: dict[str, Any],
) -> Any:
    """Build a question again from what `PortableQuestion` wrote."""
    ring = make_ring(names)
    squares = None
    if square_terms is not None:
        squares = tuple((c, from_terms(ring, t)) for c, t in square_terms)
    generators = tuple(from_terms(ring, t) for t in terms)
    return kind(generators=generators, squares=squares, **values)


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
    """

    generators: tuple[Polynomial, ...]
    is_ideal: bool
    prior: tuple[Fraction, ...]
    nonneg: tuple[bool, ...]
    point: tuple[Coordinate, ...]
    squares: SumOfSquares | None
    provenance: str
    walls: Walls | None = None

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
            Polynomial with rational coefficients, K ≥ 0 near the point.
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
        names, polynomials, tree = read_polynomials(inputs, declared)
        ring = polynomials[0].ring
        forms = read_walls(nonneg, names)
        signs = axes_of(forms, len(names))
        problem = cls(
            polynomials,
            is_ideal,
            read_prior(prior, names),
            signs or (False,) * len(names),
            read_base_point(at, names),
            None if is_ideal or tree is None else squares_of_expression(tree, ring),
            provenance,
        )
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
        """The field of the point; None if it is rational."""
        return field_of(self.point)

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
                (x, x + _element(a, domain, self.field))
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


def _element(value: Coordinate, domain: Any, field: NumberField | None) -> Any:
    if field is None:
        assert isinstance(value, Fraction)
        return domain(value.numerator, value.denominator)
    return element_of(value, domain)


def signed_terms(
    polynomial: Polynomial, field: NumberField | None
) -> dict[tuple[int, ...], Coordinate]:
    """Exponents to coefficients, as numbers that know their sign."""
    coordinates: dict[tuple[int, ...], Coordinate] = {}
    if field is None:
        coordinates.update(terms_of(polynomial))
        return coordinates
    for m, c in polynomial.terms():
        number = AlgebraicNumber(field, number_of(c, field.degree))
        rational = number.rational
        coordinates[tuple(map(int, m))] = number if rational is None else rational
    return coordinates


def _check_shift(polynomial: Polynomial, point: tuple[Coordinate, ...]) -> None:
    """Refuse a point at which expanding would not end."""
    moved = [i for i, a in enumerate(point) if a]
    count = sum(prod(m[i] + 1 for i in moved) for m in polynomial.itermonoms())
    parts = [c for a in point for c in ([a] if isinstance(a, Fraction) else a.parts)]
    bits = max(map(bits_of, parts)) * max(sum(m) for m in polynomial.itermonoms())
    if count > _MOST_SHIFTED or bits > 100 * SIZE_LIMITS.coefficient_bits:
        raise InputError("moving the point to the origin gives too many terms, or too long ones")
