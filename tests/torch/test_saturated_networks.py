"""Siblings of small detectors: convolutions, PReLU, max-pooling and a softmax that saturates."""

import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402
from rlct.sampling.modules.network_loss import NetworkLoss  # noqa: E402

nn = torch.nn


class Detector(nn.Module):
    """Two classes of an image of 8 × 8; on request with a weight that has no gradient."""

    def __init__(self, *, detached: bool = False) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = nn.Conv2d(1, 4, 3), nn.Conv2d(4, 8, 3)
        self.bend, self.bend_again = nn.PReLU(4), nn.PReLU(8)
        self.pool = nn.MaxPool2d(2, 2, ceil_mode=True)
        self.last = nn.Linear(8, 2)
        self.detached = detached

    def forward(self, x):
        """Probabilities."""
        seen = self.pool(self.bend(self.first(x)))
        seen = self.bend_again(self.second(seen)).flatten(1)
        weight = self.last.weight.detach() if self.detached else self.last.weight
        return torch.softmax(seen @ weight.T + self.last.bias, dim=1)


def images(count: int, dtype):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(count, 1, 8, 8, generator=generator, dtype=dtype)


@pytest.mark.parametrize("spread", [0.1, 4.0])
@pytest.mark.parametrize("detached", [False, True])
def test_saturated_outputs_are_no_detached_weight(spread, detached) -> None:
    """Control: a weight that is detached is."""
    net, x = Detector(detached=detached), images(60, torch.float32)
    with torch.no_grad():
        net.last.weight *= spread
        y = net(x) + 0.1 * torch.randn(60, 2, generator=torch.Generator().manual_seed(1))
    if not detached:
        assert ModuleTarget(net, (x, y)).samples == 60
        return
    with pytest.raises(InputError, match=r"last\.weight, but torch sees no gradient"):
        ModuleTarget(net, (x, y))


@pytest.mark.parametrize("method", ["sgld", "hmc"])
def test_a_detector_at_its_own_outputs_has_a_positive_estimate(method) -> None:
    """w* is a minimum, so nβL cannot fall; its chains may be too short, and nothing is detached."""
    net, x = Detector(), images(40, torch.float32)
    with torch.no_grad():
        y = net(x)
    found = rlct.llc(
        net, (x, y), method=method, num_chains=4, num_draws=20, num_burnin=40, progress=False
    )
    assert found.lam > 0
    assert found.verdict in (None, "usable", "too short", "biased", "localized")


def test_a_run_that_is_too_short_goes_on_by_its_work() -> None:
    """A convolution uses its weights at each place; control: a linear layer uses them once."""
    net = Detector()
    by_weight = [
        held.sample_work / held.dimension
        for held in (
            NetworkLoss(net, (images(40, torch.float32), torch.zeros(40, 2))),
            NetworkLoss(nn.Linear(300, 5), (torch.zeros(40, 300), torch.zeros(40, 5))),
        )
    ]
    assert by_weight[0] > 5 * by_weight[1]
