"""Three-layer networks with one input and a true function of r units."""

from rlct.models.activations.tanh import TanhNetwork
from rlct.pair import Pair
from rlct.theorems.activations.three_layer import INPUT_MOMENTS, TAYLOR_ORDERS, heavy_tails
from rlct.theorems.activations.vandermonde import vandermonde_pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import FEWER_INPUTS, INTERIOR_PARAMETERS, by_dimension
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    size_checks,
)
from rlct.theorems.working import joined_terms, step


def network_pair(units: int, true_units: int, outputs: int, order_step: int) -> Pair | None:
    """Return the least pair over where the spare units go; None if there are no units at all.

    >>> network_pair(4, 1, 1, 2), network_pair(2, 1, 2, 2)
    (Pair(5/3, 1), Pair(2, 2))
    """
    spare_units, M = units - true_units, outputs
    # Every true unit alone: M weights and one b are coordinates.
    single_units = [Pair.of(f"{M + 1}/2")] * true_units
    each = f"{true_units}·({M} + 1)/2"
    if not spare_units:
        if not single_units:
            return None
        step(f"λ = {each}", Pair.sum(single_units).lam)
        return Pair.sum(single_units)
    zero = vandermonde_pair(spare_units, M, order_step)
    spare_pairs = [Pair.sum([*single_units, zero])]
    step(f"spare units at zero: {each} + {zero.lam}", spare_pairs[0].lam)
    if true_units:
        weights = Pair.of(f"{M}/2")
        shared = vandermonde_pair(spare_units + 1, M, 1)
        spare_pairs.append(Pair.sum([*single_units[1:], weights, shared]))
        others = f"({true_units} − 1)·({M} + 1)/2"
        step(f"at a true unit: {others} + {M}/2 + {shared.lam}", spare_pairs[1].lam)
    best = min(spare_pairs)
    step(f"λ = min({joined_terms((place.lam for place in spare_pairs), ', ')})", best.lam)
    step("θ", best.theta)
    return best


def _value(arguments: Arguments) -> Pair:
    names = ("hidden", "true_hidden", "outputs", "step")
    pair = network_pair(*(arguments[name] for name in names))
    assert pair is not None
    return pair


THEOREM = Theorem(
    id="tanh-network",
    title="Three-layer network, one input, any true number of units",
    model="y = Σ_h a_h σ(b_h x) + Gaussian noise, one input, M outputs, r true units",
    where="minimum over all parameters of the true function",
    cites=("aoyagi2009 (the two germs; their combination is proved on the theory page)",),
    parameters=(
        integer_parameter("hidden", "H, number of hidden units"),
        integer_parameter(
            "true_hidden", "r, least number of units of the true function", default=0
        ),
        integer_parameter("outputs", "M, number of outputs", default=1),
        integer_parameter("step", "Q, distance of the Taylor orders", default=2),
        TAYLOR_ORDERS,
        Parameter.given(
            "independent",
            "the functions x^j σ^(j)(b x), for every j and all distinct b > 0 (b ≠ 0 if σ is not "
            "odd), and the powers x^(1+Qn) are linearly independent for the law of the input",
            upper=FEWER_INPUTS,
        ),
        INPUT_MOMENTS,
        INTERIOR_PARAMETERS,
    ),
    hypotheses=size_checks("hidden", "outputs", "step", true=("true_hidden", "hidden")),
    value=_value,
    fallback=by_dimension("orders independent", lambda a: a["hidden"] * (1 + a["outputs"])),
    **model_links(TanhNetwork, ("hidden", "true_hidden", "outputs", "step"), fixed={"inputs": 1}),
    instances=(
        known_instance((1, 1, 1, 2), "1", 1),
        known_instance((2, 1, 1, 2), "5/4", 1, by_simulation()),
        known_instance((2, 0, 1, 2), "2/3", 1),
        known_instance((2, 1, 2, 2), "2", 2),
        known_instance((2, 2, 1, 2), "2", 1),
    ),
    counterexamples=(
        heavy_tails(1, {"hidden": 1}),
        Counterexample.against("independent", (1, 1, 1, 2), "1/2", "a + b + a*b"),
        Counterexample.against("orders", (2, 0, 1, 2), "3/5", "a*b + c*d; a*b**5 + c*d**5"),
        squared_product((1, 0, 1, 2), "interior", "a*b"),
    ),
)
