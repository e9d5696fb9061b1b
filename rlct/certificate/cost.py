"""The budget of one replay: every primitive states its cost here before it computes."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Final

from rlct.errors import TooLargeError

#: A step is a product of small integers in a list, 0.1 µs, and stands for at most 12 bytes that
#: stay in memory: all steps together are 2.5 seconds and 290 MB.  The largest certificates of
#: the tests, with curves of degree 9 or fields of degree 15, take less than half of them; whether
#: a step is 0.1 µs in every rule ``tests/certificate/calibrate.py`` measures.
STEP_BUDGET: Final = 24_000_000
#: Characters of a certificate as JSON text; the longest of the tests has 53,000.
MOST_TEXT: Final = 2 * 2**20
#: Lists and objects inside each other, two for a step of a proof; Python stops at 1000 calls.
MOST_LEVELS: Final = 400
#: Exponents of the monomials of a statement: arithmetic with them is that of machine words.
MOST_EXPONENT: Final = 10**15

_STEPS_LEFT: ContextVar[list[int] | None] = ContextVar("rlct_steps_left", default=None)


@contextmanager
def budget() -> Iterator[None]:
    """Give the block `STEP_BUDGET` steps; outside of such a block nothing is counted."""
    token = _STEPS_LEFT.set([STEP_BUDGET])
    try:
        yield
    finally:
        _STEPS_LEFT.reset(token)


def charge(steps: int, job: str) -> None:
    """Count steps before they are made.

    TooLargeError if there are fewer left.

    >>> charge(10**9, "a product")        # nothing is replayed
    >>> with budget():
    ...     charge(10**9, "a product")
    Traceback (most recent call last):
    ...
    rlct.errors.TooLargeError: too large to be checked: more than 24,000,000 steps, with a product
    """
    steps_left = _STEPS_LEFT.get()
    if steps_left is None:
        return
    steps_left[0] -= steps
    if steps_left[0] < 0:
        raise TooLargeError(f"too large to be checked: more than {STEP_BUDGET:,} steps, with {job}")


def of_integer(bits: int, factor_bits: int | None = None) -> int:
    """Steps of a product or quotient of integers with so many bits, both together.

    One of them has at most `factor_bits`, or half of the bits.
    """
    short = bits // 2 if factor_bits is None else min(factor_bits, bits // 2)
    return 1 + bits // 500 + short * (bits - short) // 120_000


def of_divisor(bits: int) -> int:
    """Steps of a common divisor of integers with so many bits, both together."""
    return 3 + bits // 64 + 2 * (bits // 800) ** 2


def of_rational(bits: int) -> int:
    """Steps of an job on rationals, which also takes common divisors."""
    return 17 + of_divisor(bits)


def bits_in(numbers: Iterable[object]) -> int:
    """Bits of the longest of some numbers; those of a field state their own cost."""
    most_bits = 0
    for c in numbers:
        if isinstance(c, Fraction):
            bits = c.numerator.bit_length() + c.denominator.bit_length()
        elif isinstance(c, int):
            bits = c.bit_length()
        else:
            continue
        if bits > most_bits:
            most_bits = bits
    return most_bits


def of_table(*sizes: int) -> int:
    """Product of sizes, cut where it is too large anyway."""
    total = 1
    for size in sizes:
        total = min(total * size, STEP_BUDGET + 1)
    return total
