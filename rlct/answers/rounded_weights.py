"""Rank pattern of a linear network whose weights were given as floats."""

from dataclasses import replace
from fractions import Fraction

from rlct.answers.plain_bounds import near_rounded
from rlct.answers.result import Result
from rlct.errors import InputError
from rlct.models.linear_networks.linear_point import LinearPoint, derivative_rank


def weigh_rounded(result: Result, point: LinearPoint, tolerance: float) -> Result:
    """Weigh the exact answer at rounded weights against the ranks that they seem to have.

    Singular values below the tolerance are taken for rounding errors: relative to the largest, of a
    product to the product of those of its layers, because what is left of a product that should
    vanish has no scale of its own.  The answer has a note; if the ranks differ from the exact ones,
    it has only bounds for all weights within the tolerance: half the rank of the derivative, and
    half the number of weights.  InputError if the tolerance is not between 0 and 1.
    """
    import numpy as np

    if not 0 < tolerance < 1:
        raise InputError(f"the tolerance must be between 0 and 1, not {tolerance}")
    # Ranks do not depend on the scale of a layer, and products of large floats overflow.
    layers = [np.array(_scaled(layer), dtype=float) for layer in point.layers]
    norms = [float(np.linalg.norm(layer, 2)) for layer in layers]
    ranks = {}
    for i in range(point.depth):
        product, scale = np.eye(point.widths[i]), 1.0
        for j in range(i, point.depth):
            product, scale = layers[j] @ product, scale * norms[j]
            values = np.linalg.svd(product, compute_uv=False)
            ranks[i, j + 1] = int((values > tolerance * scale).sum())
    derivative = derivative_rank(ranks, point.widths)
    shown = ", ".join(f"{i}–{j}: {r}" for (i, j), r in sorted(ranks.items()))
    note = (
        f"weights given as floats: at tolerance {tolerance:g} the ranks between layers of units "
        f"are {shown}, and {derivative} of the derivative"
    )
    if ranks == point.ranks:
        return replace(result, notes=(*result.notes, f"{note}, as well as exactly"))
    exact = ", ".join(f"{i}–{j}: {r}" for (i, j), r in sorted(point.ranks.items()))
    note += (
        f"; as exact numbers {exact}, and {point.rank}: the weights meant may be more degenerate, "
        "so these are only bounds"
    )
    return near_rounded(result, min(derivative, point.rank), note)


def _scaled(layer: tuple[tuple[Fraction, ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
    size = max(abs(x) for row in layer for x in row)
    return tuple(tuple(x / size for x in row) for row in layer) if size else layer
