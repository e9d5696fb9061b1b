"""The local learning coefficient while a network groks modular addition."""

from rlct.report.picture import ACCENT_COLOR, FAINT_COLOR, INK_COLOR, SECOND_COLOR
from validation.audit.row import close, exact
from validation.experiments.grokking._follow import (
    SMALL_RUN,
    STATED_RUN,
    follows,
    run,
    summary,
    theory,
    units,
    wavers,
)
from validation.framework.claim import at_most
from validation.framework.experiment import Finding, experiment, suites

RUN_OPTIONS = {"stated": {}, "shuffled": {"shuffled": True}}


def smaller(base):
    """Say what is not as the source states it; nothing if all is."""
    names = {"p": "p", "units": "units", "lr": "rate", "weight_decay": "decay"}
    told = [f"{name} {base[key]:g} in the place of {STATED_RUN[key]:g}"
            for key, name in names.items() if base[key] != STATED_RUN[key]]  # fmt: skip
    return ", ".join(told) + ". " if told else ""


def judge(settings, rows):
    """Whether it groks, and what the LLC does meanwhile, there and in the control."""
    of = {row["name"]: row for row in rows}
    row, control = of["stated"], of["shuffled"]
    own, wrong = summary(row), summary(control)
    claims = follows("the run", row, control)
    checks = [
        *claims,
        at_most("test accuracy when the training pairs are memorised (planted: at the end)",
                own["first"], 0.5, control=row["test_accuracy"][-1]),
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
    p, top = settings["base"]["p"], max(row["llc"])
    lone = ", ".join(map(str, wavers(row, control)))
    yield Finding(
        "002-figure-3",
        f"p = {p}: it groks; the LLC falls by {own['fall']:.0%}, with shuffled answers by "
        f"{wrong['fall']:.0%}; the ratio of both follows the test loss, rank correlation "
        f"{claims[-1].value:.2f}",
        checks,
        details=f"{settings['base']['units']} units: test accuracy {row['test_accuracy'][-1]:.3f} "
        f"at the end; the LLC goes {row['llc'][0]:.0f} → {top:.0f} → {row['llc'][-1]:.0f}. Rank "
        f"correlation of LLC and test loss once memorised {own['bare']:.2f}, with shuffled answers "
        f"{wrong['bare']:.2f}.",
        why="The LLC rises and falls as described. It is not the geometry of the minimum that it "
        "shows: a walk "
        f"that does not know the loss gives the same curve, {own['ratio']:.2f} times as high, and "
        f"the "
        f"chain stays where the loss is {own['sampled']:.0f} times that of predicting nothing. At "
        "these settings λ̂ measures how much noise of size 0.2 on every weight hurts, and so "
        "follows "
        "the norm of the weights, which weight decay lowers. The rank of the minimum itself falls "
        "only when units die, after the test pairs are right; with shuffled answers it does not.",
        scale=smaller(settings["base"])
        + f"{settings['base']['epochs']} epochs, until the run has generalised; the source's "
        "baseline has 100 000.",
        unfit=f"{len(row['epoch'])} checkpoints are too few for a rank correlation."
        if len(row["epoch"]) < 9
        else f"without the checkpoint at epoch {lone} the verdict is another."
        if lone
        else "",
    )


def draw(settings, rows, figure):
    """Losses above, LLC and theory below; the run and its control."""
    panels = figure.subplots(2, 2, sharex=True, sharey="row")
    for row, (upper, lower) in zip(rows, panels.T, strict=True):
        upper.semilogy(row["epoch"], row["train_loss"], color=SECOND_COLOR, label="training loss")
        upper.semilogy(row["epoch"], row["test_loss"], color=ACCENT_COLOR, label="test loss")
        upper.set_title(row["name"], fontsize=10)
        lower.semilogy(
            row["epoch"], row["llc"], "o-", ms=3, color=INK_COLOR, label="source's estimator"
        )
        lower.semilogy(row["epoch"], row["blind"], color=FAINT_COLOR, label="blind walk")
        lower.semilogy(
            row["epoch"], row["half_rank"], color=ACCENT_COLOR, label="½ rank, active units"
        )
        lower.set_xlabel("epoch")
    panels[0, 0].legend(frameon=False, fontsize=8)
    panels[1, 0].legend(frameon=False, fontsize=8)
    panels[0, 0].set_ylabel("loss")
    panels[1, 0].set_ylabel("learning coefficient")


EXPERIMENT = experiment(
    __name__,
    units=units,
    run=run,
    theory=theory,
    title="The learning coefficient while a network groks",
    places=("002-figure-3",),
    **suites(
        base=({**SMALL_RUN, "every": 600}, STATED_RUN),
        runs=RUN_OPTIONS,
    ),
    size=(8.0, 6.0),
)
