"""Monomial activations, one input: the zero function."""

from fractions import Fraction

from rlct.models.activations.power import PowerNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, SMALLER_SET
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    size_checks,
)
from rlct.theorems.working import step


def _value(arguments: Arguments) -> Pair:
    H, m, M = arguments["hidden"], arguments["degree"], arguments["outputs"]
    ratio = Fraction(H, m)
    lam = step(f"λ = min({M}, {H}/{m})/2", min(Fraction(M), ratio) / 2)
    return Pair(lam, step("θ", 2 if ratio == M else 1))


THEOREM = Theorem(
    id="power-activation",
    title="Monomial activation, one input",
    model="y = Σ_h a_h (b_h x)^m + Gaussian noise, one input, M outputs, true function 0",
    where="at a = 0, b = 0, the deepest parameter of the zero function",
    cites=("kurumadani2026 (polynomial activations; proved anew on the theory page)",),
    parameters=(
        integer_parameter("hidden", "H, number of hidden units"),
        integer_parameter("degree", "m, degree of the activation"),
        integer_parameter("outputs", "M, number of outputs", default=1),
        Parameter.stated("signed", "the weights a may have either sign", lower=SMALLER_SET),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=size_checks("hidden", "degree", "outputs"),
    value=_value,
    **model_links(PowerNetwork),
    instances=(
        known_instance((1, 2, 1), "1/4", 1),
        known_instance((2, 2, 1), "1/2", 2),
        known_instance((2, 3, 1), "1/3", 1, by_simulation()),
        known_instance((3, 2, 1), "1/2", 1),
        known_instance((3, 2, 2), "3/4", 1),
        known_instance((4, 2, 2), "1", 2),
    ),
    counterexamples=(
        Counterexample.against("signed", (2, 2, 1), "1/2", "a*x**2 + b*y**2", nonneg=("a", "b")),
        Counterexample.against("interior", (1, 2, 1), "3/4", "a*b**2", prior="a**2*b**2"),
    ),
)
