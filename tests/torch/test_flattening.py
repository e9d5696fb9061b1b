"""Recorded operations give the bits of the function they come from, or are not used."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rlct.sampling.arrays import arrays_of  # noqa: E402
from rlct.sampling.modules.flattening import OFTEN_CALLED, FlattenedFunction  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402

nn = torch.nn


class InPlace(nn.Module):
    """Changes its hidden layer in place and uses it twice."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(3, 4), nn.Linear(4, 2)

    def forward(self, x):
        """Two layers."""
        hidden = self.first(x).clone()
        before = hidden + 1.0
        hidden.mul_(0.5)
        return self.last(before * hidden)


NETWORKS = {
    "linear": lambda: nn.Sequential(nn.Linear(3, 4, bias=False), nn.Linear(4, 2, bias=False)),
    "normalised": lambda: nn.Sequential(
        nn.Linear(3, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 2)
    ),
    "convolution": lambda: nn.Sequential(
        nn.Unflatten(1, (1, 3)), nn.Conv1d(1, 2, 2), nn.ReLU(), nn.Flatten(), nn.Linear(4, 2)
    ),
    "in place": InPlace,
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("loss", ["mse", "gaussian", "cross_entropy"])
def test_gradients_of_batches_keep_their_bits(name: str, loss: str) -> None:
    torch.manual_seed(0)
    x = torch.randn(40, 3)
    y = torch.randint(2, (40,)) if loss == "cross_entropy" else torch.randn(40, 2)
    target = ModuleTarget(NETWORKS[name](), (x, y), loss)
    on = arrays_of(target, np.random.default_rng(0))
    for _ in range(OFTEN_CALLED + 1):
        target.batch(torch.randn(5, target.dimension), 7, on)  # too few for moments
    both = target._function.batch_both
    assert both.recorded == 1
    for _ in range(3):
        w, rows = torch.randn(5, target.dimension), torch.randint(40, (5, 7))
        data = target._picked(rows.numpy())
        for a, b in zip(both(w, *data), both.function(w, *data), strict=True):
            assert torch.equal(a, b)


def test_a_record_that_forgets_its_arguments_is_not_used() -> None:
    """Values that leave torch become constants in the record: the next call finds out."""

    def forgetful(x):
        return x + 1, torch.from_numpy(x.detach().numpy() * 2.0)

    function = FlattenedFunction(forgetful)
    found = [float(function(torch.full((2,), float(k)))[1][0]) for k in range(OFTEN_CALLED + 4)]
    assert found == [2.0 * k for k in range(OFTEN_CALLED + 4)]
    assert function.recorded == 0
