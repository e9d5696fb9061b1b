"""The commands ``rlct net mlp``, ``cnn`` and ``transformer``: bounds, and how to estimate."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rlct.cli.exact.model import add_model_command
from rlct.models import get_model

if TYPE_CHECKING:
    from rlct.answers.result import Result

#: Command → its model, title, what is known, and an example.
_NETWORK_COMMANDS: Final = {
    "mlp": (
        "deep-relu",
        "multilayer perceptron: bounds, and how to estimate",
        "A ReLU network with biases. The truth is any function of the network itself, or of a "
        "smaller one (--true-widths). The bounds are of the least λ over all parameters of the "
        "truth, for squared error; for the cross-entropy of a softmax the upper one holds, too. "
        "With another activation λ ≤ d/2 is known, see rlct net network.",
        "784 128 10",
    ),
    "cnn": (
        "network",
        "convolutional network: an upper bound, and how to estimate",
        "λ ≤ d/2 for any convolutional network with d trained parameters, at every parameter of a "
        "truth that it can realise. For plain ReLU layers and residual blocks there is more: "
        "rlct net relu-convolution.",
        "11689512",
    ),
    "transformer": (
        "network",
        "transformer: an upper bound, and how to estimate",
        "λ ≤ d/2 for any transformer with d trained parameters, at every parameter of a truth that "
        "it can realise.",
        "124439808",
    ),
}

_TORCH_HELP: Final = """\
No theorem gives the exact λ of such a network. Estimate it at trained weights, in torch:

  import rlct, torch
  nn, x = torch.nn, torch.randn(300, 2)
  y = x.sum(1, keepdim=True) + torch.randn(300, 1)
  net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
  adam = torch.optim.Adam(net.parameters(), lr=0.01)
  for _ in range(500):
      adam.zero_grad()
      nn.functional.mse_loss(net(x), y).backward()
      adam.step()
  print(rlct.llc(net, (x, y)))  # or (net, DataLoader) of your own"""


def add_open_networks(subparsers: Any) -> None:
    """Add the commands to the group ``rlct net``."""
    for name, (_, title, _, _) in _NETWORK_COMMANDS.items():
        subparsers.promise(name, title, partial(_add_command, name))


def _add_command(name: str, subparsers: Any) -> None:
    model_id, title, description, example = _NETWORK_COMMANDS[name]
    parser = subparsers.add_parser(
        name,
        help=title,
        description=description,
        epilog=_TORCH_HELP,
        examples=[f"rlct net {name} {example}"],
        alone=True,
    )
    add_model_command(parser, get_model(model_id))
    parser.set_defaults(footer=partial(_footer, name))


def _footer(name: str, result: Result) -> str:
    smaller = getattr(result.question, "true_widths", ())
    is_own = smaller in ((), getattr(result.question, "widths", ()))
    truth = "this network" if is_own else f"a network of widths {' '.join(map(str, smaller))}"
    return (
        f"\nTruth        any function of {truth}"
        f"\nEstimate     λ̂ of trained weights: ten lines of torch in 'rlct net {name} --help'"
    )
