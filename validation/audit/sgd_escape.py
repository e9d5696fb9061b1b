"""Corlouer and Macé: escape from minima, simulated in the notation of `sgd_landscapes`."""

import math

from validation.audit.row import Facts, close, exact, row


def _surviving(
    degree: int, at: float, rate: float, batch: int, steps: tuple[int, ...], count: int = 4000
) -> list[float]:
    """Fraction of trajectories still in the basin of ``at`` for h = (w − at)^degree·w^(degree+1).

    Fresh normal inputs and noise in every batch. Trajectories that are thrown far out have left
    for good; they are clipped to stay finite.
    """
    import numpy as np

    rng = np.random.default_rng(4)
    spread = 0.0 if degree == 1 else 0.1  # on a degenerate minimum nothing would ever move
    w = at + spread * rng.uniform(-1, 1, count)
    barrier = at * (degree + 1) / (2 * degree + 1)  # the maximum of |h| between the minima
    shares = []
    for step in range(max(steps)):
        x, y = rng.normal(size=(2, batch, count))
        h = (w - at) ** degree * w ** (degree + 1)
        slope = (w - at) ** (degree - 1) * w**degree * ((2 * degree + 1) * w - (degree + 1) * at)
        w = np.clip(w - rate * (h * (x * x).mean(0) - (x * y).mean(0)) * slope, -4, 4)
        if step + 1 in steps:
            shares.append(float((w > barrier).mean()))
    return shares


@row("003-escape-rate")
def escape_rate() -> Facts:
    first, second = _surviving(1, 1.5, 0.1, 4, (100, 200))
    yield close("log S(200)/log S(100)", math.log(second) / math.log(first), 2, 0.33, control=1.15)


@row("003-escape-sharpness")
def escape_sharpness() -> Facts:
    (flat,) = _surviving(1, 1.5, 0.05, 4, (200,))
    (sharp,) = _surviving(1, 2.0, 0.05, 4, (200,))
    (fast,) = _surviving(1, 1.5, 0.1, 4, (200,))
    yield exact("sharper escapes faster", flat - sharp > 0.2, True)
    yield exact("a larger rate escapes faster", flat - fast > 0.2, True)


@row("003-escape-degenerate")
def escape_degenerate() -> Facts:
    (stay,) = _surviving(2, 1.0, 0.05, 4, (1000,), 1000)
    (leave,) = _surviving(1, 2.0, 0.05, 4, (1000,), 1000)
    yield exact("fraction that stays, degenerate", stay, 1.0)
    yield exact("regular: less than a fifth stays", leave < 0.2, True)


@row("003-escape-batch-size")
def escape_batch_size() -> Facts:
    (small,) = _surviving(1, 1.5, 0.1, 4, (200,))
    (large,) = _surviving(1, 1.5, 0.1, 16, (200,))
    yield exact("batches of 16 keep at least 0.3 more", large - small > 0.3, True)
