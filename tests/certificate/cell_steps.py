"""Evidence for steps of a cell, drawn so that the checker is likely to take it.

Each function draws the data of one rule for a cell.  A part of it, by `noise`, is drawn without
the conditions that the rule states: the checker has to refuse it.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from random import Random

from known_pairs import plus, times, written

from rlct.certificate.germs.independent import UnitCell
from rlct.certificate.numbers.arithmetic import partial_derivative, poly_quotient
from rlct.engine.germs.leaves import encode_programme
from rlct.newton.linear_program import monomial_optimum

NUMBERS = [Fraction(a) for a in (0, 1, -1, 2, "1/2", -2, 3, "-1/2")]
SMALL = [Fraction(a) for a in (1, 1, -1, 2, "1/2")]


@dataclass
class Draw:
    """The source of chance, with the part of steps that are drawn without conditions."""

    rng: Random
    noise: float = 0.0
    hints: tuple = ()

    def careless(self):
        """Whether to leave out a condition."""
        return self.rng.random() < self.noise


def unit_vector(i, width):
    """The exponents of a variable."""
    return tuple(int(k == i) for k in range(width))


def constant(c, width):
    """A number as a polynomial."""
    return {(0,) * width: Fraction(c)}


def null_space(columns):
    """A basis of the rational relations of polynomials, given by their terms."""
    pivots, relations = {}, []
    for n, column in enumerate(columns):
        bottom = lcm(*(c.denominator for c in column.values()))
        head = {m: c.numerator * (bottom // c.denominator) for m, c in column.items() if c}
        tail = {n: bottom}
        while head:
            k = next((m for m in head if m in pivots), None)
            if k is None:
                pivots[next(iter(head))] = (head, tail)
                break
            other, behind = pivots[k]
            a, b = other[k], head[k]
            head, tail = combined(head, other, a, b), combined(tail, behind, a, b)
            divisor = gcd(*head.values(), *tail.values())
            if divisor > 1:
                head = {m: c // divisor for m, c in head.items()}
                tail = {m: c // divisor for m, c in tail.items()}
        else:
            relations.append([Fraction(tail.get(k, 0)) for k in range(len(columns))])
    return relations


def combined(p, q, a, b):
    """The row a·p − b·q, in integers."""
    total = {k: a * c for k, c in p.items()}
    for k, c in q.items():
        if new := total.get(k, 0) - b * c:
            total[k] = new
        else:
            total.pop(k, None)
    return total


def drawn_relation(draw, basis, wanted=None):
    """A random relation with small integers, with a number other than 0 at `wanted`."""
    for _ in range(4):
        total = [Fraction(0)] * len(basis[0])
        for row in basis:
            c = draw.rng.choice((0, 1, 1, -1, 2))
            total = [a + c * b for a, b in zip(total, row, strict=True)]
        if any(total) and (wanted is None or total[wanted]):
            return total
    return None


def weights(draw, cell):
    """Integers under which every generator is homogeneous."""
    width = cell.width
    if draw.careless():
        return [draw.rng.choice((0, 0, 1, 1, 2, -1)) for _ in range(width)]
    columns = [{} for _ in range(width)]
    row = 0
    for g in cell.generators:
        first, *others = g
        for m in others:
            for i in range(width):
                columns[i][row] = Fraction(m[i] - first[i])
            row += 1
    basis = null_space(columns)
    relation = drawn_relation(draw, basis) if basis else None
    if relation is None:
        return None
    bottom = lcm(*(c.denominator for c in relation))
    return [int(c * bottom) for c in relation]


def contract(draw, cell):
    """Weights, at least 0 where a variable is not 0."""
    for _ in range(3):
        found = weights(draw, cell)
        if found is None:
            return None
        for sign in (1, -1):
            signed = [sign * w for w in found]
            fine = all(w >= 0 for i, w in enumerate(signed) if i not in cell.zeros)
            moves = any(w > 0 for i, w in enumerate(signed) if i not in cell.zeros)
            if moves and (fine or draw.careless()):
                return {"weights": signed}
    return None


def normalise(draw, cell):
    """Weights, a variable that is not 0, and perhaps signs."""
    found = weights(draw, cell)
    if found is None:
        return None
    candidates = [i for i in range(cell.width) if found[i] and i in cell.nonzero]
    if draw.careless():
        candidates = list(range(cell.width))
    if not candidates or cell.width == 1:
        return None
    i = draw.rng.choice(candidates)
    data = {"variable": i, "weights": found}
    if draw.rng.random() < 0.6:
        rows = list(itertools.product((0, 1), repeat=cell.width))
        draw.rng.shuffle(rows)
        polynomials = (*cell.generators, *cell.units)
        for signs in rows:
            fine = signs[i] and all(
                len({sum(s * e for s, e in zip(signs, m, strict=True)) % 2 for m in g}) == 1
                for g in polynomials
                if g
            )
            if fine or (signs[i] and draw.careless()):
                data["signs"] = list(signs)
                break
        if draw.careless():
            data["signs"] = [0] * cell.width
    return data


def slide(draw, cell):
    """A nilpotent field that keeps the span of the generators, solved for."""
    rng, width = draw.rng, cell.width
    sources = [i for i in range(width) if i in cell.nonzero or draw.careless()]
    if width < 2 or not sources:
        return None
    i = rng.choice(sources)
    free = [k for k in range(width) if k != i and (not cell.prior[k] or draw.careless())]
    if not free:
        return None
    j = rng.choice(free)
    order = rng.sample(free, rng.randint(1, len(free)))
    order = [i, *(order if j in order else [*order, j])]
    fixed = [k for k in range(width) if k not in order]
    order = rng.sample(fixed, len(fixed)) + order
    entries = [(j, i)]
    for n, k in enumerate(order):
        if k not in (i, j) and k not in fixed:
            entries += [(k, m) for m in order[:n] if rng.random() < 0.8]
    if draw.careless():
        entries.append((rng.choice((j, *free)), rng.randrange(width)))
    entries = list(dict.fromkeys(entries))
    if draw.careless():
        size = len(entries) + len(cell.generators) ** 2
        found = [draw.rng.choice((Fraction(0), Fraction(1))) for _ in range(size)]
        found[0] = Fraction(1)
    else:
        found = kept_span(draw, cell.generators, entries, 0)
    if found is None:
        return None
    rows = {}
    for (k, n), c in zip(entries, found, strict=False):
        if c:
            rows.setdefault(k, []).append([n, str(c)])
    size = len(cell.generators)
    matrix = [
        [str(-c) for c in found[len(entries) + k * size : len(entries) + (k + 1) * size]]
        for k in range(size)
    ]
    field = [[k, row] for k, row in rows.items()]
    return {"variable": j, "along": i, "field": field, "matrix": matrix}


def kept_span(draw, generators, entries, wanted):
    """Numbers c and C with Σ c·x_n ∂g/∂x_k + Σ C·g = 0, for every generator."""
    width, size = len(next(iter(generators[0]))), len(generators)
    columns = []
    for k, n in entries:
        column = {}
        for number, g in enumerate(generators):
            x = {unit_vector(n, width): Fraction(1)}
            image = times(x, partial_derivative(g, k))
            column |= {(number, m): c for m, c in image.items()}
        columns.append(column)
    for k, n in itertools.product(range(size), repeat=2):
        columns.append({(k, m): c for m, c in generators[n].items()})
    basis = null_space(columns)
    return drawn_relation(draw, basis, wanted) if basis else None


def rotate(draw, cell):
    """A plane that turns, perhaps with another one."""
    rng, width = draw.rng, cell.width
    if width < 2:
        return None
    chosen = rng.sample(range(width), width)
    pairs = [(chosen[0], chosen[1])]
    if width == 4 and rng.random() < 0.5:
        pairs.append((chosen[2], chosen[3]))
    columns = []
    for k, n in pairs:
        column = {}
        for number, g in enumerate(cell.generators):
            ahead = times({unit_vector(k, width): Fraction(1)}, partial_derivative(g, n))
            back = times({unit_vector(n, width): Fraction(1)}, partial_derivative(g, k))
            column |= {(number, m): c for m, c in plus(ahead, back, -1).items()}
        columns.append(column)
    basis = null_space(columns)
    relation = drawn_relation(draw, basis, 0) if basis else None
    if relation is None:
        if not draw.careless():
            return None
        relation = [Fraction(1)] * len(pairs)
    if draw.careless():
        relation = [Fraction(0)] * len(pairs)
    elif draw.careless() and width > 2:
        pairs, relation = [*pairs, (chosen[1], chosen[2])], [*relation, Fraction(1)]
    terms = zip(pairs, relation, strict=True)
    field = [[k, n, str(c)] for (k, n), c in terms if c or not relation[0]]
    i, j = pairs[0]
    return {"variable": j, "along": i, "field": field}


def subtract(draw, cell):
    """A multiple of a generator that cancels a term of another, or any."""
    operation = drawn_subtraction(draw, cell.generators)
    if draw.careless():
        k = draw.rng.randrange(len(cell.generators))
        operation = {"from": k, "subtract": k, "times": written(constant(1, cell.width))}
    return operation and {"operations": [operation]}


def drawn_subtraction(draw, generators):
    """Subtract a multiple of a generator, so that a term cancels if possible."""
    if len(generators) < 2:
        return None
    i, j = draw.rng.sample(range(len(generators)), 2)
    options = [
        (a, b)
        for a in generators[i]
        for b in generators[j]
        if all(x >= y for x, y in zip(a, b, strict=True))
    ]
    width = len(next(iter(generators[i])))
    if options and draw.rng.random() < 0.9:
        a, b = draw.rng.choice(options)
        ratio = generators[i][a] / generators[j][b]
        factor = {tuple(x - y for x, y in zip(a, b, strict=True)): ratio}
    else:
        factor = {unit_vector(draw.rng.randrange(-1, width), width): draw.rng.choice(SMALL)}
    return {"from": i, "subtract": j, "times": written(factor)}


def branch(draw, cell):
    """A variable of which nothing is known."""
    free = [i for i in range(cell.width) if i not in cell.zeros | cell.nonzero or draw.careless()]
    return {"variable": draw.rng.choice(free)} if free else None


def solve(draw, cell):
    """A generator in one variable on the cell, with its roots."""
    options = []
    for k, g in enumerate(cell.generators):
        terms = cell.on_cell(g)
        used = {i for m in terms for i, e in enumerate(m) if e}
        if len(used) == 1 or (draw.careless() and used):
            options.append((k, draw.rng.choice(sorted(used)), terms))
    if not options:
        return None
    k, i, terms = draw.rng.choice(options)
    roots = [a for a in NUMBERS if not sum(c * a ** m[i] for m, c in terms.items())]
    if draw.careless() and len(roots) > 1:
        roots.remove(draw.rng.choice(roots))
    if draw.careless():
        roots.append(draw.rng.choice(NUMBERS))
    draw.rng.shuffle(roots)
    return {"generator": k, "variable": i, "roots": [str(a) for a in roots]} if roots else None


def drawn_unit(draw, cell):
    """A polynomial that is not 0 on the cell."""
    width = cell.width
    options = [constant(draw.rng.choice(SMALL), width)]
    options += [{unit_vector(i, width): draw.rng.choice(SMALL)} for i in cell.nonzero]
    options += [u for u in cell.units if cell.on_cell(u)]
    if draw.careless():
        options.append({unit_vector(draw.rng.randrange(width), width): Fraction(1)})
    unit = draw.rng.choice(options)
    if draw.rng.random() < 0.2:
        unit = times(unit, draw.rng.choice(options))
    return unit


def drawn_shift(draw, width, i):
    """A small polynomial without a variable."""
    rng = draw.rng
    others = [k for k in range(width) if k != i or draw.careless()]
    if rng.random() < 0.5 or not others:
        return constant(rng.choice(NUMBERS[1:]), width)
    exponents = [0] * width
    for _ in range(rng.choice((1, 1, 2))):
        exponents[rng.choice(others)] += 1
    return {tuple(exponents): rng.choice(SMALL)}


def change(draw, cell):
    """Another coordinate: a generator, one of the question, or a shear, a shift, a multiple."""
    rng, width = draw.rng, cell.width
    free = [i for i in range(width) if not cell.prior[i] or draw.careless()]
    if not free:
        return None
    roll = rng.random()
    scale, shift, i = constant(1, width), {}, rng.choice(free)
    if roll < 0.3 and draw.hints:
        origin, shift = rng.choice(draw.hints)
        width_of_hint = len(next(iter(shift)))
        if width_of_hint == width or set(shift) == {(0,) * width_of_hint}:
            if origin not in cell.origin:
                return None
            i = cell.origin.index(origin)
            shift = {m[:width]: c for m, c in shift.items()}
            return {"variable": i, "scale": written(scale), "shift": written(shift)}
        shift = {}
    if 0.3 < roll < 0.5:
        linear = [
            (k, n) for k in free for n, g in enumerate(cell.generators) if max(m[k] for m in g) == 1
        ]
        if linear:
            i, n = rng.choice(linear)
            g = cell.generators[n]
            scale = {(*m[:i], 0, *m[i + 1 :]): c for m, c in g.items() if m[i]}
            shift = {m: c for m, c in g.items() if not m[i]}
            if cell.is_unit(scale) or draw.careless():
                return {"variable": i, "scale": written(scale), "shift": written(shift)}
    if rng.random() < 0.4:
        scale = drawn_unit(draw, cell)
        if any(m[i] for m in scale) and not draw.careless():
            scale = constant(1, width)
    if rng.random() < 0.8:
        shift = drawn_shift(draw, width, i)
    return {"variable": i, "scale": written(scale), "shift": written(shift)}


def cover(draw, cell):
    """Polynomials of which one is not 0, from p and 1 − p, from a generator, or a unit alone."""
    rng, width = draw.rng, cell.width
    one, none = constant(1, width), [[] for _ in cell.generators]
    roll = rng.random()
    if roll < 0.5:
        p = drawn_shift(draw, width, None)
        if rng.random() < 0.3:
            p = plus(p, drawn_shift(draw, width, None))
        rest = plus(constant(rng.choice((1, 1, -1, 2)), width), p, -1)
        units, multipliers, generators = [p, rest], [one, one], none
    elif roll < 0.8:
        k = rng.randrange(len(cell.generators))
        units, multipliers = [], []
        number = Fraction(0)
        for m, c in cell.generators[k].items():
            i = next((i for i, e in enumerate(m) if e), None)
            if i is None:
                number = c
                continue
            units.append({unit_vector(i, width): Fraction(1)})
            multipliers.append({tuple(e - (n == i) for n, e in enumerate(m)): c})
        if not number or not units:
            return None
        generators = [written(constant(-1, width)) if n == k else [] for n in range(len(none))]
    else:
        unit = {} if draw.careless() else drawn_unit(draw, cell)
        units, multipliers, generators = [unit], [one], none
        if draw.careless():
            units.append({})
            multipliers.append({})
    images = [None] * len(units)
    if len(units) > 1 and rng.random() < 0.4:
        n = rng.randrange(1, len(units))
        images[n] = rng.sample(range(width), width)
    if draw.careless():
        images[0] = list(range(width))
    return {
        "units": [written(u) for u in units],
        "multipliers": [written(h) for h in multipliers],
        "generators": generators,
        "images": images,
    }


def absent(draw, cell):
    """A generator that has no zero on the cell."""
    options = []
    for k, g in enumerate(cell.generators):
        terms = cell.on_cell(g)
        if any(all(i in cell.nonzero for i, e in enumerate(m) if e) for m in terms):
            options.append(k)
    if draw.careless():
        options = list(range(len(cell.generators)))
    return {"generator": draw.rng.choice(options)} if options else None


def fields(draw, cell):
    """Fields of degree one that move the generators at constant speeds on the cell."""
    rng, width, size = draw.rng, cell.width, len(cell.generators)
    if size > 3:
        return None
    choices = [(i, m) for i in range(width) for m in range(-1, width)]
    choices = rng.sample(choices, min(6, len(choices)))
    columns = []
    for i, m in choices:
        x = {unit_vector(m, width): Fraction(1)}
        column = {}
        for k, g in enumerate(cell.generators):
            image = cell.on_cell(times(x, partial_derivative(g, i)))
            column |= {(k, n): c for n, c in image.items()}
        columns.append(column)
    if not any((k, (0,) * width) in column for column in columns for k in range(size)):
        return None
    columns += [{(k, (0,) * width): Fraction(-1)} for k in range(size)]
    pairs = list(itertools.product(range(size), repeat=2))
    columns += [{(k, m): -c for m, c in cell.on_cell(cell.generators[n]).items()} for k, n in pairs]
    found = []
    for row in null_space(columns):
        speed = row[len(choices) : len(choices) + size]
        if any(speed):
            by_variable = {}
            for (i, m), c in zip(choices, row, strict=False):
                if c:
                    p = by_variable.get(i, {})
                    by_variable[i] = plus(p, {unit_vector(m, width): c})
            matrix = [
                [k, n, str(c)]
                for (k, n), c in zip(pairs, row[len(choices) + size :], strict=True)
                if c
            ]
            field = [[i, written(p)] for i, p in by_variable.items()]
            found.append({"speed": [str(c) for c in speed], "field": field, "matrix": matrix})
    if draw.careless():
        found.append(
            {"speed": [str(rng.choice((0, 1))) for _ in range(size)], "field": [], "matrix": []}
        )
    return {"fields": found} if found else None


def programme(exponents, prior):
    """Evidence of the linear programme of a monomial ideal."""
    rows = sorted({tuple(a) for a in exponents})
    return encode_programme(optimum(tuple(rows), tuple(prior)), [list(a) for a in rows])


_OPTIMA = {}


def optimum(rows, prior):
    """The optimum, kept for the next time."""
    if (rows, prior) not in _OPTIMA:
        _OPTIMA[rows, prior] = monomial_optimum([list(a) for a in rows], prior)
    return _OPTIMA[rows, prior]


def independent(draw, cell, everything=None):
    """The programme of some generators whose exponents are independent."""
    unit_cell = everything or UnitCell(cell.prior, cell.zeros, cell.known_units(), cell.nonzero)
    usable = {k: f for k, g in enumerate(cell.generators) if (f := unit_cell.terms(g)) is not None}
    if not usable:
        return None
    chosen = sorted(usable)
    if draw.rng.random() < 0.3:
        chosen = sorted(draw.rng.sample(chosen, draw.rng.randint(1, len(chosen))))
    if draw.rng.random() < 0.7:
        chosen = [k for k in chosen if len(usable[k]) == 1] or chosen
    mixed = [k for k in chosen if not sure(usable[k])]
    rows = {(*a, *(int(k == n) for n in mixed)) for k in chosen for a in usable[k]}
    prior = [*unit_cell.prior, *(Fraction(0) for _ in mixed)]
    if not all(any(a) for a in rows):
        return None
    data = {"generators": chosen, **programme(rows, prior)}
    if everything is not None and draw.rng.random() < 0.8:
        data["attained"] = {}
        width = len(unit_cell.prior)
        if any(Fraction(c) for w in data["weights"] for c in w[width:]):
            data["attained"] = {
                "inside": [draw.rng.choice((1, 1, 1, 2, 3)) for _ in range(width)],
                "signs": [draw.rng.choice((1, -1)) for _ in range(width)],
            }
    return data


def sure(form):
    """Whether the terms of a form cannot cancel."""
    if len(form) == 1:
        return True
    if any(any(map(any, u)) for u in form.values()):
        return False
    (first, unit), *others = form.items()
    sign = next(iter(unit.values()))
    return all(
        sign * next(iter(u.values())) > 0
        and all((x - y) % 2 == 0 for x, y in zip(first, a, strict=True))
        for a, u in others
    )


def without_unit(g):
    """A monomial and a factor that is not 0 at the origin; None if there are no such."""
    width = len(next(iter(g)))
    common = tuple(min(m[i] for m in g) for i in range(width))
    rest = poly_quotient(g, {common: Fraction(1)})
    return (common, rest) if rest and (0,) * width in rest else None


#: What leads to other cells, and what bounds all zeros of one, with how often each is tried.
INNER = {
    "subtract": (subtract, 2),
    "contract": (contract, 3),
    "normalise": (normalise, 3),
    "slide": (slide, 3),
    "rotate": (rotate, 1),
    "branch": (branch, 4),
    "solve": (solve, 6),
    "change": (change, 4),
    "cover": (cover, 1.5),
}
ENDS = {"absent": absent, "fields": fields, "independent": independent}
