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

Whether the LLC follows the test loss is asked beside a run with shuffled answers and all else the
same, of which nothing can generalise: its LLC falls as well, since weights decay, and so does its
test loss. The LLC of the run must turn before half of the fall of the test loss is over; from
memorising on the ratio of the two LLCs must fall as the test loss does; and at the end it must be
lower by a tenth. As long as a blind
walk in the place of the LLC passes as well, the check does not confirm: it may be that only
the weights go with the test loss. The bare rank correlation of LLC and test loss, which the pages
tell, depends on how long a run goes on after it has generalised, and is as high in most shuffled
runs.
"""

from dataclasses import fields

import numpy as np
from scipy.stats import spearmanr
from scipy.stats import t as student

from validation.experiments.grokking._llc import (
    N_BETA,
    active_units,
    blind_walk,
    half_rank,
    published,
)
from validation.experiments.grokking._modular import Task, Training, train
from validation.framework.claim import at_least, at_most, combine

STATED_RUN = {
    "p": 53,
    "units": 1024,
    "lr": 1e-4,
    "weight_decay": 1e-4,
    "epochs": 2400,
    "every": 200,
}
SMALL_RUN = {"p": 23, "units": 128, "lr": 1e-3, "weight_decay": 1e-3, "epochs": 2400, "every": 400}


def units(settings):
    """One for each run."""
    for name in settings["runs"]:
        yield {"name": name}


def theory(settings, row):
    """Half of the rank of the active units, and the loss of predicting nothing."""
    chosen = {**settings["base"], **settings["runs"][row["name"]]}
    p = chosen["p"]
    ranks = [half_rank(active, p, chosen.get("fraction", 0.4)) for active in row["active"]]
    return {"trivial_loss": 0.5 - 0.5 / p, "half_rank": ranks}


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
                "active": int(active_units(point).sum()),
            }
        )
    found = {name: [row[name] for row in rows] for name in rows[0]}
    return {**found, **theory(settings, {**unit, **found})}


def memorised(row):
    """Index of the first checkpoint that fits the training pairs."""
    return next(i for i, accuracy in enumerate(row["train_accuracy"]) if accuracy >= 0.99)


def kept(row, out):
    """A run without one of its checkpoints."""
    return {
        name: [*value[:out], *value[out + 1 :]] if isinstance(value, list) else value
        for name, value in row.items()
    }


def turn(row, name):
    """The share of the fall of the test loss that is over when something is largest, the last time.

    Both since memorising; 0 if the test loss is still to reach its peak.
    """
    test, other = (np.array(row[key][memorised(row) :]) for key in ("test_loss", name))
    top = np.flatnonzero(other == other.max())[-1]
    before = test.max() - test[top] if top > test.argmax() else 0.0
    return float(before / (test.max() - test[-1]))


def beside(row, wrong, name="llc"):
    """The test loss since both have memorised, and the LLC over that with shuffled answers."""
    begin = max(memorised(row), memorised(wrong))
    own, other, test = (
        np.array(values[begin:]) for values in (row[name], wrong[name], row["test_loss"])
    )
    return test, own / other


def rare(count):
    """The rank correlation of so many pairs that chance alone reaches once in twenty times."""
    t = student.ppf(0.95, count - 2)
    return float(t / np.sqrt(count - 2 + t**2))


def follows(name, row, wrong=None):
    """The parts of the claim that the LLC follows the test loss; without a control two of them."""
    right = None if wrong is None else wrong["test_accuracy"][-1]
    parts = [
        at_least(f"{name}: test accuracy at the end (planted: shuffled answers)",
                 row["test_accuracy"][-1], 0.99, control=right),
        at_most(f"{name}: share of the fall of the test loss that is over when the LLC is largest "
                "(planted: when ½ rank of the active units is)", turn(row, "llc"), 0.5,
                control=turn(row, "half_rank")),
    ]  # fmt: skip
    if wrong is None:
        return parts
    test, ratio = beside(row, wrong)
    goes = spearmanr(test, ratio).statistic
    blind = spearmanr(*beside(row, wrong, "blind")).statistic
    return [
        *parts,
        at_least(f"{name}: how far the LLC is below that of shuffled answers at the end (planted: "
                 "when both have memorised)", 1 - ratio[-1], 0.1, control=1 - ratio[0]),
        at_least(f"{name}: rank correlation of the test loss and the LLC over that of shuffled "
                 "answers (planted: by chance)", goes, 0.8, control=rare(len(test))),
        at_least(f"{name}: that rank correlation (planted: blind walks, which do not see the loss, "
                 "in the place of both)", goes, 0.8, control=blind),
    ]  # fmt: skip


def wavers(row, wrong):
    """Epochs without whose checkpoint the verdict is another."""
    whole = combine(follows("", row, wrong))
    return [
        epoch
        for out, epoch in enumerate(row["epoch"])
        if out >= memorised(row)
        and combine(follows("", kept(row, out), kept(wrong, out))) is not whole
    ]


def summary(row):
    """How well the LLC alone goes with the test loss once the training pairs are fitted."""
    begin = memorised(row)
    llc, test = np.array(row["llc"][begin:]), np.array(row["test_loss"][begin:])
    ratio = np.array(row["blind"][begin:]) / llc
    return {
        "bare": float(spearmanr(llc, test).statistic),
        "late": row["test_accuracy"][int(np.argmax(row["llc"]))],
        "ratio": float(np.median(ratio)),
        "parts": float(np.abs(ratio / np.median(ratio) - 1).max()),
        "fall": float(1 - llc[-1] / llc.max()),
        "rank_fall": 1 - row["half_rank"][-1] / row["half_rank"][begin],
        "sampled": float(llc.min() / N_BETA / row["trivial_loss"]),
        "inside": 0 < int(np.argmax(row["llc"])) < len(row["llc"]) - 1,
        "first": row["test_accuracy"][begin],
    }
