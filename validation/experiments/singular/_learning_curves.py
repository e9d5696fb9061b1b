"""Slopes of learning curves of five methods, what is said of them, and their picture."""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np

import rlct
from validation.audit.row import close, exact
from validation.experiments.singular._heads import HEAD_SIZE
from validation.framework.claim import Claim, alike, at_least, at_most, near
from validation.framework.estimate import estimate
from validation.framework.experiment import Data, Finding, Rows

__all__ = ["TABLE_PLACES", "draw", "judge"]

METHOD_NAMES = ("MCMC (A, B)", "MCMC (B)", "Laplace (A, B)", "Laplace (B)", "MAP")
TABLE_PLACES = {
    ("realisable", "full"): ("001-table-1", "001-figure-1", "001-figure-6"),
    ("realisable", "batch"): ("001-table-3", "001-figure-3", "001-figure-7"),
    ("not", "full"): ("001-table-4", "001-figure-4", "001-figure-8"),
    ("not", "batch"): ("001-table-5", "001-figure-5", "001-figure-9"),
}


def slope(rows: Rows, method: str, intercept: bool) -> dict[str, float] | None:
    """Least squares of the mean error against 1/n, with R² and the error from the data sets."""
    used = [r for r in rows if r["methods"].get(method, {}).get("mean") is not None]
    if len(used) < 2 + intercept:
        return None
    x = np.array([1 / r["n"] for r in used])
    y = np.array([r["methods"][method]["mean"] for r in used])
    error = np.array([r["methods"][method]["error"] for r in used])
    design = np.stack([x, np.ones_like(x)], axis=1) if intercept else x[:, None]
    solve = np.linalg.pinv(design)
    found = solve @ y
    residual = ((y - design @ found) ** 2).sum()
    return {
        "slope": float(found[0]),
        "error": float(np.sqrt(((solve[0] * error) ** 2).sum())),
        "r_squared": float(1 - residual / ((y - y.mean()) ** 2).sum()),
    }


def architecture(hidden: int, relu: bool) -> str:
    """Name an architecture as the source's tables do."""
    return f"{hidden} hidden, {'ReLU' if relu else 'identity'}"


@cache
def _head(relu: bool, last_only: bool) -> rlct.Result:
    """λ of the head with features of full rank and a truth of full rank, exactly.

    The last layer alone is linear in its nine parameters; BAx is a linear network of rank three;
    B·ReLU(Ax) is asked at one truth, on inputs that tell its units apart.
    """
    if last_only:
        return rlct.linear([HEAD_SIZE, HEAD_SIZE], rank=HEAD_SIZE)
    if not relu:
        return rlct.linear([HEAD_SIZE, HEAD_SIZE, HEAD_SIZE], rank=HEAD_SIZE)
    truth = {
        "hidden": [[3, 1, -1], [-1, 2, 1], [1, -1, 2]],
        "outer": [[1, 2, -1], [2, -1, 1], [1, 1, 3]],
    }
    return rlct.relu(truth, data=list(product((-2, 3), repeat=HEAD_SIZE)), timeout=0.05)


