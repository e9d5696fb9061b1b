"""Theorem 5.2 of Cullen et al., first half: hidden weights frozen, outer weights trained."""

from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, by_simulation
from rlct.theorems.frozen_weights.linear_question import linear_problem
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE, TRAINED_PARAMETERS
from rlct.theorems.kit.quadratic import vanishing_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _seen(arguments: Arguments) -> list[list[Fraction]]:
    rows = [[Fraction(value) for value in row] for row in arguments["features"]]
    if not arguments["centred"]:
        return rows
    means = [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]
    return [[value - mean for value, mean in zip(row, means, strict=True)] for row in rows]


def _rank(arguments: Arguments) -> int:
    return matrix_rank(_seen(arguments))


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    widths, p = {len(row) for row in arguments["features"]}, arguments["outputs"]
    table = Finding.of(
        "features is a table and there is an output",
        len(widths) == 1 and 0 not in widths and p >= 1,
        f"widths {sorted(widths)}, {p} outputs",
    )
    if table.truth is Truth.FALSE:
        return (table,)
    found = _rank(arguments)
    return table, Finding.of("the outputs depend on V", found > 0, f"rank {found}")


def _value(arguments: Arguments) -> Pair:
    p, rank = arguments["outputs"], step("rank(F)", _rank(arguments))
    return Pair(step(f"λ = {p}·{rank}/2", Fraction(p * rank, 2)), 1)


_ONE_FEATURE = (((1,),), 1)

THEOREM = Theorem(
    id="frozen-features",
    title="Network with frozen hidden weights",
    model="Y = F V + Gaussian noise, F the fixed features of finitely many inputs, V trained",
    where="at every true V",
    cites=("cullen2026, theorem 5.2 and appendix E",),
    parameters=(
        Parameter("features", Kind.MATRIX, "F, one row per input, one column per hidden unit"),
        Parameter("outputs", Kind.INTEGER, "p, number of outputs"),
        Parameter("centred", Kind.FLAG, "whether outputs are compared up to their mean", False),
        Parameter.stated("frozen", "the hidden weights are not trained", lower=TRAINED_PARAMETERS),
        Parameter.stated("weights", "every input has positive weight", upper=FEWER_INPUTS),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    question=lambda arguments: linear_problem(_seen(arguments), arguments["outputs"]),
    instances=(
        Instance(_ONE_FEATURE, Pair.of("1/2"), (BY_ENGINE, by_simulation())),
        known_instance((((1, 4), (4, 16), (9, 36)), 2), "1", 1, by_simulation()),
        Instance((((1, 0), (0, 1), (1, 1)), 3), Pair.of(3)),
        Instance((((1, 1), (1, 2)), 1, True), Pair.of("1/2")),
    ),
    counterexamples=(
        Counterexample.against(
            "frozen", (((1,), (0,)), 1), "3/4", "(1+v)*(1+a)**2 - 1; (1+v)*b**2"
        ),
        Counterexample.against("weights", (((1, 0), (0, 1)), 1), "1/2", "v"),
        vanishing_prior(_ONE_FEATURE, 1),
    ),
)
