"""Theorem 5.1 of Cullen et al.: models that are linear in their parameters."""

from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.frozen_weights.linear_question import linear_problem
from rlct.theorems.kit.given import PRIOR_POSITIVE, by_dimension
from rlct.theorems.kit.quadratic import vanishing_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _rank(arguments: Arguments) -> int:
    return matrix_rank(arguments["features"])


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    widths = {len(row) for row in arguments["features"]}
    table = Finding.of(
        "features is a table", len(widths) == 1 and 0 not in widths, f"widths {sorted(widths)}"
    )
    if table.truth is Truth.FALSE:
        return (table,)
    found = _rank(arguments)
    return table, Finding.of("the model depends on its parameters", found > 0, f"rank {found}")


def _value(arguments: Arguments) -> Pair:
    rank = step("r", _rank(arguments))
    return Pair(step(f"λ = {rank}/2", Fraction(rank, 2)), 1)


_ONE_FEATURE = (((1,),),)

THEOREM = Theorem(
    id="linearised",
    title="Model that is linear in its parameters",
    model=(
        "f(x) = f₀(x) + φ(x)·w, loss twice differentiable in f and least at the truth; the "
        "linearised network"
    ),
    where="at every true parameter",
    cites=("cullen2026, theorem 5.1",),
    parameters=(
        Parameter("features", Kind.MATRIX, "φ(x), one row per input (and output)"),
        Parameter.stated(
            "linear", "the model is linear in its parameters", lower="rank of the derivative"
        ),
        Parameter.given(
            "curvature",
            "every input has positive weight and the loss a positive curvature in f",
            upper="a loss that sees less",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=by_dimension("linear curvature", lambda arguments: len(arguments["features"][0])),
    rank=lambda arguments: _gram_rank(arguments["features"]),
    question=lambda arguments: linear_problem(arguments["features"]),
    instances=(
        Instance(_ONE_FEATURE, Pair.of("1/2"), (BY_ENGINE, BY_RANK, by_simulation())),
        known_instance((((1, 2, 0), (2, 4, 0)),), "1/2", 1, BY_RANK, by_simulation()),
        Instance((((1, 0, 1), (0, 1, 1), (1, 1, 0)),), Pair.of("3/2"), (BY_ENGINE, BY_RANK)),
    ),
    counterexamples=(
        Counterexample.against("linear", (((1, 0), (0, 0)),), "3/4", "a; b**2"),
        Counterexample.against("curvature", (((1, 0), (0, 1)),), "1/2", "a"),
        Counterexample.against("curvature", (((1, 0), (0, 1)),), "3/4", "a; b**2"),
        vanishing_prior(_ONE_FEATURE, 1),
    ),
)


def _gram_rank(rows: tuple[tuple[Fraction, ...], ...]) -> int:
    """Rank of the Fisher information itself."""
    width = range(len(rows[0]))
    return matrix_rank(
        [[sum((r[a] * r[b] for r in rows), Fraction(0)) for b in width] for a in width]
    )
