"""Rules that reduce a statement to others; ``theory/certificates.md`` proves each."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_, le
from typing import Any

from rlct.certificate import cost
from rlct.certificate.germs.leaves import unit_is_positive
from rlct.certificate.numbers.arithmetic import (
    Poly,
    is_one_signed,
    less_multiple,
    poly_exact_quotient,
    poly_power,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    total_degree,
    value_at_origin,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.rules import ChildTrait, RuleScope, Sign, checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    by_group,
    disjoint_groups,
    ideal_of,
    need,
    product_of,
    read_index,
    read_indices,
    restricted_to_group,
    sum_of,
)
from rlct.pair import Pair

_POWER_LAW = "`{K^m < t} = {K < t^(1/m)}`: for a power `K^m`, `λ` is divided by `m`, and `θ` stays."


@checked_rule(
    "squares",
    "{squares: [(number, polynomial)]+}",
    sign=Sign.NONNEGATIVE,
    child=ChildTrait.SAME_VARIABLES | ChildTrait.EQUAL,
)
def squares(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """K = Σ c·g² has the pair of the ideal of the g.

    If all c > 0: then K lies between multiples of Σ g² (comparison, ``theory/conventions.md``).
    """
    need(not statement.is_ideal, "squares: the statement is already an ideal")
    items = [(read_fraction(c), statement.polynomial(g)) for c, g in data["squares"]]
    need(all(c > 0 for c, _ in items), "squares: a coefficient is not positive")
    # Expanded over Q and compared term by term: the margin is 0.
    total = poly_sum(*(poly_scale(poly_product(g, g), c) for c, g in items))
    need(total == statement.generators[0], "squares: the sum of squares is not K")
    return solve_child(ideal_of(statement, [g for _, g in items]))


@checked_rule(
    "modulus",
    wording="Square root\n"
    "`|K| = (K^2)^(1/2)`, and `K^2` is that of the ideal {child}.\n"
    "→ {pair} for `K^2`, so for its square root `λ` doubles: {result}.\n"
    f"∵ {_POWER_LAW}",
    keeps=~Sign.OPEN,
    child=ChildTrait.SAME_VARIABLES,
)
def modulus(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """|g| has twice the λ of the ideal (g), with the same θ.

    Without a condition: |g| = (g²)^½, and λ(K^m) = λ(K)/m (power, ``theory/conventions.md``).
    """
    need(not statement.is_ideal, "modulus: the statement is already an ideal")
    lower, upper = solve_child(ideal_of(statement, list(statement.generators)))
    half = Fraction(1, 2)
    return lower / half, None if upper is None else upper / half


@checked_rule(
    "positive",
    wording="Terms that cannot cancel\n"
    "In {generators} terms cannot cancel near the point, so `K` is comparable with the "
    "sum of the squares of these terms, and the pair is that of the monomials {child}.\n"
    "∵ Terms of a generator cannot cancel if all have one sign (coefficients of one sign "
    "and exponents congruent modulo 2), or if one of them divides all others; multiples "
    "of monomials that are already bounded may be dropped first.",
    keeps=Sign.NOWHERE_ZERO,
    child=ChildTrait.SAME_VARIABLES,
)
def positive(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """The ideal has the pair of the ideal of monomials x^a with |x^a|² ≤ C·K.

    If no term of a generator cancels another, multiples of the x^a left out, and if in the end
    every term is such a multiple ("terms that cannot cancel", ``theory/certificates.md``).
    """
    need(statement.is_ideal, "positive: not an ideal")
    bounded_monomials: list[tuple[int, ...]] = []
    generators_left = list(statement.generators)
    while generators_left:
        # √K bounds each generator, and so what is left of it after multiples of bounded monomials.
        new = [m for g in generators_left for m in _without_cancellation(g)]
        need(bool(new), "positive: the terms of a generator may cancel")
        steps = cost.of_table(
            len(new) + sum(map(len, generators_left)), len(new) + len(bounded_monomials), 5
        )
        cost.charge(steps + 10 * sum(map(len, generators_left)), "the comparison of monomials")
        for m in sorted(set(new), key=lambda m: (sum(m), m)):
            if not any(_divides(a, m) for a in bounded_monomials):
                bounded_monomials = [a for a in bounded_monomials if not _divides(m, a)] + [m]
        generators_left = [
            {m: c for m, c in g.items() if not any(_divides(a, m) for a in bounded_monomials)}
            for g in generators_left
        ]
        generators_left = [g for g in generators_left if g]
    return solve_child(ideal_of(statement, [{m: Fraction(1)} for m in bounded_monomials]))


def _without_cancellation(p: Poly) -> list[tuple[int, ...]]:
    """Monomials with |p| ≥ c·Σ |x^m| near the origin, or none: its terms may cancel."""
    common = tuple(map(min, zip(*p, strict=True)))
    if common in p:
        return [common]
    return list(p) if is_one_signed(p) else []


def _divides(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(map(le, a, b))


@checked_rule(
    "simplify",
    "{operations: [operation]}",
    keeps=Sign.NOWHERE_ZERO,
    child=ChildTrait.SAME_VARIABLES | ChildTrait.COMPARABLE,
)
def simplify(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """The ideal, and so the pair, is that of the changed generators.

    If each step divides a generator by a unit (≠ 0 at the origin) without remainder, or subtracts
    a multiple of another generator: both can be undone (``theory/certificates.md``).
    """
    need(statement.is_ideal, "simplify: not an ideal")
    generators = list(statement.generators)
    size = len(generators)
    for operation in data["operations"]:
        if "divide" in operation:
            i = read_index(operation["divide"], size, "simplify: no such generator")
            unit = statement.polynomial(operation["by"])
            # The old generator is the quotient times a unit, which has an inverse near 0.
            need(bool(value_at_origin(unit)), "simplify: division by a non-unit")
            generators[i] = poly_exact_quotient(generators[i], unit)
        else:
            i = read_index(operation["from"], size, "simplify: no such generator")
            j = read_index(operation["subtract"], size, "simplify: no such generator")
            need(i != j, "simplify: a generator subtracted from itself")
            factor = statement.polynomial(operation["times"])
            generators[i] = less_multiple(generators[i], factor, generators[j])
    return solve_child(ideal_of(statement, generators))


@checked_rule(
    "rational",
    wording="Rational coefficients\n"
    "No coefficient is irrational any more: the ideal is {child} over `Q`.",
    child=ChildTrait.SAME_VARIABLES,
)
def rational(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """The pair over Q(γ) is that of the same polynomials over Q.

    If every coefficient is a multiple of γ⁰ = 1 as it is written (``theory/points.md``).
    """
    need(statement.field is not None, "rational: the statement is over Q")
    moved: list[Poly] = [{m: _rational(c) for m, c in g.items()} for g in statement.generators]
    return solve_child(Statement(tuple(moved), statement.prior, statement.is_ideal))


def _rational(c: RealNumber) -> Fraction:
    if isinstance(c, Fraction):
        return c
    need(not any(c.top[1:]), "rational: a coefficient is not seen to be rational")
    return Fraction(c.top[0], c.bottom)


@checked_rule("sum", "{groups: [[index]]}")
def total(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(I_1 + I_2 + …) = pair(I_1) + pair(I_2) + …: λ adds, and so does θ − 1.

    If every generator lies in one group of variables, and the groups are disjoint (sum,
    ``theory/conventions.md``).
    """
    need(statement.is_ideal, "sum: not an ideal")
    groups = disjoint_groups(statement.width, data)
    parts = by_group(statement.generators, groups, statement.width)
    return sum_of(
        [
            solve_child(restricted_to_group(statement, p, g))
            for p, g in zip(parts, groups, strict=True)
        ]
    )


