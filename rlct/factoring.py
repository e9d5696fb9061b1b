"""Irreducible factors; over Q most polynomials are seen to be irreducible without factoring."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from math import gcd
from typing import Any, TypeAlias

from sympy import QQ, ZZ, divisors, primerange
from sympy.polys.galoistools import (
    gf_ddf_zassenhaus,
    gf_diff,
    gf_eval,
    gf_gcd,
    gf_monic,
    gf_sqf_p,
    gf_trunc,
)
from sympy.polys.matrices import DomainMatrix
from sympy.polys.rings import PolyElement

__all__ = [
    "common_divisor",
    "irreducible_factors",
    "perfect_power",
    "squarefree_factors",
    "squarefree_in",
]

Polynomial: TypeAlias = PolyElement  # without type information, as all of sympy

_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157)
_FURTHER = tuple(primerange(158, 700))  # for number fields, of which not every prime is of use
_VARIABLES = 2  # that are tried as the one that is kept
_HIGHEST = 40  # degree of an image whose factors are looked at
_HIGH = 8  # least exponent of a leading term that is looked at for powers
_TRIES = 4  # primes that are tried for coprime and square-free images


def irreducible_factors(polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
    """Monic irreducible factors with exponents.

    Parameters
    ----------
    polynomial : sympy PolyElement over Q or a number field
        Not constant, and not divisible by a variable.

    Examples
    --------
    >>> from rlct.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> irreducible_factors(x**2 + y**300*z**2 - 1)
    [(y**300*z**2 + x**2 - 1, 1)]
    >>> irreducible_factors((x**2 - y**300)**2 * (x + y**2*z))
    [(y**150 - x, 2), (y**150 + x, 2), (y**2*z + x, 1)]
    """
    if (line := _line(polynomial)) is not None:
        return _factors_on(line, polynomial)
    degrees = _degrees(polynomial)
    if 1 not in degrees and (redundant := _redundant(polynomial)) is not None:
        i, c = redundant
        found = irreducible_factors(_at_one(polynomial, i))
        return [(_restored(f, i, c), e) for f, e in found]
    # The coefficients in a variable of least degree are tested first.
    used = sorted((i for i, e in enumerate(degrees) if e), key=lambda i: degrees[i])
    for i in used[:_VARIABLES]:
        common = _content(polynomial, i)
        if not common.is_ground:
            rest = irreducible_factors(polynomial.exquo(common))
            return [*irreducible_factors(common), *rest]
        if degrees[i] == 1 or _irreducible_in(polynomial, i):
            return [(polynomial.monic(), 1)]
    if polynomial.ring.domain != QQ and (power := perfect_power(polynomial.monic())) is not None:
        root, k = power
        return [(f, e * k) for f, e in irreducible_factors(root)]
    parts = squarefree_factors(polynomial) if len(used) > 1 else [(polynomial, 1)]
    if len(parts) > 1 or parts[0][1] > 1:
        return [(f, e * k) for p, k in parts for f, e in irreducible_factors(p)]
    return [(f.monic(), e) for f, e in polynomial.factor_list()[1]]


def squarefree_factors(polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
    """Monic squarefree factors with exponents; high powers are taken out before any division.

    Examples
    --------
    >>> from rlct.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> squarefree_factors(3 * (x * (x + y * z) ** 2) ** 40)
    [(x, 40), (y*z + x, 80)]
    """
    root, k = polynomial.monic(), 1
    if gcd(*root.LM) >= _HIGH:
        root, k = perfect_power(root) or (root, 1)
    return [(f.monic(), int(e) * k) for f, e in root.sqf_list()[1]]


def perfect_power(p: Polynomial) -> tuple[Polynomial, int] | None:
    """A monic r and the largest k ≥ 2 with r^k = p, for a monic p; r is found term by term.

    Examples
    --------
    >>> from rlct.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> perfect_power((x**2 + y*z)**3)
    (x**2 + y*z, 3)
    >>> perfect_power((x - y)**1000)
    (x - y, 1000)
    """
    ring, lead = p.ring, p.LM
    for k in divisors(gcd(*lead))[:0:-1]:
        first = tuple(e // k for e in lead)
        root = ring.from_dict({first: ring.domain.one})
        below = ring.from_dict({tuple(e * (k - 1) for e in first): ring.domain.convert(k)})
        while len(root) <= len(p) and (rest := p - root**k):
            quotient, remainder = ring.from_dict({rest.LM: rest.LC}).div(below)
            if remainder or not quotient:
                break
            root += quotient
        else:
            if len(root) <= len(p):
                return root, k
    return None


def _degrees(polynomial: Polynomial) -> list[int]:
    return [max(column) for column in zip(*polynomial.itermonoms(), strict=True)]


def _content(polynomial: Polynomial, i: int) -> Polynomial:
    """Greatest common divisor of the coefficients in x_i, polynomials in the others."""
    parts: dict[int, dict[tuple[int, ...], Any]] = {}
    for m, c in polynomial.iterterms():
        parts.setdefault(m[i], {})[(*m[:i], 0, *m[i + 1 :])] = c
    common, *others = sorted(map(polynomial.ring.from_dict, parts.values()), key=len)
    for c in others:
        if common.is_ground:
            break
        common = common_divisor(common, c)
    return common


def _irreducible_in(polynomial: Polynomial, i: int) -> bool:
    """Whether no factor can have a degree in x_i other than 0 and that of p.

    Modulo a prime, with values for all variables but x_i where the leading coefficient does not
    vanish, each factor keeps its degree in x_i, which is then a sum of degrees of irreducible
    factors.  That leaves few degrees for each prime, and for several ones often none.
    """
    degree = _degrees(polynomial)[i]
    if degree > _HIGHEST:
        return False
    rng = random.Random(0)
    possible = (1 << degree + 1) - 1  # bit k: a factor may have degree k
    for prime in _primes_of(polynomial.ring.domain):
        values = [rng.randrange(1, prime) for _ in range(polynomial.ring.ngens)]
        image = _image(polynomial, i, values, prime)
        if len(image) <= degree or not gf_sqf_p(image, prime, ZZ):
            continue
        sums = 1
        for product, d in gf_ddf_zassenhaus(gf_monic(image, prime, ZZ)[1], prime, ZZ):
            for _ in range((len(product) - 1) // d):
                sums |= sums << d
        possible &= sums
        if possible == 1 | 1 << degree:
            return True
    return False


def _image(polynomial: Polynomial, i: int, values: Sequence[int], prime: int) -> list[Any]:
    """P modulo a prime as a polynomial in x_i, highest power first; [] if that makes no sense."""
    dense = [0] * (max(m[i] for m in polynomial.itermonoms()) + 1)
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
        dense[-1 - m[i]] += a
    found: list[Any] = gf_trunc([ZZ(a) for a in dense], prime)
    return found


@lru_cache(maxsize=4_000)
def _simple_root(modulus: tuple[Any, ...], prime: int) -> int | None:
    """A simple root modulo a prime of the polynomial of a field, highest power first.

    By Hensel's lemma it is the image of an embedding of the field in the p-adic numbers.
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
    return _PRIMES if domain == QQ else _split_primes(tuple(domain.mod.to_list()))


