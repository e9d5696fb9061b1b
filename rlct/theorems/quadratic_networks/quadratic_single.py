"""Theorem G.2 of Cullen et al., without its hypothesis on sums of outer weights."""

from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
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


def _independent(arguments: Arguments) -> tuple[Finding, ...]:
    hidden, outer = arguments["hidden"], arguments["outer"]
    rank, K = matrix_rank([row[:-1] for row in hidden]), len(hidden)
    return (
        one_output(arguments),
        Finding.of("no v_j vanishes", all(outer[0]), f"{sum(map(bool, outer[0]))} of {K}"),
        Finding.of("the w_j are linearly independent", rank == K, f"rank {rank} of {K}"),
    )


independent_units = shape_checks(_independent, bias=True)
"""Check one output, v_j ≠ 0 and linearly independent w_j."""


def _value(arguments: Arguments) -> Pair:
    d, K = len(arguments["hidden"][0]) - 1, len(arguments["hidden"])
    lam = Fraction(K * (2 * d - K + 1) // 2 + K + 1, 2)
    return Pair(step(f"λ = ({K}·(2·{d} − {K} + 1)/2 + {K} + 1)/2", lam), 1)


THEOREM = Theorem(
    id="quadratic-single",
    title="Quadratic network with biases and independent units",
    cites=("cullen2026, theorem G.2; its hypothesis v_i + v_j ≠ 0 is not needed",),
    hypotheses=independent_units,
    value=_value,
    **SHARED_FIELDS,
    instances=(
        LINE_INSTANCE,
        known_instance((((1, 2, 1),), ((-1,),)), "2", 1, BY_RANK, by_simulation()),
        known_instance((((1, 0, 0, 1), (0, 1, 0, 0)), ((1, -1),)), "4", 1, BY_RANK),
        known_instance((((1, 0, 0, 0, 0), (0, 1, 0, 0, 1)), ((1, 2),)), "5", 1, BY_RANK),
    ),
    counterexamples=(
        Counterexample.against(
            "linearly independent",
            (((1, 0), (2, 1)), ((1, 1),)),
            "3/2",
            confirmed=(BY_ENGINE, BY_RANK),
        ),
        inactive_unit("v_j vanishes"),
        *SINGLE_OUTPUT_COUNTEREXAMPLES,
    ),
)
