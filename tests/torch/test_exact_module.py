"""A torch module as the question: its ideal by tracing, beside theorems and ideals by hand."""

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.cli.main import main  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.pair import Pair  # noqa: E402

nn = torch.nn


def zeroed(module):
    for part in module.parameters():
        nn.init.zeros_(part)
    return module


def linear_chain(*widths, bias=False):
    pairs = pairwise(widths)
    return nn.Sequential(*(nn.Linear(a, b, bias=bias) for a, b in pairs))


class Function(nn.Module):
    """A function of parameters of given shapes, which are zero, and of inputs."""

    def __init__(self, function, **shapes):
        super().__init__()
        for name, shape in shapes.items():
            self.register_parameter(name, nn.Parameter(torch.zeros(shape)))
        self.function = function

    def forward(self, x):
        return self.function(self, x)


# Theorems


@pytest.mark.parametrize("widths", [(2, 2, 2), (3, 1, 3), (2, 1, 1, 2), (3, 2)])
def test_linear_networks_at_zero(widths):
    assert (
        rlct.exact(zeroed(linear_chain(*widths)), widths[0]).pair
        == rlct.linear(list(widths), rank=0).pair
    )


def test_linear_networks_over_the_fibre_of_a_rank():
    """At these weights the pair is the theorem's; where a spare unit is used it is larger."""
    net = zeroed(linear_chain(2, 2, 2))
    net[0].weight.data[0, 0] = net[1].weight.data[0, 0] = 1
    exact = rlct.linear([2, 2, 2], rank=1).pair
    assert rlct.exact(net, 2).pair == exact
    net[0].weight.data[1, 1] = 1
    assert rlct.exact(net, 2).pair > exact
    assert rlct.exact(net, 2, over=(-2, 2)).pair == exact


def test_biases_add_half_each():
    assert rlct.exact(zeroed(linear_chain(2, 1, bias=True)), 2).pair == rlct.Pair(Fraction(3, 2), 1)


def test_an_adapter_is_a_linear_network_whatever_is_frozen():
    """W0 + BA at B = 0 and A = 0; at an A of full rank it is regular in B: 3·1/2."""

    class Adapted(nn.Module):
        def __init__(self):
            super().__init__()
            self.base = nn.Linear(3, 3, bias=False).requires_grad_(False)
            self.down, self.up = linear_chain(3, 1, 3)

        def forward(self, x):
            return self.base(x) + 0.5 * self.up(self.down(x))

    net = Adapted()
    nn.init.zeros_(net.down.weight)
    nn.init.zeros_(net.up.weight)
    zero = rlct.linear([3, 1, 3], rank=0).pair
    assert rlct.exact(net, 3).pair == zero
    net.down.weight.data[0, 0] = 1
    assert rlct.exact(net, 3).pair == rlct.Pair(Fraction(3, 2), 1)
    assert rlct.exact(net, 3, over=(-2, 2)).pair == zero


