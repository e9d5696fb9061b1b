"""The checker's own rank of latent classes at a generic truth."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.linear import rank_modulo_prime
from rlct.certificate.rules import RuleScope, checked_rule, of_kind
from rlct.errors import CertificateError
from rlct.pair import Pair

_MOST_FEATURES = 16  # all parts of which are tried as two groups


@checked_rule(
    "class-rank",
    "{vectors: [[[integer]]]}",
    RuleScope.SIZES,
    cites="upper bounds of the dimension of sums of tensors of rank one, with those of the "
    "defective sizes (Strassen 1983; Abo, Ottaviani and Peterson 2009)",
)
def replay_class_rank(question: Mapping[str, Any], proof: Mapping[str, Any]) -> tuple[Pair, Pair]:
    """λ = R/2 and θ = 1, R the dimension of the tables of H classes, of which r are true.

    If the rank at r recorded classes, modulo 2⁶¹ − 1 and so a lower bound, meets the least of the
    upper bounds, which hold at every parameter of the model (``theory/latent-class-generic.md``).
    """
    of_kind(question, "latent-class")
    class_count, true_count, sizes = (question[name] for name in ("classes", "true", "categories"))
    if type(sizes) is not list or not 1 <= len(sizes) <= _MOST_FEATURES:
        raise CertificateError(f"latent-class: 1 to {_MOST_FEATURES} features can be checked")
    if any(type(size) is not int for size in (class_count, true_count, *sizes)) or min(sizes) < 2:
        raise CertificateError("latent-class: sizes are integers, features have two categories")
    if not 1 <= true_count <= class_count:
        raise CertificateError("latent-class: the sizes are not possible")
    vectors = proof["data"]["vectors"]
    if len(vectors) != true_count or any([len(v) for v in one] != sizes for one in vectors):
        raise CertificateError("latent-class: the vectors have other sizes than the question")
    if any(type(x) is not int for one in vectors for vector in one for x in vector):
        raise CertificateError("latent-class: the vectors in the evidence are integers")
    # Tables of every sum: one dimension more than those of probabilities.
    rank_reached = rank_modulo_prime(_tangent_tables(vectors, sizes)) - 1
    upper, rule = min(_upper_bounds(class_count, sizes))
    if rank_reached != upper:
        raise CertificateError(
            f"latent-class: the rank at the vectors is {rank_reached}, the bound {upper} ({rule})"
        )
    pair = Pair(Fraction(rank_reached, 2), 1)
    return pair, pair


def _tangent_tables(vectors: Sequence[Sequence[Sequence[int]]], sizes: list[int]) -> list[Any]:
    """For each class and feature the tables in which any vector stands in place of its own."""
    bits = sum(max(cost.bits_in(vector[i]) for vector in vectors) for i in range(len(sizes)))
    steps = cost.of_table(len(vectors), sum(sizes), *sizes, 3 * len(sizes) + cost.of_integer(bits))
    cost.charge(steps, "the derivative of latent classes")
    cells = list(product(*map(range, sizes)))
    tables = []
    for vector in vectors:
        for i, size in enumerate(sizes):
            rest = [prod(vector[j][c] for j, c in enumerate(cell) if j != i) for cell in cells]
            for k in range(size):
                tables.append(
                    [x if cell[i] == k else 0 for x, cell in zip(rest, cells, strict=True)]
                )
    return tables


def _upper_bounds(class_count: int, sizes: list[int]) -> Iterator[tuple[int, str]]:
    """Bounds of the rank at every parameter."""
    cells = prod(sizes)
    yield class_count * (sum(sizes) - len(sizes) + 1) - 1, "weights and probabilities"
    yield cells - 1, "cells"
    cost.charge(20 * len(sizes) * 2 ** len(sizes), "groups of features")
    square = 0
    # The last feature stays in the second group, so that each way to part them comes once.
    for chosen in product((False, True), repeat=len(sizes) - 1):
        a = prod(size for size, taken in zip(sizes[:-1], chosen, strict=True) if taken)
        b = cells // a
        if any(chosen) and class_count < min(a, b):
            yield class_count * (a + b - class_count) - 1, "matrices of rank H"
            square += a == b
    if square > 1:
        yield cells - 3, "two determinants"
    if len(sizes) == 3:
        few, n, m = sorted(sizes, key=lambda size: (sizes.count(size) > 1, size))
        if few == 3 and n == m <= class_count and 2 * class_count < 3 * n:
            yield cells - 2, "a singular commutator"
    if class_count == 5 and sorted(sizes) == [3, 4, 4]:
        yield 43, "curves through five points"
