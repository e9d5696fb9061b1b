"""Bounds of the rank of networks at every weight: dimensions of what they can be.

Matrices and forms of bounded rank, sums of powers, secants of tensors, Hankel matrices.
"""

from collections.abc import Iterator
from math import comb
from typing import Final

from rlct.models.kit.tensor_dimension import tensor_bounds

#: Inputs, units and degree at which sums of powers do not fill the forms that they are expected to.
_DEFECTIVE_POWERS: Final = {(3, 5, 4), (4, 9, 4), (5, 14, 4), (5, 7, 3)}


def count_forms(n: int, degree: int = 2) -> int:
    """Count monomials, or some more than any network has weights (120 over 60 is 10^35)."""
    return comb(n + degree - 1, min(degree, n - 1, 60))


def lora_upper(n: int, k: int, c: int) -> Iterator[tuple[int, str]]:
    """Matrices of bounded rank."""
    k = min(k, n, c)
    yield k * (n + c - k), f"{c} x {n} matrices of rank at most {k}"


def _forms_of_rank(n: int, k: int) -> tuple[int, str]:
    k = min(n, k)
    return k * (2 * n - k + 1) // 2, f"quadratic forms in {n} variables of rank at most {k}"


def glu_upper(n: int, k: int, c: int) -> Iterator[tuple[int, str]]:
    """Sums of products of linear forms, c of them."""
    forms = count_forms(n)
    if c == 1:
        yield _forms_of_rank(n, 2 * k)
    if k <= min(c, forms):
        yield k * (c + forms - k), f"{c} x {forms} matrices of rank at most {k}"


def power_upper(n: int, k: int, degree: int) -> Iterator[tuple[int, str]]:
    """Sums of powers of linear forms."""
    if degree == 2:
        yield _forms_of_rank(n, k)
    if (n, k, degree) in _DEFECTIVE_POWERS:
        forms = comb(n + degree - 1, degree)
        yield forms - 1, f"{forms} forms, one less (a defective case of Alexander and Hirschowitz)"


def tensor_upper(*sizes: int) -> Iterator[tuple[int, str]]:
    """Sums of tensors of rank one."""
    *dims, k = sizes
    if min(dims) >= 2:
        yield from tensor_bounds(k, dims)


def states_upper(states: int, n: int, c: int, steps: int) -> Iterator[tuple[int, str]]:
    """Impulse responses of systems of so many states."""
    yield states * (n + c), f"systems of {states} states, up to a basis of them"
    if steps == 1:
        yield from lora_upper(n, states, c)
    if any(min(i * c, (steps + 1 - i) * n) > states for i in range(1, steps + 1)):
        yield n * c * steps - 1, f"block Hankel matrices of rank at most {states}"