def head_lambda(relu: bool, last_only: bool) -> float:
    """λ of the head, as a number."""
    lam = _head(relu, last_only).lam
    assert lam is not None
    return float(lam)


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Slopes beside the printed ones, the order of the methods, and Laplace."""
    for table in settings["tables"]:
        own = [r for r in rows if r["table"] == table]
        name, figure, laplace = TABLE_PLACES[table[0], table[1]]
        scale, slopes = _scale(settings), _slopes(settings, own, table)
        first = slope(_chosen(own, 1, False), "MCMC (A, B)", table[0] == "not")
        assert first is not None
        lost = _infinite(settings, rows, table)
        beyond = _chosen(own, 1, False) if name == "001-table-1" else []
        gaussian = slope(beyond, "Laplace (B)", False)
        yield Finding(
            name,
            (f"Laplace (B) {gaussian['slope']:.2f}, printed 2155; " if gaussian else "")
            + f"MCMC (A, B), one hidden layer, identity: {first['slope']:.2f} ± "
            f"{first['error']:.2f} (R² {first['r_squared']:.2f}); printed "
            f"{PRINTED_SLOPES[name][1, False]['MCMC (A, B)']:.2f}, λ of the head "
            f"{head_lambda(False, False):g}",
            [*_printed(own, table), *(lost if name == "001-table-3" else ()),
             *(_standard(settings, rows) if name == "001-table-1" else ())],
            TABLE_TEXTS[name],
            slopes,
            scale,
        )  # fmt: skip
        yield Finding(
            figure,
            _gaps(own),
            [*_order(own), *_limit(own, table), *lost],
            f"{TABLE_TEXTS[figure]} {_beside_map(own)}",
            scale=scale,
        )
        ratio, indefinite, facts = _laplace(settings, own)
        yield Finding(
            laplace,
            f"Hessian of the last two layers indefinite in {indefinite:.0%} of the data sets; "
            f"Laplace in the last layer as good as MCMC, error {ratio:.2f} times as large",
            [
                at_least("share of indefinite Hessians in the last two layers (planted: the last "
                         "alone)", indefinite, 0.1, control=0.0),
                _last_layer(own, table, ratio),
                *facts,
            ],
            LAPLACE_PLACES,
            scale=scale,
        )  # fmt: skip
    yield Finding(
        "001-printed-slopes",
        "none of the largest can be a λ, which is at most half the number of parameters; slopes of "
        "Table 5 repeat Table 4 to the last digit",
        list(_as_printed()),
        "Arithmetic on the printed numbers alone: nothing that was run enters, and the other rows "
        "of these tables do not rest on it. The source calls slopes of G against 1/n learning "
        "coefficients; of trained features they may be anything. One of Tables 4 and 5 may be a "
        "misprint.",
    )


def _scale(settings: Data) -> str:
    sentences = [
        f"n up to {max(settings['n'])}; the source does not name its sizes",
        f"{settings['data_sets']} data sets in the place of 30",
        f"{settings['chains'] * settings['draws']} draws after {settings['burnin']} discarded in "
        "the place of 1000 after 1000",
        f"{settings['test']} test points and their mirror images in the place of 10 000",
    ]
    if settings["epochs"] < 5000:
        sentences.append(f"full batches for {settings['epochs']} epochs, not 5000")
    if "batch_epochs" in settings:
        sentences.append(f"mini-batches for {settings['batch_epochs']} epochs, not 5000")
    return "; ".join(sentences) + "."


LAPLACE_PLACES = (
    "Right for the last two layers: the likelihood has nine flat directions or more, the Hessian "
    "is indefinite in most data sets, and where it is not, draws leave the neighbourhood that it "
    "describes, so that G does not fall. Not so for the last layer: there the model is linear, the "
    "posterior Gaussian, and Laplace differs from it by its centre alone: its error is that of "
    "MCMC to some per cent, not hundreds of times as large. A covariance that does not shrink as "
    "1/n, as the Hessian of a mean in the place of a sum gives, could explain the source's numbers."
)
_SMALL_REMARK = (
    "Five layers: as PyTorch initialises them the truth is constant to 10⁻⁵ of the noise, gradient "
    "descent fits three means, and ½ for each makes 3/2. No slope measures λ of the head (9/2; "
    "15/2 with ReLU), near as some come, which standard features do show: trained features are no "
    "given, and at these n the prior outweighs a third of their directions, with five layers two "
    "thirds."
)
TABLE_TEXTS = {
    "001-table-1": "The order of magnitude of the slopes is the source's, except for Laplace in "
    "the last layer; with identity they are smaller between the larger sizes, with ReLU a little "
    "larger. They are slopes of the error of training, not of λ alone. " + _SMALL_REMARK,
    "001-figure-1": "MCMC in the last two layers is best, as the source expected and did not find; "
    "its suspicion that its chains had not converged fits.",
    "001-table-3": "Ours are of shorter training, which n·G of one hidden layer shows: it still "
    "rises with n, so that the straight line through 0 does not fit, and no part of the curve is "
    "as steep as printed. MAP stays finite at our learning rate and diverges at a hundred "
    "times that; the source names none. In the last layer Laplace is as good as MCMC. "
    + _SMALL_REMARK,
    "001-figure-3": "The same order as with full batches, last two layers first.",
    "001-table-4": "The slope of MCMC (A, B) in the identity network with one hidden layer and the "
    "missing fit with five come out as printed; with one hidden layer (A, B) is below (B) here, "
    "not above it.",
    "001-figure-4": "The limit is positive: with five layers training does not leave the constant "
    "functions, and G stays where it is. MCMC in the last two layers is best here, too.",
    "001-table-5": "Ours are within four errors of the printed slopes.",
    "001-figure-5": "As with full batches: a positive limit, MCMC in the last two layers best.",
}


def _chosen(rows: Rows, hidden: int, relu: bool) -> list[Data]:
    return [r for r in rows if r["hidden"] == hidden and r["relu"] == relu]


def _architectures(settings: Data, rows: Rows) -> Iterable[tuple[str, list[Data]]]:
    for hidden in settings["hidden"]:
        for relu in (False, True):
            yield architecture(hidden, relu), _chosen(rows, hidden, relu)


def _slopes(settings: Data, rows: Rows, table: list[str]) -> str:
    parts = []
    for name, own in _architectures(settings, rows):
        lines = {m: slope(own, m, table[0] == "not") for m in METHOD_NAMES}
        sentences = ", ".join(
            f"{m} {line['slope']:.2f} ± {line['error']:.2f} (R² {line['r_squared']:.2f})"
            for m, line in lines.items()
            if line
        )
        parts.append(f"{name}: {sentences}")
    return "; ".join(parts)


def _pooled(rows: Rows, method: str) -> float:
    """Sum of paired differences from MCMC (B) in standard errors, over the root of their number."""
    z = [r["methods"][method]["above"] / r["methods"][method]["above_error"] for r in rows]
    return float(np.sum(z) / np.sqrt(len(z)))


def _gaps(rows: Rows) -> str:
    return (
        "error less that of MCMC (B), in pooled standard errors: MCMC (A, B) "
        f"{_pooled(rows, 'MCMC (A, B)'):+.1f}, MAP {_pooled(rows, 'MAP'):+.1f}"
    )


def _order(rows: Rows) -> Iterable[Claim]:
    """MCMC below MAP, and the last layer alone often below the last two."""
    names = ("MCMC (A, B)", "MCMC (B)", "MAP")
    above, better = {}, {}
    for n in sorted({row["n"] for row in rows}):
        both, alone, point = (
            np.array([r["methods"][m]["mean"] for r in rows if r["n"] == n]) for m in names
        )
        text = "error of MAP over that of MCMC in the last two layers, mean (planted: the same)"
        above[f"n = {n}"] = at_least(text, (point / both).mean(), 1.05, control=1.0)
        text = (
            "share of architectures in which the last layer alone is better than the last two "
            "(planted: one architecture)"
        )
        better[f"n = {n}"] = at_least(text, (alone < both).mean(), 0.4, control=1 / len(alone),
                                      margin=0.1)  # fmt: skip
    yield from alike("n", above)
    yield from alike("n", better)


def _beside_map(rows: Rows) -> str:
    """How MCMC in the last layer alone compares with MAP."""
    gap = _pooled(rows, "MAP")
    if abs(gap) < 3:
        return "In the last layer alone MCMC and MAP differ by less than three errors."
    return f"In the last layer alone MCMC is {'better' if gap > 0 else 'worse'} than MAP."


def _infinite(settings: Data, rows: Rows, table: list[str]) -> list[Claim]:
    """Data sets in which the error of MAP is infinite, or probabilities are 0, by learning rate."""
    if table[1] != "batch":
        return []
    text = (
        "data sets in which MAP has an infinite error (planted: full batches)"
        if table[0] == "realisable"
        else "data sets in which MAP has probabilities that are 0 as floats (planted: full batches)"
    )
    lost = {
        training: sum(
            settings["data_sets"] - r["methods"]["MAP"].get("finite", 0)
            for r in rows
            if r["table"] == [table[0], training]
        )
        for training in ("batch", "full")
    }
    lost_shares = {settings["lr"]: lost["batch"]}
    lost_shares |= {r["rate"]: r["lost"] for r in rows if r["table"] == [table[0], "rates"]}
    return alike(
        "the learning rate",
        {f"rate {rate:g}": at_least(text, one, 1, control=lost["full"])
         for rate, one in lost_shares.items()},
    )  # fmt: skip


def _limit(rows: Rows, table: list[str]) -> Iterable[Claim]:
    """Whether errors stay above 0 where the truth is not realisable."""
    five = _chosen(rows, 5, False)
    if table[0] == "not" and five:
        last = max(five, key=lambda r: r["n"])["methods"]["MAP"]
        what = "five layers, identity: error of MAP at the largest n, in its standard errors"
        yield at_least(what, last["mean"] / last["error"], 3, control=0.0, margin=1)


def _laplace(settings: Data, rows: Rows) -> tuple[float, float, list[Any]]:
    """The ratio of Laplace and MCMC in the last layer, where Hessians are indefinite, and facts."""
    facts, ratios = [], []
    for name, own in _architectures(settings, rows):
        ratios.append(np.mean(
            [r["methods"]["Laplace (B)"]["mean"] / r["methods"]["MCMC (B)"]["mean"] for r in own]
        ))  # fmt: skip
        text = f"{name}: error of Laplace (B) over that of MCMC (B)"
        facts.append(close(text, float(ratios[-1]), 1, 0.25, control=2))
    indefinite = sum(r["indefinite"] for r in rows) / (len(rows) * settings["data_sets"])
    worse = [
        r["methods"]["Laplace (A, B)"]["mean"] / r["methods"]["MCMC (A, B)"]["mean"]
        for r in rows
        if r["methods"]["Laplace (A, B)"]["mean"] is not None
    ]
    text = "Hessian definite: error of Laplace (A, B) above 1.5 times that of MCMC"
    facts.append(exact(text, not worse or bool(np.median(worse) > 1.5), True))
    return float(max(ratios)), indefinite, facts


def _last_layer(rows: Rows, table: list[str], ratio: float) -> Claim:
    """What is printed of Laplace in the last layer: an order of magnitude, or no line at all."""
    if table[0] == "realisable":
        text = (
            "largest error of Laplace in the last layer, of that of MCMC there (planted: as large)"
        )
        return at_least(text, ratio, 10, control=1.0, margin=2)
    line = slope(_chosen(rows, 1, False), "Laplace (B)", True)
    assert line is not None
    text = (
        "one hidden layer, identity: R² of the line of Laplace in the last layer (planted: a line)"
    )
    return near(text, line["r_squared"], 0.029238, 0.2, control=1.0)


#: Printed slopes by hidden layers and ReLU in the head, as far as the copy that was read has them.
#: Laplace is apart: of Tables 4 and 5 its slopes have an R² (0.03, 0.009) that says there is none.
PRINTED_SLOPES: dict[str, dict[tuple[int, bool], dict[str, float]]] = {
    "001-table-1": {
        (1, False): {"MCMC (A, B)": 9.709027, "MCMC (B)": 6.41038, "MAP": 10.714216},
        (5, False): {"MCMC (A, B)": 1.28629, "MCMC (B)": 1.298504, "MAP": 1.437473},
        (1, True): {"MCMC (A, B)": 3.117187, "MCMC (B)": 3.15271},
    },
    "001-table-3": {
        (1, False): {"MCMC (A, B)": 36.721594, "MCMC (B)": 20.67692},
        (5, False): {"MCMC (A, B)": 13.729278, "MCMC (B)": 9.170642, "MAP": 14.123308},
        (1, True): {"MCMC (A, B)": 22.175448, "MCMC (B)": 10.675455},
        (5, True): {"MCMC (A, B)": 4.652483, "MCMC (B)": 3.533366, "MAP": 6.256696},
    },
    "001-table-4": {
        (1, False): {"MCMC (A, B)": 11.086023, "MCMC (B)": 7.377871},
        (5, False): {"MCMC (A, B)": 0.808601, "MCMC (B)": 0.799114},
        (1, True): {"MCMC (A, B)": 5.987187, "MCMC (B)": 5.384686},
        (5, True): {"MCMC (A, B)": 0.794055, "MCMC (B)": 1.14158},
    },
    "001-table-5": {
        (1, False): {"MCMC (A, B)": 11.086023, "MCMC (B)": 7.377871, "MAP": 12.947959},
        (5, False): {"MCMC (A, B)": 0.808601, "MCMC (B)": 0.799114, "MAP": 1.204743},
        (1, True): {"MCMC (A, B)": 5.987187, "MCMC (B)": 5.384686},
        (5, True): {"MCMC (A, B)": 0.794055, "MCMC (B)": 1.14158},
    },
}


#: Of Laplace in the last layer, with an R² of 0.8 to 0.9.
LAPLACE_PRINTED = {
    "001-table-1": {(1, False): 2154.989266, (5, False): 2038.605589},
    "001-table-3": {(1, False): 1768.655088, (5, False): 1943.793236, (5, True): 1004.852367},
}


def _as_printed() -> Iterable[Claim]:
    """What the printed numbers say of themselves; λ is at most half the number of parameters."""
    for name, cells in PRINTED_SLOPES.items():
        table, slopes = f"Table {name[-1]}", cells[1, False]
        last = slopes["MCMC (B)"]
        both = max(value for method, value in slopes.items() if method != "MCMC (B)")
        text = "largest printed slope"
        square = HEAD_SIZE * HEAD_SIZE
        yield at_most(f"{table}: {text}, half of 18 parameters (planted: all)", both, square,
                      control=2 * square, exact=True)  # fmt: skip
        yield at_most(f"{table}: {text} in the last layer, half of 9 parameters (planted: all)",
                      last, square / 2, control=square, exact=True)  # fmt: skip
    yield at_least("Table 4: least printed slope (Laplace, five layers), as a λ: positive "
                   "(planted: −9/2)", -33.817429, 0.0, control=-4.5, exact=True)  # fmt: skip
    before, after = (PRINTED_SLOPES[f"001-table-{k}"] for k in (4, 5))
    cells = [(shape, method) for shape, slopes in before.items() for method in slopes]
    same = sum(after[shape][method] == before[shape][method] for shape, method in cells)
    text = f"Table 5: slopes of MCMC that are those of Table 4 to the last digit, of {len(cells)}"
    yield at_most(f"{text}, though trained otherwise (planted: one)", same, 0, control=1,
                  exact=True)  # fmt: skip


def _lines(rows: Rows, method: str, intercept: bool) -> dict[str, dict[str, float]]:
    """Slopes over all sizes and over neighbouring ones: the source names none."""
    sizes = sorted({row["n"] for row in rows})
    choices = dict.fromkeys([tuple(sizes), *pairwise(sizes)])
    fitted = {}
    for some in choices:
        if len(some) > 1 + intercept:
            line = slope([row for row in rows if row["n"] in some], method, intercept)
            if line is not None:
                fitted[f"n = {', '.join(map(str, some))}"] = line
    return fitted


def _printed(own: Rows, table: list[str]) -> Iterable[Claim]:
    """Printed slopes beside ours."""
    name, _, _ = TABLE_PLACES[table[0], table[1]]
    free = table[0] == "not"
    cells = [(shape, method, value) for shape, slopes in PRINTED_SLOPES[name].items()
             for method, value in slopes.items()]  # fmt: skip
    cells += [(shape, "Laplace (B)", value)
              for shape, value in LAPLACE_PRINTED.get(name, {}).items()]  # fmt: skip
    for (hidden, relu), method, value in cells:
        what = f"{architecture(hidden, relu)}, {method}: slope (planted: λ)"
        planted = head_lambda(relu, method.endswith("(B)"))
        yield from alike("n", {
            n: near(what, line["slope"], value, 4 * line["error"], planted, line["error"])
            for n, line in _lines(_chosen(own, hidden, relu), method, free).items()
        })  # fmt: skip
    five = _chosen(own, 5, False)
    for method, value in (("MCMC (A, B)", 0.14426), ("Laplace (B)", 0.009074)):
        if name == "001-table-4" and (line := slope(five, method, True)):
            yield near(f"5 hidden, identity, {method}: R² of the line", line["r_squared"], value,
                       0.4, 0.97)  # fmt: skip


def _standard(settings: Data, rows: Rows) -> Iterable[Any]:
    """Slopes with features that are given, against λ, and not half of the 18 parameters."""
    for relu, free in ((False, HEAD_SIZE * HEAD_SIZE), (True, HEAD_SIZE)):
        name = "ReLU, 3 scalings" if relu else "identity, 9 changes of basis"
        yield exact(f"λ of both layers, half of 18 parameters less those left free ({name})",
                    head_lambda(relu, False), (2 * HEAD_SIZE * HEAD_SIZE - free) / 2)  # fmt: skip
    for relu in (False, True):
        some = [r for r in rows if r["table"][0] == "standard" and r["relu"] == relu]
        name = "ReLU" if relu else "identity"
        sets = sum(r["methods"]["MCMC (B)"]["finite"] for r in some if r["n"] == some[0]["n"])
        for method, last in (("MCMC (B)", True), ("MCMC (A, B)", False)):
            if relu and not last and sets < 100:
                continue  # 15/2 and 9 take hundreds of data sets to tell apart
            line = slope(some, method, False)
            assert line is not None
            lam = head_lambda(relu, last)
            what = f"standard features, {name}, {method}: slope, λ = {lam:g}"
            yield estimate(
                what, line["slope"], lam, line["error"], allowed=0.05 * lam,
                sees=settings.get("sees", 0.25),
            )  # fmt: skip


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """n·G(n) of each method, a panel for each table and architecture."""
    tables = settings["tables"]
    shapes = [(h, relu) for h in settings["hidden"] for relu in (False, True)]
    axes = figure.subplots(len(tables), len(shapes), squeeze=False, sharex=True)
    for i, table in enumerate(tables):
        for j, (hidden, relu) in enumerate(shapes):
            panel = axes[i][j]
            own = [r for r in _chosen(rows, hidden, relu) if r["table"] == table]
            for k, method in enumerate(METHOD_NAMES):
                fine = [r for r in own if r["methods"][method]["mean"] is not None]
                panel.errorbar(
                    [r["n"] * 1.02**k for r in fine],
                    [r["n"] * r["methods"][method]["mean"] for r in fine],
                    [r["n"] * r["methods"][method]["error"] for r in fine],
                    fmt=".-",
                    linewidth=0.8,
                    label=method,
                )
            panel.axhline(head_lambda(relu, False), color="0.5", linestyle=":", linewidth=0.8)
            panel.set(xscale="log", yscale="log")
            panel.minorticks_off()
            panel.set_xticks(settings["n"], [str(n) for n in settings["n"]])
            panel.tick_params(labelsize=6)
            name, _, _ = TABLE_PLACES[table[0], table[1]]
            panel.set_title(f"{name[4:]}: {architecture(hidden, relu)}", fontsize=7)
    axes[0][0].legend(fontsize=5)
    figure.supxlabel("n", fontsize=8)
    figure.supylabel("n·G(n); dotted: λ of the last two layers", fontsize=8)
