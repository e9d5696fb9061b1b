"""Theorems 4.1 and G.5 of Cullen et al.: squares of the hidden weights that span."""

from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.kit.quadratic import WITHOUT_BIASES, axis_only, shape_checks, vanishing_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _further(arguments: Arguments) -> tuple[Finding, ...]:
    from rlct.models.quadratic_networks.quadratic_features import square_terms

    d = len(arguments["hidden"][0])
    square_rank = matrix_rank([square_terms(row) for row in arguments["hidden"]])
    spans = Finding.of(
        "the matrices w_j w_jᵀ span all symmetric matrices",
        square_rank == d * (d + 1) // 2,
        f"rank {square_rank} of {d * (d + 1) // 2}",
    )
    return (spans,)


def _value(arguments: Arguments) -> Pair:
    d, p = len(arguments["hidden"][0]), len(arguments["outer"])
    return Pair(step(f"λ = {p}·{d}·({d} + 1)/4", Fraction(p * d * (d + 1), 4)), 1)


_THREE_UNITS = ((1, 0), (0, 1), (1, 1))
_ONE_UNIT = (((1,),), ((1,),))

THEOREM = Theorem(
    id="quadratic-spanning",
    title="Quadratic network whose squares span",
    cites=("cullen2026, theorems 4.1 and G.5",),
    hypotheses=shape_checks(_further),
    value=_value,
    **WITHOUT_BIASES,
    instances=(
        Instance(_ONE_UNIT, Pair.of("1/2"), (BY_ENGINE, BY_RANK, by_simulation())),
        known_instance((_THREE_UNITS, ((1, -1, 2),)), "3/2", 1, BY_RANK, by_simulation()),
        known_instance((_THREE_UNITS, ((0, 0, 0), (1, 0, 0))), "3", 1, BY_RANK),
    ),
    counterexamples=(
        Counterexample.against(
            "span all symmetric matrices",
            (((1, 0),), ((0,),)),
            "1/2",
            "v*(1+a)**2; v*(1+a)*b; v*b**2",
            confirmed=(BY_ENGINE, BY_RANK),
        ),
        axis_only((_THREE_UNITS, ((1, 1, 1),)), "(1+p)*(1+a)**2 + (1+q)*b**2 + (1+r)*(1+c)**2 - 2"),
        vanishing_prior(_ONE_UNIT, 1),
    ),
)
