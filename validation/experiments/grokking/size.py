"""The final learning coefficient against p and against the number of units.

Networks are trained on two fifths of all pairs, with several moduli at one width and several widths
at one modulus, for the same number of steps at ten times the source's decay; and, for the number of
active units, for many more steps at the source's decay. The source's estimator is applied to the
last weights. Beside it stand half of the rank that the Jacobian has at generic weights on the
training pairs, ½ min(K(3p − 2), p(N − 1)); the same with the active units only; and the blind walk
of the trajectory page, which does not know the loss. A straight line must explain 99.5 % of the
variance of the means over seeds: a square or a root of the same sizes then fails, which is tested.
Runs that do not generalise are left out.
"""

import numpy as np

from rlct.audit.row import exact
from rlct.report.picture import ACCENT, INK
from rlct.validation.experiment import Experiment, Finding, Verdict
from validation.experiments.grokking._llc import blind_walk, half_rank, published
from validation.experiments.grokking._modular import Task, final

BAR = 0.995  # of R², which a square and a root of the sizes below do not reach
WHY = (
    "It is not the line of the theory. On N training pairs ½K(3p − 2) stops at ½p(N − 1), which "
    "wide networks, and the source's with 1024 units at p = 53, have reached. The blind walk rises "
    "as well: noise of one size on every weight costs the more, the more weights there are."
)


def units(settings):
    """Moduli at the middle width, widths at one modulus, and long runs at a small decay."""
    sizes = [(p, settings["middle"]["units"]) for p in settings["p"]]
    sizes += [(settings["middle"]["p"], K) for K in settings["units"]]
    for p, K in dict.fromkeys(sizes):
        for seed in range(settings["seeds"]):
            yield {"p": p, "units": K, "seed": seed, **settings["training"]}
    for p, steps in settings["long"].items():
        for K in settings["long_units"]:
            yield {"p": int(p), "units": K, "seed": 0, **settings["training"], "steps": steps,
                   "weight_decay": 1e-5}  # fmt: skip


def run(settings, unit, rng):
    """Train and estimate once."""
    task, training = Task.for_steps(unit, {})
    point = final(training, task)
    llc, spread = published(task, point, rng)
    active, half = half_rank(task, point)
    p, N = unit["p"], len(task.train)
    return {
        "test_accuracy": point.test_accuracy,
        "llc": llc,
        "spread": spread,
        "blind": blind_walk(task, point, rng),
        "active": active,
        "half_rank": half,
        "generic": 0.5 * min(unit["units"] * (3 * p - 2), p * (N - 1)),
        "parameters": 3 * p * unit["units"],
    }


def straight(x, y):
    """R² of a straight line."""
    slope, height = np.polyfit(x, y, 1)
    return float(1 - np.var(y - slope * x - height) / np.var(y))


def means(rows, name, key):
    """Sizes, and means over the seeds."""
    sizes = sorted({row[name] for row in rows})
    return np.array(sizes, dtype=float), np.array(
        [np.mean([row[key] for row in rows if row[name] == size]) for size in sizes]
    )


def parts(settings, rows):
    """Rows with the middle width, with the middle modulus, and of long training."""
    p, K = settings["middle"]["p"], settings["middle"]["units"]
    base = settings["training"]["weight_decay"]
    short = [row for row in rows if row["weight_decay"] == base]
    long = [row for row in rows if row["weight_decay"] != base]
    return [r for r in short if r["units"] == K], [r for r in short if r["p"] == p], long


def judge(settings, rows):
    """Straightness in p and in K; the theory beside it; active units."""
    every = len(rows)
    rows = [row for row in rows if row["test_accuracy"] > 0.95]
    common = [exact("9 of 10 runs generalise, test accuracy > 0.95", len(rows) > 0.9 * every, True)]
    moduli, widths, long = parts(settings, rows)
    ratio = np.array([row["llc"] / row["generic"] for row in rows])
    training = settings["training"]
    scale = (
        f"{training['steps']} steps at rate {training['lr']:g} and decay "
        f"{training['weight_decay']:g}, where the source's baseline has 100 000 epochs and decay "
        "1e-5; "
    )
    if settings["p"]:
        common.append(exact("λ̂ is below a third of ½ rank", bool(ratio.max() < 1 / 3), True))
        sizes, llc = means(moduli, "p", "llc")
        yield Finding(
            "002-figure-1",
            Verdict.CONFIRMED,
            f"R² of a straight line in p: {straight(sizes, llc):.4f}; λ̂ is {ratio.min():.3f} to "
            f"{ratio.max():.3f} of ½ rank at generic weights",
            [
                *common,
                exact(f"R² of λ̂ on p > {BAR}", straight(sizes, llc) > BAR, True),
                exact(f"R² of blind walk on p > {BAR}",
                      straight(*means(moduli, "p", "blind")) > BAR, True),
                *planted("p", sizes),
            ],
            why=WHY,
            scale=scale + f"p = {', '.join(map(str, settings['p']))} with "
            f"{settings['middle']['units']} units and {settings['seeds']} seeds.",
        )  # fmt: skip
    if len(settings["units"]) < 3:
        return
    sizes, llc = means(widths, "units", "llc")
    told = ", ".join(f"{value:.0f} with {K:.0f}" for K, value in zip(sizes, llc, strict=True))
    yield Finding(
        "002-figure-2",
        Verdict.DIFFERS,
        f"p = {settings['middle']['p']}: λ̂ is {told} units; R² of a straight line in units "
        f"{straight(sizes, llc):.3f}",
        [
            common[0],
            exact("the widest has the largest λ̂", bool(llc.argmax() == len(llc) - 1), True),
            exact(f"R² of λ̂ on units > {BAR}", straight(sizes, llc) > BAR, False, printed=True),
            *planted("units", sizes),
        ],
        why="It rises with the width, but no line goes through the narrow networks, in which all "
        "units are still active after so many steps, and the wide ones, in which most are idle. "
        + WHY,
        scale=scale + f"up to {max(settings['units'])} units at p = {settings['middle']['p']}, "
        f"{settings['seeds']} seeds.",
    )
    if long:
        yield _width(settings, widths, long)


