"""Theorems 4.2 and G.6 of Cullen et al., corrected: joint injectivity."""

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


def _further(arguments: Arguments) -> tuple[Finding, ...]:
    network = quadratic_network(arguments)
    d, p, K = network.law.inputs, network.outputs, network.units
    active = sum(any(network.hidden[j]) and any(network.vector(j)) for j in range(K))
    return (
        Finding.of("no w_j and no (v_1j, …, v_pj) vanishes", active == K, f"{active} of {K}"),
        Finding.of(
            "Σ_j v_kj (u_j w_jᵀ + w_j u_jᵀ) + y_kj w_j w_jᵀ = 0 for all k with u_j ⊥ w_j only "
            "if all u_j and y_kj are zero (joint injectivity)",
            network.rank == K * (d + p - 1),
            f"rank {network.rank}, {K * (d + p - 1)} needed",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    hidden, outer = arguments["hidden"], arguments["outer"]
    K, d, p = len(hidden), len(hidden[0]), len(outer)
    return Pair(step(f"λ = {K}·({d} + {p} − 1)/2", Fraction(K * (d + p - 1), 2)), 1)


_ONE_UNIT = (((1,),), ((1,),))
_FIVE_UNITS = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 2, -1)),
    ((1, 1, 1, 1, 1), (1, 2, 3, -1, -2)),
)

THEOREM = Theorem(
    id="quadratic-injective",
    title="Quadratic network without redundancy",
    cites=("cullen2026, theorems 4.2 and G.6, with the hypothesis that their proof needs",),
    hypotheses=shape_checks(_further),
    value=_value,
    **WITHOUT_BIASES,
    instances=(
        Instance(_ONE_UNIT, Pair.of("1/2"), (BY_ENGINE, BY_RANK, by_simulation())),
        known_instance((((1, 2),), ((1,), (-1,))), "3/2", 1, BY_RANK, by_simulation()),
        known_instance((((1, 0), (0, 1)), ((1, 0), (0, 1))), "3", 1, BY_RANK),
    ),
    counterexamples=(
        Counterexample.against(
            "joint injectivity",
            (((1, 0), (1, 1)), ((1, 2),)),
            "3/2",
            confirmed=(BY_ENGINE, BY_RANK),
        ),
        Counterexample.against(
            "joint injectivity", _FIVE_UNITS, "6", confirmed=(BY_ENGINE, BY_RANK)
        ),
        Counterexample.against(
            "vanishes", (((1, 0),), ((0,),)), "1/2", confirmed=(BY_ENGINE, BY_RANK)
        ),
        axis_only((((1, 0),), ((1,),)), "(1+v)*(1+a)**2 - 1"),
        vanishing_prior(_ONE_UNIT, 1),
    ),
)