def test_a_quadratic_network_with_given_weights():
    hidden, outer = [[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]
    net = Function(lambda net, x: (x @ net.w.T) ** 2 @ net.v.T, w=(2, 2), v=(2, 2))
    net.w.data, net.v.data = torch.tensor(hidden), torch.tensor(outer)
    theorem = rlct.quadratic(weights={"hidden": hidden, "outer": outer})
    assert rlct.exact(net, 2).pair == theorem.pair


# By hand


@pytest.mark.parametrize(
    ("module", "inputs", "pair"),
    [
        # q·k·v on one dimension: the ideal (abc).
        (
            Function(
                lambda net, x: torch.einsum(
                    "bij,bjd->bid", (x @ net.q) @ (x @ net.k).transpose(1, 2), x @ net.v
                ),
                **dict.fromkeys("qkv", (1, 1)),
            ),
            torch.zeros(1, 2, 1),
            ("1/2", 3),
        ),
        # A gated unit v(u·x)(g·x) on two inputs: 1/2 of v is less than 1 of u or g.
        (
            Function(lambda net, x: (x @ net.u) * (x @ net.g) * net.v, u=(2,), g=(2,), v=()),
            2,
            ("1/2", 1),
        ),
        # Symmetric factors UUᵀ of n × k at 0.
        (Function(lambda net, x: x @ net.u @ net.u.T, u=(2, 1)), 2, ("1/2", 1)),
        (Function(lambda net, x: x @ net.u @ net.u.T, u=(2, 3)), 2, ("3/2", 1)),
        # Circular convolutions on Z2: (a + b)(c + d) and (a − b)(c − d), two times (1/2, 2).
        (
            Function(
                lambda net, x: (
                    (net.a * net.b).sum() * x[:, :1]
                    + (net.a[0] * net.b[1] + net.a[1] * net.b[0]) * x[:, 1:]
                ),
                a=(2,),
                b=(2,),
            ),
            2,
            ("1", 3),
        ),
        # A residual block x + B A x has the λ of B A.
        (
            Function(lambda net, x: x + x @ net.a @ net.b, a=(2, 1), b=(1, 2)),
            2,
            ("1", 2),
        ),
        # A bilinear layer of an input with itself is linear in its symmetric part.
        (Function(lambda net, x: nn.functional.bilinear(x, x, net.w), w=(1, 2, 2)), 2, ("3/2", 1)),
        (Function(lambda net, x: (net.a.mean() * x / 2).sum(1) - net.b, a=(3,), b=()), 2, ("1", 1)),
    ],
)
def test_by_hand(module, inputs, pair):
    assert rlct.exact(module, inputs).pair == rlct.Pair(Fraction(pair[0]), pair[1])


class Tied(nn.Module):
    """w² − 2w, in which both layers have one weight."""

    def __init__(self):
        super().__init__()
        self.below, self.above = linear_chain(1, 1, 1)
        self.above.weight = self.below.weight

    def forward(self, x):
        return self.above(self.below(x)) - 2 * self.above(x)


def test_a_shared_weight_is_one_variable():
    """(w − 1)² at w = 1; with a constant in place of one w it would be −w, and λ = 1/2."""
    net = Tied()
    nn.init.ones_(net.below.weight)
    assert rlct.exact(net, 1).pair == rlct.Pair(Fraction(1, 4), 1)


def test_inputs_of_another_size_are_named():
    with pytest.raises(InputError, match=r"linear does not fit shapes \(\d, 5\) and \(1, 2\)"):
        rlct.exact(zeroed(nn.Linear(2, 1, bias=False)), torch.zeros(1, 5))


def test_what_is_made_of_weights_elsewhere_is_refused():
    hidden = Function(lambda net, x: net._parameters["a"] ** 2 * x + net.a * x, a=(1,))
    with pytest.raises(InputError, match=r"what makes .* of weights is no polynomial"):
        rlct.exact(hidden, 1)
    hooked = zeroed(linear_chain(1, 1))
    hooked[0].register_forward_hook(lambda module, args, output: output**2)
    with pytest.raises(InputError, match=r"a hook of 0 is no polynomial"):
        rlct.exact(hooked, 1)


def test_weights_may_be_those_of_a_state_and_the_module_stays_as_it_is():
    net = linear_chain(2, 1, 2).train()
    before = {name: w.clone() for name, w in net.state_dict().items()}
    zero = {name: torch.zeros_like(w) for name, w in before.items()}
    found = rlct.exact(net, torch.zeros(7, 2), at=zero)
    assert found.pair == rlct.Pair(Fraction(1), 2)
    assert found.where == "at the weights of the module"
    assert "a is 0.weight, b is 1.weight" in found.notes[-1]
    assert rlct.verify(found.certificate)
    assert net.training
    assert all(torch.equal(before[name], w) for name, w in net.state_dict().items())


# Refusals

ZERO = zeroed(linear_chain(2, 2))
NAN = torch.tensor([float("nan")])


@pytest.mark.parametrize(
    ("module", "options", "said"),
    [
        (nn.Sequential(nn.Linear(1, 1), nn.Tanh()), {}, r"^Tanh \(1\) is no polynomial.*rlct\.llc"),
        (nn.Sequential(nn.LayerNorm(1), nn.Linear(1, 1)), {}, r"^LayerNorm \(0\) is no polynomial"),
        (Function(lambda net, x: torch.relu(x) * net.a, a=(1,)), {}, "^relu is no polynomial"),
        (Function(lambda net, x: x**net.a, a=(1,)), {}, "^pow with these arguments is no"),
        (Function(lambda net, x: x / net.a, a=(1,)), {}, "^truediv with these arguments is no"),
        (Function(lambda net, x: x if x.sum() > 0 else x * net.a, a=(1,)), {}, "cannot be traced"),
        (Function(lambda net, x: x + 0 * net.a, a=(1,)), {}, "the same function at all weights"),
        (nn.Linear(1, 1, bias=False).requires_grad_(False), {}, "^0 weights of the module move"),
        (nn.Linear(30, 30), {}, "^930 weights of the module move .*: from 1 to 400"),
        (Function(lambda net, x: x * (net.a + 0.3), a=(1,)), {"at": {}}, "no state dict"),
        (
            Function(lambda net, x: {"a": x * net.a}, a=(1,)),
            {},
            "^the module returns several things",
        ),
        (Function(lambda net, x: (x, x * net.a), a=(1,)), {}, "^the module returns several things"),
        (nn.Linear(1, 1, dtype=torch.complex64), {}, "^complex weights are two real ones each"),
        (nn.Bilinear(1, 1, 1), {}, r"not take one batch of inputs of shape \(2, 1\): Expected"),
        (ZERO, {"over": (1,)}, "one interval for every weight"),
        (ZERO, {"over": {"x": (1, 2)}}, "one interval for every weight"),
        (ZERO, {"over": 3}, "one interval for every weight"),
        ("net", {}, "about a torch module"),
        (ZERO, {"inputs": True}, "give their number, or a batch"),
        (ZERO, {"inputs": -2}, "give their number, or a batch"),
        (nn.Linear(1, 1), {"at": {"weight": torch.zeros(1, 1), "bias": NAN}}, "finite numbers"),
        (ZERO, {"inputs": torch.zeros(3)}, "give their number, or a batch"),
        (ZERO, {"inputs": 3}, r"not take one batch of inputs of shape \(2, 3\): matmul"),
    ],
)
def test_refusals(module, options, said):
    options = {"inputs": 1 if module is not ZERO else 2} | options
    with pytest.raises(InputError, match=said) as error:
        rlct.exact(module, **options)
    assert "\n" not in str(error.value)


MIXING = "rows of a batch are no inputs of their own"


@pytest.mark.parametrize(
    ("forward", "batch"),
    [
        (lambda net, x: net.w[0] * x + net.w[1] * x.sum(0), torch.zeros(4, 1)),
        (lambda net, x: net.w[0] * (x - x.mean(0)) + net.w[1] * x, torch.zeros(2, 1)),
        (lambda net, x: net.w * x[0], torch.zeros(2, 2)),
        (lambda net, x: (net.w * x).sum(), torch.zeros(1, 2)),
        (lambda net, x: (net.w * x) @ x.t(), torch.zeros(3, 2)),
    ],
    ids=["sum", "mean", "first", "scalar", "attention"],
)
def test_rows_that_mix_are_refused(forward, batch):
    """One sequence without an axis of batches was taken for a batch of one token."""
    with pytest.raises(InputError, match=MIXING):
        rlct.exact(Function(forward, w=(2,)), batch, at="generic")


def test_tokens_of_one_input_may_mix():
    """Attention on three tokens of size two, by the rank of its derivative: 5 of 6."""
    attention = Function(
        lambda net, x: ((x @ net.q) @ x.transpose(-1, -2)) @ (x @ net.v), q=(2, 2), v=(2, 1)
    )
    assert rlct.exact(attention, torch.zeros(1, 3, 2), at="generic").pair == Pair.of("5/2")
    with pytest.raises(InputError, match=MIXING):
        rlct.exact(attention, torch.zeros(3, 2), at="generic")


def test_trained_weights_are_refused_by_name():
    net = nn.Linear(1, 1, bias=False)
    nn.init.constant_(net.weight, 0.1)
    with pytest.raises(InputError, match=r"weight has the entry 0\.1, no short fraction: set"):
        rlct.exact(net, 1)


# The guide and the command


def test_the_guide(capsys):
    text = (Path(__file__).parents[2] / "docs" / "network.md").read_text("utf-8")
    block = r"<!-- exact -->\n```python\n(.*?)```\n\n```text\n(.*?)```"
    ((code, printed),) = re.findall(block, text, re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out == printed


SOURCE = """\
import torch

net = torch.nn.Sequential(torch.nn.Linear(2, 1, bias=False), torch.nn.Linear(1, 2, bias=False))
for p in net.parameters():
    torch.nn.init.zeros_(p)
x = torch.zeros(1, 2)
"""


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "net.py"
    path.write_text(SOURCE)
    assert main(["net", "torch", "net.py", "--over=-1:1", "--certificate", "c.json"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("λ = 1, θ = 2 (exact if: the inputs have a density, and moments of ")
    assert "; minimum over weights in [-1, 1] that give the" in said
    assert main(["verify", "c.json"]) == 0
    capsys.readouterr()
    for line, words in [
        ("missing.py", "there is no file 'missing.py'"),
        ("net.py --over=x=0:1", "over is one interval for every weight, such as (-2, 2)"),
        ("broken.py", "broken.py: OSError: no such data"),
        ("empty.py", "empty.py defines no net and no x"),
        ("endless.py --timeout 0.5", "endless.py did not end within --timeout 0.5"),
    ]:
        (tmp_path / "broken.py").write_text("raise OSError('no such data')")
        (tmp_path / "empty.py").write_text("")
        (tmp_path / "endless.py").write_text("while True: pass")
        assert main(["net", "torch", *line.split()]) == 2
        out, err = capsys.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert words in err


# A generic truth


class Gated(nn.Module):
    def __init__(self, inputs, units, outputs):
        super().__init__()
        self.up, self.gate = linear_chain(inputs, units), linear_chain(inputs, units)
        self.down = linear_chain(units, outputs)

    def forward(self, x):
        return self.down(self.up(x) * self.gate(x))


def attend(net, x):
    scores = torch.einsum("btia,bsia->btsi", x @ net.q, x @ net.k)
    return torch.einsum("btsh,bsho->bto", scores, x @ net.v)


MODULES = {
    "glu:3,1,2": (Gated(3, 1, 2), 3),
    "glu:2,2,2": (Gated(2, 2, 2), 2),
    "scores:3,1": (
        Function(lambda net, x: ((x @ net.q) * (x @ net.k)).sum(-1), q=(3, 1), k=(3, 1)),
        3,
    ),
    "powers:3,2,3": (
        Function(lambda net, x: (x @ net.w.T) ** 3 @ net.v, w=(2, 3), v=(2,)),
        3,
    ),
    "attention:2,1,1,1": (
        Function(
            lambda net, x: (x @ net.q) @ (x @ net.k).transpose(1, 2) @ (x @ net.v),
            q=(2, 1),
            k=(2, 1),
            v=(2, 1),
        ),
        torch.zeros(1, 2, 2),
    ),
    "tensor:2,2,2,2": (
        Function(
            lambda net, x: torch.einsum("hi,hj,hk,ni->njk", net.a, net.b, net.c, x),
            **dict.fromkeys("abc", (2, 2)),
        ),
        2,
    ),
    "gram:3,2": (Function(lambda net, x: x @ net.u @ net.u.T, u=(3, 2)), 3),
    "ppca:3,1": (Function(lambda net, x: x @ net.u @ net.u.T + net.s * x, u=(3, 1), s=()), 3),
}


@pytest.mark.parametrize("name", MODULES)
def test_a_network_of_the_table_at_a_generic_truth(name):
    module, inputs = MODULES[name]
    found = rlct.exact(module, inputs, at="generic")
    assert found.pair == rlct.theorem("generic-truth", coefficients=name).pair
    assert "least over the fibre of a generic truth" in found.where


@pytest.mark.parametrize("widths", [(2, 2, 2), (3, 1, 3), (2, 1, 1, 2), (3, 2, 3, 2)])
@pytest.mark.parametrize("bias", [False, True])
def test_linear_networks_at_a_generic_truth(widths, bias):
    found = rlct.exact(linear_chain(*widths, bias=bias), widths[0], at="generic")
    assert found.pair == rlct.linear(list(widths), rank=min(widths), bias=bias).pair


def test_adapters_and_residual_blocks_at_a_generic_truth():
    """Frozen weights and the identity are constants, whatever their decimals."""
    net = Function(lambda net, x: x @ net.w + x @ net.a @ net.b, w=(3, 3), a=(3, 1), b=(1, 3))
    net.w.requires_grad_(False).uniform_(generator=torch.Generator().manual_seed(1))
    expected = rlct.linear([3, 1, 3], rank=1).pair
    assert rlct.exact(net, 3, at="generic").pair == expected
    block = Function(lambda net, x: x + x @ net.a @ net.b, a=(3, 1), b=(1, 3))
    assert rlct.exact(block, 3, at="generic").pair == expected


def test_a_generic_truth_is_not_that_of_the_weights(tmp_path, capsys):
    """At zero the same module has less; what the weights are does not matter for a generic one."""
    net = zeroed(Gated(2, 1, 1))
    generic = rlct.exact(net, 2, at="generic")
    assert rlct.exact(net, 2).lam < generic.lam
    for part in net.parameters():
        nn.init.constant_(part, 0.1234567)  # no short fraction
    assert rlct.exact(net, 2, at="generic").pair == generic.pair
    file = tmp_path / "net.py"
    file.write_text("import torch\nnet = torch.nn.Linear(2, 2)\nx = 2\n", encoding="utf-8")
    assert main(["net", "torch", str(file), "--generic"]) == 0
    said = capsys.readouterr().out
    assert "λ = 3, θ = 1 (exact if: the inputs have a density, " in said
    assert "; least over the fibre" in said
    assert main(["net", "torch", str(file), "--generic", "--over=-1:1"]) == 2
    assert "leave out over" in capsys.readouterr().err
    with pytest.raises(InputError, match="'generic' for a generic truth"):
        rlct.exact(net, 2, at="zero")
