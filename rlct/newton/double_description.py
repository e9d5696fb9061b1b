"""All facets of a Newton polyhedron, by the double description method over Z."""

import numpy as np

from rlct.newton.rational import exact_product
from rlct.newton.simplex import Integers

_PAIRS_AT_ONCE = 2048  # pairs of rays tested for adjacency at a time; bounds the memory


def newton_facets(points: Integers, limit: int) -> Integers | None:
    """Facets of conv(points) + R^d_≥0 as inequalities w·x ≥ c.

    Rows are (w, c), primitive, w ≥ 0 and w ≠ 0; all facets, each once.  None when an intermediate
    cone has more than `limit` rays.

    Motzkin et al. (1953); Fukuda and Prodon (1996), "Double description method revisited".
    The facets are the extreme rays of {(w, c) : w ≥ 0, w·α ≥ c for all α}, apart from
    (0, −1).  The cone of one point is simplicial; the other points are added one by one.
    Two rays span a two-dimensional face, which yields a new ray, exactly when no third ray
    satisfies with equality every inequality that both do.  The incidences are exact; the
    float products below only count them (small integers, hence exact).

    >>> sorted(newton_facets(np.array([[2, 0], [0, 3]]), 100).tolist())
    [[0, 1, 0], [1, 0, 0], [3, 2, 6]]
    """
    width = points.shape[1]
    points = points[np.lexsort(points.T[::-1])]
    first = points[0].astype(object)
    rays: Integers = np.zeros((width + 1, width + 1), dtype=object)
    rays[:width, :width] = np.eye(width, dtype=object)
    rays[:width, width] = first
    rays[width, width] = -1
    # is_tight[r, k]: ray r satisfies inequality k with equality; first the walls w_j ≥ 0.
    is_tight = np.hstack(
        [rays[:, :width] == 0, (exact_product(rays[:, :width], first) == rays[:, -1:].T).T]
    )
    for point in points[1:]:
        values = exact_product(rays, np.append(point.astype(object), -1))
        positive_rays, negative_rays = np.flatnonzero(values > 0), np.flatnonzero(values < 0)
        zero_rays = np.flatnonzero(values == 0)
        if not negative_rays.size:
            is_tight = np.hstack([is_tight, (values == 0)[:, None]])
            continue
        upper, lower = _adjacent(is_tight, positive_rays, negative_rays, width - 1)
        new = rays[lower] * values[upper, None] - rays[upper] * values[lower, None]
        if new.size:
            new = new // np.gcd.reduce(new, axis=1)[:, None]
        feasible_rays = np.concatenate([positive_rays, zero_rays])
        touching = np.arange(len(feasible_rays) + len(new)) >= len(positive_rays)
        is_tight = np.vstack([is_tight[feasible_rays], is_tight[upper] & is_tight[lower]])
        is_tight = np.hstack([is_tight, touching[:, None]])
        rays = np.vstack([rays[feasible_rays], new])
        if len(rays) > limit:
            return None
    facets: Integers = rays[(rays[:, :width] != 0).any(axis=1)]
    return facets


@np.errstate(invalid="ignore")  # some BLAS kernels raise the flag from lanes that hold no data
def _adjacent(
    tight: Integers, positive: Integers, negative: Integers, rank: int
) -> tuple[Integers, Integers]:
    """Pairs (one of each list) of adjacent rays, as two index arrays of equal length."""
    counts = tight.astype(np.float32)
    shared = counts[positive] @ counts[negative].T
    rows, columns = np.nonzero(shared >= rank)
    upper, lower = positive[rows], negative[columns]
    keep = np.zeros(len(upper), dtype=bool)
    for start in range(0, len(upper), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        common = tight[upper[part]] & tight[lower[part]]
        missed = common.astype(np.float32) @ (1 - counts).T
        keep[part] = (missed == 0).sum(axis=1) == 2
    return upper[keep], lower[keep]
