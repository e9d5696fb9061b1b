"""Pieces of the weights next to given ones on which a ReLU network on data is a polynomial."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, Final

from rlct.algebra.exact_rank import dot_product, kernel_basis, matrix_rank
from rlct.errors import InputError
from rlct.models.kit.dichotomies import dichotomies
from rlct.models.relu_networks.relu import ReluNetwork

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

Vector = tuple[Fraction, ...]
Cone = tuple[Vector, ...]
_MOST_CHAMBERS: Final = 64  # pieces, each a question for the engine


def chambers(network: ReluNetwork) -> list[Problem | None]:
    """Return the polynomial question on each piece of a neighbourhood of the weights.

    None stands for a piece on which K is 0.

    The hyperplanes w_j·z = 0 of the inputs z on boundaries cut the weights of unit j into cones,
    which are cut into simplicial ones.  On each, w_j = w_j* + Σ t_i r_i + Σ u_l k_l with the rays
    r_i of the cone, t_i ≥ 0, and k_l on which all these z vanish.  The pair at the weights is the
    least of the pieces, since {K < ε} is their union up to sets of measure 0.  The network is on
    data; InputError if there are too many pieces.

    One unit at w = 0 that sees an input on either side of 0: K = (1 + v)²t² for both signs.

    >>> net = ReluNetwork(((0,),), ((1,),), data=((1,), (-1,)), bias=False)
    >>> [(piece.variables, piece.nonneg) for piece in chambers(net)]
    [(('t1_1', 'v1_1'), (True, False)), (('t1_1', 'v1_1'), (True, False))]
    """
    walls = [_walls(network, j) for j in range(network.units)]
    pieces = list(map(simplicial_cones, walls))
    count = prod(map(len, pieces))
    if count > _MOST_CHAMBERS:
        raise InputError(f"boundaries cut the weights into {count} pieces")
    free = [kernel_basis(normals, network.width) for normals in walls]
    return [_problem(network, cones, free) for cones in product(*pieces)]


def _walls(network: ReluNetwork, unit: int) -> list[Vector]:
    """Return the inputs on whose hyperplanes the weights of a unit lie."""
    signs = zip(network.inputs, network.signs[unit], strict=True)
    return [z for z, sign in signs if not sign and any(z)]


def simplicial_cones(normals: Sequence[Vector]) -> list[Cone]:
    """Cut space along hyperplanes through 0 into simplicial cones, modulo what lies in all.

    No normal is 0; several may belong to one hyperplane.  Of each cone there are its rays, as many
    as the rank of the normals.  InputError if there are too many.

    >>> one, two, three = (1, 0, 0), (0, 1, 0), (1, 1, 0)
    >>> len(simplicial_cones([one, two])), len(simplicial_cones([one, two, three]))
    (4, 6)
    """
    if not normals:
        return [()]
    width, dimension = len(normals[0]), matrix_rank(normals)
    common = kernel_basis(normals, width)
    rays = set()
    for some in combinations(normals, dimension - 1):
        line = kernel_basis([*some, *common], width)
        if len(line) == 1:
            rays |= {_scaled(line[0], 1), _scaled(line[0], -1)}
    cones = []
    for w in dichotomies(normals).values():
        inward = [_scaled(n, 1 if dot_product(w, n) > 0 else -1) for n in normals]
        here = [ray for ray in sorted(rays) if all(dot_product(ray, n) >= 0 for n in inward)]
        cones += _triangulated(here, inward, dimension)
    return cones


def _triangulated(rays: Sequence[Vector], inward: Sequence[Vector], dimension: int) -> list[Cone]:
    """Cut a pointed cone into simplicial ones, each with its first ray."""
    if len(rays) == dimension:
        return [tuple(rays)]
    first, simplices = rays[0], []
    facets = {
        tuple(ray for ray in rays if not dot_product(ray, n))
        for n in inward
        if dot_product(first, n)
    }
    for facet in sorted(facets):
        if matrix_rank(facet) == dimension - 1:
            simplices += [(first, *rest) for rest in _triangulated(facet, inward, dimension - 1)]
    return simplices


def _problem(
    network: ReluNetwork, cones: Sequence[Cone], free_directions: Sequence[list[list[Fraction]]]
) -> Problem | None:
    from rlct.questions.problem import Problem  # imports sympy

    weights, nonneg = [], []
    for j, (cone, shared) in enumerate(zip(cones, free_directions, strict=True)):
        names = [f"t{j + 1}_{i + 1}" for i in range(len(cone))]
        nonneg += names
        names += [f"u{j + 1}_{i + 1}" for i in range(len(shared))]
        weights.append(list(zip(names, [*cone, *shared], strict=True)))
    texts = []
    for n, z in enumerate(network.inputs):
        active = [
            sign[n] > 0 or (sign[n] == 0 and any(dot_product(ray, z) > 0 for ray in cone))
            for sign, cone in zip(network.signs, cones, strict=True)
        ]
        for k in range(network.outputs):
            terms, true_value = [f"c{k + 1}"] * network.output_bias, Fraction(0)
            for j in (j for j, on in enumerate(active) if on):
                value = dot_product(network.hidden[j], z)
                true_value += network.outer[k][j] * value
                moved = [
                    f"({dot_product(d, z)})*{name}" for name, d in weights[j] if dot_product(d, z)
                ]
                if moved:  # nothing depends on the weights where z is 0
                    terms.append(f"v{k + 1}_{j + 1}*({' + '.join([f'({value})', *moved])})")
            if terms:
                texts.append(f"{' + '.join(terms)} - ({true_value})")
    if not texts:
        return None
    used_names = set(re.findall(r"[ctuv]\d[\d_]*", " ".join(texts)))
    vectors = {
        f"v{k + 1}_{j + 1}": str(value)
        for k, row in enumerate(network.outer)
        for j, value in enumerate(row)
    }
    return Problem.ideal(
        texts,
        {name: value for name, value in vectors.items() if name in used_names},
        None,
        [name for name in nonneg if name in used_names],
        provenance=f"ReLU network of {network.units} units, a piece",
    )


def _scaled(vector: Sequence[Fraction], by: int) -> Vector:
    return tuple(by * x for x in vector)
