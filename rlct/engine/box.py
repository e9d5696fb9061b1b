"""The minimum over a box: exact for products of functions of one variable, else bounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from typing import Any

import sympy

from rlct.box import BoxProblem
from rlct.certificate.encode import encode_polynomial
from rlct.certificate.proof import Proof
from rlct.engine.strategy import prove
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.polynomial import degree, evaluate, support, terms_of
from rlct.squares import squares_of_polynomial

__all__ = ["prove_box"]

_MOST_CANDIDATES = 20_000
_MOST_POINTS = 12


def prove_box(problem: BoxProblem, timeout: float | None = None) -> tuple[Proof, tuple[str, ...]]:
    """Prove or enclose the least pair over the box.

    Returns
    -------
    Proof
    tuple of str
        Notes.

    Raises
    ------
    InputError
        If K has no zero in the box, or is negative there.
    """
    exact = _separable(problem)
    if exact is not None:
        return exact, ()
    return _bounds(problem, timeout)


def _separable(problem: BoxProblem) -> Proof | None:
    """K = c·Π p(x_i)^m: each variable has its own roots, and a point may choose all of them."""
    if len(problem.generators) != 1 or len(problem.generators[0]) > 200:
        return None
    (f,) = problem.generators
    content, factors = f.factor_list()
    scale = 2 if problem.is_ideal else 1
    items: list[dict[str, Any]] = []
    best: dict[int, Pair] = {}
    sign = content > 0
    for p, m in factors:
        used = [i for i in range(f.ring.ngens) if p.degree(f.ring.gens[i]) > 0]
        if len(used) != 1:
            return None
        (i,) = used
        low, high = problem.sides[i]
        dense = sympy.Poly(p.as_expr(), f.ring.symbols[i])
        zeros = dense.count_roots(_rational(low), _rational(high))
        items.append({"variable": i, "factor": encode_polynomial(p), "exponent": m})
        if zeros:
            at_zero = dense.eval(0) == 0
            h = problem.prior[i] if at_zero else Fraction(0)
            candidate = Pair((1 + h) / (scale * m), 1)
            best[i] = min(candidate, best.get(i, candidate))
            ends = (dense.eval(_rational(low)) == 0) + (dense.eval(_rational(high)) == 0)
            if not problem.is_ideal and m % 2 and zeros > ends:
                raise InputError("K changes sign in the box: λ needs K ≥ 0")
        middle = dense.eval(_rational(_inside(dense, low, high)))
        if m % 2 and middle < 0:
            sign = not sign
    if not problem.is_ideal and not sign:
        raise InputError("K is negative in the box: λ needs K ≥ 0")
    if not best:
        raise InputError("K has no zero in the box")
    pair: Pair | None = None
    for candidate in best.values():
        pair = candidate if pair is None else pair * candidate
    assert pair is not None
    return Proof("univariate-factors", pair, pair, {"factors": items})


def _rational(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def _inside(p: Any, low: Fraction, high: Fraction) -> Fraction:
    """A point of the interval that is no root: p has finitely many, so halving ends."""
    value = (low + high) / 2
    while p.eval(_rational(value)) == 0:
        value = (low + value) / 2
    return value


def _refuse_sign_change(problem: BoxProblem) -> None:
    """Refuse K if a factor in one variable has a simple root inside its interval."""
    (K,) = problem.generators
    if len(K) > 200:
        return
    for p, m in K.factor_list()[1]:
        used = support(p)
        if m % 2 and len(used) == 1:
            (i,) = used
            ends = [_rational(side) for side in problem.sides[i]]
            dense = sympy.Poly(p.as_expr(), K.ring.symbols[i])
            if dense.count_roots(*ends) > sum(dense.eval(end) == 0 for end in ends):
                raise InputError("K changes sign in the box: λ needs K ≥ 0")


def _bounds(problem: BoxProblem, timeout: float | None) -> tuple[Proof, tuple[str, ...]]:
    """1/deg K from below; from above the pairs of some rational zeros of high order."""
    if not problem.is_ideal:
        _refuse_sign_change(problem)
    least = min(degree(g) for g in problem.generators)
    lower = Pair(Fraction(1, (2 if problem.is_ideal else 1) * least), 1)
    found = sorted(_zeros(problem), key=lambda zero: (-zero[0], zero[1]))[:_MOST_POINTS]
    points, children = [], []
    for _, point in found:
        local, mirrored = problem.at(point)
        child = prove(local, None if timeout is None else timeout / len(found))
        points.append([[str(a) for a in point], mirrored])
        children.append(child)
    uppers = [child.upper for child in children if child.upper is not None]
    upper = min(uppers) if uppers else None
    if upper is not None:
        chosen = next(k for k, child in enumerate(children) if child.upper == upper)
        points, children = [points[chosen]], [children[chosen]]
    notes = () if uppers else ("no zero of K was found in the box: if there is none, λ = ∞",)
    if not problem.is_ideal and squares_of_polynomial(problem.generators[0]) is None:
        notes = (*notes, "K ≥ 0 in the box was not proved; the bounds are those of |K|")
    proof = Proof("points", lower, upper, {"points": points}, tuple(children))
    return proof, notes


def _zeros(problem: BoxProblem) -> Iterator[tuple[int, tuple[Fraction, ...]]]:
    """Zeros among simple rational points, with the order of K there."""
    choices = []
    for low, high in problem.sides:
        inside = [Fraction(k, 2) for k in range(-8, 9) if low <= Fraction(k, 2) <= high]
        inside += [Fraction(k, 3) for k in (-2, -1, 1, 2) if low <= Fraction(k, 3) <= high]
        choices.append(sorted({*inside, low, high}, key=lambda a: (abs(a), a)))
    generators = [terms_of(g) for g in problem.generators]
    for point in islice(product(*choices), _MOST_CANDIDATES):
        values = [evaluate(g, point) for g in generators]
        if not problem.is_ideal and values[0] < 0:
            named = zip(problem.variables, point, strict=True)
            where = ", ".join(f"{n} = {a}" for n, a in named)
            raise InputError(f"K is {values[0]} at {where}: λ needs K ≥ 0 in the box")
        if not any(values):
            local, _ = problem.at(point)
            orders = [min(map(sum, g.itermonoms())) for g in local.generators if g]
            yield min(orders), point
