"""A run of modular addition, followed by the source's estimator and what stands beside it.

Quadratic networks are trained with the stated settings and the stated estimator follows them: SGLD
with ε = 1e-4, nβ = 30, γ = 5, three chains, 100 steps of burn-in, 600 draws, batches of 128. Beside
it stand a *blind walk*, the same chain with the loss left out of its drift, and half of the rank
that the active units can have on the training pairs, ½ min(K_eff(3p − 2), p(N − 1)); a unit counts
as active if its share |v||w|² is above a thousandth of the largest. The run called *shuffled* is
trained on permuted answers: it has nothing to generalise to.

The source does not say which optimiser it uses, how the loss is scaled or how weights begin. Here
it is Adam with weight decay added to the gradient; the loss is ½|P(y − f)|² averaged over the
batch; weights begin uniform between ±1/√inputs of their layer.
"""

from dataclasses import fields

import numpy as np
from scipy.stats import spearmanr

from rlct.validation.claim import Verdict, at_least
from validation.experiments.grokking._llc import N_BETA, blind_walk, half_rank, published
from validation.experiments.grokking._modular import Task, Training, train

STATED = {"p": 53, "units": 1024, "lr": 1e-4, "weight_decay": 1e-4, "epochs": 2400, "every": 200}
SMALL = {"p": 23, "units": 128, "lr": 1e-3, "weight_decay": 1e-3, "epochs": 2400, "every": 400}


def units(settings):
    """One for each run."""
    for name in settings["runs"]:
        yield {"name": name}


def run(settings, unit, rng):
    """Train, and estimate at every checkpoint."""
    chosen = {**settings["base"], **settings["runs"][unit["name"]]}
    known = {field.name for field in fields(Training)}
    training = Training(**{name: value for name, value in chosen.items() if name in known})
    task = Task.split(training.p, training.fraction, np.random.default_rng(training.seed))
    if chosen.get("shuffled"):
        task = task.shuffled(rng)
    rows = []
    for point in train(training, task):
        llc, spread = published(task, point, rng)
        active, half = half_rank(task, point)
        rows.append(
            {
                "epoch": point.epoch,
                "train_loss": point.train_loss,
                "test_loss": point.test_loss,
                "train_accuracy": point.train_accuracy,
                "test_accuracy": point.test_accuracy,
                "llc": llc,
                "spread": spread,
                "blind": blind_walk(task, point, rng),
                "active": active,
                "half_rank": half,
            }
        )
    found = {name: [row[name] for row in rows] for name in rows[0]}
    return {"trivial_loss": 0.5 - 0.5 / training.p, **found}


def memorised(row):
    """Index of the first checkpoint that fits the training pairs."""
    return next(i for i, accuracy in enumerate(row["train_accuracy"]) if accuracy >= 0.99)


def follows(name, correlation, control):
    """The claim that the LLC goes with the test loss; without relation 0.7 is rare (5 %)."""
    what = f"{name}: rank correlation of LLC and test loss, memorised"
    what += " (planted: shuffled answers)" if control is not None else ""
    return at_least(what, correlation, 0.7, control=control, margin=0.1)


def kept(row, chosen):
    """A run with these checkpoints alone, by index."""
    return {
        name: [value[i] for i in chosen] if isinstance(value, list) else value
        for name, value in row.items()
    }


def ends(own, wrong):
    """Epochs from which on a run has generalised, and whether the claim holds if it ends there.

    The control ends with it.
    """
    found = {}
    for last, epoch in enumerate(own["epoch"]):
        if own["test_accuracy"][last] >= 0.99:
            held = [i for i, other in enumerate(wrong["epoch"]) if other <= epoch]
            parts = kept(own, range(last + 1)), kept(wrong, held)
            able = all(sum(a >= 0.99 for a in part["train_accuracy"]) > 2 for part in parts)
            one, other = (summary(part)["follows"] for part in parts) if able else (0.0, 0.0)
            found[epoch] = follows("", one, other).verdict is Verdict.CONFIRMED
    return found


def without_one(row):
    """Least and greatest rank correlation once memorised, with one checkpoint left out."""
    count = len(row["epoch"])
    found = [
        summary(kept(row, [i for i in range(count) if i != out]))["follows"]
        for out in range(memorised(row), count)
    ]
    return min(found), max(found)


def summary(row):
    """How well the LLC follows the test loss once the training pairs are fitted."""
    begin = memorised(row)
    llc, test = np.array(row["llc"][begin:]), np.array(row["test_loss"][begin:])
    ratio = np.array(row["blind"][begin:]) / llc
    return {
        "accuracy": row["test_accuracy"][-1],
        "follows": float(spearmanr(llc, test).statistic),
        "falls": float(spearmanr(llc[llc.argmax() :], test[llc.argmax() :]).statistic),
        "late": row["test_accuracy"][int(np.argmax(row["llc"]))],
        "ratio": float(np.median(ratio)),
        "parts": float(np.abs(ratio / np.median(ratio) - 1).max()),
        "fall": float(1 - llc[-1] / llc.max()),
        "rank_fall": 1 - row["half_rank"][-1] / row["half_rank"][begin],
        "sampled": float(llc.min() / N_BETA / row["trivial_loss"]),
        "inside": 0 < int(np.argmax(row["llc"])) < len(row["llc"]) - 1,
        "first": row["test_accuracy"][begin],
    }
