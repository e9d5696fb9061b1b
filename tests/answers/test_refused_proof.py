"""What the checker refuses is not called exact."""

import itertools
import sys
import time

import pytest

import rlct
from rlct.answers import refused_proof
from rlct.certificate import cost
from rlct.system.time_limit import Budget

LINES = ["(x-y)*(y-z)*(x-z)*(x+y)*(x-2*z)"]


@pytest.fixture
def small_budget(monkeypatch):
    """A checker that takes short proofs only, and searches of which none is short."""
    monkeypatch.setattr(cost, "STEP_BUDGET", 3000)
    monkeypatch.setattr(refused_proof, "_SHORT_SEARCH", 0.0)


def test_a_proof_that_is_refused_leaves_bounds_that_verify(small_budget, monkeypatch):
    found = rlct.ideal(LINES)
    assert (found.status, found.method) == ("bounds", "engine: hull")
    assert found.lower < rlct.Pair.of("3/10").lam <= found.upper
    (note,) = found.notes
    assert note.startswith("the checker refuses the proof that the engine has of λ = 3/10, θ = 1: ")
    monkeypatch.setattr(cost, "STEP_BUDGET", 24_000_000)
    assert rlct.verify(found.certificate)
    again = rlct.ideal(LINES)
    assert (str(again.pair), again.notes) == ("λ = 3/10, θ = 1", ())


@pytest.mark.parametrize(
    ("K", "options"),
    [
        ("(x**2-2*y**3)**2*(1+x)**2+z**12", {}),
        ("((x**2-2)**2-y**3)**2*(1+y*z)", {"at": {"x": "root(t^2-2, 1..2)"}}),
        ("(x*y-1)**2*(x-y+z)**2", {"over": (-2, 2)}),
    ],
)
def test_all_kinds_of_polynomial_questions(K, options, small_budget, monkeypatch):
    found = rlct.poly(K, **options)
    assert any("the checker refuses the proof" in note for note in found.notes)
    assert found.upper is not None
    assert not any(route.exact for route in found.routes if route.method.startswith("engine"))
    monkeypatch.setattr(cost, "STEP_BUDGET", 24_000_000)
    assert rlct.verify(found.certificate)


def test_a_theorem_stays_exact_beside_a_refused_proof(small_budget):
    found = rlct.model("tanh", inputs=1, hidden=3, outputs=1, true_hidden=1)
    assert found.status == "exact"
    assert found.method.startswith("theorem")


def test_short_searches_and_late_proofs_are_not_replayed(monkeypatch):
    def fails(document):
        raise AssertionError

    monkeypatch.setattr(sys.modules["rlct.certificate.verify"], "verify", fails)
    now = time.process_time()
    assert refused_proof.refusal_reason({}, Budget(None), now) == ""
    assert refused_proof.refusal_reason({}, Budget(1.0), now - 10) == ""
    with pytest.raises(AssertionError):
        refused_proof.refusal_reason({}, Budget(None), now - 10)


def test_the_braid_arrangement_of_seven_points_verifies():
    """877 flats; the checker once took 46 million steps for them."""
    names = [f"x{i}" for i in range(7)]
    product = "*".join(f"({a}-{b})" for a, b in itertools.combinations(names, 2))
    found = rlct.ideal([product])
    # λ of all 21 planes: codimension 6 over 2·21.
    assert (str(found.pair), found.notes) == ("λ = 1/7, θ = 1", ())
    assert rlct.verify(found.certificate)


def test_a_dense_form_of_degree_eight_verifies():
    """45 monomials of which three are corners; the checker once took 51 million steps."""
    monomials = [
        f"{(7 * i + 3 * j) % 11 + 1}*x**{i}*y**{j}*z**{8 - i - j}"
        for i in range(9)
        for j in range(9 - i)
    ]
    found = rlct.ideal(["+".join(monomials)])
    assert found.status == "exact"
    assert rlct.verify(found.certificate)
