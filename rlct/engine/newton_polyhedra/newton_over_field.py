"""Newton polyhedra over a real number field: faces that signs, edges or simplices decide."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.algebra.number_field import NumberField
from rlct.algebra.real_algebraic import AlgebraicNumber, number_of
from rlct.engine import limits
from rlct.engine.germs.leaves import encode_programme
from rlct.engine.newton_polyhedra.newton import bounds_of
from rlct.newton.lattice import primitive_lattice_basis
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import FaceZeros, sign_change, terms_of_order
from rlct.newton.polyhedron import Face, TooManyFacesError, iter_compact_faces, principal_face
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
    if a form on
    it has one sign, or the only form has affinely independent exponents.  Then some rational
    combination of the form and its t_j ∂/∂t_j is one of its terms, so its zeros are smooth.
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
    banned = [i for i, m in enumerate(exponents) if m in single]
    face_verdicts = []
    try:
        for face in iter_compact_faces(
            exponents, excluded_rows=banned, limit=limits.MOST_FACES_OVER_FIELD
        ):
            if face.dimension:
                verdict = _face(generators, face, field)
                if verdict is None:
                    return None
                face_verdicts.append(verdict)
    except TooManyFacesError:
        return None
    central = set(principal_face(exponents, optimum))
    bounds = bounds_of(optimum.pair, face_verdicts, central, principal=len(generators) == 1)
    data = {
        **encode_programme(optimum, [list(m) for m in exponents]),
        "faces": [v.evidence for v in face_verdicts if v.evidence],
    }
    return Proof("newton", *bounds, data)


def _face(generators: list[Any], face: Face, field: NumberField) -> FaceZeros | None:
    least = min(
        sum(w * e for w, e in zip(face.weight, m, strict=True)) for g in generators for m in g
    )
    forms: list[Terms] = [f for g in generators if (f := terms_of_order(g, face.weight, least))]
    if any(_one_signed(form) for form in forms):
        return FaceZeros(face, None, False)
    exponents = sorted(set().union(*forms))
    differences = [[a - b for a, b in zip(m, exponents[0], strict=True)] for m in exponents]
    basis, coordinates = primitive_lattice_basis(differences)
    where = {m: tuple(c) for m, c in zip(exponents, coordinates, strict=True)}
    if face.dimension == 1:
        return _edge(forms, where, face, field)
    if len(forms) > 1 or len(exponents) != face.dimension + 1:
        return None
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
    if not order:
        return FaceZeros(face, None, False)
    evidence = {"weight": list(face.weight), "rank" if order == 1 else "order": order}
    return FaceZeros(face, Fraction(1, 2 * order), True if order == 1 else None, evidence)


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
