"""Whether the differentials of several forms are independent at all common zeros in the torus.

The forms are φ_1, …, φ_r in (R∖0)^n.  What is decided: at no common zero is there a relation
Σ s_i dφ_i = 0 with all s_i ≠ 0.  In other words, L = Σ s_i φ_i, a function of x and s, has no
critical point in (R∖0)^(n+r).  ``theory/polyhedra.md`` describes the method.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from operator import mul

from rlct.algebra.division import exact_quotient
from rlct.algebra.exact_rank import dot_product, kernel_basis, matrix_rank, reduced_echelon
from rlct.algebra.polynomial import Polynomial, Terms, from_terms, make_ring
from rlct.engine import limits
from rlct.newton.edges import count_real_roots, gcd_of

Exponent = tuple[int, ...]


def subsets_of(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All subsets but the empty one, small ones first."""
    return (subset for size in range(len(items)) for subset in combinations(items, size + 1))


def exponent_steps(forms: Sequence[Terms]) -> list[list[int]]:
    """For every form, its exponents less its first one."""
    steps = []
    for form in forms:
        first, *others = form
        steps += [[e - f for e, f in zip(other, first, strict=True)] for other in others]
    return steps


def never_together(forms: Sequence[Terms]) -> bool:
    """Whether forms with independent differentials cannot vanish together.

    The logarithmic differentials at a common zero are in the span of the steps.
    """
    return matrix_rank(exponent_steps(forms)) < len(forms)


def independent_differentials(forms: Sequence[Terms]) -> bool:
    """Whether L = Σ s_i φ_i is known to have no critical point in (R∖0)^(n+r).

    The equations x_j ∂L/∂x_j = 0 and s_i ∂L/∂s_i = 0 are linear in the terms of L.  If they say
    that some term is 0, there is no critical point.  If they leave one or two terms free, every
    term over the first free one is linear in t, the quotient of the two.  Eliminating x and s from
    these equations between monomials and numbers leaves conditions on t alone.  Each form has two
    terms or more.  False also where more than two terms are free, or the degrees are high.

    >>> from fractions import Fraction
    >>> square = {(2, 0): Fraction(1), (1, 1): Fraction(-2), (0, 2): Fraction(1)}    # (x − y)²
    >>> independent_differentials([square])
    False
    >>> independent_differentials([{**square, (0, 2): Fraction(3)}])
    True
    """
    exponents: list[Exponent] = []
    coefficients: list[Fraction] = []
    for i, form in enumerate(forms):
        exponents += [(*exponent, *(int(i == k) for k in range(len(forms)))) for exponent in form]
        coefficients += form.values()
    derivatives = [map(mul, coefficients, row) for row in zip(*exponents, strict=True)]
    equations, pivots = reduced_echelon(list(map(list, derivatives)))
    if any(sum(map(bool, row)) == 1 for row in equations):
        return True
    free = [j for j in range(len(exponents)) if j not in pivots]
    if len(free) > limits.MOST_FREE_TERMS or _longest_relation(exponents) > limits.HIGHEST_RELATION:
        return False
    ring = make_ring(["t"])
    base = exponents[free[0]]
    quotients = dict(zip(free[1:], ring.gens, strict=False))
    for row, pivot in zip(equations, pivots, strict=True):
        linear: Terms = {(k,): -row[j] for k, j in enumerate(free) if row[j]}
        quotients[pivot] = from_terms(ring, linear)
    steps = [[e - f for e, f in zip(exponents[j], base, strict=True)] for j in quotients]
    conditions = []
    for powers in _shortened(_relations(steps)):
        sides = [ring.one, ring.one]
        for quotient, e in zip(quotients.values(), powers, strict=True):
            sides[e < 0] *= quotient ** abs(e)
        conditions.append(sides[0] - sides[1])
    common = gcd_of(conditions)
    return bool(common) and not count_real_roots(_without_zeros(common, list(quotients.values())))


def _relations(steps: Sequence[Sequence[int]]) -> list[list[int]]:
    """Generators of all integer relations, by Euclid's algorithm on whole rows.

    A row is a product of monomials and the powers that it consists of; those whose monomial
    has become 1 are left.
    """
    relation_rows = [
        (list(step), [int(i == j) for j in range(len(steps))]) for i, step in enumerate(steps)
    ]
    for column in range(len(steps[0])):
        while (
            len(active_rows := [i for i, (step, _) in enumerate(relation_rows) if step[column]]) > 1
        ):
            least = min(active_rows, key=lambda i: abs(relation_rows[i][0][column]))
            low_step, low_powers = relation_rows[least]
            for i in active_rows:
                if i != least:
                    step, powers = relation_rows[i]
                    q = step[column] // low_step[column]
                    relation_rows[i] = (
                        [a - q * b for a, b in zip(step, low_step, strict=True)],
                        [a - q * b for a, b in zip(powers, low_powers, strict=True)],
                    )
        if active_rows:
            del relation_rows[active_rows[0]]
    return [powers for _, powers in relation_rows]


def _shortened(relations: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """The same for two relations, by Lagrange's reduction of a lattice in the plane."""
    short, *longer_relations = sorted(relations, key=lambda powers: dot_product(powers, powers))
    for long in longer_relations:
        while (q := round(dot_product(short, long) / dot_product(short, short))) != 0:
            long = [a - q * b for a, b in zip(long, short, strict=True)]
            short, long = sorted((short, long), key=lambda powers: dot_product(powers, powers))
        longer_relations = [long]
    return [short, *longer_relations]


def _longest_relation(exponents: Sequence[Exponent]) -> int:
    """Largest sum of the shortest relations between monomials: what an elimination costs."""
    longest = 0
    for vector in kernel_basis(list(zip(*exponents, strict=True)), len(exponents)):
        scale = lcm(*(x.denominator for x in vector))
        whole = [int(x * scale) for x in vector]
        longest = max(longest, sum(map(abs, whole)) // gcd(*whole))
    return longest


def _without_zeros(p: Polynomial, divisors: Sequence[Polynomial]) -> Polynomial:
    """Divide out every zero that p shares with linear polynomials."""
    for other in divisors:
        while not (shared := p.gcd(other)).is_ground:
            p = exact_quotient(p, shared)
    return p
