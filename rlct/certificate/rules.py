"""The rules of a certificate, replayed: each turns a statement into bounds or raises.

A statement is a list of polynomials near the origin with a prior Π|x|^h; it asks for the pair
of K = Σ g² (an ideal) or of K = |g|.  ``theory/certificates.md`` proves every rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.certificate import faces
from rlct.certificate.arithmetic import (
    Poly,
    add,
    constant,
    fraction,
    multiply,
    power,
    read,
    scale,
    variables,
)
from rlct.certificate.linear import rank
from rlct.errors import CertificateError
from rlct.pair import Pair

__all__ = ["RULES", "Bounds", "Statement"]

Bounds = tuple[Pair, Pair | None]
Data = dict[str, Any]


@dataclass(frozen=True)
class Statement:
    """Polynomials in `width` variables, all zero at the origin, with prior exponents h ≥ 0."""

    generators: tuple[Poly, ...]
    prior: tuple[Fraction, ...]
    is_ideal: bool

    @property
    def width(self) -> int:
        """Number of variables."""
        return len(self.prior)


#: A rule takes the statement, its evidence and a function that solves the n-th child.
Solve = Callable[[Statement], Bounds]
Rule = Callable[[Statement, Data, Solve], Bounds]


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise CertificateError(message)


def _ideal(statement: Statement, generators: list[Poly]) -> Statement:
    kept = tuple(g for g in generators if g)
    _need(bool(kept), "no generator is left")
    _need(not any(constant(g) for g in kept), "a generator does not vanish at the origin")
    return Statement(kept, statement.prior, True)


def _restricted(statement: Statement, generators: list[Poly], group: list[int]) -> Statement:
    _need(
        variables(generators) <= set(group) and group == sorted(set(group)),
        "a part uses variables outside its group",
    )
    moved = tuple({tuple(m[i] for i in group): c for m, c in g.items()} for g in generators)
    _need(bool(moved) and not any(constant(g) for g in moved), "a part does not vanish")
    return Statement(moved, tuple(statement.prior[i] for i in group), statement.is_ideal)


def _groups(statement: Statement, data: Data) -> list[list[int]]:
    groups = data.get("groups")
    flat: list[int] = []
    if isinstance(groups, list) and all(isinstance(group, list) for group in groups):
        flat = [i for group in groups for i in group]
    _need(
        bool(flat)
        and all(type(i) is int and 0 <= i < statement.width for i in flat)
        and len(set(flat)) == len(flat),
        "the groups of variables are not disjoint",
    )
    assert isinstance(groups, list)
    return groups


def squares(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """K = Σ c·g², c > 0."""
    _need(not statement.is_ideal, "squares: the statement is already an ideal")
    items = [(fraction(c), read(g, statement.width)) for c, g in data["squares"]]
    _need(all(c > 0 for c, _ in items), "squares: a coefficient is not positive")
    total = add(*(scale(multiply(g, g), c) for c, g in items))
    _need(total == statement.generators[0], "squares: the sum of squares is not K")
    return solve(_ideal(statement, [g for _, g in items]))


def modulus(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """K = |g| = (g²)^½."""
    _need(not statement.is_ideal, "modulus: the statement is already an ideal")
    lower, upper = solve(_ideal(statement, list(statement.generators)))
    half = Fraction(1, 2)
    return lower / half, None if upper is None else upper / half


def simplify(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Elementary operations on generators of an ideal of the local ring."""
    _need(statement.is_ideal, "simplify: not an ideal")
    generators = list(statement.generators)
    for operation in data["operations"]:
        if "divide" in operation:
            i, unit = operation["divide"], read(operation["by"], statement.width)
            _need(bool(constant(unit)), "simplify: division by a non-unit")
            generators[i] = _quotient(generators[i], unit)
        else:
            i, j = operation["from"], operation["subtract"]
            _need(i != j and min(i, j) >= 0, "simplify: a generator subtracted from itself")
            factor = read(operation["times"], statement.width)
            generators[i] = add(generators[i], scale(multiply(factor, generators[j]), -1))
    return solve(_ideal(statement, generators))


def _quotient(p: Poly, divisor: Poly) -> Poly:
    """Exact quotient by a polynomial; raises if there is a remainder."""
    lead = max(divisor)
    quotient: Poly = {}
    while p:
        top = max(p)
        exponents = tuple(a - b for a, b in zip(top, lead, strict=True))
        _need(min(exponents) >= 0, "a division leaves a remainder")
        term = {exponents: p[top] / divisor[lead]}
        quotient |= term
        p = add(p, scale(multiply(term, divisor), -1))
    return quotient


