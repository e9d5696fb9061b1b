"""A variable that is a root of a polynomial."""

from dataclasses import replace
from fractions import Fraction

from rlct.algebra.polynomial import Polynomial, make_ring, terms_of
from rlct.engine.fibre.cells import LiteralCell


def solve_variable(cell: LiteralCell) -> tuple[dict[str, object], list[LiteralCell]] | None:
    """Each zero has x_i = one of the roots of p, which become 0 one by one.

    If a generator is p(x_i) on the cell, and p a product of powers of x − a, a rational, and of a
    polynomial whose terms have one sign (``theory/fibres.md``).
    """
    for k, g in enumerate(cell.generators):
        terms = cell.on_cell(g)
        used = {i for m in terms for i, e in enumerate(m) if e}
        if len(used) != 1:
            continue
        (i,) = used
        roots = _rational_roots({m[i]: c for m, c in terms.items()})
        inside = [a for a in roots if a or i not in cell.nonzero]
        if inside:
            data = {"generator": k, "variable": i, "roots": [str(a) for a in roots]}
            return data, [_moved(cell, i, a) for a in inside]
    return None


def _rational_roots(terms: dict[int, object]) -> list[Fraction]:
    """All real roots, if they are rational as far as factors show; else none."""
    ring = make_ring(["x"])
    roots = []
    for factor, _ in ring.from_dict({(e,): c for e, c in terms.items()}).factor_list()[1]:
        if factor.degree() == 1:
            numbers = terms_of(factor)
            roots.append(-numbers.get((0,), Fraction(0)) / numbers[(1,)])
        elif not _one_signed(factor):
            return []
    return roots


def _one_signed(p: Polynomial) -> bool:
    """Terms of one sign on each half of the line, one of them a number."""
    return (0,) in p and all(c * p[(0,)] > 0 and not m[0] % 2 for m, c in p.terms())


def _moved(cell: LiteralCell, i: int, a: Fraction) -> LiteralCell:
    """The part with x_i = a, measured from there."""
    ring = cell.ring
    x, value = ring.gens[i], ring.domain(a.numerator, a.denominator)
    generators, units = (
        tuple(g.compose([(x, x + value)]) if a else g for g in polynomials)
        for polynomials in (cell.generators, cell.units)
    )
    return replace(
        cell,
        generators=generators,
        units=units,
        prior=tuple(Fraction(0) if n == i and a else h for n, h in enumerate(cell.prior)),
        zeros=cell.zeros | {i},
        nonzero=cell.nonzero - {i},
        values=cell.valued(i, a),
    )
