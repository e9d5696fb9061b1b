"""The one verdict on a run: each cause where it is due, and none where it is not."""

import re

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rlct.errors import DivergedError  # noqa: E402
from rlct.sampling.modules.network_loss import NetworkLoss  # noqa: E402
from rlct.sampling.networks.network_llc import estimate_network  # noqa: E402
from rlct.sampling.networks.start_point import look_around  # noqa: E402
from rlct.sampling.verdict import VERDICT_CAUSES, RunEffects, judge_run  # noqa: E402

nn = torch.nn


def regression(h, samples: int = 200, dead: int = 0):
    """A linear module at its least squares, whose Hessian has these eigenvalues, and some of 0."""
    h = torch.as_tensor(h, dtype=torch.float64)
    generator = torch.Generator().manual_seed(0)
    q = torch.linalg.qr(torch.randn(samples, len(h), generator=generator).double())[0]
    q = q * samples**0.5
    rest = torch.randn(samples, 1, generator=generator).double()
    x = torch.cat([q * h.sqrt(), torch.zeros(samples, dead).double()], 1)
    net = nn.Linear(len(h) + dead, 1, bias=False).double()
    nn.init.zeros_(net.weight)
    return net, (x, rest - q @ (q.T @ rest) / samples)


REGULAR = np.linspace(0.5, 2.0, 10)


def effect(found, cause: str) -> float:
    return found.diagnostics[f"effect of {cause}"]


def test_a_regular_minimum_is_usable_and_has_nothing_to_say() -> None:
    found = estimate_network(*regression(REGULAR), num_draws=1000, num_burnin=200)
    assert found.verdict == "usable"
    assert not found.warnings
    assert effect(found, "localized") < 0.1
    assert effect(found, "not a minimum") < 1e-6


def test_a_run_that_is_too_short_says_how_many_draws_would_do() -> None:
    """Now and then a second advice is needed: half-widths of eight chains scatter by a quarter."""
    net, data = regression(REGULAR)
    short = cured = 0
    for seed in range(4):
        draws, causes = 40, []
        for _ in range(3):
            found = estimate_network(net, data, num_draws=draws, lr=1e-3, seed=seed)
            causes.append(found.verdict)
            if found.verdict != "too short":
                break
            assert len(found.warnings) == 1
            advised = int(re.search(r"num_draws=(\d+)", found.warnings[0])[1])
            assert draws < advised <= 60 * draws  # up to 2.3/(εγ) = 2300
            draws = advised
        assert causes[-1] != "too short"
        short += len(causes) > 1
        cured += len(causes) == 2
    assert short >= 3
    assert cured >= 1


def test_directions_that_still_fill_are_seen_where_chains_agree() -> None:
    """A step of 2e-5 leaves two layers far from where they go: 6 by exact draws."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(500, 5, generator=generator)
    net = nn.Sequential(nn.Linear(5, 3, bias=False), nn.Linear(3, 5, bias=False))
    with torch.no_grad():
        for layer in net:
            layer.weight.zero_()[0, 0] = 1.0
        y = net(x) + torch.randn(500, 5, generator=generator)
    found = estimate_network(net, (x, y), lr=1e-5, num_draws=1000, num_burnin=500, num_chains=16)
    assert found.lam < 4.0
    assert found.verdict == "too short"
    assert "directions" in found.warnings[0]
    assert effect(found, "too short") > 0.3


def test_directions_are_filled_by_as_many_draws_as_are_advised() -> None:
    """None relaxes more slowly than by γ alone: 2.3/(εγ) steps, at once and not four times each."""
    net, data = regression(REGULAR, dead=20)
    options = {"lr": 1e-4, "localization": 20.0, "num_chains": 16}
    short = estimate_network(net, data, num_draws=60, **options)
    assert short.verdict == "too short"
    assert "set num_draws=1150 (" in short.warnings[0]
    assert "filled" not in " ".join(estimate_network(net, data, num_draws=1150, **options).warnings)


@pytest.mark.slow
def test_flat_directions_without_a_loss_are_not_waited_for() -> None:
    """300 inputs that are always 0, of whose weights a third have not spread yet.

    A quarter of the draws leave open whether these would add a fifth to λ̂.
    """
    options = {"lr": 1e-3, "num_burnin": 200, "batch_size": 64, "num_chains": 16}
    found = estimate_network(*regression(REGULAR, dead=300), num_draws=1600, **options)
    assert found.diagnostics["filling"] < 0.7
    assert found.verdict == "usable"


def test_a_long_step_is_biased_and_a_longer_one_diverges() -> None:
    net, data = regression(REGULAR)
    n_beta = 200 / np.log(200)
    stiff = 2.0 * n_beta + 1.0
    found = estimate_network(net, data, lr=2.5 / stiff, num_draws=600, batch_size=64)
    assert found.verdict == "biased"
    lower = float(re.search(r"lr=([\d.e-]+)", found.warnings[0])[1])
    again = estimate_network(net, data, lr=lower, num_draws=1000, batch_size=64)
    assert again.verdict != "biased"
    with pytest.raises(DivergedError, match="lower lr"):
        estimate_network(net.float(), [part.float() for part in data], lr=50.0, num_draws=600)


def trained(seed: int, samples: int, steps: int = 100):
    """A small network at a minimum of the loss of all data, which are many more than the probes."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(samples, 3, generator=generator)
    y = torch.tanh(x[:, :1]) + 0.5 * torch.randn(samples, 1, generator=generator)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    with torch.no_grad():
        for part in net.parameters():
            part.copy_(torch.randn(part.shape, generator=generator) * 0.5)
    net = net.double()
    x, y = x.double(), y.double()
    optimizer = torch.optim.LBFGS(
        net.parameters(), max_iter=steps, line_search_fn="strong_wolfe", history_size=30
    )

    def closure():
        optimizer.zero_grad()
        loss = 0.5 * ((net(x) - y) ** 2).sum(1).mean()
        loss.backward()
        return loss

    if steps:
        optimizer.step(closure)
    return net, (x, y)


