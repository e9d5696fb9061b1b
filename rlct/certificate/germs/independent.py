"""Generators whose exponents differ by independent vectors; ``theory/independent.md`` proves it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.family import is_known_unit
from rlct.certificate.germs.leaves import linear_programme
from rlct.certificate.numbers.arithmetic import Poly, is_one_signed, value_at_origin
from rlct.certificate.numbers.linear import matrix_rank, scalar_product
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    need,
    read_indices,
)
from rlct.certificate.torus.identities import has_both_signs, read_integers
from rlct.pair import Pair

Exponent = tuple[int, ...]


@dataclass(frozen=True)
class UnitCell:
    """Points where the variables in `zeros` are 0, and where none of the `units` is.

    Variables among the units are those in `nonzero`.
    """

    prior: tuple[Fraction, ...]
    zeros: frozenset[int]
    units: tuple[Poly, ...] = ()
    nonzero: frozenset[int] = frozenset()

    def terms(self, g: Poly) -> Mapping[Exponent, Poly] | None:
        """Exponents a and functions u ≠ 0 on the cell with g = Σ u·x^a; None if it is not such.

        Multiples of a term by variables that are 0 on the cell change its u by 0 there.
        """
        parts: dict[Exponent, Poly] = {}
        for m, c in g.items():
            local = tuple(e if i in self.zeros else 0 for i, e in enumerate(m))
            rest = tuple(0 if i in self.zeros else e for i, e in enumerate(m))
            parts.setdefault(local, {})[rest] = c
        unit_terms: dict[Exponent, Poly] = {}
        other_exponents = []
        for local, part in parts.items():
            least = map(min, zip(*part, strict=True))
            common = tuple(0 if i in self.nonzero else e for i, e in enumerate(least))
            whole = tuple(a + b for a, b in zip(local, common, strict=True))
            unit = {
                tuple(a - b for a, b in zip(m, common, strict=True)): c for m, c in part.items()
            }
            if is_known_unit(unit, self.units):
                unit_terms[whole] = unit
            else:
                other_exponents.append(whole)
        cost.charge(
            len(parts) * (len(unit_terms) + 10) * (3 + len(self.prior)), "the terms of a form"
        )
        minimal = {
            a: u for a, u in unit_terms.items() if not any(self._above(a, b) for b in unit_terms)
        }
        covered = all(any(self._above(a, b) for b in minimal) for a in other_exponents)
        return minimal if covered else None

    def _above(self, a: Exponent, b: Exponent) -> bool:
        """Whether x^a is x^b times a monomial that vanishes on the cell."""
        return all(x >= y for x, y in zip(a, b, strict=True)) and any(
            a[i] > b[i] for i in self.zeros
        )


@checked_rule(
    "independent",
    "{generators: [index], weights: weights, multipliers: multipliers, attained?: {inside?: "
    "[integer], signs?: [1 | -1]}}",
)
def independent_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(Σ_j c_kj·x^a_kj) ≥ pair(x^a_kj·z_k), with a variable z_k for each k of several signs.

    If the vectors a_kj − a_k0 of these k are independent; equal if optimal weights tie terms of
    both signs wherever z_k counts (``theory/independent.md``).
    """
    need(statement.is_ideal and statement.field is None, "independent: not an ideal over Q")
    cell = UnitCell(statement.prior, frozenset(range(statement.width)))
    used_generators, forms, mixed_forms = _forms(cell, statement.generators, data)
    lower, weights = _programme(cell, forms, mixed_forms, data)
    attained_data = data.get("attained")
    if attained_data is None:
        return lower, None
    width = statement.width
    for k, g in enumerate(statement.generators):
        if k not in used_generators:
            cost.charge(len(g) * len(weights) * (5 + width), "weights")
            need(
                all(scalar_product(w[:width], a) >= 1 for w in weights for a in g),
                "independent: another generator is not as small",
            )
    vanishing = [forms[k] for n, k in enumerate(mixed_forms) if any(w[width + n] for w in weights)]
    if vanishing:
        _check_ties(vanishing, [w[:width] for w in weights], attained_data)
    return lower, lower


