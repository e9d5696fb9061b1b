"""How long SGD takes to come near a minimum, and how degenerate that is.

Trajectories for the model w^k·x on y = s·ε start at the same weight. The steps are counted until
the median |w| is a small one, and until the median potential ½w^{2k} is. For a small rate η the
median follows dw/dt = −k·w^{2k−1}, which takes the time (w^{2−2k} − w₀^{2−2k})/(2k(k − 1)), and
log(w₀/w) for k = 1.
"""

import math
from itertools import pairwise

import numpy as np

from validation.audit.row import close
from validation.experiments.sgd import _dynamics
from validation.framework.claim import at_least
from validation.framework.experiment import Finding, experiment, suites

START_POINT = 0.8


def duration(k, w):
    """Time of the flow from the start to w."""
    if k == 1:
        return math.log(START_POINT / w)
    return (w ** (2 - 2 * k) - START_POINT ** (2 - 2 * k)) / (2 * k * (k - 1))


def weights(settings, k):
    """|w| at the two goals."""
    return settings["near"], (2 * settings["low"]) ** (1 / (2 * k))


def units(settings):
    """Powers."""
    return [{"k": k} for k in settings["powers"]]


def theory(settings, row):
    """Times of the flow to both goals."""
    near, low = (duration(row["k"], w) for w in weights(settings, row["k"]))
    return {"flow_near": near, "flow_low": low}


def run(settings, unit, rng):
    """Steps, times the rate, until the median has passed each goal."""
    landscape, rate = _dynamics.power(unit["k"]), settings["rate"]
    goals = weights(settings, unit["k"])
    w = np.full((settings["trajectories"], 1), START_POINT)
    reached, steps, median, curve = {}, 0, START_POINT, []
    while len(reached) < len(goals):
        w, _ = _dynamics.step(landscape, w, rate, settings["batch"], settings["noise"], rng)
        steps += 1
        median = float(np.median(np.abs(w)))
        for goal in goals:
            if median <= goal:
                reached.setdefault(goal, steps * rate)
        if math.log2(steps).is_integer() or len(reached) == len(goals):
            curve.append([steps * rate, median])
    return {
        **theory(settings, unit),
        "near": reached[goals[0]],
        "low": reached[goals[1]],
        "curve": curve,
    }


def judge(settings, rows):
    """Longer with every power, by weight and by potential, and as long as the flow takes."""
    claims, facts = [], []
    for less, steeper in pairwise(rows):
        for goal, text in (("near", f"|w| = {settings['near']}"), ("low", "the same potential")):
            claims.append(
                at_least(
                    f"time to {text} at ½w^{2 * steeper['k']} over that at ½w^{2 * less['k']} "
                    "(planted: as long)",
                    steeper[goal] / less[goal], 1.1, control=1.0)
            )  # fmt: skip
    for row in rows:
        for goal in ("near", "low"):
            flow = row[f"flow_{goal}"]
            text = f"time to the {'weight' if goal == 'near' else 'potential'} at k = {row['k']}"
            facts.append(close(text, row[goal], flow, 0.05 * flow, control=1.2 * flow))
    said = ", ".join(f"{row['near']:.3g}" for row in rows)
    low = ", ".join(f"{row['low']:.3g}" for row in rows)
    potentials = ", ".join(f"½w^{2 * row['k']}" for row in rows)
    yield Finding(
        "003-convergence",
        f"time to |w| = {settings['near']}: {said} for {potentials}; to a potential of "
        f"{settings['low']:g}: {low}",
        [*claims, *facts],
        details="Times are steps by the learning rate.",
        why="The gradient k·w^{2k−1} falls faster than w: the flow comes near as t^{−1/(2k−2)} and "
        "not as e^{−t}. By the potential, which is smaller at the same weight, the difference is "
        "less.",
    )


def draw(settings, rows, figure):
    """Median |w| in time, trajectories and flow."""
    axes = figure.add_subplot()
    for row, colour in zip(rows, ("#2f6fa8", "#c8452f", "#3c8c5a"), strict=False):
        k = row["k"]
        w = np.geomspace(START_POINT * 0.999, min(weights(settings, k)), 80)
        axes.loglog([duration(k, one) for one in w], w, color=colour, label=f"flow: ½w^{2 * k}")
        t, median = np.transpose(row["curve"])
        axes.loglog(t, median, "o", color=colour, markersize=3)
    axes.axhline(settings["near"], color="0.6", linewidth=0.7)
    axes.set_xlim(settings["rate"], None)
    axes.set_xlabel("time: steps by the learning rate")
    axes.set_ylabel("median |w|; dots: SGD")
    figure.legend(loc="outside lower center", frameon=False, fontsize=9, ncols=3)


EXPERIMENT = experiment(
    __name__,
    title="The more degenerate a minimum, the longer SGD takes to come near",
    places=("003-convergence",),
    **suites(
        powers=([1, 2], [1, 2, 3]),
        near=0.1,
        low=(1e-3, 1e-4),
        rate=(0.02, 0.01),
        batch=100,
        noise=0.5,
        trajectories=(100, 400),
    ),
    size=(5.4, 4.2),
    seed=5,
)
