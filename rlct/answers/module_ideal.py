"""The ideal of a torch module: what its coefficients in the inputs are more than at its weights."""

import operator
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import QQ
from sympy.polys.rings import PolyElement, ring

from rlct.errors import InputError

MOST_DIGITS = 2**10  # numerators and denominators of weights that were set and not trained
MOST_WEIGHTS = 400  # that are traced; the engine is mostly at its end before
MOST_TERMS = 50_000  # of one polynomial, which takes seconds
_USE_LLC = "estimate it instead: rlct.llc(module, data)"


@dataclass(frozen=True)
class ModuleIdeal:
    """K = Σ g² of a module with squared error and inputs that have a density."""

    #: Of the weights, ``a1_2`` for entry (1, 2) of the first parameter, ``b1`` of the second.
    names: tuple[str, ...]
    #: Letters of the parameters, by their names in the module.
    parameters: dict[str, str]
    #: Each weight as it is.
    weight_values: dict[str, Fraction]
    #: A polynomial for each output and each monomial in the inputs.
    generators: list[Any]


def short_fractions(module: Any) -> dict[str, list[Fraction]]:
    """Weights that move, by parameter.

    InputError if one is no short fraction, as after training.
    """
    values_by_name = {
        name: [_fraction(v, name) for v in part.detach().double().cpu().reshape(-1).tolist()]
        for name, part in module.named_parameters()
        if part.requires_grad
    }
    for name, values in values_by_name.items():
        for value in values:
            if max(abs(value.numerator), value.denominator) > MOST_DIGITS:
                raise InputError(
                    f"{name} has the entry {float(value):.6g}, no short fraction: set the weights "
                    "to the truth that you mean, such as 0, 1 or 0.5"
                )
    return values_by_name


