"""Bounds for three-layer networks with any number of inputs."""

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Final

from rlct.models.activations.tanh import TanhNetwork
from rlct.pair import Pair
from rlct.theorems.activations.tanh_network import network_pair
from rlct.theorems.activations.three_layer import (
    INPUT_LAW,
    INPUT_MOMENTS,
    TAYLOR_ORDERS,
    heavy_tails,
)
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, by_dimension
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import (
    bounded_instance,
    integer_parameter,
    model_links,
    size_checks,
)
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import note_case, recorded_steps, step

_MOST_PARTED: Final = 60  # units that are split in all ways
_MOST_ORDERS: Final = 10_000  # corners s that are tried; each gives a bound


def zero_units_bound(units: int, inputs: int, outputs: int, step: int) -> Fraction:
    """Least value over s of ½ (N h s + M Σ_n D_n (1 − m_n s)⁺), and M h/2.

    m_n = 1 + Qn are the Taylor orders and D_n the number of monomials of degree m_n.

    >>> zero_units_bound(3, 1, 1, 2), zero_units_bound(2, 2, 2, 1)
    (Fraction(5, 6), Fraction(2, 1))
    """
    least_bound = Fraction(outputs * units, 2)
    count, weighted, order = 0, 0, 1
    while True:
        corner = Fraction(1, order)
        value = inputs * units * corner + outputs * (count - weighted * corner)
        least_bound = min(least_bound, value / 2)
        here = comb(inputs + order - 1, order)
        count, weighted = count + here, weighted + here * order
        if outputs * weighted >= inputs * units:  # smaller s costs more from here on
            return least_bound
        order += step


def parallel_units_bound(units: int, inputs: int, outputs: int, step: int) -> Fraction:
    """Least value over s of ½ (N s + (h − 1)(s + N − 1) + M Σ_{n<h} (1 − m_n s)⁺).

    >>> parallel_units_bound(2, 2, 2, 1), parallel_units_bound(3, 2, 2, 2)
    (Fraction(7, 4), Fraction(7, 3))
    """
    least_bound = Fraction(inputs * units, 2)
    weighted, order = 0, 1
    for count in range(min(units, _MOST_ORDERS)):  # every s gives a bound
        corner = Fraction(1, order)
        value = inputs * corner + (units - 1) * (corner + inputs - 1)
        least_bound = min(least_bound, (value + outputs * (count - weighted * corner)) / 2)
        weighted += order
        if outputs * weighted >= inputs + units - 1:  # smaller s costs more from here on
            break
        order += step
    return least_bound


@lru_cache(maxsize=64)
def spare_units_bound(units: int, inputs: int, outputs: int, step: int) -> Fraction:
    """Least bound over ways to part the units into sets that are scaled as one or parallel.

    >>> spare_units_bound(3, 2, 2, 2), spare_units_bound(3, 1, 1, 2)
    (Fraction(7, 3), Fraction(5, 6))
    """
    sizes = (inputs, outputs, step)
    parts = range(1, units + 1) if units <= _MOST_PARTED else (units,)
    single = {h: min(zero_units_bound(h, *sizes), parallel_units_bound(h, *sizes)) for h in parts}
    if units > _MOST_PARTED:
        return single[units]
    best = [Fraction(0)]
    for count in range(1, units + 1):
        best.append(min(single[h] + best[count - h] for h in range(1, count + 1)))
    return best[-1]


def _value(arguments: Arguments) -> TheoremBounds:
    N, H, M = (arguments[name] for name in ("inputs", "hidden", "outputs"))
    r = arguments["true_hidden"]
    spare = H - r
    first = Fraction(r * (M + N), 2)
    spare_bound = spare_units_bound(spare, N, M, arguments["step"]) if spare else Fraction(0)
    step(f"least bound of {spare} spare unit{'s' * (spare != 1)}", spare_bound)
    step(f"λ ≤ {r}·({M} + {N})/2 + {spare_bound}", first + spare_bound)
    low, lower = _lower(N, H, M, r, arguments["step"])
    return TheoremBounds(f"{low}; spare units scaled to zero", lower, Pair(first + spare_bound, 1))


def _lower(N: int, H: int, M: int, r: int, order_step: int) -> tuple[str, Pair]:
    """Take the greater of two, each by fewer equations."""
    with recorded_steps():  # the steps of other theorems, which have their own pages
        line = network_pair(H, r, M, order_step)
        assert line is not None
        lower_pairs = {"inputs on a line": line}
        if r:
            lower_pairs["rank of the derivative"] = Pair(Fraction(r * (M + N), 2), 1)
        else:
            lower_pairs["linear part"] = reduced_rank_pair(N, H, M, 0)
    for rule, pair in lower_pairs.items():
        note_case(f"{rule}: λ ≥ {pair.lam}")
    why = max(lower_pairs, key=lambda rule: lower_pairs[rule])
    step(
        f"λ ≥ max({', '.join(str(pair.lam) for pair in lower_pairs.values())})",
        lower_pairs[why].lam,
    )
    return why, lower_pairs[why]


THEOREM = Theorem(
    id="three-layer-bound",
    title="Three-layer network, bounds for any number of inputs",
    model="y = Σ_h a_h σ(b_h·x) + Gaussian noise, N inputs, M outputs, r true units",
    where="minimum over all parameters of the true function",
    cites=("kurumadani2026 (the case of spare units at zero)",),
    parameters=(
        integer_parameter("inputs", "N, number of inputs"),
        integer_parameter("hidden", "H, number of hidden units"),
        integer_parameter("outputs", "M, number of outputs", default=1),
        integer_parameter(
            "true_hidden", "r, least number of units of the true function", default=0
        ),
        integer_parameter("step", "Q, distance of the Taylor orders", default=2),
        TAYLOR_ORDERS,
        INPUT_LAW,
        INPUT_MOMENTS,
        INTERIOR_PARAMETERS,
    ),
    hypotheses=size_checks("inputs", "hidden", "outputs", "step", true=("true_hidden", "hidden")),
    value=_value,
    fallback=by_dimension("orders", lambda a: a["hidden"] * (a["inputs"] + a["outputs"])),
    **model_links(TanhNetwork),
    kind="bound",
    instances=(
        bounded_instance((1, 2, 1, 0, 2), "2/3", "2/3", "2/3", by_simulation()),
        bounded_instance((2, 2, 2, 0, 1), "3/2", "7/4", "7/4"),
        bounded_instance((1, 2, 1, 1, 2), "5/4", "3/2", "5/4"),
        bounded_instance((2, 2, 1, 0, 2), ("1", 2), "1", "1"),
        bounded_instance((2, 4, 2, 1, 2), "5/2", "13/3", None),
    ),
    counterexamples=(
        heavy_tails(2, {"inputs": 1, "hidden": 2}),
        Counterexample.against(
            "input_law", {"inputs": 1, "hidden": 1, "true_hidden": 1}, "1/2", "a + b + a*b"
        ),
        Counterexample.against(
            "orders",
            {"inputs": 1, "hidden": 2, "outputs": 1, "step": 1},
            ("1", 2),
            "a + c; a*b + c*d; a*b**2 + c*d**2",
        ),
        squared_product({"inputs": 1, "hidden": 1, "outputs": 1, "step": 2}, "interior", "a*b"),
    ),
)
