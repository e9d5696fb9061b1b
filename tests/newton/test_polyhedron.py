"""Compact faces: a complete list, faces exposed exactly, lattices saturated."""

from itertools import combinations, product

import numpy as np
import pytest
from newton_oracles import affine_rank, rank

from rlct.errors import InputError
from rlct.newton import polyhedron
from rlct.newton.lattice import face_dimension, primitive_lattice_basis
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.polyhedron import (
    TooManyFacesError,
    compact_faces,
    iter_compact_faces,
    principal_face,
    vertices,
)

pytestmark = pytest.mark.light


def exposed(exponents, weight):
    """Rows where w·α is least."""
    values = [sum(int(w) * int(a) for w, a in zip(weight, row, strict=True)) for row in exponents]
    least = min(values)
    return tuple(i for i, value in enumerate(values) if value == least)


def random_exponents(seed, d, m, high):
    return np.random.default_rng([4, seed]).integers(0, high, (m, d)).tolist()


def brute_force_faces_3d(exponents):
    """All faces, from all cells of the arrangement of the planes w·(α − β) = 0, w > 0.

    Every cell is the hull of vertices of the arrangement within the triangle w ≥ 0,
    Σ w = 1, and the average of some three of them is in its interior.
    """
    walls = {tuple(int(i == j) for j in range(3)) for i in range(3)}
    for a, b in combinations(exponents, 2):
        difference = [x - y for x, y in zip(a, b, strict=True)]
        if any(difference):
            scale = np.gcd.reduce(difference)
            sign = next(x for x in difference if x) // abs(next(x for x in difference if x))
            walls.add(tuple(int(sign * x // scale) for x in difference))
    corners = set()
    for a, b in combinations(sorted(walls), 2):
        w = np.cross(a, b)
        w = w * (1 if w.sum() >= 0 else -1)
        if w.any() and (w >= 0).all():
            corners.add(tuple((w // np.gcd.reduce(w)).tolist()))
    corners = np.array(sorted(corners), dtype=object)
    sums = corners.sum(axis=1)
    scale = np.lcm.reduce(sums)
    corners = (corners * (scale // sums)[:, None]).astype(np.int64)  # all on one plane
    n = len(corners)
    i, j, k = (index.ravel() for index in np.meshgrid(range(n), range(n), range(n)))
    keep = (i <= j) & (j <= k)
    weights = corners[i[keep]] + corners[j[keep]] + corners[k[keep]]
    weights = weights[(weights > 0).all(axis=1)]
    values = weights @ np.array(exponents).T
    least = values == values.min(axis=1)[:, None]
    return {tuple(np.flatnonzero(row).tolist()) for row in np.unique(least, axis=0)}


def check_faces(exponents, faces):
    """Every face is exposed by its weight, and has the dimension it states."""
    for face in faces:
        assert all(type(w) is int and w > 0 for w in face.weight)
        assert exposed(exponents, face.weight) == face.rows
        assert affine_rank([exponents[i] for i in face.rows]) == face.dimension
    assert len({face.rows for face in faces}) == len(faces)


@pytest.mark.parametrize("seed", range(25))
def test_faces_are_those_of_the_arrangement(seed):
    exponents = random_exponents(seed, 3, 2 + seed % 5, 4 + seed % 3)
    faces = compact_faces(exponents)
    check_faces(exponents, faces)
    assert {face.rows for face in faces} == brute_force_faces_3d(exponents)


@pytest.mark.parametrize(
    "exponents",
    [
        [[2, 0, 0], [1, 1, 1], [0, 2, 2], [0, 4, 0]],  # (x + yz)² + y⁴
        [[1, 0, 0], [0, 1, 1], [0, 2, 0]],
        [[1, 1, 1]],
        [[0, 0, 0], [1, 0, 0]],
        [[1, 0, 0], [0, 1, 0]],
        [[2, 0, 0], [1, 1, 0], [0, 2, 0], [0, 0, 2], [1, 0, 1], [0, 1, 1]],
        [[3, 1, 0], [3, 1, 0], [4, 1, 0], [0, 2, 5]],
    ],
)
def test_degenerate_polyhedra(exponents):
    faces = compact_faces(exponents)
    check_faces(exponents, faces)
    assert {face.rows for face in faces} == brute_force_faces_3d(exponents)


def test_the_faces_that_positive_facet_normals_miss():
    # No facet of (x + yz)² + y⁴ has a positive normal, yet there are compact edges.
    faces = {
        f.rows: f.dimension for f in compact_faces([[2, 0, 0], [1, 1, 1], [0, 2, 2], [0, 4, 0]])
    }
    assert faces[(0, 1, 2)] == 1
    assert faces == {(0,): 0, (2,): 0, (3,): 0, (0, 1, 2): 1, (0, 3): 1, (2, 3): 1, (0, 1, 2, 3): 2}


@pytest.mark.parametrize("seed", range(12))
def test_random_and_small_weights_hit_listed_faces(seed):
    d = 4 + seed % 3
    exponents = random_exponents(seed, d, 10 + seed, 3 + seed % 4)
    faces = compact_faces(exponents)
    check_faces(exponents, faces)
    listed = {face.rows for face in faces}
    rng = np.random.default_rng([5, seed])
    weights = [rng.integers(1, high, d) for high in (3, 5, 1000) for _ in range(300)]
    weights += list(product((1, 2, 3), repeat=d))[:800]
    for weight in weights:
        assert exposed(exponents, weight) in listed


@pytest.mark.parametrize("seed", range(15))
def test_both_searches_list_the_same_faces(seed, monkeypatch):
    exponents = random_exponents(100 + seed, 2 + seed % 4, 6 + seed % 5, 3 + seed % 3)
    faces = compact_faces(exponents)
    excluding = [seed % len(exponents)]
    pruned = compact_faces(exponents, excluded_rows=excluding)
    monkeypatch.setattr(polyhedron, "_MOST_RAYS", 0)
    again = compact_faces(exponents)
    check_faces(exponents, again)
    assert {f.rows for f in again} == {f.rows for f in faces}
    assert {f.rows for f in pruned} == {f.rows for f in faces if not set(f.rows) & set(excluding)}
    assert {f.rows for f in compact_faces(exponents, excluded_rows=excluding)} == {
        f.rows for f in pruned
    }


def test_excluded_rows_still_shape_the_polyhedron():
    exponents = [[4, 0], [1, 1], [0, 4]]  # without (1, 1) the edge (4,0)–(0,4) would be a face
    assert [f.rows for f in compact_faces(exponents, excluded_rows=[1])] == [(0,), (2,)]
    # a repeated row is on the faces of its copy
    assert compact_faces([[1, 1], [1, 1]], excluded_rows=[1]) == []


def test_a_crowded_polyhedron():
    rng = np.random.default_rng(6)
    exponents = rng.integers(0, 9, (60, 6)).tolist()
    faces = compact_faces(exponents)
    assert len(faces) > 500
    listed = {face.rows for face in faces}
    for _ in range(300):
        assert exposed(exponents, rng.integers(1, 50, 6)) in listed


def test_too_many_faces():
    exponents = random_exponents(1, 4, 12, 5)
    total = len(compact_faces(exponents))
    assert len(compact_faces(exponents, limit=total)) == total
    with pytest.raises(TooManyFacesError, match=f"more than {total - 1}"):
        compact_faces(exponents, limit=total - 1)
    assert next(iter_compact_faces(exponents, limit=1)).dimension == 0


def test_huge_exponents_have_exact_faces():
    big = 10**18
    faces = compact_faces([[2 * big, 0], [big, 1], [0, 2]])
    assert {f.rows for f in faces} == {(0,), (2,), (0, 1, 2)}
    faces = compact_faces([[2 * big + 1, 0], [big, 1], [0, 2]])
    assert {f.rows for f in faces} == {(0,), (1,), (2,), (0, 1), (1, 2)}
    assert vertices([[2 * big, 0], [big, 1], [0, 2]]) == [0, 2]


@pytest.mark.parametrize("seed", range(15))
def test_vertices_are_the_faces_of_dimension_zero(seed):
    exponents = random_exponents(200 + seed, 2 + seed % 4, 12, 5)
    expected = sorted(f.rows[0] for f in compact_faces(exponents) if f.dimension == 0)
    assert vertices(exponents) == expected


@pytest.mark.parametrize("seed", range(60))
def test_lattice_basis_is_saturated(seed):
    rng = np.random.default_rng([7, seed])
    n, d = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    differences = (rng.integers(-4, 5, (n, d)) * int(rng.integers(1, 4))).tolist()
    basis, coordinates = primitive_lattice_basis(differences)
    assert len(basis) == rank(differences)
    if not basis:
        assert not any(any(row) for row in differences)
        return
    assert (np.array(coordinates) @ np.array(basis) == np.array(differences)).all()
    # Saturated: the gcd of the maximal minors is 1.
    k = len(basis)
    minors = [
        round(np.linalg.det(np.array(basis)[:, list(columns)]))
        for columns in combinations(range(d), k)
    ]
    assert np.gcd.reduce(minors) == 1


def test_face_dimension():
    assert face_dimension([[3, 1]]) == 0
    assert face_dimension([[2, 0, 0], [0, 2, 0], [1, 1, 0]]) == 1
    assert face_dimension([[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0]]) == 2


@pytest.mark.parametrize(
    ("exponents", "prior", "rows"),
    [
        ([[2, 0], [1, 1], [0, 3]], (0, 0), (1,)),
        ([[2, 0], [1, 1], [0, 3]], (1, 0), (0, 1)),
        ([[1, 0, 0], [0, 2, 0], [0, 0, 3]], (0, 0, 0), (0, 1, 2)),
        ([[1, 1], [1, 1], [2, 1]], (0, 0), (0, 1)),
    ],
)
def test_principal_face(exponents, prior, rows):
    assert principal_face(exponents, monomial_optimum(exponents, prior)) == rows


@pytest.mark.parametrize("bad", [[[1, -1]], [[0.5, 1]], [], [[1], [1, 2]]])
def test_bad_input(bad):
    with pytest.raises(InputError):
        compact_faces(bad)


def test_excluding_an_unknown_row():
    with pytest.raises(InputError, match="excluded_rows"):
        compact_faces([[1, 2]], excluded_rows=[1])