@lru_cache(maxsize=64)
def _split_primes(modulus: tuple[Any, ...]) -> tuple[int, ...]:
    primes = (p for p in (*_PRIMES, *_FURTHER) if _simple_root(modulus, p) is not None)
    return tuple(islice(primes, len(_PRIMES)))


def common_divisor(f: Polynomial, g: Polynomial) -> Polynomial:
    """Greatest common divisor, up to a number; of 0 and g it is g.

    Mostly there is none but a monomial, and images modulo primes show that: a common divisor
    that involves x_i keeps its degree in x_i where the leading coefficient of f does not vanish.

    Examples
    --------
    >>> from rlct.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> common_divisor(x * y * (x + z**2), x * z * (x - y))
    x
    >>> common_divisor(x * (x + z**2), (y - 3) * (x + z**2))
    z**2 + x
    """
    ring = f.ring
    if not f or not g:
        return f or g
    lows = [[min(column) for column in zip(*p.itermonoms(), strict=True)] for p in (f, g)]
    monomial = ring.from_dict({tuple(map(min, *lows)): ring.domain.one})
    if any(map(any, lows)):
        f, g = (_shifted(p, low) for p, low in zip((f, g), lows, strict=True))
    shared = [i for i, (a, b) in enumerate(zip(_degrees(f), _degrees(g), strict=True)) if a and b]
    if all(_coprime_in(f, g, i) for i in shared):
        return monomial
    return monomial * f.gcd(g)


def _shifted(p: Polynomial, low: Sequence[int]) -> Polynomial:
    return p.ring.from_dict(
        {tuple(a - b for a, b in zip(m, low, strict=True)): c for m, c in p.iterterms()}
    )


def _coprime_in(f: Polynomial, g: Polynomial, i: int) -> bool:
    """Whether no common divisor involves x_i."""
    degree = max(m[i] for m in f.itermonoms())
    rng = random.Random(0)
    for prime in _primes_of(f.ring.domain)[:_TRIES]:
        values = [rng.randrange(1, prime) for _ in range(f.ring.ngens)]
        first, second = (_image(p, i, values, prime) for p in (f, g))
        if len(first) > degree and len(second) and len(gf_gcd(first, second, prime, ZZ)) == 1:
            return True
    return False


