"""Latent class models with categorical features."""

from fractions import Fraction
from itertools import combinations
from math import prod

from rlct.models.latent_variables.latent_class import LatentClass
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    at_most,
    bounded_instance,
    integer_parameter,
    model_links,
    positive_sizes,
)
from rlct.theorems.working import joined_terms, note_case, step

_MODEL_FIELDS = ("classes", "true", "categories", "concentration")
_MOST_FEATURES = 12  # for which θ is computed


CLASS_PARAMETERS = (
    integer_parameter("classes", "H, number of classes of the model"),
    integer_parameter("true", "r, number of classes of the truth"),
    Parameter("categories", Kind.INTEGERS, "m_i, number of categories of each feature"),
)


def class_findings(arguments: Arguments) -> tuple[Finding, Finding, Finding]:
    """Check numbers of classes and of categories."""
    sizes = arguments["categories"]
    possible, shown = bool(sizes) and min(sizes) >= 2, f"{len(sizes)} features"
    return (
        positive_sizes(arguments, "classes"),
        at_most(arguments, "true", "classes", least=1),
        Finding.of("there are features, with at least two categories each", possible, shown),
    )


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    alpha = arguments["concentration"]
    return (
        *class_findings(arguments),
        Finding.of("the concentration is positive", alpha > 0, f"α = {alpha}"),
    )


def _value(arguments: Arguments) -> TheoremBounds:
    H, r, sizes, alpha = (arguments[name] for name in _MODEL_FIELDS)
    free_categories = [m - 1 for m in sizes]
    d = step(f"d = {joined_terms(free_categories)}", sum(free_categories))
    spare = min(alpha / 2, Fraction(d, 4), Fraction(d - max(free_categories), 2))
    upper = Fraction(r - 1 + r * d, 2) + (H - r) * spare
    marginal_pair = Pair(Fraction(d, 2), 1)
    if r == 1 and H <= 2 and len(sizes) <= _MOST_FEATURES:
        exact_pair = (
            marginal_pair + _spare(free_categories, alpha) if H == 2 and spare else marginal_pair
        )
        if exact_pair != marginal_pair:
            note_case(f"a·ρ_i·ρ_j adds {exact_pair.lam - marginal_pair.lam}")
        step(
            f"λ = {d}/2 + {exact_pair.lam - marginal_pair.lam}"
            if exact_pair != marginal_pair
            else f"λ = {d}/2",
            exact_pair.lam,
        )
        step("θ", exact_pair.theta)
        return TheoremBounds("one spare class", exact_pair, exact_pair)
    step(f"λ ≥ {d}/2", marginal_pair.lam)
    cells = prod(sizes)
    if cells // max(sizes) <= H and Fraction(cells - 1, 2) < upper:
        rule, upper = "all cells coordinates", Fraction(cells - 1, 2)
        step(f"λ ≤ ({joined_terms(sizes, '·')} − 1)/2", upper)
    else:
        rule = "spare classes one by one"
        smaller = f"min({alpha / 2}, {d}/4, ({d} − {max(free_categories)})/2)"
        step(f"λ ≤ ({r} − 1)/2 + {r}·{d}/2 + ({H} − {r})·{smaller}", upper)
    return TheoremBounds(
        f"{rule}; lower: the marginal distributions", marginal_pair, Pair(upper, 1)
    )


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """At a probability 0: the distance to the first power."""
    if not only_open(arguments, "positive"):
        return None
    H, r, sizes, alpha = (arguments[name] for name in _MODEL_FIELDS)
    d = sum(sizes) - len(sizes)
    count = r - 1 + r * d + (H - r) * min(alpha, d)
    step(f"λ ≤ {r} − 1 + {r}·{d} + ({H} − {r})·min({alpha}, {d})", count)
    return TheoremBounds(FIRST_POWER, upper=Pair(count, 1))


def _spare(free: list[int], alpha: Fraction) -> Pair:
    """Pair of the monomials a·ρ_i·ρ_j with the prior a^(α−1) Π ρ_i^(d_i−1)."""
    from rlct.newton.linear_program import monomial_optimum

    count = len(free)
    rows = [[1, *(int(i in pair) for i in range(count))] for pair in combinations(range(count), 2)]
    return monomial_optimum(rows, [alpha - 1, *(d - 1 for d in free)]).pair


THEOREM = Theorem(
    id="latent-class-bound",
    title="Latent class model",
    model="H hidden classes, categorical features with m_i categories, independent in each class",
    where="minimum over all parameters of the true distribution",
    cites=(
        "drton2017sbic (bounds of this kind; proved on the theory page)",
        "rusakov2005 (two classes, binary features)",
    ),
    parameters=(
        *CLASS_PARAMETERS,
        Parameter("concentration", Kind.FRACTION, "α of the Dirichlet prior", Fraction(1)),
        Parameter.given(
            "positive",
            "the true weights and probabilities are positive",
            lower=BOUNDARY_TRUTH,
            fallback_text="λ ≤ r − 1 + rd + (H − r)·min(α, d)",
        ),
        Parameter.stated(
            "interior",
            "the prior of the probabilities is positive and continuous",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    **model_links(LatentClass),
    kind="bound",
    instances=(
        bounded_instance((2, 1, (2, 2, 2)), "2", "2", "2"),
        bounded_instance((2, 1, (2, 2)), ("3/2", 3), ("3/2", 3), ("3/2", 3), by_simulation()),
        bounded_instance((2, 1, (2, 3)), ("2", 2), ("2", 2), ("2", 2)),
        bounded_instance((2, 1, (3, 3, 2)), "3", "3", "3"),
        bounded_instance((1, 1, (3, 2)), "3/2", "3/2", "3/2"),
        bounded_instance((3, 1, (2, 2, 2)), "3/2", "5/2", None),
        bounded_instance((4, 2, (3, 3, 3)), "3", "15/2", None),
        bounded_instance((3, 1, (2, 2)), "1", "3/2", None),
    ),
    counterexamples=(
        squared_prior((1, 1, (2, 2)), "interior", "p q"),
        Counterexample.against("positive", (1, 1, (2, 2)), "3/2", "p; q", nonneg=("p",), prior="p"),
    ),
)
