"""SGD where all directions of a minimum are degenerate.

One dimension: h = (w − 1)²w³ (rebuilt), λ = 1/4 at 1 and 1/6 at 0, a barrier at 3/5. Near 1 a step
multiplies δ = w − 1 by 1 + 2ηC + O(δ²), C the mean of input times noise over the batch: δ is a
geometric random walk that dies at the exponential rate −E log|1 + 2ηC| > 0, computed by quadrature,
without ever reaching the barrier. Two dimensions: h = x²(x² + y²)² (rebuilt), λ = 1/4 on the line
x = 0 and 1/6 at the origin, or x²(x² + y²)³, 1/8 at the origin, as the source's formula is lost:
what is claimed must come out with both. In one dimension a second potential could change nothing,
as the outcome depends on the learning rate, which is not told. On the line the gradient of every
sample is 0. Trajectories begin uniformly, in both basins, or beside the line (|x| < 0.1). The
posterior is integrated numerically.
"""

import math
from functools import cache

import numpy as np
from scipy.stats import gamma

import rlct
from validation.audit.row import close
from validation.experiments.sgd import _dynamics
from validation.framework.claim import alike, at_least, at_most, span
from validation.framework.estimate import estimate
from validation.framework.experiment import Finding, experiment, suites

NOISE_DEVIATION = 1.0
BIN_EDGES = [k / 20 for k in range(21)]
BASIN_BARRIER = 0.6
MIDDLE_SIZE = 5000  # the n of a posterior that is shown between the fewest and the most
PLANE_POWERS = (2, 3)  # of x² + y² in the plane
# Before, δ² still counts; long after, δ comes near the last digit of w = 1 + δ.
RATE_WINDOW = (5000, 10_000)


def units(settings):
    """Runs on the line and in the plane, posteriors of both."""
    for options in settings["line"]:
        yield {"kind": "line", **options}
    for options in settings["plane"]:
        for power in PLANE_POWERS:
            yield {"kind": "plane", **options, "power": power}
    for n in settings["observations"]:
        yield {"kind": "posterior", "n": n}


@cache
def multiplier(rate, batch, momentum):
    """E log|δ_{t+1}/δ_t|, by quadrature over A and the normal part of C.

    With momentum 1 + u, the ratio of two δ, goes to 1 + μu/(1 + u) + 2ηC; its stationary law is
    found on a grid, for noise so small that it stays away from −1.
    """
    x, mass = np.polynomial.legendre.leggauss(30)
    a = gamma.ppf((x + 1) / 2, batch / 2, scale=2 / batch)
    deviation = 2 * rate * NOISE_DEVIATION * np.sqrt(a / batch)
    if momentum == 0:
        z, weight = np.polynomial.hermite_e.hermegauss(120)
        c = deviation[:, None] * z
        return float((mass / 2) @ np.log(np.abs(1 + c)) @ weight / weight.sum())
    u = 12 * rate * NOISE_DEVIATION / math.sqrt(batch * (1 - momentum**2)) * np.linspace(-1, 1, 201)
    gap = u - (momentum * u / (1 + u))[:, None]
    kernel = sum(
        m / s * np.exp(-0.5 * (gap / s) ** 2) for m, s in zip(mass, deviation, strict=True)
    )
    kernel /= kernel.sum(axis=1, keepdims=True)
    law = np.full(len(u), 1 / len(u))
    for _ in range(400):
        law = law @ kernel
    return float(law @ np.log1p(u))


def _posterior(n):
    """Share of the basin of 0 in one dimension, and |y| in two."""
    w = np.linspace(-1, 2, 3_000_001)
    mass = np.exp(-n * _dynamics.two_degenerate().h(w[:, None]) ** 2 / (2 * NOISE_DEVIATION**2))
    flat = mass[w < BASIN_BARRIER].sum() / mass.sum()
    along = {
        str(power): _dynamics.along_line(
            _dynamics.line(2, power), n, NOISE_DEVIATION, np.array(BIN_EDGES)
        )
        for power in PLANE_POWERS
    }
    return {"degenerate": flat, "along": along}


