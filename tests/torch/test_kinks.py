"""SGLD on a loss with kinks: a step adds twice what it does to a square, and the run knows it."""

import pytest

torch = pytest.importorskip("torch")

from rlct.sampling.local.llc import estimate_llc  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402


def test_of_absolute_errors_a_step_adds_twice_what_is_taken_off() -> None:
    """Without noise nβL is homogeneous of degree 1 in two parameters: its mean is 2.

    Five standard errors; control: λ̂ itself is farther off than that.
    """
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(100, 2, generator=generator)
    net = torch.nn.Linear(2, 1, bias=False)
    torch.nn.init.ones_(net.weight)
    data = (x, x.sum(1, keepdim=True))
    target = ModuleTarget(net, data, lambda out, y: (out - y).abs().mean(), dtype=torch.float64)
    options = {"lr": 4e-5, "batch_size": 100, "num_chains": 64, "num_draws": 6000}
    found = estimate_llc(target, n_beta=200.0, method="sgld", **options)
    error, run = found.errors["chains"], found.run
    assert 0.9 < run.unremoved / run.excess < 1.1
    assert abs(found.lam - run.unremoved - 2.0) < 5 * error < found.lam - 2.0
    assert found.interval[0] < 2.0 < found.interval[1]
