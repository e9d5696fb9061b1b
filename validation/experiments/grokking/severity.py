"""Learning rate, severity of grokking, and the largest LLC of a run.

GSM = 1{a_V(T) ≥ 0.95} · mean over epochs of |a_T − a_V|, with the same T for all runs and
accuracies taken every ten epochs. Training stops when both accuracies were above 0.999 at five of
these in a row; the rest of the sum is then taken as 0. The largest LLC is that of the source's
estimator at epochs 20·3^k, at 100, 200, … 1000, 2000, … and at the end; and, as the source has a
checkpoint every 100 epochs, the largest at multiples of 100 alone. GSM against the learning rate is
fitted by an exponential, log GSM linear in the rate, and by a power law, log GSM linear in its
logarithm.
"""

from dataclasses import replace

import numpy as np
from scipy.stats import kendalltau

from rlct.report.picture import ACCENT_COLOR, FAINT_COLOR, INK_COLOR, SECOND_COLOR
from validation.audit.row import exact
from validation.experiments.grokking._llc import published
from validation.experiments.grokking._modular import Task, Training, train
from validation.framework.claim import alike, at_least, at_most
from validation.framework.experiment import Finding, experiment, suites

CALM_CHECKS = 5  # accurate evaluations in a row after which nothing changes any more
DECAY_COLOURS = (SECOND_COLOR, ACCENT_COLOR, INK_COLOR, FAINT_COLOR, "#d9902f")


def units(settings):
    """A run for each size, weight decay, rate and seed."""
    for size in settings["sizes"]:
        for decay in size["weight_decays"]:
            for lr in size["rates"]:
                for seed in range(size["seeds"]):
                    own = {"p": size["p"], "units": size["units"], "epochs": size["epochs"]}
                    yield {**own, "weight_decay": decay, "lr": lr, "seed": seed}


def run(settings, unit, rng):
    """Train, and follow accuracies and the LLC."""
    training = Training(**unit, every=10)
    task = Task.split(training.p, training.fraction, np.random.default_rng(training.seed))
    total, calm, llc = 0.0, 0, []
    generalised = memorised = None
    for point in train(training, task):
        if point.epoch:
            total += training.every * abs(point.train_accuracy - point.test_accuracy)
        if memorised is None and point.train_accuracy >= 0.99:
            memorised = point.epoch
        if generalised is None and point.test_accuracy >= 0.95:
            generalised = point.epoch
        calm = calm + 1 if min(point.train_accuracy, point.test_accuracy) > 0.999 else 0
        done = calm == CALM_CHECKS or point.epoch == training.epochs
        if done or (settings["stated"] and looked(point.epoch)):
            llc.append((published(task, point, rng)[0], point.epoch))
        if done:
            break
    late = [one for one in llc if one[1] % 100 == 0] or llc[-1:]
    return {
        "gsm": total / training.epochs if point.test_accuracy >= 0.95 else 0.0,
        "final_accuracy": point.test_accuracy,
        "memorised": memorised,
        "generalised": generalised,
        "stopped": point.epoch,
        "largest_llc": max(llc)[0],
        "largest_at": max(llc)[1],
        "largest_late": max(late)[0],
    }


def looked(epoch):
    """Whether the LLC is estimated at an epoch."""
    return epoch > 0 and (
        epoch in (20, 60, 180, 540, 1620, 4860)
        or epoch % 1000 == 0
        or (epoch < 1000 and epoch % 100 == 0)
    )


def series(rows):
    """By (p, weight decay): the runs that generalised, in order of the rate."""
    found = {}
    for row in rows:
        found.setdefault((row["p"], row["weight_decay"]), []).append(row)
    return {key: sorted(own, key=lambda row: row["lr"]) for key, own in found.items()}


def fit(x, y):
    """R² of a straight line and its slope."""
    slope, height = np.polyfit(x, y, 1)
    return 1 - np.var(y - slope * x - height) / np.var(y), slope


def falls(x, y):
    """Kendall's τ and the chance of one as low without any relation."""
    tau, chance = kendalltau(x, y, alternative="less")
    return float(tau), float(chance)


def _ranges(rates):
    """All rates, the least three and the largest three: the source names none."""
    return dict.fromkeys([tuple(rates), tuple(rates[:3]), tuple(rates[-3:])])


def _slopes(x, y):
    """R² of an exponential and of a power law, and the power."""
    return fit(x, np.log(y))[0], *fit(np.log(x), np.log(y))


