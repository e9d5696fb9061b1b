"""Taking a generator, or a factor of one, as a coordinate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, islice

from rlct.algebra.polynomial import Polynomial, content_and_factors
from rlct.engine.resolution import algebraic, uniform
from rlct.engine.resolution.family import (
    Family,
    initial_form,
    is_unit,
    local_terms,
    strip,
    substitute,
)
from rlct.engine.resolution.function_field import coefficient
from rlct.engine.step import Step, same
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial

__all__ = ["change", "complexity", "repeated", "shifts", "shorten", "straighten"]

_LARGEST = 200  # terms of a generator that is looked at
_MOST_CANDIDATES = 24
_MOST_MIXTURES = 6
_LARGEST_SHIFTED = 300  # terms of a generator after a shift
_GROWTH = 2_000  # terms of all generators after the change


def change(family: Family, i: int, a: Polynomial, r: Polynomial) -> Step:
    """The new coordinate a·x_i + r in place of x_i; a(0) is a unit, r(0) = 0."""
    numerator = family.ring.gens[i] - r
    child = family.with_generators(substitute(g, i, numerator, a) for g in family.generators)
    data = {"variable": i, "scale": encode_polynomial(a), "shift": encode_polynomial(r)}
    return Step("coordinate", (child,), same, data)


def straighten(family: Family) -> Step | None:
    """A factor a·x_i + r of a generator as coordinate, if fewer generators keep several terms."""
    before = complexity(family)
    for step, after in _tried(family, islice(_candidates(family), _MOST_CANDIDATES)):
        if after[0] < before[0]:
            return step
    return None


def shorten(family: Family) -> Step | None:
    """A sum a·x_i + b·xᵐ as coordinate, if generators become shorter and no bound is lost."""
    before, bound = complexity(family), _upper(family)
    best: tuple[tuple[int, int], Step] | None = None
    candidates = chain(
        islice(_candidates(family), _MOST_CANDIDATES),
        islice(_candidates(family, restricted=True), _MOST_CANDIDATES),
        _mixtures(family),
    )
    for step, after in _tried(family, candidates):
        (child,) = step.children
        assert isinstance(child, Family)
        better = after < before and (best is None or after < best[0])
        if better and _upper(child) <= bound:
            best = after, step
    return best and best[1]


def _tried(
    family: Family, candidates: Iterable[tuple[int, Polynomial, Polynomial]]
) -> Iterator[tuple[Step, tuple[int, int]]]:
    """Changes of coordinates, with the complexity after simplifying."""
    for i, a, r in candidates:
        step = change(family, i, a, r)
        (child,) = step.children
        assert isinstance(child, Family)
        if sum(map(len, child.generators)) <= _GROWTH:
            simpler = uniform.simplify(child)
            yield step, complexity(child if simpler is None else simpler.children[0])


def shifts(family: Family) -> Step | None:
    """The shift x_i → x_i + r by a factor of an initial form that lowers the upper bound most.

    Coordinates in which no shift does are adapted, as far as these factors can tell.
    """
    bound = _upper(family)
    best: Step | None = None
    for i, a, r in islice(_initial_factors(family), _MOST_CANDIDATES):
        step = change(family, i, a, r)
        (child,) = step.children
        assert isinstance(child, Family)
        if max(map(len, child.generators)) > _LARGEST_SHIFTED:
            continue
        found = _upper(child)
        if found < bound:
            best, bound = step, found
    return best


def _upper(family: Family) -> Pair:
    d = len(family.prior)
    exponents = sorted({m[:d] for g in family.generators for m in g.itermonoms()})
    return monomial_optimum(exponents, family.prior).pair


def _initial_factors(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors a·x_i + r, a number, of initial forms.

    The forms are those of unit weights and of optimal ones, and the lowest forms on the
    coordinate hyperplanes.
    """
    d = len(family.prior)
    exponents = sorted({m[:d] for g in family.generators for m in g.itermonoms()})
    optimal = monomial_optimum(exponents, family.prior).weight
    ones = (Fraction(1),) * d
    forms = [initial_form(g, w) for w in (ones, optimal) for g in family.generators]
    for i in range(d):
        for g in family.generators:
            on_plane = g.ring.from_dict({m: c for m, c in g.terms() if not m[i]})
            if on_plane:
                forms.append(initial_form(on_plane, ones))
    seen = set()
    for form in forms:
        if not 1 < len(form) <= _LARGEST:
            continue
        for f, _ in content_and_factors(form)[1]:
            if not all(any(m) for m in f.itermonoms()):
                continue
            for i in range(d):
                if family.prior[i] or len(f) < 2 or max(m[i] for m in f.itermonoms()) != 1:
                    continue
                a, r = coefficient(f, i, 1), coefficient(f, i, 0)
                if a.is_ground and (i, r) not in seen:
                    seen.add((i, r))
                    yield i, a, r


