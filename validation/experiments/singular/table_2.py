"""Table 2: what λ̂ ≈ ½ of the two-layer networks measures.

The model has five hidden units (21 parameters), the truth is a star of m of them, the prior is
N(0, 50²), and λ̂ is the slope of the tempered mean of nL_n against 1/β over five β around 1/log
20000 at n = 1000. The source does not say which five; here 0.5 to 1.5 times that, and n
observations with noise of variance 1. Three things are computed.

- *The posterior of the table*, by sequential Monte Carlo from the prior, which weighs all regions
  against one another: islands that do not interact give the error. The source has NUTS, of which
  a part is run beside it, one chain at each β of one cell: a chain cannot tell how much mass lies
  where it does not go, and a transition takes 190 leapfrog steps and a fifth of a second, the
  stated 21 000 at five β in six cells more than a day.
- *Near the truth*, by Hamiltonian trajectories at 100 times the n and more, without noise in the
  data, with prior N(0, 1): what the slope becomes where K decides.
- *The lower bound*, half the rank of the derivative at the truth, exact: (3m + 1)/2 for ReLU,
  (4m + 1)/2 for SiLU, which no scaling of a unit leaves as it is. At m = 5 it is λ, which
  SiLU shows where nβ is 10⁹ and more.
"""

from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np

from rlct.sampling.kernels.nuts import Nuts
from rlct.sampling.ladders.tempering import tempered_means
from rlct.sampling.markov_chains.chains import run_chains, sample_chains
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from validation.audit._relu import star_features
from validation.audit.row import close, exact
from validation.audit.singular_tables import star_rank
from validation.experiments.singular._scalings import along_scalings
from validation.experiments.singular._star import Star, star
from validation.framework.claim import Claim, at_least, at_most, near, span
from validation.framework.estimate import estimate
from validation.framework.experiment import AbsentError, Data, Finding, Rows, experiment, suites
from validation.framework.fact_table import Case, Check, judged
from validation.framework.store import generator
from validation.framework.temperature_regression import slope_in_temperature

PRINTED_SLOPES = {
    "relu": {3: 0.526301, 4: 0.539590, 5: 0.555303},
    "silu": {3: 0.522393, 4: 0.539387, 5: 0.555630},
}
REGULAR_LAMBDA = 21 / 2  # d/2
ACTIVATION_NAMES = {"relu": "ReLU", "silu": "SiLU"}


