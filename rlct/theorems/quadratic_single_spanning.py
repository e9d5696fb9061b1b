"""Theorem G.1 of Cullen et al.: one output, biases, a quadratic form of full rank."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.pair import Pair
from rlct.theorems._arguments import Truth
from rlct.theorems._evidence import ENGINE, RANK, simulated
from rlct.theorems._quadratic import (
    BIAS,
    FEATURES,
    OUTER,
    PRIOR,
    SOURCE,
    network,
    shapes,
    vanishing_prior,
)
from rlct.theorems.base import Counterexample, Finding, Instance, Theorem

__all__ = ["THEOREM"]


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    checked = shapes(arguments, bias=True)
    if checked.truth is Truth.FALSE:
        return (checked,)
    from rlct.exact_rank import rank

    hidden, outer = arguments["hidden"], arguments["outer"]
    d = len(hidden[0]) - 1
    form = [
        [sum(v * w[a] * w[b] for v, w in zip(outer[0], hidden, strict=True)) for b in range(d)]
        for a in range(d)
    ]
    found = rank(form)
    return (
        checked,
        Finding.of("there is one output", len(outer) == 1, f"{len(outer)} outputs"),
        Finding.of("Q = Σ_j v_j w_j w_jᵀ has full rank", found == d, f"rank {found} of {d}"),
    )


def _value(arguments: Mapping[str, Any]) -> Pair:
    d = len(arguments["hidden"][0]) - 1
    return Pair(Fraction((d + 1) * (d + 2), 4), 1)


_LINE = {"hidden": ((1, 0),), "outer": ((1,),)}

THEOREM = Theorem(
    id="quadratic-single-spanning",
    title="Quadratic network with biases and a form of full rank",
    model="y = Σ_j v_j (w_j·x + b_j)² + c + Gaussian noise",
    statement="λ = (d+1)(d+2)/4 and θ = 1 for d inputs, where rank Q = d.",
    where="at the given weights, for any c",
    sources=(SOURCE + ", theorem G.1.",),
    parameters=(BIAS, OUTER, FEATURES, PRIOR),
    hypotheses=_findings,
    value=_value,
    rank=lambda arguments: network(arguments, bias=True).rank,
    question=lambda arguments: network(arguments, bias=True),
    instances=(
        Instance(
            _LINE, Pair.of("3/2"), "all functions q x² + r x + s", (ENGINE, RANK, simulated())
        ),
        Instance(
            {"hidden": ((1, 0, 2), (0, 1, -1)), "outer": ((1, -1),)},
            Pair.of(3),
            "all quadratic functions of two variables; v_1 + v_2 = 0 does not matter",
            (ENGINE, RANK),
        ),
        Instance(
            {"hidden": ((1, 0), (1, 3), (2, 1)), "outer": ((1, -2, 0),)},
            Pair.of("3/2"),
            "all functions q x² + r x + s, with units to spare",
            (ENGINE, RANK),
        ),
    ),
    counterexamples=(
        Counterexample(
            {"hidden": ((1, 0),), "outer": ((0,),)},
            "has full rank",
            Pair.of(1),
            (),
            "v = 0: v and c are free, and v b is no third generator.",
            confirmed=(ENGINE, RANK),
        ),
        Counterexample(
            {"hidden": ((1, 0),), "outer": ((1,), (1,))},
            "one output",
            Pair.of("5/2"),
            (),
            "Two outputs share the unit: 2·1 + 3 parameters up to scaling, c included.",
            confirmed=(ENGINE, RANK),
        ),
        Counterexample(
            {**_LINE, "features": Truth.FALSE},
            "features",
            Pair.of(1),
            ("(1+v)*b**2 + c", "(1+v)*(1+w+b)**2 + c - 1"),
            "Two inputs, 0 and 1, determine two values.",
            confirmed=(ENGINE,),
        ),
        vanishing_prior(_LINE, 3),
    ),
)
