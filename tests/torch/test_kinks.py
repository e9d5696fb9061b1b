"""SGLD on a loss with kinks: of first order in the step nothing is added there either."""

import pytest

torch = pytest.importorskip("torch")

from rlct.sampling.local.llc import estimate_llc  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402


def test_of_absolute_errors_a_step_adds_nothing() -> None:
    """Without noise nβL is homogeneous of degree 1 in two parameters: its mean is 2.

    Five standard errors; control: what usual steps add, 2·(ε/8)·E|∇nβL|², is farther off.
    """
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(100, 2, generator=generator)
    net = torch.nn.Linear(2, 1, bias=False)
    torch.nn.init.ones_(net.weight)
    data = (x, x.sum(1, keepdim=True))
    target = ModuleTarget(net, data, lambda out, y: (out - y).abs().mean(), dtype=torch.float64)
    options = {"lr": 4e-5, "batch_size": 100, "num_chains": 64, "num_draws": 2500}
    found = estimate_llc(target, n_beta=200.0, method="sgld", **options)
    error = found.errors["chains"]
    slopes = target.gradient(torch.as_tensor(found.chains.w[0]))
    assert (
        abs(found.lam - 2.0)
        < 5 * error
        < 2 * 4e-5 / 8 * 200.0**2 * float((slopes**2).sum(1).mean())
    )
    assert found.interval[0] < 2.0 < found.interval[1]
