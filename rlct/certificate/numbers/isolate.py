"""Elimination and real roots of the checker: common zeros of two polynomials in the plane."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import Poly, least_common_multiple
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.univariate import dense_quotient, dense_value

_WORD_PRIME = 2**61 - 1  # whose residues are machine words

Integers = list[int]
#: Two integers; the scale is known from the context.
IntegerInterval = tuple[int, int]


def eliminant(f: Poly, g: Poly, axis: int) -> Integers:
    """A polynomial in one variable that vanishes at the common zeros of f and g.

    Those are not zero, with rational coefficients in two variables, of which ``axis`` stays.  The
    polynomial goes from the constant term up; it is [] if it vanishes identically.

    Where both have positive degrees m and n in the other variable: the determinant of the
    Sylvester matrix with these formal degrees.  At a common zero (1, y, y², …) is in the kernel
    of its transpose, whatever the leading coefficients are.  With total degrees d and e its
    degree is at most nd + me − mn, since it is isobaric; it is interpolated at that many points
    and one more.

    >>> circle = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-2)}
    >>> diagonal = {(1, 0): Fraction(1), (0, 1): Fraction(-1)}
    >>> eliminant(circle, diagonal, 0)
    [-1, 0, 1]
    """
    # Two cases that are trivial, then determinants at enough points: no part means much alone.
    other = 1 - axis
    m, n = (max(e[other] for e in p) for p in (f, g))
    if not m and not n:
        return _gcd(_dense(f, axis), _dense(g, axis))
    if not m or not n:
        return _primitive(_dense(g if m else f, axis))
    d, e = (max(map(sum, p)) for p in (f, g))
    count = n * d + m * e - m * n + 1
    cost.charge(cost.of_table(m + n, count + len(f) + len(g), 3), "an eliminant")
    tables = [[_dense_part(p, axis, k) for k in range(top + 1)] for p, top in ((f, m), (g, n))]
    scale = [least_common_multiple([c.denominator for row in t for c in row]) for t in tables]
    for s, p in zip(scale, (f, g), strict=True):
        bits = s.bit_length() + cost.bits_in(p.values())
        cost.charge(len(p) * (20 + cost.of_rational(bits)), "an eliminant")
    whole = [[[int(c * s) for c in row] for row in t] for t, s in zip(tables, scale, strict=True)]
    sample_points = [(-1) ** i * ((i + 1) // 2) for i in range(count)]
    values = [
        _determinant(_sylvester([[_at(row, x) for row in t] for t in whole])) for x in sample_points
    ]
    return _primitive(_interpolate(sample_points, values))


def _dense(p: Poly, axis: int) -> list[Fraction]:
    return _dense_part(p, axis, 0)


def _dense_part(p: Poly, axis: int, k: int) -> list[Fraction]:
    """Coefficient of the k-th power of the other variable."""
    coefficient_by_exponent = {e[axis]: c for e, c in p.items() if e[1 - axis] == k}
    row = []
    cost.charge(10 * max(coefficient_by_exponent, default=0), "a polynomial in one variable")
    for i in range(max(coefficient_by_exponent, default=-1) + 1):
        c = coefficient_by_exponent.get(i, Fraction(0))
        assert isinstance(c, Fraction)
        row.append(c)
    return row


def _at(row: Sequence[int], x: int) -> int:
    total = 0
    bits = cost.bits_in(row) + len(row) * x.bit_length()
    each = 6 + cost.of_integer(bits, x.bit_length())
    cost.charge(30 + len(row) * each, "an eliminant")
    for c in reversed(row):
        total = total * x + c
    return total


def _sylvester(rows: Sequence[Integers]) -> list[Integers]:
    f, g = (list(reversed(row)) for row in rows)
    m, n = len(f) - 1, len(g) - 1
    return [[0] * i + f + [0] * (n - 1 - i) for i in range(n)] + [
        [0] * i + g + [0] * (m - 1 - i) for i in range(m)
    ]


def _determinant(rows: list[Integers]) -> int:
    """Fraction-free elimination (Bareiss): every division is exact."""
    sign, last_pivot, size = 1, 1, len(rows)
    for k in range(size):
        pivot_index = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot_index is None:
            return 0
        if pivot_index != k:
            rows[k], rows[pivot_index] = rows[pivot_index], rows[k]
            sign = -sign
        pivot = rows[k][k]
        left = size - k - 1
        bits = 2 * max(map(cost.bits_in, rows[k:]))
        cost.charge(left**2 * (4 + 3 * cost.of_integer(bits)), "a determinant")
        for i in range(k + 1, size):
            factor = rows[i][k]
            rows[i] = [
                (pivot * a - factor * b) // last_pivot
                for a, b in zip(rows[i], rows[k], strict=True)
            ]
        last_pivot = pivot
    return sign * last_pivot


def _interpolate(sample_points: Sequence[int], values: Sequence[int]) -> list[Fraction]:
    """Newton's divided differences."""
    table = [Fraction(v) for v in values]
    for level in range(1, len(sample_points)):
        steps = 3 * (len(sample_points) - level) * cost.of_rational(2 * cost.bits_in(table))
        cost.charge(steps, "an interpolation")
        for i in range(len(sample_points) - 1, level - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (sample_points[i] - sample_points[i - level])
    result: list[Fraction] = []
    for i in range(len(sample_points) - 1, -1, -1):
        bits = (
            cost.bits_in(result) + sample_points[i].bit_length() + table[i].denominator.bit_length()
        )
        cost.charge(len(result) * 2 * cost.of_rational(bits), "an interpolation")
        shifted = [Fraction(0), *result]
        for j, c in enumerate(result):
            shifted[j] -= sample_points[i] * c
        shifted[0] += table[i]
        result = shifted
    return result


def _primitive(p: Sequence[Fraction | int]) -> Integers:
    """Positive multiple with coprime integers and without leading zeros."""
    row = list(p)
    while row and not row[-1]:
        row.pop()
    bottom = least_common_multiple([Fraction(c).denominator for c in row])
    bits = 2 * (bottom.bit_length() + cost.bits_in(row))
    cost.charge(len(row) * cost.of_rational(bits), "a polynomial in one variable")
    whole = [int(c * bottom) for c in row]
    content = gcd(*whole)
    return [c // content for c in whole] if content > 1 else whole


def _remainder(p: Integers, q: Integers) -> Integers:
    """Remainder of a positive multiple of p by q, made primitive."""
    p = list(p)
    lead, most = q[-1], cost.bits_in(q)
    while len(p) >= len(q):
        bits = cost.bits_in(p) + most
        cost.charge(10 + len(p) * (2 + 2 * cost.of_integer(bits)), "a remainder")
        top = p[-1]
        offset = len(p) - len(q)
        p = [c * abs(lead) for c in p]
        factor = top if lead > 0 else -top
        for k, c in enumerate(q):
            p[offset + k] -= factor * c
        while p and not p[-1]:
            p.pop()
    return _primitive(p)


def _derivative(p: Integers) -> Integers:
    return [k * c for k, c in enumerate(p)][1:]


def _gcd(p: Sequence[Fraction | int], q: Sequence[Fraction | int]) -> Integers:
    a, b = _primitive(p), _primitive(q)
    while b:
        a, b = b, _remainder(a, b)
    return a


def _quotient(p: Integers, q: Integers) -> Integers:
    """Exact quotient, up to a positive factor; q has a positive leading coefficient."""
    quotient = dense_quotient([Fraction(c) for c in p], [Fraction(c) for c in q])
    return _primitive([c for c in quotient if isinstance(c, Fraction)])


def _sign(p: Integers, x: Fraction) -> int:
    total, power = 0, 1
    own, more = cost.bits_in(p), cost.bits_in([x])
    bits = own + len(p) * more // 2  # of the numbers halfway
    each = 3 + 2 * cost.of_integer(bits, more) + cost.of_integer(bits, min(own, bits - own))
    cost.charge(10 + len(p) * each, "the sign of a polynomial")
    for c in reversed(p):
        total = total * x.numerator + c * power
        power *= x.denominator
    return (total > 0) - (total < 0)


class IsolatedRoot:
    """The only root of a squarefree polynomial in [low, high]: inside, or low = high."""

    def __init__(self, polynomial: Integers, low: Fraction, high: Fraction) -> None:
        self.polynomial, self.low, self.high = polynomial, low, high
        self._rising = _sign(polynomial, high) > 0
        self._tables: dict[int, list[IntegerInterval]] = {}

    def refine(self, bits: int) -> None:
        """Narrow the interval to a width of at most 2^−bits."""
        while (self.high - self.low) * 2**bits > 1:
            own = bits + cost.bits_in([self.low, self.high])
            cost.charge(4 * cost.of_rational(own), "an isolated root")
            middle = (self.low + self.high) / 2
            sign = _sign(self.polynomial, middle)
            if not sign:
                self.low = self.high = middle
            elif (sign > 0) == self._rising:
                self.high = middle
            else:
                self.low = middle

    def powers(self, bits: int, highest_power: int) -> list[IntegerInterval]:
        """Integers around 2^bits·ξ^k for k up to `highest_power`."""
        table = self._tables.get(bits, [])
        if not table:
            self.refine(bits)
            table = [(1 << bits, 1 << bits)]
            self._tables[bits] = table
        unit = 1 << bits
        low, high = (self.low * unit).__floor__(), (self.high * unit).__ceil__()
        size = bits + (highest_power + 1) * max(
            1, abs(low).bit_length() - bits, abs(high).bit_length() - bits
        )
        steps = max(0, highest_power + 1 - len(table)) * (
            30 + size // 64 + 4 * cost.of_integer(size)
        )
        cost.charge(steps, "the powers of a root")
        while len(table) <= highest_power:
            ends = [x * y for x in table[-1] for y in (low, high)]
            table.append((min(ends) >> bits, -(-max(ends) >> bits)))
        return table

    def equals(self, value: RealNumber) -> bool:
        """Whether a number is this root."""
        if value < self.low or value > self.high:
            return False
        return not dense_value(self.polynomial, value)


def roots_between(p: Integers, low: Fraction, high: Fraction) -> list[IsolatedRoot]:
    """All distinct real roots of a polynomial that is not zero, in a closed interval.

    >>> [(str(r.low), str(r.high)) for r in roots_between([-2, 0, 1], Fraction(-2), Fraction(2))]
    [('-2', '0'), ('0', '2')]
    >>> [str(r.low) for r in roots_between([0, 0, -1, 1], Fraction(0), Fraction(1))]
    ['0', '1']
    """
    p = list(p)
    isolated_roots: list[IsolatedRoot] = []
    for end in {low, high}:
        linear = [-end.numerator, end.denominator]
        if not _sign(p, end):
            isolated_roots.append(IsolatedRoot(linear, end, end))
        while len(p) > 1 and not _sign(p, end):
            p = _quotient(p, linear)
    if len(p) > 1 and low < high:
        if not _is_squarefree_modulo(p, _WORD_PRIME):
            common = _gcd(p, _derivative(p))
            p = _quotient(p, common if common[-1] > 0 else [-c for c in common])
        isolated_roots += _isolated(p, low, high)
    return isolated_roots


def _is_squarefree_modulo(p: Integers, prime: int) -> bool:
    """Whether p is squarefree modulo a prime that its lead is not 0 at, and so is squarefree."""
    cost.charge(4 * len(p) ** 2, "a common divisor modulo a prime")
    a, b = ([c % prime for c in row] for row in (p, _derivative(p)))
    if not (a[-1] and b[-1]):
        return False
    while b:
        inverse = pow(b[-1], -1, prime)
        while len(a) >= len(b):
            factor, offset = a[-1] * inverse % prime, len(a) - len(b)
            for k, c in enumerate(b):
                a[offset + k] = (a[offset + k] - factor * c) % prime
            while a and not a[-1]:
                a.pop()
        a, b = b, a
    return len(a) == 1


def _sign_changes(p: Integers, low: Fraction, high: Fraction) -> int:
    """Sign changes of (1 + t)^n p((low + high t)/(1 + t)): Descartes's bound of roots between."""
    bottom = least_common_multiple([low.denominator, high.denominator])
    start, width = int(low * bottom), int((high - low) * bottom)
    degree = len(p) - 1
    own = (bottom.bit_length(), abs(start).bit_length() + 1, width.bit_length())
    bits = cost.bits_in(p) + len(p) * max(own[0], own[1] + own[2])
    each = 2 + cost.of_integer(bits, own[1]) + bits // 500
    cost.charge(len(p) ** 2 * each, "signs of a polynomial between points")
    row = [c * bottom ** (degree - k) for k, c in enumerate(p)]
    row = [c * width**k for k, c in enumerate(_shifted(row, start))]
    signs = [c > 0 for c in _shifted(row[::-1], 1) if c]
    return sum(a != b for a, b in pairwise(signs))


def _shifted(p: Integers, by: int) -> Integers:
    """p(x + by)."""
    row = list(p)
    for first in range(len(row) - 1):
        for k in range(len(row) - 2, first - 1, -1):
            row[k] += by * row[k + 1]
    return row


def _isolated(p: Integers, low: Fraction, high: Fraction) -> list[IsolatedRoot]:
    """Roots of a squarefree polynomial between points that are no roots.

    Their number is that of the sign changes where these are 0 or 1; of short intervals they are.
    """
    count = _sign_changes(p, low, high)
    if count == 0:
        return []
    if count == 1:
        return [IsolatedRoot(p, low, high)]
    middle = (low + high) / 2
    while not _sign(p, middle):
        middle = (low + middle) / 2  # finitely many points are roots
    return _isolated(p, low, middle) + _isolated(p, middle, high)


def enclose_value(p: Poly, x: IsolatedRoot, y: IsolatedRoot, bits: int) -> IntegerInterval:
    """Enclose 2^bits·c·p(x, y) for some positive integer c."""
    denominators = [c.denominator for c in p.values() if isinstance(c, Fraction)]
    scale = least_common_multiple(denominators)
    top = [max((e[i] for e in p), default=0) for i in (0, 1)]
    first, second = x.powers(bits, top[0]), y.powers(bits, top[1])
    size = sum(max(map(abs, row[-1])).bit_length() for row in (first, second))
    size += scale.bit_length() + cost.bits_in(p.values())
    cost.charge(len(p) * (50 + 10 * cost.of_integer(size)), "an enclosure")
    low = high = 0
    for (i, j), c in p.items():
        assert isinstance(c, Fraction)
        factor = int(c * scale)
        ends = [a * b * factor for a in first[i] for b in second[j]]
        low += min(ends) >> bits
        high += -(-max(ends) >> bits)
    return low, high
