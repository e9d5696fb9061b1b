"""The questions of ``plane.py``: ideals in two variables of several kinds."""

import random
from fractions import Fraction

from sympy.polys.domains import QQ
from sympy.polys.orderings import grevlex
from sympy.polys.rings import PolyElement, PolyRing

PLANE_RING = PolyRing(["x", "y"], QQ, grevlex)
X, Y = PLANE_RING.gens
MOST_DEGREE = 12
#: Binary forms without rational zeros, with real ones or without.
BINARY_FORMS = [
    X**2 - 2 * Y**2,
    X**2 - 3 * Y**2,
    X**2 + 2 * Y**2,
    X**2 - X * Y - Y**2,
    X**2 + X * Y + Y**2,
    X**3 - 2 * Y**3,
    X**3 - 3 * X * Y**2 + Y**3,
    X**4 - 10 * X**2 * Y**2 + Y**4,
    X**4 - 2 * Y**4,
    X**4 - 2 * X**2 * Y**2 - Y**4,
    2 * X**2 - 3 * Y**2,
]
QUESTION_KINDS = ("sparse", "dense", "powers", "tangents", "towers", "branches", "common", "linear")


def case(seed: int) -> tuple[str, list[PolyElement], dict[str, Fraction]]:
    """Draw the kind, the generators of an ideal and the prior of a case."""
    rng = random.Random(seed)
    kind = QUESTION_KINDS[seed % len(QUESTION_KINDS)]
    while True:
        generators = [g for g in DRAW_BY_KIND[kind](rng) if g]
        names = {i for g in generators for m in g.itermonoms() for i, e in enumerate(m) if e}
        if not generators or len(names) < 2 or any((0, 0) in g for g in generators):
            continue
        if max(sum(m) for g in generators for m in g.itermonoms()) <= MOST_DEGREE:
            break
    # Without a prior a zero of degree 3 over Q never decides: 1/(2m) ≥ (1 + 1)/(2·3m).
    often = kind in ("tangents", "towers", "common")
    prior = {}
    if rng.random() < (0.8 if often else 0.4):
        for name in rng.sample(["x", "y"], rng.choice([1, 1, 2])):
            small = [Fraction(1, 2), Fraction(-1, 2), Fraction(1), Fraction(2)]
            prior[name] = rng.choice([Fraction(3), Fraction(5), Fraction(8)] if often else small)
    return kind, generators, prior


def coefficient(rng: random.Random) -> int:
    """A small number, not 0."""
    return rng.choice([1, 1, 1, -1, -1, 2, -2, 3, -5])


def some(rng: random.Random, terms: int, low: int, high: int) -> PolyElement:
    """Sum of a few terms with degrees in a range."""
    total = PLANE_RING.zero
    for _ in range(terms):
        n = rng.randint(low, high)
        i = rng.randint(0, n)
        total = total + coefficient(rng) * X**i * Y ** (n - i)
    return total


def weighted(rng: random.Random, form: PolyElement) -> PolyElement:
    """A form in powers of the variables."""
    p, q = rng.choice([(1, 1), (1, 1), (1, 2), (2, 1), (2, 3), (1, 3)])
    return form.compose([(X, X**p), (Y, Y**q)])


def hidden(rng: random.Random, g: PolyElement) -> PolyElement:
    """Other coordinates, if the degree allows."""
    if rng.random() < 0.5:
        return g
    u, v = rng.sample([X, Y], 2)
    moved = g.compose([(u, u + coefficient(rng) * v ** rng.choice([1, 1, 2]))])
    return moved if max(map(sum, moved.itermonoms()), default=0) <= MOST_DEGREE else g


def sparse(rng: random.Random) -> list[PolyElement]:
    """Few terms."""
    return [some(rng, rng.randint(1, 4), 1, MOST_DEGREE) for _ in range(rng.randint(1, 4))]


