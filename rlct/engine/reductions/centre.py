"""The centre of a list of polynomials: matrices that commute with their second derivatives."""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

from sympy import QQ

from rlct.algebra.exact_rank import kernel_basis
from rlct.algebra.polynomial import Polynomial, terms_of, total_degree, value_at
from rlct.engine import limits

Matrix: TypeAlias = list[list[Any]]

_CENTRE_SEED = 20_240_301  # any number; the same question takes the same steps each time


def centre_elements(
    polynomials: Sequence[Polynomial],
    block_variables: Sequence[int],
    prior_variables: Sequence[int],
) -> Iterator[Matrix]:
    """Elements of the centre that are no multiples of 1, on the variables of the block.

    They are matrices A over Q with H·A symmetric for the Hessian H of every polynomial; a
    variable with a prior is mapped to a multiple of itself.  What follows from an element
    is a change of coordinates, which needs no proof.
    """
    if all(total_degree(p) == 2 for p in polynomials) and len(polynomials) == 1:
        orthogonal_element = _orthogonal(polynomials[0], block_variables, prior_variables)
        if orthogonal_element is not None:
            yield orthogonal_element
            return
    size = len(block_variables)
    unknowns = [
        (i, k)
        for i in range(size)
        for k in range(size)
        if i == k
        or (block_variables[i] not in prior_variables and block_variables[k] not in prior_variables)
    ]
    row_pairs = list(combinations(range(size), 2))
    ring = polynomials[0].ring
    rng = random.Random(_CENTRE_SEED)
    count = (len(unknowns) + limits.EXTRA_CENTRE_EQUATIONS) // (
        len(row_pairs) * len(polynomials)
    ) + 2
    points = [[Fraction(rng.randint(-9, 9)) for _ in ring.gens] for _ in range(count)]
    rows = []
    for p in polynomials:
        slopes = [p.diff(ring.gens[i]) for i in block_variables]
        hessian = [[terms_of(s.diff(ring.gens[k])) for k in block_variables] for s in slopes]
        for point in points:
            H = [[value_at(entry, point) for entry in row] for row in hessian]
            for a, b in row_pairs:
                # (H·A)_ab − (H·A)_ba
                rows.append([(k == b) * H[a][i] - (k == a) * H[b][i] for i, k in unknowns])
    centre_basis = []
    for vector in kernel_basis(rows, len(unknowns))[: limits.MOST_CENTRE_ELEMENTS]:
        entries = {
            place: QQ(v.numerator, v.denominator) for place, v in zip(unknowns, vector, strict=True)
        }
        centre_basis.append(
            [[entries.get((i, k), QQ.zero) for k in range(size)] for i in range(size)]
        )
    if len(centre_basis) < 2:
        return
    mixed = [
        [
            sum(((3 * n * n + n + 1) % 17) * e[i][k] for n, e in enumerate(centre_basis))
            for k in range(size)
        ]
        for i in range(size)
    ]
    yield mixed
    yield from centre_basis


def _orthogonal(
    q: Polynomial, block_variables: Sequence[int], prior_variables: Sequence[int]
) -> Matrix | None:
    """An element with different eigenvalues on an orthogonal basis of a quadratic form."""
    if any(i in prior_variables for i in block_variables):
        return None
    size = len(block_variables)
    ring = q.ring
    zero = (0,) * ring.ngens
    S = [
        [q.diff(ring.gens[i]).diff(ring.gens[k]).get(zero, QQ.zero) for k in block_variables]
        for i in block_variables
    ]

    def form(u: Sequence[Any], v: Sequence[Any]) -> Any:
        return sum(
            (u[i] * S[i][k] * v[k] for i in range(size) for k in range(size) if S[i][k]), QQ.zero
        )

    vectors: list[list[Any]] = [[QQ(int(i == k)) for k in range(size)] for i in range(size)]
    basis: list[list[Any]] = []
    while vectors:
        chosen_vector = next((v for v in vectors if form(v, v)), None)
        if chosen_vector is None:
            two = next(((u, v) for u, v in combinations(vectors, 2) if form(u, v)), None)
            if two is None:
                basis += vectors
                break
            index = vectors.index(two[0])
            vectors[index] = [a + b for a, b in zip(*two, strict=True)]
            continue
        vectors.remove(chosen_vector)
        norm = form(chosen_vector, chosen_vector)
        basis.append(chosen_vector)
        vectors = [
            [a - form(v, chosen_vector) / norm * b for a, b in zip(v, chosen_vector, strict=True)]
            for v in vectors
        ]
    # A = P·diag(1, 2, …)·P⁻¹ with the basis as columns of P.
    from sympy.polys.matrices import DomainMatrix

    P = DomainMatrix(basis, (size, size), QQ).transpose()
    D = DomainMatrix(
        [[QQ(i + 1) if i == k else QQ.zero for k in range(size)] for i in range(size)],
        (size, size),
        QQ,
    )
    element: Matrix = (P * D * P.inv()).to_list()
    return element
