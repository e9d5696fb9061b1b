"""The pair (λ, θ) as an ordered value, with the rules for combining singularities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from rlct.errors import InputError

__all__ = ["Pair", "text_of_bounds"]


@dataclass(frozen=True, init=False)
class Pair:
    """A real log canonical threshold λ with its multiplicity θ.

    −λ is the largest pole of ζ(z) = ∫ K^z φ and θ its order.  Pairs are ordered
    "more singular first": smaller λ, and at equal λ larger θ, so that the pair of a
    compact set is the ``min`` of the pairs of its points.

    Parameters
    ----------
    lam : Fraction or int
        λ > 0, exact.  Floats are refused: a pair is never a rounded value.
    theta : int
        θ ≥ 1.

    Raises
    ------
    InputError
        If λ is not an exact positive rational or θ is not a positive integer.

    Notes
    -----
    The rules are those of Watanabe (2009), *Algebraic Geometry and Statistical Learning
    Theory*, chapters 4 and 7; proofs are in ``theory/conventions.md``.

    Examples
    --------
    >>> Pair(Fraction(1, 2), 2) + Pair(Fraction(1, 2), 1)   # K₁(x) + K₂(y)
    Pair(1, 2)
    >>> Pair(Fraction(1, 2), 1) * Pair(Fraction(1, 2), 1)   # K₁(x)·K₂(y)
    Pair(1/2, 2)
    >>> Pair(Fraction(1, 2), 2) / 3                         # K³
    Pair(1/6, 2)
    >>> min(Pair(1, 1), Pair(1, 2))                         # two charts
    Pair(1, 2)
    >>> lam, theta = Pair(Fraction(5, 12), 1)
    >>> lam
    Fraction(5, 12)
    """

    lam: Fraction
    theta: int

    def __init__(self, lam: Fraction | int, theta: int) -> None:
        if isinstance(lam, bool) or not isinstance(lam, (Fraction, int)):
            raise InputError(f"λ must be an exact rational, not {lam!r}")
        if isinstance(theta, bool) or not isinstance(theta, int) or theta < 1:
            raise InputError(f"θ must be a positive integer, not {theta!r}")
        if lam <= 0:
            raise InputError(f"λ must be positive, not {lam}")
        object.__setattr__(self, "lam", Fraction(lam))
        object.__setattr__(self, "theta", theta)

    def __iter__(self) -> Iterator[Fraction | int]:
        """Unpack as λ, θ."""
        return iter((self.lam, self.theta))

    def _key(self) -> tuple[Fraction, int]:
        return (self.lam, -self.theta)

    def __lt__(self, second: Pair) -> bool:
        return self._key() < second._key()

    def __le__(self, second: Pair) -> bool:
        return self._key() <= second._key()

    def __gt__(self, second: Pair) -> bool:
        return self._key() > second._key()

    def __ge__(self, second: Pair) -> bool:
        return self._key() >= second._key()

    def __add__(self, addend: Pair) -> Pair:
        """Pair of K₁(x) + K₂(y): λ's add, θ = θ₁ + θ₂ − 1."""
        if not isinstance(addend, Pair):
            return NotImplemented
        return Pair(self.lam + addend.lam, self.theta + addend.theta - 1)

    def __mul__(self, factor: Pair) -> Pair:
        """Pair of K₁(x)·K₂(y): the smaller λ; θ's of the factors that reach it add."""
        if not isinstance(factor, Pair):
            return NotImplemented
        if self.lam == factor.lam:
            return Pair(self.lam, self.theta + factor.theta)
        return min(self, factor)

    def __truediv__(self, exponent: int | Fraction) -> Pair:
        """Pair of K**exponent: λ is divided, θ stays."""
        return Pair(self.lam / Fraction(exponent), self.theta)

    @classmethod
    def of(cls, lam: Fraction | int | str, theta: int = 1) -> Pair:
        """Build a pair from an exact λ given as a number or as text such as ``"5/12"``."""
        return cls(Fraction(lam), theta)

    @classmethod
    def no_pole(cls, lam: Fraction) -> Pair:
        """Build the upper end of bounds where −λ is no pole: V(ε) falls by logarithms below ε^λ.

        Its θ is 0, below that of any pole, and is never printed.

        Examples
        --------
        >>> Pair.of("5/2") < Pair.no_pole(Fraction(5, 2)) < Pair.of(3)
        True
        """
        pair = cls(lam, 1)
        object.__setattr__(pair, "theta", 0)
        return pair

    def to(self, upper: Pair) -> str:
        """Write what lies between this and an upper pair of the same λ.

        Examples
        --------
        >>> Pair(1, 3).to(Pair(1, 2)), Pair(1, 1).to(Pair.no_pole(Fraction(1)))
        ('λ = 1, 2 ≤ θ ≤ 3', 'λ = 1, no θ')
        """
        # More singular means larger θ, so the upper pair has the smaller one.
        theta = f"{upper.theta} ≤ θ ≤ {self.theta}" if upper.theta else "no θ"
        return f"λ = {self.lam}, {theta}"

    @classmethod
    def sum(cls, pairs: Iterable[Pair]) -> Pair:
        """Pair of a sum of functions of disjoint variables; at least one is needed."""
        total: Pair | None = None
        for pair in pairs:
            total = pair if total is None else total + pair
        if total is None:
            raise InputError("the sum of no pairs is not a pair")
        return total

    @classmethod
    def product(cls, pairs: Iterable[Pair]) -> Pair:
        """Pair of a product of functions of disjoint variables; at least one is needed.

        Examples
        --------
        >>> Pair.product([Pair.of("1/2"), Pair.of("1/3"), Pair.of("1/3")])
        Pair(1/3, 2)
        """
        first, *others = pairs
        for pair in others:
            first = first * pair
        return first

    def __repr__(self) -> str:
        return f"Pair({self.lam}, {self.theta})"

    def _repr_latex_(self) -> str:
        r"""The pair as a formula, for notebooks.

        >>> print(Pair.of("5/12")._repr_latex_())
        $\lambda = \frac{5}{12},\; \theta = 1$
        """
        top, bottom = self.lam.as_integer_ratio()
        lam = str(top) if bottom == 1 else rf"\frac{{{top}}}{{{bottom}}}"
        return rf"$\lambda = {lam},\; \theta = {self.theta}$"

    def __str__(self) -> str:
        return f"λ = {self.lam}, θ = {self.theta}"


def text_of_bounds(lower: Pair | None, upper: Pair | None, low_end: str = "") -> str:
    """Write what bounds amount to; `low_end` stands for a lower one that there is not.

    >>> text_of_bounds(Pair.of(1), None), text_of_bounds(None, Pair.of(2), "0 ≤ ")
    ('1 ≤ λ', '0 ≤ λ ≤ 2')
    """
    if lower is not None and upper is not None and lower.lam == upper.lam:
        return str(lower) if lower == upper else lower.to(upper)
    low = low_end if lower is None else f"{lower.lam} ≤ "
    return f"{low}λ" + ("" if upper is None else f" ≤ {upper.lam}")
