"""CP decomposition, upper bound."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.models.cp import CpDecomposition
from rlct.pair import Pair
from rlct.theorems._arguments import Kind, Parameter, Truth
from rlct.theorems._evidence import Bounds, simulated
from rlct.theorems._sizes import INTERIOR, at_most, bounded, integer, linked, positive
from rlct.theorems.base import Counterexample, Finding, Theorem

__all__ = ["THEOREM"]


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    dims = arguments["dims"]
    return (
        Finding.of(
            "there are at least two positive dimensions",
            len(dims) >= 2 and min(dims) >= 1,
            f"dims {dims}",
        ),
        positive(arguments, "terms"),
        at_most(arguments, "true", "terms"),
    )


def _value(arguments: Mapping[str, Any]) -> Bounds:
    dims, H, r = arguments["dims"], arguments["terms"], arguments["true"]
    upper = Fraction(r * (sum(dims) - len(dims) + 1) + (H - r) * min(dims), 2)
    return Bounds("spare terms set to 0", upper=Pair(upper, 1))


_QUESTION, _RECOGNISE = linked(CpDecomposition, ("dims", "terms", "true"), fixed={"nonneg": False})
_NAMES = "dims terms true"

THEOREM = Theorem(
    id="cp-bound",
    title="CP decomposition, upper bound",
    model="tensor Σ_h a_h ⊗ b_h ⊗ … + Gaussian noise, H terms, the truth has r non-zero terms",
    statement="λ ≤ (r(Σ dims − L + 1) + (H − r)·min(dims))/2 for L dimensions.",
    where="minimum over all parameters of the true tensor",
    sources=(
        "Yoshida, N. and Watanabe, S. (2023). Upper bound of real log canonical threshold of "
        "tensor decomposition and its application to Bayesian inference. arXiv:2303.05731 (a "
        "bound of this kind; this one is proved on the theory page).",
    ),
    parameters=(
        Parameter("dims", Kind.INTEGERS, "dimensions of the tensor"),
        integer("terms", "H, number of terms"),
        integer("true", "r, number of non-zero terms of the truth", default=0),
        INTERIOR,
    ),
    hypotheses=_findings,
    value=_value,
    question=_QUESTION,
    recognise=_RECOGNISE,
    kind="bound",
    instances=(
        bounded(_NAMES, ((2, 2, 2), 1, 1), "2", ("2", 1), "Segre cone of dimension 4", simulated()),
        bounded(_NAMES, ((2, 2, 2), 2, 0), "2", ("2", 6), "attained at 0"),
        bounded(_NAMES, ((2, 2), 2, 0), "2", ("3/2", 1), "not tight: reduced-rank regression"),
        bounded(_NAMES, ((4, 5, 6), 3, 2), "15", None, "(2·13 + 4)/2"),
    ),
    counterexamples=(
        Counterexample(
            {"dims": (1, 1), "terms": 1, "true": 0, "interior": Truth.FALSE},
            "interior",
            Pair.of("3/2", 2),
            ("a*b",),
            "A prior a²b² that vanishes at 0.",
            prior="a**2*b**2",
        ),
    ),
)
