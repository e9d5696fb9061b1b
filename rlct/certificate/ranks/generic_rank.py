"""The checker's own rank of a quadratic network at a generic parameter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import least_common_multiple, read_fraction
from rlct.certificate.numbers.linear import matrix_rank, rank_modulo_prime
from rlct.certificate.rules import RuleScope, checked_rule, of_kind
from rlct.errors import CertificateError
from rlct.pair import Pair

Rows = list[list[int]]


@checked_rule(
    "generic-rank",
    "{hidden: [[integer]], outer: [[integer]]}",
    RuleScope.SIZES,
    cites="upper bounds of the rank of quadratic networks, with those of the defective "
    "sizes (Ottaviani 2007; Abo and Brambilla 2009)",
)
def replay_generic_rank(question: Mapping[str, Any], proof: Mapping[str, Any]) -> tuple[Pair, Pair]:
    """λ = r/2 and θ = 1, r the largest rank of the derivative of a quadratic network.

    If the rank at the recorded weights, modulo 2⁶¹ − 1 and so a lower bound, meets the least of the
    upper bounds, which hold at every parameter (``theory/quadratic-generic.md``).
    """
    of_kind(question, "quadratic-network")
    network = _read(question)
    data = proof["data"]
    hidden = _integers(data["hidden"], network.units, network.inputs + network.bias)
    outer = _integers(data["outer"], network.outputs, network.units)
    rank_reached = rank_modulo_prime(list(network.derivative(hidden, outer)))
    upper, rule = min(network.upper_bounds())
    # From below at one parameter, from above at all: equality leaves no room.
    if rank_reached != upper:
        raise CertificateError(
            f"quadratic-network: the rank at the weights is {rank_reached}, "
            f"the bound {upper} ({rule})"
        )
    if not rank_reached:
        raise CertificateError("quadratic-network: K does not depend on the weights")
    pair = Pair(Fraction(rank_reached, 2), 1)
    return pair, pair


@dataclass(frozen=True)
class _Network:
    """f_k(x) = Σ_j v_kj (w_j·z)² + c_k with z = x, or (x, 1) and c_k if there are biases.

    `points` are the values of z times a common denominator; None for a density.
    """

    inputs: int
    units: int
    outputs: int
    bias: bool
    points: Rows | None
    centred: bool

    @property
    def width(self) -> int:
        return self.inputs + self.bias

    @cached_property
    def dimension(self) -> int:
        """Rank of z."""
        return self.width if self.points is None else matrix_rank(self.points)

    @cached_property
    def functions(self) -> int:
        """Dimension of the quadratic forms in z as the outputs are compared."""
        if self.points is None:
            return self.width * (self.width + 1) // 2
        bits = 2 * max(map(cost.bits_in, self.points)) + len(self.points).bit_length()
        forms = self.width * (self.width + 1) // 2
        steps = cost.of_table(forms, len(self.points), 5 + 3 * cost.of_integer(bits))
        cost.charge(steps, "products of inputs")
        pairs = list(combinations_with_replacement(range(self.width), 2))
        values = [self.compared([z[a] * z[b] for z in self.points]) for a, b in pairs]
        return matrix_rank(values)

    def compared(self, values: Sequence[Any]) -> list[Any]:
        """Values on the points, times their number minus the sum if outputs are centred."""
        if not self.centred:
            return list(values)
        total = sum(values)
        return [len(values) * value - total for value in values]

    def upper_bounds(self) -> Iterator[tuple[int, str]]:
        """Bounds of the rank at every parameter."""
        m, p, K = self.dimension, self.outputs, self.units
        constant_term = int(self.bias and not self.centred)
        forms = m * (m + 1) // 2
        count = self.functions - constant_term
        free_constants = p * constant_term
        yield K * (m + p - 1) + free_constants, "directions of the units"
        yield p * self.functions, "functions of the inputs"
        if min(p, count) >= K:
            yield K * (p + count - K) + free_constants, "matrices of rank K"
        if p == 1:
            k = min(K, m)
            yield k * (2 * m - k + 1) // 2 + free_constants, "symmetric matrices of rank K"
            if constant_term and self.functions == forms:
                k = min(K, m - 1)
                shifted = k * (2 * (m - 1) - k + 1) // 2 + k + 1
                yield shifted, "symmetric matrices of rank K and vectors in their image"
        if p == 3 and m % 2 == 0 and 3 * m > 2 * K:
            yield 3 * forms - 1 + free_constants, "a Pfaffian that vanishes"
        if (m, p, K) == (4, 5, 6):
            yield K * (m + p - 1) - 1 + free_constants, "rational curves through six points"
        if constant_term and (m, p, K) == (4, 4, 5):
            yield (
                K * (m + p - 1) - 1 + free_constants,
                "rational curves through five points and the constant",
            )

    def derivative(
        self, hidden_weights: Sequence[Sequence[int]], outer_weights: Sequence[Sequence[int]]
    ) -> Iterator[list[int]]:
        """Rows of the derivative by every weight, over all outputs."""
        if self.points is None:
            product: Callable[..., list[int]] = _coefficients
        else:
            points = self.points

            def product(left_form: Sequence[int], right_form: Sequence[int]) -> list[int]:
                return self.compared([_dot(left_form, z) * _dot(right_form, z) for z in points])

        p = len(outer_weights)
        rows = self.units * (self.width + p) + p * self.bias
        columns = p * (
            self.width**2 if self.points is None else len(self.points) * (self.width + 5)
        )
        bits = 3 * max(map(cost.bits_in, [*hidden_weights, *outer_weights, *(self.points or [])]))
        steps = cost.of_table(rows, columns, 2 + 2 * cost.of_integer(bits))
        cost.charge(steps, "the derivative of a quadratic network")
        for j, w in enumerate(hidden_weights):
            for c in range(self.width):
                unit = [int(a == c) for a in range(self.width)]
                moved = product(w, unit)
                yield [outer_weights[k][j] * value for k in range(p) for value in moved]
            square = product(w, w)
            for k in range(p):
                yield _block(square, k, p)
        if self.bias:
            last = [int(a == self.inputs) for a in range(self.width)]
            for k in range(p):
                yield _block(product(last, last), k, p)


def _block(values: list[int], k: int, blocks: int) -> list[int]:
    zero = [0] * len(values)
    return [value for i in range(blocks) for value in (values if i == k else zero)]


def _read(question: Mapping[str, Any]) -> _Network:
    sizes = [question[name] for name in ("inputs", "units", "outputs")]
    bias, outputs_centred = question["bias"], question["centred"]
    if any(type(x) is not int or x < 1 for x in sizes) or {type(bias), type(outputs_centred)} != {
        bool
    }:
        raise CertificateError("quadratic-network: sizes are positive integers, flags booleans")
    inputs, units, outputs = sizes
    cost.charge(cost.of_table(units, inputs + 1 + outputs), "the weights of a quadratic network")
    if question["data"] is None:
        if outputs_centred:
            raise CertificateError("quadratic-network: only outputs on data can be centred")
        return _Network(inputs, units, outputs, bias, None, outputs_centred)
    rows = _read_inputs(question["data"], inputs)
    whole = least_common_multiple([value.denominator for row in rows for value in row])
    bits = whole.bit_length() + max(map(cost.bits_in, rows))
    cost.charge(cost.of_table(len(rows), inputs, cost.of_rational(bits)), "the inputs of a network")
    points = [[int(value * whole) for value in row] + [whole] * bias for row in rows]
    return _Network(inputs, units, outputs, bias, points, outputs_centred)


def _read_inputs(input_data: Any, inputs: int) -> list[list[Fraction]]:
    """Rows of inputs, or all pairs modulo P as indicators."""
    if type(input_data) is int:
        if input_data < 2 or inputs != 2 * input_data:
            raise CertificateError("quadratic-network: pairs modulo P ≥ 2 have 2P inputs")
        cost.charge(
            cost.of_table(input_data, input_data, inputs, 10), "the inputs of a quadratic network"
        )
        both = range(input_data)
        rows = [
            [Fraction(i in (a, input_data + b)) for i in range(inputs)] for a in both for b in both
        ]
    elif type(input_data) is list and all(type(row) is list for row in input_data):
        rows = [[read_fraction(value) for value in row] for row in input_data]
    else:
        raise CertificateError("quadratic-network: the data are rows of inputs, or P")
    if not rows or any(len(row) != inputs for row in rows):
        raise CertificateError(f"quadratic-network: every input has {inputs} numbers")
    return rows


def _integers(rows: Any, count: int, width: int) -> Rows:
    if len(rows) != count or any(len(row) != width for row in rows):
        raise CertificateError(f"quadratic-network: the weights are not {count} rows of {width}")
    if any(type(value) is not int for row in rows for value in row):
        raise CertificateError("quadratic-network: the weights in the evidence are integers")
    return [list(row) for row in rows]


def _coefficients(left_form: Sequence[int], right_form: Sequence[int]) -> list[int]:
    """Coefficients of 2(left·z)(right·z); a factor for all rows changes no rank."""
    return [
        left_form[a] * right_form[b] + left_form[b] * right_form[a]
        for a, b in combinations_with_replacement(range(len(left_form)), 2)
    ]


def _dot(left_row: Sequence[int], right_row: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left_row, right_row, strict=True))
