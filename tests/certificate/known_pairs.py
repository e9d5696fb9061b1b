"""Questions whose pairs are known without the checker and without the engine.

Every generator is a positive combination of products of powers (y_i − a)^e, one product or even
ones, in coordinates y that a triangular change of the variables gives.  At any point the ideal is
then one of monomials in y − y_0, and its pair is a linear programme over their exponents, which
is solved here by going through all vertices.  So the least pair is known, and zeros that have it.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

ROOTS = [Fraction(a) for a in (0, 0, 0, 1, 1, -1, 2, "1/2")]
GENERIC = [Fraction(a) for a in ("1/3", "-1/3", "3/2", "-2", "5/4")]
PRIORS = [Fraction(h) for h in (0, 0, 0, 1, 2, 7, "-1/2", "1/2")]
MOST_TERMS, HIGHEST = 12, 6  # of the generators of a question, and their degree
SIDES = [(Fraction(a), Fraction(b)) for a, b in ((-3, 3), (-3, 3), (-1, 2), (0, 2), ("-1/2", 1))]


def times(p, q):
    """Product of polynomials, as dictionaries from exponents to numbers."""
    total = {}
    for m, c in p.items():
        for n, e in q.items():
            key = tuple(a + b for a, b in zip(m, n, strict=True))
            total[key] = total.get(key, 0) + c * e
    return {m: c for m, c in total.items() if c}


def plus(p, q, factor=1):
    """The sum p + factor·q."""
    total = dict(p)
    for m, c in q.items():
        total[m] = total.get(m, 0) + factor * c
    return {m: c for m, c in total.items() if c}


def value(p, point):
    """Value at a point."""
    total = Fraction(0)
    for m, c in p.items():
        for x, e in zip(point, m, strict=True):
            c *= x**e
        total += c
    return total


def written(p):
    """Terms as a document has them."""
    return [[str(c), list(m)] for m, c in sorted(p.items())]


def key(pair):
    """Pairs in their order: the smaller λ first, and then the larger θ."""
    lam, theta = pair
    return (Fraction(lam), -theta)


@lru_cache(maxsize=100_000)
def monomial_pair(exponents, costs):
    """½·min v·costs over v ≥ 0 with v·a ≥ 1 for all exponents, and 1 + dim of the minimisers."""
    used = [i for i in range(len(costs)) if any(a[i] for a in exponents)]
    rows = {tuple(a[i] for i in used) for a in exponents}
    rows = [a for a in rows if not any(b != a and below(b, a) for b in rows)]
    units = [tuple(int(i == k) for k in range(len(used))) for i in range(len(used))]
    conditions = [(a, 1) for a in rows] + [(u, 0) for u in units]
    best, vertices = None, []
    for tight in itertools.combinations(conditions, len(used)):
        v = solution(tight)
        if v is None or any(dot(v, a) < b for a, b in conditions):
            continue
        cost = sum(x * costs[i] for x, i in zip(v, used, strict=True))
        if best is None or cost < best:
            best, vertices = cost, []
        if cost == best and v not in vertices:
            vertices.append(v)
    rank = row_rank([[x - y for x, y in zip(v, vertices[0], strict=True)] for v in vertices])
    return best / 2, 1 + rank


def below(a, b):
    """Whether a monomial divides another."""
    return all(x <= y for x, y in zip(a, b, strict=True))


def dot(v, a):
    """Scalar product."""
    return sum(x * y for x, y in zip(v, a, strict=True))


def solution(equations):
    """The only solution of linear equations, None if there is none or more."""
    rows = [[*map(Fraction, a), Fraction(b)] for a, b in equations]
    size = len(rows)
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return tuple(row[-1] for row in rows)


def row_rank(rows):
    """Rank of a matrix."""
    rows = [list(row) for row in rows if any(row)]
    rank = 0
    while rows:
        pivot = rows.pop()
        k = next(i for i, x in enumerate(pivot) if x)
        rank += 1
        rows = [
            [x - row[k] / pivot[k] * y for x, y in zip(row, pivot, strict=True)] for row in rows
        ]
        rows = [row for row in rows if any(row)]
    return rank


@dataclass(frozen=True)
class Zero:
    """A zero of the generators, with the pair of K = Σ g² there."""

    point: tuple
    pair: tuple


@dataclass(frozen=True)
class Known:
    """An ideal with a prior on a box; `least` is no more than the pair at any zero in the box.

    Moreover `zeros` are some in the box, of which one has `least` if `sharp`.
    """

    generators: tuple
    prior: tuple
    sides: tuple
    is_ideal: bool
    least: tuple
    zeros: tuple
    sharp: bool
    hints: tuple = ()
    squares: tuple = ()
    factors: tuple = ()

    def document(self, proof, claim):
        """A document about the least pair over the box."""
        names = ["x", "y", "z", "w"][: len(self.prior)]
        question = {
            "kind": "box",
            "ideal": self.is_ideal,
            "variables": names,
            "generators": [written(g) for g in self.generators],
            "prior": [str(h) for h in self.prior],
            "sides": [[str(a), str(b)] for a, b in self.sides],
        }
        parts = {"question": question, "claim": claim, "proof": proof}
        return {"schema": "rlct/1", "kind": "certificate", **parts}


def drawn_product(rng, width, even):
    """Exponents of factors y_i − a: a dictionary from (i, a)."""
    product = {}
    for i in rng.sample(range(width), rng.randint(1, min(width, 2))):
        for a in set(rng.choices(ROOTS, k=rng.choice((1, 1, 2)))):
            product[i, a] = 2 if even else rng.choice((1, 1, 1, 2, 2, 3))
    return product


def drawn_ideal(rng, width):
    """Generators as lists of products; sometimes all of one degree in two variables."""
    if width > 1 and rng.random() < (0.5 if width == 4 else 0.3):
        i, j = rng.sample(range(width), 2)
        a, b = rng.choice(ROOTS[3:]), rng.choice((*ROOTS, *[Fraction(0)] * 4))
        degree = rng.choice((2, 2, 2, 3))
        rows = [{(i, a): degree - k, (j, b): k} for k in range(degree + 1)]
        return [[{key: e for key, e in row.items() if e}] for row in rows]
    if width > 1 and rng.random() < 0.08:
        found = [[{(i, Fraction(0)): 2} for i in rng.sample(range(width), rng.choice((2, width)))]]
        return [*found, *([[drawn_product(rng, width, False)]] if rng.random() < 0.5 else [])]
    found = []
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        even = rng.random() < 0.15
        found.append([drawn_product(rng, width, even) for _ in range(1 + even)])
    return found


def expanded(product, coordinates):
    """The polynomial of a product in the variables."""
    width = len(coordinates)
    total = {(0,) * width: Fraction(1)}
    for (i, a), e in product.items():
        factor = plus(coordinates[i], {(0,) * width: Fraction(1)}, -a)
        for _ in range(e):
            total = times(total, factor)
    return total


def hyperbola(i, k, number, width):
    """The coordinate x_i·x_k − number, of which no zero is critical."""
    m = tuple(int(n in (i, k)) for n in range(width))
    return {m: Fraction(1), (0,) * width: -number}


def drawn_coordinates(rng, width, prior):
    """Coordinates y_i = x_i − r_i(earlier x), and the r_i that are not 0."""
    one = [tuple(int(k == i) for k in range(width)) for i in range(width)]
    coordinates, shears = [{m: Fraction(1)} for m in one], {}
    order = rng.sample(range(width), width)
    if width > 1 and rng.random() < 0.4:
        for n, i in enumerate(order[1:], 1):
            if prior[i] or rng.random() < 0.4:
                continue
            m = [0] * width
            for _ in range(rng.choice((1, 1, 2))):
                m[rng.choice(order[:n])] += 1
            shears[i] = {tuple(m): Fraction(rng.choice((1, -1, 2)))}
            coordinates[i] = plus(coordinates[i], shears[i], -1)
    return order, coordinates, shears


def types_of_points(rng, products, prior, sides):
    """For each coordinate the values at which it matters, and one at which it does not."""
    rows = []
    for i, h in enumerate(prior):
        roots = {a for g in products for t in g for (k, a) in t if k == i}
        roots |= {Fraction(0)} if h else set()
        if sides:
            roots = {a for a in roots if sides[i][0] <= a <= sides[i][1]}
        generic = [a for a in GENERIC if a not in roots]
        if sides:
            generic = [a for a in generic if sides[i][0] < a < sides[i][1]]
        rows.append([*sorted(roots), rng.choice(generic)])
    return itertools.product(*rows)


def pair_at(products, prior, y):
    """Pair of K = Σ g² at a point of the y, None if it is no zero."""
    exponents = set()
    for terms in products:
        for t in terms:
            a = tuple(t.get((i, x), 0) for i, x in enumerate(y))
            if not any(a):
                return None
            exponents.add(a)
    costs = tuple(1 + (h if x == 0 else 0) for h, x in zip(prior, y, strict=True))
    return monomial_pair(frozenset(exponents), costs)


def drawn(rng, width=None, space=False):
    """Draw a question that has a zero; over all of space, with h ≥ 0, for a cell."""
    while True:
        found = _drawn(rng, width or rng.choice((1, 1, 2, 2, 3, 3, 4)), space)
        if found is not None:
            return found


def _drawn(rng, width, space):
    priors = PRIORS if rng.random() < 0.5 else [Fraction(0)]
    prior = tuple(rng.choice(priors) for _ in range(width))
    if space:
        prior = tuple(max(h, Fraction(0)) for h in prior)
    order, coordinates, shears = drawn_coordinates(rng, width, prior)
    if shears and min(prior) < 0:
        return None
    products = drawn_ideal(rng, width)
    curve = drawn_curve(rng, products, prior) if not shears else None
    if curve:
        coordinates[curve[0]] = hyperbola(*curve, width)
    whole = (Fraction(-12), Fraction(12))
    sides = tuple(whole if shears or curve else rng.choice(SIDES) for _ in range(width))
    zeros = []
    for y in types_of_points(rng, products, prior, None if shears or curve or space else sides):
        pair = pair_at(products, prior, y)
        if pair is not None:
            zeros.append((y, pair))
    if not zeros:
        return None
    generators = []
    for terms in products:
        g = {}
        for t in terms:
            g = plus(g, expanded(t, coordinates), rng.choice((1, 1, 2)))
        generators.append(g)
    generators = mixed(rng, generators, width)
    if not all(generators) or sum(map(len, generators)) > MOST_TERMS:
        return None
    if max(sum(m) for g in generators for m in g) > HIGHEST:
        return None
    least = min((pair for _, pair in zeros), key=key)
    places = []
    if curve and space:
        return None
    for y, pair in zeros:
        x = placed(y, order, shears)
        if curve and (x := on_curve(rng, x, curve)) is None:
            continue
        inside = all(a < c < b for c, (a, b) in zip(x, sides, strict=True))
        if space or inside or not (shears or curve):
            places.append(Zero(x, pair))
    is_ideal = len(generators) > 1 or rng.random() < 0.8
    hints = tuple((i, {m: -c for m, c in r.items()}) for i, r in shears.items())
    if curve:
        hints = ()
    centres = {place for terms in products for t in terms for place in t}
    hints += tuple((i, {(0,) * width: -a}) for i, a in sorted(centres) if a)
    sharp = any(zero.pair == least for zero in places)
    squares = ()
    if is_ideal and not space and rng.random() < 0.05:
        squares = tuple((rng.choice((1, 2)), g) for g in generators)
        total = {}
        for c, g in squares:
            total = plus(total, times(g, g), c)
        generators, is_ideal = [total], False
    entries = (tuple(generators), prior, sides, is_ideal, least, tuple(places), sharp, hints)
    factors = ()
    if len(products) == len(products[0]) == 1 and not squares:
        factors = tuple((expanded({k: 1}, coordinates), e) for k, e in products[0][0].items())
    return Known(*entries, squares, factors)


def drawn_curve(rng, products, prior):
    """A variable with the only root 0, one that no product has, and a number; or None."""
    roots = {place for terms in products for t in terms for place in t}
    used = {i for i, _ in roots}
    free = [k for k in range(len(prior)) if k not in used and not prior[k]]
    simple = [i for i in used if {a for k, a in roots if k == i} == {0} and not prior[i]]
    if not free or not simple or rng.random() < 0.5:
        return None
    return rng.choice(simple), rng.choice(free), Fraction(rng.choice((1, -1, 2)))


def on_curve(rng, y, curve):
    """A point where x_i·x_k less the number is y_i; None if there is none with x_i ≠ 0."""
    i, k, number = curve
    if not y[i] + number:
        return None
    x = list(y)
    x[i] = rng.choice((Fraction(1), Fraction(-1), Fraction(2)))
    x[k] = (y[i] + number) / x[i]
    return tuple(x)


def mixed(rng, generators, width):
    """Other generators of the same ideal: multiples added, or a unit that has no real zero."""
    generators = list(generators)
    if len(generators) > 1 and rng.random() < 0.4:
        i, j = rng.sample(range(len(generators)), 2)
        m = tuple(rng.choice((0, 0, 0, 1)) for _ in range(width))
        factor = {m: Fraction(rng.choice((1, -1, 2)))}
        generators[i] = plus(generators[i], times(factor, generators[j]))
    if rng.random() < 0.15:
        k, square = rng.randrange(len(generators)), [0] * width
        square[rng.randrange(width)] = 2
        unit = {(0,) * width: Fraction(1), tuple(square): Fraction(1)}
        generators[k] = times(generators[k], unit)
    rng.shuffle(generators)
    return generators


def placed(y, order, shears):
    """The point x of coordinates y."""
    x = list(y)
    for i in order:
        if i in shears:
            x[i] = y[i] + value(shears[i], [x[k] for k in range(len(x))])
    return tuple(x)