def planted(name, sizes):
    """That a square or a root of the sizes would not pass for a line."""
    for power, what in ((2, "square"), (0.5, "root")):
        found = straight(sizes, sizes**power)
        yield exact(f"a {what} of {name} passes, R² = {found:.4f}", found > BAR, False)


def _width(settings, widths, long):
    """Whether the number of active units goes with the width."""
    counts = {
        p: {row["units"]: row["active"] for row in long if row["p"] == p}
        for p in sorted({row["p"] for row in long})
    }
    slopes = [
        np.polyfit(np.log(list(own)), np.log(list(own.values())), 1)[0] for own in counts.values()
    ]
    close_by = all(
        abs(active / (2 * p - 2) - 1) < 0.1 for p, own in counts.items() for active in own.values()
    )
    steps = ", ".join(f"{steps} steps at p = {p}" for p, steps in settings["long"].items())
    early = ", ".join(
        f"{n:.0f} of {K:.0f}" for K, n in zip(*means(widths, "units", "active"), strict=True)
    )
    return Finding(
        "002-section-6-2",
        Verdict.DIFFERS,
        "active units at the source's decay, by width: "
        + "; ".join(
            f"p = {p}: " + ", ".join(f"{active} of {K}" for K, active in own.items())
            for p, own in counts.items()
        )
        + f" ({len(long)} of {len(settings['long']) * len(settings['long_units'])} runs generalise "
        f"in time); after short training at ten times that, p = {settings['middle']['p']}: {early}",
        [
            exact(
                "two widths or more generalise at every modulus, in long training",
                [len(own) > 1 for own in counts.values()],
                [True] * len(settings["long"]),
            ),
            exact("active units are 2(p − 1) within a tenth at every width", close_by, True),
            exact("they grow as the root of the width, or faster", max(slopes) > 0.5, False,
                  printed=True),
        ],
        why="The source concludes from the rising line of Figure 2. But once training has lasted "
        "long enough the number of active units is 2(p − 1) whatever the width, and it is the idle "
        "ones that raise λ̂: noise on their weights costs, too. Before that more units are active, "
        "in narrow networks as well: how long it takes depends on rate and width, and the source "
        "names no rate here.",
        scale=f"{', '.join(map(str, settings['long_units']))} units, {steps}, one seed, rate "
        f"{settings['training']['lr']:g}; the source's baseline has p = 53 and 100 000 epochs.",
    )  # fmt: skip


def draw(settings, rows, figure):
    """λ̂, the blind walk and theory, against p and against K."""
    *scans, _ = parts(settings, rows)
    for axes, name, own in zip(figure.subplots(1, 2), ("p", "units"), scans, strict=True):
        own = [row for row in own if row["test_accuracy"] > 0.95]
        if not own:
            continue
        axes.plot([row[name] for row in own], [row["llc"] for row in own], "o", ms=4, color=INK)
        for key, style, label in (
            ("llc", "-", "source's estimator"),
            ("blind", "-.", "blind walk"),
            ("generic", "--", "½ rank, generic"),
            ("half_rank", ":", "½ rank, active units"),
        ):
            axes.plot(*means(own, name, key), style, color=INK if key == "llc" else ACCENT,
                      label=label)  # fmt: skip
        axes.set_yscale("log")
        axes.set_xlabel(name)
        axes.set_ylabel("learning coefficient")
        axes.legend(frameon=False, fontsize=7)


EXPERIMENT = Experiment(
    id="grokking-size",
    source="002",
    title="The final learning coefficient against p and the number of units",
    places=("002-figure-1", "002-figure-2", "002-section-6-2"),
    quick={
        "p": [17, 29, 47],
        "units": [],
        "middle": {"p": 29, "units": 128},
        "seeds": 1,
        "long": {},
        "long_units": [],
        "training": {"lr": 1e-2, "weight_decay": 3e-4, "fraction": 0.5, "steps": 3000},
    },
    full={
        "p": [23, 31, 41, 53, 67, 83],
        "units": [64, 128, 256, 512, 768],
        "middle": {"p": 31, "units": 256},
        "seeds": 3,
        "long": {"23": 40_000, "31": 60_000},
        "long_units": [128, 256, 512],
        "training": {"lr": 5e-3, "weight_decay": 1e-4, "steps": 6000},
    },
    units=units,
    run=run,
    judge=judge,
    draw=draw,
    size=(9.0, 4.5),
)
