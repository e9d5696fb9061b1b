"""The learning coefficient while networks grok: other moduli, widths, decays and rates."""

from rlct.report.picture import ACCENT_COLOR, INK_COLOR
from validation.audit.row import exact
from validation.experiments.grokking._follow import (
    SMALL_RUN,
    STATED_RUN,
    beside,
    follows,
    run,
    summary,
    theory,
    turn,
    units,
    wavers,
)
from validation.framework.claim import at_most, span
from validation.framework.experiment import Finding, experiment, suites

SMALLER_RUN = {**SMALL_RUN, "lr": 2e-3, "weight_decay": 3e-4, "epochs": 2700, "every": 300}
RUN_OPTIONS = {
    "p = 23": {},
    "p = 29": {"p": 29, "epochs": 2100},
    "p = 37": {"p": 37, "epochs": 1500, "every": 150},
    "128 units": {"seed": 1},
    "192 units": {"units": 192, "epochs": 2400},
    "256 units": {"units": 256, "epochs": 1800, "every": 200},
    "decay 1.5e-4": {"weight_decay": 1.5e-4, "epochs": 4500, "every": 500},
    "decay 3e-5": {"weight_decay": 3e-5, "epochs": 18_000, "every": 2000},
    "rate 1e-3": {**STATED_RUN, "lr": 1e-3, "epochs": 200, "every": 25},
    "rate 1e-2": {**STATED_RUN, "lr": 1e-2, "epochs": 32, "every": 4},
    "p = 23, shuffled": {"shuffled": True},
    "128 units, shuffled": {"seed": 1, "shuffled": True},
    "p = 61": {**STATED_RUN, "p": 61, "epochs": 1200, "every": 100},
    "p = 71": {**STATED_RUN, "p": 71, "epochs": 800, "every": 100},
    "600 units": {**STATED_RUN, "units": 600, "epochs": 1800},
    "800 units": {**STATED_RUN, "units": 800, "epochs": 1600},
    "1000 units": {**STATED_RUN, "units": 1000, "epochs": 1400},
    "decay 5e-5": {**STATED_RUN, "weight_decay": 5e-05, "epochs": 1600},
    "decay 1e-5": {**STATED_RUN, "weight_decay": 1e-05, "epochs": 2100, "every": 300},
}
# In the order in which they were run: the cheapest figure first.
CONTROLLED_RUNS = (
    *("rate 1e-2", "rate 1e-3"),
    *("decay 1e-5", "decay 5e-5"),
    *("600 units", "800 units", "1000 units"),
    *("p = 71", "p = 61"),
)
RUN_OPTIONS |= {
    f"{name}, shuffled": {**RUN_OPTIONS[name], "shuffled": True} for name in CONTROLLED_RUNS
}
FIGURE_RUNS = {
    "002-figure-7": ("p = 23", "p = 29", "p = 37", "p = 61", "p = 71"),
    "002-figure-8": ("128 units", "192 units", "256 units", "600 units", "800 units", "1000 units"),
    "002-figure-9": (
        *("p = 23", "decay 6e-4", "decay 1.5e-4", "decay 3e-5"),
        *("decay 5e-5", "decay 1e-5"),
    ),
    "002-figure-10": ("rate 1e-3", "rate 1e-2"),
}
RATE_RUNS = FIGURE_RUNS["002-figure-10"]
ELSEWHERE_REMARK = {
    "002-figure-7": "p = 53 is on the page of the trajectory.",
    "002-figure-9": "Decay 1e-4 is on the page of the trajectory.",
    "002-figure-10": "Rate 1e-4 is on the page of the trajectory.",
}


def smaller(chosen):
    """Say which runs are smaller than the source's; nothing if none is."""
    small = [options for options in chosen if options["units"] < 600]
    if not small:
        return ""
    p, units, lr, decay = (
        ", ".join(f"{value:g}" for value in dict.fromkeys(options[key] for options in small))
        for key in ("p", "units", "lr", "weight_decay")
    )
    others = " The other runs have the size of the source." * (len(small) < len(chosen))
    return f"Smaller runs have p = {p}; {units} units; rate {lr}; decay {decay}.{others}"


def _unfit(bare, lone):
    """Why the runs of a figure do not decide, if they do not."""
    sentences = [f"No run with shuffled answers is like {', '.join(bare)}."] * bool(bare)
    sentences += [
        f"Without the checkpoint at epoch {', '.join(map(str, out))} of {name} the verdict is "
        "another."
        for name, out in lone.items()
        if out
    ]
    return " ".join(sentences)