def units(settings: Data) -> Iterable[Data]:
    """One for each network, truth and question."""
    for m in settings["m"]:
        for activation in settings["activations"]:
            yield {"m": m, "activation": activation, "what": "table"}
            yield {"m": m, "activation": activation, "what": "truth"}
    for m in settings["weak"]:
        yield {"m": m, "activation": "silu", "what": "weak"}
    for m, activation in settings["nuts"]:
        yield {"m": m, "activation": activation, "what": "nuts"}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Slope of the tempered mean against the temperature."""
    if unit["what"] == "table":
        return _table(settings, unit, rng)
    if unit["what"] == "weak":
        return along_scalings(settings, unit, rng)
    if unit["what"] == "nuts":
        return _nuts(settings, unit, rng)
    target = star(
        unit["m"], unit["activation"], rng, n=settings["truth_inputs"], noise=0.0, sigma=1.0
    )
    n_beta = np.array(settings["truth_n_beta"])
    chains = sample_chains(
        "hmc",
        target,
        n_beta,
        rng=rng,
        num_chains=settings["chains"],
        num_draws=settings["draws"],
        spread=False,
    )
    regression = slope_in_temperature(chains)
    by_chain = chains.draws.mean(axis=2)
    error = by_chain.std(axis=1, ddof=1) / np.sqrt(by_chain.shape[1])
    return {
        "slope": regression.lam,
        "error": regression.error,
        "means": by_chain.mean(axis=1).tolist(),
        "errors": error.tolist(),
        "n_beta": n_beta.tolist(),
        "acceptance": float(chains.acceptance.mean()),
    }


def _same_data(settings: Data, unit: Data, dtype: Any = np.float64) -> Star:
    """The target of the unit for the posterior of the table, with its data drawn again."""
    rng = generator(EXPERIMENT, {**unit, "what": "table"})
    return star(unit["m"], unit["activation"], rng, n=settings["n"], dtype=dtype)


def _nuts(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Tempered means by a chain at each β, from weights uniform on [−2, 2] as Pyro begins."""
    if find_spec("mici") is None:
        raise AbsentError("NUTS needs mici: pip install 'rlct[nuts]'")
    target = _same_data(settings, unit, np.float32)
    beta = np.array(settings["beta"]) / np.log(20_000)
    n_beta = settings["table_n"] * beta
    posterior = TemperedPosterior(target, n_beta, rng=rng, num_chains=1)
    first = rng.uniform(-2, 2, (posterior.rows, target.dimension)) - target.centre
    posterior.start = lambda spread: posterior.arrays.asarray(first)  # type: ignore[method-assign]
    kernel = Nuts(posterior)
    chains = run_chains(
        kernel, num_draws=settings["nuts_draws"], num_burnin=settings["nuts_burnin"]
    )
    draws = chains.draws[:, 0]
    slope = np.polyfit(1 / beta, settings["table_n"] * draws.mean(axis=1) / n_beta, 1)[0]
    return {
        "slope": float(slope),
        "means": draws.mean(axis=1).tolist(),
        "halves": [half.mean(axis=1).tolist() for half in np.array_split(draws, 2, axis=1)],
        "n_beta": n_beta.tolist(),
        "acceptance": float(chains.acceptance.mean()),
        "gradients": chains.gradients,
    }


