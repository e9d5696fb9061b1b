"""What must not change the answer does not: two presentations never contradict each other.

Each question is asked again after a change whose effect on (λ, θ) is known.  Where both answers
are exact they must be equal; otherwise the proved intervals must meet.
"""

import random
from fractions import Fraction

import pytest
import sympy

import rlct
from rlct.pair import Pair

SYMBOLS = sympy.symbols("x y z")
SECONDS = 2


def random_polynomial(rng, variables, most_terms, degree):
    terms = []
    for _ in range(rng.randint(1, most_terms)):
        monomial = sympy.Integer(1)
        for _ in range(rng.randint(1, degree)):
            monomial *= rng.choice(variables)
        terms.append(rng.choice([1, 1, -1, 2, -3]) * monomial)
    return sympy.expand(sum(terms))


def random_ideal(rng):
    variables = SYMBOLS[: rng.choice([2, 2, 3])]
    while True:
        generators = [
            random_polynomial(rng, variables, 3, 3) for _ in range(rng.choice([1, 2, 2, 3]))
        ]
        generators = [g for g in generators if g != 0]
        if generators and set().union(*(g.free_symbols for g in generators)) == set(variables):
            return variables, generators


def random_prior(rng, variables):
    return {str(v): rng.choice([Fraction(1, 2), 1, 2]) for v in variables if rng.random() < 0.2}


def bounds_of(result):
    route = result.routes[0]
    lows = [r.lower for r in result.routes]
    highs = [r.upper for r in result.routes if r.upper is not None]
    assert route is not None
    return max(lows), min(highs, default=None)


def shifted(bounds, change):
    low, high = bounds
    return change(low), None if high is None else change(high)


def agree(one, two):
    """Both intervals hold the pair, so they meet; exact ones coincide."""
    (low, high), (other_low, other_high) = one, two
    below = max(low, other_low)
    return all(top is None or below <= top for top in (high, other_high))


def ask(generators, **options):
    return bounds_of(rlct.ideal(list(generators), timeout=SECONDS, **options))


def renamed(rng, variables, generators, prior):
    names = sympy.symbols(rng.sample(["a", "b", "c", "x", "y", "z", "q7"], len(variables)))
    to = dict(zip(variables, names, strict=True))
    there = {str(to[v]): prior[str(v)] for v in variables if str(v) in prior}
    return ask([g.subs(to, simultaneous=True) for g in generators], prior=there)


def scaled(rng, variables, generators, prior):
    to = {v: sympy.Rational(rng.choice([-3, -1, 2, 5]), rng.choice([1, 2])) * v for v in variables}
    factors = [sympy.Rational(rng.choice([-2, 1, 3]), rng.choice([1, 7])) for _ in generators]
    moved = [
        sympy.expand(c * g.subs(to, simultaneous=True))
        for c, g in zip(factors, generators, strict=True)
    ]
    return ask(moved, prior=prior)


def times_units(rng, variables, generators, prior):
    units = [
        1 + rng.choice([-1, 2]) * rng.choice(variables) ** rng.randint(1, 2) for _ in generators
    ]
    return ask([sympy.expand(u * g) for u, g in zip(units, generators, strict=True)], prior=prior)


def with_redundant_generators(rng, variables, generators, prior):
    g, h = rng.choice(generators), rng.choice(generators)
    extra = sympy.expand(g * random_polynomial(rng, variables, 2, 1) + 3 * h)
    return ask(
        [*generators, *([extra] if extra != 0 else []), sympy.expand(g * variables[0])], prior=prior
    )


def recombined(rng, variables, generators, prior):
    mixed = list(generators)
    for i in range(len(mixed)):
        for j in range(len(mixed)):
            if i != j and rng.random() < 0.5:
                mixed[i] = sympy.expand(mixed[i] + rng.choice([-1, 2]) * mixed[j])
    return ask([m for m in mixed if m != 0], prior=prior) if all(m != 0 for m in mixed) else None


def as_squares(rng, variables, generators, prior):
    K = "+".join(f"{rng.choice([1, 2, 5])}*({g})**2" for g in generators)
    return bounds_of(rlct.poly(K, prior=prior, timeout=SECONDS))


def as_expanded(rng, variables, generators, prior):
    K = sympy.expand(sum(g**2 for g in generators))
    return bounds_of(rlct.poly(K, prior=prior, timeout=SECONDS))


def at_another_point(rng, variables, generators, prior):
    if prior:
        return None
    point = {v: sympy.Rational(rng.randint(-3, 3), rng.randint(1, 2)) for v in variables}
    moved = [
        sympy.expand(g.subs({v: v - a for v, a in point.items()}, simultaneous=True))
        for g in generators
    ]
    return ask(moved, at={str(v): a for v, a in point.items()})


def linear_coordinates(rng, variables, generators, prior):
    if prior:
        return None
    n = len(variables)
    while True:
        matrix = sympy.Matrix(n, n, lambda i, j: rng.choice([0, 1, 1, -1, 2]))
        if matrix.det():
            break
    images = matrix * sympy.Matrix(variables)
    to = dict(zip(variables, images, strict=True))
    return ask([sympy.expand(g.subs(to, simultaneous=True)) for g in generators])


