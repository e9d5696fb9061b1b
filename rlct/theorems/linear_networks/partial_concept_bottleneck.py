"""Linear concept bottleneck models with unobserved concepts."""

from fractions import Fraction

from rlct.models.linear_networks.partial_concept_bottleneck import PartialConceptBottleneck
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, sharper_bounds
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, SECOND_MOMENT, only_open
from rlct.theorems.kit.sizes import by_building, integer_parameter, known_instance, model_links
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import recorded_steps, step

_MODEL_FIELDS = ("inputs", "tacit", "observed", "outputs", "rank")
_MODEL_LINKS = model_links(PartialConceptBottleneck)


def _shown(arguments: Arguments) -> str:
    _MODEL_LINKS["question"](arguments)
    return f"rank {arguments['rank']}"


def _value(arguments: Arguments) -> Pair:
    return _at_rank(arguments, arguments["observed"])


def _at_rank(arguments: Arguments, s: int) -> Pair:
    """Evaluate the pair where the true observed concepts have rank s."""
    n, K, L, m, r = (arguments[name] for name in _MODEL_FIELDS)
    if not L:
        return reduced_rank_pair(n, K, m, r)
    concepts = Pair(Fraction(L * n + s * m, 2), 1)
    if n == s or not K:
        step(f"λ = ({L}·{n} + {s}·{m})/2", concepts.lam)
        return concepts
    rest = reduced_rank_pair(n - s, K, m, r)
    step(f"altogether λ = ({L}·{n} + {s}·{m})/2 + {rest.lam}", (concepts + rest).lam)
    return concepts + rest


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """λ for every rank of the true observed concepts."""
    if arguments["independent"] is not Truth.OPEN:
        return None
    n, K, L, m, r = (arguments[name] for name in _MODEL_FIELDS)
    with recorded_steps():  # one rank after the other is no derivation
        values = [_at_rank(arguments, s) for s in range(L + 1) if r <= min(n - s, K, m)]
    lower = upper = None
    if only_open(arguments, "independent", "interior"):
        lower = TheoremBounds("any rank of the true concepts", lower=min(values))
    if only_open(arguments, "independent", "second_moment"):
        upper = TheoremBounds("any rank of the true concepts", upper=max(values))
    return sharper_bounds(lower, upper)


_ONE_EACH = (1, 1, 1, 1)

THEOREM = Theorem(
    id="partial-concept-bottleneck",
    title="Linear concept bottleneck model with tacit concepts",
    model=(
        "y = B₁A₁x + B₂A₂x, observed concepts c = A₂x, Gaussian noise; n inputs, K₁ tacit and K₂ "
        "observed concepts, m outputs"
    ),
    where="minimum over all parameters of the true distribution",
    cites=(
        "hayashi2024 (the model and the bound with n for n − K₂; the value is proved on the theory"
        " page)",
    ),
    parameters=(
        integer_parameter("inputs", "n, number of inputs"),
        integer_parameter("tacit", "K₁ ≥ 0, number of tacit concepts"),
        integer_parameter("observed", "K₂ ≥ 0, number of observed concepts"),
        integer_parameter("outputs", "m, number of outputs"),
        integer_parameter(
            "rank", "r, rank of the true map where the observed concepts vanish", default=0
        ),
        Parameter.given(
            "independent",
            "the true observed concepts are linearly independent",
            fallback_text="the least and the largest value over all ranks of A₂*",
        ),
        SECOND_MOMENT,
        INTERIOR_PARAMETERS,
    ),
    hypotheses=by_building("there are concepts, K₂ ≤ n, and the rank is possible", _shown),
    value=_value,
    fallback=_fallback,
    decided=lambda arguments: {} if arguments["observed"] else {"independent": "there is none"},
    **_MODEL_LINKS,
    instances=(
        known_instance((2, 1, 1, 1), "2", 2, by_simulation()),
        known_instance((1, 3, 1, 1), "1", 1),
        known_instance((3, 0, 1, 2), "5/2", 1),
        known_instance((1, 1, 0, 1), "1/2", 2),
        known_instance((3, 2, 1, 2), "4", 1),
        known_instance((3, 2, 1, 2, 1), "9/2", 2),
    ),
    counterexamples=(
        Counterexample.against("independent", _ONE_EACH, ("1", 2), "c; a*b + d*c"),
        Counterexample.against("second_moment", (2, 1, 1, 1), "1", "c; a*b + d*(1 + c)"),
        Counterexample.against("interior", _ONE_EACH, "2", "c; a*b + d*(1 + c)", prior="c**2"),
    ),
)