def _table(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    n = settings["n"]
    target = star(unit["m"], unit["activation"], rng, n=n, dtype=np.float32)
    beta = np.array(settings["beta"]) / np.log(20_000)
    n_beta = settings["table_n"] * beta
    by_rung = tempered_means(
        target,
        n_beta.tolist(),
        rng=rng,
        particles=settings["particles"],
        islands=settings["islands"],
        sweeps=settings["sweeps"],
        chain_rounds=settings["rounds"],
    )
    mean, error = np.array(by_rung).T
    energy = settings["table_n"] * mean / n_beta  # E[nL_n] − nL_n(s_m)
    design = np.stack([1 / beta, np.ones_like(beta)], axis=1)
    solve = np.linalg.pinv(design)
    slope, start = solve @ energy
    residual = energy - design @ (slope, start)
    outputs = target.outputs(np.zeros((1, target.dimension)))
    return {
        "slope": float(slope),
        # The rungs are dead to one another only in part: chains go on from rung to rung.
        "error": float(np.abs(solve[0]) @ (settings["table_n"] * error / n_beta)),
        "r_squared": float(1 - residual @ residual / ((energy - energy.mean()) ** 2).sum()),
        "intercept": float(start),
        "constant": float(settings["table_n"] * outputs.var() / 2),
        "means": mean.tolist(),
        "errors": error.tolist(),
        "n_beta": n_beta.tolist(),
    }


def half_rank(m: int, activation: str) -> float:
    """Half the rank of the derivative at s_m, which λ there is at least."""
    return star_rank(m, 5, activation) / 2


def scaling_norm() -> float:
    """Mean square of what the scaling of a unit changes to first order in the SiLU network."""
    axis = (np.arange(600) + 0.5) / 300 - 1
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    features = star_features(1, 1, points, "silu")  # of c, w, b and q
    w = np.array([np.cos(np.pi), np.sin(np.pi)])
    return float(np.mean((features[:, 1:5] @ [*w, -1 / 3, -1.0]) ** 2))


def constant_fit(settings: Data, row: Data) -> float:
    """nL_n of the best constant less that of s_m, on the data of a row, drawn again."""
    target = _same_data(settings, {key: row[key] for key in ("m", "activation")})
    y, truth = target.y[:, 0], target.outputs(np.zeros((1, target.dimension)))[0]
    gap = np.mean((y - y.mean()) ** 2) - np.mean((y - truth) ** 2)
    return float(settings["table_n"] / 2 * gap)


NEAR_TRUTH = Check(
    "{name}: slope near {spot} (planted: d/2)",
    near,
    lambda case: (case.slope, case.printed, case.wide + 0.1, REGULAR_LAMBDA),
    where=lambda case: case.what == "truth",
)
AT_THE_TABLE = Check(
    "{name}: slope at the table's n and β (planted: ½ rank)",
    near,
    lambda case: (case.slope, case.printed, case.wide, case.bound),
    where=lambda case: case.what == "table",
)


def _between(case: Case) -> tuple[float, float, float]:
    """Inactive units at 0 add at most ½ each to the local value."""
    allowed = (case.most - case.least) / 2 + case.wide + 0.02 * case.least
    return case.slope, (case.least + case.most) / 2, allowed


ROW_FACTS = (
    Check(
        "m = {m}, SiLU: mean of nβK, nβ from {first:.0e} to {last:.0e}",
        estimate,
        lambda case: (case.mean, case.bound, case.error),
        where=lambda case: case.what == "weak",
        allowed=lambda case: 0.02 * case.bound,
    ),
    Check(
        "{name}: slope at the table's n and β, against ½ of a constant network",
        close,
        lambda case: (case.slope, 0.5, case.wide),
        where=lambda case: case.what == "table",
        control=lambda case: case.bound,
    ),
    Check(
        "{name}: nL − nL(s_m) of the line at β → ∞, {flat:.1f} for the best constant",
        close,
        lambda case: (case.intercept, case.flat, 1 + case.wide * case.temperature),
        where=lambda case: case.what == "table",
        control=0.0,
    ),
    # Scalings change so little that these nβ do not see it: as for ReLU, or more.
    Check(
        "{name}: slope near s_m at these nβ, between {least:g} of ReLU and {most:g}",
        close,
        _between,
        where=lambda case: (case.what, case.activation) == ("truth", "silu"),
        control=lambda case: case.printed,
    ),
    Check(
        "{name}: slope near the truth",
        estimate,
        lambda case: (case.slope, case.bound, case.error),
        where=lambda case: (case.what, case.activation, case.spare) == ("truth", "relu", 0),
        allowed=lambda case: 0.02 * case.bound,
        sees=lambda case: case.sees,
    ),
    Check(
        "{name}: slope near s_m, between {bound:g} and {most:g}",
        close,
        _between,
        where=lambda case: (case.what, case.activation) == ("truth", "relu") and case.spare,
        control=lambda case: case.bound - 1,
    ),
)


def _case(settings: Data, row: Data) -> Case:
    """A row with what it is held against."""
    m, activation = row["m"], row["activation"]
    bound, spare = half_rank(m, activation), settings["units"] - m
    case = Case(**row, bound=bound, spare=spare, name=f"m = {m}, {ACTIVATION_NAMES[activation]}")
    if row["what"] == "weak":
        case.first, case.last = row["n_beta"][0], row["n_beta"][-1]
        case.error = float(np.linalg.norm(row["errors"]) / len(row["errors"]))
        case.mean = float(np.mean(row["means"]))
        return case
    case.printed, case.wide = (
        PRINTED_SLOPES[activation][m],
        4 * row["error"],
    )  # one false alarm in 16 000
    case.least, case.most = half_rank(m, "relu"), bound + spare / 2
    case.sees = settings.get("sees", 0.15)
    case.spot = "the truth" if (activation, spare) == ("relu", 0) else "s_m"
    if row["what"] == "table":
        case.flat = constant_fit(settings, row)
        case.temperature = float(np.mean(np.log(20_000) / np.array(settings["beta"])))
    return case


def _growing(table: list[Case]) -> list[Claim]:
    """Whether the slope at the table's settings grows with m."""
    claims = []
    for activation in dict.fromkeys(case.activation for case in table):
        own = sorted(
            ((case.m, case) for case in table if case.activation == activation),
            key=lambda held: held[0],
        )
        claims += [
            at_least(
                f"{activation}, m = {m}: the slope at the table's settings is larger "
                f"than at m = {less}, by (planted: as much smaller as printed larger)",
                after.slope - before.slope,
                0.0,
                margin=2 * np.hypot(before.error, after.error),
                control=before.printed - after.printed,
            )
            for (less, before), (m, after) in pairwise(own)
        ]
    return claims


def _bounds(settings: Data) -> dict[tuple[int, str], float]:
    """Half of the rank for each network and truth."""
    activations = settings["activations"]
    return {(m, kind): half_rank(m, kind) for kind in activations for m in settings["m"]}


def _shapes(settings: Data, rows: Rows) -> Finding:
    """Variance of the truths, and ranks of their derivatives."""
    ranks = {m: star_rank(m, 5) for m in settings["m"]}
    variances = dict(
        sorted(
            (r["m"], 2 * r["constant"] / settings["table_n"]) for r in rows if r["what"] == "table"
        )
    )
    growth = {
        quantity: min(after / before for before, after in pairwise(own.values()))
        for quantity, own in (("variance", variances), ("rank", ranks))
        if len(own) > 1
    }
    return Finding(
        "001-figure-2",
        f"variance of s_m on the square {', '.join(f'{v:.3f}' for v in variances.values())}; "
        f"tangent directions that change it {', '.join(map(str, ranks.values()))} at "
        f"m = {', '.join(map(str, ranks))}",
        [
            *(
                at_least(
                    f"least growth of the {quantity} from m to m + 1 (planted: none)",
                    least,
                    1.05,
                    control=1.0,
                )
                for quantity, least in growth.items()
            ),
            exact("ranks are 3m + 1", ranks, {m: 3 * m + 1 for m in settings["m"]}),
        ],
        why="Drawn below the curves. More units make it less flat, and λ larger.",
    )


def _printed(settings: Data) -> Finding:
    """The printed numbers beside half of the ranks."""
    bounds = _bounds(settings)
    values = " and ".join(
        ", ".join(f"{bounds[m, kind]:g}" for m in settings["m"]) + f" for {ACTIVATION_NAMES[kind]}"
        for kind in settings["activations"]
    )
    return Finding(
        "001-printed-estimates",
        f"½ of the rank of the derivative at s_m is {values} at "
        f"m = {', '.join(map(str, settings['m']))}, and λ there at least that; d/2 = 21/2",
        [
            replace(
                near(
                    f"{ACTIVATION_NAMES[kind]}: ½ of the rank of the derivative, which λ is at "
                    f"least, m = {m} (planted: d/2)",
                    half,
                    PRINTED_SLOPES[kind][m],
                    0.1,
                    REGULAR_LAMBDA,
                ),
                exact=True,
            )
            for (m, kind), half in bounds.items()
        ],
        why="Arithmetic on the printed numbers: nothing that was run enters, and no other row "
        "rests on it.",
    )


def _at_the_table(settings: Data, table: list[Case], short: dict[Any, Data]) -> str:
    """Slopes at the table's settings, in a sentence, with those by NUTS."""
    said = []
    for case in table:
        said.append(f"{case.name}: {case.slope:.2f} (R² {case.r_squared:.3f})")
        if (chain := short.get((case.m, case.activation))) is not None:
            shares = np.divide(chain["means"], case.means)
            agree = int((abs(shares - 1) < 0.05).sum())
            said[-1] += f", by NUTS {chain['slope']:.2f} ({agree} of {len(shares)} chains have "
            said[-1] += "these means)"
    return "; ".join(said)


def _scale(settings: Data, short: dict[Any, Data]) -> str:
    """In what the run is smaller than the source's."""
    chains = f", and NUTS with {settings.get('nuts_draws')} after {settings.get('nuts_burnin')} in "
    chains += f"{len(short)} of six cells"
    own = len(settings["m"]) * len(settings["activations"])
    part = f"; of the table m = {', '.join(map(str, settings['m']))} and "
    part += f"{', '.join(ACTIVATION_NAMES[kind] for kind in settings['activations'])} alone"
    return (
        "Sequential Monte Carlo in the place of NUTS with 20 000 draws after 1000"
        + chains * bool(short)
        + f"; one data set for each entry; {len(settings['beta'])} β chosen here"
        + part * (own < sum(map(len, PRINTED_SLOPES.values())))
        + "."
    )


def _ranks(settings: Data) -> list[Any]:
    """Twice the bound by counting weights."""
    words = {
        "relu": (", 4m + 1 weights of m active units less m scalings", 3, ""),
        "silu": (", 4m + 1 weights of m active units", 4, ", SiLU"),
    }
    return [
        exact(
            f"m = {m}{words[kind][2]}: twice the bound{words[kind][0]}",
            2 * half,
            words[kind][1] * m + 1,
        )
        for (m, kind), half in _bounds(settings).items()
    ]


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Compare the two slopes with the bound."""
    short = {(r["m"], r["activation"]): r for r in rows if r["what"] == "nuts"}
    cases = [_case(settings, row) for row in rows if row["what"] != "nuts"]
    cases.sort(key=lambda case: case.what != "weak")
    table, truths = ([c for c in cases if c.what == kind] for kind in ("table", "truth"))
    near_truth = judged([NEAR_TRUTH], cases)
    facts = judged(ROW_FACTS, cases)
    slope = float(np.mean([case.slope for case in table]))
    if len(table) > 1:
        error = float(np.linalg.norm([case.error for case in table]) / len(table))
        facts.append(close("mean of these slopes, against ½", slope, 0.5, 4 * error, control=1.0))
    high, wide = max(
        ((case.slope, case.wide) for case in truths if case.activation == "relu"),
        default=(np.nan, 0.0),
    )
    text = "largest slope near s_m of ReLU, with four errors, below d/2 (planted: a regular model)"
    yield _shapes(settings, rows)
    yield _printed(settings)
    yield Finding(
        "000-table-2",
        f"slopes near s_m {span([part.value for part in near_truth], '.1f')}, and {slope:.2f} at "
        "the table's settings, of constant functions; d/2 = 21/2",
        [*near_truth, at_most(text, high + wide, REGULAR_LAMBDA, control=REGULAR_LAMBDA + wide)],
        why="For ReLU λ is below d/2 by scalings of the units and by spare units, not twentyfold, "
        "and for SiLU by spare units alone: at m = 5 the model is regular at the truth. The "
        "estimates of the table measure constant functions.",
    )
    by_m = [span([case.slope for case in truths if case.m == m], ".1f") for m in settings["m"]]
    seen = "; ".join(f"m = {c.m}, {c.activation}: {c.slope:.2f} ± {c.error:.2f}" for c in truths)
    yield Finding(
        "001-table-2",
        f"slope {slope:.2f} at the table's settings, of constant functions; near s_m "
        f"{', '.join(by_m)} at m = {', '.join(map(str, settings['m']))}",
        [*judged([AT_THE_TABLE], cases), *_growing(table), *near_truth, *facts, *_ranks(settings)],
        details=f"Slope at the table's settings {_at_the_table(settings, table, short)}. Near the "
        f"truth {seen}.",
        why=_why([case for case in cases if case.what == "weak"])
        + " Where a short chain of NUTS has not come to them, its loss is lower." * bool(short),
        scale=_scale(settings, short),
    )


def _why(weak: list[Case]) -> str:
    """Why the slope is right, and no λ."""
    far = "".join(
        f", and nβ = {', '.join(f'{n:.0e}' for n in case.n_beta)} do: mean nβK "
        f"{', '.join(f'{mean:.1f}' for mean in case.means)}"
        for case in weak
    )
    return (
        "The slope is right and is no λ. s_m has so small a variance (0.06 to 0.14) that at "
        "nβ ≈ 100 a network whose hidden units are all dead on the square costs 3 to 7 units of "
        "nβL, while 3m effective parameters cost tens under a prior of standard deviation 50: the "
        "posterior sits on constant functions, with one effective parameter, slope ½, an excellent "
        "straight line, and the loss of the best constant at its end. Expansion (18) holds once nβ "
        "is so large that W₀ has the mass. Near the truth the slope of ReLU networks is "
        "(3m + 1)/2 at m = 5, as the source predicts and then rejects. For SiLU λ is 21/2 there: "
        "what scales a unit of ReLU changes the function, "
        f"by {scaling_norm():.0e} in the mean square, which nβ up to 10⁶ does not show{far}."
    )


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """E[nβK] against nβ, with the lower bounds."""
    axes = figure.subplot_mosaic([["left", "right"], ["maps", "maps"]], height_ratios=[3, 2])
    below, axes = axes["maps"], [axes["left"], axes["right"]]
    grid = (np.arange(60) + 0.5) / 30 - 1
    points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    maps = []
    for m in settings["m"]:
        network = Star(m, m, points, np.zeros((len(points), 1)), "relu", 1.0, np.float64)
        maps.append(network.outputs(np.zeros((1, network.dimension)))[0].reshape(60, 60))
    below.imshow(np.concatenate(maps, axis=1), origin="lower", cmap="viridis")
    below.set(
        xticks=[], yticks=[], title="s_m on the square, m = " + ", ".join(map(str, settings["m"]))
    )
    for row in rows:
        if row["what"] in ("nuts", "weak"):
            continue
        panel = axes[0 if row["what"] == "table" else 1]
        style = "o-" if row["activation"] == "relu" else "s--"
        x, y = np.array(row["n_beta"]), np.array(row["means"])
        if row["what"] == "table":
            x, y = settings["table_n"] / x, settings["table_n"] * y / x
        panel.plot(
            x, y, style, color=f"C{row['m'] - 3}", label=f"m = {row['m']} {row['activation']}"
        )
    axes[0].set(xlabel="1/β", ylabel="E[nL] − nL(s_m)", title="at the table's settings")
    for m in settings["m"]:
        for activation, style in (("relu", ":"), ("silu", "-.")):
            value = half_rank(m, activation)
            axes[1].axhline(value, color=f"C{m - 3}", linewidth=0.8, linestyle=style)
    axes[1].set(
        xscale="log",
        xlabel="nβ",
        ylabel="E[nβK]",
        title="near the truth; ½ rank: ·· ReLU, -· SiLU",
    )
    axes[0].legend(fontsize=7)


EXPERIMENT = experiment(
    __name__,
    title="λ̂ of two-layer ReLU and SiLU networks",
    places=("000-table-2", "001-table-2", "001-printed-estimates", "001-figure-2"),
    **suites(
        m=([5], [3, 4, 5]),
        activations=(["relu"], ["relu", "silu"]),
        units=5,
        n=(150, 1000),
        truth_inputs=(100, 300),
        table_n=1000,
        beta=([0.5, 1.0, 1.5], [0.5, 0.75, 1.0, 1.25, 1.5]),
        particles=16,
        islands=(4, 6),
        sweeps=1,
        rounds=(2, 4),
        truth_n_beta=([1e4, 1e5, 1e6], [1e4, 3e4, 1e5, 3e5, 1e6]),
        chains=(4, 6),
        draws=(100, 240),
        nuts=([], [[5, "relu"]]),
        weak=([], [5]),
        weak_inputs=(None, 4000),
        weak_n_beta=(None, [1e9, 1e10, 1e11]),
        weak_chains=(None, 12),
        weak_draws=(None, 3000),
        nuts_burnin=(None, 60),
        nuts_draws=(None, 140),
        sees=(0.5, None),
    ),
    size=(8.0, 6.5),
    version=2,
    partial=True,
)
