"""The local learning coefficient while a network groks modular addition."""

from rlct.audit.row import close, exact
from rlct.report.picture import ACCENT, FAINT, INK, SECOND
from rlct.validation.claim import at_least, at_most
from rlct.validation.experiment import Experiment, Finding
from validation.experiments.grokking._follow import (
    SMALL,
    STATED,
    ends,
    follows,
    run,
    summary,
    units,
)

RUNS = {"stated": {}, "shuffled": {"shuffled": True}}


def judge(settings, rows):
    """Whether it groks, and what the LLC does meanwhile, there and in the control."""
    of = {row["name"]: row for row in rows}
    own, wrong = summary(of["stated"]), summary(of["shuffled"])
    checks = [
        at_least("test accuracy at the end (planted: shuffled answers)", own["accuracy"], 0.99,
                 control=wrong["accuracy"]),
        at_most("test accuracy when the training pairs are memorised (planted: at the end)",
                own["first"], 0.5, control=own["accuracy"]),
        follows("the run", own["follows"], wrong["follows"]),
        at_least("fall of the LLC from its peak to the end (planted: shuffled answers)",
                 own["fall"], 0.1, control=wrong["fall"]),
        exact("the largest LLC is after the start and before the end", own["inside"], True),
        exact("shuffled: the LLC falls, too", wrong["fall"] > 0, True),
        exact("blind walk over LLC varies by less than 15 %", own["parts"] < 0.15, True),
        close("blind walk over LLC, median", own["ratio"], 1.2, 0.15, control=2),
        exact(
            "loss where the chain is, over that of predicting nothing, > 4",
            own["sampled"] > 4,
            True,
        ),
        exact("active units die: ½ rank falls by a third or more", own["rank_fall"] > 1 / 3, True),
        exact("shuffled: ½ rank stays", wrong["rank_fall"], 0.0),
    ]  # fmt: skip
    row, p = of["stated"], settings["base"]["p"]
    top = max(row["llc"])
    tried = ends(row, of["shuffled"])
    beaten = [epoch for epoch, holds in tried.items() if holds]
    told = ", ".join(map(str, beaten)) or "none"
    yield Finding(
        "002-figure-3",
        f"p = {p}: it groks; rank correlation of LLC and test loss {own['follows']:.2f}, and the "
        f"LLC falls by {own['fall']:.0%}; with shuffled answers by {wrong['fall']:.0%}",
        checks,
        more=f"Ended at epoch {', '.join(map(str, tried))}, the run has generalised; its rank "
        f"correlation passes, and the control's does not, at {told}. "
        f"{settings['base']['units']} units: test accuracy {own['accuracy']:.3f} at the end; "
        f"the LLC goes {row['llc'][0]:.0f} → {top:.0f} → {row['llc'][-1]:.0f}.",
        why="The LLC rises and falls as described. It is not the geometry of the minimum that it "
        "shows: a walk "
        f"that does not know the loss gives the same curve, {own['ratio']:.2f} times as high, and "
        f"the "
        f"chain stays where the loss is {own['sampled']:.0f} times that of predicting nothing. At "
        "these settings λ̂ measures how much noise of size 0.2 on every weight hurts, and so "
        "follows "
        "the norm of the weights, which weight decay lowers. The rank of the minimum itself falls "
        "only when units die, after the test pairs are right; with shuffled answers it does not.",
        scale=f"{settings['base']['epochs']} epochs, until the run has generalised; the source's "
        "baseline has 100 000.",
        unfit="whether the shuffled control is told apart depends on where both end: at epoch "
        f"{told} of {', '.join(map(str, tried))}."
        if len(beaten) < len(tried)
        else "",
    )


def draw(settings, rows, figure):
    """Losses above, LLC and theory below; the run and its control."""
    panels = figure.subplots(2, 2, sharex=True, sharey="row")
    for row, (upper, lower) in zip(rows, panels.T, strict=True):
        upper.semilogy(row["epoch"], row["train_loss"], color=SECOND, label="training loss")
        upper.semilogy(row["epoch"], row["test_loss"], color=ACCENT, label="test loss")
        upper.set_title(row["name"], fontsize=10)
        lower.semilogy(row["epoch"], row["llc"], "o-", ms=3, color=INK, label="source's estimator")
        lower.semilogy(row["epoch"], row["blind"], color=FAINT, label="blind walk")
        lower.semilogy(row["epoch"], row["half_rank"], color=ACCENT, label="½ rank, active units")
        lower.set_xlabel("epoch")
    panels[0, 0].legend(frameon=False, fontsize=8)
    panels[1, 0].legend(frameon=False, fontsize=8)
    panels[0, 0].set_ylabel("loss")
    panels[1, 0].set_ylabel("learning coefficient")


EXPERIMENT = Experiment(
    id="grokking-trajectory",
    source="002",
    title="The learning coefficient while a network groks",
    places=("002-figure-3",),
    quick={"base": SMALL, "runs": RUNS},
    full={"base": STATED, "runs": RUNS},
    units=units,
    run=run,
    judge=judge,
    draw=draw,
    size=(8.0, 6.0),
)
