"""What a sweep over nβ and γ chooses, and what is left of λ̂ without the pull."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad

pytest.importorskip("torch")

from rlct.sampling.networks.settings_sweep import SettingsSweep, SweepCell

N_BETAS, PULLS = (250.0, 1000.0, 4000.0), (1.0, 10.0)


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
                lam=tempered(power, n_beta, gamma), error=error, verdict="usable"
            )
            found.diagnostics = {"lr": 1e-3, "excess": 0.0}
            cells.append(SweepCell(n_beta, gamma, found))
    return SettingsSweep(tuple(cells))


@pytest.mark.parametrize("power", [2, 4, 6])
def test_the_least_pull_is_chosen_and_the_rest_of_it_taken_off(power) -> None:
    found = sweep(power)
    assert found.settings["localization"] == 1.0
    lam, error = found.without_pull
    assert abs(lam - 1 / power) < error
    weaker = next(c for c in found.cells if (c.n_beta, c.localization) == (4000.0, 10.0))
    assert abs(weaker.estimate.lam - 1 / power) > error  # control: the pull shows


def test_of_one_pull_or_no_plateau_nothing_is_taken_off() -> None:
    one = sweep(2, pulls=(1.0,))
    assert one.without_pull == (one.chosen.lam, one.chosen.error)
    cells = [SweepCell(1.0, 1.0, one.cells[0].estimate), SweepCell(4.0, 1.0, None)]
    none = SettingsSweep(tuple(cells))
    assert none.without_pull is None
    assert none.settings is None
    assert "no plateau" in str(none)
