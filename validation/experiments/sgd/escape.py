"""Escape of SGD from a sharp minimum.

The model is h(w)·x with h = (w − a)w² (rebuilt: the source's formulas are lost in the copy that was
read): a minimum of curvature a⁴ at a, a degenerate one at 0 and a barrier of height h² = 16a⁶/729
between them. What Figure 1 claims must come out with h = (w − a)w³ as well; the outcome of Figure 7
depends on where learning rate and sharpness lie, so that a second potential could change nothing.
Every batch is of fresh data. Trajectories begin in the sharp minimum; the rate at which they leave
it is events over steps, after fifty steps. The same rate is computed without simulation, from the
largest eigenvalue of the Markov chain that is killed where it leaves. For the end points,
trajectories begin uniformly in both basins and are compared with the posterior for as many data as
they have seen.

With w = a·v a step depends on the learning rate η, on a and on the noise s only through η·a⁴ and
s/a³: at the same two numbers the rates must agree.
"""

import math

import numpy as np

from validation.audit.row import close, exact
from validation.experiments.sgd import _dynamics, _hazard
from validation.framework.claim import alike, at_least, at_most, near, span
from validation.framework.experiment import Finding, experiment, suites

WARM_STEPS = 50
BASE_SETTINGS = {"at": 2.0, "rate": 0.11, "batch": 32, "noise": 1.0}
SCAN_NAMES = {"rate": "learning rate", "sharpness": "sharpness a⁴", "batch": "batch size"}


def _scaled(scan, factor):
    """The settings with one of them multiplied."""
    changed = dict(BASE_SETTINGS)
    if scan == "sharpness":
        changed["at"] = round(BASE_SETTINGS["at"] * factor**0.25, 6)
    elif scan == "batch":
        changed["batch"] = round(BASE_SETTINGS["batch"] * factor)
    else:
        changed["rate"] = round(BASE_SETTINGS["rate"] * factor, 6)
    return changed


def units(settings):
    """Three scans through the same point, the point in other units, and Figure 1."""
    for scan, factors in settings["scans"].items():
        for factor in factors:
            yield {"scan": scan, "factor": factor, **_scaled(scan, factor)}
    for factor in (0.5, 2.0):  # η·a⁴ = 3.5
        batch = round(BASE_SETTINGS["batch"] * factor)
        yield {"scan": "far", "factor": factor, **BASE_SETTINGS, "rate": 0.21875, "batch": batch}
    yield {"scan": "rescaled", "factor": 1.0, "at": 1.0, "rate": 1.76, "batch": 32, "noise": 0.125}
    figure = {"scan": "figure-1", "factor": 1.0, "at": 2.0, "batch": 16, "noise": 1.0}
    yield {**figure, "rate": 0.12}
    # The other potential, of curvature a⁶: the same η·a⁴ and η·a⁶, of the figure and of a rate.
    yield {**figure, "scan": "figure-1, w³", "rate": 0.03, "k": 3}
    for factor, rate in ((1.0, 0.0275), (0.8, 0.022)):
        other = {"scan": "rate, w³", "factor": factor, "rate": rate, "batch": 32, "k": 3}
        yield {**figure, **other}


def _posterior(at, n, noise, edges, k):
    """Mass of exp(−n·h²/2s²) in bins."""
    w = np.linspace(edges[0], edges[-1], 400_001)
    density = np.exp(-n * ((w - at) * w**k) ** 2 / (2 * noise**2))
    mass = np.histogram(w, edges, weights=density)[0]
    return mass / mass.sum()