def _followed(settings, place_id, of, held):
    """Whether the runs of a figure generalise, and whether the LLC follows their test loss."""
    own = {name: summary(row) for name, row in of.items()}
    chosen = [{**settings["base"], **settings["runs"][name]} for name in held]
    # Where there are runs of the source's size, they decide.
    stated = [name for name in held if settings["runs"][name].get("units", 0) >= 600] or held
    # A control has the size, the settings and the length of its run.
    control = {name: of.get(f"{name}, shuffled") for name in held}
    beaten = [name for name in stated if control[name] is not None]
    checks = [part for name in stated for part in follows(name, of[name], control[name])]
    checks += [
        exact(f"{name}: blind walk over LLC varies by < 15 %", own[name]["parts"] < 0.15, True)
        for name in held
    ]
    late = max(stated, key=lambda name: own[name]["late"])
    falls = ", ".join(
        f"{name}: {own[name]['fall']:.0%}"
        + (f" ({own[f'{name}, shuffled']['fall']:.0%})" if name in beaten else "")
        for name in stated
    )
    correlations = "; ".join(f"{name} {own[name]['bare']:.2f}" for name in held)
    lower = "; ".join(
        f"{name} {1 - beside(of[name], control[name])[1][-1]:.0%}"
        for name in held
        if control[name] is not None
    )
    return Finding(
        place_id,
        f"all generalise; the LLC falls from its peak, {falls}"
        + ", in brackets with shuffled answers" * bool(beaten),
        checks,
        details=f"Bare rank correlation of LLC and test loss, once memorised: {correlations}. "
        + f"At the end the LLC is below that of shuffled answers by: {lower}." * bool(lower),
        why="As on the page of the trajectory: the estimator follows the noise that the "
        "weights bear, and so does the blind walk. When the LLC is largest the test accuracy "
        f"is {own[late]['late']:.2f} in the run {late}, the largest of these, and "
        f"{turn(of[late], 'llc'):.0%} of the fall of the test loss is over there.",
        scale=" ".join(filter(None, [ELSEWHERE_REMARK.get(place_id), smaller(chosen)]))
        + f" {span(run['epochs'] for run in chosen)} epochs, until the run has generalised; "
        "the source's baseline has 100 000.",
        unfit=_unfit(
            [name for name in stated if name not in beaten],
            {name: wavers(of[name], control[name]) for name in beaten},
        ),
    )


def _of_rates(of):
    """The largest LLC at two rates, with all checkpoints and with every hundredth epoch."""
    tops = {name: max(of[name]["llc"]) for name in RATE_RUNS}
    spread = max(max(of[name]["spread"]) / tops[name] for name in RATE_RUNS)
    # The fast run is over before epoch 100, when its LLC has fallen further than at its end.
    early, late = (
        max(llc for epoch, llc in zip(of[name]["epoch"], of[name]["llc"], strict=True)
            if epoch % 100 == 0 or epoch == of[name]["epoch"][-1])
        for name in RATE_RUNS
    )  # fmt: skip
    slow, fast = tops.values()
    ended = of[RATE_RUNS[1]]["epoch"][-1]
    return Finding(
        "002-figure-12",
        f"p = 53, 1024 units: largest LLC {slow:.0f} at rate 1e-3, {fast:.0f} at 1e-2; seen every "
        f"100 epochs and at the end {early:.0f} and {late:.0f}",
        [at_most("largest LLC for ten times the rate, of that before, every 100 epochs",
                 late / early, 0.95, control=1.0, margin=spread)],
        why="At the size of the source, with its estimator, the largest LLC is the same at these "
        "rates, and on the page of the trajectory at 1e-4, if every run is looked at as often; "
        "with a checkpoint every 100 epochs, as there, that of the faster run is missed.",
        scale="Two rates with a seed each, at one weight decay; the page of the severity has three "
        "of a smaller network.",
        # Checkpoints every 100 epochs are told.
        unfit=f"the run at the larger rate ends at epoch {ended}, before the first checkpoint that "
        "the source has, at 100."
        if ended < 100
        else "",
    )  # fmt: skip


def judge(settings, rows):
    """For each run whether it generalises and whether the LLC follows the test loss."""
    of = {row["name"]: row for row in rows}
    for place, names in FIGURE_RUNS.items():
        if held := [name for name in names if name in of]:
            yield _followed(settings, place, of, held)
    if set(RATE_RUNS) <= set(of):
        yield _of_rates(of)


def draw(settings, rows, figure):
    """Test loss and LLC of every run, and the LLC with shuffled answers."""
    of = {row["name"]: row for row in rows}
    own = [row for row in rows if "shuffled" not in row["name"]]
    panels = figure.subplots(-(-len(own) // 4), min(4, len(own)), squeeze=False).flat
    for axes in panels[len(own) :]:
        axes.set_axis_off()
    for row, axes in zip(own, panels, strict=False):
        axes.semilogy(row["epoch"], row["test_loss"], "o-", ms=3, color=ACCENT_COLOR)
        axes.set_title(row["name"], fontsize=10)
        axes.set_xlabel("epoch", fontsize=8)
        axes.set_ylabel("test loss", color=ACCENT_COLOR, fontsize=8)
        second_axes = axes.twinx()
        second_axes.plot(row["epoch"], row["llc"], "s-", ms=3, color=INK_COLOR)
        if wrong := of.get(f"{row['name']}, shuffled"):
            second_axes.plot(wrong["epoch"], wrong["llc"], ":", color=INK_COLOR)
        if row is own[0]:
            second_axes.legend(["of the run", "with shuffled answers"], frameon=False, fontsize=7)
        second_axes.set_ylabel("LLC, source's estimator", color=INK_COLOR, fontsize=8)


EXPERIMENT = experiment(
    __name__,
    units=units,
    run=run,
    theory=theory,
    title="The learning coefficient while networks grok: other sizes and settings",
    places=(*FIGURE_RUNS, "002-figure-12"),
    **suites(
        base=({**SMALLER_RUN, "every": 900}, SMALLER_RUN),
        runs=({"decay 6e-4": {"weight_decay": 6e-4}}, RUN_OPTIONS),
    ),
    size=(12.0, 11.0),
)
