"""How much data modular addition takes.

*The law.* Networks of 256 units are trained on shares of all pairs, for the moduli of the source,
its shares and more between them, and looked at after three numbers of steps. Training stops when
it is accurate on all pairs. The number of pairs at which the test accuracy passes one half is
interpolated in log N between neighbouring shares, and fitted by a power of M; M log M is a power
of 1.23 over these moduli.

*The number.* At M = 53 they are trained at the source's weight decay for its 100 000 epochs, or
400 000 steps if these are fewer, on its shares and on some chosen by N/(M log M).

The source tells three regimes apart without saying how. Here a run *does not generalise* if its
test accuracy ends below 0.95, generalises *at once* if it passes 0.95 within twice the steps that
take the training accuracy past 0.99, and *groks* otherwise.
"""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np

from rlct.report.picture import ACCENT_COLOR, FAINT_COLOR, INK_COLOR, SECOND_COLOR
from validation.audit.row import exact
from validation.experiments.grokking._modular import Task, train
from validation.framework.claim import near, span
from validation.framework.experiment import Finding, experiment, suites

CALM_CHECKS = 3
ALL_REGIMES = {"none", "grokking", "at once"}


def units(settings):
    """A modulus, a share of the pairs, a seed; then the shares of long training."""
    for M in settings["M"]:
        for fraction in settings["fractions"]:
            for seed in range(settings["seeds"]):
                yield {"p": M, "fraction": fraction, "seed": seed}
    for fraction in settings["long"].get("fractions", []):
        yield {"p": settings["long"]["M"], "fraction": fraction, "long": True}


