"""What a sweep over nβ and γ chooses, and what it says of λ."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.sampling.modules.network_loss import NetworkLoss  # noqa: E402
from rlct.sampling.networks.network_settings import complete_network_settings  # noqa: E402
from rlct.sampling.networks.preparation import prepare_network_run  # noqa: E402
from rlct.sampling.networks.settings_sweep import SettingsSweep, SweepCell, sweep_settings  # noqa: E402

nn = torch.nn

N_BETAS, PULLS = (250.0, 1000.0, 4000.0), (1.0, 10.0)
DATA = torch.randn(200, 3, generator=torch.Generator().manual_seed(0)), torch.zeros(200, 2)


def tempered(power: int, n_beta: float, gamma: float) -> float:
    """E nβ|w|^k over exp(−nβ|w|^k − γw²/2), which goes to 1/k."""

    def weight(w: float, order: int) -> float:
        energy = n_beta * w**power
        return float(energy**order * np.exp(-energy - gamma * w**2 / 2))

    return quad(weight, 0, 4, args=(1,))[0] / quad(weight, 0, 4, args=(0,))[0]


def sweep(power: int, pulls: tuple[float, ...] = PULLS, error: float = 1e-4) -> SettingsSweep:
    cells = []
    for n_beta in N_BETAS:
        for gamma in pulls:
            found = SimpleNamespace(
                lam=tempered(power, n_beta, gamma), error=error, verdict="usable", method="sgld"
            )
            found.diagnostics = {"lr": 1e-3, "excess": 0.0}
            cells.append(SweepCell(n_beta, gamma, found))
    return SettingsSweep(tuple(cells))


@pytest.mark.parametrize("power", [2, 4, 6])
def test_the_least_pull_is_chosen_and_what_it_takes_comes_back(power) -> None:
    found = sweep(power, error=2e-3 / power)
    assert found.settings["localization"] == 1.0
    lam, error, fits = found.limit
    assert fits
    assert abs(lam - 1 / power) < 2 * error < 0.1 / power
    pulled = next(c for c in found.cells if (c.n_beta, c.localization) == (250.0, 10.0))
    assert abs(pulled.estimate.lam - 1 / power) > 2 * error  # control: the pull shows


def test_of_one_mean_or_none_that_is_sound_there_is_no_limit() -> None:
    one = sweep(2, pulls=(1.0,))
    cells = [SweepCell(1.0, 1.0, one.cells[0].estimate), SweepCell(4.0, 1.0, None)]
    none = SettingsSweep(tuple(cells))
    assert none.limit is None
    assert none.settings is None
    assert "no plateau" in str(none)


@pytest.mark.study
def test_chains_that_go_on_fill_no_more_than_they_should() -> None:
    """E|w − w*|² + 4λ̂ = d of a product of two matrices at 0, to four errors of 16 chains (0.12 %).

    Control: with the same random numbers again in each run it is larger by more than that.
    """
    x = torch.randn(300, 2, generator=torch.Generator().manual_seed(0))
    net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 3, bias=False))
    for layer in net:
        nn.init.zeros_(layer.weight)
    held = NetworkLoss(net, (x, torch.zeros(300, 3)))
    options = {"num_chains": 16, "num_draws": 1500, "num_burnin": 1500, "lr": 1e-3}
    for again in (False, True):
        run = prepare_network_run(held, complete_network_settings(held, options))
        numbers = run.loop.state()["generators"]
        run.sample(None, None)
        for _ in range(8):  # each of which is shorter than the pull takes to act
            short = replace(run.settings, num_burnin=40, num_draws=360)
            run = run.at_other_settings(short)
            if again:
                run.begin["generators"] = numbers
                run.restart(run.settings.lr)
            run.sample(None, None)
        losses, _, _, squares = run.traces.draws
        by_chain = squares.mean(axis=1) + 4 * losses.mean(axis=1) - held.dimension
        sure = abs(by_chain.mean()) < 4 * by_chain.std(ddof=1) / 16**0.5
        assert sure != again


@pytest.mark.parametrize("budget", [1.0, 1e5])
def test_a_budget_that_is_too_small_is_refused(budget) -> None:
    with pytest.raises(rlct.InputError, match=r"take \S+ gradients of samples or more"):
        sweep_settings(nn.Linear(3, 2), DATA, budget=budget)


def test_a_budget_is_kept() -> None:
    found = sweep_settings(nn.Linear(3, 2), DATA, budget=3e6)
    spent = max(cell.estimate.diagnostics["sample gradients"] for cell in found.cells)
    assert 2.7e6 < spent <= 3e6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_betas": []}, r"n_betas must be positive and finite, not \[\]"),
        ({"n_betas": [-5]}, "n_betas must be positive and finite, not -5"),
        ({"n_betas": ["x"]}, "n_betas must be an array of real numbers"),
        ({"localization_values": [-1]}, "localization_values must be zero or positive"),
        ({"localization_values": []}, "localization_values must be zero or positive"),
        ({"budget": "x"}, "budget must be positive and finite, not 'x'"),
    ],
)
def test_what_cannot_be_tried_is_refused_by_name(options, words) -> None:
    data = torch.zeros(40, 2), torch.zeros(40, 1)
    with pytest.raises(rlct.InputError, match=words):
        rlct.calibrate(torch.nn.Linear(2, 1), data, progress=False, **options)