def curved_coordinates(rng, variables, generators, prior):
    if prior:
        return None
    u, v = rng.sample(variables, 2)
    image = u + rng.choice([1, -2]) * v**2
    moved = [sympy.expand(g.subs(u, image)) for g in generators]
    return ask(moved)


SAME = [
    renamed,
    scaled,
    times_units,
    with_redundant_generators,
    recombined,
    as_squares,
    as_expanded,
    at_another_point,
    linear_coordinates,
    curved_coordinates,
]


@pytest.mark.slow
@pytest.mark.parametrize("change", SAME, ids=lambda f: f.__name__)
def test_nothing_changes(change):
    rng = random.Random(change.__name__)
    exact = 0
    for _ in range(12):
        variables, generators = random_ideal(rng)
        prior = random_prior(rng, variables)
        before = ask(generators, prior=prior)
        after = change(rng, variables, generators, prior)
        if after is None:
            continue
        assert agree(before, after), (generators, prior, before, after)
        exact += before[0] == before[1] and after[0] == after[1]
    assert exact >= 3


def squared(rng, variables, generators, prior):
    g = max(generators, key=lambda g: len(g.free_symbols))
    there = {name: h for name, h in prior.items() if name in map(str, g.free_symbols)}
    after = ask([sympy.expand(g**2)], prior=there)
    return after, lambda pair: pair / 2, ask([g], prior=there)


def cubed_text(rng, variables, generators, prior):
    K = f"({'+'.join(f'({g})**2' for g in generators)})**3"
    return bounds_of(rlct.poly(K, prior=prior, timeout=SECONDS)), lambda pair: pair / 3


def plus_a_square(rng, variables, generators, prior):
    w = sympy.Symbol("w")
    return ask([*generators, w], prior=prior), lambda pair: pair + Pair.of("1/2")


def plus_a_fourth_power(rng, variables, generators, prior):
    w = sympy.Symbol("w")
    return ask([*generators, w**2], prior=prior), lambda pair: pair + Pair.of("1/4")


def times_a_square(rng, variables, generators, prior):
    w = sympy.Symbol("w")
    moved = [sympy.expand(w * g) for g in generators]
    return ask(moved, prior=prior), lambda pair: pair * Pair.of("1/2")


def even_on_a_half_space(rng, variables, generators, prior):
    # g(x²) on x ≥ 0 and on R: the same; and x ≥ 0 with prior h is x = u² with prior 2h + 1.
    x = variables[0]
    there = {**prior, str(x): 2 * Fraction(prior.get(str(x), 0)) + 1}
    walls = ask(generators, prior=prior, nonneg=[str(x)])
    free = ask([sympy.expand(g.subs(x, x**2)) for g in generators], prior=there)
    return free, lambda pair: pair, walls


CHANGED = [
    squared,
    cubed_text,
    plus_a_square,
    plus_a_fourth_power,
    times_a_square,
    even_on_a_half_space,
]


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGED, ids=lambda f: f.__name__)
def test_the_pair_changes_by_its_rule(change):
    rng = random.Random(change.__name__)
    exact = 0
    for _ in range(12):
        variables, generators = random_ideal(rng)
        prior = random_prior(rng, variables)
        found = change(rng, variables, generators, prior)
        if found is None:
            continue
        after, rule, *given = found
        before = given[0] if given else ask(generators, prior=prior)
        assert agree(shifted(before, rule), after), (generators, prior, before, after)
        exact += before[0] == before[1] and after[0] == after[1]
    assert exact >= 3


def test_fewer_generators_never_give_more():
    """J ⊂ I has the smaller pair: its proved lower bound is no more than I's upper bound."""
    rng = random.Random(5)
    for _ in range(25):
        variables, generators = random_ideal(rng)
        if len(generators) < 2:
            continue
        whole = ask(generators)
        for k in range(len(generators)):
            part = [g for j, g in enumerate(generators) if j != k]
            low, _ = ask(part)
            assert whole[1] is None or low <= whole[1], (generators, k)
        product = ask([sympy.expand(g * variables[0]) for g in generators])
        assert whole[1] is None or product[0] <= whole[1]


def test_bounds_of_every_dimension():
    """1/m ≤ λ ≤ d/m for m = ord K, and 2λ ≥ the rank of the linear parts."""
    rng = random.Random(6)
    for _ in range(25):
        variables, generators = random_ideal(rng)
        low, high = ask(generators)
        order = 2 * min(sum(m) for g in generators for m in sympy.Poly(g, *variables).monoms())
        assert low.lam >= Fraction(1, order)
        assert high is not None
        assert high.lam <= Fraction(len(variables), order)
        jacobian = sympy.Matrix([[sympy.diff(g, v) for v in variables] for g in generators])
        rank = jacobian.subs(dict.fromkeys(variables, 0)).rank()
        assert 2 * low.lam >= rank


def test_a_wrong_pair_would_be_noticed():
    """The comparisons above reject λ and θ that are off."""
    exact = (Pair.of("1/2", 2), Pair.of("1/2", 2))
    for wrong in (Pair.of("1/2", 1), Pair.of("1/2", 3), Pair.of("5/12", 2), Pair.of("2/3", 2)):
        assert not agree(exact, (wrong, wrong))
        assert not agree((wrong, wrong), exact)
    assert agree(exact, (Pair.of("1/4"), Pair.of(1)))
    assert not agree(exact, (Pair.of("3/4"), None))
