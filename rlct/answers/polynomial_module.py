"""What the engine says of a torch module that is a polynomial: λ at its weights."""

from fractions import Fraction
from math import e, log
from typing import Any

from rlct.answers.module_ideal import short_fractions
from rlct.answers.module_question import exact
from rlct.answers.quadratic import quadratic
from rlct.errors import InputError

MOST_WEIGHTS = 8  # of a polynomial whose λ the engine mostly finds in a moment
MOST_IN_SQUARES = 100  # of a network of squares, on which a theorem decides
ENGINE_SECONDS = 1.0  # beside an estimate, which takes longer


def polynomial_module_theory(module: Any, inputs: int, n_beta: float) -> str:
    """λ and θ of a module that is a polynomial of few weights, or a layer of squares; or nothing.

    The value is that of a squared error that is least at these weights, which must be short
    fractions, with so many inputs that have a density.

    >>> import torch
    >>> class Product(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.w = torch.nn.Parameter(torch.zeros(2))
    ...
    ...     def forward(self, x):
    ...         return self.w[0] * self.w[1] ** 2 * x
    >>> polynomial_module_theory(Product(), 1, 100.0)
    'engine: λ = 1/4, θ = 1 at these weights of a polynomial of 2 weights, inputs with a density'
    """
    import torch

    try:
        count = sum(part.numel() for part in module.parameters())
        if count > MOST_IN_SQUARES or not all(p.requires_grad for p in module.parameters()):
            return ""
        short_fractions(module)  # or refuse
        layers = _squares_layers(torch.fx.symbolic_trace(module))
        if layers is not None:
            weights = dict(zip(("hidden", "outer"), layers, strict=True))
            exact_answer = quadratic(weights=weights, timeout=ENGINE_SECONDS)
            kind = f"a quadratic network of {len(layers[0])} units"
        elif count <= MOST_WEIGHTS:
            exact_answer = exact(module, inputs, timeout=ENGINE_SECONDS)
            kind = f"a polynomial of {count} weights"
        else:
            return ""
    except (InputError, ArithmeticError, *_NO_POLYNOMIAL):
        return ""
    if exact_answer.lam is None or exact_answer.lam == 0:
        return ""
    return (
        f"engine: λ = {exact_answer.lam}{theta_words(exact_answer.theta, n_beta)} at these weights "
        f"of {kind}, inputs with a density"
    )


def theta_words(theta: int | None, n_beta: float) -> str:
    """θ, and where it is above 1 how far that lowers the mean of nβK: by (θ − 1)/log(nβ) + ….

    >>> theta_words(1, 100.0), theta_words(2, 100.0)
    (', θ = 1', ', θ = 2 (which lowers the mean at this nβ below λ, by some 0.22)')
    """
    if theta is None:
        return ""
    fall = (theta - 1) / log(n_beta) if n_beta > e else 0.0
    lower = f" (which lowers the mean at this nβ below λ, by some {fall:.2g})"
    return f", θ = {theta}{lower if fall else ''}"


#: What tracing and arithmetic raise where a module is none, beside errors of torch.fx.
_NO_POLYNOMIAL = (
    *(AssertionError, AttributeError, LookupError, NotImplementedError, RuntimeError),
    *(TypeError, ValueError),
)


def _squares_layers(graph: Any) -> tuple[Any, Any] | None:
    """Weights of two layers without bias with squares between, as fractions; None if it is none."""
    import torch

    nodes = [node for node in graph.graph.nodes if node.op not in ("placeholder", "output")]
    parts = [graph.get_submodule(n.target) for n in nodes if n.op == "call_module"]
    linear = all(isinstance(p, torch.nn.Linear) and p.bias is None for p in parts)
    if len(nodes) != 3 or len(parts) != 2 or not linear or nodes[1].op == "call_module":
        return None
    below, middle, above = nodes
    operation = getattr(middle.target, "__name__", middle.target), middle.args
    squares = ("pow", (below, 2)), ("square", (below,)), ("mul", (below, below))
    if operation not in squares or above.args != (middle,) or parts[0].weight is parts[1].weight:
        return None
    hidden, outer = (
        [[Fraction(v) for v in row] for row in p.weight.detach().double().tolist()] for p in parts
    )
    return hidden, outer
