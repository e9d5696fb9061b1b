"""Newton polyhedra over a real number field: faces that signs, edges or simplices decide."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.algebra.number_field import NumberField
from rlct.algebra.real_algebraic import AlgebraicNumber, number_of
from rlct.engine import limits
from rlct.engine.newton_polyhedra.newton import proof_by_faces
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import (
    FaceZeros,
    initial_forms,
    sign_change,
    torus_coordinates,
    zeros_on_edge,
)
from rlct.newton.polyhedron import Face
from rlct.newton.univariate import add_orders, gcd_over_field, nonzero_real_roots, without_zero
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Terms = Mapping[tuple[int, ...], AlgebraicNumber]
Places = dict[tuple[int, ...], tuple[int, ...]]


def newton_polyhedron_over_field(germ: Germ) -> Proof | None:
    """λ ≤ λ_N of the ideal of all terms, and λ ≥ the least of λ_N and 1/(2k) at zeros on faces.

    Condition: three variables and more over a field, all compact faces decided;
    ``theory/newton.md`` proves it.

    As `rlct.engine.newton_polyhedra.newton`, but a face of dimension two and more is decided only
    if a form on it has one sign, or the only form has affinely independent exponents.  Then some
    rational combination of the form and its t_j ∂/∂t_j is one of its terms, so its zeros are
    smooth.
    """
    field = germ.field
    if (
        field is None
        or germ.ring.ngens == 2
        or sum(map(len, germ.generators)) > limits.MOST_NEWTON_TERMS_OVER_FIELD
    ):
        return None
    generators = [
        {
            tuple(map(int, m)): AlgebraicNumber(field, number_of(c, field.degree))
            for m, c in g.terms()
        }
        for g in germ.generators
    ]
    exponents = sorted(set().union(*generators))
    optimum = monomial_optimum(exponents, germ.prior)
    single = {next(iter(g)) for g in generators if len(g) == 1}
    return proof_by_faces(
        germ,
        optimum,
        exponents,
        single,
        limits.MOST_FACES_OVER_FIELD,
        lambda face: _face(generators, face, field),
    )


def _face(generators: list[Any], face: Face, field: NumberField) -> FaceZeros | None:
    forms: list[Terms] = [*initial_forms(generators, face.weight)]
    if any(_one_signed(form) for form in forms):
        return FaceZeros(face, None, False)
    basis, where = torus_coordinates(forms)
    if face.dimension == 1:
        return _edge(forms, where, face, field)
    if len(forms) > 1 or len(where) != face.dimension + 1:
        return None
    coordinates = [list(c) for c in where.values()]
    return _simplex(forms[0], where, face, {"basis": basis, "coordinates": coordinates})


def _one_signed(form: Terms) -> bool:
    (first, c), *later_terms = form.items()
    return all(
        (d * c).sign > 0 and all((a - b) % 2 == 0 for a, b in zip(first, m, strict=True))
        for m, d in later_terms
    )


def _edge(
    forms: list[Terms],
    coordinates: dict[tuple[int, ...], tuple[int, ...]],
    face: Face,
    field: NumberField,
) -> FaceZeros:
    """Highest order of a common real zero of the forms in t = x^u."""
    common_factor: list[Any] = []
    for form in forms:
        places = {coordinates[m][0]: c for m, c in form.items()}
        low, high = min(places), max(places)
        bottom = 1
        for c in places.values():
            bottom *= c.value.bottom
        dense = [
            tuple(e * (bottom // places[k].value.bottom) for e in places[k].value.top)
            if k in places
            else field.integer(0)
            for k in range(low, high + 1)
        ]
        common_factor = gcd_over_field(field, without_zero(dense), common_factor)
    order = max(
        [0]
        + [e for p, e in add_orders(field, [], common_factor, 1) if nonzero_real_roots(field, p)]
    )
    return zeros_on_edge(face, order)


def _simplex(form: Terms, where: Places, face: Face, data: dict[str, Any]) -> FaceZeros:
    """λ_0 f + Σ λ_j t_j ∂f/∂t_j is the first term of f where λ solves a linear system."""
    points = sorted(form)
    size = len(points)
    low = [min(where[m][j] for m in points) for j in range(size - 1)]
    rows = [[1, *(e - a for e, a in zip(where[m], low, strict=True))] for m in points]
    matrix = DomainMatrix([[QQ(x) for x in row] for row in rows], (size, size), QQ)
    right = DomainMatrix([[QQ(int(i == 0))] for i in range(size)], (size, 1), QQ)
    solution = [row[0] for row in matrix.lu_solve(right).to_list()]
    origin = [0] * (size - 1)
    cofactors = [[[str(x), origin]] if x else [] for x in solution]
    evidence: dict[str, Any] = {"weight": list(face.weight), **data}
    evidence |= {"cofactors": cofactors, "rank": 1}
    sign_points = sign_change(form)
    if sign_points is not None:
        evidence["signs"] = [[str(v) for v in point] for point in sign_points]
    return FaceZeros(face, Fraction(1, 2), None if sign_points is None else True, evidence)
