"""What the engine says of a torch module that is a polynomial: λ at its weights."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import QQ
from sympy.polys.rings import ring

from rlct.answers.exact import solve
from rlct.answers.quadratic import quadratic
from rlct.errors import InputError
from rlct.questions.problem import Problem

__all__ = ["polynomial_module_theory"]

MOST_WEIGHTS = 8  # of a polynomial whose λ the engine mostly finds in a moment
MOST_IN_SQUARES = 100  # of a network of squares, on which a theorem decides
MOST_DIGITS = 2**10  # numerators and denominators of weights that were set and not trained
ENGINE_SECONDS = 1.0  # beside an estimate, which takes longer


def polynomial_module_theory(module: Any, inputs: int) -> str:
    """λ and θ of a module that is a polynomial of few weights, or a layer of squares; or nothing.

    The value is that of a squared error that is least at these weights, which must be short
    fractions, with so many inputs that have a density.

    Examples
    --------
    >>> import torch
    >>> class Product(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.w = torch.nn.Parameter(torch.zeros(2))
    ...
    ...     def forward(self, x):
    ...         return self.w[0] * self.w[1] ** 2 * x
    >>> polynomial_module_theory(Product(), 1)
    'engine: λ = 1/4, θ = 1 at these weights of a polynomial of 2 weights, inputs with a density'
    """
    import torch

    values = [p.detach().double().cpu().reshape(-1).tolist() for p in module.parameters()]
    fractions = [Fraction(value) for part in values for value in part]
    moving = all(p.requires_grad for p in module.parameters())
    short = all(max(abs(f.numerator), f.denominator) <= MOST_DIGITS for f in fractions)
    if not fractions or not moving or not short or len(fractions) > MOST_IN_SQUARES:
        return ""
    try:
        graph = torch.fx.symbolic_trace(module)
        layers = _squares_layers(graph)
        if layers is not None:
            weights = dict(zip(("hidden", "outer"), layers, strict=True))
            exact_answer = quadratic(weights=weights, timeout=ENGINE_SECONDS)
            kind = f"a quadratic network of {len(layers[0])} units"
        elif len(fractions) <= MOST_WEIGHTS:
            exact_answer = solve(_problem(graph, fractions, inputs), timeout=ENGINE_SECONDS)
            kind = f"a polynomial of {len(fractions)} weights"
        else:
            return ""
    except (InputError, ArithmeticError, *_NO_POLYNOMIAL):
        return ""
    if exact_answer.lam is None or exact_answer.lam == 0:
        return ""
    theta = "" if exact_answer.theta is None else f", θ = {exact_answer.theta}"
    return (
        f"engine: λ = {exact_answer.lam}{theta} at these weights of {kind}, inputs with a density"
    )


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
    if operation not in squares or above.args != (middle,):
        return None
    hidden, outer = (
        [[Fraction(v) for v in row] for row in p.weight.detach().double().tolist()] for p in parts
    )
    return hidden, outer


def _problem(graph: Any, fractions: list[Fraction], inputs: int) -> Problem:
    """The ideal of what the coefficients of monomials in the inputs are more than at w*."""
    import torch

    count = len(fractions)
    names = [*(f"w{k}" for k in range(count)), *(f"x{k}" for k in range(inputs))]
    polynomials, *all_symbols = ring(names, QQ)
    weights, free = {}, iter(all_symbols[:count])
    for name, part in graph.named_parameters():
        flat = [next(free) for _ in range(part.numel())]
        weights[name] = np.array(flat, dtype=object).reshape(tuple(part.shape))

    class Polynomials(torch.fx.Interpreter):  # type: ignore[misc, unused-ignore]
        """Runs the recorded operations on arrays of polynomials."""

        def fetch_attr(self, target: str) -> Any:
            return weights[target]

        def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
            part = graph.get_submodule(target)
            if isinstance(part, torch.nn.Identity):
                return args[0]
            if not isinstance(part, torch.nn.Linear):
                raise NotImplementedError
            bias = 0 if part.bias is None else weights[f"{target}.bias"]
            return args[0] @ weights[f"{target}.weight"].T + bias

        def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
            return FUNCTIONS[target.__name__](*args, **kwargs)

        def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
            return FUNCTIONS[target](*args, **kwargs)

    row = np.array(all_symbols[count:], dtype=object)[None]
    found = np.atleast_1d(Polynomials(graph).run(row)).reshape(-1)
    coefficients: dict[Any, Any] = {}
    for number, output in enumerate(found):
        for powers, value in polynomials(output).terms():
            key = number, powers[count:]
            term = polynomials.term_new((*powers[:count], *(0 for _ in range(inputs))), value)
            coefficients[key] = coefficients.get(key, polynomials.zero) + term
    places_at = (QQ(f.numerator, f.denominator) for f in fractions)
    point = list(zip(all_symbols[:count], places_at, strict=True))
    gains = [held - held.subs(point) for held in coefficients.values()]
    at = dict(zip(names, map(str, fractions), strict=False))
    return Problem.ideal([gain.as_expr() for gain in gains if gain], at=at)


def _total(values: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return np.sum(values, axis=dim, keepdims=keepdim)


#: Operations that take polynomials to polynomials, by the names that torch gives them.
FUNCTIONS: dict[str, Any] = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "matmul", "neg", "getitem")},
    **{"pow": operator.pow, "square": lambda a: a * a, "sum": _total, "getattr": getattr},
    "t": np.transpose,
}
