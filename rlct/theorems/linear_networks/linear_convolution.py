"""Linear convolutional networks of one channel."""

from fractions import Fraction

from rlct.models.linear_networks.linear_convolution import LinearConvolution
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import FEWER_INPUTS, INTERIOR_PARAMETERS
from rlct.theorems.kit.sizes import by_building, integer_parameter, known_instance, model_links
from rlct.theorems.working import joined_terms, step

_MODEL_FIELDS = ("filters", "real_roots", "complex_pairs")


def _network(arguments: Arguments) -> LinearConvolution:
    """The model, without a list of real roots where all are complex."""
    filters, roots, pairs = (arguments[name] for name in _MODEL_FIELDS)
    return LinearConvolution(filters, None if pairs and roots in ((), (0,)) else roots, pairs)


def _shown(arguments: Arguments) -> str:
    _network(arguments)
    return f"sizes {', '.join(map(str, arguments['filters']))}"


def _value(arguments: Arguments) -> Pair:
    filters = arguments["filters"]
    net = _network(arguments)
    if net.zero:
        lam = step(f"λ = min({joined_terms(filters, ', ')})/2", Fraction(min(filters), 2))
        return Pair(lam, step("number of filters that reach it, θ", filters.count(min(filters))))
    degree = step(f"N = {joined_terms(f'({k} − 1)' for k in filters)}", sum(filters) - len(filters))
    split = step("s", net.split)
    lam = Fraction(degree + 1, 2) - Fraction(split, 4)
    return Pair(step(f"λ = ({degree} + 1)/2 − {split}/4", lam), 1)


_TWO_FILTERS = ((2, 2),)

THEOREM = Theorem(
    id="linear-convolution",
    title="Linear convolutional network of one channel",
    model="y = w_L ∗ ⋯ ∗ w_1 ∗ x + noise; filters of sizes k_1, …, k_L, no nonlinearity",
    where="minimum over all filters with the true product",
    cites=("kohn2022 (products of polynomials; the values are proved on the theory page)",),
    parameters=(
        Parameter("filters", Kind.INTEGERS, "k_1, …, k_L, sizes of the filters"),
        Parameter(
            "real_roots",
            Kind.INTEGERS,
            "multiplicities of the real roots of the true polynomial, infinity included; 0 or "
            "nothing if there are none",
            None,
        ),
        integer_parameter("complex_pairs", "pairs of simple complex roots", default=0),
        Parameter.given(
            "second_moment",
            "the second moment of the patches of the inputs is positive definite",
            upper=FEWER_INPUTS,
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=by_building("filters of these sizes have the true product", _shown),
    value=_value,
    question=_network,
    recognise=model_links(LinearConvolution)["recognise"],
    instances=(
        known_instance(((2, 2),), "1", 2, by_simulation()),
        known_instance(((3, 2, 2),), "1", 2),
        known_instance(((2, 2), (1, 1)), "3/2", 1),
        known_instance(((2, 2), (2,)), "5/4", 1, by_simulation()),
        known_instance(((3, 1), (2,)), "3/2", 1),
        known_instance(((3, 3), (2, 2)), "2", 1),
        known_instance(((4, 2), (2, 2)), "9/4", 1),
        known_instance(((3, 1), (), 1), "3/2", 1),
        known_instance(((3, 2), (1,), 1), "2", 1),
    ),
    counterexamples=(
        Counterexample.against("second_moment", _TWO_FILTERS, ("1/2", 2), "(a + b)*(c + d)"),
        Counterexample.against("interior", _TWO_FILTERS, "1", "a*c; a*d + b*c; b*d", prior="a**2"),
    ),
)
