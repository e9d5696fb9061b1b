"""A polynomial network with two parameters, of any depth."""

from fractions import Fraction
from math import log10

from rlct.pair import Pair
from rlct.theorems.arguments import MAX_DIGITS, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes
from rlct.theorems.working import joined_terms, step

_MOST_DEGREE = 40  # of the polynomials that are written out


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    sizes = positive_sizes(arguments, "layers", "power")
    if sizes.truth is Truth.FALSE:
        return (sizes,)
    digits = arguments["layers"] * log10(max(arguments["power"], 2))
    return sizes, Finding.of(
        "λ can be written out", digits <= MAX_DIGITS, f"about {digits:.0f} digits"
    )


def _value(arguments: Arguments) -> Pair:
    L, r = arguments["layers"], arguments["power"]
    lam = Fraction(3, 4 * sum(r**k for k in range(L)))
    return Pair(step(f"λ = 3/(4·({joined_terms(f'{r}^{k}' for k in range(L))}))", lam), 1)


def _question(arguments: Arguments) -> object | None:
    """Coefficients of the outputs as polynomials in the inputs (x, y), by substitution."""
    L, r = arguments["layers"], arguments["power"]
    if 2 * sum(r**k for k in range(min(L, 8))) > _MOST_DEGREE or L > 8:
        return None
    import sympy

    s, t, x, y = sympy.symbols("s t x y")
    values = [x, y]
    for layer in range(L):
        # The activation stands between the layers.
        one, two = values if layer == 0 else [value**r for value in values]
        values = [
            sympy.expand((s + t) * one + s**2 * two),
            sympy.expand(s**2 * one + t**2 * two),
        ]
    texts = [str(c) for value in values for c in sympy.Poly(value, x, y).coeffs()]
    return pose_question(texts)


THEOREM = Theorem(
    id="plane-network",
    title="Polynomial network with two parameters",
    model=(
        "L layers with one matrix W = (s + t, s²; s², t²), two inputs and outputs, activation x^r "
        "between the layers; truth 0"
    ),
    where="at the origin, the only parameter of the function 0",
    cites=("watanabe2009 (weighted blow-ups; the value is proved on the theory page)",),
    parameters=(
        integer_parameter("layers", "L, number of layers"),
        integer_parameter("power", "r, of the activation x^r"),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        known_instance((1, 2), "3/4", 1, by_simulation()),
        known_instance((2, 2), "1/4", 1),
        known_instance((3, 2), "3/28", 1),
        known_instance((2, 3), "3/16", 1),
        known_instance((4, 1), "3/16", 1),
    ),
    counterexamples=(Counterexample.against("interior", (1, 2), "5/4", "u; t**2", prior="t**2"),),
)
