"""An oracle for two variables: blow up points until everything crosses normally.

Shares nothing with the engine: no Newton polyhedra, no weights, plain sympy.  K = f² for one
polynomial f, prior |x|^h |y|^k.  Real points only; where a point of an exceptional line is not
rational it is accepted if the curve there is smooth and transversal, else `SkipError`.
"""

from fractions import Fraction
from functools import reduce

import sympy

from rlct.pair import Pair

X, Y = sympy.symbols("x y")


class SkipError(Exception):
    """The oracle does not decide this one."""


def pair_of_square(f, prior=(0, 0)):
    """Pair of K = f² at the origin."""
    _, factors = sympy.factor_list(sympy.expand(f), X, Y)
    curves = [(sympy.Poly(g, X, Y), int(m)) for g, m in factors]
    return _resolve(curves, (0, 0), prior, 0)


def _resolve(curves, axes, prior, depth):
    """Least pair near the origin of x^a y^b Π g^m with prior x^h y^k; None if it is no zero."""
    if depth > 40:
        raise SkipError
    a, b = axes
    kept = []
    for g, m in curves:
        if g.eval({X: 0, Y: 0}) != 0:
            continue
        if _is_axis(g, X):
            a += m
        elif _is_axis(g, Y):
            b += m
        else:
            kept.append((g, m))
    h, k = prior
    rows, pairs = [], []
    for row, exponent, jacobian in (((1, 0), a, h), ((0, 1), b, k)):
        if exponent or jacobian:
            rows.append(row)
        if exponent:
            pairs.append(Pair(Fraction(1 + jacobian) / (2 * exponent), 1))
    for g, m in kept:
        rows.append((g.coeff_monomial(X), g.coeff_monomial(Y)))
        pairs.append(Pair(Fraction(1, 2 * m), 1))
    if sympy.Matrix(rows or [(0, 0)]).rank() == len(rows):
        return reduce(lambda p, q: p * q, pairs) if pairs else None
    return _blow_up(kept, (a, b), prior, depth)


def _is_axis(g, variable):
    return set(g.monoms()) == {(1, 0) if variable is X else (0, 1)}


def _blow_up(curves, axes, prior, depth):
    (a, b), (h, k) = axes, prior
    orders = [min(map(sum, g.monoms())) for g, _ in curves]
    whole = a + b + sum(m * n for (_, m), n in zip(curves, orders, strict=True))
    divisor = Pair((2 + Fraction(h) + k) / (2 * whole), 1)
    found = [divisor]
    moved = [(_strict(g, n, (X, X * Y), X), m) for (g, m), n in zip(curves, orders, strict=True)]
    tangents = [(sympy.Poly(g.eval({X: 0}), Y), m) for g, m in moved]
    special = {sympy.Integer(0)}
    irrational = {}
    for index, (t, m) in enumerate(tangents):
        for q, e in t.factor_list()[1]:
            if q.degree() == 1:
                special.add(sympy.Rational(-q.coeff_monomial(1), q.LC()))
            elif q.count_roots():
                if e > 1 or q in irrational:
                    raise SkipError
                irrational[q] = (index, m)
                found.append(divisor * Pair(Fraction(1, 2 * m), 1))
    for c in special:
        there = [(sympy.Poly(g.as_expr().subs(Y, Y + c), X, Y), m) for g, m in moved]
        side = (b, k) if c == 0 else (0, 0)
        found.append(_resolve(there, (whole, side[0]), (1 + h + k, side[1]), depth + 1))
    other = [(_strict(g, n, (X * Y, Y), Y), m) for (g, m), n in zip(curves, orders, strict=True)]
    found.append(_resolve(other, (a, whole), (h, 1 + h + k), depth + 1))
    return min(p for p in found if p is not None)


def _strict(g, order, images, exceptional):
    total = g.as_expr().subs({X: images[0], Y: images[1]}, simultaneous=True)
    return sympy.Poly(sympy.cancel(sympy.expand(total) / exceptional**order), X, Y)
