"""Linear convolutional networks of one channel: products of polynomials."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, numbers_field, size_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_sum


@dataclass(frozen=True)
class LinearConvolution(Model):
    """Filters without nonlinearity: their polynomials multiply.

    The true filter is a binary form of degree Σ(k_l − 1).

    The second moment of the patches of the inputs is positive definite, so K is comparable
    with the squared norm of w_1(x)⋯w_L(x) minus the true polynomial.

    >>> LinearConvolution((2, 2)).polynomials().generators
    ['w1_1*w2_1', 'w1_1*w2_2 + w1_2*w2_1', 'w1_2*w2_2']
    """

    id: ClassVar[str] = "convolution"
    title: ClassVar[str] = "linear convolutional network, one channel"
    example: ClassVar[str] = "2 2"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("filters",)

    filters: tuple[int, ...] = numbers_field("k_1,…,k_L, sizes of the filters")
    real_roots: tuple[int, ...] | None = numbers_field(
        "multiplicities (1 or 2) of the real roots of the true filter, infinity included; "
        "without roots the truth is zero",
        default=None,
    )
    complex_pairs: int = size_field("pairs of simple complex roots", least=0, default=0)

    def check(self) -> None:
        """Refuse a truth that no filters of these sizes give."""
        if len(self.filters) < 2:
            raise InputError("a convolutional network needs at least two filters")
        if self.zero:
            return
        if max(self.real_roots or (1,)) > 2:
            raise InputError("only real roots of multiplicity 1 or 2 are known")
        degree = sum(self.filters) - len(self.filters)
        roots = sum(self.real_roots or ()) + 2 * self.complex_pairs
        if roots != degree:
            raise InputError(f"the true filter has degree {degree}, but there are {roots} roots")
        if self.complex_pairs > sum((k - 1) // 2 for k in self.filters):
            raise InputError("the complex pairs do not fit into filters of these sizes")

    @property
    def zero(self) -> bool:
        """Whether the true filter is zero."""
        return self.real_roots is None and not self.complex_pairs

    @cached_property
    def layers(self) -> tuple[tuple[int, ...], ...]:
        """Roots of each filter at the deepest parameter, as numbers of roots.

        Roots 0, 1, … are the real ones in order, −1, −2, … the complex pairs.  Pairs go where
        most room is, then double roots are split between the two layers with most room.
        """
        free_degrees = [k - 1 for k in self.filters]
        layer_roots: list[list[int]] = [[] for _ in free_degrees]

        def put(root: int, layer: int, degree: int) -> None:
            layer_roots[layer].append(root)
            free_degrees[layer] -= degree

        for pair in range(1, self.complex_pairs + 1):
            put(-pair, max(range(len(free_degrees)), key=free_degrees.__getitem__), 2)
        real = self.real_roots or ()
        for root in (i for i, multiplicity in enumerate(real) if multiplicity == 2):
            order = sorted(range(len(free_degrees)), key=free_degrees.__getitem__, reverse=True)
            put(root, order[0], 1)
            put(root, order[1] if free_degrees[order[1]] else order[0], 1)
        for root in (i for i, multiplicity in enumerate(real) if multiplicity == 1):
            put(root, max(range(len(free_degrees)), key=free_degrees.__getitem__), 1)
        return tuple(map(tuple, layer_roots))

    @property
    def split(self) -> int:
        """Number of double roots that two filters share at the deepest parameter."""
        together = sum(layer.count(root) == 2 for layer in self.layers for root in set(layer))
        return sum(multiplicity == 2 for multiplicity in self.real_roots or ()) - together

    @property
    def parameter_count(self) -> int:
        """Number of parameters."""
        return sum(self.filters)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if self.zero:
            return "minimum over the fibre, reached where all filters are 0"
        return (
            "minimum over the fibre, reached where filters share as many double roots as they can"
        )

    def polynomials(self) -> Polynomials:
        """Write out the coefficients of the product; roots 1, 2, … and ±i, ±√2 i, …."""
        terms = 1
        for k in self.filters:
            terms *= k
        check_term_count(terms)
        true_filters = [self._true(layer) for layer in self.layers] if not self.zero else []
        true_product = [1] if true_filters else [0]
        for factor in true_filters:
            true_product = _times(true_product, factor)
        degree = sum(self.filters) - len(self.filters)
        sums: list[list[str]] = [[] for _ in range(degree + 1)]
        for powers in product(*(range(k) for k in self.filters)):
            names = (f"w{layer}_{i + 1}" for layer, i in enumerate(powers, start=1))
            sums[sum(powers)].append("*".join(names))
        true_product += [0] * (degree + 1 - len(true_product))
        generators = [
            text_minus(text_of_sum(s), value) for s, value in zip(sums, true_product, strict=True)
        ]
        at = {
            f"w{layer}_{i + 1}": value
            for layer, factor in enumerate(true_filters, start=1)
            for i, value in enumerate(factor)
        }
        return Polynomials(generators, at)

    @staticmethod
    def _true(roots: tuple[int, ...]) -> list[int]:
        factor = [1]
        for root in roots:
            factor = _times(factor, [-(root + 1), 1] if root >= 0 else [-root, 0, 1])
        return factor


def _times(left_factor: list[int], right_factor: list[int]) -> list[int]:
    result = [0] * (len(left_factor) + len(right_factor) - 1)
    for i, a in enumerate(left_factor):
        for j, b in enumerate(right_factor):
            result[i + j] += a * b
    return result


MODEL = LinearConvolution
