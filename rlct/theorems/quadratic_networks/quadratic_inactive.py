"""Theorem 5.5 of Cullen et al., corrected: inactive units count."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.kit.quadratic import (
    WITHOUT_BIASES,
    axis_only,
    quadratic_network,
    shape_checks,
    vanishing_prior,
)
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _rank_needed(arguments: Arguments) -> tuple[int, int, int]:
    """Number of active units, of others, and the rank that the formula assumes."""
    outer = arguments["outer"]
    active = sum(any(column) for column in zip(*outer, strict=True))
    silent = len(arguments["hidden"]) - active
    p, d = len(outer), len(arguments["hidden"][0])
    return active, silent, active * (d + p - 1) + silent * p


def _further(arguments: Arguments) -> tuple[Finding, ...]:
    active_units, inactive_units, needed_rank = _rank_needed(arguments)
    zero = sum(not any(row) for row in arguments["hidden"])
    rank = quadratic_network(arguments).rank
    return (
        Finding.of("no hidden weight vector w_j is zero", not zero, f"{zero} are zero"),
        Finding.of(
            "the derivatives are independent: those of the active units up to scaling, and those "
            "by the outer weights of the inactive ones",
            rank == needed_rank,
            f"{active_units} active, {inactive_units} inactive; rank {rank}, {needed_rank} needed",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    active, silent, rank = _rank_needed(arguments)
    p, d = len(arguments["outer"]), len(arguments["hidden"][0])
    return Pair(step(f"λ = ({active}·({d} + {p} − 1) + {silent}·{p})/2", Fraction(rank, 2)), 1)


_ONE_UNIT = (((1,),), ((1,),))

THEOREM = Theorem(
    id="quadratic-inactive",
    title="Quadratic network with inactive units",
    cites=("cullen2026, theorem 5.5, which leaves out the inactive units",),
    hypotheses=shape_checks(_further),
    value=_value,
    **WITHOUT_BIASES,
    instances=(
        known_instance((((1, 0), (1, 1)), ((1, 0), (1, 0))), "5/2", 1, BY_RANK, by_simulation()),
        Instance((((1, 0),), ((0,), (0,))), Pair.of(1), (BY_ENGINE, BY_RANK)),
        known_instance((((1, 0, 0), (0, 1, 1)), ((1, 0),)), "2", 1, BY_RANK),
    ),
    counterexamples=(
        Counterexample.against("w_j is zero", (((1, 0), (0, 0)), ((1, 0), (1, 0))), ("2", 3)),
        Counterexample.against(
            "independent", (((1,), (1,)), ((1, 0),)), "1/2", confirmed=(BY_ENGINE, BY_RANK)
        ),
        axis_only((((1, 0),), ((1,),)), "(1+v)*(1+a)**2 - 1"),
        vanishing_prior(_ONE_UNIT, 1),
    ),
)
