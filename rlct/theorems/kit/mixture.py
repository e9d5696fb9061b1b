"""What the theorems on mixtures with weights on the simplex share."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rlct.models.latent_variables.mixture import Mixture
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding
from rlct.theorems.evidence import TheoremBounds
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FallbackRule, only_open
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import at_most, integer_parameter, model_links, positive_sizes
from rlct.theorems.working import step

COMPONENT_COUNTS = (
    integer_parameter("components", "H, number of components of the model"),
    integer_parameter("true", "r, number of components of the truth"),
)
WEIGHT_CONCENTRATION = Parameter(
    "concentration",
    Kind.FRACTION,
    "α of the Dirichlet prior Π a_h^(α−1) of the weights",
    Fraction(1),
)
DISTINCT_COMPONENTS = Parameter.stated(
    "distinct",
    "the true weights are positive and the true parameters distinct",
    upper="fewer true components",
    fallback_text="the value with one true component is a lower bound",
)
INTERIOR_COMPONENTS = Parameter.stated(
    "interior",
    "the true parameters are interior, and the prior of the component parameters is positive and "
    "continuous",
    lower=f"{BOUNDED_PRIOR} and {BOUNDARY_TRUTH}",
)
MIXTURE_MINIMUM = "minimum over all parameters of the true distribution, weights on the simplex"

#: Moments of two Gaussian components with means m, n and variances 1 + v, 1 + w, for one.
TWO_VARIANCES = (
    "(1 - a)*m + a*n",
    "(1 - a)*(m**2 + v) + a*(n**2 + w)",
    "(1 - a)*(m**3 + 3*m*v) + a*(n**3 + 3*n*w)",
    "(1 - a)*(m**4 + 6*m**2*v + 3*v**2) + a*(n**4 + 6*n**2*w + 3*w**2)",
)


def two_variances_question(arguments: Arguments) -> object | None:
    """Pose those moments at one component, α being the concentration."""
    power = arguments["concentration"] - 1
    return pose_question(TWO_VARIANCES, prior={"a": power} if power else None, nonneg=["a"])


#: Kinds of covariances of Gaussian components: the last is one of all.
COVARIANCE_KINDS = ("full", "diag", "spherical", "tied")


def covariance_parameters(kind: str, variables: int) -> tuple[int, int]:
    """Count means and variances of each Gaussian component, and the numbers that all share.

    >>> [covariance_parameters(kind, 2) for kind in COVARIANCE_KINDS]
    [(5, 0), (4, 0), (3, 0), (2, 3)]
    """
    p, entries = variables, variables * (variables + 1) // 2
    own = {"full": p + entries, "diag": 2 * p, "spherical": p + 1, "tied": p}
    return own[kind], entries if kind == "tied" else 0


def mixture_pair(components: int, true: int, dimension: int, concentration: Fraction) -> Pair:
    """Evaluate the pair of a mixture with weights on the simplex.

    >>> mixture_pair(2, 1, 1, Fraction(1)), mixture_pair(3, 1, 2, Fraction(1))
    (Pair(3/4, 1), Pair(2, 3))
    """
    H, r, d = components, true, dimension
    empty, equal = concentration / 2, Fraction(d, 4)
    each = step(f"min(α/2, d/4) = min({empty}, {equal})", min(empty, equal))
    lam = Fraction(r - 1 + r * d, 2) + (H - r) * each
    step(f"λ = ({r} − 1)/2 + {r}·{d}/2 + ({H} − {r})·{each}", lam)
    theta = 1 + (H - r) * (empty == equal)
    return Pair(lam, step(f"θ = 1 + ({H} − {r})" if empty == equal else "θ = 1", theta))


def pair_in(arguments: Arguments, d: int) -> Pair:
    """Evaluate the pair of components with d parameters."""
    H, r, alpha = (arguments[name] for name in ("components", "true", "concentration"))
    return mixture_pair(H, r, d, alpha)


def one_component(dimension: Callable[[Arguments], int]) -> FallbackRule:
    """Build the fallback if true components may vanish or coincide: λ grows with their number."""

    def fallback(arguments: Arguments) -> TheoremBounds | None:
        known = arguments["distinct"] is not Truth.OPEN
        if known or not only_open(arguments, "distinct", "interior", "rates"):
            return None
        one = pair_in({**arguments, "true": 1}, dimension(arguments))
        return TheoremBounds("one true component", lower=one)

    return fallback


MIXTURE_LINKS = model_links(Mixture, fixed={"signed": False, "trials": None})


def one_parameter_question(arguments: Arguments) -> object | None:
    """Build the mixture; as such it is recognised by mixture.py, so there is only one way."""
    asked: object | None = MIXTURE_LINKS["question"]({**arguments, "dimension": 1})
    return asked


def mixture_findings(arguments: Arguments, *sizes: str) -> tuple[Finding, ...]:
    """Check the sizes and the concentration."""
    alpha = arguments["concentration"]
    return (
        positive_sizes(arguments, "components", *sizes),
        at_most(arguments, "true", "components", least=1),
        Finding.of("the concentration is positive", alpha > 0, f"α = {alpha}"),
    )


def mixture_fields(
    dimension: Callable[[Arguments], int] = lambda arguments: 1,
    *,
    sizes: tuple[Parameter, ...] = (),
    given: tuple[Parameter, ...] = (),
    further: Callable[[Arguments], tuple[Finding, ...]] = lambda arguments: (),
    fallback: FallbackRule | None = None,
) -> dict[str, Any]:
    """Build the shared fields of a theorem; ``dimension`` counts parameters of a component."""
    names = [size.name for size in sizes]
    conditions = (*given, DISTINCT_COMPONENTS, INTERIOR_COMPONENTS)
    return {
        "where": MIXTURE_MINIMUM,
        "parameters": (*COMPONENT_COUNTS, *sizes, WEIGHT_CONCENTRATION, *conditions),
        "hypotheses": lambda given: (*mixture_findings(given, *names), *further(given)),
        "value": lambda arguments: pair_in(arguments, dimension(arguments)),
        "fallback": fallback or one_component(dimension),
    }


def enough_trials(arguments: Arguments) -> Finding:
    """Check that the moments which a component needs are seen."""
    trials, r = arguments["trials"], arguments["true"]
    shown = f"{trials} trials, r = {r}"
    return Finding.of("there are at least 2r trials", trials >= 2 * r, shown)


def coinciding_components(d: int, **sizes: Any) -> Counterexample:
    """Deny `DISTINCT_COMPONENTS`: two true components are one."""
    spare = (f"a*d{i}**2" for i in range(d))
    return Counterexample.against(
        "distinct",
        {"components": 2, "true": 2, **sizes},
        mixture_pair(2, 1, d, Fraction(1)),
        (*(f"v{i}" for i in range(d)), *spare),
        nonneg=("a",),
    )


def vanishing_mixture_prior(**sizes: Any) -> Counterexample:
    """Deny `INTERIOR_COMPONENTS`: one component, whose prior vanishes at its true parameter."""
    return squared_prior({"components": 1, "true": 1, **sizes}, "interior", "b")
