"""The Newton polyhedron of an ideal, described for people and for scripts."""

from collections.abc import Sequence
from typing import Any

from rlct.algebra.polynomial import terms_of
from rlct.blowup.writing import polynomial_text
from rlct.errors import InputError
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import FaceZeros, face_zeros
from rlct.newton.polyhedron import Face, TooManyFacesError, compact_faces, principal_face, vertices
from rlct.questions.problem import Problem
from rlct.report.question import square_subject

_MOST_FACES = 2_000  # that are listed
_LONGEST_GENERATORS = 100  # characters of the generators


def describe_polyhedron(problem: Problem) -> dict[str, Any]:
    """Vertices, linear programme and faces of a problem at its point, JSON-able.

    The polyhedron is that of the squares of K where these are seen, else that of K itself.  Where
    there are too many faces to be listed, ``note`` says so; the programme needs none of them.
    InputError if the point has irrational coordinates.
    """
    if problem.field is not None:
        raise InputError("the polyhedron is shown for rational coordinates and coefficients only")
    germ = problem.germ()
    generators = [terms_of(g) for g in germ.generators]
    exponents = sorted(set().union(*generators))
    optimum = monomial_optimum(exponents, germ.prior)
    principal_rows = set(principal_face(exponents, optimum))
    faces: list[dict[str, Any]] = []
    listed: Sequence[Face] = []
    note = ""
    try:
        listed = compact_faces(exponents, limit=_MOST_FACES)
    except TooManyFacesError as error:
        note = f"{error}: they are not listed"
    for face in listed:
        verdict = face_zeros(generators, face)
        faces.append(
            {
                "exponents": [list(exponents[row]) for row in face.rows],
                "dimension": face.dimension,
                "weight": list(face.weight),
                "on_ray": principal_rows.issuperset(face.rows),
                "zeros": _zeros(verdict),
            }
        )
    return {
        "schema": "rlct/1",
        "kind": "newton",
        "question": "ideal" if germ.is_ideal else "K",
        "variables": list(problem.variables),
        "generators": [polynomial_text({**g}, problem.variables) for g in generators],
        "ray": [str(1 + h) for h in germ.prior],
        "exponents": [list(e) for e in exponents],
        "vertices": [list(exponents[row]) for row in vertices(exponents)],
        "weights": [[str(x) for x in point] for point in optimum.points],
        "distance": str(1 / (2 * optimum.pair.lam)),
        # The programme is that of Σ f²; K is comparable with one |f|.
        "lambda_polyhedron": str(optimum.pair.lam * (1 if germ.is_ideal else 2)),
        "theta_polyhedron": optimum.pair.theta,
        "faces": faces,
        "note": note,
    }


def _zeros(verdict: FaceZeros | None) -> str:
    if verdict is None:
        return "undecided"
    if verdict.threshold is None:
        return "none"
    if "order" in verdict.evidence:
        return f"of order at most {verdict.evidence['order']}"
    return f"smooth, of rank {verdict.evidence['rank']}"


def polyhedron_text(polyhedron: dict[str, Any]) -> str:
    """Lines for a terminal."""
    names, germ = (", ".join(polyhedron[key]) for key in ("variables", "generators"))
    if len(germ) > _LONGEST_GENERATORS:
        germ = f"{germ[:_LONGEST_GENERATORS]}…"
    lines = [
        f"variables    {names}",
        f"{'K' if polyhedron['question'] == 'K' else 'generators':13}{germ}",
        f"vertices     {'  '.join(_tuple(v) for v in polyhedron['vertices'])}",
        f"polyhedron   λ = {polyhedron['lambda_polyhedron']}, "
        f"θ = {polyhedron['theta_polyhedron']} for {polyhedron_subject(polyhedron)} "
        "if non-degenerate on every compact face (no common real zero off the coordinate planes)",
    ]
    for k, weight in enumerate(polyhedron["weights"]):
        lines.append(f"{'weights' if k == 0 else '':13}({', '.join(weight)})")
    if polyhedron["note"]:
        return "\n".join([*lines, f"{'note':13}{polyhedron['note']}"])
    lines.append("compact faces: dimension, weight; exponents; real zeros with no coordinate 0")
    enters = f"  <- in the face that the ray t·({','.join(polyhedron['ray'])}) meets"
    for face in polyhedron["faces"]:
        ray = enters if face["on_ray"] else ""
        points = " ".join(_tuple(e) for e in face["exponents"])
        lines.append(
            f"  dim {face['dimension']}  {_tuple(face['weight'])}; {points}; {face['zeros']}{ray}"
        )
    return "\n".join(lines)


def polyhedron_subject(polyhedron: dict[str, Any]) -> str:
    """What λ of the polyhedron is of: K itself, or K of generators."""
    return "K" if polyhedron["question"] == "K" else square_subject(len(polyhedron["generators"]))


def _tuple(values: list[int]) -> str:
    return f"({','.join(map(str, values))})"
