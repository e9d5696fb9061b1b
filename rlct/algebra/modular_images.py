"""Images of polynomials modulo primes: what they show without any factoring."""

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

from sympy import QQ, ZZ, primerange
from sympy.polys.galoistools import (
    gf_ddf_zassenhaus,
    gf_diff,
    gf_eval,
    gf_gcd,
    gf_monic,
    gf_sqf_p,
    gf_trunc,
)
from sympy.polys.rings import PolyElement

__all__ = ["coprime_in", "degrees_of", "irreducible_in", "squarefree_in"]

Polynomial: TypeAlias = PolyElement  # without type information, as all of sympy

_SMALL_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157)
_FURTHER_PRIMES = tuple(primerange(158, 700))  # for number fields, where some are of no use
_HIGHEST_DEGREE = 40  # degree of an image that is factored
_PRIMES_TRIED = 4  # primes that are tried for coprime and square-free images


def degrees_of(polynomial: Polynomial) -> list[int]:
    """Degree in each variable of a polynomial that is not 0."""
    return [max(column) for column in zip(*polynomial.itermonoms(), strict=True)]


def irreducible_in(polynomial: Polynomial, i: int) -> bool:
    """Whether no factor can have a degree in x_i other than 0 and that of p.

    Modulo a prime, with values for all variables but x_i where the leading coefficient does not
    vanish, each factor keeps its degree in x_i, which is then a sum of degrees of irreducible
    factors.  That leaves few degrees for each prime, and for several ones often none.
    """
    degree = degrees_of(polynomial)[i]
    if degree > _HIGHEST_DEGREE:
        return False
    rng = random.Random(0)
    possible_degrees = (1 << degree + 1) - 1  # bit k: a factor may have degree k
    for prime in _primes_of(polynomial.ring.domain):
        values = [rng.randrange(1, prime) for _ in range(polynomial.ring.ngens)]
        image = _image(polynomial, i, values, prime)
        if len(image) <= degree or not gf_sqf_p(image, prime, ZZ):
            continue
        sums = 1
        for product, d in gf_ddf_zassenhaus(gf_monic(image, prime, ZZ)[1], prime, ZZ):
            for _ in range((len(product) - 1) // d):
                sums |= sums << d
        possible_degrees &= sums
        if possible_degrees == 1 | 1 << degree:
            return True
    return False


def _image(polynomial: Polynomial, i: int, values: Sequence[int], prime: int) -> list[Any]:
    """P modulo a prime as a polynomial in x_i, highest power first; [] if that makes no sense."""
    coefficients = [0] * (max(m[i] for m in polynomial.itermonoms()) + 1)
    domain = polynomial.ring.domain
    zero = 0 if domain == QQ else _simple_root(tuple(domain.mod.to_list()), prime)
    for m, c in polynomial.iterterms():
        a = 0
        for part in [c] if domain == QQ else c.to_list():
            denominator = int(part.denominator) % prime
            if not denominator or zero is None:
                return []
            a = (a * zero + int(part.numerator) * pow(denominator, -1, prime)) % prime
        for k, e in enumerate(m):
            if e and k != i:
                a = a * pow(values[k], e, prime) % prime
        coefficients[-1 - m[i]] += a
    found: list[Any] = gf_trunc([ZZ(a) for a in coefficients], prime)
    return found


@lru_cache(maxsize=4_000)
def _simple_root(modulus: tuple[Any, ...], prime: int) -> int | None:
    """A simple root modulo a prime of the polynomial of a field, highest power first.

    By Hensel's lemma it is the image of an embedding of the field in the p-adic numbers.  Images of
    relations are such polynomials, too.
    """
    image = gf_trunc([ZZ(int(c)) for c in modulus], prime)
    slope = gf_diff(image, prime, ZZ)
    return next(
        (
            a
            for a in range(prime)
            if not gf_eval(image, a, prime, ZZ) and gf_eval(slope, a, prime, ZZ)
        ),
        None,
    )


def _primes_of(domain: Any) -> tuple[int, ...]:
    """Primes at which the domain has images."""
    return _SMALL_PRIMES if domain == QQ else _split_primes(tuple(domain.mod.to_list()))


@lru_cache(maxsize=64)
def _split_primes(modulus: tuple[Any, ...]) -> tuple[int, ...]:
    primes = (p for p in (*_SMALL_PRIMES, *_FURTHER_PRIMES) if _simple_root(modulus, p) is not None)
    return tuple(islice(primes, len(_SMALL_PRIMES)))


def coprime_in(f: Polynomial, g: Polynomial, i: int) -> bool:
    """Whether no common divisor involves x_i."""
    degree = max(m[i] for m in f.itermonoms())
    rng = random.Random(0)
    for prime in _primes_of(f.ring.domain)[:_PRIMES_TRIED]:
        values = [rng.randrange(1, prime) for _ in range(f.ring.ngens)]
        first, second = (_image(p, i, values, prime) for p in (f, g))
        if len(first) > degree and len(second) and len(gf_gcd(first, second, prime, ZZ)) == 1:
            return True
    return False


def squarefree_in(
    polynomial: Polynomial, i: int, root: int | None = None, root_equation: Polynomial | None = None
) -> bool:
    """Whether no factor of positive degree in x_i is repeated, by images modulo primes.

    With a relation, which does not involve x_i, over the field that its root generates: near a
    simple root modulo the prime factors have images too.  False if this does not show it.
    """
    degree = degrees_of(polynomial)[i]
    if degree > _HIGHEST_DEGREE:
        return False
    rng = random.Random(0)
    for prime in _primes_of(polynomial.ring.domain)[:_PRIMES_TRIED]:
        values = [rng.randrange(1, prime) for _ in range(polynomial.ring.ngens)]
        if root_equation is not None:
            assert root is not None
            zero = _simple_root(tuple(_image(root_equation, root, values, prime)), prime)
            if zero is None:
                continue
            values[root] = zero
        image = _image(polynomial, i, values, prime)
        if len(image) > degree and gf_sqf_p(image, prime, ZZ):
            return True
    return False
