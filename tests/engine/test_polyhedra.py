"""Newton polyhedra of each generator against the other routes of the engine."""

import random
from fractions import Fraction

import pytest

import rlct
from rlct.engine import limits
from rlct.engine.newton_polyhedra import division, polyhedra
from rlct.pair import Pair
from rlct.questions.problem import Problem

LETTERS = "xyzw"


def sparse(seed, n, count=2):
    """Generators of order two and more with up to four terms."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        terms = {}
        while len(terms) < rng.randint(2, 4):
            exponents = [0] * n
            for _ in range(rng.randint(2, 4)):
                exponents[rng.randrange(n)] += 1
            terms[tuple(exponents)] = rng.choice([-3, -2, -1, 1, 2, 3])
        found.append(
            " + ".join(
                f"({c})*" + "*".join(f"{LETTERS[i]}**{e}" for i, e in enumerate(m) if e)
                for m, c in terms.items()
            )
        )
    return found


def alone(generators, prior=None):
    """What the rule proves by itself, in the given coordinates."""
    return division.divide_weights(Problem.ideal(generators, None, prior).local).proof


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_blow_ups_agree(seed, monkeypatch):
    """Both routes enclose the same pair, and where both are exact they are equal."""
    generators = sparse(seed, 3)
    proof = alone(generators)
    monkeypatch.setattr(limits, "MOST_DIVISION_CELLS", 0)
    other = rlct.ideal(generators, timeout=4)
    assert "polyhedra" not in other.method
    if proof is None:
        return
    assert proof.lower.lam <= other.upper
    assert other.lower <= proof.upper.lam
    if proof.exact and other.status == "exact":
        assert proof.lower == other.pair


def test_most_of_them_are_exact():
    proofs = [alone(sparse(seed, 3)) for seed in range(24)]
    assert sum(proof is not None and proof.exact for proof in proofs) >= 12


@pytest.mark.parametrize(
    ("generators", "prior", "pair"),
    [
        (["x", "y", "z"], None, Pair.of("3/2", 1)),
        (["x*y", "y*z", "z*x"], None, Pair.of("3/4", 1)),
        (["x**2 + y**2 + z**2"], None, Pair.of("3/4", 1)),  # no real zero: not 1/2
        (["x**2 + y**2 - z**2"], None, Pair.of("1/2", 1)),  # a cone of zeros
        (["x**2 - y**3", "z"], None, Pair.of("11/12", 1)),  # 5/12 and 1/2 add
        (["x + y", "z"], None, Pair.of(1, 1)),
        (["x*(y - z)", "w"], None, Pair.of(1, 2)),
        (["x**2 - y**3", "z"], "z", Pair.of("17/12", 1)),
        (["x*y - z*w"], None, Pair.of("1/2", 1)),
    ],
)
def test_known_values(generators, prior, pair):
    """From the sum and product rules and orders, worked by hand."""
    proof = alone(generators, prior)
    assert (proof.lower, proof.upper) == (pair, pair)


def test_a_tangency_is_not_taken_for_a_crossing():
    """(x − y)² is not regular; the coordinate x − y makes it so."""
    generators = ["(x - y)**2 + z**3", "x*z + y**3"]
    assert not alone(generators).exact
    proof = polyhedra.several_polyhedra(Problem.ideal(generators).local)
    assert proof.rule == "coordinate"
    moved = rlct.ideal(["x**2 + z**3", "(x + y)*z + y**3"])
    assert proof.lower <= moved.pair <= proof.upper


def test_scaling_weights_and_powers():
    """λ of all generators in the power of a product of variables, by the programme."""
    proof = alone(["x**2*y - z**3", "y**2*z - x**3"])
    squared = alone(["x**4*y**2 - z**6", "y**4*z**2 - x**6"])
    assert squared.upper.lam <= proof.upper.lam
    assert squared.upper.lam == Fraction(1, 2) * proof.upper.lam


def test_too_many_cells_give_no_proof():
    found = division.divide_weights(
        Problem.ideal(["x*y + z*w + x**2*w", "x*z - w**3 + y**4"]).local, None, 5
    )
    assert found.proof is None
    assert not found.finished
