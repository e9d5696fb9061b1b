"""Settings found from the target: curvature, gradient noise, step sizes, and which sampler."""

from dataclasses import dataclass

import numpy as np

from rlct.sampling.arrays import Array, value_and_gradient
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import precise_target
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import DataTarget, Floats

STEP_STIFFNESS = 0.3  # of the step against the sharpest direction
DESCENT_STEPS = 60  # of a descent from w₀; a convention
NOISE_SHARE = 0.1  # gradient noise against injected noise
LOOKED_AT = 4  # chains whose curvature is looked at where it takes gradients on data
FREE_STEPS = 20.0  # steps of free diffusion from w₀ after which a step must still be borne


@dataclass(frozen=True)
class LossLandscape:
    """Curvature, depth and noise of the loss at w₀."""

    #: Largest eigenvalue of the Hessian of L, by power iteration.
    curvature: float
    #: By how much a short descent from w₀ lowers L: 0 at a minimum.
    drop: float
    #: Variance of the gradient of one sample, averaged over the parameters; 0 without data.
    noise: float


def loss_landscape(posterior: TemperedPosterior) -> LossLandscape:
    """Curvature, gradient and gradient noise at w₀, from a few gradients."""
    target, on = posterior.target, posterior.arrays
    noise = 0.0
    if isinstance(target, DataTarget):
        size = min(64, target.samples)
        base = target.gradient(on.zeros((1, target.dimension)))
        _, slopes = target.batch(on.zeros((32, target.dimension)), size, on)
        noise = float(((slopes - base) ** 2).mean()) * size
    around = on.zeros((4, target.dimension))
    top_curvature = float(curvature(posterior, around).max())
    return LossLandscape(top_curvature, _drop(posterior, top_curvature), noise)


@np.errstate(over="ignore", invalid="ignore")  # a descent that runs away has ended
def _drop(posterior: TemperedPosterior, top_curvature: float) -> float:
    """How far nearby losses lie below that of w₀, by accelerated gradient steps (Nesterov 1983).

    k steps reach the bottom of directions k² times flatter than the steepest.  One step says
    nothing about those, and there w₀ can lie far above the minimum although its gradient is small.
    Started a little off w₀, which may be a saddle, and once more from as far as chains go: few
    steps leave a flat saddle from there only.
    """
    target, on = posterior.target, posterior.arrays
    d = target.dimension
    # They add 10⁻⁴ and 1 to nβL at most.
    far = on.asarray([[1e-2], [1.0]])
    w = (
        on.normal((2, d))
        * far
        / np.sqrt(float(posterior.n_beta[0]) * max(top_curvature, 1e-300) * d)
    )
    if isinstance(target, DataTarget):
        # In single precision the rounding of a large L passes for a fall.
        drawn = on.numpy(w)
        target, on = precise_target(posterior)
        w = on.asarray(np.asarray(drawn, dtype=float))
    step, before, lowest_loss = 1.0 / max(top_curvature, 1e-300), w, 0.0
    for k in range(DESCENT_STEPS):
        value, slope = value_and_gradient(target, w)
        now = on.numpy(value)
        if not np.isfinite(now).all():
            break
        lowest_loss = min(lowest_loss, float(now.min()))
        after = target.reflect(w - step * slope)
        w, before = after + k / (k + 3.0) * (after - before), after
    return -lowest_loss


def curvature(posterior: TemperedPosterior, w: Array, *, rounds: int = 10) -> Floats:
    """Largest eigenvalue, in size, of the Hessian of L at each point, by power iteration.

    Derivatives are differences over a thousandth of a weight of order one, which also shows
    the curvature near a flat point.
    """
    target, on = posterior.target, posterior.arrays
    xp = on.xp
    size = 1e-3 * min(target.scale, 1.0)  # a nearly flat prior has no scale of use here
    v = on.normal(tuple(w.shape))
    curvatures = np.zeros(len(w))
    for _ in range(rounds):
        v = v / xp.sqrt((v * v).sum(-1))[:, None]
        pushed = (target.gradient(w + size * v) - target.gradient(w - size * v)) / (2 * size)
        curvatures = np.maximum(curvatures, on.numpy(xp.sqrt((pushed * pushed).sum(-1))))
        v = pushed + 1e-12 * (1.0 + float(curvatures.max())) * on.normal(tuple(w.shape))
    return curvatures


def spaced_chains(posterior: TemperedPosterior, w: Array) -> Array:
    """Those of some chains on data, of all on a population: what the curvature is looked at."""
    apart = len(w) // LOOKED_AT if isinstance(posterior.target, DataTarget) else 1
    return w[:: max(1, apart)]


def recommended_step(
    posterior: TemperedPosterior,
    top_curvature: float,
    noise: float,
    batch_size: int | None,
    pressed: float = 0.0,
) -> float:
    """ε that the sharpest direction bears and that keeps mini-batch noise below a tenth.

    Of one rung; ``top_curvature`` is of L where the chains are, noise as in :class:`LossLandscape`,
    ``pressed`` as of :func:`wall_pressure`.
    """
    n_beta = float(posterior.n_beta[0])
    sharpest = max(n_beta * top_curvature + posterior.confining, n_beta**2 * pressed)
    stiff = STEP_STIFFNESS / (sharpest + 1e-300)
    if batch_size is None or noise <= 0:
        return stiff
    return min(stiff, NOISE_SHARE * 4.0 * batch_size / (n_beta**2 * noise))


def wall_pressure(posterior: TemperedPosterior, w: Array) -> float:
    """Twice the mean square of slopes of L that press points to walls w_i ≥ 0; 0 without such.

    A loss that is linear there does not bend, and ε is in proportion to 1/(nβ∂L)².  Twice, as only
    half of what a step adds there is taken off λ̂.
    """
    target = posterior.target
    if not isinstance(target, PolynomialTarget) or not target.nonneg.any():
        return 0.0
    return 2.0 * float((target.gradient(w)[:, target.nonneg] ** 2).mean())


def bearable_step(posterior: TemperedPosterior, step: float) -> float:
    """ε of at most ``step`` that chains bear where they get with it: at w₀ the loss may not bend.

    It is for one rung whose localization does not bound ε enough by itself.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> target = PolynomialTarget([{(2,): 1}], squared=True)  # K = x⁴, flat at 0
    >>> posterior = TemperedPosterior(
    ...     target, 1e4, rng=np.random.default_rng(0), num_chains=2
    ... )
    >>> 1e-4 < bearable_step(posterior, 1e9) < 1e-2
    True
    """
    on, target = posterior.arrays, posterior.target
    n_beta = float(posterior.n_beta[0])
    step = min(step, max(target.scale, 1.0) ** 2)  # of a module at 0 the scale says nothing
    while step > 1e-300:
        away = target.reflect(on.normal((8, target.dimension)) * float(np.sqrt(FREE_STEPS * step)))
        top_curvature = float(np.median(curvature(posterior, away)))
        sharpest = max(n_beta * top_curvature, n_beta**2 * wall_pressure(posterior, away))
        if step * sharpest <= 2 * STEP_STIFFNESS:  # nor is it no number
            break
        step /= 2
    return step
