"""Mean-field coordinate ascent on simulated data: variational free energies less n S_n.

Each function draws data of one truth and returns the least F_VB over its starts, plus the largest
log likelihood of a fit: it differs from −n S_n by O(1), and slopes in log n scatter less with it.
Tables of counts and least squares have, at one seed, the same standardised noise at all n, so
that their misfit, which is O(1) as well, is the same.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln, xlogy

__all__ = ["boltzmann", "gaussian_mixture", "hidden_markov", "latent_class", "linear", "nmf"]

Array = NDArray[np.float64]
_MOST_STEPS = 1000
_STILL_CHANGE = 1e-4  # change of F in a step, at which an ascent ends


def _dirichlet(counts: Array, shape: float) -> float:
    """Minus the log marginal likelihood of counts, rows one by one."""
    size = counts.shape[-1]
    rows = gammaln(size * shape) - gammaln(counts.sum(-1) + size * shape)
    return -float(np.sum(rows + np.sum(gammaln(counts + shape) - gammaln(shape), -1)))


def _log_mean(counts: Array, shape: float) -> Array:
    totals = counts.sum(-1, keepdims=True) + counts.shape[-1] * shape
    logs: Array = digamma(counts + shape) - digamma(totals)
    return logs


def _normalised(logs: Array) -> Array:
    weights = np.exp(logs - logs.max(-1, keepdims=True))
    shares: Array = weights / weights.sum(-1, keepdims=True)
    return shares


def gaussian_mixture(
    rng: np.random.Generator,
    n: int,
    components: int,
    true: int,
    dimension: int,
    concentration: float,
) -> float:
    """Means with prior N(0, 4); the true ones lie on a line, 6 apart."""
    centres = np.zeros((true, dimension))
    centres[:, 0] = 6 * np.arange(true) - 3 * (true - 1)
    x = centres[rng.integers(true, size=n)] + rng.standard_normal((n, dimension))
    distances = ((x[:, None] - centres) ** 2).sum(-1)
    near = _normalised(-distances / 2)

    def log_likelihood(weights: Array, means: Array) -> float:
        logs = np.log(weights + 1e-300) - ((x[:, None] - means) ** 2).sum(-1) / 2
        top = logs.max(1)
        return float(np.sum(top + np.log(np.exp(logs - top[:, None]).sum(1))))

    def ascend(r: Array) -> float:
        last = np.inf
        for _ in range(300):
            counts, sums = r.sum(0), r.T @ x
            precision = counts + 0.25
            means = sums / precision[:, None]
            squares = (x**2).sum() - (precision[:, None] * means**2).sum()
            energy = squares / 2 + dimension / 2 * np.log(4 * precision).sum()
            energy += xlogy(r, r).sum() + _dirichlet(counts, concentration)
            if last - energy < 1e-4:
                break
            last = energy
            far = ((x[:, None] - means) ** 2).sum(-1) + dimension / precision
            r = _normalised(_log_mean(counts, concentration) - far / 2)
        return float(energy + log_likelihood(counts / n, means))

    spare = components - true
    noise = rng.uniform(0.9, 1.1, (n, components))
    empty = np.hstack([near, np.zeros((n, spare))])
    split = np.hstack([near, np.repeat(near[:, :1], spare, 1)]) * noise
    split[:, [0, *range(true, components)]] /= 1 + spare
    return min(ascend(start / start.sum(1, keepdims=True)) for start in (empty, split, noise**20))


def _table_ascent(counts: Array, starts: list[Array], blocks: list[tuple[Array, float]]) -> float:
    """Ascend for outcomes with hidden values: ``blocks`` count symbols of each by a tensor.

    ``counts`` has a number for each outcome, starts a weight for each outcome and hidden value,
    and a block the number of times that an outcome with a hidden value uses each symbol of each
    row: outcomes × hidden × rows × symbols.
    """

    def ascend(r: Array) -> float:
        last = np.inf
        for _ in range(_MOST_STEPS):
            weights = counts[:, None] * r
            used = [np.einsum("xz,xzij->ij", weights, block) for block, _ in blocks]
            energy = (counts[:, None] * xlogy(r, r)).sum()
            energy += sum(_dirichlet(u, shape) for u, (_, shape) in zip(used, blocks, strict=True))
            if last - energy < _STILL_CHANGE:
                break
            last = energy
            pairs = zip(used, blocks, strict=True)
            logs = [np.einsum("xzij,ij->xz", b, _log_mean(u, shape)) for u, (b, shape) in pairs]
            r = _normalised(sum(logs[1:], logs[0]))
        return float(energy)

    return min(ascend(start) for start in starts)


def _counts(rng: np.random.Generator, n: int, chances: Array) -> Array:
    """Draw 10⁶ outcomes, and stretch their noise to n."""
    drawn = rng.multinomial(10**6, chances)
    stretched = n * chances + (drawn - 10**6 * chances) * np.sqrt(n / 10**6)
    whole: Array = np.maximum(np.rint(stretched), 0)
    return whole


def _fit_of(counts: Array) -> float:
    """Log likelihood of the observed frequencies, which exceeds that of a fit by O(1)."""
    return float(xlogy(counts, counts / counts.sum()).sum())


def _starts(rng: np.random.Generator, near: Array, number: int) -> list[Array]:
    rough = near + 1e-3 * rng.uniform(size=near.shape)
    return [near, rough / rough.sum(1, keepdims=True)] + [
        _normalised(scale * rng.standard_normal(near.shape)) for scale in [0.1, 1, 5][:number]
    ]


def latent_class(
    rng: np.random.Generator,
    n: int,
    components: int,
    true: int,
    parameters: int,
    concentration: float,
) -> float:
    """Binary features, as many as parameters; the truth has one class, or two far apart."""
    outcomes = np.array(list(product((0, 1), repeat=parameters)))
    chances = np.array([0.5]) if true == 1 else np.array([0.1, 0.9])
    bits = np.prod(np.where(outcomes[:, None] == 1, chances[:, None], 1 - chances[:, None]), -1)
    counts = _counts(rng, n, bits.mean(1))
    classes = np.eye(components)[None, :, None, :].repeat(len(outcomes), 0)
    tables = np.zeros((len(outcomes), components, components * parameters, 2))
    for x, outcome in enumerate(outcomes):
        for k in range(components):
            tables[x, k, k * parameters + np.arange(parameters), outcome] = 1
    near = np.zeros((len(outcomes), components))
    near[:, :true] = bits / bits.sum(1, keepdims=True)
    equal = near.copy()
    equal[:, [0, *range(true, components)]] = near[:, :1] / (components - true + 1)
    starts = [*_starts(rng, near, 3), *_starts(rng, equal, 0)]
    blocks = [(classes, concentration), (tables, 1.0)]
    return _table_ascent(counts, starts, blocks) + _fit_of(counts)


def hidden_markov(
    rng: np.random.Generator, n: int, states: int, true: int, symbols: int, concentration: float
) -> float:
    """Sequences of four symbols from state 1; true transitions and emissions are positive."""
    length = 4
    move = 0.2 + 0.6 * np.eye(true) if true == 2 else np.ones((1, 1))
    emit = np.full((true, symbols), 0.5 / symbols) + 0.5 * np.eye(true, symbols)
    outcomes = np.array(list(product(range(symbols), repeat=length)))
    paths = np.array([(0, *rest) for rest in product(range(states), repeat=length - 1)])
    joint = np.ones((len(outcomes), len(paths)))
    inside = (paths < true).all(1)
    held = np.minimum(paths, true - 1)
    for t in range(length):
        joint *= emit[held[None, :, t], outcomes[:, None, t]]
        joint *= move[held[:, t - 1], held[:, t]] if t else 1.0
    near = joint * inside
    counts = _counts(rng, n, near.sum(1) / near.sum())
    moves = np.zeros((1, len(paths), states, states))
    tables = np.zeros((len(outcomes), len(paths), states, symbols))
    x, z = np.arange(len(outcomes))[:, None], np.arange(len(paths))[None, :]
    for t in range(length):
        tables[x, z, paths[None, :, t], outcomes[:, None, t]] += 1
        if t:
            moves[0, z[0], paths[:, t - 1], paths[:, t]] += 1
    moves = np.broadcast_to(moves, (len(outcomes), *moves.shape[1:]))
    starts = _starts(rng, near / near.sum(1, keepdims=True), 2)
    return _table_ascent(counts, starts, [(moves, concentration), (tables, 1.0)]) + _fit_of(counts)


def boltzmann(rng: np.random.Generator, n: int, visible: int, hidden: int, true: int) -> float:
    """Weights with prior N(0, 1) on [−3, 3], each with a posterior on a grid of its own."""
    size = visible * hidden
    signs = np.array(list(product((-1, 1), repeat=visible)))
    target = np.zeros((visible, hidden))
    target[:, :true] = 0.7
    near = np.geomspace(1e-6, 2.3, {2: 150, 3: 40, 4: 20}[size])
    grids = [centre + np.r_[-near[::-1], 0, near] for centre in target.ravel()]
    logs = np.zeros((*map(len, grids), len(signs)))
    axes = np.ix_(*grids)
    for x, sign in enumerate(signs):
        for j in range(hidden):
            slope = sum(sign[i] * axes[i * hidden + j] for i in range(visible))
            logs[..., x] += np.logaddexp(slope, -slope)
    logs -= np.logaddexp.reduce(logs, -1)[..., None]
    activity = np.log(np.cosh(signs @ target)).sum(1)
    counts = _counts(rng, n, np.exp(activity) / np.exp(activity).sum())
    misfit = _fit_of(counts) - logs @ counts
    prior = [_normalised(np.log(np.gradient(grid)) - grid**2 / 2) for grid in grids]

    def mean(q: list[Array], left_out: int | None = None) -> Array:
        value = misfit
        for i in reversed(range(size)):
            if i != left_out:
                value = np.tensordot(value, q[i], (i, 0))
        return value

    def ascend(first: float, last_row: float) -> float:
        scales = np.full((visible, hidden), first)
        scales[-1] = last_row
        scales[:, :true] = 0.5
        q = [
            _normalised(np.log(p) - ((grid - centre) * n**scale) ** 2 / 2)
            for p, grid, centre, scale in zip(
                prior, grids, target.ravel(), scales.ravel(), strict=True
            )
        ]
        last = np.inf
        for _ in range(_MOST_STEPS):
            for i in range(size):
                q[i] = _normalised(np.log(prior[i]) - mean(q, i))
            pairs = zip(q, prior, strict=True)
            energy = float(mean(q)) + sum(
                float((xlogy(a, a) - xlogy(a, b)).sum()) for a, b in pairs
            )
            if last - energy < _STILL_CHANGE:
                break
            last = energy
        return energy

    return min(ascend(*scales) for scales in ((0.25, 0.25), (0.5, 0.5), (0.5, 0.0)))


def linear(
    rng: np.random.Generator, n: int, inputs: int, hidden: int, outputs: int, true: int
) -> float:
    """Weights with prior N(0, 1), inputs and noise of unit covariance, data by least squares."""
    target = np.zeros((outputs, inputs))
    target[range(true), range(true)] = np.arange(1, true + 1)
    fitted = target + rng.standard_normal((outputs, inputs)) / np.sqrt(n)
    left_vectors, values, _ = np.linalg.svd(fitted)
    identity = np.eye(hidden)

    def ascend(b: Array, cov_b: Array) -> float:
        last = np.inf
        for _ in range(_MOST_STEPS):
            cov_a = np.linalg.inv(identity + n * (b.T @ b + outputs * cov_b))
            a = n * cov_a @ b.T @ fitted
            cov_b = np.linalg.inv(identity + n * (a @ a.T + inputs * cov_a))
            b = n * fitted @ a.T @ cov_b
            spread = inputs * np.trace(b.T @ b @ cov_a) + outputs * np.trace(a @ a.T @ cov_b)
            spread += inputs * outputs * np.trace(cov_a @ cov_b)
            energy = n / 2 * (((fitted - b @ a) ** 2).sum() + spread)
            for mean, cov, size in ((a, cov_a, inputs), (b, cov_b, outputs)):
                logs = np.linalg.slogdet(cov)[1]
                energy += ((mean**2).sum() + size * (np.trace(cov) - hidden - logs)) / 2
            if last - energy < _STILL_CHANGE:
                break
            last = energy
        return float(energy - n / 2 * (values[true:] ** 2).sum())

    best = np.zeros((outputs, hidden))
    best[:, :true] = left_vectors[:, :true] * np.sqrt(values[:true])
    spare = np.diag(np.r_[np.full(true, 1 / n), np.ones(hidden - true)])
    starts = [(best, spare), (best, identity / n), (best, identity / np.sqrt(n))]
    starts.append((rng.standard_normal((outputs, hidden)), identity / n))
    return min(ascend(b, cov_b) for b, cov_b in starts)


def nmf(
    rng: np.random.Generator,
    n: int,
    rows: int,
    inner: int,
    columns: int,
    true: int,
    row_shape: float,
    column_shape: float,
) -> float:
    """Sums of n matrices of Poisson counts; Gamma priors of rate 1."""
    u = np.ones((rows, true)) + 2 * np.eye(rows, true)
    v = np.ones((true, columns)) + 2 * np.eye(true, columns)
    means = u @ v
    noise = rng.poisson(10**6 * means) - 10**6 * means
    counts = np.rint(n * means + noise * np.sqrt(n / 10**6))
    shapes = (row_shape, column_shape)

    def parts(shape: Array, rate: Array, prior: float) -> tuple[Array, Array, float]:
        logs = digamma(shape) - np.log(rate)
        cost = (shape - prior) * digamma(shape) - gammaln(shape) + gammaln(prior)
        cost += prior * np.log(rate) + shape / rate - shape
        return shape / rate, np.exp(logs), float(cost.sum())

    def ascend(shape_v: Array, rate_v: Array, u_log: Array) -> float:
        last = np.inf
        mean_v, log_v, cost_v = parts(shape_v, rate_v, shapes[1])
        for _ in range(_MOST_STEPS):
            ratio = counts / np.maximum(u_log @ log_v, 1e-300)
            shape_u = shapes[0] + u_log * (ratio @ log_v.T)
            rate_u = 1 + n * mean_v.sum(1) * np.ones((rows, 1))
            mean_u, u_log, cost_u = parts(shape_u, rate_u, shapes[0])
            ratio = counts / np.maximum(u_log @ log_v, 1e-300)
            shape_v = shapes[1] + log_v * (u_log.T @ ratio)
            rate_v = 1 + n * mean_u.sum(0)[:, None] * np.ones(columns)
            mean_v, log_v, cost_v = parts(shape_v, rate_v, shapes[1])
            energy = n * (mean_u @ mean_v).sum() - xlogy(counts, u_log @ log_v).sum()
            energy += cost_u + cost_v
            if last - energy < _STILL_CHANGE:
                break
            last = energy
        return float(energy)

    spare = inner - true
    starts = []
    for small in (1 / n, 1.0):  # means of spare rows of v; those of u are small if these are not
        mean = np.vstack([v, np.full((spare, columns), small)])
        rates = np.vstack([n * np.ones((true, columns)), np.full((spare, columns), 1 / small)])
        u_log = np.hstack([u, np.full((rows, spare), 1e-3 / (n * small))])
        starts.append((mean * rates, rates, u_log))
    share = np.vstack([v, np.repeat(v[-1:], spare, 0)]) if true else np.ones((inner, columns))
    u_log = np.hstack([u, np.repeat(u[:, -1:], spare, 1)]) if true else np.ones((rows, inner))
    if true:
        u_log[:, true - 1 :] /= 1 + spare
    starts.append((n * share, n * np.ones_like(share), u_log))
    start = rng.uniform(0.5, 2, (inner, columns))
    starts.append((n * start, n * np.ones_like(start), rng.uniform(0.5, 2, (rows, inner))))
    best = xlogy(counts, counts / n).sum() - counts.sum()
    return min(ascend(*start) for start in starts) + float(best)
