"""Three landscapes in the plane and how fast the volume under them shrinks.

λ and θ are computed exactly, and estimated from the volumes V(ε) of {l < ε} in a box around the
point by multilevel splitting, which knows nothing of the exact answer. For x²y⁴ the source's
λ(x, 0) speaks of every point of the line y = 0, so it is taken at (1/2, 0) and at the origin, and
at (0, 1/2) on the other line as well, where λ is another.
"""

from fractions import Fraction

import rlct
from rlct.audit.row import close, exact
from rlct.report.picture import ACCENT, INK
from rlct.validation.claim import cells
from rlct.validation.experiment import Experiment, Finding

OFF = ("0", "1/2")  # on the other line of zeros of x²y⁴, which the source does not speak of
PRINTED = {"x**2+y**2": "1", "x**4+y**4": "1/2", "x**2*y**4": "1/4"}


def units(settings):
    """A landscape at a point."""
    for loss, x, y in settings["points"]:
        yield {"loss": loss, "at": {"x": x, "y": y}}


def run(settings, unit, rng):
    """Exact pair, and the printed λ on trial before the volumes."""
    answer = rlct.poly(unit["loss"], at=unit["at"])
    trial = rlct.check(answer, method="splitting", seed=int(rng.integers(2**31)))
    found = trial.estimate
    return {
        "lambda": str(answer.lam),
        "theta": answer.theta,
        "estimate": found.lam,
        "interval": list(found.interval),
        "verdict": trial.verdict,
        "wrong": trial.control.lam,
        "wrong_rejected": trial.control.rejected,
    }


def judge(settings, rows):
    """Exact values against the printed ones, estimates against the exact ones."""
    printed = [row for row in rows if (row["at"]["x"], row["at"]["y"]) != OFF]
    checks = [
        cells("printed λ that are right", [row["lambda"] for row in printed],
              [PRINTED[row["loss"]] for row in printed])
    ]  # fmt: skip
    for row in rows:
        place = f"{row['loss']} at ({row['at']['x']}, {row['at']['y']})"
        if row not in printed:
            checks.append(exact(f"λ of {place}, the other line", row["lambda"], "1/2"))
        # Of 95 %: half as much again is missed by one right value in 300.
        low, high = row["interval"]
        right, wide = float(Fraction(row["lambda"])), 0.75 * (high - low)
        what = f"volumes of {place}"
        checks.append(close(what, row["estimate"], right, wide, control=row["wrong"]))
    shown = "; ".join(
        f"{row['loss']} at ({row['at']['x']}, {row['at']['y']}): λ = {row['lambda']}, "
        f"θ = {row['theta']}, from volumes {row['estimate']:.3f}"
        for row in rows
    )
    whole = {row["loss"] for row in rows} == set(PRINTED)
    yield Finding(
        "002-figure-5",
        f"λ = {', '.join(row['lambda'] for row in printed)} at the points of the figure, exactly "
        "and from volumes",
        checks,
        more=shown,
        why="The three values are right. On x²y⁴ the printed 1/4 belongs to the line y = 0, the "
        "origin included; on x = 0 away from it λ = 1/2."
        if whole
        else "",
        scale="" if whole else f"{len(rows)} of the three landscapes.",
    )


def draw(settings, rows, figure):
    """Exact λ and the estimates with their intervals."""
    axes = figure.add_subplot()
    for place, row in enumerate(rows):
        low, high = row["interval"]
        exactly = float(Fraction(row["lambda"]))
        told = ("exact", "from volumes, 95 %") if not place else (None, None)
        axes.plot([place - 0.3, place + 0.3], [exactly] * 2, color=ACCENT, lw=2, label=told[0])
        axes.errorbar(
            [place],
            [row["estimate"]],
            [[row["estimate"] - low], [high - row["estimate"]]],
            fmt="o",
            color=INK,
            capsize=4,
            label=told[1],
        )
    powers = str.maketrans({"*": ""})
    axes.set_xticks(
        range(len(rows)),
        [
            f"{r['loss'].replace('**2', '²').replace('**4', '⁴').translate(powers)}\n"
            f"at ({r['at']['x']}, {r['at']['y']})"
            for r in rows
        ],
        fontsize=8,
    )
    axes.set_ylabel("λ")
    axes.set_ylim(0, 1.2)
    axes.legend(frameon=False)


EXPERIMENT = Experiment(
    id="grokking-landscapes",
    source="002",
    title="Three landscapes and their learning coefficients",
    places=("002-figure-5",),
    quick={"points": [["x**4+y**4", "0", "0"]]},
    full={
        "points": [
            ["x**2+y**2", "0", "0"],
            ["x**4+y**4", "0", "0"],
            ["x**2*y**4", "0", "0"],
            ["x**2*y**4", "1/2", "0"],
            ["x**2*y**4", "0", "1/2"],
        ]
    },
    units=units,
    run=run,
    judge=judge,
    draw=draw,
)
