"""Vandermonde-type singularities with one input: the zero function."""

from fractions import Fraction
from math import isqrt

from rlct.models.activations.tanh import TanhNetwork
from rlct.pair import Pair
from rlct.theorems.activations.three_layer import AT_ZERO, OUTPUTS_TO_PRIOR, heavy_tails
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import by_dimension
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    size_checks,
)
from rlct.theorems.working import note_case, step


def vandermonde_pair(hidden: int, outputs: int, orders: int) -> Pair:
    """Evaluate the pair of (Σ_h a_kh b_h^(1+Qn)), k ≤ M, n = 0, 1, …, at the origin.

    H, M and Q are ``hidden``, ``outputs`` and ``orders``.

    Aoyagi, M. (2009), IJPAM 52:177–204; Aoyagi, M. and Watanabe, S. (2005), IEICE J88-D-II.

    >>> vandermonde_pair(4, 1, 2), vandermonde_pair(4, 1, 1)
    (Pair(1, 2), Pair(7/6, 1))
    """
    H, M, Q = hidden, outputs, orders
    # The largest k with 2H ≥ M (k(k−1)Q + 2k): k² Q + (2 − Q) k − 2H/M ≤ 0.
    k = max(0, (Q - 2 + isqrt((Q - 2) ** 2 + 8 * Q * H // M)) // (2 * Q))
    while M * (k * (k + 1) * Q + 2 * (k + 1)) <= 2 * H:
        k += 1
    while k and M * (k * (k - 1) * Q + 2 * k) > 2 * H:
        k -= 1
    theta = 2 if k and M * (k * (k - 1) * Q + 2 * k) == 2 * H else 1
    lam = Fraction(M * Q * k * (k + 1) + 2 * H, 4 * (1 + k * Q))
    note_case(f"for {H} units with Q = {Q} k is {k}")
    text = f"({M}·{Q}·{k}·({k} + 1) + 2·{H})/(4·(1 + {k}·{Q}))"
    return Pair(step(f"V_{Q}({H}) = {text}", lam), theta)


def _value(arguments: Arguments) -> Pair:
    pair = vandermonde_pair(arguments["hidden"], arguments["outputs"], arguments["step"])
    step(f"λ = {pair.lam}", pair.lam)
    step("θ", pair.theta)
    return pair


THEOREM = Theorem(
    id="vandermonde",
    title="Vandermonde-type singularities, one input",
    model="y = Σ_h a_h σ(b_h x) + Gaussian noise, one input, M outputs, true function 0",
    where=AT_ZERO,
    cites=("aoyagi2009", "aoyagi2005layered"),
    parameters=(
        integer_parameter("hidden", "H, number of hidden units"),
        *OUTPUTS_TO_PRIOR,
    ),
    hypotheses=size_checks("hidden", "outputs", "step"),
    value=_value,
    fallback=by_dimension("orders input_law", lambda a: a["hidden"] * (1 + a["outputs"])),
    **model_links(TanhNetwork, fixed={"inputs": 1, "true_hidden": 0}),
    instances=(
        known_instance((1, 1, 2), "1/2", 2),
        known_instance((2, 1, 2), "2/3", 1, by_simulation()),
        known_instance((2, 1, 1), "3/4", 1),
        known_instance((3, 1, 2), "5/6", 1),
        known_instance((3, 1, 1), "1", 2),
        known_instance((3, 2, 1), "5/4", 1),
        known_instance((2, 2, 1), "1", 2),
        known_instance((3, 1, 3), "3/4", 1),
    ),
    counterexamples=(
        heavy_tails(1, {"hidden": 1, "outputs": 1, "step": 2}),
        Counterexample.against("input_law", (2, 1, 2), "1/2", "a*b + c*d"),
        Counterexample.against("orders", (2, 1, 2), "3/5", "a*b + c*d; a*b**5 + c*d**5"),
        squared_product((1, 1, 2), "interior", "a*b"),
    ),
)
