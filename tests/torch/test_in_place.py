"""Modules and losses that change what they are given, or return what has no gradient."""

import warnings

import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402

nn = torch.nn


class Doubling(nn.Linear):
    def forward(self, x):
        x *= 2
        return super().forward(x)


class Fresh(nn.Linear):
    def forward(self, x):
        return super().forward(x * 2).mul_(1.0)  # what is its own it may change


class Counting(nn.Linear):
    def __init__(self, *sizes: int) -> None:
        super().__init__(*sizes)
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls += 1
        return super().forward(x)


class Averaging(nn.Linear):
    mean = 0.0

    def forward(self, x):
        out = super().forward(x)
        self.mean = 0.9 * self.mean + 0.1 * out.detach().mean()
        return out


class Rounding(nn.Linear):
    def forward(self, x):
        return (super().forward(x) > 0).long()


def subtracting(out, targets):
    targets -= out.detach()
    return targets.square().mean()


def data():
    torch.manual_seed(0)
    return torch.randn(60, 3), torch.randn(60, 1)


@pytest.mark.parametrize(
    ("kind", "loss", "said"),
    [
        (Doubling, None, "changes its inputs in place"),
        (nn.Linear, subtracting, "changes its targets in place"),
        (Counting, None, "changes a buffer of its own in place"),
        (Averaging, None, "keep a tensor from one call to the next"),
        (Rounding, None, "returns int64, which has no gradient"),
    ],
)
def test_they_are_refused_in_one_line_and_data_are_as_before(kind, loss, said) -> None:
    """λ̂ was 2·10²¹, and the inputs of the caller zero or infinite."""
    x, y = data()
    copies = x.clone(), y.clone()
    with pytest.raises(InputError, match=said):
        rlct.llc(kind(3, 1), (x, y), loss=loss)
    assert torch.equal(x, copies[0])
    assert torch.equal(y, copies[1])


def test_what_a_module_made_itself_it_may_change() -> None:
    """Control; an input that is no number is not one that has changed."""
    x, y = data()
    assert ModuleTarget(Fresh(3, 1), (x, y)).dimension == 4
    x[0, 0] = torch.nan
    with pytest.raises(InputError, match="not a number"):
        ModuleTarget(Fresh(3, 1), (x, y))


def test_compiled_modules_are_counted_without_a_warning() -> None:
    compiled = torch.compile(nn.Sequential(nn.Linear(3, 1), nn.ReLU()), backend="eager")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ModuleTarget(compiled, data()).dimension == 4
