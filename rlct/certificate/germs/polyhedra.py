"""The rule of several Newton polyhedra; ``theory/polyhedra.md`` proves it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.germs.leaves import exponents_of, factors_of_generator, linear_programme
from rlct.certificate.numbers.arithmetic import (
    Poly,
    is_one_signed,
    minimal_monomials,
    read_fraction,
)
from rlct.certificate.numbers.linear import matrix_rank, scalar_product
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    need,
    read_index,
    read_indices,
)
from rlct.certificate.torus.identities import check_signs, has_both_signs, read_integers
from rlct.certificate.torus.joint_forms import (
    exponent_differences,
    have_independent_differentials,
    nonempty_subsets,
    too_many_forms,
)
from rlct.pair import Pair

Exponent = tuple[int, ...]
Row = list[Fraction]


@dataclass(frozen=True)
class _Cell:
    """Weights w > 0 with z·w = 0 and p·w > 0, and what is known of the generators there.

    `least` are the terms of a generator that are least so far, `pending` those not yet compared.
    """

    zero: tuple[Exponent, ...]
    positive: tuple[Exponent, ...]
    least: tuple[tuple[Exponent, ...], ...]
    pending: tuple[tuple[Exponent, ...], ...]


@checked_rule("polyhedra", "{tree: cell, weights?: weights}")
def polyhedra_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """The pair is ≥ the least bound of the cells, and ≤ a value that independent weights attain.

    If the cells cover all w > 0, and in each the differentials of initial forms are independent at
    their common zeros in (R∖0)^n (``theory/polyhedra.md``).
    """
    need(statement.is_ideal and statement.field is None, "polyhedra: not an ideal over Q")
    cells = _walk(statement, data["tree"], _all(statement))
    cell_bounds = [_bound(statement, node, cell) for node, cell in cells]
    need(bool(cell_bounds), "polyhedra: no cell is left")
    upper_pairs = [upper for _, upper in cell_bounds if upper is not None]
    if "weights" in data:
        upper_pairs.append(_attained(statement, data["weights"], []))
    return min(lower for lower, _ in cell_bounds), min(upper_pairs) if upper_pairs else None


@checked_rule(
    "factor-polyhedra",
    "{factors: [(polynomial, positive)], multipliers: multipliers, tree: factor-cell, unit: "
    "polynomial, weights: weights}",
)
def factor_polyhedra_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """The pair of all terms times Π (1/(2·e_i), 1) over factors f_i of u·Π f_i^e_i that may vanish.

    A lower bound if u(0) ≠ 0, the cells cover all w > 0, and initial forms of factors have
    independent differentials at common zeros in (R∖0)^n; an upper one is the pair of all terms, and
    that of factors that do vanish together (``theory/polyhedra.md``).
    """
    need(statement.is_ideal and len(statement.generators) == 1, "polyhedra: not principal")
    need(statement.field is None, "polyhedra: not an ideal over Q")
    factors, exponents = factors_of_generator(statement, data)
    hull, _ = linear_programme(statement.prior, data, exponents_of(statement))
    of_factors = replace(statement, generators=factors)
    lower_pairs, upper_pairs = [hull], [hull]
    for node, cell in _walk(of_factors, data["tree"], _all(of_factors)):
        need(not any(cell.pending), "polyhedra: a factor whose least terms are not known")
        forms = _forms(of_factors, cell)
        may_vanish = [i for i, form in forms.items() if not is_one_signed(form)]
        joint_zeros = list(_joint_zeros(forms, may_vanish))
        lower_pairs.extend(hull * _crossing(exponents, chosen_set) for chosen_set in joint_zeros)
        if "zeros" in node:
            zeros = read_indices(node["zeros"], len(factors), "polyhedra: the factors that vanish")
            need(set(zeros) in joint_zeros, "polyhedra: the factors that vanish")
            _check_inside(of_factors, node["inside"], cell)
            _check_zero([forms[i] for i in sorted(zeros)], node["signs"])
            upper_pairs.append(_crossing(exponents, set(zeros)))
    return min(lower_pairs), min(upper_pairs)


def _crossing(exponents: Sequence[int], chosen_set: set[int]) -> Pair:
    """Pair of a product of powers of coordinates."""
    return Pair.product(Pair(Fraction(1, 2 * exponents[i]), 1) for i in chosen_set)


def _all(statement: Statement) -> _Cell:
    """All weights; only terms that no other one divides can be least."""
    terms = [tuple(sorted(minimal_monomials(g))) for g in statement.generators]
    return _Cell((), (), tuple(t[:1] for t in terms), tuple(t[1:] for t in terms))


def _walk(statement: Statement, node: Any, cell: _Cell) -> Iterator[tuple[Data, _Cell]]:
    """All cells that are not empty, each with its evidence."""
    need(isinstance(node, dict), "polyhedra: a node is missing")
    if "compare" in node:
        i = read_index(node["compare"], len(cell.pending), "polyhedra: nothing to compare")
        need(bool(cell.pending[i]), "polyhedra: nothing to compare")
        sizes = map(len, (cell.pending, cell.pending[i], cell.positive, cell.zero, cell.least))
        cost.charge(3 * (20 + sum(sizes) + statement.width), "the comparison of terms")
        next_term, least_terms = cell.pending[i][0], cell.least[i]
        row_more = tuple(x - y for x, y in zip(next_term, least_terms[0], strict=True))
        row_less = tuple(-x for x in row_more)
        pending = (*cell.pending[:i], cell.pending[i][1:], *cell.pending[i + 1 :])

        def moved(terms: tuple[Exponent, ...]) -> _Cell:
            least_by_generator = (*cell.least[:i], terms, *cell.least[i + 1 :])
            return replace(cell, least=least_by_generator, pending=pending)

        # Less, equal, more: the three children cover the cell.
        yield from _walk(
            statement,
            node["less"],
            replace(moved((next_term,)), positive=(*cell.positive, row_less)),
        )
        yield from _walk(
            statement,
            node["equal"],
            replace(moved((*least_terms, next_term)), zero=(*cell.zero, row_more)),
        )
        yield from _walk(
            statement,
            node["more"],
            replace(moved(least_terms), positive=(*cell.positive, row_more)),
        )
    elif "empty" in node:
        # Farkas: with Σ β·p + Σ γ·z ≤ 0 no w > 0 has p·w > 0 and z·w = 0.
        slack, used = _slack_after(cell, [Fraction(0)] * statement.width, node["empty"])
        need(bool(used) or any(slack), "polyhedra: a cell is not known to be empty")
    else:
        yield node, cell


def _slack_after(cell: _Cell, total: Row, multipliers: Any) -> tuple[Row, list[Exponent]]:
    """Total − Σ β·(positive rows) − Σ γ·(zero rows), which has to be ≥ 0; rows with β > 0."""
    rows_used = []
    slack_row = list(total)
    for rows, key, may_be_negative in (
        (cell.positive, "positive", False),
        (cell.zero, "zero", True),
    ):
        for k, text in multipliers.get(key, []):
            value = read_fraction(text)
            row = rows[read_index(k, len(rows), "polyhedra: no such row")]
            need(may_be_negative or value > 0, "polyhedra: a multiplier is not positive")
            bits = cost.bits_in(slack_row) + cost.bits_in([value]) + cost.bits_in(row)
            cost.charge(2 * len(row) * cost.of_rational(bits), "multipliers")
            slack_row = [x - value * e for x, e in zip(slack_row, row, strict=True)]
            if not may_be_negative:
                rows_used.append(row)
    need(min(slack_row) >= 0, "polyhedra: the multipliers are not feasible")
    return slack_row, rows_used


def _bound(statement: Statement, node: Data, cell: _Cell) -> PairBounds:
    """Lower bound in a cell, for each set of generators that may vanish together."""
    cases = node["cases"]
    unknown = "polyhedra: a generator whose least terms are not known"
    size = len(cell.pending)
    used = sorted({read_index(i, size, unknown) for case in cases for i, _ in case["generators"]})
    need(not any(cell.pending[i] for i in used), unknown)
    forms = _forms(statement, cell)
    may_vanish = [i for i in used if not is_one_signed(forms[i])]
    covered_sets = [
        set(read_indices(case["zeros"], size, "polyhedra: the cases")) for case in cases
    ]
    need(bool(cases) and all(c <= set(may_vanish) for c in covered_sets), "polyhedra: the cases")
    for chosen_set in _joint_zeros(forms, may_vanish):
        cost.charge(10 + len(covered_sets) * len(chosen_set), "sets of generators that may vanish")
        need(any(chosen_set <= c for c in covered_sets), "polyhedra: a case is missing")
    lower = min(_case(statement, case, cell) for case in cases)
    if "attained" not in node:
        return lower, None
    attained_data = node["attained"]
    zeros = read_indices(attained_data["zeros"], size, "polyhedra: the generators that vanish")
    need(bool(zeros) and set(zeros) <= set(may_vanish), "polyhedra: the generators that vanish")
    # Strictly inside the cell, so that the cell has a point; optimal weights are in its closure.
    _check_inside(statement, attained_data["inside"], cell)
    _check_zero([forms[i] for i in zeros], attained_data["signs"])
    for text in attained_data["weights"]:
        weight = [read_fraction(x) for x in text][: statement.width]
        need(
            all(scalar_product(weight, row) >= 0 for row in cell.positive)
            and not any(scalar_product(weight, row) for row in cell.zero),
            "polyhedra: an optimal weight is not in its cell",
        )
    return lower, _attained(statement, attained_data["weights"], zeros)


def _forms(statement: Statement, cell: _Cell) -> dict[int, Poly]:
    """The terms of every generator that are least so far."""
    cost.charge(
        10 * len(cell.pending) + sum(map(len, cell.least)) * (5 + statement.width),
        "the forms of a cell",
    )
    return {i: {a: g[a] for a in cell.least[i]} for i, g in enumerate(statement.generators)}


def _joint_zeros(forms: dict[int, Poly], may_vanish: Sequence[int]) -> Iterator[set[int]]:
    """All sets of forms that may vanish together; their differentials must be independent."""
    never_together: list[set[int]] = []
    for chosen_set in map(set, nonempty_subsets(may_vanish)):
        steps = len(never_together) * (2 + len(chosen_set)) + 10 * len(chosen_set)
        cost.charge(10 + steps, "sets of generators that may vanish")
        if any(earlier_set <= chosen_set for earlier_set in never_together):
            continue
        chosen_forms = [forms[i] for i in sorted(chosen_set)]
        # Then forms that vanish at a point are coordinates there, beside the toric ones.
        need(
            have_independent_differentials(chosen_forms),
            "polyhedra: initial forms may be dependent at a common zero",
        )
        # Independent gradients cannot lie in fewer dimensions: no common zero, nor with more forms.
        if too_many_forms(chosen_forms):
            never_together.append(chosen_set)
        else:
            yield chosen_set


def _check_inside(statement: Statement, data: Any, cell: _Cell) -> None:
    """The cell has a point: a weight strictly inside."""
    inside = read_integers(data, statement.width)
    need(
        min(inside) > 0
        and all(_times(inside, row) > 0 for row in cell.positive)
        and not any(_times(inside, row) for row in cell.zero),
        "polyhedra: a weight is not inside its cell",
    )


def _times(w: Sequence[int], a: Exponent) -> int:
    return sum(x * y for x, y in zip(w, a, strict=True))


def _case(statement: Statement, case: Data, cell: _Cell) -> Pair:
    """Bound of a programme in weights of the cell and of the generators that vanish."""
    zeros = case["zeros"]
    need(len(set(zeros)) == len(zeros), "polyhedra: a generator twice")
    n = statement.width
    slack_row: Row = [1 + h for h in statement.prior]
    value = Fraction(0)
    equations: list[list[Fraction | int]] = []
    loose_zeros = set(range(len(zeros)))
    cost.charge(cost.of_table(n + len(zeros), n + len(zeros), 5), "the equations of a case")
    for i, text in case["generators"]:
        y, a = read_fraction(text), cell.least[i][0]
        need(y > 0, "polyhedra: a multiplier is not positive")
        value += y
        bits = cost.bits_in(slack_row) + cost.bits_in([y]) + cost.bits_in(a)
        cost.charge(2 * (len(a) + len(zeros)) * cost.of_rational(bits), "multipliers")
        slack_row = [x - y * e for x, e in zip(slack_row, a, strict=True)]
        own = [int(k == i) for k in zeros]
        equations.append([*a, *own])
        if i in zeros:
            # v_i has the cost 1 in the programme: its multipliers may not exceed it.
            need(y <= 1, "polyhedra: the multipliers are not feasible")
            loose_zeros -= {zeros.index(i)} if y == 1 else set()
    need(len({i for i, _ in case["generators"]}) == len(case["generators"]), "polyhedra: twice")
    slack_row, used = _slack_after(cell, slack_row, case)
    empty = [0] * len(zeros)
    equations += [[*row, *empty] for row in (*used, *cell.zero)]
    equations += [_unit(j, n + len(zeros)) for j, x in enumerate(slack_row) if x]
    equations += [_unit(n + k, n + len(zeros)) for k in loose_zeros]
    # Optimal weights solve the equations: they are in a space of dimension θ − 1.
    return Pair(value / 2, max(1, 1 + n + len(zeros) - matrix_rank(equations)))


def _unit(j: int, width: int) -> list[Fraction | int]:
    return [int(j == k) for k in range(width)]


def _attained(statement: Statement, texts: Any, zeros: Sequence[int]) -> Pair:
    """Upper bound by independent weights of one value: of the variables, then of zeros."""
    n = statement.width
    weights = [[read_fraction(x) for x in text] for text in texts]
    need(bool(weights) and all(len(w) == n + len(zeros) for w in weights), "polyhedra: weights")
    costs = [*(1 + h for h in statement.prior), *(Fraction(1) for _ in zeros)]
    value = scalar_product(weights[0], costs)
    for w in weights:
        # Feasible for all terms of all generators, and all of one value: an upper bound.
        need(min(w) >= 0 and scalar_product(w, costs) == value, "polyhedra: the weights")
        for i, g in enumerate(statement.generators):
            own = w[n + zeros.index(i)] if i in zeros else Fraction(0)
            need(
                all(scalar_product(w[:n], a) + own >= 1 for a in g),
                "polyhedra: a weight is not feasible",
            )
    base = weights[0]
    cost.charge(cost.of_table(len(weights), len(statement.generators), 5 + len(zeros)), "weights")
    spread = [[x - y for x, y in zip(w, base, strict=True)] for w in weights[1:]]
    need(matrix_rank(spread) == len(spread), "polyhedra: the weights are not affinely independent")
    return Pair(value / 2, len(weights))


def _check_zero(forms: Sequence[Poly], signs: Any) -> None:
    """A common zero: one form changes sign, or all do on an orthant, with free monomials."""
    if signs and isinstance(signs[0], list):
        check_signs(forms, signs)
        return
    sides = read_integers(signs, len(next(iter(forms[0]))))
    need(all(x in (1, -1) for x in sides), "polyhedra: the signs of an orthant")
    steps = exponent_differences(forms)
    need(matrix_rank(steps) == len(steps), "polyhedra: the monomials are not free")
    need(
        all(has_both_signs(form, sides) for form in forms),
        "polyhedra: a form has one sign on the orthant",
    )
