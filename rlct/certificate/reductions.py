"""Rules that reduce a statement to others; ``theory/certificates.md`` proves each."""

from __future__ import annotations

from fractions import Fraction
from operator import le

from rlct.certificate import cost
from rlct.certificate.arithmetic import (
    Poly,
    add,
    constant,
    degree,
    divide,
    fraction,
    multiply,
    one_signed,
    power,
    scale,
)
from rlct.certificate.field import Number
from rlct.certificate.statement import (
    Bounds,
    Data,
    Rule,
    Solve,
    Statement,
    by_group,
    disjoint_groups,
    ideal_of,
    index,
    indices,
    need,
    product_of,
    restricted,
    sum_of,
)
from rlct.errors import CertificateError
from rlct.pair import Pair

__all__ = ["REDUCTIONS"]


def squares(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """K = Σ c·g², c > 0."""
    need(not statement.is_ideal, "squares: the statement is already an ideal")
    items = [(fraction(c), statement.polynomial(g)) for c, g in data["squares"]]
    need(all(c > 0 for c, _ in items), "squares: a coefficient is not positive")
    total = add(*(scale(multiply(g, g), c) for c, g in items))
    need(total == statement.generators[0], "squares: the sum of squares is not K")
    return solve(ideal_of(statement, [g for _, g in items]))


def modulus(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """K = |g| = (g²)^½."""
    need(not statement.is_ideal, "modulus: the statement is already an ideal")
    lower, upper = solve(ideal_of(statement, list(statement.generators)))
    half = Fraction(1, 2)
    return lower / half, None if upper is None else upper / half


def positive(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Generators whose terms cannot cancel, and the monomials of these terms."""
    need(statement.is_ideal, "positive: not an ideal")
    found: list[tuple[int, ...]] = []
    rest = list(statement.generators)
    while rest:
        new = [m for g in rest for m in _without_cancellation(g)]
        need(bool(new), "positive: the terms of a generator may cancel")
        steps = cost.table(len(new) + sum(map(len, rest)), len(new) + len(found), 5)
        cost.charge(steps + 10 * sum(map(len, rest)), "the comparison of monomials")
        for m in sorted(set(new), key=lambda m: (sum(m), m)):
            if not any(_divides(a, m) for a in found):
                found = [a for a in found if not _divides(m, a)] + [m]
        rest = [
            {m: c for m, c in g.items() if not any(_divides(a, m) for a in found)} for g in rest
        ]
        rest = [g for g in rest if g]
    return solve(ideal_of(statement, [{m: Fraction(1)} for m in found]))


def _without_cancellation(p: Poly) -> list[tuple[int, ...]]:
    """Monomials with |p| ≥ c·Σ |x^m| near the origin, or nothing if that is not seen."""
    common = tuple(map(min, zip(*p, strict=True)))
    if common in p:
        return [common]
    return list(p) if one_signed(p) else []


def _divides(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(map(le, a, b))


def simplify(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Elementary operations on generators of an ideal of the local ring."""
    need(statement.is_ideal, "simplify: not an ideal")
    generators = list(statement.generators)
    size = len(generators)
    for operation in data["operations"]:
        if "divide" in operation:
            i = index(operation["divide"], size, "simplify: no such generator")
            unit = statement.polynomial(operation["by"])
            need(bool(constant(unit)), "simplify: division by a non-unit")
            generators[i] = _quotient(generators[i], unit)
        else:
            i = index(operation["from"], size, "simplify: no such generator")
            j = index(operation["subtract"], size, "simplify: no such generator")
            need(i != j, "simplify: a generator subtracted from itself")
            factor = statement.polynomial(operation["times"])
            generators[i] = add(generators[i], scale(multiply(factor, generators[j]), -1))
    return solve(ideal_of(statement, generators))


def _quotient(p: Poly, divisor: Poly) -> Poly:
    """Exact quotient by a polynomial; raises if there is a remainder."""
    quotient = divide(p, divisor)
    if quotient is None:
        raise CertificateError("a division leaves a remainder")
    return quotient


def total(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Sum rule over disjoint variables."""
    need(statement.is_ideal, "sum: not an ideal")
    groups = disjoint_groups(statement.width, data)
    parts = by_group(statement.generators, groups, statement.width)
    return sum_of([solve(restricted(statement, p, g)) for p, g in zip(parts, groups, strict=True)])


def product(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Product rule over disjoint variables."""
    groups = disjoint_groups(statement.width, data)
    if statement.is_ideal:
        h = statement.polynomial(data["factor"])
        need(len(groups) == 2, "product: an ideal splits into two factors")
        parts = [[h], [_quotient(g, h) for g in statement.generators]]
    else:
        unit = statement.polynomial(data["unit"])
        need(bool(constant(unit)), "product: the unit vanishes")
        factors = [statement.polynomial(f) for f in data["factors"]]
        whole = unit
        for f in factors:
            whole = multiply(whole, f)
        need(whole == statement.generators[0], "product: the factors do not multiply to K")
        parts = [[f] for f in factors]
    need(len(parts) == len(groups), "product: as many groups as factors are needed")
    return product_of(
        [solve(restricted(statement, p, g)) for p, g in zip(parts, groups, strict=True)]
    )


def root(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """(g^m) from (g)."""
    m, g = data["exponent"], statement.polynomial(data["root"])
    need(statement.is_ideal and len(statement.generators) == 1, "power: not a principal ideal")
    need(type(m) is int and m >= 2, "power: the exponent is not an integer above 1")
    (f,) = statement.generators
    need(m * degree(g) == degree(f), "power: the degrees do not fit")
    multiple = power(g, m, statement.width)
    ratio = f[max(f)] / multiple[max(multiple)] if multiple else Fraction(0)
    need(scale(multiple, ratio) == f, "power: the generator is not that power")
    lower, upper = solve(ideal_of(statement, [g]))
    return lower / m, None if upper is None else upper / m


def eliminate(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """A generator u·x + r with u(0) ≠ 0 replaces the coordinate x."""
    need(statement.is_ideal, "eliminate: not an ideal")
    chosen = index(data["generator"], len(statement.generators), "eliminate: no such generator")
    i = index(data["variable"], statement.width, "eliminate: no such variable")
    need(statement.prior[i] == 0, "eliminate: the prior involves the variable")
    g = statement.generators[chosen]
    need(max(m[i] for m in g) == 1, "eliminate: the variable is not linear")
    u = _coefficient(g, i, 1)
    minus_r = scale(_coefficient(g, i, 0), -1)
    need(bool(constant(u)), "eliminate: the coefficient vanishes at the origin")
    rest = []
    for k, other in enumerate(statement.generators):
        if k == chosen:
            continue
        n = max(m[i] for m in other)
        image: Poly = {}
        for e in sorted({m[i] for m in other}):
            cost.charge(5 * len(other), "an elimination of a variable")
            factor = multiply(power(minus_r, e, statement.width), power(u, n - e, statement.width))
            image = add(image, multiply(_coefficient(other, i, e), factor))
        if image:
            rest.append(image)
    regular = Pair(Fraction(1, 2), 1)
    if not rest:
        return regular, regular
    kept = [k for k in range(statement.width) if k != i]
    lower, upper = solve(restricted(statement, rest, kept))
    return lower + regular, None if upper is None else upper + regular


def _coefficient(p: Poly, i: int, exponent: int) -> Poly:
    return {(*m[:i], 0, *m[i + 1 :]): c for m, c in p.items() if m[i] == exponent}


def rational(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """No generator has an irrational coefficient."""
    need(statement.field is not None, "rational: the statement is over Q")
    moved: list[Poly] = [{m: _rational(c) for m, c in g.items()} for g in statement.generators]
    return solve(Statement(tuple(moved), statement.prior, statement.is_ideal))


def _rational(c: Number) -> Fraction:
    if isinstance(c, Fraction):
        return c
    need(not any(c.top[1:]), "rational: a coefficient is not seen to be rational")
    return Fraction(c.top[0], c.bottom)


def subideal(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Fewer generators: a smaller K, so a lower bound."""
    need(statement.is_ideal, "subideal: not an ideal")
    kept = indices(data["kept"], len(statement.generators), "subideal: no such generator")
    lower, _ = solve(ideal_of(statement, [statement.generators[k] for k in kept]))
    return lower, None


REDUCTIONS: dict[str, Rule] = {
    "squares": squares,
    "modulus": modulus,
    "positive": positive,
    "simplify": simplify,
    "sum": total,
    "product": product,
    "power": root,
    "eliminate": eliminate,
    "subideal": subideal,
    "rational": rational,
}
