"""An error budget is of the question that was sampled, and of no other."""

from dataclasses import replace

import numpy as np
import pytest

import rlct
from rlct.answers.targets import target_of
from rlct.errors import InputError
from rlct.sampling.targets.regression import RegressionTarget

PLANE = rlct.Problem.poly("x**2*y**4")
QUESTIONS = [
    PLANE,
    rlct.Problem.poly("(x**2 - y**3)**2*(z**2 + w**4)"),
    rlct.LinearNetwork((2, 1, 2), 1),
    RegressionTarget([2, 1, 2], 1, samples=100),
]


@pytest.fixture(scope="module")
def estimate():
    return rlct.llc(PLANE, n_beta=1e3, num_draws=50)


@pytest.mark.study
@pytest.mark.parametrize(
    ("question", "method"),
    [(question, None) for question in QUESTIONS]
    + [(PLANE, "mala"), (QUESTIONS[2], "sgld"), (QUESTIONS[3], "mala"), (QUESTIONS[3], "sgld")],
)
def test_the_question_that_was_sampled_is_taken(question, method):
    found = rlct.llc(question, n_beta=1e3, method=method, num_draws=50)
    assert rlct.error_budget(question, found, lam="1/2").estimate is found


def test_a_claim_may_be_a_pair(estimate):
    assert rlct.error_budget(PLANE, estimate, lam=rlct.Pair.of("1/4")).lam == 0.25
    assert rlct.error_budget(rlct.poly("x**2*y**4"), estimate).lam == 0.25


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (QUESTIONS[1], "parameters 2 there, 4 here"),
        (rlct.LinearNetwork((1, 1, 1), 0), "radius 0.5 there, none here"),
        (target_of(PLANE, radius=0.25), "radius 0.5 there, 0.25 here"),
        (RegressionTarget([1, 1, 1], 1, samples=100), "samples none there, 100 here"),
        (rlct.Problem.poly("x**2*y**2"), "K is not the same where its chains ended"),
        (rlct.Problem.poly("2*x**2*y**4"), "K is not the same where its chains ended"),
    ],
)
def test_another_question_is_refused(question, words, estimate):
    with pytest.raises(InputError, match=words) as error:
        rlct.error_budget(question, estimate)
    assert "\n" not in str(error.value)


def test_other_data_are_refused():
    data = [RegressionTarget([2, 1, 2], 1, samples=100, seed=seed) for seed in (0, 1)]
    found = rlct.llc(data[0], method="hmc", num_draws=50)
    with pytest.raises(InputError, match="K is not the same"):
        rlct.error_budget(data[1], found)


def test_rounding_of_another_machine_is_no_other_question(estimate):
    chains = replace(estimate.chains, w=estimate.chains.w * (1 + 1e-12))
    assert not np.array_equal(chains.w, estimate.chains.w)
    rlct.error_budget(PLANE, replace(estimate, chains=chains))
    moved = replace(chains, w=chains.w * 1.01)
    with pytest.raises(InputError, match="K is not the same"):
        rlct.error_budget(PLANE, replace(estimate, chains=moved))
    stopped = replace(moved, interrupted=True)  # in the middle of a step
    rlct.error_budget(PLANE, replace(estimate, chains=stopped))


def test_a_module_is_told_to_come_with_its_data(estimate):
    torch = pytest.importorskip("torch", reason="the extra torch")
    with pytest.raises(InputError, match="ModuleTarget"):
        rlct.error_budget(torch.nn.Linear(2, 1), estimate)