def squarefree_in(
    polynomial: Polynomial, i: int, root: int | None = None, relation: Polynomial | None = None
) -> bool:
    """Whether no factor of positive degree in x_i is repeated, by images modulo primes.

    With a relation, which does not involve x_i, over the field that its root generates: near a
    simple root modulo the prime factors have images too.  False if this does not show it.
    """
    degree = _degrees(polynomial)[i]
    if degree > _HIGHEST:
        return False
    rng = random.Random(0)
    for prime in _primes_of(polynomial.ring.domain)[:_TRIES]:
        values = [rng.randrange(1, prime) for _ in range(polynomial.ring.ngens)]
        if relation is not None:
            assert root is not None
            image = _image(relation, root, values, prime)
            slope = gf_diff(image, prime, ZZ)
            simple = (
                a
                for a in range(prime)
                if not gf_eval(image, a, prime, ZZ) and gf_eval(slope, a, prime, ZZ)
            )
            if (zero := next(simple, None)) is None:
                continue
            values[root] = zero
        image = _image(polynomial, i, values, prime)
        if len(image) > degree and gf_sqf_p(image, prime, ZZ):
            return True
    return False


# --- quasi-homogeneous polynomials --------------------------------------------------------------


def _line(polynomial: Polynomial) -> list[int] | None:
    """The step v between exponents that all lie on a line, if it involves several variables."""
    base, *rest = polynomial.itermonoms()
    steps = [[a - b for a, b in zip(m, base, strict=True)] for m in rest]
    if not steps or sum(map(bool, steps[0])) < 2:
        return None
    scale = gcd(*steps[0])
    v = [a // scale for a in steps[0]]
    i = next(k for k, a in enumerate(v) if a)
    on_it = all([a * v[i] for a in step] == [b * step[i] for b in v] for step in steps)
    return v if on_it else None


def _factors_on(v: list[int], polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
    """Factors of x^m·g(x^v): those of g.

    v has no common divisor, so it is the first of a basis of the exponents: its monomial is a
    coordinate t of Laurent polynomials, and their factors in t are all that g(t) has.
    """
    ring = polynomial.ring
    i = next(k for k, a in enumerate(v) if a)
    places = {m[i] // v[i]: c for m, c in polynomial.iterterms()}
    least = min(places)
    t = ring.clone(symbols=("t",))
    found = []
    for f, e in t.from_dict({(n - least,): c for n, c in places.items()}).factor_list()[1]:
        lows = [min(n * a for (n,) in f.itermonoms()) for a in v]
        terms = {
            tuple(n * a - low for a, low in zip(v, lows, strict=True)): c
            for (n,), c in f.iterterms()
        }
        found.append((ring.from_dict(terms).monic(), e))
    return found


def _redundant(polynomial: Polynomial) -> tuple[int, list[int]] | None:
    """A variable x_i and integers c with m_i − Σ c_j m_j the same for all exponents m.

    Then x_j → x_j·x_i^c_j, an automorphism of Laurent polynomials, takes p at x_i = 1 to p
    times a power of x_i, and factors to factors.
    """
    exponents = list(polynomial.itermonoms())
    base, *rest = exponents
    degrees = _degrees(polynomial)
    used = [k for k, e in enumerate(degrees) if e]
    if len(used) < 2 or not rest:
        return None
    for i in sorted(used, key=lambda k: -degrees[k]):
        others = [k for k in used if k != i]
        rows = [[QQ(m[k] - base[k]) for k in (*others, i)] for m in rest]
        reduced, pivots = DomainMatrix(rows, (len(rows), len(used)), QQ).rref()
        if len(others) in pivots:
            continue
        values = [row[-1] for row in reduced.to_list()[: len(pivots)]]
        if all(v.denominator == 1 for v in values):
            c = [0] * len(degrees)
            for column, v in zip(pivots, values, strict=True):
                c[others[column]] = int(v)
            return i, c
    return None


def _at_one(polynomial: Polynomial, i: int) -> Polynomial:
    """P at x_i = 1, where no two terms become one."""
    return polynomial.ring.from_dict(
        {(*m[:i], 0, *m[i + 1 :]): c for m, c in polynomial.iterterms()}
    )


def _restored(f: Polynomial, i: int, c: list[int]) -> Polynomial:
    """The factor that is f at x_i = 1."""
    orders = {m: sum(a * e for a, e in zip(c, m, strict=True)) for m in f.itermonoms()}
    least = min(orders.values())
    terms = {(*m[:i], orders[m] - least, *m[i + 1 :]): a for m, a in f.iterterms()}
    return f.ring.from_dict(terms).monic()
