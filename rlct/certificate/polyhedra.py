"""The rule of several Newton polyhedra; ``theory/polyhedra.md`` proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import Poly, fraction, one_signed, undivided
from rlct.certificate.identities import check_signs, integers
from rlct.certificate.joint_forms import differences, independent, subsets, too_many
from rlct.certificate.linear import dot, rank
from rlct.certificate.statement import (
    Bounds,
    Data,
    Solve,
    Statement,
    index,
    indices,
    need,
)
from rlct.pair import Pair

__all__ = ["polyhedra"]

Exponent = tuple[int, ...]
Row = list[Fraction]


@dataclass(frozen=True)
class _Cell:
    """Weights w > 0 with z·w = 0 and p·w > 0, and what is known of the generators there.

    `least` are the terms of a generator that are least so far, `left` those not yet compared.
    """

    zero: tuple[Exponent, ...]
    positive: tuple[Exponent, ...]
    least: tuple[tuple[Exponent, ...], ...]
    left: tuple[tuple[Exponent, ...], ...]


def polyhedra(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Weights are divided by comparing terms; each cell is empty or has a bound."""
    need(statement.is_ideal and statement.field is None, "polyhedra: not an ideal over Q")
    # Only terms that no other one divides can be least.
    terms = [tuple(sorted(undivided(g))) for g in statement.generators]
    whole = _Cell((), (), tuple(t[:1] for t in terms), tuple(t[1:] for t in terms))
    found = list(_walk(statement, data["tree"], whole))
    need(bool(found), "polyhedra: no cell is left")
    uppers = [upper for _, upper in found if upper is not None]
    if "weights" in data:
        uppers.append(_attained(statement, data["weights"], []))
    return min(lower for lower, _ in found), min(uppers) if uppers else None


def _walk(statement: Statement, node: Any, cell: _Cell) -> Iterator[Bounds]:
    """Bounds of all cells that are not empty."""
    need(isinstance(node, dict), "polyhedra: a node is missing")
    if "compare" in node:
        i = index(node["compare"], len(cell.left), "polyhedra: nothing to compare")
        need(bool(cell.left[i]), "polyhedra: nothing to compare")
        sizes = map(len, (cell.left, cell.left[i], cell.positive, cell.zero, cell.least))
        cost.charge(3 * (20 + sum(sizes) + statement.width), "the comparison of terms")
        new, least = cell.left[i][0], cell.least[i]
        up = tuple(x - y for x, y in zip(new, least[0], strict=True))
        down = tuple(-x for x in up)
        left = (*cell.left[:i], cell.left[i][1:], *cell.left[i + 1 :])

        def moved(terms: tuple[Exponent, ...]) -> _Cell:
            kept = (*cell.least[:i], terms, *cell.least[i + 1 :])
            return replace(cell, least=kept, left=left)

        yield from _walk(
            statement, node["less"], replace(moved((new,)), positive=(*cell.positive, down))
        )
        yield from _walk(
            statement, node["equal"], replace(moved((*least, new)), zero=(*cell.zero, up))
        )
        yield from _walk(
            statement, node["more"], replace(moved(least), positive=(*cell.positive, up))
        )
    elif "empty" in node:
        slack, used = _rest(cell, [Fraction(0)] * statement.width, node["empty"])
        need(bool(used) or any(slack), "polyhedra: a cell is not known to be empty")
    else:
        yield _bound(statement, node, cell)


def _rest(cell: _Cell, total: Row, multipliers: Any) -> tuple[Row, list[Exponent]]:
    """Total − Σ β·(positive rows) − Σ γ·(zero rows), which has to be ≥ 0; rows with β > 0."""
    used = []
    rest = list(total)
    for rows, key, signed in ((cell.positive, "positive", False), (cell.zero, "zero", True)):
        for k, text in multipliers.get(key, []):
            value = fraction(text)
            row = rows[index(k, len(rows), "polyhedra: no such row")]
            need(signed or value > 0, "polyhedra: a multiplier is not positive")
            bits = cost.length(rest) + cost.length([value]) + cost.length(row)
            cost.charge(2 * len(row) * cost.rational(bits), "multipliers")
            rest = [x - value * e for x, e in zip(rest, row, strict=True)]
            if not signed:
                used.append(row)
    need(min(rest) >= 0, "polyhedra: the multipliers are not feasible")
    return rest, used


