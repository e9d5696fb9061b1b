"""Operations of a record are made cheaper, never different."""

import pytest

torch = pytest.importorskip("torch")

from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

from rlct.sampling.modules.operations import simplify_graph  # noqa: E402


def recorded(function, *arguments):
    """The operations of a call before and after, as names, and both functions."""
    before = make_fx(function)(*arguments)
    after = make_fx(function)(*arguments)
    simplify_graph(after, arguments)

    def names(graph):
        calls = (node for node in graph.graph.nodes if node.op == "call_function")
        return [getattr(node.target, "__name__", str(node.target)) for node in calls]

    return names(before), names(after), before, after


def gradient_of_squares(w, x, y):
    """Of a quadratic network, as torch.func derives it."""

    def loss(w, x, y):
        hidden = x @ w
        return 0.5 * ((hidden * hidden).sum(-1, keepdim=True) - y).square().mean()

    return torch.func.vmap(torch.func.grad_and_value(loss))(w, x, y)


def test_squares_cost_less_and_keep_their_bits() -> None:
    torch.manual_seed(0)
    arguments = torch.randn(3, 4, 5), torch.randn(3, 6, 4), torch.randn(3, 6, 1)
    before, after, old, new = recorded(gradient_of_squares, *arguments)
    assert len(after) < 0.75 * len(before)
    kept = [argument.clone() for argument in arguments]
    for a, b in zip(old(*arguments), new(*arguments), strict=True):
        assert torch.equal(a, b)
    # What came in is not written over.
    assert all(torch.equal(a, b) for a, b in zip(kept, arguments, strict=True))


AWKWARD = {
    "views of what is written": lambda x: ((x + 1).T, ((x + 1) * 2.0)),
    "used again": lambda x: (torch.relu(x + 1) + (x + 1), x * 1.0),
    "an argument": lambda x: (x * 2.0, x + 1),
    "a part": lambda x: ((x + 1)[:2] * 2.0, (x + 1)[1:] - 1.0),
    "spread": lambda x: ((x.sum(0) + 1).expand(3, 3) * 2.0, x),
    "transposed": lambda x: ((x + 1) * (x + 1).T, x.T.T + 0.0),
    "twice": lambda x: ((x * x) + (x * x), (x + 1) * (x + 1) + (x + 1) * (x + 1)),
    "constants": lambda x: (x * torch.ones_like(x) / 3, torch.full_like(x, 0.1) * x),
    "not equal": lambda x: (x * torch.ones_like(x).cumsum(0), x),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_memory_that_is_needed_is_not_written_over(name: str) -> None:
    torch.manual_seed(0)
    x = torch.randn(3, 3)
    kept = x.clone()
    _, _, _, after = recorded(AWKWARD[name], x)
    for _ in range(2):
        for a, b in zip(after(x), AWKWARD[name](kept), strict=True):
            assert torch.equal(a, b)
    assert torch.equal(x, kept)


def test_constants_outlive_a_call() -> None:
    """A tensor that the record holds is no scratch memory."""
    held = torch.arange(3.0)
    _, _, _, after = recorded(lambda x: (held * 2.0 + x, held + 1.0), torch.ones(3))
    for _ in range(2):
        assert torch.equal(after(torch.ones(3))[0], torch.tensor([1.0, 3.0, 5.0]))
    assert torch.equal(held, torch.arange(3.0))