POWER_LAW = (
    "It falls over the whole range, but not exponentially: log GSM is linear in the logarithm "
    "of the rate, so no rate sets a scale. A smaller rate goes much the same way more slowly."
)


def _fall(x, y):
    """Order and form of GSM over rates, part by part, and slope and R² of both laws."""
    (tau, _), (line, power, slope) = falls(x, y), _slopes(x, y)
    n = len(x)  # τ that one order in twenty reaches without any relation
    rare = -1.645 * np.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)))
    order = at_most("τ of GSM and rate (planted: by chance)", tau, -0.6, control=rare)
    forms = {}
    for some in _ranges(sorted(set(x))):
        own_x, own_y = x[np.isin(x, some)], y[np.isin(x, some)]
        (straight, curved, _), (planted, plain, _) = (
            _slopes(own_x, values) for values in (own_y, own_x**slope)
        )
        forms[f"rates {some[0]:g} to {some[-1]:g}"] = at_least(
            "R² of an exponential less that of a power law (planted: a power law)",
            straight - curved, 0, control=planted - plain, margin=0.05,
        )  # fmt: skip
    return order, forms, (slope, power, line)


def _of_gsm(orders, forms, fits, alone, scale):
    """Over all decays: the order, and the form."""
    slopes, powers, lines = zip(*fits.values(), strict=True) if fits else ((), (), ())
    return Finding(
        "002-figure-4",
        f"GSM ~ {', '.join(f'lr^{slope:.2f}' for slope in slopes)} at decays "
        f"{', '.join(f'{decay:g}' for decay in fits)} (R² {min(powers):.2f} or more, of an "
        f"exponential {max(lines):.2f} or less)"
        if fits
        else "too few runs generalise",
        [
            *alike("the weight decay", {f"decay {d:g}": part for d, part in orders.items()}),
            *alike("the rates and the weight decay", forms),
        ],
        why=POWER_LAW + " On three neighbouring rates both forms fit.",
        scale=f"{scale}.",
        unfit="a run or two at each of a few rates do not tell an exponential from a power law."
        if alone
        else "",
    )


def _of_stated(by_decay, orders, fits, epochs, scale):
    """At the decays that the source names: whether there is a fall to see."""
    able = ", ".join(
        f"{len({row['lr'] for row in by_decay[decay] if row['gsm'] > 0})} of "
        f"{len({row['lr'] for row in by_decay[decay]})} rates at decay {decay:g}"
        for decay in by_decay
    )
    seen = [decay for decay in by_decay if decay in orders]
    unseen = ", ".join(f"{decay:g}" for decay in by_decay if decay not in orders)
    return Finding(
        "002-figure-11",
        ", ".join(f"GSM ~ lr^{fits[decay][0]:.2f} at decay {decay:g}" for decay in seen)
        + f"; too few runs generalise in time at {unseen}" * bool(unseen),
        [replace(orders[decay], text=f"{orders[decay].text}, decay {decay:g}") for decay in seen],
        details=f"Runs generalise in time at {able}.",
        why=POWER_LAW,
        scale=f"{scale}; the two smaller decays have one seed.",
        unfit=f"in {epochs} epochs too few runs generalise at decay {unseen} to see a fall."
        if unseen
        else "",
    )


def _of_peaks(by_decay, scale):
    """The largest LLC over rates, with every checkpoint and with those every 100 epochs."""
    peaks = {}
    for decay, own in by_decay.items():
        lr, peak, late = (
            np.array([row[key] for row in own]) for key in ("lr", "largest_llc", "largest_late")
        )
        tenth = peak * (lr / lr.min()) ** (np.log(0.9) / np.log(lr.max() / lr.min()))
        peaks[decay] = [falls(lr, values)[0] for values in (peak, late, tenth)]
    taus, rarely, _ = zip(*peaks.values(), strict=True)
    llc = [row["largest_llc"] for own in by_decay.values() for row in own]
    return Finding(
        "002-figure-12",
        f"τ of the largest LLC and the rate: {', '.join(f'{tau:.2f}' for tau in taus)}"
        f" at decays {', '.join(f'{decay:g}' for decay in peaks)}, between {min(llc):.0f} and "
        f"{max(llc):.0f}; seen every 100 epochs {', '.join(f'{tau:.2f}' for tau in rarely)}",
        [
            at_most(f"decay {decay:g}: τ of largest LLC and rate, every 100 epochs", late, -0.3,
                    control=0.0, margin=0.2)
            for decay, (_, late, _) in peaks.items()
        ]
        + [
            exact(f"decay {decay:g}: a fall by a tenth over the range would be seen, {tenth:.2f}",
                  tenth < -0.3, True)
            for decay, (_, _, tenth) in peaks.items()
        ],
        why="The largest LLC comes just after the training pairs are memorised, and memorising "
        "takes about the same norm of the weights at every rate. Larger rates do not avoid a basin "
        "of large LLC here; they leave it sooner, before a first checkpoint at epoch 100. The "
        "largest of many estimates is larger by chance, and slow runs are looked at more often.",
        scale=f"{scale}; one seed at the two smaller decays.",
    )  # fmt: skip


