"""The final learning coefficient against p and against the number of units.

Networks are trained for the same number of steps on two fifths of all pairs, and the source's
estimator is applied to the last weights. Beside it stand half of the rank that the Jacobian has at
generic weights on the training pairs, ½ min(K(3p − 2), p(N − 1)); the same with the active units
only; and the blind walk of the trajectory page, which does not know the loss.
"""

import numpy as np

from rlct.audit.row import exact
from rlct.report.picture import ACCENT, FAINT, INK, SECOND
from rlct.validation.experiment import Experiment, Finding, Verdict
from validation.experiments.grokking._llc import blind_walk, half_rank, published
from validation.experiments.grokking._modular import Task, final

SCALE = "Up to 512 units."
SHADES = (FAINT, SECOND, ACCENT, INK)


def units(settings):
    """A size and a seed."""
    for p in settings["p"]:
        for K in settings["units"]:
            for seed in range(settings["seeds"]):
                yield {"p": p, "units": K, "seed": seed}


def run(settings, unit, rng):
    """Train and estimate once."""
    task, training = Task.for_steps(settings["training"], unit)
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


def judge(settings, rows):
    """Straightness in p and in K; the theory beside it."""
    accuracy = min(row["test_accuracy"] for row in rows)
    common = [exact("all generalise: test accuracy > 0.95", accuracy > 0.95, True)]
    ratio = np.array([row["llc"] / row["generic"] for row in rows])
    common.append(exact("λ̂ is below a third of ½ rank", bool(ratio.max() < 1 / 3), True))
    for name, other, place in (("p", "units", "002-figure-1"), ("units", "p", "002-figure-2")):
        if len(settings[name]) < 3:
            continue
        facts, worst = list(common), 1.0
        for value in settings[other]:
            own = [row for row in rows if row[other] == value]
            x = np.array([row[name] for row in own], dtype=float)
            fits = {key: straight(x, np.array([r[key] for r in own])) for key in ("llc", "blind")}
            worst = min(worst, fits["llc"])
            for key, what in (("llc", "λ̂"), ("blind", "blind walk")):
                told = f"R² of {what} on {name}, {other} = {value}, > 0.9"
                facts.append(exact(told, fits[key] > 0.9, True))
        shown = f"R² of a straight line in {name}: {worst:.3f} or more"
        why = (
            "The straight lines are there, but they are not the theory's. On N training pairs "
            "½K(3p − 2) stops at ½p(N − 1), which most of these networks, and the source's with "
            "1024 units at p = 53, have reached. The blind walk is as straight: noise of one size "
            "on every weight costs the more, the more weights there are."
        )
        if name == "p":
            shown += f"; λ̂ is {ratio.min():.3f} to {ratio.max():.3f} of ½ rank at generic weights"
        yield Finding(place, Verdict.CONFIRMED, shown, facts, why=why, scale=SCALE)
    if len(settings["units"]) >= 3:
        yield _width(settings, rows, common[:1])


def _width(settings, rows, common):
    """Whether the number of active units goes with the width."""
    shares = [abs(row["active"] / (2 * row["p"] - 2) - 1) for row in rows]
    close_by = float(np.mean(np.array(shares) < 0.25))
    slopes = {}
    for p in settings["p"]:
        own = [row for row in rows if row["p"] == p]
        sizes = [[np.log(row[key]) for row in own] for key in ("units", "active")]
        slopes[p] = float(np.polyfit(*sizes, 1)[0])
    grows = any(slope > 0.5 for slope in slopes.values())
    counts = "; ".join(
        f"p = {p}: {', '.join(str(row['active']) for row in rows if row['p'] == p)} active units "
        f"for widths {', '.join(str(row['units']) for row in rows if row['p'] == p)}"
        for p in settings["p"]
    )
    return Finding(
        "002-section-6-2",
        Verdict.REFUTED,
        counts,
        [
            *common,
            exact("active units are 2(p − 1) within a quarter in most runs", close_by > 0.5, True),
            exact("they grow as the root of the width, or faster", grows, False, printed=True),
        ],
        why="The source concludes from the rising line of Figure 2. But the number of active units "
        "ends near 2(p − 1) whatever the width, and it is the idle ones that raise λ̂: noise on "
        "their weights costs, too.",
        scale=SCALE,
    )


def draw(settings, rows, figure):
    """λ̂, the blind walk and theory, against p and against K."""
    for axes, name, other in zip(
        figure.subplots(1, 2), ("p", "units"), ("units", "p"), strict=True
    ):
        for value, colour in zip(settings[other], SHADES, strict=False):
            own = sorted((row for row in rows if row[other] == value), key=lambda row: row[name])
            x = [row[name] for row in own]
            label = f"{other} = {value}"
            axes.plot(x, [row["llc"] for row in own], "o-", ms=4, color=colour, label=label)
            axes.plot(x, [row["generic"] for row in own], "--", color=colour)
            axes.plot(x, [row["half_rank"] for row in own], ":", color=colour)
        axes.set_yscale("log")
        axes.set_xlabel(name)
        axes.set_ylabel("learning coefficient")
        axes.plot([], [], "--", color=INK, label="½ rank, generic")
        axes.plot([], [], ":", color=INK, label="½ rank, active units")
        axes.legend(frameon=False, fontsize=7)


EXPERIMENT = Experiment(
    id="grokking-size",
    source="002",
    title="The final learning coefficient against p and the number of units",
    places=("002-figure-1", "002-figure-2", "002-section-6-2"),
    quick={
        "p": [19],
        "units": [64, 128, 256],
        "seeds": 1,
        "training": {"lr": 1e-2, "weight_decay": 3e-4, "fraction": 0.5, "steps": 3000},
    },
    full={
        "p": [23, 31, 41],
        "units": [128, 256, 512],
        "seeds": 1,
        "training": {"lr": 5e-3, "weight_decay": 1e-4, "steps": 6000},
    },
    units=units,
    run=run,
    judge=judge,
    draw=draw,
    size=(9.0, 4.5),
)
