"""Softmax attention of one layer, one head or several."""

from dataclasses import dataclass
from typing import ClassVar, Final

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, flag_field, size_field
from rlct.models.kit.expressions import less_identity, matrix, product_of_matrices

_MOST_WEIGHTS: Final = 200  # that are written out; the engine takes far fewer


@dataclass(frozen=True)
class SoftmaxAttention(Model):
    """The sum over heads of O W times the mean of tokens y with weights softmax(x.Q K^T y).

    K is comparable with the squared distance of the matrices Q Kᵀ and V from the true ones, or
    of V alone where the true V is 0 (``theory/softmax-attention.md``).

    >>> SoftmaxAttention(1, 1, 1).polynomials().generators
    ['q1_1_1*k1_1_1 - 1', 'v1_1_1 - 1']
    """

    id: ClassVar[str] = "softmax-attention"
    title: ClassVar[str] = "softmax attention of one layer"
    example: ClassVar[str] = "4 2 4 --values 2"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("inputs", "keys", "outputs")
    where: ClassVar[str] = (
        "minimum over the fibre, on which Q K^T and V of each head have the true ranks"
    )

    inputs: int = size_field("d, size of a token")
    keys: int = size_field("a, size of queries and keys of a head")
    outputs: int = size_field("p, size of an output")
    values: int | None = size_field(
        "b, size of values of a head; without it V is free", default=None
    )
    heads: int = size_field("number of heads", default=1)
    bias: bool = flag_field("queries, keys, values and outputs have biases")
    #: With the bias of Q as a row more.
    score_rank: int | None = size_field(
        "rank of the true Q K^T of each head; the largest by default", least=0, default=None
    )
    value_rank: int | None = size_field(
        "rank of the true V of each head; the largest by default", least=0, default=None
    )

    def check(self) -> None:
        """Fill in the largest ranks, and refuse larger ones."""
        for name, matrix_name, sizes in (
            ("score_rank", "Q K^T", (self.inputs, self.keys)),
            ("value_rank", "V", (self.inputs, self.outputs, self.values or self.outputs)),
        ):
            rank = getattr(self, name)
            if rank is None:
                object.__setattr__(self, name, min(sizes))
            elif rank > min(sizes):
                raise InputError(f"the rank of {matrix_name} is at most {min(sizes)}, not {rank}")

    @property
    def parameter_count(self) -> int:
        """Number of weights and biases."""
        d, a, b, p = self.inputs, self.keys, self.values, self.outputs
        values = d * p if b is None else b * (d + p + self.bias)
        return self.heads * (2 * a * (d + self.bias) + values) + p * self.bias

    def polynomials(self) -> Polynomials:
        """Write out the matrices minus diag(I_r, 0), each head in a basis of its own.

        InputError if there are several heads whose true Q Kᵀ or V are 0: K is no such sum.
        """
        assert self.score_rank is not None
        assert self.value_rank is not None
        if self.heads > 1 and not (self.score_rank and self.value_rank):
            raise InputError("several heads with the same true scores, or values 0, mix")
        d, a, b, p = self.inputs, self.keys, self.values, self.outputs
        if self.parameter_count > _MOST_WEIGHTS:
            raise InputError(f"{self.parameter_count} weights are too many to write out")
        generators: list[str] = []
        at: dict[str, int] = {}
        for h in range(1, self.heads + 1):
            if self.value_rank:
                left, right = matrix(f"q{h}_", d + self.bias, a), matrix(f"k{h}_", d, a)
                scores = product_of_matrices(left, list(zip(*right, strict=True)))
                generators += less_identity(scores, self.score_rank)
                at |= {f"{x}{h}_{i}_{i}": 1 for x in "qk" for i in _upto(self.score_rank)}
            if b is None:
                values = matrix(f"v{h}_", p, d)
            else:
                values = product_of_matrices(matrix(f"o{h}_", p, b), matrix(f"w{h}_", b, d))
            generators += less_identity(values, self.value_rank)
            letters = "v" if b is None else "ow"
            at |= {f"{x}{h}_{i}_{i}": 1 for x in letters for i in _upto(self.value_rank)}
        return Polynomials(generators + [f"c{i}" for i in _upto(p) if self.bias], at)


def _upto(count: int) -> range:
    return range(1, count + 1)


MODEL = SoftmaxAttention