def total(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Sum rule over disjoint variables."""
    _need(statement.is_ideal, "sum: not an ideal")
    groups = _groups(statement, data)
    parts: list[list[Poly]] = [[] for _ in groups]
    for g in statement.generators:
        home = [k for k, group in enumerate(groups) if variables([g]) <= set(group)]
        _need(len(home) == 1, "sum: a generator meets two groups")
        parts[home[0]].append(g)
    results = [solve(_restricted(statement, p, g)) for p, g in zip(parts, groups, strict=True)]
    uppers = [upper for _, upper in results if upper is not None]
    upper = Pair.sum(uppers) if len(uppers) == len(results) else None
    return Pair.sum(lower for lower, _ in results), upper


def product(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Product rule over disjoint variables."""
    groups = _groups(statement, data)
    if statement.is_ideal:
        h = read(data["factor"], statement.width)
        _need(len(groups) == 2, "product: an ideal splits into two factors")
        parts = [[h], [_quotient(g, h) for g in statement.generators]]
    else:
        unit = read(data["unit"], statement.width)
        _need(bool(constant(unit)), "product: the unit vanishes")
        factors = [read(f, statement.width) for f in data["factors"]]
        whole = unit
        for f in factors:
            whole = multiply(whole, f)
        _need(whole == statement.generators[0], "product: the factors do not multiply to K")
        parts = [[f] for f in factors]
    _need(len(parts) == len(groups), "product: as many groups as factors are needed")
    lower: Pair | None = None
    upper: Pair | None = None
    for part, group in zip(parts, groups, strict=True):
        low, high = solve(_restricted(statement, part, group))
        lower = low if lower is None else lower * low
        upper = high if upper is None else upper if high is None else upper * high
    assert lower is not None
    return lower, upper


def root(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """(g^m) from (g)."""
    m, g = data["exponent"], read(data["root"], statement.width)
    _need(statement.is_ideal and len(statement.generators) == 1, "power: not a principal ideal")
    _need(type(m) is int and m >= 2, "power: the exponent is not an integer above 1")
    multiple = power(g, m, statement.width)
    (f,) = statement.generators
    ratio = f[max(f)] / multiple[max(multiple)] if multiple else Fraction(0)
    _need(scale(multiple, ratio) == f, "power: the generator is not that power")
    lower, upper = solve(_ideal(statement, [g]))
    return lower / m, None if upper is None else upper / m


def eliminate(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """A generator u·x + r with u(0) ≠ 0 replaces the coordinate x."""
    _need(statement.is_ideal, "eliminate: not an ideal")
    index, i = data["generator"], data["variable"]
    _need(type(index) is int and 0 <= index < len(statement.generators), "eliminate: index")
    _need(type(i) is int and 0 <= i < statement.width, "eliminate: variable")
    _need(statement.prior[i] == 0, "eliminate: the prior involves the variable")
    g = statement.generators[index]
    _need(max(m[i] for m in g) == 1, "eliminate: the variable is not linear")
    u = _coefficient(g, i, 1)
    minus_r = scale(_coefficient(g, i, 0), -1)
    _need(bool(constant(u)), "eliminate: the coefficient vanishes at the origin")
    rest = []
    for k, other in enumerate(statement.generators):
        if k == index:
            continue
        n = max(m[i] for m in other)
        image: Poly = {}
        for e in range(n + 1):
            factor = multiply(power(minus_r, e, statement.width), power(u, n - e, statement.width))
            image = add(image, multiply(_coefficient(other, i, e), factor))
        if image:
            rest.append(image)
    regular = Pair(Fraction(1, 2), 1)
    if not rest:
        return regular, regular
    kept = [k for k in range(statement.width) if k != i]
    lower, upper = solve(_restricted(statement, rest, kept))
    return lower + regular, None if upper is None else upper + regular


def _coefficient(p: Poly, i: int, exponent: int) -> Poly:
    return {(*m[:i], 0, *m[i + 1 :]): c for m, c in p.items() if m[i] == exponent}


def subideal(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Fewer generators: a smaller K, so a lower bound."""
    kept = data["kept"]
    _need(statement.is_ideal, "subideal: not an ideal")
    _need(
        all(type(k) is int and 0 <= k < len(statement.generators) for k in kept),
        "subideal: no such generator",
    )
    lower, _ = solve(_ideal(statement, [statement.generators[k] for k in kept]))
    return lower, None


def smooth(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Independent differentials, also without the variables of the prior."""
    free = [i for i, h in enumerate(statement.prior) if h == 0]
    r = len(statement.generators)
    _need(statement.is_ideal, "smooth: not an ideal")
    _need(rank(_jacobian(statement, free)) == r, "smooth: the differentials are dependent")
    pair = Pair(Fraction(r, 2), 1)
    return pair, pair


def _jacobian(statement: Statement, columns: list[int]) -> list[list[Fraction]]:
    units = [tuple(int(i == j) for j in range(statement.width)) for i in columns]
    return [[g.get(unit, Fraction(0)) for unit in units] for g in statement.generators]


def _floor(statement: Statement) -> Pair:
    lowest = min(sum(m) for g in statement.generators for m in g)
    order_bound = Pair(Fraction(1, 2 * lowest), 1)
    s = rank(_jacobian(statement, list(range(statement.width))))
    return max(order_bound, Pair(Fraction(s, 2), 1)) if s else order_bound


def _programme(
    statement: Statement, data: Data, exponents: set[tuple[int, ...]]
) -> tuple[Pair, list[list[Fraction]]]:
    """Pair of the monomial ideal of the exponents from weights and multipliers."""
    costs = [1 + h for h in statement.prior]
    weights = [[fraction(x) for x in point] for point in data["weights"]]
    multipliers = [(tuple(a), fraction(y)) for a, y in data["multipliers"]]
    _need(bool(weights), "no optimal weight is given")
    for a, y in multipliers:
        _need(a in exponents, f"{list(a)} is not an exponent of the ideal")
        _need(y > 0, "a multiplier is not positive")
    value = sum((y for _, y in multipliers), Fraction(0))
    slack = [c - sum(y * a[j] for a, y in multipliers) for j, c in enumerate(costs)]
    _need(min(slack) >= 0, "the multipliers are not feasible")
    for v in weights:
        _need(len(v) == len(costs) and min(v) >= 0, "a weight is negative")
        _need(_dot(v, costs) == value, "a weight does not attain the value of the multipliers")
        _need(all(_dot(v, a) >= 1 for a in exponents), "a weight is not feasible")
    theta = len(weights)
    base = weights[0]
    spread = [[x - y for x, y in zip(v, base, strict=True)] for v in weights[1:]]
    _need(rank(spread) == theta - 1, "the weights are not affinely independent")
    units = [[int(i == j) for i in range(len(costs))] for j, s in enumerate(slack) if s > 0]
    equations = [list(a) for a, _ in multipliers] + units
    _need(rank(equations) == len(costs) - theta + 1, "the optimal face is larger than θ says")
    return Pair(value / 2, theta), weights


def _dot(v: list[Fraction], a: Any) -> Fraction:
    return sum((x * y for x, y in zip(v, a, strict=True) if y), Fraction(0))


def _exponents(statement: Statement) -> set[tuple[int, ...]]:
    _need(statement.is_ideal, "not an ideal")
    return {m for g in statement.generators for m in g}


def monomial(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Monomial ideals."""
    _need(all(len(g) == 1 for g in statement.generators), "monomial: a generator has two terms")
    pair, _ = _programme(statement, data, _exponents(statement))
    return pair, pair


def hull(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Bounds from the terms alone."""
    pair, _ = _programme(statement, data, _exponents(statement))
    return _floor(statement), pair


def newton(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Newton polyhedron with its compact faces decided over R."""
    exponents = _exponents(statement)
    toric, weights = _programme(statement, data, exponents)
    central = {m for m in exponents if all(_dot(v, m) == 1 for v in weights)}
    lower, upper = toric, toric
    single = {next(iter(g)) for g in statement.generators if len(g) == 1}
    for face in faces.compact_faces(sorted(exponents), single):
        zeros = faces.zeros_on_face(statement.generators, face, data.get("faces", []))
        if zeros.rank is None:
            continue
        candidate = Pair(Fraction(zeros.rank, 2), 1)
        if candidate.lam == toric.lam and central.issuperset(face):
            candidate = Pair(toric.lam, toric.theta + 1)
        lower = min(lower, candidate)
        if zeros.exist and len(statement.generators) == 1:
            upper = min(upper, candidate)
    return lower, upper


RULES: dict[str, Rule] = {
    "squares": squares,
    "modulus": modulus,
    "simplify": simplify,
    "sum": total,
    "product": product,
    "power": root,
    "eliminate": eliminate,
    "subideal": subideal,
    "smooth": smooth,
    "monomial": monomial,
    "hull": hull,
    "newton": newton,
}
