"""Zeros carried from the question to every cell of a tree, by the mathematics of each rule.

A rule says that the pair at each zero of a cell is at least that of some zero of a child.  Here it
is computed which: no line of the checker's rules is used.  So a bound at any node of a tree is
compared with pairs that are known, and not only the bound at its root.
"""

from fractions import Fraction

from derivations import REFUSALS
from known_pairs import key, value

from rlct.certificate.numbers.arithmetic import read_polynomial


class NotCarriedError(Exception):
    """The zero belongs to another child, or its image is not rational."""


def carried(point, step):
    """The image of a zero of a cell in one child of a step."""
    data, p, n = step.data, list(point), step.child
    if step.rule in ("change", "cover"):
        width = len(p)
        read = {k: read_polynomial(data[k], width) for k in ("scale", "shift") if k in data}
        if step.rule == "change":
            i = data["variable"]
            p[i] = value(read["scale"], p) * p[i] + value(read["shift"], p)
            return p
        units = [u for u, image in zip(data["units"], data["images"], strict=True) if image is None]
        if not value(read_polynomial(units[n], width), p):
            raise NotCarriedError
        return p
    return {
        "subtract": lambda: p,
        "branch": lambda: branched(p, data, n),
        "solve": lambda: solved(p, step),
        "contract": lambda: [0 if w > 0 else x for w, x in zip(data["weights"], p, strict=True)],
        "normalise": lambda: normalised(p, data, n),
        "slide": lambda: slid(p, data),
        "rotate": lambda: rotated(p, data),
    }[step.rule]()


def branched(p, data, n):
    """The first child has x ≠ 0, and the second x = 0."""
    if (p[data["variable"]] == 0) != (n == 1):
        raise NotCarriedError
    return p


def solved(p, step):
    """Each child has one root, as a zero; the root 0 has none where x ≠ 0."""
    i = step.data["variable"]
    roots = [Fraction(a) for a in step.data["roots"]]
    if i in step.cell.nonzero:
        roots = [a for a in roots if a]
    if p[i] != roots[step.child]:
        raise NotCarriedError
    p[i] = Fraction(0)
    return p


def normalised(p, data, n):
    """The coordinates x_k·|x_i|^(−w_k/w_i), after a change of signs if x_i < 0."""
    i, w = data["variable"], data["weights"]
    if "signs" in data:
        if p[i] < 0:
            p = [-x if s else x for x, s in zip(p, data["signs"], strict=True)]
    elif (p[i] > 0) != (n == 0):
        raise NotCarriedError
    size, image = abs(p[i]), []
    for k, x in enumerate(p):
        exponent = Fraction(-w[k], w[i])
        if x and size != 1 and exponent.denominator != 1:
            raise NotCarriedError
        image.append(x * size ** int(exponent) if x and size != 1 else x)
    return image[:i] + image[i + 1 :]


def slid(p, data):
    """The point exp(−sN) p with x_j = 0."""
    j, i, width = data["variable"], data["along"], len(p)
    rows = {k: [(n, Fraction(c)) for n, c in row] for k, row in data["field"]}
    ((_, speed),) = rows[j]
    s = p[j] / (speed * p[i])
    total, power, factor = list(p), list(p), Fraction(1)
    for n in range(1, width + 1):
        power = [sum((c * power[m] for m, c in rows.get(k, ())), Fraction(0)) for k in range(width)]
        factor *= -s / n
        total = [x + factor * y for x, y in zip(total, power, strict=True)]
    if any(power) or total[j]:
        raise NotCarriedError
    return total[:j] + total[j + 1 :]


def rotated(p, data):
    """The point itself; where x_j is not 0 the turned one is seldom rational."""
    if p[data["variable"]]:
        raise NotCarriedError
    return p


def holds(cell, p):
    """Whether a point is a zero in a cell."""
    return (
        all(p[i] == 0 for i in cell.zeros)
        and all(p[i] != 0 for i in cell.nonzero)
        and all(value(u, p) for u in cell.units)
        and not any(value(g, p) for g in cell.generators)
    )


def false_nodes(known, nodes):
    """Compare the nodes of a tree with all zeros that reach them; how many, and what is false.

    `nodes` are cells with the steps that lead to them and their lower bounds.
    """
    compared, complaints = 0, []
    images = {(): [(list(zero.point), zero.pair) for zero in known.zeros]}
    for cell, way, lower in sorted(nodes, key=lambda node: len(node[1])):
        names = tuple((id(step.data), step.child) for step in way)
        if way:
            here = []
            for point, pair in images.get(names[:-1], ()):
                try:
                    here.append((carried(point, way[-1]), pair))
                except (NotCarriedError, *REFUSALS):
                    continue
            images[names] = here
        for point, pair in images[names]:
            compared += 1
            if not holds(cell, point):
                complaints.append(f"{point} is no zero in the cell after {[s.rule for s in way]}")
            elif key((lower.lam, lower.theta)) > key(pair):
                rules = [s.rule for s in way]
                complaints.append(f"{lower} at {point} after {rules}, where the pair is {pair}")
    return compared, complaints
