"""Rules that reduce a statement to others; ``theory/certificates.md`` proves each."""

from __future__ import annotations

from fractions import Fraction
from operator import le

from rlct.certificate import cost
from rlct.certificate.germs.parts import POWER_REASON
from rlct.certificate.numbers.arithmetic import (
    Poly,
    is_one_signed,
    less_multiple,
    poly_exact_quotient,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    total_degree,
    value_at_origin,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    ideal_of,
    need,
    read_index,
)

__all__: list[str] = []


@checked_rule("squares", "{squares: [(number, polynomial)]+}")
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
    f"∵ {POWER_REASON}",
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


@checked_rule("simplify", "{operations: [operation]}")
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
    "inner",
    "{inner: polynomial, outer: [polynomial], variable: index}",
    wording="A coordinate\n"
    "The generators depend on `{variable}` through `{inner}` alone, which is `{variable}` "
    "times a unit: it is a coordinate, and is called `{variable}` from here on. The pair "
    "is that of {child}.",
)
def inner(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """(g_k(x, h(y))) has the pair of (g_k(x, y)).

    If h(0) = 0 and h′(0) ≠ 0: then h(y) is a coordinate in place of y, and y times a unit, so that
    the prior |y|^p is |h(y)|^p times a positive function (``theory/certificates.md``).
    """
    need(statement.is_ideal, "inner: not an ideal")
    y = read_index(data["variable"], statement.width, "inner: no such variable")
    h = statement.polynomial(data["inner"])
    need(
        all(set(m) - {m[y]} <= {0} and sum(m) == m[y] > 0 for m in h) and any(m[y] == 1 for m in h),
        "inner: not a coordinate",
    )
    outer_polynomials = [statement.polynomial(g) for g in data["outer"]]
    need(len(outer_polynomials) == len(statement.generators), "inner: the number of generators")
    highest = max((m[y] for g in outer_polynomials for m in g), default=0)
    powers: list[Poly] = [{(0,) * statement.width: Fraction(1)}]
    # A power of higher degree is in no generator: this bounds what it costs.
    most = max(m[y] for g in statement.generators for m in g)
    need(highest * total_degree(h) <= most, "inner: the degree is too high")
    for _ in range(highest):
        powers.append(poly_product(powers[-1], h))
    for g, whole in zip(outer_polynomials, statement.generators, strict=True):
        parts = []
        for k in sorted({m[y] for m in g}):
            digit = {(*m[:y], 0, *m[y + 1 :]): c for m, c in g.items() if m[y] == k}
            parts.append(poly_product(digit, powers[k]))
        need(poly_sum(*parts) == whole, "inner: another generator")
    return solve_child(ideal_of(statement, outer_polynomials))


@checked_rule(
    "rational",
    wording="Rational coefficients\n"
    "No coefficient is irrational any more: the ideal is {child} over `Q`.",
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