@pytest.mark.slow
def test_minima_of_all_data_are_none_of_the_probes_and_are_not_accused() -> None:
    """30 networks, n = 16 times the probes: a fall is seen in none but by a chance of 1 %.

    A fall below 5 % of nβL = 3 counts as none, since training ends before its minimum.
    """
    falls = []
    for seed in range(30):
        net, data = trained(seed, 1024)
        held = NetworkLoss(net, data)
        losses, _ = held.start_losses(1024)
        start = look_around(held, losses, 64 * 16 / 0.06, seed, 64)
        assert len(start.probes) == 64
        falls.append(1024 / np.log(1024) * start.drop)
    assert sum(fall > 0.15 for fall in falls) <= 1, falls
    net, data = trained(0, 1024, steps=0)  # control: one that was not trained
    held = NetworkLoss(net, data)
    losses, _ = held.start_losses(1024)
    assert 1024 / np.log(1024) * look_around(held, losses, 512 * 16 / 0.06, 0, 512).drop > 3


def test_a_network_that_was_not_trained_is_at_no_minimum() -> None:
    net, data = trained(0, 500, steps=0)
    found = estimate_network(net, data, num_draws=200, num_chains=4)
    assert found.verdict == "not a minimum"
    assert len(found.warnings) == 1
    net, data = trained(0, 500)
    assert estimate_network(net, data, num_draws=200, num_chains=4).verdict != "not a minimum"


def test_what_the_pull_holds_is_localized() -> None:
    """λ̂ = d/4 at γ = nβh: it falls by a quarter of its size per unit of log γ."""
    n_beta = 200 / np.log(200)
    found = estimate_network(
        *regression(np.ones(10)),
        localization=n_beta,
        num_draws=1500,
        num_burnin=200,
        batch_size=200,
    )
    assert found.verdict == "localized"
    assert effect(found, "localized") == pytest.approx(0.6, abs=0.25)  # half, and the step's part


def judged(**changes) -> str:
    values = {
        **{"lam": 10.0, "half_width": 0.5, "unfilled": 0.0, "excess": 0.5, "fall": 0.0},
        **{"heat": 1.0, "unentered": 0.0, "rhat": 1.0},
        **{"response": 0.1, "effective_draws": 200.0, "draws": 400, "seconds_per_step": 0.01},
        **{"step_size": 1e-3, "localization": 1.0, **changes},
    }
    return judge_run(RunEffects(**values)).cause


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({}, "usable"),
        ({"half_width": 4.0, "excess": 5.0}, "too short"),
        ({"half_width": 2.0, "excess": 5.0}, "biased"),
        ({"fall": 6.0, "half_width": 5.0}, "not a minimum"),
        ({"response": -2.0}, "localized"),
        ({"lam": -5.0, "half_width": 1.0}, "not a minimum"),
        ({"lam": -5.0, "half_width": 20.0}, "too short"),
        ({"lam": -5.0, "half_width": 1.0, "excess": 7.0}, "biased"),
        ({"heat": 3.0, "half_width": 9.0}, "biased"),
        ({"rhat": 1.3}, "too short"),
        ({"unentered": 0.9}, "too short"),
        ({"lam": float("nan")}, "invalid"),
        ({"lam": float("-inf"), "excess": float("inf")}, "invalid"),
        ({"lam": 0.0, "half_width": 0.0, "excess": 0.0, "response": 0.0}, "usable"),
        ({"lam": 0.0, "half_width": 1.0}, "too short"),
    ],
)
def test_the_largest_effect_is_the_cause(changes, cause) -> None:
    assert cause in VERDICT_CAUSES
    assert judged(**changes) == cause
