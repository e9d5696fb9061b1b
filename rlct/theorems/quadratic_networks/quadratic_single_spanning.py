"""Theorem G.1 of Cullen et al.: one output, biases, a quadratic form of full rank."""

from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.base import Arguments, Finding, Theorem
from rlct.theorems.evidence import BY_RANK
from rlct.theorems.kit.quadratic import shape_checks
from rlct.theorems.kit.single_output import (
    LINE_INSTANCE,
    SHARED_FIELDS,
    SINGLE_OUTPUT_COUNTEREXAMPLES,
    inactive_unit,
    one_output,
)
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _further(arguments: Arguments) -> tuple[Finding, ...]:
    hidden, outer = arguments["hidden"], arguments["outer"]
    d = len(hidden[0]) - 1
    form = [
        [sum(v * w[a] * w[b] for v, w in zip(outer[0], hidden, strict=True)) for b in range(d)]
        for a in range(d)
    ]
    form_rank = matrix_rank(form)
    return (
        one_output(arguments),
        Finding.of(
            "Q = Σ_j v_j w_j w_jᵀ has full rank", form_rank == d, f"rank {form_rank} of {d}"
        ),
    )


def _value(arguments: Arguments) -> Pair:
    d = len(arguments["hidden"][0]) - 1
    return Pair(step(f"λ = ({d} + 1)·({d} + 2)/4", Fraction((d + 1) * (d + 2), 4)), 1)


THEOREM = Theorem(
    id="quadratic-single-spanning",
    title="Quadratic network with biases and a form of full rank",
    cites=("cullen2026, theorem G.1",),
    hypotheses=shape_checks(_further, bias=True),
    value=_value,
    **SHARED_FIELDS,
    instances=(
        LINE_INSTANCE,
        known_instance((((1, 0, 2), (0, 1, -1)), ((1, -1),)), "3", 1, BY_RANK),
        known_instance((((1, 0), (1, 3), (2, 1)), ((1, -2, 0),)), "3/2", 1, BY_RANK),
    ),
    counterexamples=(
        inactive_unit("has full rank"),
        *SINGLE_OUTPUT_COUNTEREXAMPLES,
    ),
)
