"""A line of minima with a more degenerate point on it."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    a, b = arguments["line"], arguments["origin"]
    return (Finding.of("a ≥ 1 and b ≥ 0", a >= 1 and b >= 0, f"a = {a}, b = {b}"),)


def _value(arguments: Arguments) -> Pair:
    a, b = arguments["line"], arguments["origin"]
    line, origin = Fraction(1, 2 * a), Fraction(1, a + 2 * b)
    lam = step(f"λ = min(1/(2·{a}), 1/({a} + 2·{b}))", min(line, origin))
    return Pair(lam, step("θ", 1 + (line == origin)))


def _question(arguments: Arguments) -> object | None:
    a, b = arguments["line"], arguments["origin"]
    if a + b > 100:
        return None
    return pose_question(f"(x**{a}*(x**2 + y**2)**{b})**2", provenance="landscape in the plane")


THEOREM = Theorem(
    id="landscape-plane",
    title="A line of minima with a degenerate point",
    model="K = h(x, y)², h = x^a (x² + y²)^b",
    where="at the origin",
    cites=("corlouer2024. AI Alignment Forum (formulas rebuilt), the two-dimensional potentials",),
    parameters=(
        Parameter("line", Kind.INTEGER, "a"),
        Parameter("origin", Kind.INTEGER, "b"),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        Instance((1, 1), Pair.of("1/3"), (BY_ENGINE, by_simulation())),
        Instance((2, 2), Pair.of("1/6")),
        Instance((2, 1), Pair.of("1/4", 2)),
        Instance((1, 0), Pair.of("1/2")),
    ),
    counterexamples=(
        Counterexample.against("prior_positive", (1, 1), "2/3", "x*(x**2+y**2)", prior="x**2"),
    ),
)
