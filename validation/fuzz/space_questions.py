"""Draw random sums of two or three squares in two to five variables.

K is of degree at most 8 for the kinds ``sparse``, ``singular`` and ``degenerate``: their
generators have degree at most 4.  The others have generators of degree 4 to 8 themselves, of
order at least 2 (a linear term makes a question easier), and K of degree 8 to 16.
"""

import random
from collections.abc import Callable, Iterator, Sequence

from sympy.polys.domains import ZZ
from sympy.polys.rings import PolyElement, PolyRing

Terms = dict[tuple[int, ...], int]
VARIABLE_LETTERS = "xyzwv"


# --- random polynomials ------------------------------------------------------------------------


def monomial(rng: random.Random, n: int, low: int, high: int) -> tuple[int, ...]:
    """Draw a degree, then that many variables."""
    exponents = [0] * n
    for _ in range(rng.randint(low, high)):
        exponents[rng.randrange(n)] += 1
    return tuple(exponents)


def polynomial(rng: random.Random, n: int, low: int, high: int, most: int = 4) -> Terms:
    """Two to ``most`` monomials of degree ``low`` to ``high``."""
    terms: Terms = {}
    while len(terms) < 2:
        terms = {monomial(rng, n, low, high): coefficient(rng) for _ in range(rng.randint(2, most))}
    return terms


def coefficient(rng: random.Random) -> int:
    """A small number, not 0."""
    return rng.choice([-3, -2, -1, 1, 2, 3])


def text(terms: Terms) -> str:
    """Write a polynomial."""
    line = ""
    for exponents, number in sorted(terms.items(), reverse=True):
        factors = [
            VARIABLE_LETTERS[i] if e == 1 else f"{VARIABLE_LETTERS[i]}**{e}"
            for i, e in enumerate(exponents)
            if e
        ]
        if abs(number) != 1:
            factors.insert(0, str(abs(number)))
        sign = "-" if number < 0 else "+"
        line += f" {sign} " + "*".join(factors)
    line = line.removeprefix(" + ")
    return f"-{line[3:]}" if line.startswith(" - ") else line


# --- generators of degree at most 4 ------------------------------------------------------------


def sparse(rng: random.Random, n: int) -> list[str]:
    """Two sparse polynomials that may have linear terms."""
    return [text(polynomial(rng, n, 1, 4)) for _ in range(2)]


def singular(rng: random.Random, n: int) -> list[str]:
    """Two sparse polynomials of order at least 2."""
    return [text(polynomial(rng, n, 2, 4)) for _ in range(2)]


def degenerate(rng: random.Random, n: int) -> list[str]:
    """Return a square or a product plus a higher monomial, and a polynomial of order ≥ 2."""
    one = text(polynomial(rng, n, 1, 2, 3))
    head = f"({one})**2"
    if rng.random() < 0.5:
        head = f"({one})*({text(polynomial(rng, n, 1, 2, 3))})"
    tail = text({monomial(rng, n, 3, 4): rng.choice([-2, -1, 1, 2])})
    return [f"{head} + ({tail})", text(polynomial(rng, n, 2, 4))]


# --- generators of degree 4 to 8 ---------------------------------------------------------------


def of_degree(rng: random.Random, n: int, degree: int, most: int = 5) -> Terms:
    """Two to ``most`` monomials of degree 2 to ``degree``, one of them of that degree."""
    terms: Terms = {}
    while len(terms) < 2:
        terms = {
            monomial(rng, n, 2, degree): coefficient(rng) for _ in range(rng.randint(1, most - 1))
        }
        terms[monomial(rng, n, degree, degree)] = coefficient(rng)
    return terms


def generic(rng: random.Random, n: int) -> list[str]:
    """Two or three sparse polynomials."""
    return [text(of_degree(rng, n, rng.randint(4, 8))) for _ in range(rng.choice([2, 3]))]