def _sign_of_product(step: Mapping[str, Any], below: Iterable[Sign]) -> Sign:
    """All factors are so; of K the unit counts."""
    all_signs = ~Sign.OPEN if unit_is_positive(step["data"]) else Sign.NOWHERE_ZERO
    return reduce(and_, below, all_signs)


@checked_rule(
    "product",
    "{groups: [[index]], factor: polynomial | [integer]} | {groups: [[index]], factors: "
    "[polynomial], unit?: polynomial}",
    sign=_sign_of_product,
)
def product(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(K_1·K_2⋯) has the least λ, and the sum of the θ of the factors that attain it.

    If the factors multiply to K or the generators, up to a unit, and use disjoint groups of
    variables (product, ``theory/conventions.md``).
    """
    groups = disjoint_groups(statement.width, data)
    if statement.is_ideal:
        h = statement.polynomial(data["factor"])
        need(len(groups) == 2, "product: an ideal splits into two factors")
        parts = [[h], [poly_exact_quotient(g, h) for g in statement.generators]]
    else:
        unit = statement.polynomial(data["unit"])
        # Near 0 the unit lies between two numbers of one sign: it changes no pair.
        need(bool(value_at_origin(unit)), "product: the unit vanishes")
        factors = [statement.polynomial(f) for f in data["factors"]]
        factors_product = unit
        for f in factors:
            factors_product = poly_product(factors_product, f)
        need(
            factors_product == statement.generators[0], "product: the factors do not multiply to K"
        )
        parts = [[f] for f in factors]
    need(len(parts) == len(groups), "product: as many groups as factors are needed")
    return product_of(
        [
            solve_child(restricted_to_group(statement, p, g))
            for p, g in zip(parts, groups, strict=True)
        ]
    )


@checked_rule(
    "power",
    "{exponent: positive, root: polynomial}",
    wording="Power rule\n"
    "The generator is a constant or unit times the power `({root})^{exponent}`.\n"
    "→ `λ` is divided by `{exponent}`: {pair} becomes {result}.\n"
    f"∵ {_POWER_LAW}",
    keeps=Sign.NOWHERE_ZERO,
    child=ChildTrait.SAME_VARIABLES,
)
def root(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair((g^m)) = pair((g))/m: λ is divided by m and θ stays.

    If the only generator is c·g^m with a number c ≠ 0 (power, ``theory/conventions.md``).
    """
    m, g = data["exponent"], statement.polynomial(data["root"])
    need(statement.is_ideal and len(statement.generators) == 1, "power: not a principal ideal")
    need(type(m) is int and m >= 2, "power: the exponent is not an integer above 1")
    (f,) = statement.generators
    # Only powers of the right degree are expanded; the comparison of all terms decides.
    need(m * total_degree(g) == total_degree(f), "power: the degrees do not fit")
    multiple = poly_power(g, m, statement.width)
    ratio = f[max(f)] / multiple[max(multiple)] if multiple else Fraction(0)
    need(poly_scale(multiple, ratio) == f, "power: the generator is not that power")
    lower, upper = solve_child(ideal_of(statement, [g]))
    return lower / m, None if upper is None else upper / m


@checked_rule("eliminate", "{generator: index, variable: index}")
def eliminate(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(I) = (1/2, 1) + pair(J), J the other generators at x = −r/u.

    If a generator is u·x + r with u(0) ≠ 0, u and r free of x, and x has no prior: it is a
    coordinate in place of x (linear generator, ``theory/conventions.md``).
    """
    need(statement.is_ideal, "eliminate: not an ideal")
    chosen_generator = read_index(
        data["generator"], len(statement.generators), "eliminate: no such generator"
    )
    i = read_index(data["variable"], statement.width, "eliminate: no such variable")
    need(statement.prior[i] == 0, "eliminate: the prior involves the variable")
    g = statement.generators[chosen_generator]
    need(max(m[i] for m in g) == 1, "eliminate: the variable is not linear")
    u = _coefficient(g, i, 1)
    minus_r = poly_scale(_coefficient(g, i, 0), -1)
    # The derivative of g by x at 0 is u(0): if it is not 0, g is a coordinate in place of x.
    need(bool(value_at_origin(u)), "eliminate: the coefficient vanishes at the origin")
    other_generators = []
    for k, other_generator in enumerate(statement.generators):
        if k == chosen_generator:
            continue
        # u^n times the generator at x = −r/u: a polynomial, and the unit u^n changes no ideal.
        n = max(m[i] for m in other_generator)
        image: Poly = {}
        for e in sorted({m[i] for m in other_generator}):
            cost.charge(5 * len(other_generator), "an elimination of a variable")
            factor = poly_product(
                poly_power(minus_r, e, statement.width), poly_power(u, n - e, statement.width)
            )
            image = poly_sum(image, poly_product(_coefficient(other_generator, i, e), factor))
        if image:
            other_generators.append(image)
    regular = Pair(Fraction(1, 2), 1)
    if not other_generators:
        return regular, regular
    variables_left = [k for k in range(statement.width) if k != i]
    lower, upper = solve_child(restricted_to_group(statement, other_generators, variables_left))
    return lower + regular, None if upper is None else upper + regular


def _coefficient(p: Poly, i: int, exponent: int) -> Poly:
    return {(*m[:i], 0, *m[i + 1 :]): c for m, c in p.items() if m[i] == exponent}


@checked_rule(
    "subideal",
    "{kept: [index]}",
    wording="Fewer generators\n"
    "Leaving generators out makes `K` smaller; what remains is {child}.\n"
    "→ A smaller `K` has a smaller pair, so this is a lower bound: {result}.",
    child=ChildTrait.SAME_VARIABLES,
)
def subideal(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(I) ≥ the lower bound of J ⊂ I; nothing from above.

    Without a condition: fewer squares make a smaller K (comparison, ``theory/conventions.md``).
    """
    need(statement.is_ideal, "subideal: not an ideal")
    chosen_generators = read_indices(
        data["kept"], len(statement.generators), "subideal: no such generator"
    )
    lower, _ = solve_child(
        ideal_of(statement, [statement.generators[k] for k in chosen_generators])
    )
    return lower, None


@checked_rule(
    "enclose",
    scope=RuleScope.GERM | RuleScope.FAMILY | RuleScope.BOX,
    wording="The better of two bounds\n"
    "The germ is bounded in several ways.\n"
    "→ {pairs}. The largest lower and the smallest upper bound hold: {result}.",
    keeps=Sign.NONNEGATIVE,
    child=ChildTrait.SAME_VARIABLES | ChildTrait.SAME_STATEMENT,
)
def enclose(bounds: Sequence[PairBounds]) -> PairBounds:
    """The pair lies above the largest lower and below the smallest upper bound of several.

    Without a condition: all bound the same pair (``theory/certificates.md``).
    """
    need(bool(bounds), "enclose: a step of the proof is missing")
    uppers = [upper for _, upper in bounds if upper is not None]
    return max(lower for lower, _ in bounds), min(uppers, default=None)
