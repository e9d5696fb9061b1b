"""Minima beyond a barrier: not seen while chains stay, in λ̂ where some of them go there."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402

nn = torch.nn


class Cubic(nn.Module):
    """f = w²(w − 1)x: of y that is noise a minimum at w = 1, and a flatter one at w = 0."""

    def __init__(self, w: float) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.tensor([w], dtype=torch.float64))

    def forward(self, x):
        return self.w**2 * (self.w - 1) * x


@pytest.mark.study
def test_another_minimum_is_not_seen_until_chains_go_there() -> None:
    """λ̂ is the exact mean around w* (four errors), not that of all, which it is where they cross.

    They do where the temperature is higher.
    """
    rng = np.random.default_rng(0)
    x, y = 3.0 * rng.normal(size=(1000, 1)), rng.normal(size=(1000, 1))
    y -= x * (x * y).mean() / (x * x).mean()  # so that both minima are as low
    w = np.linspace(-6, 6, 400_001)
    loss = 0.5 * (x * x).mean() * (w**2 * (w - 1)) ** 2
    data = tuple(torch.tensor(part) for part in (x, y))

    def exact(n_beta: float, near: bool) -> float:
        k = n_beta * loss
        density = np.exp(-k - 0.5 * (w - 1) ** 2) * ((w > 2 / 3) | (not near))
        return float((k * density).sum() / density.sum())

    options = {"seed": 1, "progress": False}
    found = rlct.llc(Cubic(1.0), data, **options)
    mean = exact(found.run.n_beta, near=True)
    assert abs(found.lam - mean) < 4 * found.errors["chains"]
    assert exact(found.run.n_beta, near=False) < mean - 6 * found.errors["chains"]
    hot = rlct.llc(Cubic(1.0), data, n_beta=30.0, **options)
    assert abs(hot.lam - exact(30.0, near=False)) < 4 * hot.errors["chains"]
    assert hot.lam < exact(30.0, near=True) - 8 * hot.errors["chains"]
