"""Generators that are sums of units times monomials on a whole cell."""

from fractions import Fraction

from rlct.algebra.polynomial import Polynomial, to_fraction
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.newton_polyhedra.independent import IndependentForms
from rlct.pair import Pair
from rlct.proof.tree import Proof

Exponent = tuple[int, ...]


def independent_leaf(cell: LiteralCell) -> tuple[Proof, Pair | None] | None:
    """The bound of the programme of `independent_ideal` at all zeros of a cell, and that at 0.

    If generators are Σ_j u_kj·x^a_kj with u_kj ≠ 0 on the cell, and the vectors a_kj − a_k0 are
    independent in the variables that are 0 on it (``theory/independent.md``).
    """
    unit_terms = {
        k: terms for k, g in enumerate(cell.generators) if (terms := _unit_terms(cell, g))
    }
    at_origin = not cell.nonzero and all(_constant(u) for u in cell.units)
    # A unit that is no number may change its sign on the cell, which 0 stands for.
    forms = {
        k: {a: _constant(u) if at_origin or u.is_ground else Fraction(0) for a, u in terms.items()}
        for k, terms in unit_terms.items()
    }
    independent = IndependentForms(forms, cell.prior, sorted(cell.zeros))
    exponents = [list(g.itermonoms()) for g in cell.generators]
    bound = independent.bound(exponents if at_origin else None)
    if bound is None:
        return None
    pair, data, attained = bound
    data.pop("attained", None)
    return Proof("independent", pair, None, data), pair if attained else None


def _unit_terms(cell: LiteralCell, g: Polynomial) -> dict[Exponent, Polynomial] | None:
    """Exponents a and units u of the cell with g = Σ u·x^a, up to multiples that vanish on it."""
    unit_terms: dict[Exponent, Polynomial] = {}
    other_exponents = []
    for local, part in cell.local_parts(g).items():
        least = map(min, zip(*part.itermonoms(), strict=True))
        common = tuple(0 if i in cell.nonzero else e for i, e in enumerate(least))
        whole = tuple(a + b for a, b in zip(local, common, strict=True))
        unit = cell.ring.from_dict(
            {tuple(a - b for a, b in zip(m, common, strict=True)): c for m, c in part.terms()}
        )
        if cell.is_unit(unit):
            unit_terms[whole] = unit
        else:
            other_exponents.append(whole)
    minimal = {
        a: u for a, u in unit_terms.items() if not any(_above(cell, a, b) for b in unit_terms)
    }
    if any(not any(_above(cell, a, b) for b in minimal) for a in other_exponents):
        return None
    return minimal


def _above(cell: LiteralCell, a: Exponent, b: Exponent) -> bool:
    """Whether x^a is x^b times a monomial that vanishes on the cell."""
    return all(x >= y for x, y in zip(a, b, strict=True)) and any(a[i] > b[i] for i in cell.zeros)


def _constant(p: Polynomial) -> Fraction:
    """Value at 0."""
    return to_fraction(p.coeff(1)) if p else Fraction(0)