def _bound(statement: Statement, node: Data, cell: _Cell) -> Bounds:
    """Lower bound in a cell, for each set of generators that may vanish together."""
    cases = node["cases"]
    unknown = "polyhedra: a generator whose least terms are not known"
    size = len(cell.left)
    used = sorted({index(i, size, unknown) for case in cases for i, _ in case["generators"]})
    need(not any(cell.left[i] for i in used), unknown)
    forms = {
        i: {a: statement.generators[i][a] for a in cell.least[i]} for i in range(len(cell.left))
    }
    vanishing = [i for i in used if not one_signed(forms[i])]
    covered = [set(indices(case["zeros"], size, "polyhedra: the cases")) for case in cases]
    need(bool(cases) and all(c <= set(vanishing) for c in covered), "polyhedra: the cases")
    never: list[set[int]] = []  # generators that do not vanish together
    for chosen in map(set, subsets(vanishing)):
        steps = (len(never) + len(covered)) * (2 + len(chosen)) + 10 * len(chosen)
        cost.charge(10 + steps, "sets of generators that may vanish")
        if any(some <= chosen for some in never):
            continue
        some_forms = [forms[i] for i in sorted(chosen)]
        need(independent(some_forms), "polyhedra: initial forms may be dependent at a common zero")
        if too_many(some_forms):
            never.append(chosen)
        else:
            need(any(chosen <= c for c in covered), "polyhedra: a case is missing")
    lower = min(_case(statement, case, cell) for case in cases)
    if "attained" not in node:
        return lower, None
    found = node["attained"]
    zeros = indices(found["zeros"], size, "polyhedra: the generators that vanish")
    need(bool(zeros) and set(zeros) <= set(vanishing), "polyhedra: the generators that vanish")
    inside = integers(found["inside"], statement.width)
    need(
        min(inside) > 0
        and all(_times(inside, row) > 0 for row in cell.positive)
        and not any(_times(inside, row) for row in cell.zero),
        "polyhedra: a weight is not inside its cell",
    )
    _check_zero([forms[i] for i in zeros], found["signs"])
    for text in found["weights"]:
        weight = [fraction(x) for x in text][: statement.width]
        need(
            all(dot(weight, row) >= 0 for row in cell.positive)
            and not any(dot(weight, row) for row in cell.zero),
            "polyhedra: an optimal weight is not in its cell",
        )
    return lower, _attained(statement, found["weights"], zeros)


def _times(w: Sequence[int], a: Exponent) -> int:
    return sum(x * y for x, y in zip(w, a, strict=True))


def _case(statement: Statement, case: Data, cell: _Cell) -> Pair:
    """Bound of a programme in weights of the cell and of the generators that vanish."""
    zeros = case["zeros"]
    need(len(set(zeros)) == len(zeros), "polyhedra: a generator twice")
    n = statement.width
    rest: Row = [1 + h for h in statement.prior]
    value = Fraction(0)
    equations: list[list[Fraction | int]] = []
    loose = set(range(len(zeros)))
    cost.charge(cost.table(n + len(zeros), n + len(zeros), 5), "the equations of a case")
    for i, text in case["generators"]:
        y, a = fraction(text), cell.least[i][0]
        need(y > 0, "polyhedra: a multiplier is not positive")
        value += y
        bits = cost.length(rest) + cost.length([y]) + cost.length(a)
        cost.charge(2 * (len(a) + len(zeros)) * cost.rational(bits), "multipliers")
        rest = [x - y * e for x, e in zip(rest, a, strict=True)]
        own = [int(k == i) for k in zeros]
        equations.append([*a, *own])
        if i in zeros:
            need(y <= 1, "polyhedra: the multipliers are not feasible")
            loose -= {zeros.index(i)} if y == 1 else set()
    need(len({i for i, _ in case["generators"]}) == len(case["generators"]), "polyhedra: twice")
    rest, used = _rest(cell, rest, case)
    empty = [0] * len(zeros)
    equations += [[*row, *empty] for row in (*used, *cell.zero)]
    equations += [_unit(j, n + len(zeros)) for j, x in enumerate(rest) if x]
    equations += [_unit(n + k, n + len(zeros)) for k in loose]
    # Optimal weights solve the equations: they are in a space of dimension θ − 1.
    return Pair(value / 2, max(1, 1 + n + len(zeros) - rank(equations)))


def _unit(j: int, width: int) -> list[Fraction | int]:
    return [int(j == k) for k in range(width)]


def _attained(statement: Statement, texts: Any, zeros: Sequence[int]) -> Pair:
    """Upper bound by independent weights of one value: of the variables, then of zeros."""
    n = statement.width
    weights = [[fraction(x) for x in text] for text in texts]
    need(bool(weights) and all(len(w) == n + len(zeros) for w in weights), "polyhedra: weights")
    costs = [*(1 + h for h in statement.prior), *(Fraction(1) for _ in zeros)]
    value = dot(weights[0], costs)
    for w in weights:
        need(min(w) >= 0 and dot(w, costs) == value, "polyhedra: the weights")
        for i, g in enumerate(statement.generators):
            own = w[n + zeros.index(i)] if i in zeros else Fraction(0)
            need(all(dot(w[:n], a) + own >= 1 for a in g), "polyhedra: a weight is not feasible")
    base = weights[0]
    cost.charge(cost.table(len(weights), len(statement.generators), 5 + len(zeros)), "weights")
    spread = [[x - y for x, y in zip(w, base, strict=True)] for w in weights[1:]]
    need(rank(spread) == len(spread), "polyhedra: the weights are not affinely independent")
    return Pair(value / 2, len(weights))


def _check_zero(forms: Sequence[Poly], signs: Any) -> None:
    """A common zero: one form changes sign, or all do on an orthant, with free monomials."""
    if signs and isinstance(signs[0], list):
        check_signs(forms, signs)
        return
    sides = integers(signs, len(next(iter(forms[0]))))
    need(all(x in (1, -1) for x in sides), "polyhedra: the signs of an orthant")
    steps = differences(forms)
    need(rank(steps) == len(steps), "polyhedra: the monomials are not free")
    for form in forms:
        values = set()
        for a, c in form.items():
            odd = sum(e for e, s in zip(a, sides, strict=True) if s < 0) % 2
            values.add((c > 0) != bool(odd))
        need(len(values) == 2, "polyhedra: a form has one sign on the orthant")
