"""Generators that are monomials in coordinates other than the variables."""

from fractions import Fraction
from itertools import combinations
from typing import Any

from sympy.polys.matrices import DomainMatrix

from rlct.algebra.division import exact_quotient
from rlct.algebra.polynomial import Polynomial, content_and_factors
from rlct.engine import limits
from rlct.engine.germs.family import (
    Family,
    family_of_germ,
    is_unit,
    local_terms,
    strip_monomial,
)
from rlct.engine.germs.leaves import encode_programme
from rlct.engine.germs.rule import germ_rule
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import minors
from rlct.proof.encode import encode_polynomials
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


@germ_rule("monomials", "eliminate")
def monomial_generators(germ: Germ) -> Proof | None:
    """(u_k·Π f_j^e_jk): the pair of the monomials Π y_j^e_jk, where the f_j are coordinates y_j.

    Condition: that of `monomials_of_family`; ``theory/blowups.md`` proves it.
    """
    return monomials_of_family(family_of_germ(germ))


def monomials_of_family(family: Family, stratum_equation: Polynomial | None = None) -> Proof | None:
    """Read the pair off generators u·Π f_j^e_j, where the f_j are coordinates.

    The differentials of the f_j and of the variables of the prior must be independent; the pair
    is that of the monomials, with the prior exponent of a variable on the f_j that is one.

    With `stratum_equation`, a polynomial g in the parameters, the germs are those at g = 0, where
    the caller knows dg ≠ 0, so that g is one more local coordinate.  Generators that are not
    such products are then left out, which makes the pair a lower bound.
    """
    d = len(family.prior)
    coordinates: list[Polynomial] = []
    rows: list[dict[int, int]] = []
    units: list[Polynomial] = []
    used_generators: list[int] = []
    for index, g in enumerate(family.generators):
        unit_and_factors = _product(family, g, stratum_equation)
        if unit_and_factors is None:
            if stratum_equation is None:
                return None
            continue
        unit, factors = unit_and_factors
        coordinates += [f for f in factors if f not in coordinates]
        rows.append({coordinates.index(f): e for f, e in factors.items()})
        units.append(unit)
        used_generators.append(index)
    if not used_generators or len(coordinates) > limits.MOST_COORDINATES:
        return None
    named = [_variable(f, d) for f in coordinates]
    prior_variables = [i for i, h in enumerate(family.prior) if h and i not in named]
    if not _independent(family, coordinates, prior_variables, stratum_equation):
        return None
    exponents = [[row.get(j, 0) for j in range(len(coordinates))] for row in rows]
    prior = [Fraction(0) if i is None else family.prior[i] for i in named]
    optimum = monomial_optimum(exponents, prior)
    data: dict[str, Any] = {
        "coordinates": encode_polynomials(coordinates),
        "exponents": exponents,
        "units": encode_polynomials(units),
        **encode_programme(optimum, exponents),
    }
    if stratum_equation is not None:
        data["kept"] = used_generators
    complete = len(used_generators) == len(family.generators)
    return Proof("monomials", optimum.pair, optimum.pair if complete else None, data)


def _product(
    family: Family, g: Polynomial, stratum_equation: Polynomial | None
) -> tuple[Polynomial, dict[Polynomial, int]] | None:
    """Unit and factors with exponents; None if a factor is neither a unit nor zero."""
    d = len(family.prior)
    if len(g) > limits.MOST_MONOMIALS_TERMS:
        # Too long to be factored; but a linear term is enough if the rest is a coordinate.
        low, stripped_generator = strip_monomial(g, d)
        terms = local_terms(stripped_generator, d)
        if not any(sum(m) == 1 and is_unit(c, family.units) for m, c in terms.items()):
            return None
        content, factors = g.ring.domain.one, [(stripped_generator, 1)]
        factors += [(g.ring.gens[i], e) for i, e in enumerate(low) if e]
    else:
        content, found_factors = content_and_factors(g)
        factors = list(found_factors)
    unit = g.ring.ground_new(content)
    coordinate_factors: dict[Polynomial, int] = {}
    for f, e in factors:
        constant = local_terms(f, d).get((0,) * d)
        if constant is None:
            coordinate_factors[f] = e
        elif is_unit(constant, family.units):
            unit *= f**e
        elif stratum_equation is not None and not constant.rem(stratum_equation):
            coordinate_factors[f] = e
        else:
            return None
    return unit, coordinate_factors


def _variable(f: Polynomial, locals_: int) -> int | None:
    if len(f) != 1 or sum(f.LM) != 1:
        return None
    i = f.LM.index(1)
    return i if i < locals_ else None


def _independent(
    family: Family,
    coordinates: list[Polynomial],
    prior_variables: list[int],
    stratum_equation: Polynomial | None,
) -> bool:
    """Whether the coordinates have independent differentials beside `prior_variables`."""
    d = len(family.prior)
    columns = [i for i in range(d) if i not in prior_variables]
    size = len(coordinates)
    if size > len(columns) + (stratum_equation is not None):
        return False
    matrix = []
    for f in coordinates:
        terms = local_terms(f, d)
        row = [terms.get(tuple(int(k == i) for k in range(d)), f.ring.zero) for i in columns]
        if stratum_equation is not None:
            row.append(exact_quotient(terms.get((0,) * d, f.ring.zero), stratum_equation))
        if not any(row):
            return False
        matrix.append(row)
    width = len(matrix[0]) if matrix else 0
    if all(c.is_ground for row in matrix for c in row):
        numbers = [[c.get((0,) * c.ring.ngens, c.ring.domain.zero) for c in row] for row in matrix]
        rank = DomainMatrix(numbers, (size, width), family.ring.domain).rank()
        return bool(rank == size)
    if size > 4:
        return False
    return any(
        is_unit(minors([[row[i] for i in chosen] for row in matrix], size)[0], family.units)
        for chosen in combinations(range(width), size)
    )
