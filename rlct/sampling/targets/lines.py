"""Integrals along lines on which K is a polynomial in one variable."""

import itertools
from typing import TypeAlias

import numpy as np

from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.products import FloatTerms, integer_power
from rlct.sampling.targets.target import Floats

#: One generator along lines: polynomials of shape ``(lines, degree + 1)``, with their powers.
Factored: TypeAlias = list[tuple[Floats, int]]

# Of each Gauss rule, on a cell along which K grows by a factor 2⁶ at most: where nβK passes 1 in
# the cell, e^(−nβK) is a step; along 2⁸, as of x⁸, tempered means are off by 3 in 10⁴.
PART_POINTS, PART_DEGREE = 10, 6
# Towards each zero, in up to two and in three variables, if K does not fall too low before; by how
# much it falls is known but for a factor.  Towards 0 nothing is rounded: up to `TOP_OCTAVE`.
USUAL_OCTAVES, FEWER_OCTAVES, SPARE_OCTAVES, TOP_OCTAVE = 34, 24, 8, 1000
# K is not constant on the last cell before a zero where it grows by more than this.
VARYING_RATIO = 4.0


class Lines:
    """Lines parallel to one axis, with nodes crowded towards the roots of K on them.

    ``inner`` is the axis of the lines, ``outer`` are the others; each line has as many ``nodes``.
    ``localization`` is γ of a factor exp(−γ|w|²/2) beside the prior; below ``lowest_log_k`` K is
    too small to matter.
    """

    def __init__(self, target: PolynomialTarget, localization: float, lowest_log_k: float) -> None:
        self.target, self.localization = target, localization
        self.inner = _ridge_axis(target)
        self.outer = [i for i in range(target.dimension) if i != self.inner]
        self._even = [_is_even(target, i) for i in range(target.dimension)]
        # A factor has the zeros of its powers, and says better where they are.  Those of monomials
        # are 0, where lines are cut anyway.
        roots = sum(
            max(e[self.inner] for e in f) for part in target.factors for f, _ in part if len(f) > 1
        )
        if target.squared and len(target.generators) > 1:
            roots += 2 * max(e[self.inner] for g in target.generators for e in g)
        octaves = self._octaves(lowest_log_k, rounded=roots > 0)
        self._half = bool(target.nonneg[self.inner]) or self._even[self.inner]
        gap_count = roots + 1 + (0 if self._half else 1)
        # Octaves of [0, 1] towards both ends, in cells with a Gauss rule each.
        parts = -(-self._degree() // PART_DEGREE)
        cuts = np.concatenate([[0.0], 0.5 ** (np.arange(octaves * parts, -1, -1) / parts + 1)])
        x, weight = np.polynomial.legendre.leggauss(PART_POINTS)
        width = np.diff(cuts)[:, None]
        ticks = (cuts[:-1, None] + 0.5 * width * (1 + x)).ravel()
        shares = (0.5 * width * weight).ravel()
        self._ticks = np.concatenate([ticks, 1.0 - ticks[::-1]])
        self._shares = np.concatenate([shares, shares[::-1]])
        self.nodes = gap_count * self._ticks.size
        # Distances from the upper end, without the rounding of 1 − tick.
        self._from_end = np.concatenate([1.0 - ticks, ticks[::-1]])

    def _degree(self) -> int:
        """Of K along a line."""
        degree = max(e[self.inner] for g in self.target.generators for e in g)
        return max(1, 2 * degree if self.target.squared else degree)

    def _octaves(self, lowest: float, *, rounded: bool) -> int:
        """Octaves towards a zero, to where K is too small to matter, or no mass is left."""
        # Where generators have no common zero the zeros of K are conjugate, and may be simple.
        orders = [1]
        if len(self.target.factors) == 1:
            orders = [
                power * (max(e[self.inner] for e in f) if len(f) == 1 else 1)
                for f, power in self.target.factors[0]
                if any(e[self.inner] for e in f)
            ]
        order = min(orders, default=1) * (2 if self.target.squared else 1)
        enough = (self.highest_log_k() - lowest) / (order * np.log(2.0)) + SPARE_OCTAVES
        if rounded:
            enough = min(enough, USUAL_OCTAVES if self.target.dimension < 3 else FEWER_OCTAVES)
        # The last cell has a share 2^{−octaves(1+h)} of the mass; its rule takes x^h for smooth.
        return int(min(enough / (1.0 + min(float(self.target.prior[self.inner]), 0.0)), TOP_OCTAVE))

    def highest_log_k(self) -> float:
        """Upper bound of log K on the box."""
        bound = 0.0
        for g in self.target.generators:
            size = sum(abs(c) * self.target.radius ** sum(e) for e, c in g.items())
            bound += size**2 if self.target.squared else size
        return float(np.log(bound))

    def orthants(self) -> list[tuple[Floats, float]]:
        """Signs of the outer variables to visit, and how many orthants each stands for."""
        sign_choices: list[tuple[float, ...]] = []
        copy_count = 1.0
        for i in self.outer:
            if self.target.nonneg[i]:
                sign_choices.append((1.0,))
            elif self._even[i]:
                sign_choices.append((1.0,))
                copy_count *= 2.0
            else:
                sign_choices.append((1.0, -1.0))
        if self._even[self.inner] and not self.target.nonneg[self.inner]:
            copy_count *= 2.0
        return [(np.array(signs), copy_count) for signs in itertools.product(*sign_choices)]

    def accumulate(
        self,
        orthant: Floats,
        s: Floats,
        measure: Floats,
        cell: np.ndarray[tuple[int], np.dtype[np.intp]],
        binned_mass: Floats,
        lowest_log_k: float,
        width: float,
    ) -> None:
        """Add the mass of the lines at log-coordinates ``s`` to ``binned_mass[cell]`` by log K.

        The last row of ``binned_mass`` is what may be wrong of it: the mass of the cells at both
        ends of each gap in which K varies, by the largest log K there.
        """
        target = self.target
        w_outer = orthant * target.radius * np.exp(-s)
        log_measure = -(s * (1.0 + target.prior[self.outer])).sum(axis=1)
        log_measure -= 0.5 * self.localization * (w_outer**2).sum(axis=1)
        line_polynomials = [
            [(self._along(f, w_outer), k) for f, k in part] for part in target.factors
        ]
        anchors = self._anchors(line_polynomials)
        # Conjugate roots share their real part: such gaps are empty and cost nothing.
        line, gap = np.nonzero(np.diff(anchors, axis=1) > 1e-15 * target.radius)
        begin, end = anchors[line, gap, None], anchors[line, gap + 1, None]
        x = np.where(
            self._ticks <= 0.5,
            begin + (end - begin) * self._ticks,
            end - (end - begin) * self._from_end,
        )
        weight = (end - begin) * self._shares
        h = float(target.prior[self.inner])
        if h:
            with np.errstate(divide="ignore"):
                weight = np.where(weight > 0, weight * np.abs(x / target.radius) ** h, 0.0)
        if self.localization:
            weight = weight * np.exp(-0.5 * self.localization * x**2)
        weight = weight * (measure * np.exp(log_measure))[line, None]
        values = self._values([[(p[line], k) for p, k in part] for part in line_polynomials], x)
        with np.errstate(divide="ignore"):
            position = (np.log(values).ravel() - lowest_log_k) / width
        bin_count = binned_mass.shape[1]
        position = np.clip(position, 0.0, bin_count - 1.001)
        left = position.astype(np.intp)
        part = position - left
        index = np.broadcast_to(cell[line, None] * bin_count, x.shape).ravel() + left
        flat = weight.ravel()
        size = binned_mass.size
        found = np.bincount(index, flat * (1 - part), size)
        found += np.bincount(index + 1, flat * part, size)
        binned_mass += found.reshape(binned_mass.shape)
        for ends in (slice(PART_POINTS), slice(-PART_POINTS, None)):
            largest, mass = values[:, ends].max(axis=1), weight[:, ends].sum(axis=1)
            varies = largest > VARYING_RATIO * values[:, ends].min(axis=1)
            place = np.clip((np.log(largest[varies]) - lowest_log_k) / width, 0, bin_count - 1)
            binned_mass[-1] += np.bincount(place.astype(np.intp), mass[varies], bin_count)

    def _values(self, polys: list[Factored], x: Floats) -> Floats:
        """K at the points ``x`` of each gap, by Horner's rule along its line."""
        total: Floats = np.zeros_like(x)
        with np.errstate(under="ignore"):
            for part in polys:
                value: Floats | float = 1.0
                for poly, power in part:
                    factor = np.repeat(poly[:, -1:], x.shape[1], axis=1)
                    for k in range(poly.shape[1] - 2, -1, -1):
                        factor *= x
                        factor += poly[:, k, None]
                    value = value * integer_power(factor, power)
                total += value * value if self.target.squared else np.maximum(value, 0.0)
        return total

    def _anchors(self, polys: list[Factored]) -> Floats:
        """Sorted ends of the gaps on each line: box ends, 0, real parts of all roots."""
        target, count = self.target, len(polys[0][0][0])
        root_parts = [
            _roots(p, target.radius)
            for part, factors in zip(polys, target.factors, strict=True)
            for (p, _), (f, _) in zip(part, factors, strict=True)
            if len(f) > 1
        ]
        if target.squared and len(polys) > 1:
            root_parts.append(_roots(_sum_of_squares([_expanded(p) for p in polys]), target.radius))
        low = 0.0 if self._half else -target.radius
        ends = [np.full((count, 1), low), np.full((count, 1), target.radius)]
        if not self._half:
            ends.append(np.zeros((count, 1)))
        inside = [np.clip(f, low, target.radius) for f in root_parts if f.size]
        return np.sort(np.concatenate([*ends, *inside], axis=1), axis=1)

    def _along(self, generator: FloatTerms, w_outer: Floats) -> Floats:
        degree = max(e[self.inner] for e in generator)
        poly = np.zeros((len(w_outer), degree + 1))
        for e, c in generator.items():
            powers = [e[i] for i in self.outer]
            with np.errstate(under="ignore"):
                poly[:, e[self.inner]] += c * np.prod(w_outer**powers, axis=1)
        return poly


def _roots(poly: Floats, radius: float) -> Floats:
    """Real parts of the roots of each row (constant term first), shape ``(n, degree)``."""
    degree = poly.shape[1] - 1
    if degree < 1:
        return np.zeros((len(poly), 0))
    scaled = poly * radius ** np.arange(degree + 1)
    size = np.abs(scaled).max(axis=1, keepdims=True)
    scaled = np.where(size > 0, scaled / np.where(size > 0, size, 1.0), 1.0)
    # A tiny leading coefficient is a root far outside the box; keep it finite.
    lead = scaled[:, -1]
    lead = np.where(np.abs(lead) < 1e-14, np.copysign(1e-14, lead), lead)
    companion = np.zeros((len(poly), degree, degree))
    companion[:, np.arange(1, degree), np.arange(degree - 1)] = 1.0
    companion[:, :, -1] = -scaled[:, :-1] / lead[:, None]
    return np.asarray(radius * np.linalg.eigvals(companion).real)


def _sum_of_squares(polys: list[Floats]) -> Floats:
    total = np.zeros((len(polys[0]), 2 * max(p.shape[1] for p in polys) - 1))
    for p in polys:
        total[:, : 2 * p.shape[1] - 1] += _times(p, p)
    return total


def _expanded(part: Factored) -> Floats:
    product: Floats = np.ones((len(part[0][0]), 1))
    for poly, power in part:
        for _ in range(power):
            product = _times(product, poly)
    return product


def _times(left_factor: Floats, right_factor: Floats) -> Floats:
    """Products of polynomials, row by row."""
    product = np.zeros((len(left_factor), left_factor.shape[1] + right_factor.shape[1] - 1))
    for a in range(left_factor.shape[1]):
        product[:, a : a + right_factor.shape[1]] += left_factor[:, a : a + 1] * right_factor
    return product


def _ridge_axis(target: PolynomialTarget) -> int:
    """Choose the variable in most generators of several terms; of those the highest degree."""

    def rank(i: int) -> tuple[int, int]:
        mixed = sum(1 for g in target.generators if len(g) > 1 and any(e[i] for e in g))
        return -mixed, -max(e[i] for g in target.generators for e in g)

    return min(range(target.dimension), key=rank)


def _is_even(target: PolynomialTarget, axis: int) -> bool:
    """Whether K does not change under w_axis → −w_axis."""
    parities = [{e[axis] % 2 for e in g} for g in target.generators]
    if target.squared:
        return all(len(p) == 1 for p in parities)
    return all(p == {0} for p in parities)
