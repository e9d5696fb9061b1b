"""Theorem 3 of the survey: the loss of a polynomial map is the norm of its coefficients."""

from typing import Any

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, by_simulation
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE
from rlct.theorems.kit.polynomial_question import small_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.polynomials import monomial_ideal


def _ideal(arguments: Arguments) -> dict[str, Any]:
    return {"exponents": arguments["exponents"], "prior": None}


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    rows, degrees, data = arguments["exponents"], arguments["degrees"], arguments["data"]
    shape = Finding.of(
        "there is one power of x per coefficient, all different",
        len(degrees) == len(rows) == len(set(degrees)) and min(degrees, default=-1) >= 0,
        f"{len(rows)} coefficients, powers {', '.join(map(str, degrees))}",
    )
    monomial = monomial_ideal.THEOREM.hypotheses(_ideal(arguments))
    if shape.truth is Truth.FALSE or data is None:
        return shape, *monomial
    rank = matrix_rank([[x**k for k in degrees] for x in data])
    seen = Finding.of(
        "the second moments of the powers of x are positive definite",
        rank == len(rows),
        f"rank {rank} of {len(rows)}",
    )
    return shape, *monomial, seen


def _value(arguments: Arguments) -> Pair:
    value = monomial_ideal.THEOREM.value(_ideal(arguments))
    assert isinstance(value, Pair)
    return value


def _question(arguments: Arguments) -> object | None:
    """Pose the loss itself on the data, not its coefficients."""
    points = arguments["data"]
    if points is None:  # as good as any: the theorem says so
        points = tuple(range(1, len(arguments["degrees"]) + 1))
    monomials = [
        "*".join(f"w{j}**{e}" for j, e in enumerate(row, start=1) if e)
        for row in arguments["exponents"]
    ]
    texts = [
        " + ".join(
            f"({x**k})*{m}" for k, m in zip(arguments["degrees"], monomials, strict=True) if x**k
        )
        for x in points
    ]
    return small_question([text for text in texts if text], provenance="loss on data")


_TWO_POWERS = {"exponents": ((1, 0), (0, 1)), "degrees": (0, 1)}


THEOREM = Theorem(
    id="coefficient-norm",
    title="Loss of a polynomial map and the norm of its coefficients",
    model="K = E h(x, w)², h = Σ_k c_k(w) x^k; here with monomials c_k(w) in the parameters",
    where="at the origin",
    cites=("aoyagi2025, theorem 3",),
    parameters=(
        Parameter("exponents", Kind.ROWS, "the monomials c_k, one row per coefficient"),
        Parameter("degrees", Kind.INTEGERS, "the power of x of each coefficient"),
        Parameter("data", Kind.FRACTIONS, "the inputs, if they are finitely many", None),
        Parameter.given(
            "input_law",
            "the inputs have a density somewhere, or are the data with positive weights",
            upper=FEWER_INPUTS,
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    decided=lambda arguments: {"input_law": "the data"} if arguments["data"] else {},
    question=_question,
    instances=(
        known_instance((((1, 1), (0, 2)), (1, 0), (-1, 1, 2)), "1/2", 2, by_simulation()),
        Instance({**_TWO_POWERS, "data": (0, 1)}, Pair.of(1), (BY_ENGINE,)),
        known_instance((((1, 1), (1, 2), (1, 3)), (1, 2, 3), (1, 2, 3)), "1/2", 2),
        Instance((((1, 0), (0, 2)), (0, 3)), Pair.of("3/4")),
    ),
    counterexamples=(
        Counterexample.against("positive definite", {**_TWO_POWERS, "data": (1,)}, "1/2", "a+b"),
        Counterexample.against("input_law", _TWO_POWERS, "1/2", "a"),
        squared_prior(_TWO_POWERS, "prior_positive", "a b"),
    ),
)
