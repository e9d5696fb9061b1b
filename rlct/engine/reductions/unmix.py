"""Combinations of two generators whose lowest forms depend on fewer linear forms."""

import random
from collections.abc import Sequence
from typing import Any

from sympy import QQ, Poly, symbols
from sympy.polys.matrices import DomainMatrix
from sympy.polys.polyfuncs import interpolate

from rlct.algebra.polynomial import Polynomial, order
from rlct.engine import limits
from rlct.engine.germs.generators import with_generators
from rlct.engine.germs.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial
from rlct.questions.problem import Germ

_UNMIX_SEED = 20_240_311  # any number; the same question takes the same steps each time


def unmix_generators(germ: Germ) -> Step | None:
    """(…, f_i, f_k, …) = (…, f_i + c·f_k, f_k, …): the same ideal and pair, for any number c.

    Condition: f_i and f_k have one order, and c lowers the rank of the gradient of the lowest form.

    A form that depends on fewer linear forms than others near it in the pencil is what a sum in
    separate variables is made of; c is a root of minors of the matrix of its gradient.
    """
    count = len(germ.generators)
    if (
        not 1 < count <= limits.MOST_UNMIX_GENERATORS
        or germ.ring.ngens > limits.MOST_UNMIX_VARIABLES
    ):
        return None
    generators = list(germ.generators)
    operations: list[dict[str, Any]] = []
    for i in range(count):
        for k in range(count):
            if i == k or order(generators[i]) != order(generators[k]):
                continue
            c = _multiplier(generators[i], generators[k])
            if c is not None:
                factor = germ.ring.ground_new(-c)
                generators[i] = generators[i] - factor * generators[k]
                times = encode_polynomial(factor)
                operations.append({"subtract": k, "times": times, "from": i})
    if not operations or not all(generators):
        return None
    child = with_generators(germ, generators)
    return Step("simplify", (child,), same_bounds, {"operations": operations})


def _multiplier(f: Polynomial, g: Polynomial) -> Any:
    """The number c ≠ 0 at which the lowest form of f + c·g has a gradient of least rank."""
    least = order(f)
    columns: dict[tuple[int, ...], int] = {}
    first_gradient, second_gradient = (_gradient(p, least, columns) for p in (f, g))
    width = len(columns)

    def matrix(c: Any) -> DomainMatrix:
        rows = [
            [a.get(j, QQ.zero) + c * b.get(j, QQ.zero) for j in range(width)]
            for a, b in zip(first_gradient, second_gradient, strict=True)
        ]
        return DomainMatrix(rows, (len(rows), width), QQ)

    rank = matrix(QQ(1009, 7)).rank()
    own_rank = matrix(QQ.zero).rank()
    if not rank or own_rank < rank:
        return None
    rng = random.Random(_UNMIX_SEED)
    common_minor: Any = None
    x = symbols("x")
    for _ in range(2):
        left = _random(rng, rank, len(first_gradient))
        right = _random(rng, width, rank)
        values = [(left * matrix(QQ(t)) * right).to_field().det() for t in range(rank + 1)]
        random_minor = Poly(interpolate(list(enumerate(map(QQ.to_sympy, values))), x), x, domain=QQ)
        common_minor = random_minor if common_minor is None else common_minor.gcd(random_minor)
    best_multiplier = None
    for root in common_minor.ground_roots():
        c = QQ.from_sympy(root)
        if not c or max(abs(c.numerator), c.denominator) > limits.LARGEST_MULTIPLIER:
            continue
        here = matrix(c).rank()
        # A form that vanishes says nothing.
        if 0 < here < own_rank and (best_multiplier is None or here < best_multiplier[0]):
            best_multiplier = here, c
    return best_multiplier and best_multiplier[1]


def _gradient(
    p: Polynomial, least: int, columns: dict[tuple[int, ...], int]
) -> list[dict[int, Any]]:
    """Rows of the partial derivatives of the lowest form, by numbers of monomials."""
    rows: list[dict[int, Any]] = [{} for _ in range(p.ring.ngens)]
    for m, c in p.terms():
        if sum(m) == least:
            for i, e in enumerate(m):
                if e:
                    key = (*m[:i], e - 1, *m[i + 1 :])
                    rows[i][columns.setdefault(key, len(columns))] = c * e
    return rows


def _random(rng: random.Random, rows: int, columns: int) -> DomainMatrix:
    entries: Sequence[list[Any]] = [
        [QQ(rng.randint(-9, 9)) for _ in range(columns)] for _ in range(rows)
    ]
    return DomainMatrix(list(entries), (rows, columns), QQ)
