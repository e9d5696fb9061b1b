"""Proposition E.7 of Cullen et al.: how many features t^s can span."""

import random
from fractions import Fraction
from math import comb

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem, TheoremBounds
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.frozen_weights.linear_question import DENSE_COLUMNS, feature_rank, linear_problem
from rlct.theorems.kit.given import PRIOR_POSITIVE, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    data = arguments["data"]
    widths = {len(row) for row in data}
    sizes = min(arguments[name] for name in ("power", "units", "outputs"))
    table = Finding.of(
        "data is a table, and power, units and outputs are positive",
        len(widths) == 1 and 0 not in widths and sizes >= 1,
        f"widths {sorted(widths)}, the smallest size {sizes}",
    )
    if table.truth is Truth.FALSE:
        return (table,)
    zero = not any(any(row) for row in data)
    return table, Finding.of("some input is not zero", not zero, f"{len(data)} inputs")


def _value(arguments: Arguments) -> TheoremBounds:
    r, s = matrix_rank(arguments["data"]), arguments["power"]
    n = len(set(arguments["data"]))
    K, p = arguments["units"], arguments["outputs"]
    low, high = Fraction(p * min(r, K), 2), Fraction(p * min(n, comb(r + s - 1, s), K), 2)
    step(f"λ ≥ {p}·min({r}, {K})/2", low)
    step(f"λ ≤ {p}·min({n}, C({r} + {s} − 1, {s}), {K})/2", high)
    return TheoremBounds(
        f"rank {r} of the inputs ≤ span ≤ {n} inputs and {comb(r + s - 1, s)} monomials",
        Pair(low, 1),
        Pair(high, 1),
    )


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Features on n inputs of K units have at most rank min(n, K)."""
    if not only_open(arguments, "monomial", "density"):
        return None
    inputs, units, outputs = len(set(arguments["data"])), arguments["units"], arguments["outputs"]
    lam = Fraction(outputs * min(inputs, units), 2)
    return TheoremBounds(f"rank of {inputs} × {units} features", upper=Pair(lam, 1))


def _features(arguments: Arguments) -> list[list[Fraction]]:
    data, generator = arguments["data"], random.Random(5)
    columns = [[generator.randint(-99, 99) for _ in data[0]] for _ in range(arguments["units"])]
    return [
        [
            Fraction(sum(x * w for x, w in zip(row, column, strict=True))) ** arguments["power"]
            for column in columns
        ]
        for row in data
    ]


def _bounds(low: str, high: str) -> TheoremBounds:
    return TheoremBounds("as computed by hand", Pair.of(low), Pair.of(high))


THEOREM = Theorem(
    id="power-features",
    title="Random frozen features of a power",
    model="Y = (X W)^s V + Gaussian noise on finitely many inputs, entrywise power, V trained",
    where="at every true V, for almost every draw of W",
    cites=("cullen2026, proposition E.7",),
    parameters=(
        Parameter("data", Kind.MATRIX, "X, one row per input"),
        Parameter("power", Kind.INTEGER, "s"),
        Parameter("units", Kind.INTEGER, "K, number of hidden units"),
        Parameter("outputs", Kind.INTEGER, "p, number of outputs"),
        Parameter.stated(
            "monomial", "the activation is a·t^s with a ≠ 0", fallback_text="λ ≤ p·min(n, K)/2"
        ),
        DENSE_COLUMNS,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    rank=lambda arguments: feature_rank(_features(arguments), arguments["outputs"]),
    question=lambda arguments: linear_problem(_features(arguments), arguments["outputs"]),
    kind="bound",
    instances=(
        Instance(
            (((1, 0), (0, 1), (1, 1)), 2, 3, 1),
            Pair.of("3/2"),
            (BY_ENGINE, BY_RANK, by_simulation()),
            _bounds("1", "3/2"),
        ),
        Instance(
            (((1,), (2,), (3,)), 2, 2, 1),
            Pair.of("1/2"),
            (BY_ENGINE, BY_RANK),
            _bounds("1/2", "1/2"),
        ),
        Instance(
            (((1, 0, 1, 0), (1, 0, 0, 1), (0, 1, 1, 0), (0, 1, 0, 1)), 2, 6, 1),
            Pair.of(2),
            (BY_ENGINE, BY_RANK),
            _bounds("3/2", "2"),
        ),
    ),
    counterexamples=(
        Counterexample.against("monomial", (((1,), (2,)), 2, 2, 1), "1", "v; w"),
        Counterexample.against("density", (((1, 0), (0, 1)), 1, 2, 1), "1/2", "v1 + v2"),
        squared_prior((((1,),), 1, 1, 1), "prior_positive", "v"),
    ),
)