def complexity(family: object) -> tuple[int, int]:
    """Number of generators that have several terms in the locals, and of all terms."""
    assert isinstance(family, Family)
    counts = [len(local_terms(g, len(family.prior))) for g in family.generators]
    return sum(n > 1 for n in counts), sum(map(len, family.generators))


def _candidates(
    family: Family, restricted: bool = False
) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors a·x_i + r of generators, or repeated ones of restrictions to x_k = 0."""
    d = len(family.prior)
    found = []
    for g in family.generators:
        _, rest = strip(g, d)
        if len(rest) < 2 or len(rest) > _LARGEST:
            continue
        factors = (
            [f for f, _ in content_and_factors(rest)[1]]
            if not restricted
            else repeated(family, rest)
        )
        for f in factors:
            terms = local_terms(f, d)
            if len(terms) < 2 or (0,) * d in terms:
                continue
            for i in range(d):
                unit = tuple(int(k == i) for k in range(d))
                if unit not in terms or family.prior[i] or not is_unit(terms[unit], family.units):
                    continue
                if max(m[i] for m in terms) > 1:
                    continue
                a = coefficient(f, i, 1)
                r = coefficient(f, i, 0)
                found.append((len(a) + len(r), i, a, r))
    found.sort(key=lambda item: item[0])
    return ((i, a, r) for _, i, a, r in found)


def repeated(family: Family, g: Polynomial) -> list[Polynomial]:
    """Repeated factors of the restrictions of g to coordinate hyperplanes."""
    found: list[Polynomial] = []
    for k in range(len(family.prior)):
        on_plane = g.ring.from_dict({m: c for m, c in g.terms() if not m[k]})
        if not 2 < len(on_plane) < len(g):
            continue
        factors = [f for f, m in content_and_factors(on_plane)[1] if m > 1]
        if not factors and family.relations:
            factors = algebraic.repeated_factors(family, on_plane)
        found += [f for f in factors if f not in found]
    return found


def _mixtures(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Sums a·x_i + b·xᵐ that several terms have as a factor, most frequent first."""
    d, ring = len(family.prior), family.ring
    counts: Counter[tuple[int, tuple[int, ...], Polynomial, Polynomial]] = Counter()
    for g in family.generators:
        if len(g) > _LARGEST:
            continue
        terms = local_terms(g, d)
        for m, a in terms.items():
            for i in range(d):
                if not m[i] or family.prior[i] or not is_unit(a, family.units):
                    continue
                for other, b in terms.items():
                    rest = tuple(
                        n - e + (j == i) for j, (e, n) in enumerate(zip(m, other, strict=True))
                    )
                    if rest[i] or min(rest) < 0 or not any(rest):
                        continue
                    common = ring.ground_new(a.LC) if a.is_ground else a.gcd(b)
                    counts[i, rest, a.exquo(common), b.exquo(common)] += 1
    zero = (0,) * (ring.ngens - d)
    for (i, rest, a, b), count in counts.most_common(_MOST_MIXTURES):
        if count > 1:
            yield i, a, b * ring.from_dict({(*rest, *zero): ring.domain.one})
