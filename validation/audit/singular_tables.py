"""Murfet et al.: the tables."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import rlct
from validation.audit._exact import integers, rank
from validation.audit._relu import star_features
from validation.audit.row import Facts, Verdict, close, exact, row

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
    found = int((size > 1e-6 * size[0]).sum())
    _, _, rows = qr(features[:, columns[:found]].T, mode="economic", pivoting=True)
    minor = features[np.ix_(rows[:found], columns[:found])]
    smallest = float(np.linalg.svd(minor, compute_uv=False)[-1])
    assert smallest > 1e-6  # rounding moves it by less than 1e-13
    return found


@row(
    "001-table-1",
    Verdict.CORRECTED,
    claim="Table 1: the slopes 9.71 and 6.41 (identity, one hidden layer) are learning "
    "coefficients of the last two layers and of the last layer",
    statement="They are slopes of E G(n) against 1/n with frozen features, not learning "
    "coefficients: BAx with 3×3 matrices has λ ≤ 9/2 (= 9/2 at full rank), the last layer alone "
    "9/2, and no 18 parameters exceed 9.",
    evidence="λ of the linear model at each rank of the truth, by the formula; a least squares "
    "fit of the last layer has rank 9.",
    direct="rlct net linear 3 3 3 --rank 3",
    place="001-table-1",
)
def table_1() -> Facts:
    largest = max(rlct.linear([3, 3, 3], r).lam or 0 for r in range(4))
    yield exact(
        "largest λ of BAx over the ranks", largest, Fraction(9, 2), printed=Fraction("9.709027")
    )
    features = integers(4, 12, 3)
    design = [[x if k == j else 0 for j in range(3) for x in f] for f in features for k in range(3)]
    last = Fraction(rank(design), 2)  # linear in the last layer: half the rank
    yield exact("last layer alone", last, Fraction(9, 2), printed=Fraction("6.410380"))


@row(
    "001-table-2",
    Verdict.REFUTED,
    claim="Table 2: λ̂ = 0.526, 0.540, 0.555 for m = 3, 4, 5 (ReLU; SiLU alike)",
    statement="λ ≥ 5, 13/2, 8 for ReLU and 13/2, 17/2, 21/2 for SiLU, which no scaling leaves as "
    "it is: half the rank of the derivative of the network at the truth. The slopes printed are "
    "those of constant functions: at nβ ≈ 100 and a prior of standard deviation 50 the posterior "
    "is not near the truth (validation/experiments/singular/table_2.md).",
    evidence="The rank of the derivative in L², 10, 13, 16 and 13, 17, 21, from a minor whose "
    "smallest singular value is bounded away from 0; K ≥ c·(squares of that many coordinates).",
    place="001-table-2",
)
def table_2() -> Facts:
    for m, printed in ((3, "0.526301"), (4, "0.539590"), (5, "0.555303")):
        yield exact(f"rank at m = {m}", star_rank(m, 5), 3 * m + 1, printed=2 * Fraction(printed))
        full = star_rank(m, 5, "silu")
        yield exact(f"rank at m = {m}, SiLU", full, 4 * m + 1, printed=2 * Fraction(printed))


@row(
    "001-table-2-order",
    Verdict.CONFIRMED,
    claim="the RLCT increases with m",
    statement="True of the lower bounds, (3m + 1)/2 for ReLU and (4m + 1)/2 for SiLU, and of the "
    "value at m = H.",
    evidence="Ranks of the derivative with five hidden units.",
    beside="001-table-2: λ itself, whose lower bounds grow with m; the printed estimates "
    "are others",
)
def table_2_order() -> Facts:
    ranks = [star_rank(m, 5) for m in (3, 4, 5)]
    yield exact("ranks increase", ranks == sorted(set(ranks)), True)


@row(
    "001-minimal-value",
    Verdict.CONFIRMED,
    claim="m = H: W₀ has dimension m, so ½((4m + 1) − m) = ½(3m + 1) if minimally singular",
    statement="λ = (3m + 1)/2 at the truth with m = H and ReLU: the scalings of the units are the "
    "only tangent directions of W₀, and K is quadratic across it.",
    evidence="Kernel of the derivative for m = H = 3, 4, 5 has dimension m.",
)
def minimal_value() -> Facts:
    for m in (3, 4, 5):
        yield exact(f"dimension of the kernel, m = H = {m}", 4 * m + 1 - star_rank(m, m), m)


@row(
    "001-not-quadratic",
    Verdict.REFUTED,
    claim="at m = 5 the RLCT is an order of magnitude below 8, so K is no quadratic form near W₀",
    statement="For ReLU it is 8, and K is equivalent to the sum of squares of 16 coordinates.",
    evidence="Second differences of K in the 16 directions: K(εv)/ε² converges to a positive "
    "number along random directions across W₀, and halving ε changes it by O(ε).",
)
def not_quadratic() -> Facts:
    import numpy as np

    from validation.audit._relu import star_loss

    yield exact("2λ", star_rank(5, 5), 16, printed=2 * Fraction("0.555303"))
    rng = np.random.default_rng(2)
    for _ in range(3):
        direction = rng.normal(size=21)
        ratio = star_loss(5, 1e-4 * direction) / star_loss(5, 5e-5 * direction)
        yield close("K(εv)/K(εv/2)", ratio, 4, 0.01, control=2)


@row(
    "001-table-2-temperatures",
    Verdict.UNVERIFIABLE,
    claim="five inverse temperatures centred on 1/log(20000), with n = 1000",
    statement="β₀/log n with β₀ = log 1000/log 20000 = 0.70 is allowed by (18); 20000 is the "
    "number of draws of the sampler, so 1/log(1000) may have been meant.",
    evidence="What was run cannot be told from the text.",
    beside="001-table-2: which temperatures were meant, and not what comes out at them",
)
def table_2_temperatures() -> Facts:
    import math

    yield exact("β₀, rounded", round(math.log(1000) / math.log(20000), 2), 0.7, control=1)


@row(
    "001-table-3-lambda",
    Verdict.REFUTED,
    claim="Table 3: slopes up to 36.7 are learning coefficients",
    statement="No model of 18 parameters has λ > 9; the slopes measure convergence of the frozen "
    "features as well.",
    evidence="λ ≤ d/2 for a positive prior; d = 18.",
    place="001-printed-slopes",
)
def table_3() -> Facts:
    largest = rlct.ideal([f"x{i}" for i in range(18)]).lam
    yield exact("λ of 18 regular parameters", largest, Fraction(9), printed=Fraction("36.721594"))


@row(
    "001-table-4-lambda",
    Verdict.CORRECTED,
    claim="Table 4: learning coefficients, as slopes of E G(n) against 1/n, not realisable, full "
    "batch",
    statement="Slopes, but not values of λ, which is positive: one is −33.8, and with R² = 0.009 "
    "to 0.14 several are indistinguishable from 0.",
    evidence="The printed numbers: λ > 0 for any model.",
    place="001-printed-slopes",
)
def table_4() -> Facts:
    slopes = (11.086023, 7.377871, 0.808601, 0.799114, 30.692954, -33.817429)
    yield exact("every printed coefficient is positive", min(slopes) > 0, False, printed=True)


@row(
    "001-table-5-repeated",
    Verdict.REFUTED,
    claim="Table 5: the same experiment with minibatch training",
    statement="Its entries for the two identity networks repeat Table 4 (full batch) to the last "
    "digit, method by method; the two tables cannot both be of different runs.",
    evidence="The printed numbers, compared.",
    place="001-printed-slopes",
)
def table_5() -> Facts:
    full = ("11.086023", "7.377871", "30.692954", "0.808601", "0.799114", "-33.817429")
    mini = ("11.086023", "7.377871", "30.692954", "0.808601", "0.799114", "-33.817429")
    same = sum(a == b for a, b in zip(full, mini, strict=True))
    yield exact("equal entries of six", same, 6, printed=0)


@row(
    "001-silu-limit",
    Verdict.CONFIRMED,
    claim="SiLU x(1 + e^{−τx})⁻¹ approaches ReLU as τ → ∞",
    statement="As printed: the largest gap is 0.2785/τ.",
    evidence="Maximum of |SiLU − ReLU|·τ on a grid, against W(1/e).",
)
def silu_limit() -> Facts:
    import mpmath as mp
    import numpy as np

    for tau in (10.0, 100.0):
        x = np.linspace(-5, 5, 200001) / tau
        gap = float(np.abs(x / (1 + np.exp(-tau * x)) - np.maximum(x, 0)).max())
        right = float(mp.lambertw(mp.exp(-1)).real)
        yield close(f"gap·τ at τ = {tau:g}", gap * tau, right, 1e-6, control=0.3)


@row(
    "001-dimension",
    Verdict.CONFIRMED,
    claim="w ∈ R^{4H+1}: d = 21 and d/2 = 10.5 at H = 5",
    statement="As printed.",
    evidence="Counted: 2H weights, H biases, H outer weights, one constant.",
)
def dimension() -> Facts:
    H = 5
    yield exact("d", 2 * H + H + H + 1, 21)