def judge(settings, rows):
    """Order, form of the fall, and the largest LLC."""
    by_decay = {decay: own for (_, decay), own in series(rows).items()}
    orders, forms, fits = {}, {}, {}
    for decay, own in by_decay.items():
        able = [row for row in own if row["gsm"] > 0]
        x, y = (np.array([row[key] for row in able]) for key in ("lr", "gsm"))
        if len(set(x)) >= 3:
            orders[decay], parts, fits[decay] = _fall(x, y)
            forms |= {f"{rates} at decay {decay:g}": part for rates, part in parts.items()}
    epochs = max(size["epochs"] for size in settings["sizes"])
    scale = (
        f"p = 23 and 128 units instead of 53 and 1024; {epochs} epochs, where the source's "
        "baseline has 100 000"
    )
    alone = len(by_decay) == 1
    yield _of_gsm(orders, forms, fits, alone, scale)
    if not alone:
        stated = {decay: own for decay, own in by_decay.items() if decay in settings["stated"]}
        yield _of_stated(stated, orders, fits, epochs, scale)
        yield _of_peaks(stated, scale)


def draw(settings, rows, figure):
    """GSM with its power law, and the largest LLC."""
    left_axes, right_axes = figure.subplots(1, 2)
    for colour, ((_, decay), own) in zip(DECAY_COLOURS, series(rows).items(), strict=False):
        done = [row for row in own if row["gsm"] > 0]
        label = f"decay {decay:g}"
        left_axes.loglog(
            [r["lr"] for r in done], [r["gsm"] for r in done], "o", color=colour, label=label
        )
        if len({row["lr"] for row in done}) >= 3:
            x = np.log([row["lr"] for row in done])
            slope, height = np.polyfit(x, np.log([row["gsm"] for row in done]), 1)
            ends = np.array([x.min(), x.max()])
            left_axes.loglog(np.exp(ends), np.exp(height + slope * ends), color=colour, lw=1)
        right_axes.semilogx(
            [r["lr"] for r in own], [r["largest_llc"] for r in own], "o", color=colour, label=label
        )
    left_axes.set_xlabel("learning rate")
    left_axes.set_ylabel("GSM")
    left_axes.legend(frameon=False, fontsize=8)
    right_axes.set_xlabel("learning rate")
    right_axes.set_ylabel("largest LLC, source's estimator")
    right_axes.set_ylim(0, None)


NETWORK_SIZE = {"p": 23, "units": 128, "epochs": 6000}
LEARNING_RATES = [1e-3, 2e-3, 4e-3, 8e-3, 1.6e-2, 3.2e-2]

EXPERIMENT = experiment(
    __name__,
    title="Learning rate, severity of grokking and the largest learning coefficient",
    places=("002-figure-4", "002-figure-11", "002-figure-12"),
    **suites(
        sizes=(
            [
                {
                    **NETWORK_SIZE,
                    "epochs": 1200,
                    "weight_decays": [1e-3],
                    "rates": [2e-3, 8e-3, 3.2e-2],
                    "seeds": 1,
                }
            ],
            [
                {**NETWORK_SIZE, "weight_decays": [1e-4], "rates": LEARNING_RATES, "seeds": 3},
                {**NETWORK_SIZE, "weight_decays": [1e-5, 0.0], "rates": LEARNING_RATES, "seeds": 1},
                {
                    **NETWORK_SIZE,
                    "weight_decays": [3e-4, 1e-3],
                    "rates": LEARNING_RATES,
                    "seeds": 2,
                },
            ],
        ),
        stated=([], [1e-4, 1e-5, 0.0]),
    ),
    version=2,
    size=(9.0, 4.0),
)