def module_ideal(module: Any, inputs: Any, *, generic_truth: bool = False) -> ModuleIdeal:
    """Trace a module on two inputs that are free variables, of which none may see the other.

    Inputs are their number, or a batch of them, of which only the shape is taken.  Weights without
    ``requires_grad`` are constants; with ``generic_truth`` those of the module do not matter, and
    are taken for 0.  InputError if an operation is no polynomial, which the message names, or the
    rows of a batch mix.
    """
    moving_parts = {name: part for name, part in module.named_parameters() if part.requires_grad}
    part_shapes = {name: tuple(part.shape) for name, part in moving_parts.items()}
    part_letters = {name: _letter(k) for k, name in enumerate(moving_parts)}
    names = {
        name: [part_letters[name] + "_".join(str(i + 1) for i in place) for place in _places(shape)]
        for name, shape in part_shapes.items()
    }
    if any(part.is_complex() for part in module.parameters()):
        raise InputError(f"complex weights are two real ones each, which are not asked: {_USE_LLC}")
    weight_names = [one for part in names.values() for one in part]
    if not 0 < len(weight_names) <= MOST_WEIGHTS:
        raise InputError(
            f"{len(weight_names)} weights of the module move (requires_grad): from 1 to "
            f"{MOST_WEIGHTS} can be asked about; {_USE_LLC}"
        )
    counted = isinstance(inputs, int) and not isinstance(inputs, bool)
    shape = (2, inputs) if counted else (2, *np.shape(inputs)[1:])
    if len(shape) < 2 or min(shape) < 1:
        raise InputError("inputs: give their number, or a batch of them such as torch.zeros(1, 3)")
    input_count = int(np.prod(shape))
    polynomials, *all_symbols = ring([*weight_names, *(f"X{k}" for k in range(input_count))], QQ)
    free = iter(all_symbols[: len(weight_names)])
    tensors = {
        name: _array([next(free) for _ in part], part_shapes[name]) for name, part in names.items()
    }
    # A parameter that is shared has several names.
    by_part = {id(part): tensors[name] for name, part in moving_parts.items()}
    every_name = module.named_parameters(remove_duplicate=False)
    tensors |= {name: by_part[id(part)] for name, part in every_name if id(part) in by_part}
    outputs = _run(module, tensors, _array(all_symbols[len(weight_names) :], shape), polynomials)
    if not isinstance(outputs, np.ndarray | PolyElement):
        raise InputError("the module returns several things: one tensor is asked about")
    if generic_truth:
        true_weights = dict.fromkeys(weight_names, Fraction(0))
    else:
        values = (f for part in short_fractions(module).values() for f in part)
        true_weights = dict(zip(weight_names, values, strict=True))
    row = _first_row(outputs, polynomials, len(weight_names), input_count // 2)
    generators = _gains(row, polynomials, all_symbols, true_weights)
    return ModuleIdeal(tuple(weight_names), part_letters, true_weights, generators)


def _letter(k: int) -> str:
    return "abcdfghklmnpqrstuvwyz"[k] if k < 21 else f"par{k}_"


def _places(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(np.ndindex(*shape)) if shape else [(0,)]


def _array(values: list[Any], shape: tuple[int, ...]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(shape)


def _first_row(outputs: Any, polynomials: Any, weight_count: int, input_count: int) -> Any:
    """Outputs of the first of two inputs; a layer that mixes them is asked about another batch."""
    rows = np.asarray(outputs, dtype=object)
    if rows.ndim and len(rows) == 2:
        cut = weight_count + input_count
        other_inputs = slice(cut, None), slice(weight_count, cut)
        if not any(
            any(powers[other])
            for row, other in zip(rows, other_inputs, strict=True)
            for output in np.asarray(row, dtype=object).reshape(-1)
            for powers in polynomials(output)
        ):
            return rows[0]
    raise InputError(
        "the rows of a batch are no inputs of their own here: if x is one input, give it a first "
        "axis, such as torch.zeros(1, 3, 2) for 3 tokens of size 2"
    )


def _gains(
    outputs: Any, polynomials: Any, symbols: list[Any], weight_values: dict[str, Fraction]
) -> list[Any]:
    """Coefficients of monomials in the inputs, less what they are at the weights."""
    count = len(weight_values)
    zeros = (0,) * (len(symbols) - count)
    coefficients: dict[Any, Any] = {}
    for number, output in enumerate(np.asarray(outputs, dtype=object).reshape(-1)):
        for powers, value in polynomials(output).terms():
            key = number, powers[count:]
            term = polynomials.term_new((*powers[:count], *zeros), value)
            coefficients[key] = coefficients.get(key, polynomials.zero) + term
    values = [QQ(f.numerator, f.denominator) for f in weight_values.values()]
    point = list(zip(symbols[:count], values, strict=True))
    gains = (found - found.subs(point) for found in coefficients.values())
    return list(dict.fromkeys(gain.as_expr() for gain in gains if gain))


def _run(module: Any, weights: dict[str, Any], inputs: Any, polynomials: Any) -> Any:
    """Outputs of a module whose weights and inputs are arrays of polynomials."""
    import torch

    try:
        graph = torch.fx.symbolic_trace(deepcopy(module).eval())
    except Exception as error:  # whatever its forward does with what is no tensor
        reason = str(error).strip().splitlines()
        raise InputError(
            f"the module cannot be traced ({reason[0][:80] if reason else 'no reason given'}): "
            f"its steps must not depend on values; {_USE_LLC}"
        ) from None

    class Polynomials(torch.fx.Interpreter):  # type: ignore[misc, unused-ignore]
        """Runs the recorded operations on arrays of polynomials."""

        def fetch_attr(self, target: str) -> Any:
            if target in weights:
                return weights[target]
            value = operator.attrgetter(target)(graph)
            if value.requires_grad:
                raise _no_polynomial(f"what makes {target} of weights")
            flat = value.detach().double().cpu().reshape(-1).tolist()
            return _array([polynomials(_rational(one, target)) for one in flat], tuple(value.shape))

        def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
            part: Any = graph.get_submodule(target)
            kind = type(part).__name__
            if part._forward_hooks or part._forward_pre_hooks:
                raise _no_polynomial(f"a hook of {target}")
            if kind in ("Identity", "Dropout"):
                return args[0]
            if kind == "Flatten":
                return _flatten(args[0], part.start_dim, part.end_dim)
            if kind not in ("Linear", "Bilinear"):
                raise _no_polynomial(f"{kind} ({target})")
            names = [name for name in ("weight", "bias") if getattr(part, name) is not None]
            layer_weights = (self.fetch_attr(f"{target}.{name}") for name in names)
            return NUMPY_FUNCTIONS[kind.lower()](*args, *layer_weights)

        def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
            return _call(target.__name__, args, kwargs)

        def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
            return _call(target, args, kwargs)

    try:
        return Polynomials(graph).run(inputs)
    except InputError as error:  # to which torch adds where it was
        raise InputError(str(error).splitlines()[0]) from None
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        first_line = str(error).strip().splitlines()[0][:100]
        raise InputError(
            f"the module does not take one batch of inputs of shape {inputs.shape}: {first_line}"
        ) from None


def _no_polynomial(operation: str) -> InputError:
    return InputError(f"{operation} is no polynomial operation here: {_USE_LLC}")


def _fraction(value: float, name: str) -> Fraction:
    try:
        return Fraction(value)
    except (ValueError, OverflowError):
        raise InputError(f"{name} has the entry {value}: give finite numbers") from None


def _rational(value: float, name: str = "the module") -> Any:
    fraction = _fraction(value, name)
    return QQ(fraction.numerator, fraction.denominator)


def _operand(value: Any) -> Any:
    """A number as exact rational, and a polynomial as an array, which numpy broadcasts."""
    if isinstance(value, float):
        return _rational(value)
    return _array([value], ()) if isinstance(value, PolyElement) else value


def _call(name: str, args: Any, kwargs: Any) -> Any:
    """Carry out an operation; floats in it are exact rationals."""
    if name not in NUMPY_FUNCTIONS:
        raise _no_polynomial(name)
    args = [_operand(one) for one in args]
    try:
        value = NUMPY_FUNCTIONS[name](*args, **kwargs)
    except (TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError) as error:
        raise _refusal(name, args, str(error)) from None
    if isinstance(value, np.ndarray):
        longest = max((len(p) for p in value.reshape(-1) if isinstance(p, PolyElement)), default=0)
        if longest > MOST_TERMS:
            raise InputError(f"{name} gives a polynomial of {longest} terms: {_USE_LLC}")
    return value


def _refusal(name: str, args: Sequence[Any], error: str) -> InputError:
    """Why numpy does not carry out an operation: inputs of another size, or none of ours."""
    if "mismatch" not in error and "broadcast" not in error:
        return _no_polynomial(f"{name} with these arguments")
    shapes = " and ".join(str(one.shape) for one in args if isinstance(one, np.ndarray))
    return InputError(f"{name} does not fit shapes {shapes}: give inputs that the module takes")


def _linear(x: Any, weight: Any, bias: Any = None) -> Any:
    return x @ weight.T if bias is None else x @ weight.T + bias


def _bilinear(x: Any, y: Any, weight: Any, bias: Any = None) -> Any:
    found = np.einsum("...i,oij,...j->...o", x, weight, y)
    return found if bias is None else found + bias


def _total(values: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return np.sum(values, axis=tuple(dim) if isinstance(dim, list) else dim, keepdims=keepdim)


def _product(values: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    return np.prod(values, axis=dim, keepdims=keepdim)


def _mean(values: Any, dim: Any = None, keepdim: bool = False) -> Any:
    total = _total(values, dim, keepdim)
    return total * QQ(1, np.size(values) // np.size(total))


def _flatten(values: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    end = end_dim % values.ndim
    return values.reshape(*values.shape[:start_dim], -1, *values.shape[end + 1 :])


def _power(values: Any, exponent: Any) -> Any:
    if not isinstance(exponent, int) or exponent < 0:
        raise TypeError
    return values**exponent


def _quotient(values: Any, divisor: Any) -> Any:
    if isinstance(divisor, np.ndarray | PolyElement):
        raise TypeError
    return values * (1 / QQ(divisor))


def _size(values: Any, dim: int | None = None) -> Any:
    return values.shape if dim is None else values.shape[dim]


#: Operations that take polynomials to polynomials, by the names that torch gives them.
NUMPY_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "matmul", "neg", "getitem")},
    **dict.fromkeys(("mm", "bmm"), operator.matmul),
    **dict.fromkeys(("pow", "__pow__"), _power),
    **dict.fromkeys(("div", "truediv"), _quotient),
    **dict.fromkeys(("reshape", "view"), np.ndarray.reshape),
    "square": lambda values: values * values,
    "sum": _total,
    "mean": _mean,
    "prod": _product,
    "einsum": np.einsum,
    "linear": _linear,
    "bilinear": _bilinear,
    "flatten": _flatten,
    "transpose": np.swapaxes,
    "permute": lambda values, *axes: np.transpose(values, axes),
    "unsqueeze": np.expand_dims,
    "squeeze": np.squeeze,
    "size": _size,
    "contiguous": lambda values: values,
    "cat": lambda parts, dim=0: np.concatenate(parts, axis=dim),
    "stack": lambda parts, dim=0: np.stack(parts, axis=dim),
    "t": np.transpose,
    "getattr": getattr,
}
