"""The learning coefficient while networks grok: other moduli, widths, decays and rates.

As on the page of the trajectory, whose run is the first of each series: p = 53, 1024 units, rate
1e-4, weight decay 1e-4, batches of 128, two fifths of the pairs.
"""

from rlct.audit.row import exact
from rlct.report.picture import ACCENT, INK
from rlct.validation.experiment import Experiment, Finding, Verdict
from validation.experiments.grokking._follow import SMALL, STATED, run, summary, units

BASE = {**STATED, "every": 400}
RUNS = {
    "p = 61": {"p": 61},
    "p = 71": {"p": 71, "epochs": 2000},
    "600 units": {"units": 600},
    "800 units": {"units": 800},
    "1000 units": {"units": 1000},
    "decay 5e-5": {"weight_decay": 5e-5},
    "decay 1e-5": {"weight_decay": 1e-5, "epochs": 3600, "every": 600},
    "rate 1e-3": {"lr": 1e-3, "epochs": 240, "every": 30},
    "rate 1e-2": {"lr": 1e-2, "epochs": 40, "every": 4},
}
PLACES = {
    "002-figure-7": ("p = 61", "p = 71"),
    "002-figure-8": ("600 units", "800 units", "1000 units"),
    "002-figure-9": ("decay 5e-5", "decay 1e-5"),
    "002-figure-10": ("rate 1e-3", "rate 1e-2"),
}
QUICK = {"decay 5e-5": {"weight_decay": 5e-4, "epochs": 3000, "every": 500}}


def judge(settings, rows):
    """For each run whether it generalises and whether the LLC follows the test loss."""
    own = {row["name"]: summary(row) for row in rows}
    for place, names in PLACES.items():
        held = [name for name in names if name in own]
        if not held:
            continue
        facts = []
        for name in held:
            accuracy, follows = own[name]["accuracy"], own[name]["follows"]
            facts.append(exact(f"{name}: test accuracy at the end > 0.99", accuracy > 0.99, True))
            facts.append(
                exact(f"{name}: LLC and test loss, rank correlation > 0.6", follows > 0.6, True)
            )
            facts.append(
                exact(
                    f"{name}: LLC and blind walk, rank correlation > 0.6",
                    own[name]["blind"] > 0.6,
                    True,
                )
            )
        told = "; ".join(f"{name} {own[name]['follows']:.2f}" for name in held)
        yield Finding(
            place,
            Verdict.CONFIRMED,
            f"all generalise; rank correlation of LLC and test loss once memorised: {told}",
            facts,
            why="As on the page of the trajectory: the estimator follows the noise that the "
            "weights "
            "bear, and so does the blind walk.",
        )


def draw(settings, rows, figure):
    """Test loss and LLC of every run."""
    panels = figure.subplots(-(-len(rows) // 3), min(3, len(rows)), squeeze=False).flat
    for row, axes in zip(rows, panels, strict=False):
        axes.semilogy(row["epoch"], row["test_loss"], "o-", ms=3, color=ACCENT)
        axes.set_title(row["name"], fontsize=10)
        axes.set_xlabel("epoch", fontsize=8)
        axes.set_ylabel("test loss", color=ACCENT, fontsize=8)
        other = axes.twinx()
        other.plot(row["epoch"], row["llc"], "s-", ms=3, color=INK)
        other.set_ylabel("LLC, source's estimator", color=INK, fontsize=8)


EXPERIMENT = Experiment(
    id="grokking-variations",
    source="002",
    title="The learning coefficient while networks grok: other sizes and settings",
    places=tuple(PLACES),
    quick={"base": SMALL, "runs": QUICK},
    full={"base": BASE, "runs": RUNS},
    units=units,
    run=run,
    judge=judge,
    draw=draw,
    size=(9.0, 9.0),
)
