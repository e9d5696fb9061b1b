"""Polynomial losses compiled to products: no symbolic work inside a sampler."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError, NegativeError
from rlct.newton.exponents import minimal_rows
from rlct.sampling.targets.products import FactoredProducts, Factors
from rlct.sampling.targets.scalings import scalings
from rlct.sampling.targets.target import EXACT_RESOLUTION, BoxTarget, Floats
from rlct.sampling.targets.visibility import hidden_vertex

USUAL_RADIUS = 0.5  # of the box about the point, in its coordinates; a convention
MOST_LOSS = 1e250  # of K: beyond, sums of it overflow

_SEED_OF_SIGN_CHECK = 20260  # any: it makes the check repeat itself


class PolynomialTarget(BoxTarget):
    """K = Σ g² of polynomials, or one polynomial g ≥ 0, on a box around the origin.

    Parameters
    ----------
    generators : sequence of mappings from exponent tuples to coefficients
        ``[{(2, 0): 1, (0, 3): -1}]`` is x² − y³.  All vanish at the origin.
    squared : bool
        True for K = Σ g²; False for K = g, of which only rounding may be negative.
    prior : sequence of float, optional
        Exponents h > −1 of the prior Π|w_i|^{h_i}; zeros when left out.
    nonneg : sequence of bool, optional
        Variables restricted to w_i ≥ 0; none when left out.
    radius : float
        The box is [−radius, radius] in each variable, or [0, radius].
    names : sequence of str, optional
        Of the variables, for messages; x₁, x₂, … when left out.
    factors : sequence, optional
        Of each generator: pairs of a polynomial and a power, whose product it is.  Zeros of high
        powers are then as precise as those of the factors.

    Examples
    --------
    >>> target = PolynomialTarget([{(1, 2): 1}], squared=True)
    >>> target.divergence(np.array([[0.5, 0.5]]))
    array([0.015625])
    >>> target.gradient(np.array([[0.5, 0.5]]))
    array([[0.0625, 0.125 ]])
    """

    #: What is to be said of the posterior at one nβ.
    remark = ""
    #: Generators in rational numbers, but for factors, where they are known so.
    exact: Sequence[Mapping[tuple[int, ...], Fraction]] = ()

    def __init__(
        self,
        generators: Sequence[Mapping[tuple[int, ...], Fraction | int | float]],
        *,
        squared: bool,
        prior: Sequence[float] | None = None,
        nonneg: Sequence[bool] | None = None,
        radius: float = USUAL_RADIUS,
        names: Sequence[str] | None = None,
        factors: Sequence[Factors] | None = None,
    ) -> None:
        float_generators = [{e: float(c) for e, c in g.items() if c} for g in generators]
        if factors is not None:
            factors = [part for part, g in zip(factors, float_generators, strict=True) if g]
        float_generators = [g for g in float_generators if g]
        if not float_generators:
            raise InputError("K is zero everywhere: there is nothing to sample")
        if not squared and len(float_generators) != 1:
            raise InputError("K itself is one polynomial; several generators need squared=True")
        exponents = sorted({e for g in float_generators for e in g})
        dimension = len(exponents[0])
        if dimension < 1 or any(len(e) != dimension for e in exponents):
            raise InputError("every exponent needs one entry per variable, and at least one")
        if any(k < 0 for e in exponents for k in e):
            raise InputError("exponents must be non-negative integers")
        if any(not any(e) for e in exponents):
            raise InputError("K does not vanish at the origin: move the point of interest there")
        if not 0 < radius < np.inf:
            raise InputError(f"the radius must be a positive number, not {radius}")
        self.squared = squared
        self.generators = float_generators
        super().__init__(dimension, radius)
        self.prior: Floats = np.asarray([0.0] * dimension if prior is None else prior, dtype=float)
        self.nonneg: NDArray[np.bool_] = np.asarray(
            [False] * dimension if nonneg is None else nonneg, dtype=bool
        )
        if self.prior.shape != (dimension,) or self.nonneg.shape != (dimension,):
            raise InputError(f"prior and nonneg need one entry for each of {dimension}")
        self.names = tuple(names or (f"x{i + 1}" for i in range(dimension)))
        if not (self.prior > -1).all():
            raise InputError("prior exponents must be larger than −1 to be integrable")
        #: Each generator as factors with powers.
        self.factors = factors or [[(g, 1)] for g in float_generators]
        self._products = FactoredProducts(self.factors)
        if not all(np.isfinite(list(g.values())).all() for g in float_generators):
            raise InputError(
                f"powers of variables below {self.radius:g} are too small for floats: multiply the "
                "variables by a constant"
            )
        largest = self._largest(self.radius)
        if not 0 < largest < MOST_LOSS:
            size, cure = ("large", "divide") if largest else ("small", "multiply")
            raise InputError(f"K is too {size} for floats: {cure} it by a constant")
        self._refuse_negative()

    def unseen(self, n_beta: float) -> str:
        """Find a term that K needs near the origin and that does not show at nβ yet.

        A vertex of the Newton polyhedron shapes K near the origin.  While nβ times it is below e⁴
        wherever the others are at most 1/nβ, tempered means look as if it were not there, and no
        ladder that ends here says anything about λ.  It is without its coefficient, and empty if
        every such term shows.
        """
        exponents = hidden_vertex(self._terms(), self.radius, n_beta)
        return "" if exponents is None else self.written(exponents)

    def written(self, exponents: tuple[int, ...]) -> str:
        """A monomial in the names of the variables."""
        powers = zip(self.names, exponents, strict=True)
        return "*".join(name if k == 1 else f"{name}**{k}" for name, k in powers if k)

    def last_term(self) -> float:
        """Size of the smallest term that no other divides, variables at medians of the prior."""
        logs = np.log(self.radius) - np.log(2.0) / (self.prior + 1.0)
        terms = self._terms()
        table, coefficients = np.array(list(terms)), np.array(list(terms.values()))
        return float(np.exp((coefficients + table @ logs)[minimal_rows(table)].min()))

    def _terms(self) -> dict[tuple[int, ...], float]:
        """Terms of K, of squares of generators the squared terms, with logs of coefficients."""
        times = 2 if self.squared else 1
        log_sizes: dict[tuple[int, ...], float] = {}
        for g in self.generators:
            for exponents, c in g.items():
                e = tuple(times * k for k in exponents)
                log_sizes[e] = max(times * float(np.log(abs(c))), log_sizes.get(e, -np.inf))
        return log_sizes

    def reach(self) -> float:
        """Radius within which every monomial of a generator dominates its multiples there.

        A generator is then a sum of monomials, none a multiple of another, times positive units:
        where there is one of them, no zero appears that the origin does not show.

        >>> PolynomialTarget([{(1,): 1, (2,): -8, (3,): 16}], squared=True).reach()  # x(1 − 4x)²
        0.0625
        """
        radius = np.inf
        for g in self.generators:
            multiples_of = {
                e: [m for m in g if m != e and all(a <= b for a, b in zip(m, e, strict=True))]
                for e in g
            }
            count = sum(map(bool, multiples_of.values()))
            for e, found in multiples_of.items():
                ratios = [
                    (abs(g[m] / g[e]) / count) ** (1 / (sum(e) - sum(m)))
                    for m in found
                    if not multiples_of[m]
                ]
                radius = min(radius, max(ratios, default=np.inf))
        return float(radius)

    @property
    def resolution(self) -> float:
        """Squares keep their relative precision near a zero; an expanded K does not.

        In a box smaller than the usual one rounding errors are as much smaller as K.  Where nothing
        cancels K is right until it underflows: in every factor that is a monomial, or a sum of
        terms that are never below zero.  A power of any other is hidden as late as its power says.
        """
        power = min(map(self._hidden_power, self.factors))
        if power == np.inf:
            return EXACT_RESOLUTION
        smaller = self._largest(self.radius) / self._largest(max(self.radius, USUAL_RADIUS))
        digits = 20.0 if self.squared else 10.0
        return float(min(10.0 ** min(power * digits, 200.0) / smaller, EXACT_RESOLUTION))

    def _hidden_power(self, factors: Factors) -> float:
        """Power of the factor that rounding hides first.

        If it is of degree 1 and K alone has a higher power a of such a factor, it does not matter:
        the prior mass below 10⁻¹⁰ is less than that of all K at 10^{−20a}.
        """
        flat = not self.prior.any() and not self.nonneg.any() and len(self.factors) == 1
        forms = [power for f, power in factors if all(sum(e) == 1 for e in f)]
        return min(
            (
                max(forms) if flat and all(sum(e) == 1 for e in f) else power
                for f, power in factors
                if not (len(f) == 1 or all(map(self._never_negative, f.items())))
            ),
            default=np.inf,
        )

    def _largest(self, radius: float) -> float:
        """Upper bound of K on the box of this radius."""
        sizes = [sum(abs(c) * radius ** sum(e) for e, c in g.items()) for g in self.generators]
        return sum(size * size for size in sizes) if self.squared else sizes[0]

    def _never_negative(self, term: tuple[tuple[int, ...], float]) -> bool:
        exponents, c = term
        return c > 0 and bool(((np.array(exponents) % 2 == 0) | self.nonneg).all())

    @cached_property
    def scalings(self) -> list[Floats]:
        """Directions in which moves stretch variables together, see `targets.scalings`."""
        return scalings(self.generators)

    def values(self, w: Floats) -> Floats:
        """Evaluate the generators at each point, shape ``(n, number of generators)``."""
        return np.asarray(self._products.rows(w).T)

    def divergence(self, w: Floats) -> Floats:
        """K at each point, never below zero."""
        rows = self._products.rows(w)
        if self.squared:
            return np.asarray(np.einsum("gn,gn->n", rows, rows))
        return np.asarray(np.maximum(rows[0], 0.0))

    def gradient(self, w: Floats) -> Floats:
        """Analytic gradient of K."""
        outer = 2.0 * self.values(w) if self.squared else np.ones((len(w), 1))
        slopes = np.empty_like(w, dtype=float)
        for i in range(self.dimension):
            slopes[:, i] = np.einsum("ng,ng->n", outer, self.slopes(w, i))
        return slopes

    def slopes(self, w: Floats, axis: int) -> Floats:
        """Derivatives of the generators by one variable, shape ``(n, number of generators)``."""
        return self._products.slopes(w, axis)

    def log_prior(self, w: Floats) -> Floats:
        """Σ h log|w| inside the box, −inf outside."""
        inside = (np.abs(w) <= self.radius).all(axis=1)
        if self.nonneg.any():
            inside &= (w[:, self.nonneg] >= 0).all(axis=1)
        log: Floats | float = 0.0
        weighted = np.flatnonzero(self.prior)
        if weighted.size:
            with np.errstate(divide="ignore", invalid="ignore"):
                log = np.log(np.abs(w[:, weighted])) @ self.prior[weighted]
        return np.where(inside, log, -np.inf)

    def log_prior_gradient(self, w: Floats) -> Floats:
        """h/w, zero where the exponent is zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.prior == 0, 0.0, self.prior / w)

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        """Draw exactly by inverting the distribution of the absolute values."""
        size = self.radius * rng.random((count, self.dimension)) ** (1.0 / (self.prior + 1.0))
        signs = np.where(rng.random(size.shape) < 0.5, -1.0, 1.0)
        return np.where(self.nonneg, size, signs * size)

    def reflect(self, w: Floats) -> Floats:
        """Mirror at the walls of the box, as often as needed."""
        r = self.radius
        within = r - np.abs((w + r) % (4 * r) - 2 * r)
        # A wall at 0 mirrors what lies between those at −r and r once more.
        return np.asarray(np.where(self.nonneg, np.abs(within), within))

    def _refuse_negative(self) -> None:
        if self.squared:
            return
        w = self.sample_prior(8192, np.random.default_rng(_SEED_OF_SIGN_CHECK))
        if self._products.negative(w).any():
            raise NegativeError(
                f"K is negative somewhere within {self.radius:g} of the point, where it is "
                "sampled: a loss K is least there, that of an ideal is the sum of squares"
            )
