"""Products of linear and definite forms; ``theory/hyperplane-arrangement.md`` has the proof."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rlct.certificate import cost
from rlct.certificate.germs.leaves import check_factors, unit_is_positive
from rlct.certificate.numbers.arithmetic import (
    Poly,
    poly_power,
    poly_scale,
    poly_sum,
    read_number,
    total_degree,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.rules import Sign, checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    linear_parts,
    need,
    read_indices,
)
from rlct.certificate.torus.points import read_field
from rlct.pair import Pair

Row = list[RealNumber]
_NO_CHAIN = "arrangement: this is no longest chain of minimisers"


def _sign(step: Mapping[str, Any], below: Iterable[Sign]) -> Sign:
    """Even powers of linear forms, and definite forms, beside a positive number."""
    data = step["data"]
    even = all(not q["degree"] * q["exponent"] % 2 for q in data["factors"])
    even = even and "field" not in data and unit_is_positive(data)
    return Sign.NONNEGATIVE if even else Sign.OPEN


@checked_rule(
    "arrangement",
    "{chain: [[index]]+, factors: [{degree: positive, exponent: positive, summands: "
    "[(number, polynomial)]+}]+, field?: field, unit: polynomial}",
    sign=_sign,
)
def arrangement_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair((u·Π q_j^e_j)): λ = min over W of (codim W + Σ h_i)/(2·Σ e_j·deg q_j), θ by chains.

    If u(0) ≠ 0 and each q_j is a linear form, or Σ c·l^k with c > 0, k even and linear forms l.
    W runs over the intersections of the zero sets of the q_j and of the x_i with h_i > 0, the sums
    over what vanishes on W; θ is the length of the longest chain of minimisers
    (``theory/hyperplane-arrangement.md``).
    """
    need(statement.is_ideal and len(statement.generators) == 1, "arrangement: not principal")
    if "field" in data:
        need(statement.field is None, "arrangement: the statement has a field")
        statement = replace(statement, field=read_field(data["field"]))
    factors, zero_subspaces = [], list[list[Row]]()
    for item in data["factors"]:
        q, forms = _factor(statement, item)
        factors.append((q, item["exponent"]))
        zero_subspaces.append(forms)
    need(bool(factors), "arrangement: no factor")
    check_factors(statement, data["unit"], factors)
    factor_orders = [total_degree(q) * e for q, e in factors]
    prior_exponents = [Fraction(0)] * len(factors)
    for i, h in enumerate(statement.prior):
        if h:
            zero_subspaces.append([[Fraction(int(i == k)) for k in range(statement.width)]])
            factor_orders.append(0)
            prior_exponents.append(h)
    candidates = {}
    for member_indices, codimension in _intersections(zero_subspaces):
        order = sum(factor_orders[i] for i in member_indices)
        if order:
            volume = sum((prior_exponents[i] for i in member_indices), Fraction(codimension))
            candidates[member_indices] = volume / (2 * order)
    least_pole = min(candidates.values())
    minimisers = sorted((m for m, value in candidates.items() if value == least_pole), key=len)
    cost.charge(10 * len(minimisers) ** 2, "chains of subspaces")
    chain = [read_indices(some, len(factor_orders), _NO_CHAIN) for some in data["chain"]]
    need(all(some == sorted(set(some)) for some in chain), _NO_CHAIN)
    _check_longest_chain(list(map(frozenset, chain)), minimisers)
    pair = Pair(least_pole, len(chain))
    return pair, pair


def _check_longest_chain(
    chain: Sequence[frozenset[int]], minimisers: Sequence[frozenset[int]]
) -> None:
    """A chain of minimisers, which are given small ones first, is as long as any."""
    lengths: list[int] = []
    for k, member_indices in enumerate(minimisers):
        below = (lengths[j] for j in range(k) if minimisers[j] < member_indices)
        lengths.append(1 + max(below, default=0))
    need(len(chain) == max(lengths) and set(chain) <= set(minimisers), _NO_CHAIN)
    need(all(a < b for a, b in pairwise(chain)), _NO_CHAIN)


def _factor(statement: Statement, item: Data) -> tuple[Poly, list[Row]]:
    """A factor as a polynomial, and the forms that vanish where it does."""
    degree = item["degree"]
    need(type(degree) is int and degree >= 1, "arrangement: a factor has no degree")
    # A form of higher degree cannot divide K: this bounds what it costs.
    highest = total_degree(statement.generators[0])
    need(degree <= highest, "arrangement: the degree is too high")
    q: Poly = {}
    forms = []
    for number, terms in item["summands"]:
        c, form = read_number(number, statement.field), statement.polynomial(terms)
        need(all(sum(m) == 1 for m in form) and bool(form), "arrangement: a form is not linear")
        need(c == 1 if degree == 1 else c > 0, "arrangement: a coefficient is not positive")
        q = poly_sum(q, poly_scale(poly_power(form, degree, statement.width), c))
        state = replace(statement, generators=(form,))
        forms.append(linear_parts(state, list(range(statement.width)))[0])
    need(bool(q), "arrangement: a factor is zero")
    need(degree % 2 == 0 or degree == len(forms) == 1, "arrangement: a sum of odd powers")
    return q, forms


def _intersections(zero_subspaces: Sequence[list[Row]]) -> Iterator[tuple[frozenset[int], int]]:
    """Every intersection but the whole space, once: all that contain it, and its codimension.

    Each keeps the forms modulo those that vanish on it, so that the next one needs a step for each.
    """
    residual_forms = [_residues(forms, []) for forms in zero_subspaces]
    pending_flats: list[tuple[frozenset[int], int, list[list[Row]]]] = [
        (frozenset(), 0, residual_forms)
    ]
    known_flats = {frozenset[int]()}
    while pending_flats:
        flat_members, codimension, residual_forms = pending_flats.pop()
        if flat_members:
            yield flat_members, codimension
        members_left = [i for i, rows in enumerate(residual_forms) if rows]
        while members_left:
            new_forms = residual_forms[members_left[0]]
            cost.charge(
                len(residual_forms) + len(members_left) * (10 + 2 * len(new_forms[0])), "subspaces"
            )
            alike = {i for i in members_left if residual_forms[i] == new_forms}
            members_left = [i for i in members_left if i not in alike]
            # Where one form is added, all that vanishes then has it for its only residue.
            if len(new_forms) == 1 and flat_members | alike in known_flats:
                continue
            smaller = [_residues(forms, new_forms) for forms in residual_forms]
            closed_set = frozenset(i for i, rows in enumerate(smaller) if not rows)
            if closed_set not in known_flats:
                known_flats.add(closed_set)
                pending_flats.append((closed_set, codimension + len(new_forms), smaller))


def _residues(forms: list[Row], basis: list[Row]) -> list[Row]:
    """Independent forms with first entry 1 that span the forms modulo a basis of this kind."""
    rows: list[Row] = []
    for form in forms:
        for row in (*basis, *rows):
            place = next(k for k, a in enumerate(row) if a)
            cost.charge(10 + len(row), "subspaces")
            factor = form[place]
            if factor:
                bits = 2 * cost.bits_in(form) + cost.bits_in(row)
                cost.charge(2 * len(row) * cost.of_rational(bits), "subspaces")
                form = [a - factor * b if b else a for a, b in zip(form, row, strict=True)]
        first = next((a for a in form if a), None)
        if first is not None:
            if first != 1:
                cost.charge(len(form) * cost.of_rational(2 * cost.bits_in(form)), "subspaces")
                inverse = 1 / first
                form = [a * inverse for a in form]
            rows.append(form)
    return rows
