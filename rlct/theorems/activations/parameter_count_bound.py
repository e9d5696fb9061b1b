"""Networks of any architecture, bounded by half the number of parameters."""

from collections.abc import Mapping
from fractions import Fraction

from rlct.models.activations.network_size import NetworkSize
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem, TheoremBounds
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.polynomial_question import monomial_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    bounded_instance,
    integer_parameter,
    model_links,
    size_checks,
)
from rlct.theorems.working import step

_MOST_WRITTEN = 40  # squares that the engine is asked about


def _value(arguments: Arguments) -> TheoremBounds:
    d, m = step("d", arguments["parameters"]), arguments["order"]
    upper = Pair(step(f"λ ≤ {d}/{2 * m}", Fraction(d, 2 * m)), 1)
    return TheoremBounds(f"upper: K is at most a constant times {_power(m)}", None, upper)


def _power(m: int) -> str:
    return "the squared distance" if m == 1 else f"the power {2 * m} of the distance"


def _statements(arguments: Arguments) -> Mapping[str, str]:
    power = f"{_power(arguments['order'])} from it in {arguments['parameters']} coordinates"
    return {"lipschitz": f"near the parameter K is at most a constant times {power}"}


def _question(arguments: Arguments) -> object | None:
    """The sum of powers Σ w^(2m) of this size, in which the bound is reached."""
    d = arguments["parameters"]
    if d > _MOST_WRITTEN:
        return None
    rows = [tuple(arguments["order"] * (i == j) for j in range(d)) for i in range(d)]
    return monomial_question(rows, [Fraction(0)] * d)


THEOREM = Theorem(
    id="parameter-count-bound",
    title="Any network, half the number of parameters",
    model=(
        "any model with d parameters, such as a perceptron, a convolutional network or a "
        "transformer, that can realise the truth"
    ),
    where="at every parameter of the true function",
    cites=("watanabe2009 (for analytic K; proved on the theory page)",),
    parameters=(
        Parameter("parameters", Kind.INTEGER, "d, trained parameters, or those on which K depends"),
        integer_parameter("order", "m, 2m being the order of K in them", 1),
        Parameter.given(
            "lipschitz",
            "near the parameter K is at most a constant times the power 2m of the distance from it "
            "in d coordinates. For m = 1 and all parameters: the network realises the truth there, "
            "its outputs are Lipschitz in the parameters with a constant whose square is "
            "integrable over the inputs, and the loss is squared error or the cross-entropy of a "
            "softmax",
            fallback_text="nothing: K = |w|^a has λ = d/a for every a > 0",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=size_checks("parameters", "order"),
    value=_value,
    question=_question,
    statements=_statements,
    recognise=model_links(NetworkSize)["recognise"],
    kind="bound",
    instances=(
        bounded_instance((1,), None, "1/2", "1/2", by_simulation()),
        bounded_instance((2,), None, "1", "1"),
        bounded_instance((3,), None, "3/2", "3/2"),
        bounded_instance((2, 2), None, "1/2", "1/2"),
    ),
    counterexamples=(
        Counterexample.against("lipschitz", (1,), "1", "x", prior="x"),
        squared_prior((1,), "prior_positive", "x"),
    ),
)
