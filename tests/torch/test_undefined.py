"""Losses that are no number at or near w*: refused, or told with the step of the first."""

import re

import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import DivergedError, InputError  # noqa: E402

nn = torch.nn


class Root(nn.Module):
    """f = |w| x, without a gradient at 0."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        return (self.w**2).sum().sqrt() * x


class Half(nn.Module):
    """f = a x + b x², no number for a > edge."""

    def __init__(self, edge):
        super().__init__()
        self.edge, self.w = edge, nn.Parameter(torch.zeros(2))

    def forward(self, x):
        a, b = self.w
        return torch.where(a > self.edge, torch.nan, a) * x + b * x**2


def run(net, method: str, **options):
    x = torch.randn(200, 1, generator=torch.Generator().manual_seed(0))
    data = (x, torch.zeros(200, 1))
    options = {"num_draws": 200, **options}
    return rlct.llc(net, data, loss="gaussian", method=method, progress=False, **options)


@pytest.mark.parametrize("method", ["hmc", "mala", "sgld"])
def test_a_gradient_that_is_no_number_at_w_is_refused(method: str) -> None:
    with pytest.raises(InputError, match=r"the gradient of the loss at w\* is not finite"):
        run(Root(), method)


@pytest.mark.parametrize("method", ["hmc", "mala", "nuts"])
def test_points_without_a_loss_are_told(method: str) -> None:
    few = {"num_draws": 40, "num_burnin": 40, "num_chains": 3}
    if method == "nuts":
        pytest.importorskip("mici")
        few = {"num_draws": 8, "num_burnin": 8, "num_chains": 3}
    found = run(Half(0.02), method, **few)
    assert found.diagnostics["points without a loss"] > 0
    assert found.verdict == "invalid"
    (told,) = found.warnings
    assert re.search(r"is not a number at \d+ points .*, first at step \d+", told)
    far = run(Half(9.0), method, **few)
    assert far.diagnostics["points without a loss"] == 0
    assert not any("is not a number" in words for words in far.warnings)


def test_sgld_ends_where_the_loss_is_no_number() -> None:
    with pytest.raises(DivergedError, match=r"at step \d+, where the loss is not a number"):
        run(Half(0.02), "sgld")
