"""Verdicts on networks whose tempered mean is exact: a quick part, and the record of the trial."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from validation.llc.verdicts.run import (  # noqa: E402
    LEAST_HELD,
    MOST_FALSE,
    NEAR_SHARE,
    judge,
    measure,
    summary,
)
from validation.llc.verdicts.targets import targets  # noqa: E402

STUDY = Path(__file__).parents[2] / "validation" / "llc" / "verdicts"

TARGETS = targets()


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_state_in_half_precision_would_round_its_steps_away(dtype) -> None:
    """The regression by a module in 8 or 11 bits: ten times within 2 % of the exact mean."""
    target = TARGETS["bfloat16"]
    options = target.options | {"dtype": dtype}
    exact = target.exact_mean(1.0)
    for seed in range(10):
        estimate = rlct.llc(target.network, target.data, method="sgld", seed=seed, **options)
        assert abs(estimate.lam / exact - 1) < 0.02


def test_chains_and_losses_of_a_module_in_half_precision_are_in_single() -> None:
    from rlct.sampling.modules.network_loss import NetworkLoss

    net = torch.nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(1.0 + 2**-12)
    loss = NetworkLoss(net, (torch.eye(2), torch.zeros(2, 1)), dtype=torch.bfloat16)
    assert loss.centre.dtype is torch.float32
    assert float(loss.centre[0]) == 1.0 + 2**-12
    slopes, values = loss.gradient(loss.centre.expand(3, -1), *loss.samples.room(3, 2))
    assert slopes.dtype is values.dtype is torch.float32
    assert loss.function.module.weight.dtype is torch.bfloat16


@pytest.mark.parametrize(
    ("label", "cause", "words"),
    [
        ("short", "too short", "directions that the chains have not explored may add"),
        ("large lr", "biased", "the chains are too hot"),
        ("no minimum", "not a minimum", "nβL falls by"),
        ("weight decay", "usable", ""),
    ],
)
def test_a_verdict_says_what_is_true(label, cause, words) -> None:
    row = measure(label, TARGETS[label], seed=0)
    assert (row["verdict"], words in row["sentence"], row["true"]) == (cause, True, True)


@pytest.mark.parametrize(
    ("label", "changes"),
    [
        ("weight decay", {"verdict": "localized", "sentence": "λ̂ falls by about 44 % if"}),
        ("regression", {"verdict": "not a minimum", "sentence": "train on"}),
        ("wide", {"verdict": "too short", "sentence": "not filled may add 315 %", "lambda": 254.8}),
        ("regression", {"verdict": "usable", "sentence": "", "lambda": 288.0}),
        ("large lr", {"verdict": "usable", "sentence": "", "lambda": 226.6}),
    ],
)
def test_what_was_said_once_and_false_is_judged_false(label, changes) -> None:
    """The study's judge is on trial itself."""
    target = TARGETS[label]
    exact = target.exact_mean(1.0)
    row = {"exact": exact, "lambda": exact, "excess": 0.0, **changes}
    assert not judge(row, target)


def test_a_run_that_is_too_short_prints_no_interval() -> None:
    target = TARGETS["short"]
    estimate = rlct.llc(target.network, target.data, method="sgld", seed=0, **target.options)
    assert "so far, too short for an interval" in estimate.headline
    assert "95%" not in str(estimate)


def test_the_record_holds_what_is_required() -> None:
    record = json.loads((STUDY / "results.json").read_text("utf-8"))
    rows = record["rows"]
    assert {row["target"] for row in rows} == set(TARGETS)
    counts = summary(rows)
    assert counts.items() <= record.items()
    assert counts["false"] <= MOST_FALSE * counts["runs"]
    assert counts["farthest usable"] <= NEAR_SHARE
    assert counts["usable intervals that hold"] >= LEAST_HELD * counts["usable"]
