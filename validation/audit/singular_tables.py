"""Murfet et al.: the tables."""

from fractions import Fraction
from functools import cache

import rlct
from validation.audit._exact import integers, rank
from validation.audit._relu import star_features
from validation.audit.row import Facts, close, exact, row

__all__ = ["star_rank"]


@cache
def star_rank(m: int, units: int, activation: str = "relu") -> int:
    """Rank of the derivative of the network of Table 2 at its truth.

    A minor of that size is bounded away from 0, so the rank is at least the number returned.
    """
    import numpy as np
    from scipy.linalg import qr

    points = np.random.default_rng(5).uniform(-1, 1, (4000, 2))
    features = star_features(m, units, points, activation) / 63.0
    _, triangle, columns = qr(features, mode="economic", pivoting=True)
    size = np.abs(np.diag(triangle))
    rank_value = int((size > 1e-6 * size[0]).sum())
    _, _, rows = qr(features[:, columns[:rank_value]].T, mode="economic", pivoting=True)
    minor = features[np.ix_(rows[:rank_value], columns[:rank_value])]
    smallest = float(np.linalg.svd(minor, compute_uv=False)[-1])
    assert smallest > 1e-6  # rounding moves it by less than 1e-13
    return rank_value


@row("001-table-1")
def table_1() -> Facts:
    largest = max(rlct.linear([3, 3, 3], r).lam or 0 for r in range(4))
    yield exact(
        "largest λ of BAx over the ranks", largest, Fraction(9, 2), printed=Fraction("9.709027")
    )
    features = integers(4, 12, 3)
    design = [[x if k == j else 0 for j in range(3) for x in f] for f in features for k in range(3)]
    last = Fraction(rank(design), 2)  # linear in the last layer: half the rank
    yield exact("last layer alone", last, Fraction(9, 2), printed=Fraction("6.410380"))


@row("001-table-2")
def table_2() -> Facts:
    for m, printed in ((3, "0.526301"), (4, "0.539590"), (5, "0.555303")):
        yield exact(f"rank at m = {m}", star_rank(m, 5), 3 * m + 1, printed=2 * Fraction(printed))
        full = star_rank(m, 5, "silu")
        yield exact(f"rank at m = {m}, SiLU", full, 4 * m + 1, printed=2 * Fraction(printed))


@row("001-table-2-order")
def table_2_order() -> Facts:
    ranks = [star_rank(m, 5) for m in (3, 4, 5)]
    yield exact("ranks increase", ranks == sorted(set(ranks)), True)


@row("001-minimal-value")
def minimal_value() -> Facts:
    for m in (3, 4, 5):
        yield exact(f"dimension of the kernel, m = H = {m}", 4 * m + 1 - star_rank(m, m), m)


@row("001-not-quadratic")
def not_quadratic() -> Facts:
    import numpy as np

    from validation.audit._relu import star_loss

    yield exact("2λ", star_rank(5, 5), 16, printed=2 * Fraction("0.555303"))
    rng = np.random.default_rng(2)
    for _ in range(3):
        direction = rng.normal(size=21)
        ratio = star_loss(5, 1e-4 * direction) / star_loss(5, 5e-5 * direction)
        yield close("K(εv)/K(εv/2)", ratio, 4, 0.01, control=2)


@row("001-table-2-temperatures")
def table_2_temperatures() -> Facts:
    import math

    yield exact("β₀, rounded", round(math.log(1000) / math.log(20000), 2), 0.7, control=1)


@row("001-table-3-lambda")
def table_3() -> Facts:
    largest = rlct.ideal([f"x{i}" for i in range(18)]).lam
    yield exact("λ of 18 regular parameters", largest, Fraction(9), printed=Fraction("36.721594"))


@row("001-table-4-lambda")
def table_4() -> Facts:
    slopes = (11.086023, 7.377871, 0.808601, 0.799114, 30.692954, -33.817429)
    yield exact("every printed coefficient is positive", min(slopes) > 0, False, printed=True)


@row("001-table-5-repeated")
def table_5() -> Facts:
    full = ("11.086023", "7.377871", "30.692954", "0.808601", "0.799114", "-33.817429")
    mini = ("11.086023", "7.377871", "30.692954", "0.808601", "0.799114", "-33.817429")
    same = sum(a == b for a, b in zip(full, mini, strict=True))
    yield exact("equal entries of six", same, 6, printed=0)


@row("001-silu-limit")
def silu_limit() -> Facts:
    import mpmath as mp
    import numpy as np

    for tau in (10.0, 100.0):
        x = np.linspace(-5, 5, 200001) / tau
        gap = float(np.abs(x / (1 + np.exp(-tau * x)) - np.maximum(x, 0)).max())
        right = float(mp.lambertw(mp.exp(-1)).real)
        yield close(f"gap·τ at τ = {tau:g}", gap * tau, right, 1e-6, control=0.3)


@row("001-dimension")
def dimension() -> Facts:
    H = 5
    yield exact("d", 2 * H + H + H + 1, 21)