def run(settings, unit, rng):
    """Train, and note the test accuracy at each number of steps."""
    budgets, own = settings["steps"], dict(unit)
    long = own.pop("long", False)
    task, training = Task.for_steps({**settings["training"], "steps": budgets[-1]}, own)
    batches = -(-len(task.train) // training.batch)
    if long:
        chosen = dict(settings["long"]["training"])
        epochs = min(chosen.pop("epochs"), chosen.pop("steps") // batches)
        every = max(1, 200 // batches)
        budgets, training = [math.inf], replace(training, **chosen, epochs=epochs, every=every)
    accuracies, calm = [], 0
    memorised = generalised = half = None
    for point in train(training, task):
        if memorised is None and point.train_accuracy >= 0.99:
            memorised = point.epoch * batches
        if generalised is None and point.test_accuracy >= 0.95:
            generalised = point.epoch * batches
        if half is None and point.test_accuracy >= 0.5:
            half = point.epoch * batches
        while len(accuracies) < len(budgets) and point.epoch * batches >= budgets[len(accuracies)]:
            accuracies.append(point.test_accuracy)
        calm = calm + 1 if min(point.train_accuracy, point.test_accuracy) > 0.999 else 0
        if calm == CALM_CHECKS:
            break
    accuracies += [point.test_accuracy] * (len(budgets) - len(accuracies))
    return {
        "N": len(task.train),
        "stopped": point.epoch,
        "memorised": memorised,
        "generalised": generalised,
        "train_accuracy": point.train_accuracy,
        "test_accuracy": accuracies,
        **({"half": half} if long else {}),
    }


def thresholds(rows, budget):
    """N at which the test accuracy passes one half, by modulus, after the place-th steps."""
    sizes = {}
    for M in sorted({row["p"] for row in rows}):
        own = {}
        for row in rows:
            if row["p"] == M:
                own.setdefault(row["N"], []).append(row["test_accuracy"][budget])
        curve = [(N, float(np.mean(own[N]))) for N in sorted(own)]
        for (N0, a0), (N1, a1) in pairwise(curve):
            if a0 < 0.5 <= a1:
                share = (0.5 - a0) / (a1 - a0)
                sizes[M] = math.exp((1 - share) * math.log(N0) + share * math.log(N1))
                break
    return sizes


def regime(row):
    """``"none"``, ``"grokking"`` or ``"at once"``."""
    if row["test_accuracy"][-1] < 0.95:
        return "none"
    return "at once" if row["generalised"] <= 2 * row["memorised"] else "grokking"


def power(sizes):
    """Exponent of M in N, and its standard error."""
    M, N = np.log(list(sizes)), np.log(list(sizes.values()))
    (slope, _), covariance = np.polyfit(M, N, 1, cov=True)
    return float(slope), float(np.sqrt(covariance[0, 0]))


def _first_at_once(rows, moduli):
    """Least N/(M log M) at which a run generalises at once, by modulus, where one does."""
    kinds = [(row["p"], row["N"], regime(row)) for row in rows]
    own = {M: [N for p, N, kind in kinds if (p, kind) == (M, "at once")] for M in moduli}
    return [min(sizes) / (M * math.log(M)) for M, sizes in own.items() if sizes]


def _law(sizes, moduli):
    """The power of M in the N needed, as a claim and in words."""
    slope, error = power(sizes)
    printed, _ = power({M: M * math.log(M) for M in moduli})
    # Shares are 20 % apart at the threshold: 0.2/log(M_max/M_min) is what that does at most.
    grid = 0.2 / math.log(max(moduli) / min(moduli))
    claim = near("power of M in the N needed (planted: a fixed share)", slope, printed,
                 2 * error + grid, 2.0, error)  # fmt: skip
    words = f"; N ~ M^{slope:.2f}, where M log M is M^{printed:.2f} and a fixed share M²"
    return claim, words


def judge(settings, rows):
    """Thresholds, their power of M, what fewer steps do to them; and the number at full length."""
    budgets, moduli = settings["steps"], settings["M"]
    rows, long = ([r for r in rows if r.get("long", False) == kind] for kind in (False, True))
    first, last = (thresholds(rows, budget) for budget in (0, len(budgets) - 1))
    ratios = [N / (M * math.log(M)) for M, N in last.items()]
    reached, middle = span(ratios, ".2f"), (min(ratios) + max(ratios)) / 2
    claims, remarks, full = [], "", 0
    if len(moduli) > 2:
        claim, remarks = _law(last, moduli)
        claims.append(claim)
    claims.append(near("middle of the thresholds N/(M log M)", middle, 2.75, 0.5, 5.0))
    moves = [last[M] / first[M] for M in first if M in last]
    memorised = min(row["train_accuracy"] for row in rows)
    met = [{regime(row) for row in rows if row["p"] == M} for M in moduli]
    facts = [
        exact("every modulus has a threshold", sorted(last), sorted(moduli)),
        exact("all runs fit their training pairs, accuracy > 0.99", memorised > 0.99, True),
        exact("more steps never need more data (2 %)", all(m < 1.02 for m in moves), True),
        exact(
            "every modulus shows all three regimes", all(own == ALL_REGIMES for own in met), True
        ),
    ]
    if at_once := _first_at_once(rows, moduli):
        remarks += f"; at once from {span(at_once, '.1f')} on, by modulus"
    details = (
        f"Test accuracy 1/2 after {budgets[-1]} steps at N/(M log M) = {reached}, "
        f"after {budgets[0]} at {1 / np.mean(moves):.2f} times that{remarks}."
    )
    why = (
        "The N needed is near M log M and not a fixed share of the pairs. The number before it is "
        "no constant: it falls as training goes on."
    )
    scale = "256 units, where the source names no width, and one seed."
    if long:
        shown, late, full = _long(settings, long)
        details, why = f"{details} {shown}", f"{why} {late}"
        chosen = settings["long"]["training"]
        scale += (
            f" The law is tested at decay {settings['training']['weight_decay']:g} and "
            f"{budgets[-1]} steps; the source's {chosen['epochs']} epochs at decay "
            f"{chosen['weight_decay']:g} are run at M = {settings['long']['M']} alone, and to "
            f"{chosen['steps']} steps at most."
        )
    yield Finding(
        "002-figure-14",
        f"after {budgets[-1]} steps the change comes at N/(M log M) = {reached}, and "
        "the number falls as training goes on",
        [*claims, *facts],
        why=why,
        details=details,
        scale=scale,
        unfit=f"not decidable here: {full} of {len(moduli)} moduli are trained to the end of the "
        "source's 100 000 epochs at its decay, and where the change comes depends on both."
        if full < len(moduli)
        else "",
    )


def _long(settings, long):
    """What long training says of the number, and at how many moduli no run was cut short."""
    M = settings["long"]["M"]
    chosen = settings["long"]["training"]
    own = sorted((row["N"] / (M * math.log(M)), row) for row in long)
    passed = [ratio for ratio, row in own if row["half"]]
    late = [(ratio, row) for ratio, row in own if not row["half"] and ratio > min(passed)]
    cut = [row for _, row in own if not row["half"] and row["stopped"] < 0.99 * chosen["epochs"]]
    took = ", ".join(f"{row['half'] // 1000} at {ratio:.2f}" for ratio, row in own
                     if row["half"] and row["half"] >= 1000)  # fmt: skip
    below = max(ratio for ratio, row in own if not row["half"] and ratio < min(passed))
    shown = (
        f"At the source's decay and M = {M} none up to {below:.2f} generalises, those from "
        f"{min(passed):.2f} on do"
        + "".join(f", but for {r:.2f}, stopped after {row['stopped']} epochs" for r, row in late)
        + "."
    )
    why = (
        "With the source's decay the change begins near what is printed. But generalising takes "
        f"hundreds of thousands of steps there (thousands to accuracy 1/2: {took}), and no fewer "
        "with more data until it comes at once: which runs have generalised depends on when one "
        "looks."
    )
    return shown, why, int(not cut)


def draw(settings, rows, figure):
    """Accuracy against the scaled number of pairs, and the thresholds."""
    left_axes, right_axes = figure.subplots(1, 2)
    moduli = settings["M"]
    rows, long = ([r for r in rows if r.get("long", False) == kind] for kind in (False, True))
    for k, M in enumerate(moduli):
        own = sorted((row for row in rows if row["p"] == M), key=lambda row: row["N"])
        shade = 0.25 + 0.75 * k / max(1, len(moduli) - 1)
        left_axes.plot(
            [row["N"] / (M * math.log(M)) for row in own],
            [row["test_accuracy"][-1] for row in own],
            "o-",
            ms=3,
            color=INK_COLOR,
            alpha=shade,
            label=f"M = {M}",
        )
    if long:
        M = settings["long"]["M"]
        own = sorted(long, key=lambda row: row["N"])
        x = [row["N"] / (M * math.log(M)) for row in own]
        y = [row["test_accuracy"][0] for row in own]
        left_axes.plot(x, y, "s--", ms=4, color=SECOND_COLOR, label=f"M = {M}, long training")
    left_axes.axvspan(2.5, 3, color=ACCENT_COLOR, alpha=0.2, lw=0, label="printed")
    left_axes.set_xscale("log")
    left_axes.set_xlabel("N / (M log M)")
    left_axes.set_ylabel("test accuracy")
    left_axes.legend(frameon=False, fontsize=7)
    for budget, colour in zip(
        range(len(settings["steps"])), (FAINT_COLOR, SECOND_COLOR, INK_COLOR), strict=True
    ):
        found = thresholds(rows, budget)
        ratio = [N / (M * math.log(M)) for M, N in found.items()]
        right_axes.plot(
            list(found), ratio, "o-", color=colour, label=f"{settings['steps'][budget]} steps"
        )
    right_axes.axhspan(2.5, 3, color=ACCENT_COLOR, alpha=0.2, lw=0, label="printed")
    right_axes.set_ylim(0, None)
    right_axes.set_xlabel("M")
    right_axes.set_ylabel("N / (M log M) at accuracy 1/2")
    right_axes.legend(frameon=False, fontsize=7)


EXPERIMENT = experiment(
    __name__,
    title="How much data modular addition takes",
    places=("002-figure-14",),
    **suites(
        M=([31, 37], [53, 67, 79, 83, 101, 103]),
        fractions=(
            [0.2, 0.27, 0.35, 0.45, 0.95],
            [0.1, 0.15, 0.18, 0.21, 0.25, 0.3, 0.4, 0.9, 0.95],
        ),
        seeds=1,
        steps=([500, 1000, 2250], [2000, 4000, 8000]),
        training=(
            {"units": 128, "lr": 5e-3, "weight_decay": 5e-4},
            {"units": 256, "lr": 5e-3, "weight_decay": 1e-4},
        ),
        long=(
            {},
            {
                "M": 53,
                "fractions": [0.1, 0.15, 0.1798, 0.2023, 0.2247, 0.2547, 0.3, 0.4, 0.9, 0.95],
                "training": {"weight_decay": 1e-5, "epochs": 100_000, "steps": 400_000},
            },
        ),
    ),
    size=(9.0, 4.0),
    version=3,
)
