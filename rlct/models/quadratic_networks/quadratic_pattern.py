"""Rounded weights and data: the ranks they seem to have, beside those they have exactly."""

from dataclasses import dataclass

from rlct.errors import InputError
from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures


@dataclass(frozen=True)
class RankPattern:
    """Ranks and inactive units of rounded weights at a tolerance."""

    #: Relative to the largest singular value of the Jacobian.
    tolerance: float
    #: Singular values above it.
    rank: int
    #: The smallest singular value above and the largest below, relative to the largest.
    last: float
    next: float
    #: Units, counted from 1, with |v_j||w_j|² below the tolerance times the largest.
    inactive: tuple[int, ...]

    def __str__(self) -> str:
        units = ", ".join(map(str, self.inactive)) or "none"
        return (
            f"rank {self.rank} at tolerance {self.tolerance:g} (singular values, relative: "
            f"{self.last:.2g} counted, {self.next:.2g} not); inactive units: {units}"
        )


def rank_pattern(network: QuadraticNetwork, tolerance: float) -> RankPattern:
    """Numerical rank of the Jacobian and inactive units; it decides nothing by itself."""
    import numpy as np

    if not 0 < tolerance < 1:
        raise InputError(f"the tolerance must be between 0 and 1, not {tolerance}")
    table = np.array([[float(x) for x in row] for row in network.jacobian])
    scale = float(np.abs(table).max(initial=0.0))
    values = np.linalg.svd(table / scale if scale else table, compute_uv=False)
    relative_values = values / values[0] if values[0] else values
    rank = int((relative_values > tolerance).sum())
    sizes = [
        float(np.linalg.norm([float(x) for x in network.vector(j)]))
        * float(np.linalg.norm([float(x) for x in w])) ** 2
        for j, w in enumerate(network.reduced)
    ]
    small = tolerance * max(sizes)
    inactive = tuple(j for j, size in enumerate(sizes, start=1) if size <= small)
    last = float(relative_values[rank - 1]) if rank else 0.0
    following = float(relative_values[rank]) if rank < len(relative_values) else 0.0
    return RankPattern(tolerance, rank, last, following, inactive)


def data_pattern(law: QuadraticFeatures, tolerance: float) -> str:
    """Describe the ranks of a dataset given as floats, if they are plain.

    InputError if the ranks at the tolerance are not those of the floats as exact numbers.
    """
    import numpy as np

    if not 0 < tolerance < 1:
        raise InputError(f"the tolerance must be between 0 and 1, not {tolerance}")
    rows = np.array([[float(x) for x in row] for row in law.points or ()])
    rows = rows / np.abs(rows).max()
    if law.bias:
        rows = np.hstack([rows, np.ones((len(rows), 1))])
    upper = np.triu_indices(rows.shape[1])
    features = rows[:, upper[0]] * rows[:, upper[1]]
    if law.centred:
        features = features - features.mean(axis=0)
    input_rank, feature_rank = (
        int(np.linalg.matrix_rank(table, rtol=tolerance)) for table in (rows, features)
    )
    exact = (law.dimension, law.count)
    if (input_rank, feature_rank) != exact:
        raise InputError(
            f"the data are rounded: at tolerance {tolerance:g} they have ranks {input_rank} and "
            f"{feature_rank} (quadratic features), as exact numbers {exact[0]} and {exact[1]}; "
            "give exact numbers, or another tolerance"
        )
    return (
        f"data given as floats: rank {input_rank}, quadratic features of rank {feature_rank}, "
        f"at tolerance {tolerance:g} as well as exactly"
    )
