"""Squares of discriminants of monic polynomials."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step

_LARGEST_DEGREE = 4  # of a polynomial whose discriminant the engine is asked for


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    root_counts = arguments["multiplicities"]
    least, largest = min(root_counts, default=0), max(root_counts, default=0)
    return (
        Finding.of("every multiplicity is positive", least >= 1, f"least multiplicity {least}"),
        Finding.of(
            "the discriminant vanishes: some root is not simple",
            largest >= 2,
            f"largest multiplicity {largest}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    root_counts = arguments["multiplicities"]
    m = max(root_counts)
    lam = step(f"λ = 1/4 + 1/(2·{m})", Fraction(1, 4) + Fraction(1, 2 * m))
    return Pair(lam, step(f"roots of multiplicity {m}, θ", root_counts.count(m)))


def _question(arguments: Arguments) -> object | None:
    """The discriminant by the coefficients, where real roots 0, 1, … have these multiplicities.

    A translation makes the coefficient after the first one 0.
    """
    from sympy import Poly, Rational, discriminant, symbols

    root_counts = arguments["multiplicities"]
    degree = sum(root_counts)
    if not 2 <= degree <= _LARGEST_DEGREE:
        return None
    t, *names = symbols(f"t a2:{degree + 1}")
    mean = Rational(sum(i * m for i, m in enumerate(root_counts)), degree)
    true = Poly(1, t)
    for i, m in enumerate(root_counts):
        true *= Poly(t - i + mean, t) ** m
    general = t**degree + sum(a * t ** (degree - j) for j, a in enumerate(names, start=2))
    point = {str(a): str(c) for a, c in zip(names, true.all_coeffs()[2:], strict=True)}
    return pose_question([str(discriminant(general, t))], at=point)


THEOREM = Theorem(
    id="polynomial-discriminant",
    title="Square of a discriminant",
    model="K = Δ², Δ the discriminant of a monic polynomial whose coefficients are the parameters",
    where="at a polynomial with these roots",
    cites=("opdam1989 (the complex threshold; both values are proved on the theory page)",),
    parameters=(
        Parameter(
            "multiplicities",
            Kind.INTEGERS,
            "of the real roots, and of one of every two conjugate roots",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        known_instance(((2,),), "1/2", 1),
        known_instance(((3,),), "5/12", 1, by_simulation()),
        known_instance(((4,),), "3/8", 1),
        known_instance(((2, 2),), "1/2", 2),
        known_instance(((1, 3),), "5/12", 1),
    ),
    counterexamples=(squared_prior(((2,),), "interior", "a"),),
)
