"""The bound by a discriminant: values by other arguments, and proofs that claim too much."""

import random
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

import rlct
from rlct.engine.reductions.discriminant import discriminant_bound
from rlct.engine.strategy import prove_problem
from rlct.errors import CertificateError
from rlct.pair import Pair
from rlct.questions.problem import Problem

sys.path.append(str(Path(__file__).parents[1] / "certificate"))

import corpus
from forging import consistent, copied, node, polynomial

# Kimura: the Bernstein polynomial is (s + 1)(s + 3/2)²(s + 2), so the pair is at least (1/2, 1).
HYPERDETERMINANT = (
    "a**2*h**2+b**2*g**2+c**2*f**2+d**2*e**2+4*(a*d*f*g+b*c*e*h)"
    "-2*(a*b*g*h+a*c*f*h+a*d*e*h+b*c*f*g+b*d*e*g+c*d*e*f)"
)
# Bath and Walther: the polynomial of a connected graph has rational singularities; spanning trees
# of the wheel with three spokes.
WHEEL = "(r2+r0+s0)*((r0+r1+s1)*(r1+r2+s2)-r1**2)-r0*(r0*(r1+r2+s2)+r1*r2)-r2*(r0*r1+r2*(r0+r1+s1))"


@pytest.mark.slow
@pytest.mark.parametrize("f", [HYPERDETERMINANT, WHEEL], ids=["hyperdeterminant", "wheel"])
def test_rational_singularities_have_one_half_once(f):
    result = rlct.ideal([f])
    assert result.pair == Pair.of("1/2", 1)
    assert "discriminant" in result.method
    assert rlct.verify(result.certificate)


@pytest.mark.parametrize("seed", range(6))
def test_isolated_cubics_agree_with_one_blow_up(seed):
    """A smooth real cubic surface: min(4/6, 1/2), and (1/2, 1) however it is found."""
    rng = random.Random(seed)
    x, y, z, w = sympy.symbols("x y z w")
    f = x**2 * y + rng.choice([1, -1]) * y**3 + z**3 + rng.choice([1, 2]) * w**3 + x * z * w
    result = rlct.ideal([sympy.expand(f.subs(z, z + rng.randint(-1, 1) * x))], timeout=30)
    assert result.pair == Pair.of("1/2", 1)


@pytest.mark.parametrize("seed", range(4))
def test_the_length_of_a_sublevel_set(seed):
    """|{x : |q(x)| < ε}| ≤ 8ε/√|D|, and a third of that is too little for some q."""
    rng = np.random.default_rng(seed)
    x = np.linspace(-60, 60, 1_200_001)
    ratios = []
    for _ in range(60):
        a, b, c = rng.normal(size=3) * 10 ** rng.uniform(-1, 1, size=3)
        eps = abs(b * b - 4 * a * c) * 10 ** rng.uniform(-3, 1) / (1 + abs(a))
        length = np.mean(np.abs(a * x * x + b * x + c) < eps) * 120
        ratios.append(length * np.sqrt(abs(b * b - 4 * a * c)) / eps)
    assert 8 / 3 < max(ratios) <= 8


def asked(f):
    """The bound alone."""
    germ = Problem.ideal([f]).local
    return discriminant_bound(germ, lambda child: prove_problem(_problem(child)))


def _problem(germ):
    return Problem.ideal([str(g.as_expr()) for g in germ.generators])


@pytest.mark.parametrize(
    ("f", "pair"),
    [
        # Two planes: the discriminant is the square of y + z + w, (1/4, 1).
        ("(x - y)*(x + z + w)", ("1/2", 2)),
        # A cusp along a plane.
        ("x**2 - (y + z - w)**3", ("5/12", 1)),
    ],
)
def test_what_is_too_singular_has_less(f, pair):
    proof = asked(f)
    assert proof is not None
    assert "discriminant" in proof.rules()
    assert proof.lower <= Pair.of(*pair)
    assert rlct.ideal([f]).pair == Pair.of(*pair)


# Certificates that claim too much


def certificate():
    return copied(corpus.certificate("discriminant"))


def steps(proof):
    yield proof
    for child in proof.get("children", []):
        yield from steps(child)


def step_of(document):
    return next(s for s in steps(document["proof"]) if s["rule"] == "discriminant")


@pytest.mark.parametrize(
    ("variable", "message"),
    [(4, "no such variable"), (-1, "no such variable"), ("0", "no such variable")],
)
def test_another_variable_is_refused(variable, message):
    document = certificate()
    step_of(document)["data"]["variable"] = variable
    with pytest.raises(CertificateError, match=message):
        consistent(document)


def local(generators, proof):
    document = copied(rlct.ideal(generators).certificate)
    document["proof"] = proof
    return document


@pytest.mark.parametrize(
    ("generators", "message"),
    [
        (["x**3-y*z"], "more than 2"),
        (["x**2+2*x*y+y**2"], "it is 0"),
        (["x**2-x*(1+y)"], "does not vanish"),
        (["x**2-y*z", "z**2"], "not principal"),
    ],
)
def test_hypotheses_are_checked(generators, message):
    hull = node("hull", {"weights": ["1"], "exponents": [[1]], "multipliers": ["1"]})
    with pytest.raises(CertificateError, match=message):
        consistent(local(generators, node("discriminant", {"variable": 0}, hull)))


def test_a_quarter_is_not_more_than_a_quarter():
    """x² − y²z: 4y²z has (1/4, 1), so θ is 2, and a claim of 1 is refused."""
    document = copied(rlct.ideal(["x**2-y**2*z"]).certificate)
    inner = copied(rlct.ideal(["4*y**2*z"]).certificate)["proof"]
    document["proof"] = node("discriminant", {"variable": 0}, inner)
    document = consistent(document)
    assert document["proof"]["lower"] == ["1/2", 2]
    assert document["proof"]["upper"] is None
    document["proof"]["lower"] = ["1/2", 1]
    with pytest.raises(CertificateError, match="lower is"):
        rlct.verify(document)


def test_the_bound_below_a_quarter():
    document = copied(rlct.ideal(["x**2-y**3"]).certificate)
    inner = copied(rlct.ideal(["4*y**3"]).certificate)["proof"]
    document["proof"] = node("discriminant", {"variable": 0}, inner)
    assert consistent(document)["proof"]["lower"] == ["1/3", 1]
    assert Fraction(1, 3) < rlct.ideal(["x**2-y**3"]).lam


def test_the_proof_of_another_discriminant_is_refused():
    document = copied(rlct.ideal(["x**2-y**2*z"]).certificate)
    smooth = copied(rlct.ideal(["y"]).certificate)["proof"]
    document["proof"] = node("discriminant", {"variable": 0}, smooth)
    with pytest.raises(CertificateError):
        consistent(document)
    assert polynomial("y", ["y", "z"]) == [["1", [1, 0]]]
