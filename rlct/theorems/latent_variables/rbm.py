"""Restricted Boltzmann machines without biases, at the uniform truth."""

from fractions import Fraction

from rlct.models.latent_variables.rbm import BoltzmannMachine
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, by_dimension
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.working import step


def row_products_pair(rows: int, columns: int) -> Pair:
    """Return the pair of the ideal of a_i·a_l, i < l ≤ p, for vectors a_i in R^k, at 0.

    There are p ≥ 2 ``rows`` and k ≥ 1 ``columns``.

    >>> row_products_pair(3, 2), row_products_pair(3, 3)
    (Pair(3/2, 3), Pair(3/2, 1))
    """
    p, k = rows, columns
    lam = min(Fraction(p * k, 4), Fraction(p * (p - 1), 4))
    return Pair(lam, p if k == p - 1 else 1)


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    M = arguments["visible"]
    return (
        positive_sizes(arguments, "hidden"),
        Finding.of("there are at least two visible units", M >= 2, f"visible {M}"),
    )


def _value(arguments: Arguments) -> Pair | TheoremBounds:
    M, N = arguments["visible"], arguments["hidden"]
    rows = row_products_pair(M, N)
    exact = min(M, N) <= 3 or N < M - 1
    step(f"λ {'=' if exact else '≥'} min({M}·{N}, {M}·({M} − 1))/4", rows.lam)
    if exact:
        step("θ", rows.theta)
        return rows
    # The products of four rows count as well: they can only make λ larger or θ smaller.
    upper, rule = Fraction(M * N, 4), "A scaled to 0"
    text = f"{M}·{N}/4"
    # Too many to be written out, and more than MN/4, unless M is small.
    if N.bit_length() >= M - 1 and Fraction(2 ** (M - 1) - 1, 2) < upper:
        upper, rule = Fraction(2 ** (M - 1) - 1, 2), "all even moments coordinates"
        text = f"(2^({M} − 1) − 1)/2"
    step(f"λ ≤ {text}", upper)
    return TheoremBounds(f"products of two rows, and {rule}", rows, Pair(upper, 1))


THEOREM = Theorem(
    id="rbm",
    title="Restricted Boltzmann machine, uniform truth",
    model="p(x) ∝ Σ_y exp(Σ a_ij x_i y_j), M visible and N hidden units ±1, no biases, A* = 0",
    where="at A = 0, the deepest parameter of the uniform distribution",
    cites=("aoyagi2010boltzmann (the question; the values are proved on the theory page)",),
    parameters=(
        integer_parameter("visible", "M, number of visible units, at least 2"),
        integer_parameter("hidden", "N, number of hidden units"),
        Parameter.stated("uniform", "the true distribution is uniform", fallback_text="λ ≤ MN/2"),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=by_dimension("uniform", lambda a: a["visible"] * a["hidden"]),
    **model_links(BoltzmannMachine),
    instances=(
        known_instance((2, 1), "1/2", 2),
        known_instance((3, 1), "3/4", 1, by_simulation()),
        known_instance((3, 2), "3/2", 3),
        known_instance((4, 2), "2", 1),
        known_instance((2, 2), "1/2", 1),
    ),
    counterexamples=(
        Counterexample.against("uniform", (2, 1), "1/2", "a + b + a*b"),
        squared_product((2, 1), "interior", "a*b"),
    ),
)
