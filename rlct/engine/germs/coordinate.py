"""Taking a generator, or a factor of one, as a coordinate."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, permutations

from rlct.algebra.modular_images import degrees_of, squarefree_in
from rlct.algebra.polynomial import Polynomial, content_and_factors
from rlct.engine import limits
from rlct.engine.germs import algebraic, uniform
from rlct.engine.germs.family import (
    Family,
    is_unit,
    local_terms,
    strip_monomial,
    substitute_fraction,
)
from rlct.engine.germs.function_field import coefficient
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial


@germ_rule("coordinate", traits=RuleTrait.MOVES)
def change_coordinate(family: Family, i: int, a: Polynomial, r: Polynomial) -> Step:
    """The bounds are those of the generators with the coordinate a·x_i + r in place of x_i.

    If a is a unit and r is 0 where the locals vanish, neither involves x_i, and x_i has no prior
    (``theory/blowups.md``, Coordinates).  Generators are multiplied by powers of a.
    """
    numerator = family.ring.gens[i] - r
    child = family.with_generators(
        substitute_fraction(g, i, numerator, a) for g in family.generators
    )
    data = {"variable": i, "scale": encode_polynomial(a), "shift": encode_polynomial(r)}
    return Step("coordinate", (child,), same_bounds, data)


def straighten_factor(family: Family) -> Step | None:
    """A factor a·x_i + r of a generator as coordinate, if fewer generators keep several terms."""
    several_before, _ = family_complexity(family)
    for step, _, (several_after, _) in _changes(
        family, islice(_candidates(family), limits.MOST_COORDINATE_CANDIDATES)
    ):
        if several_after < several_before:
            return step
    return None


def _changes(
    family: Family, candidates: Iterable[tuple[int, Polynomial, Polynomial]]
) -> Iterator[tuple[Step, Family, tuple[int, int]]]:
    """Coordinates that leave few terms, with the family then and its size once simplified."""
    for i, a, r in candidates:
        step = change_coordinate(family, i, a, r)
        (child,) = step.children
        assert isinstance(child, Family)
        if sum(map(len, child.generators)) <= limits.MOST_CHANGED_TERMS:
            simpler = uniform.simplify_family(child)
            size = family_complexity(child if simpler is None else simpler.children[0])
            yield step, child, size


def shared_sum(family: Family) -> Step | None:
    """A sum a·x_i + b·x^m that several terms share as coordinate, if fewer terms are left.

    Products of matrices are made of such sums.  The upper bound of the exponents must not grow.
    """
    size_before, upper_before = family_complexity(family), _upper_bound(family)
    best_step: tuple[tuple[int, int], Step] | None = None
    for step, child, size_after in _changes(family, _shared_sums(family)):
        is_less = size_after < size_before and (best_step is None or size_after < best_step[0])
        if is_less and _upper_bound(child) <= upper_before:
            best_step = size_after, step
    return best_step and best_step[1]


def _upper_bound(family: Family) -> Pair:
    d = len(family.prior)
    exponents = sorted({m[:d] for g in family.generators for m in g.itermonoms()})
    return monomial_optimum(exponents, family.prior).pair


def _shared_sums(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Sums a·x_i + b·x^m that several terms have as a factor, the most frequent first."""
    d, ring = len(family.prior), family.ring
    sum_counts: Counter[tuple[int, tuple[int, ...], Polynomial, Polynomial]] = Counter()
    for g in family.generators:
        if len(g) > limits.MOST_COMPOSE_TERMS:
            continue
        terms = local_terms(g, d)
        for (m, a), (paired, b) in permutations(terms.items(), 2):
            if not is_unit(a, family.units):
                continue
            for i in range(d):
                if m[i] != paired[i] + 1 or family.prior[i]:
                    continue
                quotient = tuple(
                    n - e + (j == i) for j, (e, n) in enumerate(zip(m, paired, strict=True))
                )
                if min(quotient) < 0 or not any(quotient):
                    continue
                common = ring.ground_new(a.LC) if a.is_ground else a.gcd(b)
                sum_counts[i, quotient, a.exquo(common), b.exquo(common)] += 1
    zero = (0,) * (ring.ngens - d)
    for (i, quotient, a, b), count in sum_counts.most_common(limits.MOST_SHARED_SUMS):
        if count > 1:
            yield i, a, b * ring.from_dict({(*quotient, *zero): ring.domain.one})


def family_complexity(family: object) -> tuple[int, int]:
    """Number of generators that have several terms in the locals, and of all terms."""
    assert isinstance(family, Family)
    counts = [len(local_terms(g, len(family.prior))) for g in family.generators]
    return sum(n > 1 for n in counts), sum(map(len, family.generators))


def _candidates(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors a·x_i + r of generators, the shortest first."""
    d = len(family.prior)
    linear_factors = []
    for g in family.generators:
        _, quotient = strip_monomial(g, d)
        if len(quotient) < 2 or len(quotient) > limits.MOST_COORDINATE_TERMS:
            continue
        for f, _ in content_and_factors(quotient)[1]:
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
                linear_factors.append((len(a) + len(r), i, a, r))
    linear_factors.sort(key=lambda item: item[0])
    return ((i, a, r) for _, i, a, r in linear_factors)


def repeated_on_planes(family: Family, g: Polynomial) -> list[Polynomial]:
    """Repeated factors of the restrictions of g to coordinate hyperplanes."""
    repeated_factors: list[Polynomial] = []
    for k in range(len(family.prior)):
        on_plane = g.ring.from_dict({m: c for m, c in g.terms() if not m[k]})
        if not 2 < len(on_plane) < len(g):
            continue
        several = (i for i, e in enumerate(degrees_of(on_plane)) if e > 1)
        single = all(squarefree_in(on_plane, i) for i in several)
        factors = [f for f, m in content_and_factors(on_plane)[1] if m > 1] if not single else []
        if not factors and family.relations:
            factors = algebraic.repeated_factors(family, on_plane)
        repeated_factors += [f for f in factors if f not in repeated_factors]
    return repeated_factors
