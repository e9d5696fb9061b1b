"""A second oracle for two variables: blow-ups of points in numbers of 200 digits.

Shares nothing with the engine: points are blown up one by one, real roots come from mpmath,
and what is below 10⁻⁶⁰ counts as 0.  K = f² for one polynomial f, prior |x|^h |y|^k.
"""

from fractions import Fraction
from functools import reduce
from math import comb

import sympy
from mpmath import mp, mpf

from rlct.pair import Pair

X, Y = sympy.symbols("x y")
TINY = mpf(10) ** -60


def pair_of_square(f, prior=(0, 0)):
    """Pair of K = f² at the origin."""
    with mp.workdps(200):
        curves = []
        for g, m in sympy.factor_list(sympy.expand(f), X, Y)[1]:
            terms = {e: mpf(int(c.p)) / int(c.q) for e, c in sympy.Poly(g, X, Y).terms()}
            curves.append((terms, int(m)))
        return resolve(curves, (0, 0), prior, 0)


def resolve(curves, axes, prior, depth):
    """Least pair near the origin of x^a y^b Π g^m with prior x^h y^k; None if it is no zero."""
    assert depth < 60
    exponents, kept = list(axes), []
    for g, m in curves:
        if (0, 0) in g:
            continue
        if set(g) in ({(1, 0)}, {(0, 1)}):
            exponents[0 if (1, 0) in g else 1] += m
        else:
            kept.append((g, m))
    rows, pairs = [], []
    for row, a, h in zip(((1, 0), (0, 1)), exponents, prior, strict=True):
        if a or h:
            rows.append(row)
        if a:
            pairs.append(Pair(Fraction(1 + h) / (2 * a), 1))
    for g, m in kept:
        rows.append((g.get((1, 0), 0), g.get((0, 1), 0)))
        pairs.append(Pair(Fraction(1, 2 * m), 1))
    smooth = all(any(row) for row in rows)
    crossing = len(rows) == 2 and abs(rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]) > TINY
    if smooth and (len(rows) < 2 or crossing):
        return reduce(lambda p, q: p * q, pairs) if pairs else None
    return blow_up(kept, exponents, prior, depth)


def blow_up(curves, axes, prior, depth):
    (a, b), (h, k) = axes, prior
    orders = [min(map(sum, g)) for g, _ in curves]
    whole = a + b + sum(m * n for (_, m), n in zip(curves, orders, strict=True))
    found = [Pair((2 + Fraction(h) + k) / (2 * whole), 1)]
    moved = [
        ({(i + j - n, j): c for (i, j), c in g.items()}, m)
        for (g, m), n in zip(curves, orders, strict=True)
    ]
    special = [mpf(0)]
    for g, _ in moved:
        top = max(j for i, j in g if i == 0)
        for root in real_roots([g.get((0, j), mpf(0)) for j in range(top + 1)]):
            if all(abs(root - c) > TINY for c in special):
                special.append(root)
    for c in special:
        there = [(translated(g, c), m) for g, m in moved]
        side = (b, k) if c == 0 else (0, 0)
        found.append(resolve(there, (whole, side[0]), (1 + h + k, side[1]), depth + 1))
    other = [
        ({(i, i + j - n): c for (i, j), c in g.items()}, m)
        for (g, m), n in zip(curves, orders, strict=True)
    ]
    found.append(resolve(other, (a, whole), (h, 1 + h + k), depth + 1))
    return min(p for p in found if p is not None)


def translated(g, c):
    """g(x, y + c)."""
    total = {}
    for (i, n), value in g.items():
        for j in range(n + 1):
            total[i, j] = total.get((i, j), mpf(0)) + value * comb(n, j) * c ** (n - j)
    size = max(map(abs, total.values()))
    return {e: v for e, v in total.items() if abs(v) > TINY * size}


def real_roots(p):
    """Distinct real roots of a polynomial, constant term first."""
    q = [k * c for k, c in enumerate(p)][1:]
    common, rest = list(p), trimmed(q)
    while rest:
        common, rest = rest, trimmed(divided(common, rest)[1])
    squarefree = trimmed(divided(p, common)[0])
    if len(squarefree) < 2:
        return []
    roots = mp.polyroots(squarefree[::-1], maxsteps=500, extraprec=2000)
    return [mp.re(r) for r in roots if abs(mp.im(r)) < TINY]


def divided(p, q):
    p, quotient = list(p), []
    while len(p) >= len(q):
        factor = p.pop() / q[-1]
        quotient.append(factor)
        for k, c in enumerate(q[:-1]):
            p[len(p) - len(q) + 1 + k] -= factor * c
    return quotient[::-1], p


def trimmed(p):
    p = [c if abs(c) > TINY else mpf(0) for c in p]
    while p and p[-1] == 0:
        p.pop()
    return p
