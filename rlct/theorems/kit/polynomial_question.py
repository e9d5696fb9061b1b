"""Posing polynomial questions, and reading them: which monomials K is comparable with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from rlct.algebra.positivity.comparable import Exponents, equivalent_monomials, minimal_monomials
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Finding
from rlct.theorems.evidence import TheoremBounds
from rlct.theorems.kit.given import FallbackRule, only_open
from rlct.theorems.working import joined_terms, step

MOST_EXPONENTS: Final = 20_000  # exponents of all terms together
"""Entries of the exponents beyond which questions are left to the linear programme."""

PRIOR_EXPONENTS: Final = Parameter(
    "prior", Kind.FRACTIONS, "exponents h of the prior Π|w_j|^h_j, all 0 by default", None
)
PRIOR_COMPARABLE: Final = Parameter.stated(
    "prior_comparable",
    "the prior divided by Π|w_j|^h_j lies between positive constants near the point",
    lower="any bounded multiple",
)


def at_most_quadratic(name: str, count: Callable[[Arguments], int]) -> FallbackRule:
    """Build the fallback if nothing is known of K but that it is analytic: K ≤ C|w|²."""

    def fallback(arguments: Arguments) -> TheoremBounds | None:
        if arguments[name] is not Truth.OPEN or not only_open(arguments, name):
            return None
        prior = prior_of(arguments, count(arguments))
        lam = step(
            f"λ ≤ ({joined_terms(h + 1 for h in prior)})/2", sum(prior, Fraction(len(prior))) / 2
        )
        return TheoremBounds("equal weights", upper=Pair(lam, 1))

    return fallback


@dataclass(frozen=True)
class ComparableMonomials:
    """K divided by Σ w^(2α) lies between positive constants near the origin."""

    #: The α; none divides another.
    exponents: tuple[Exponents, ...]
    #: One exponent per variable.
    prior: tuple[Fraction, ...]


def prior_of(arguments: Arguments, count: int) -> tuple[Fraction, ...]:
    """Prior exponents, zeros by default."""
    prior: tuple[Fraction, ...] | None = arguments["prior"]
    return (Fraction(0),) * count if prior is None else prior


def prior_findings(arguments: Arguments, count: int) -> tuple[Finding, ...]:
    """Check that there is one integrable prior exponent per variable."""
    prior = prior_of(arguments, count)
    smallest = min(prior, default=Fraction(0))
    return (
        Finding.of(
            "there is one prior exponent per variable",
            len(prior) == count,
            f"{len(prior)} exponents, {count} variables",
        ),
        Finding.of("the prior is integrable", smallest > -1, f"smallest exponent {smallest}"),
    )


def pose_question(
    asked: str | Sequence[str], at: Mapping[str, Any] | None = None, **options: Any
) -> object:
    """Pose K, or generators of an ideal; InputError if they are too large."""
    from rlct.questions.problem import Problem  # imports sympy

    return (Problem.poly if isinstance(asked, str) else Problem.ideal)(asked, at, **options)


def small_question(*asked: Any, **options: Any) -> object | None:
    """Pose the same; None if it is too large."""
    try:
        return pose_question(*asked, **options)
    except InputError:
        return None


def monomial_question(exponents: Sequence[Exponents], prior: Sequence[Fraction]) -> object | None:
    """Build the question K = Σ w^(2α) with variables w1, w2, …, or None if it is too large."""
    if sum(map(len, exponents)) > 2_000:
        return None
    generators = [
        "*".join(f"w{j}**{e}" for j, e in enumerate(row, start=1) if e) for row in exponents
    ]
    # A variable that K does not see integrates to a constant.
    seen = [j for j in range(len(prior)) if any(row[j] for row in exponents)]
    return pose_question(generators, prior={f"w{j + 1}": prior[j] for j in seen})


def monomials_of_question(question: object) -> ComparableMonomials | None:
    """Find monomials that K is comparable with, if the terms show them (`equivalent_monomials`)."""
    germ = getattr(question, "germ", None)
    if germ is None:
        return None
    from rlct.questions.problem import signed_terms  # imports sympy

    local_germ = germ()
    if sum(map(len, local_germ.generators)) * len(local_germ.prior) > MOST_EXPONENTS:
        return None
    least_exponents = equivalent_monomials(
        [
            {exponents: c > 0 for exponents, c in signed_terms(generator, local_germ.field).items()}
            for generator in local_germ.generators
        ]
    )
    if not least_exponents:
        return None
    if not local_germ.is_ideal:
        # K = |g| itself: halve, which a K ≥ 0 of this form allows.
        if any(e % 2 for exponents in least_exponents for e in exponents):
            return None
        least_exponents = minimal_monomials(
            [tuple(e // 2 for e in exponents) for exponents in least_exponents]
        )
    return ComparableMonomials(tuple(least_exponents), tuple(map(Fraction, local_germ.prior)))
