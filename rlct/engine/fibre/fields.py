"""Vector fields that move the generators at a constant speed at every zero: the rank there."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rlct.algebra.exact_rank import matrix_rank
from rlct.engine import limits
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.slide import Equations, moved_terms, whole_solutions
from rlct.engine.fibre.torus import scaling_weights
from rlct.pair import Pair
from rlct.proof.tree import Proof

#: A field x_a·∂_b, or ∂_b without a; a multiple of generator m beside generator k; the speed of k.
Unknown = tuple[str, int | None, int]


def bound_by_fields(cell: LiteralCell) -> Proof | None:
    """The pair at each zero is at least (ρ/2, 1).

    If fields X_s of degree one have X_s g = M_s + C_s·g, with numbers M_s of rank ρ: at a zero the
    derivative of g takes X_s to M_s (``theory/fibres.md``).  Scalings divide the search: a field
    that gives the k-th generator a speed takes off its weight.
    """
    speed_rows: list[list[int]] = []
    fields: list[dict[str, Any]] = []
    for unknowns in _unknowns(cell):
        for solution in _solutions(cell, unknowns):
            speed = [0] * len(cell.generators)
            for (kind, _, k), c in zip(unknowns, solution, strict=True):
                if kind == "speed":
                    speed[k] = c
            if any(speed) and matrix_rank([*speed_rows, speed]) > len(speed_rows):
                speed_rows.append(speed)
                fields.append(_written(cell, unknowns, solution, speed))
    if not speed_rows:
        return None
    return Proof("fields", Pair(Fraction(len(speed_rows), 2), 1), None, {"fields": fields})


def _unknowns(cell: LiteralCell) -> Iterator[list[Unknown]]:
    """Terms of fields, multiples and speeds, for each weight that some generator has."""
    basis = scaling_weights(cell)
    of_variable = [tuple(int(e) for e in column) for column in basis.T.tolist()]
    zero = (0,) * len(basis)
    of_generator = [
        tuple(
            int(sum(w * e for w, e in zip(row, next(iter(g.itermonoms())), strict=True)))
            for row in basis.tolist()
        )
        for g in cell.generators
    ]
    for weight in dict.fromkeys(of_generator):
        of_weight: list[Unknown] = []
        for b, own in enumerate(of_variable):
            target = tuple(x - y for x, y in zip(own, weight, strict=True))
            of_weight += [("field", None, b)] if target == zero else []
            of_weight += [("field", a, b) for a, other in enumerate(of_variable) if other == target]
        for k, own in enumerate(of_generator):
            target = tuple(x - y for x, y in zip(own, weight, strict=True))
            of_weight += [("speed", None, k)] if target == zero else []
            of_weight += [("multiple", m, k) for m, o in enumerate(of_generator) if o == target]
        if len(of_weight) <= limits.MOST_FIELD_UNKNOWNS:
            yield of_weight


def _solutions(cell: LiteralCell, unknowns: list[Unknown]) -> list[list[int]]:
    """Numbers with Σ fields g_k − Σ multiples − speed = 0 for every k."""
    equations = Equations(Counter)
    for number, (kind, a, k) in enumerate(unknowns):
        if kind == "speed":
            equations[k, (0,) * cell.width][number] -= 1
        elif kind == "multiple":
            assert a is not None
            for m, c in cell.generators[a].terms():
                equations[k, m][number] -= c
        else:
            for term, c in moved_terms(cell, k, a):
                equations[term][number] += c
    return whole_solutions(equations, len(unknowns))


def _written(
    cell: LiteralCell, unknowns: list[Unknown], solution: list[int], speed: list[int]
) -> dict[str, Any]:
    """A field with its multiples and speeds, for the certificate."""
    field: dict[int, list[Any]] = {}
    matrix = []
    for (kind, a, k), c in zip(unknowns, solution, strict=True):
        if c and kind == "field":
            exponents = [int(i == a) for i in range(cell.width)]
            field.setdefault(k, []).append([str(c), exponents])
        if c and kind == "multiple":
            matrix.append([k, a, str(c)])
    return {
        "field": [[k, sorted(terms, key=lambda t: t[1])] for k, terms in sorted(field.items())],
        "matrix": matrix,
        "speed": [str(c) for c in speed],
    }
