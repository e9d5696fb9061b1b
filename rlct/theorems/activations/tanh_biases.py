"""Tanh networks with biases, any number of inputs, up to two spare units exactly."""

from fractions import Fraction

from rlct.models.activations.tanh_bias import BiasedTanhNetwork
from rlct.pair import Pair
from rlct.theorems.activations.three_layer import INPUT_LAW, INPUT_MOMENTS
from rlct.theorems.activations.three_layer_bound import spare_units_bound
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem, TheoremBounds
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    at_most,
    integer_parameter,
    known_instance,
    model_links,
    positive_sizes,
)
from rlct.theorems.working import note_case, step

_MODEL_FIELDS = ("inputs", "hidden", "true_hidden", "output_bias")


def _true_part(arguments: Arguments) -> Fraction:
    N, _, r, bias = (arguments[name] for name in _MODEL_FIELDS)
    return step(f"true part: ({r}·({N} + 2) + {int(bias)})/2", Fraction(r * (N + 2) + bias, 2))


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    spare = arguments["hidden"] - arguments["true_hidden"]
    return (
        positive_sizes(arguments, "inputs", "hidden"),
        at_most(arguments, "true_hidden", "hidden"),
        Finding(
            "at most two units are spare",
            Truth.TRUE if spare <= 2 else Truth.OPEN,
            f"{spare} spare",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    N, H, r, bias = (arguments[name] for name in _MODEL_FIELDS)
    true_part, spare = _true_part(arguments), H - r
    spare_part, theta = Fraction(spare, 2), 1
    if N == 1 and spare == 1 and (r or bias):
        theta = 2
        note_case("a spare unit beside a true one" if r else "a spare unit at b = 0")
    elif N == 1 and spare == 2 and bias:
        spare_part = Fraction(3, 4)
        note_case("two spare units at b = 0")
    elif N == 1 and spare == 2 and r:
        theta = 4
        note_case("two spare units beside a true one")
    lam = step(f"λ = {true_part} + {spare_part}", true_part + spare_part)
    return Pair(lam, step("θ", theta))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Three spare units and more, or half the number of parameters."""
    N, H, r, bias = (arguments[name] for name in _MODEL_FIELDS)
    below_kept, above_kept = only_open(arguments, "interior"), only_open(arguments, "input_law")
    if H - r <= 2 or not (below_kept or above_kept):
        return None
    true_part, parameters = _true_part(arguments), H * (N + 2) + bias
    flat = spare_units_bound(H - r, N, 1, 1) if bias else spare_units_bound(H - r, N + 1, 1, 2)
    most = min(Fraction(H - r, 2), flat)
    lower = Pair(step(f"λ ≥ {true_part} + 1", true_part + 1), parameters)
    upper = Pair(step(f"λ ≤ {true_part} + {most}", true_part + most), 1)
    rule = "low orders of each group of units; spare units at a = 0 or at b = 0"
    return TheoremBounds(rule, lower if below_kept else None, upper if above_kept else None)


THEOREM = Theorem(
    id="tanh-network-with-biases",
    title="Tanh network with biases, any number of inputs",
    model="y = Σ_h a_h tanh(b_h·x + c_h) (+ d) + Gaussian noise, N inputs, r true units",
    where="minimum over all parameters of the true function",
    cites=(
        "aoyagi2005layered (without biases; the values with them are proved on the theory page)",
    ),
    parameters=(
        integer_parameter("inputs", "N, number of inputs"),
        integer_parameter("hidden", "H, number of hidden units"),
        integer_parameter(
            "true_hidden",
            "r, least number of units with b ≠ 0 of the true function, which has no constant "
            "beside that of an output bias",
            default=0,
        ),
        Parameter("output_bias", Kind.FLAG, "whether d is added, a parameter", False),
        INPUT_LAW,
        INPUT_MOMENTS,
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    **model_links(BiasedTanhNetwork),
    instances=(
        known_instance((1, 1, 1, False), "3/2", 1),
        known_instance((1, 1, 0, False), "1/2", 1),
        known_instance((1, 1, 0, True), "1", 2),
        known_instance((1, 2, 1, False), "2", 2),
        known_instance((2, 2, 1, True), "3", 1),
        known_instance((1, 2, 0, True), "5/4", 1, by_simulation()),
        known_instance((1, 2, 0, False), "1", 1),
        known_instance((1, 3, 1, True), "11/4", 1),
        known_instance((1, 3, 1, False), "5/2", 4),
    ),
    counterexamples=(
        Counterexample.against(
            "moments", {"inputs": 1, "hidden": 1, "output_bias": True}, "1", "d; a*r", prior="r"
        ),
        Counterexample.against("input_law", (1, 1, 1), "1", "a + u + a*u; a + v + a*v"),
        squared_prior((1, 1, 1), "interior", "u v w"),
    ),
)