def weighted(rng: random.Random, n: int) -> list[str]:
    """Quasi-homogeneous polynomials for the same weights, with terms of larger weight."""
    while True:
        weights = [rng.randint(1, 3) for _ in range(n)]
        generators = []
        for _ in range(rng.choice([2, 3])):
            total = rng.randint(4, 12)
            heads = {_of_weight(rng, weights, total): coefficient(rng) for _ in range(3)}
            heads.pop((), None)
            tails = {
                m: coefficient(rng)
                for m in (monomial(rng, n, 2, 8) for _ in range(rng.randint(0, 2)))
                if sum(a * b for a, b in zip(m, weights, strict=True)) > total
            }
            generators.append(heads | tails)
        degrees = [max(map(sum, terms), default=0) for terms in generators]
        orders = [min(map(sum, terms), default=0) for terms in generators]
        if min(map(len, generators)) > 1 and 4 <= max(degrees) <= 8 and min(orders) > 1:
            return [text(terms) for terms in generators]


def _of_weight(rng: random.Random, weights: Sequence[int], total: int) -> tuple[int, ...]:
    """Draw variables until their weights add up; () if they pass it."""
    exponents = [0] * len(weights)
    while total > 0:
        i = rng.randrange(len(weights))
        exponents[i] += 1
        total -= weights[i]
    return tuple(exponents) if total == 0 else ()


def hidden_linear(rng: random.Random, n: int) -> list[str]:
    """Sparse polynomials of degree 4 to 6 in other linear coordinates, expanded."""
    ring, given = _given(rng, n, 6)
    images = list(ring.gens)
    for _ in range(rng.choice([1, 2])):
        i, j = rng.sample(range(n), 2)
        images[i] = images[i] + rng.choice([-2, -1, 1, 2]) * images[j]
    return [_moved(ring, g, images) for g in given]


def hidden_curved(rng: random.Random, n: int) -> list[str]:
    """Sparse polynomials of degree 4 in other coordinates x + c·m, m of degree 2, expanded."""
    ring, given = _given(rng, n, 4)
    while True:
        images = list(ring.gens)
        i = rng.randrange(n)
        others = [x for j, x in enumerate(ring.gens) if j != i]
        images[i] += rng.choice([-2, -1, 1, 2]) * rng.choice(others) * rng.choice(others)
        moved = [_moved(ring, g, images) for g in given]
        if moved != [_moved(ring, g, list(ring.gens)) for g in given]:
            return moved


def _given(rng: random.Random, n: int, high: int) -> tuple[PolyRing, list[PolyElement]]:
    ring = PolyRing(list(VARIABLE_LETTERS[:n]), ZZ)
    count = rng.choice([2, 3])
    drawn = [of_degree(rng, n, rng.randint(4, high), 3) for _ in range(count)]
    return ring, [ring.from_dict({m: ZZ(c) for m, c in terms.items()}) for terms in drawn]


def _moved(ring: PolyRing, g: PolyElement, images: list[PolyElement]) -> str:
    moved = g.compose(list(zip(ring.gens, images, strict=True)))
    return text({m: int(c) for m, c in moved.iterterms()})


def powers(rng: random.Random, n: int) -> list[str]:
    """Return a product of powers plus a higher monomial, and a sparse polynomial."""
    one, two = (text(polynomial(rng, n, 1, 2, 3)) for _ in range(2))
    head, order = rng.choice(
        [(f"({one})**2", 2), (f"({one})**3", 3), (f"({one})**2*({two})", 3), (f"({one})**4", 4)]
    )
    tail = text({monomial(rng, n, max(4, order + 1), 8): rng.choice([-2, -1, 1, 2])})
    rest = [text(of_degree(rng, n, rng.randint(4, 8))) for _ in range(rng.choice([1, 2]))]
    return [f"{head} + ({tail})", *rest]


QUESTION_KINDS: dict[str, Callable[[random.Random, int], list[str]]] = {
    "sparse": sparse,
    "singular": singular,
    "degenerate": degenerate,
    "generic": generic,
    "weighted": weighted,
    "hidden-linear": hidden_linear,
    "hidden-curved": hidden_curved,
    "powers": powers,
}


def draw(kind: str, n: int, count: int, seed: int) -> Iterator[list[str]]:
    """Cases in which every variable occurs; case i depends only on (seed, kind, n, i)."""
    for i in range(count):
        rng = random.Random(f"{seed} {kind} {n} {i}")
        while True:
            generators = QUESTION_KINDS[kind](rng, n)
            if all(any(x in g for g in generators) for x in VARIABLE_LETTERS[:n]):
                break
        yield generators
