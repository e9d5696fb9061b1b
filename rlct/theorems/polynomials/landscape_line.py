"""Landscapes in one variable: several minima, each of its own degeneracy."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.polynomial_question import small_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    zeros, powers, at = arguments["zeros"], arguments["powers"], arguments["at"]
    return (
        Finding.of(
            "the zeros are different, with one positive power each",
            len(set(zeros)) == len(zeros) == len(powers) and min(powers, default=0) >= 1,
            f"{len(zeros)} zeros, powers {', '.join(map(str, powers))}",
        ),
        Finding.of("at is the number of a zero", 1 <= at <= len(zeros), f"at = {at}"),
    )


def _value(arguments: Arguments) -> Pair:
    k = arguments["powers"][arguments["at"] - 1]
    return Pair(step(f"λ = 1/(2·{k})", Fraction(1, 2 * k)), 1)


def _question(arguments: Arguments) -> object | None:
    pairs = zip(arguments["zeros"], arguments["powers"], strict=True)
    text = "*".join(f"(w - ({a}))**{k}" for a, k in pairs)
    place = str(arguments["zeros"][arguments["at"] - 1])
    return small_question(f"({text})**2", {"w": place}, provenance="landscape on a line")


THEOREM = Theorem(
    id="landscape-line",
    title="Minima on a line",
    model="K = h(w)², h = Π (w − a_i)^(k_i)",
    where="at the zero named by at",
    cites=("corlouer2024. AI Alignment Forum (formulas rebuilt), the one-dimensional potentials",),
    parameters=(
        Parameter("zeros", Kind.FRACTIONS, "a_1, a_2, …"),
        Parameter("powers", Kind.INTEGERS, "k_1, k_2, …"),
        Parameter("at", Kind.INTEGER, "number of the zero, from 1"),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        known_instance(((0, 1), (2, 1), 1), "1/4", 1, by_simulation()),
        Instance(((0, 1), (2, 1), 2), Pair.of("1/2")),
        Instance(((0, 1), (3, 2), 1), Pair.of("1/6")),
        Instance(((0, 1), (3, 2), 2), Pair.of("1/4")),
    ),
    counterexamples=(
        Counterexample.against("the zeros are different", ((0, 0), (2, 1), 2), "1/6", "w**3"),
        squared_prior(((0,), (1,), 1), "prior_positive", "w"),
    ),
)
