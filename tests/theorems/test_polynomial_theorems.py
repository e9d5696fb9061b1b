"""Theorems on polynomials: recognition, and the dual polyhedron against enumeration."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from rlct.pair import Pair
from rlct.questions.problem import Problem
from rlct.theorems import get_theorem
from rlct.theorems.polynomials.dual_polyhedron import affine_rank, dual_vertices


def solve(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Cramer-free elimination of a square system; None if singular."""
    size = len(rows)
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for k in range(size):
        pivot = next((i for i in range(k, size) if table[i][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [a / table[k][k] for a in table[k]]
        for i in range(size):
            if i != k:
                table[i] = [a - table[i][k] * b for a, b in zip(table[i], table[k], strict=True)]
    return [row[-1] for row in table]


def vertices_by_enumeration(exponents: list[tuple[int, ...]]) -> set[tuple[Fraction, ...]]:
    """Every feasible intersection of d of the inequalities."""
    d = len(exponents[0])
    rows = [[Fraction(a) for a in row] for row in exponents]
    rows += [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
    right = [Fraction(1)] * len(exponents) + [Fraction(0)] * d
    found = set()
    for chosen in itertools.combinations(range(len(rows)), d):
        point = solve([rows[i] for i in chosen], [right[i] for i in chosen])
        if point is not None and all(
            sum(a * b for a, b in zip(row, point, strict=True)) >= value
            for row, value in zip(rows, right, strict=True)
        ):
            found.add(tuple(point))
    return found


@pytest.mark.slow
def test_vertices_against_enumeration() -> None:
    rng = random.Random(11)
    for _ in range(300):
        d = rng.randint(1, 4)
        count = rng.randint(1, 5)
        exponents = [tuple(rng.randint(0, 4) for _ in range(d)) for _ in range(count)]
        exponents = [row for row in exponents if any(row)]
        if exponents:
            listed = dual_vertices(tuple(exponents))
            assert listed is not None
            assert len(set(listed)) == len(listed)
            assert set(listed) == vertices_by_enumeration(exponents)


def test_too_many_vertices_is_undecided() -> None:
    rng = random.Random(12)
    rows = [[rng.randint(0, 60) for _ in range(12)] for _ in range(60)]
    answer = get_theorem("monomial-ideal").apply(exponents=rows)
    assert answer.pair is None
    assert any(finding.truth.value == "open" for finding in answer.findings)


def test_affine_rank() -> None:
    assert affine_rank([(Fraction(1), Fraction(2))]) == 1
    assert affine_rank([(0, 0), (1, 0), (0, 1), (1, 1)]) == 3


def answers(problem: Problem) -> dict[str, Pair | None]:
    found = {}
    for name in ("regular", "normal-crossing", "sum-of-powers", "monomial-ideal"):
        theorem = get_theorem(name)
        arguments = theorem.recognise(problem)
        if arguments is not None:
            found[name] = theorem.apply(**arguments).pair
    return found


@pytest.mark.parametrize(
    ("problem", "names", "pair"),
    [
        (Problem.ideal(["x", "y", "z"]), "regular sum-of-powers monomial-ideal", ("3/2", 1)),
        (Problem.ideal(["x + y", "x - y + z**2", "z + x**5"]), "regular", ("3/2", 1)),
        (Problem.poly("x**2 + x*y + y**2 + x**3"), "regular", ("1", 1)),
        (Problem.poly("x**2*y**4"), "normal-crossing monomial-ideal", ("1/4", 1)),
        (
            Problem.poly("x**2*y**4*(1 + x - 3*y)", prior="y**2"),
            "normal-crossing monomial-ideal",
            ("1/2", 1),
        ),
        (
            Problem.ideal(["x**2*y - x**3*y*z", "x**5*y**2 + x**2*y**2"]),
            "normal-crossing monomial-ideal",
            ("1/4", 1),
        ),
        (Problem.poly("x**4 + 3*y**6"), "sum-of-powers monomial-ideal", ("5/12", 1)),
        (Problem.ideal(["x**2", "y**3 + x**2*y"]), "sum-of-powers monomial-ideal", ("5/12", 1)),
        (Problem.ideal(["x*y", "y*z", "x*z"]), "monomial-ideal", ("3/4", 1)),
        (Problem.ideal(["x + y"], nonneg=["x", "y"]), "sum-of-powers monomial-ideal", ("1", 1)),
        (
            Problem.ideal(["a*p + b*q"], nonneg=["a", "b", "p", "q"]),
            "monomial-ideal",
            ("1", 3),
        ),
        (Problem.poly("x", nonneg=["x"]), "normal-crossing sum-of-powers monomial-ideal", ("1", 1)),
        (Problem.ideal(["x - 2"], at={"x": 2}), "*", ("1/2", 1)),
    ],
)
def test_recognised(problem: Problem, names: str, pair: tuple[str, int]) -> None:
    found = answers(problem)
    if names != "*":
        assert set(found) == set(names.split())
    assert set(found.values()) == {Pair.of(*pair)}


@pytest.mark.parametrize(
    "problem",
    [
        Problem.ideal(["x + y"]),
        Problem.ideal(["x**2 - y**2"]),
        Problem.ideal(["x**2 + y**2 - 3*x*y"]),
        Problem.poly("x**4 + y**6 - 2*x**2*y**3"),
        Problem.poly("x**2 + 2*x*y + y**2"),
    ],
)
def test_not_recognised(problem: Problem) -> None:
    assert answers(problem) == {}


def test_half_line_values() -> None:
    """K = x on x ≥ 0: the length of K < t is t."""
    assert answers(Problem.poly("x", nonneg=["x"]))["monomial-ideal"] == Pair.of(1)


def test_random_monomial_ideals_do_not_depend_on_order() -> None:
    theorem = get_theorem("monomial-ideal")
    rng = random.Random(13)
    for _ in range(100):
        d = rng.randint(1, 5)
        rows = [[rng.randint(0, 3) for _ in range(d)] for _ in range(rng.randint(1, 6))]
        rows = [row for row in rows if any(row)]
        if not rows:
            continue
        expected = theorem.apply(exponents=rows).pair
        order = rng.sample(range(d), d)
        shuffled = [[row[j] for j in order] for row in rng.sample(rows, len(rows))]
        # multiples of a generator are redundant
        shuffled.append([e + rng.randint(0, 2) for e in shuffled[0]])
        assert theorem.apply(exponents=shuffled).pair == expected
