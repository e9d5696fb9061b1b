"""Irreducible factors; over Q most polynomials are seen to be irreducible without factoring."""

from collections.abc import Sequence
from math import gcd
from typing import Any

from sympy import QQ, divisors

from rlct.algebra.division import exact_quotient
from rlct.algebra.exact_rank import reduced_echelon, row_basis
from rlct.algebra.modular_images import Polynomial, coprime_in, degrees_of, irreducible_in

_VARIABLES_TRIED = 2  # tried as the variable of the coefficients
_HIGH_EXPONENT = 8  # least exponent of a leading term of which a root is tried


def irreducible_factors(polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
    """Monic irreducible factors with exponents.

    The polynomial, over Q or a number field, is not constant, and not divisible by a variable.

    >>> from rlct.algebra.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> irreducible_factors(x**2 + y**300*z**2 - 1)
    [(y**300*z**2 + x**2 - 1, 1)]
    >>> irreducible_factors((x**2 - y**300)**2 * (x + y**2*z))
    [(y**150 - x, 2), (y**150 + x, 2), (y**2*z + x, 1)]
    """
    if (line := _line(polynomial)) is not None:
        return _factors_on(line, polynomial)
    degrees = degrees_of(polynomial)
    if 1 not in degrees and (redundant := _redundant(polynomial)) is not None:
        i, c = redundant
        found = irreducible_factors(_at_one(polynomial, i))
        return [(_restored(f, i, c), e) for f, e in found]
    # The coefficients in a variable of least degree are tested first.
    variables = sorted((i for i, e in enumerate(degrees) if e), key=lambda i: degrees[i])
    for i in variables[:_VARIABLES_TRIED]:
        common = _content(polynomial, i)
        if not common.is_ground:
            rest = irreducible_factors(exact_quotient(polynomial, common))
            return [*irreducible_factors(common), *rest]
        if degrees[i] == 1 or irreducible_in(polynomial, i):
            return [(polynomial.monic(), 1)]
    if polynomial.ring.domain != QQ and (power := perfect_power(polynomial.monic())) is not None:
        root, k = power
        return [(f, e * k) for f, e in irreducible_factors(root)]
    parts = squarefree_factors(polynomial) if len(variables) > 1 else [(polynomial, 1)]
    if len(parts) > 1 or parts[0][1] > 1:
        return [(f, e * k) for p, k in parts for f, e in irreducible_factors(p)]
    return [(f.monic(), e) for f, e in polynomial.factor_list()[1]]


def squarefree_factors(polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
    """Monic squarefree factors with exponents; high powers are taken out before any division.

    >>> from rlct.algebra.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> squarefree_factors(3 * (x * (x + y * z) ** 2) ** 40)
    [(x, 40), (y*z + x, 80)]
    """
    root, k = polynomial.monic(), 1
    if gcd(*root.LM) >= _HIGH_EXPONENT:
        root, k = perfect_power(root) or (root, 1)
    return [(f.monic(), int(e) * k) for f, e in root.sqf_list()[1]]


def perfect_power(p: Polynomial) -> tuple[Polynomial, int] | None:
    """A monic r and the largest k ≥ 2 with r^k = p, for a monic p; r is found term by term.

    >>> from rlct.algebra.polynomial import make_ring
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


def common_divisor(f: Polynomial, g: Polynomial) -> Polynomial:
    """Greatest common divisor, up to a number; of 0 and g it is g.

    Mostly there is none but a monomial, and images modulo primes show that: a common divisor
    that involves x_i keeps its degree in x_i where the leading coefficient of f does not vanish.

    >>> from rlct.algebra.polynomial import make_ring
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
    shared = [
        i for i, (a, b) in enumerate(zip(degrees_of(f), degrees_of(g), strict=True)) if a and b
    ]
    if all(coprime_in(f, g, i) for i in shared):
        return monomial
    return monomial * f.gcd(g)


def _shifted(p: Polynomial, low: Sequence[int]) -> Polynomial:
    return p.ring.from_dict(
        {tuple(a - b for a, b in zip(m, low, strict=True)): c for m, c in p.iterterms()}
    )


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
    factors = []
    for f, e in t.from_dict({(n - least,): c for n, c in places.items()}).factor_list()[1]:
        lows = [min(n * a for (n,) in f.itermonoms()) for a in v]
        terms = {
            tuple(n * a - low for a, low in zip(v, lows, strict=True)): c
            for (n,), c in f.iterterms()
        }
        factors.append((ring.from_dict(terms).monic(), e))
    return factors


def _redundant(polynomial: Polynomial) -> tuple[int, list[int]] | None:
    """A variable x_i and integers c with m_i − Σ c_j m_j the same for all exponents m.

    Then x_j → x_j·x_i^c_j, an automorphism of Laurent polynomials, takes p at x_i = 1 to p
    times a power of x_i, and factors to factors.
    """
    exponents = list(polynomial.itermonoms())
    base, *later_exponents = exponents
    degrees = degrees_of(polynomial)
    used = [k for k, e in enumerate(degrees) if e]
    if len(used) < 2 or not later_exponents:
        return None
    steps = row_basis([[m[k] - base[k] for k in used] for m in later_exponents])
    for i in sorted(used, key=lambda k: -degrees[k]):
        other_variables = [k for k in used if k != i]
        columns = [used.index(k) for k in (*other_variables, i)]
        reduced, pivots = reduced_echelon([[row[k] for k in columns] for row in steps])
        if len(other_variables) in pivots:
            continue
        values = [row[-1] for row in reduced]
        if all(v.denominator == 1 for v in values):
            c = [0] * len(degrees)
            for column, v in zip(pivots, values, strict=True):
                c[other_variables[column]] = int(v)
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