def run(settings, unit, rng):
    """Follow trajectories; count those that leave."""
    at, steps, count = unit["at"], settings["steps"], settings["trajectories"]
    k = unit.get("k", 2)
    landscape, barrier = _dynamics.two_minima(at, k), k * at / (k + 1)
    uniform = unit["scan"].startswith("figure-1")
    w = rng.uniform(-0.25 * at, 1.15 * at, (count, 1)) if uniform else np.full((count, 1), at)
    began = w[:, 0] > barrier
    staying, events, exposure = began.copy(), np.zeros(2, int), np.zeros(2, int)
    times = sorted({round(steps * k / 20) for k in range(21)})
    fraction = [1.0]
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(1, steps + 1):
            w, _ = _dynamics.step(landscape, w, unit["rate"], unit["batch"], unit["noise"], rng)
            inside = staying & (w[:, 0] > barrier) & (w[:, 0] < 2 * at)
            if t > WARM_STEPS:
                half = int(t > (steps + WARM_STEPS) // 2)
                events[half] += staying.sum() - inside.sum()
                exposure[half] += staying.sum()
            staying = inside
            if t in times:
                fraction.append(staying.sum() / began.sum())
        diverged = ~(np.abs(w[:, 0]) < 100)
    result = {
        "events": events,
        "exposure": exposure,
        "times": times,
        "fraction": fraction,
        "diverged": diverged.mean(),
        "exact": _hazard.rate(
            at, unit["rate"], unit["batch"], unit["noise"], settings.get("cells", 400), k=k
        ),
    }
    if uniform:
        edges = np.linspace(-0.25 * at, 1.15 * at, 57)
        ends = np.histogram(w[~diverged, 0], edges)[0]
        result["edges"] = edges
        result["ends"] = ends / ends.sum()
        result["posterior"] = _posterior(at, steps * unit["batch"], unit["noise"], edges, k)
    return result


def _rate(row):
    return sum(row["events"]) / sum(row["exposure"])


def _slope(rows, scan):
    """Of log rate in log parameter between the neighbours of the common point, exactly."""
    own = [row for row in rows if row["scan"] == scan]
    low = max((r for r in own if r["factor"] < 1), key=lambda r: r["factor"])
    high = min((r for r in own if r["factor"] > 1), key=lambda r: r["factor"])
    return math.log(high["exact"] / low["exact"]) / math.log(high["factor"] / low["factor"])


def _as_exact(rows):
    """Rates against the exact ones, and in other units."""
    rated = [row for row in rows if sum(row["events"]) >= 25]
    # Errors: Poisson, and one per cent for the cells of the exact rate.  Beyond 4.7 standard
    # errors in any of 20 rates: one false alarm in 19 000.
    errors = [math.hypot(1 / math.sqrt(sum(r["events"])), 0.01) for r in rated]
    near_by, beyond = (
        sum((abs(_rate(r) / (factor * r["exact"]) - 1) / e < 4.7) == fits
            for r, e in zip(rated, errors, strict=True))
        for factor, fits in ((1.0, True), (1.3, False))
    )  # fmt: skip
    base, scaled = (
        next(r for r in rows if (r["scan"], r["factor"]) == (scan, 1.0))
        for scan in ("rate", "rescaled")
    )
    error = math.hypot(*(1 / math.sqrt(sum(row["events"])) for row in (base, scaled)))
    ratio = _rate(scaled) / _rate(base)
    return [
        exact(f"rates within 4.7 errors of the exact ones, of {len(rated)}", near_by, len(rated)),
        exact("half of them or more reject a rate 1.3 times too large", 2 * beyond >= len(rated),
              True),
        close("rate in other units, as a ratio", ratio, 1, 4.7 * error, control=1.6),
    ]  # fmt: skip


def _of_tails(settings, of, facts):
    """Exponential decay, what is left, and end points, for two potentials."""
    parts = {
        f"(w − a){power}": _leaves(settings, *(of[key + tail, factor] for key, factor in
                                              (("rate", 1.0), ("figure-1", 1.0), ("rate", 0.8))))
        for power, tail in (("w²", ""), ("w³", ", w³"))
    }  # fmt: skip
    constant, remaining, apart = (
        alike("the potential", dict(zip(parts, some, strict=True)))
        for some in zip(*parts.values(), strict=True)
    )
    slow = of["rate", 0.8]
    return Finding(
        "003-figure-1",
        f"{max(part.value for part in remaining):.1%} or fewer are left after {settings['steps']} "
        "steps; rates, as exact, are constant "
        f"({span([part.value for part in constant], '.2f')} from half to half); ends are "
        f"{min(part.value for part in apart):.2f} or more from the posterior",
        [*constant, *remaining, *apart, *facts],
        why="A chain that is killed where it leaves a basin has a largest eigenvalue, so what is "
        "left falls exponentially whatever the learning rate; how soon all have left depends on "
        f"it: at η = {slow['rate']:g} {slow['fraction'][-1]:.0%} are left. In the degenerate basin "
        "the steps shrink with h′, and trajectories stop where the posterior for the same data "
        "does not.",
    )


def judge(settings, rows):
    """Rates against the exact ones, exponential decay, slopes, end points."""
    facts = _as_exact(rows)
    of = {(row["scan"], row["factor"]): row for row in rows}
    yield _of_tails(settings, of, facts)
    base, far = of["rate", 1.0], next(row for row in rows if row["scan"] == "far")
    slopes = {scan: _slope(rows, scan) for scan in (*SCAN_NAMES, "far")}
    low = max(of[scan, 0.8]["exact"] for scan in ("rate", "sharpness"))
    yield Finding(
        "003-figure-7",
        f"rate ~ η^{slopes['rate']:.0f}, (a⁴)^{slopes['sharpness']:.1f}, B^{slopes['batch']:.1f} "
        f"near η·a⁴ = {_place(base):.2f}, but B^{slopes['far']:.1f} at "
        f"{_place(far):.1f}: what the batch size does depends on where one is",
        [
            *(
                at_least(f"exponent of the {name}, of that of the batch size",
                         slopes[scan] / abs(slopes["batch"]), 1.5, control=1.0)
                for scan, name in (("rate", "learning rate"), ("sharpness", "sharpness"))
            ),
            at_most("rate for a fifth less of either, a threshold", low / base["exact"], 0.25,
                    control=0.8),
            *alike(
                "where learning rate and sharpness lie",
                {
                    f"η·a⁴ = {_place(row):.2f}": at_most(
                        "exponent of the batch size (planted: that of the learning rate)",
                        abs(slopes[scan]), 1.0, control=slopes["rate"])
                    for row, scan in ((base, "batch"), (far, "far"))
                },
            ),
            *facts,
        ],
        why="Learning rate, sharpness and batch size of the figure are lost in the copy that was "
        "read. Below η·a⁴ = 2 descent without noise is stable, escape needs rare batches, whose "
        "probability falls exponentially with their size. Only far beyond 2, where "
        "descent alone leaves the minimum, or where the noise s/a³ is as large as the barrier, is "
        "the effect of the batch small. A higher barrier does not protect, as the source says: "
        "with a grows η·a⁴.",
    )  # fmt: skip


def _leaves(settings, base, figure, slow):
    """What Figure 1 claims, on one potential: a constant rate, few left, ends off the posterior."""
    early, late = (base["events"][k] / base["exposure"][k] for k in (0, 1))
    error = math.hypot(*(1 / math.sqrt(base["events"][k]) for k in (0, 1)))
    middle = (settings["steps"] + WARM_STEPS) / 2
    # Of a fraction that falls as a power of t instead, whatever the power.
    power = math.log(settings["steps"] / middle) / math.log(middle / WARM_STEPS)
    apart = sum(abs(a - b) for a, b in zip(figure["ends"], figure["posterior"], strict=True)) / 2
    return (
        near("rate in the second half over that in the first", late / early, 1, 4.7 * error,
             power, error),
        at_most("fraction left at the end (planted: a smaller learning rate)",
                figure["fraction"][-1], 0.02, control=slow["fraction"][-1]),
        at_least("total variation of end points and posterior (planted: draws from it)", apart, 0.1,
                 control=_dynamics.by_chance(figure["posterior"], settings["trajectories"])),
    )  # fmt: skip


def _place(row):
    """η·a⁴, beyond 2 of which descent alone leaves the minimum."""
    return row["rate"] * row["at"] ** 4


def draw(settings, rows, figure):
    """Fractions in time, and rates along the scans."""
    above, below = figure.subplots(2, 1)
    colours = ("#9aa7b4", "#2f6fa8", "#d9902f", "#c8452f", "#4b9b6b", "#8a5aa8")
    shown = [row for row in rows if row["scan"] == "rate"]
    for row, colour in zip(shown, colours, strict=False):
        remaining = np.array(row["fraction"])
        keep = remaining > 0
        above.semilogy(np.array(row["times"])[keep], remaining[keep], "o", ms=3, color=colour)
        t = np.array([WARM_STEPS, settings["steps"]])
        start = np.interp(WARM_STEPS, row["times"], remaining)
        label = f"η·a⁴ = {_place(row):.2f}"
        above.semilogy(
            t, start * np.exp(-row["exact"] * (t - WARM_STEPS)), color=colour, label=label
        )
    above.set_ylim(1e-3, 1.5)
    above.set_xlabel("step")
    above.set_ylabel("fraction left in the sharp minimum")
    above.legend(fontsize=8, frameon=False, title="line: exact rate", title_fontsize=8)
    for (scan, label), colour, mark in zip(SCAN_NAMES.items(), colours[1:], "osD", strict=False):
        own = sorted((row for row in rows if row["scan"] == scan), key=lambda row: row["factor"])
        x = [row["factor"] for row in own]
        below.loglog(x, [row["exact"] for row in own], color=colour, label=f"{label}, exact")
        seen = [row for row in own if sum(row["events"]) > 0]
        below.errorbar(
            [row["factor"] for row in seen],
            [_rate(row) for row in seen],
            [2 * _rate(row) / math.sqrt(sum(row["events"])) for row in seen],
            fmt=mark,
            ms=4,
            color=colour,
        )
    ticks = [0.25, 0.5, 0.8, 1, 1.3, 2]
    below.set_xticks(ticks, [f"{one:g}" for one in ticks])
    below.minorticks_off()
    below.set_ylim(1e-6, 1)
    below.set_xlabel("parameter, in parts of η = 0.11, a⁴ = 16, B = 32")
    below.set_ylabel("rate of escape per step")
    below.legend(fontsize=8, frameon=False)


EXPERIMENT = experiment(
    __name__,
    title="SGD leaves a sharp minimum at an exactly known rate",
    places=("003-figure-1", "003-figure-7"),
    **suites(
        trajectories=(4000, 40_000),
        steps=(450, 500),
        scans=(
            {"rate": [0.8, 1.0, 1.2], "sharpness": [0.8, 1.2], "batch": [0.5, 2.0]},
            {
                "rate": [0.8, 0.9, 1.0, 1.1, 1.2, 1.3],
                "sharpness": [0.8, 0.9, 1.1, 1.2, 1.3],
                "batch": [0.25, 0.5, 0.75, 1.5, 2.0],
            },
        ),
        cells=(160, None),
    ),
    size=(5.4, 7.4),
    seed=1,
)