def bound_of_independent(cell: UnitCell, generators: Sequence[Poly], data: Data) -> Pair:
    """Bound the pair at all zeros in the cell from below, likewise."""
    _, forms, mixed_forms = _forms(cell, generators, data)
    lower, _ = _programme(cell, forms, mixed_forms, data)
    return lower


def _forms(
    cell: UnitCell, generators: Sequence[Poly], data: Data
) -> tuple[list[int], list[Mapping[Exponent, Poly]], list[int]]:
    """The generators that are used, their terms, and which of these have several signs."""
    used_generators = read_indices(
        data["generators"], len(generators), "independent: the generators"
    )
    need(len(set(used_generators)) == len(used_generators) > 0, "independent: the generators")
    forms: list[Mapping[Exponent, Poly]] = []
    for k in used_generators:
        terms = cell.terms(generators[k])
        need(terms is not None, "independent: a coefficient may vanish")
        forms.append(terms or {})
    mixed_forms = [k for k, form in enumerate(forms) if not _is_sure(form)]
    local = sorted(cell.zeros)
    steps = [
        [a[i] - first[i] for i in local]
        for first, *others in (list(forms[k]) for k in mixed_forms)
        for a in others
    ]
    # On every face the differentials of initial forms are independent at common zeros.
    need(matrix_rank(steps) == len(steps), "independent: the exponents are dependent")
    return used_generators, forms, mixed_forms


def _programme(
    cell: UnitCell,
    forms: Sequence[Mapping[Exponent, Poly]],
    mixed_forms: Sequence[int],
    data: Data,
) -> tuple[Pair, list[list[Fraction]]]:
    """The pair of the monomials, with a new variable for each form of several signs."""
    blank = [0] * len(mixed_forms)
    rows = {
        (*a, *(int(k == n) for n in mixed_forms)) if k in mixed_forms else (*a, *blank)
        for k, form in enumerate(forms)
        for a in form
    }
    prior = [*cell.prior, *(Fraction(0) for _ in mixed_forms)]
    return linear_programme(prior, data, rows)


def _is_sure(form: Mapping[Exponent, Poly]) -> bool:
    """Whether the terms have one sign on every orthant: they are one, or have numbers as units."""
    if len(form) == 1:
        return True
    numbers: Poly = {}
    for a, unit in form.items():
        if any(map(any, unit)):
            return False
        numbers[a] = value_at_origin(unit)
    return is_one_signed(numbers)


def _check_ties(
    forms: Sequence[Mapping[Exponent, Poly]], weights: Sequence[Sequence[Fraction]], data: Data
) -> None:
    """A weight w > 0 at which each form keeps terms of both signs on one orthant.

    Optimal weights tie the terms that are least there, and no other has less.
    """
    width = len(weights[0])
    inside = read_integers(data["inside"], width)
    signs = read_integers(data["signs"], width)
    need(min(inside) > 0, "independent: a weight is not inside")
    need(all(s in (1, -1) for s in signs), "independent: the signs of an orthant")
    for form in forms:
        cost.charge(len(form) * (len(weights) + 5) * (5 + width), "weights")
        values = {a: sum(x * e for x, e in zip(inside, a, strict=True)) for a in form}
        least = min(values.values())
        tied = [a for a, value in values.items() if value == least]
        for w in weights:
            of_terms = {a: scalar_product(w, a) for a in form}
            need(
                {of_terms[a] for a in tied} == {min(of_terms.values())},
                "independent: an optimal weight does not tie the terms",
            )
        numbers: Poly = {a: value_at_origin(form[a]) for a in tied}
        need(has_both_signs(numbers, signs), "independent: a form has one sign on the orthant")
