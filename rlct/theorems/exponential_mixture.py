"""Mixture of exponential laws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlct.models.mixture import Mixture
from rlct.pair import Pair
from rlct.theorems._arguments import Truth
from rlct.theorems._evidence import simulated
from rlct.theorems._mixture import (
    ARGUMENTS,
    CONCENTRATION,
    DISTINCT,
    INTERIOR,
    STATEMENT,
    WHERE,
    coinciding,
    findings,
    mixture_pair,
)
from rlct.theorems._sizes import known, linked
from rlct.theorems.base import Counterexample, Theorem

__all__ = ["THEOREM"]


def _value(arguments: Mapping[str, Any]) -> Pair:
    H, r, alpha = (arguments[name] for name in ("components", "true", "concentration"))
    return mixture_pair(H, r, 1, alpha)


_QUESTION, _ = linked(  # a mixture as such is recognised by mixture.py
    Mixture,
    ("components", "true", "concentration"),
    fixed={"signed": False, "trials": None, "dimension": 1},
)
_NAMES = "components true concentration"

THEOREM = Theorem(
    id="exponential-mixture",
    title="Mixture of exponential laws",
    model="Σ_h a_h exp(−x/b_h)/b_h on x > 0, a on the simplex with a Dirichlet(α) prior",
    statement=STATEMENT + ", where d = 1.",
    where=WHERE,
    sources=(
        "Sato, K. and Watanabe, S. (2019). Bayesian generalization error of Poisson mixture and "
        "simplex Vandermonde matrix type singularity. arXiv:1912.13289 (the singularity; that "
        "exponential laws have it is shown on the theory page).",
    ),
    parameters=(*ARGUMENTS, CONCENTRATION, DISTINCT, INTERIOR),
    hypotheses=findings,
    value=_value,
    question=_QUESTION,
    instances=(
        known(_NAMES, (2, 1, 1), "3/4", 1, "the mean and a δ²", simulated()),
        known(_NAMES, (3, 1, 1), "1", 1, "the mean and two of a δ²"),
        known(_NAMES, (3, 2, 1), "7/4", 1, "three coordinates and one a δ²"),
    ),
    counterexamples=(
        Counterexample(
            {"components": 1, "true": 1, "interior": Truth.FALSE},
            "interior",
            Pair.of("3/2", 1),
            ("b",),
            "A prior (b − b*)² that vanishes at the true mean.",
            prior="b**2",
        ),
        coinciding(1),
    ),
)
