"""Exceptions whose message is one line a user can act on."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "CertificateError",
    "DivergedError",
    "InputError",
    "NegativeError",
    "NotZeroError",
    "OnlyBoundsError",
    "OutOfTimeError",
    "ProductNameError",
    "RoutesDisagreeError",
    "TooLargeError",
]


class InputError(ValueError):
    """The question cannot be asked as it stands.

    The message is one line: what is wrong and what to do about it.
    """


class NegativeError(InputError):
    """A loss K is negative somewhere in its box, or near its point."""


class NotZeroError(InputError):
    """A loss K, or a generator, is not 0 at the point."""


class OnlyBoundsError(InputError):
    """A question inside another has bounds alone, where an exact answer is needed."""


class ProductNameError(InputError):
    """A name in a polynomial may be a product of shorter ones.

    ``products`` has those names, each with the product.
    """

    def __init__(self, message: str, products: Mapping[str, str]) -> None:
        super().__init__(message, products)
        self.products = products

    def __str__(self) -> str:
        return str(self.args[0])


class CertificateError(ValueError):
    """A certificate does not prove what it claims; the message names the step that fails."""


class DivergedError(RuntimeError):
    """A chain left every bound; the message names the step and what to change."""


class OutOfTimeError(BaseException):
    """A time limit was reached; no error, so that nothing but its handler catches it."""


class RoutesDisagreeError(RuntimeError):
    """Two independent routes gave incompatible values: one of them has a bug."""


class TooLargeError(InputError):
    """A certificate is too large to be replayed; nothing is wrong with it as far as is known."""