def run(settings, unit, rng):
    """Follow trajectories, or integrate."""
    if unit["kind"] == "posterior":
        return _posterior(unit["n"])
    count, steps = settings["trajectories"], settings["steps"]
    line = unit["kind"] == "line"
    landscape = _dynamics.two_degenerate() if line else _dynamics.line(2, unit["power"])
    low, high = ([-0.4], [1.4]) if line else ([-0.1, -1.0], [0.1, 1.0])
    began = rng.uniform(low, high, (count, len(low)))
    w, velocity = began, None
    times = [round(steps * k / 20) for k in range(21)]
    less = began[:, 0] > BASIN_BARRIER  # in the basin of the less degenerate minimum
    path = []
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps + 1):
            if t in times:
                inside = less & (w[:, 0] > BASIN_BARRIER)
                tiny = np.log(np.abs(w[inside, 0] - 1) + 1e-300).mean() if inside.any() else 0.0
                path.append(tiny if line else np.hypot(*w.T))
            if t < steps:
                w, velocity = _dynamics.step(
                    landscape, w, unit["rate"], unit["batch"], NOISE_DEVIATION, rng, velocity,
                    unit["momentum"],
                )  # fmt: skip
    result = {"times": times, "diverged": np.mean(~(np.abs(w).max(axis=1) < 10))}
    if line:
        first, last = (times.index(t) for t in RATE_WINDOW)
        return result | {
            "began": less.sum(),
            "escaped": (less & ~(w[:, 0] > BASIN_BARRIER)).sum(),
            "log": path,
            "slope": (path[last] - path[first]) / (RATE_WINDOW[1] - RATE_WINDOW[0]),
            "spread": 2 * unit["rate"] * NOISE_DEVIATION / math.sqrt(unit["batch"]),
        }
    distance = np.array(path)
    far = np.abs(began[:, 1]) > 0.3
    change = np.abs(distance[-1] / distance[0] - 1)
    return result | {
        "median_change": np.median(change[far]),
        "change_99": np.quantile(change[far], 0.99),
        "kept": distance[:, np.argsort(distance[0])[:: max(1, count // 12)]].T,
        "medians": [np.median(np.abs(began[:, 1])), np.median(np.abs(w[:, 1]))],
        "ends": np.histogram(np.abs(w[:, 1]), BIN_EDGES)[0] / count,
    }


def _rates(rows):
    """The rates of runs, with momentum, in words."""
    return f"η/(1−μ) = {span([row['rate'] / (1 - row['momentum']) for row in rows], '.2g')}"


def _median(mass):
    """Median of |y| from the mass in bins."""
    return float(np.interp(0.5, np.concatenate([[0], np.cumsum(mass)]), BIN_EDGES))


def _drifted(row, steps):
    """How far |y| = 1/2 would move on a line that is quadratic across (Figures 2 and 3)."""
    c = (row["rate"] * NOISE_DEVIATION / (1 - row["momentum"])) ** 2 / row["batch"]
    return 0.5 - (4 + 2 * c * steps) ** -0.5


def _basins(settings, calm, wild, posterior):
    """Two basins: who escapes, and where the posterior goes."""
    duration = RATE_WINDOW[1] - RATE_WINDOW[0]
    rates = []
    for row in calm:  # with η/(1−μ) = 1 all have come to the last digit before the window
        # 4.7 errors of the mean of a random walk: one false alarm in 380 000.
        error = 4.7 * row["spread"] / (1 - row["momentum"]) / math.sqrt(duration * row["began"])
        right = multiplier(row["rate"], row["batch"], row["momentum"])
        what = f"rate of log|w − 1|, η = {row['rate']:g}, μ = {row['momentum']:g}"
        rates.append(close(what, row["slope"], right, error, control=0.6 * right))
    at_one, at_zero = (float(rlct.poly("(w-1)**4*w**6", at={"w": w}).lam) for w in (1, 0))
    sizes = sorted(posterior)
    shares = np.array([posterior[n]["degenerate"] for n in sizes])
    growths, odds = shares[1:] / shares[:-1], shares / (1 - shares)
    growth = math.log(odds[-1] / odds[-2]) / math.log(sizes[-1] / sizes[-2])
    return Finding(
        "003-figure-4",
        f"{sum(r['escaped'] for r in calm)} of {sum(r['began'] for r in calm)} trajectories "
        f"escape at {_rates(calm)}; the posterior has {posterior[MIDDLE_SIZE]['degenerate']:.0%} "
        f"in the more degenerate basin at n = {MIDDLE_SIZE:g}, {shares[-1]:.0%} at {sizes[-1]:g}",
        [
            *alike(
                "the learning rate",
                {
                    _rates(own): at_most(
                        "share of trajectories that escape (planted: one of ten)",
                        sum(row["escaped"] for row in own) / sum(row["began"] for row in own), 0,
                        control=0.1, margin=0.01)
                    for own in (calm, wild)
                },
            ),
            at_least("least growth of the share of the posterior from n to n", growths.min(), 1.01,
                     control=(1 / growths).min()),
            *rates,
            estimate("exponent of n in its odds, the difference of two λ", growth,
                     at_one - at_zero, 0.0, allowed=0.004),
        ],
        details="Their distance to the minimum dies as "
        + ", ".join(f"e^(−{-row['slope']:.3e} t) with momentum {row['momentum']:g}" for row in calm)
        + ".",
        why="A minimum without a linear term has multiplicative noise, which pulls in on average. "
        "That the posterior concentrates is right, but its odds grow as n^(1/12) only. With large "
        "learning rates trajectories do escape; those of the figure are lost in the copy that was "
        "read.",
    )  # fmt: skip


def judge(settings, rows):
    """What stays, and how slowly the posterior moves."""
    line, plane, of_n = (
        [row for row in rows if row["kind"] == kind] for kind in ("line", "plane", "posterior")
    )
    posterior = {row["n"]: row for row in of_n}
    calm = [row for row in line if row["rate"] / (1 - row["momentum"]) < 0.5]
    wild = [row for row in line if row["rate"] / (1 - row["momentum"]) > 0.5]
    yield _basins(settings, calm, wild, posterior)
    potentials = {
        _dynamics.line(2, power).name: _line(
            settings,
            [row for row in rows if row.get("power") == power],
            {n: row["along"][str(power)] for n, row in posterior.items()},
            MIDDLE_SIZE,
        )
        for power in PLANE_POWERS
    }
    stays, narrows, apart, keeps = (
        alike("the potential", dict(zip(potentials, parts, strict=True)))
        for parts in zip(*potentials.values(), strict=True)
    )
    few, many = min(posterior), max(posterior)
    medians = [_median(posterior[n]["along"]["2"]) for n in (few, MIDDLE_SIZE, many)]
    yield Finding(
        "003-figure-5",
        f"median |y| of trajectories {plane[0]['medians'][0]:.3f} → {plane[0]['medians'][1]:.3f}, "
        f"of the posterior {medians[0]:.2f}, {medians[1]:.2f}, {medians[2]:.2f} at n = {few:g}, "
        f"{MIDDLE_SIZE:g}, {many:g}; total variation {min(a.value for a in apart):.2f} or more at "
        f"{MIDDLE_SIZE:g}",
        [*stays, *narrows, *apart],
        why="Along the line the posterior is |y|⁻² beyond |y| ~ n^(−1/12): it narrows with the "
        "twelfth root of n, so that at 5000 data the two differ, but not by much. How different "
        "they look depends on the exponents, which are lost in the copy that was read; the "
        "smaller are the least for which the origin is more degenerate.",
    )
    yield Finding(
        "003-figure-6",
        f"after {settings['steps']} steps the distance of those begun at |y| > 0.3 has changed by "
        f"{max(row['median_change'] for row in plane):.1%} in the median, by less than "
        f"{max(row['change_99'] for row in plane):.0%} for 99 of 100",
        keeps,
        why="On the line every sample's gradient is 0, and beside it of third order in x; on a "
        "line that is quadratic across (Figures 2 and 3) the distance would have more than halved. "
        "Nearer to the origin the distance from it is not that along the line: |x| < 0.1.",
    )


def _line(settings, rows, along, n):
    """What is said of the figures on a flat line, of runs on one potential and its posteriors."""
    drift = min(_drifted(row, settings["steps"]) for row in rows)
    medians = [_median(along[size]) for size in (min(along), n, max(along))]
    apart = min(
        sum(abs(a - b) for a, b in zip(row["ends"], along[n], strict=True)) / 2 for row in rows
    )
    return (
        at_most("change of the median |y| of trajectories (planted: from 1/2 on a line quadratic "
                "across)",
                max(abs(row["medians"][1] - row["medians"][0]) for row in rows), 0.02,
                control=drift),
        at_most("median |y| of the posterior, from n to n",
                max(medians[1] / medians[0], medians[2] / medians[1]), 0.95, control=1.0),
        at_least(f"total variation at n = {n:g} (planted: draws from the posterior)", apart, 0.05,
                 control=_dynamics.by_chance(along[n], settings["trajectories"])),
        at_most("median change of the distance as a share of it, begun at |y| > 0.3 (planted: from "
                "1/2 on a line quadratic across)",
                max(row["median_change"] for row in rows), 0.02, control=drift / 0.5),
    )  # fmt: skip


def draw(settings, rows, figure):
    """Log distance in one dimension with its exact rate; distance and |y| in two."""
    top, middle, below = figure.subplots(3, 1)
    calm = [row for row in rows if row["kind"] == "line" and row["escaped"] == 0]
    for row, colour in zip(calm, ("#2f6fa8", "#c8452f"), strict=False):
        label = f"η = {row['rate']}, μ = {row['momentum']}"
        shown = np.array(row["log"]) / math.log(10)
        top.plot(row["times"], shown, "o", ms=3, color=colour, label=label)
        if row["momentum"] == 0:
            t = np.array(row["times"])
            middle_log = row["log"][row["times"].index(RATE_WINDOW[0])]
            exactly = middle_log + multiplier(row["rate"], row["batch"], 0) * (t - RATE_WINDOW[0])
            top.plot(t, exactly / math.log(10), color=colour, lw=1, label="exact rate")
    top.set_xlabel("step")
    top.set_ylabel("mean log₁₀|w − 1|")
    top.legend(fontsize=8, frameon=False)
    plane = next(row for row in rows if row["kind"] == "plane")
    for path in plane["kept"]:
        middle.plot(plane["times"], path, color="#2f6fa8", lw=1)
    middle.set_xlabel("step")
    middle.set_ylabel("distance from the origin")
    below.stairs(np.array(plane["ends"]) * 20, BIN_EDGES, color="#2f6fa8", label="ends of SGD")
    shades = ("#d9902f", "#c8452f", "#8a5aa8")
    chosen = [row for row in rows if row["kind"] == "posterior"]
    for row, colour in zip([chosen[0], chosen[-1]], shades, strict=False):
        label = f"posterior, n = {row['n']:g}"
        below.stairs(np.array(row["along"]["2"]) * 20, BIN_EDGES, color=colour, label=label)
    below.set_xlabel("|y|")
    below.set_ylabel("density")
    below.legend(fontsize=8, frameon=False)


_LINE_RUNS = [
    {"rate": 0.1, "batch": 16, "momentum": 0.0},
    {"rate": 0.01, "batch": 16, "momentum": 0.9},
    {"rate": 1.0, "batch": 16, "momentum": 0.0},
]
_PLANE_RUNS = [
    {"rate": 0.1, "batch": 16, "momentum": 0.0},
    {"rate": 0.01, "batch": 16, "momentum": 0.9},
]

EXPERIMENT = experiment(
    __name__,
    title="Where all directions are degenerate SGD stays, and the posterior hardly moves",
    places=("003-figure-4", "003-figure-5", "003-figure-6"),
    **suites(
        trajectories=(300, 10_000),
        steps=(10_000, 20_000),
        line=_LINE_RUNS,
        plane=_PLANE_RUNS,
        observations=([100, 5000, 1e10], [100, 5000, 1e6, 1e8, 1e10]),
    ),
    size=(5.4, 9.0),
    seed=4,
    version=3,
)
