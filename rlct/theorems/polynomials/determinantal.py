"""Minors of one size of a general, symmetric or skew-symmetric matrix of parameters."""

from fractions import Fraction
from math import comb
from typing import Any

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.working import step

_MATRIX_KINDS = ("general", "symmetric", "skew")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    kind, rows, size = arguments["kind"], arguments["rows"], arguments["size"]
    columns = arguments["columns"] or rows
    kind_finding = Finding.of(
        f"the matrix is one of {', '.join(_MATRIX_KINDS)}", kind in _MATRIX_KINDS, str(kind)
    )
    if kind_finding.truth is Truth.FALSE:
        return (kind_finding,)
    square = kind == "general" or columns == rows
    largest = rows // 2 if kind == "skew" else min(rows, columns)
    return (
        kind_finding,
        Finding.of("a symmetric or skew matrix is square", square, f"{rows} × {columns}"),
        Finding.of("there are minors of this size", 1 <= size <= largest, f"{size} of {largest}"),
    )


def _value(arguments: Arguments) -> Pair:
    """One candidate for each number of pivots that the matrix may have."""
    kind, rows, size = arguments["kind"], arguments["rows"], arguments["size"]
    columns = arguments["columns"] or rows
    pole_candidates = []
    for i in range(size):
        if kind == "general":
            count = (rows - i) * (columns - i)
        else:
            count = comb(rows - i + 1, 2) if kind == "symmetric" else comb(rows - 2 * i, 2)
        value = Fraction(count, 2 * (size - i))
        pole_candidates.append(step(f"{i} pivots: {count}/(2·{size - i})", value))
    least = step(f"λ = min({', '.join(map(str, pole_candidates))})", min(pole_candidates))
    return Pair(least, step("θ", pole_candidates.count(least)))


def _question(arguments: Arguments) -> object | None:
    """The minors.  `tests/engine/test_minors.py` has the engine's rule for them left out."""
    from itertools import combinations, product

    from sympy import Matrix, expand, symbols

    kind, rows, size = arguments["kind"], arguments["rows"], arguments["size"]
    columns = arguments["columns"] or rows
    if rows * columns > 12 or kind == "skew":
        return None

    def entry(i: int, j: int) -> Any:
        i, j = sorted((i, j)) if kind == "symmetric" else (i, j)
        return symbols(f"x{i}{j}")

    matrix = Matrix(rows, columns, entry)
    blocks = product(combinations(range(rows), size), combinations(range(columns), size))
    minors = [expand(matrix.extract(list(a), list(b)).det(method="berkowitz")) for a, b in blocks]
    return pose_question([str(minor) for minor in dict.fromkeys(minors)])


def _instance(text: str, lam: str, theta: int, simulated: bool = False) -> Instance:
    kind, *sizes = text.split()
    rows, columns, size = map(int, sizes)
    given = {"kind": kind, "rows": rows, "columns": columns, "size": size}
    ways = (BY_ENGINE, by_simulation()) if simulated else (BY_ENGINE,)
    return Instance(given, Pair.of(lam, theta), ways)


THEOREM = Theorem(
    id="determinantal",
    title="Minors of a matrix of parameters",
    model="K = the sum of the squares of all k-minors of a matrix whose entries are the parameters",
    where="at the origin",
    cites=("johnson2003", "docampo2013"),
    parameters=(
        Parameter("rows", Kind.INTEGER, "number of rows m"),
        Parameter("size", Kind.INTEGER, "size k of the minors; Pfaffians have 2k rows"),
        Parameter("columns", Kind.INTEGER, "number of columns n; m by default", None),
        Parameter("kind", Kind.WORD, "general, symmetric or skew", "general"),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        _instance("general 2 2 2", "1/2", 1, True),
        _instance("general 2 3 2", "1", 1, True),
        _instance("general 3 3 3", "1/2", 1),
        _instance("general 3 3 2", "2", 1),
        _instance("general 3 4 2", "3", 2),
        _instance("symmetric 3 3 2", "3/2", 2),
    ),
    counterexamples=(
        Counterexample.against(
            "interior",
            {"kind": "symmetric", "rows": 3, "size": 2},
            "3/2",
            "a*d-b**2; a*e-b*c; a*f-c**2; b*e-c*d; b*f-c*e; d*f-e**2",
            prior="a**2",
        ),
    ),
)