def dense(rng: random.Random) -> list[PolyElement]:
    """Many terms, above some order."""
    high = rng.randint(3, MOST_DEGREE)
    low = rng.randint(1, high)
    return [some(rng, rng.randint(8, 40), low, high) for _ in range(rng.randint(1, 3))]


def powers(rng: random.Random) -> list[PolyElement]:
    """One product of repeated factors."""
    total = PLANE_RING.one
    for _ in range(rng.randint(1, 3)):
        f = rng.choice([X, Y, X - Y, X + 2 * Y, X**2 - Y**3, Y - X**2, *BINARY_FORMS[:6]])
        total = total * (f + some(rng, rng.choice([0, 1]), 2, 4)) ** rng.randint(1, 4)
    return [hidden(rng, total)]


def tangents(rng: random.Random) -> list[PolyElement]:
    """A power of a form with irrational tangents, and terms above it."""
    g = weighted(rng, rng.choice(BINARY_FORMS)) ** rng.randint(1, 3)
    d = max(map(sum, g.itermonoms()))
    first = g + some(rng, rng.randint(1, 3), d + 1, d + 4) * rng.choice([0, 1, 1])
    others = [some(rng, rng.randint(1, 2), d, d + 5) for _ in range(rng.choice([0, 0, 1, 2]))]
    return [hidden(rng, f) for f in ([first, *others] if rng.random() < 0.5 else [first])]


def towers(rng: random.Random) -> list[PolyElement]:
    """Several levels: ((f)² − c·m)² + …, with new irrational zeros at irrational points."""
    f = rng.choice(BINARY_FORMS[:6]) if rng.random() < 0.7 else X**2 - Y**3
    d = max(map(sum, f.itermonoms()))
    n = rng.randint(2 * d + 1, 2 * d + 3)
    tail = some(rng, rng.choice([0, 0, 1]), 2 * d + 2, 2 * d + 4)
    g = f**2 - coefficient(rng) * X ** rng.randint(0, n) * Y ** rng.randint(0, 2) + tail
    if rng.random() < 0.5 and 2 * max(map(sum, g.itermonoms())) <= MOST_DEGREE:
        g = g**2 - some(rng, 1, 9, MOST_DEGREE)
    return [hidden(rng, g)]


def branches(rng: random.Random) -> list[PolyElement]:
    """Smooth branches with contact, some repeated."""
    total = PLANE_RING.one
    base = some(rng, 2, 2, 3)
    for _ in range(rng.randint(2, 3)):
        f = Y * (1 + rng.choice([0, X])) - base.compose([(Y, X)])
        total = total * (f + coefficient(rng) * X ** rng.randint(3, 6)) ** rng.randint(1, 2)
    return [total, *([some(rng, 1, 6, MOST_DEGREE)] if rng.random() < 0.4 else [])]


def common(rng: random.Random) -> list[PolyElement]:
    """Ideals with a common factor."""
    h = rng.choice([X, Y, X - Y, X**2 - Y**3, *BINARY_FORMS]) ** rng.randint(1, 2)
    return [hidden(rng, h * some(rng, rng.randint(1, 3), 0, 5)) for _ in range(rng.randint(2, 3))]


def linear(rng: random.Random) -> list[PolyElement]:
    """Powers of several forms in the same new coordinates."""
    a, b = X + coefficient(rng) * Y, Y + coefficient(rng) * X**2
    f = rng.choice([X**2 - 2 * Y**2, X**2 - Y**3, X**3 - 2 * Y**3, X**2 * Y, X * Y])
    g = f.compose([(X, a), (Y, b)]) ** rng.choice([1, 2])
    return [g, g * X + some(rng, 1, 5, 9)] if rng.random() < 0.5 else [g + some(rng, 1, 6, 12)]


DRAW_BY_KIND = {
    "sparse": sparse,
    "dense": dense,
    "powers": powers,
    "tangents": tangents,
    "towers": towers,
    "branches": branches,
    "common": common,
    "linear": linear,
}
