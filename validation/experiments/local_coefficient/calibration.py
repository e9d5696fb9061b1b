"""The SGLD estimator where λ is known: normal crossings and deep linear networks.

One inverse temperature, as the source estimates: λ̂ = nβ(E L(w) − L(w*)). Each estimate is
compared with the exact mean at the *same* nβ, γ and prior, which is what the sampler is to find,
and then with λ. The second distance is no fault of the sampler: where θ > 1 the mean is λ −
(θ−1)/log nβ + ….

- *Normal crossings* x^a y^b squared on a box, the list of the tests of devinterp; exact means by
  quadrature.
- *Deep linear networks* on n observations, with γ = 1: SGLD on mini-batches with steps by
  halving, as `rlct.llc` chooses them, and trajectories on all data. λ by Aoyagi's formula; exact
  means by draws from conditionals.
- *Reduced rank regression* at 0, the five shapes of the tests of devinterp.

Those tests are run as they are, too, on data sets of their kind: 1000 data, all in every step, nβ =
n / log n, normal crossings without a box, networks trained on noise. A test passes if λ̂ is within
3.5 standard deviations of its chains of λ, or, of a network, within 40 % of it.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

import rlct
from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget
from validation.audit.row import close, exact
from validation.evidence import crossing
from validation.experiments.local_coefficient import _devinterp
from validation.framework.claim import Claim, alike, at_least, cells, near, span
from validation.framework.estimate import estimate
from validation.framework.experiment import Data, Finding, Rows, experiment, suites

#: Printed in the tests of devinterp: exponents, and widths at rank 0.
DEVINTERP_LAMBDAS = {
    (0, 1): "1/2",
    (1, 1): "1/2",
    (0, 2): "1/4",
    (1, 2): "1/4",
    (2, 2): "1/4",
    (0, 3): "1/6",
    (1, 3): "1/6",
    (2, 3): "1/6",
    (3, 3): "1/6",
    (5, 3, 5): "13/2",
    (5, 4, 5): "8",
    (4, 3, 8): "6",
    (3, 8, 4): "6",
    (8, 3, 4): "6",
}


def units(settings: Data) -> Iterable[Data]:
    """One for each monomial, and for each network."""
    for powers in settings["monomials"]:
        yield {"what": "crossing", "powers": powers}
    for widths, rank, n in settings["networks"]:
        for method in ("hmc", "sgld"):
            yield {"what": "network", "widths": widths, "rank": rank, "n": n, "method": method}
    for widths, rank, _ in settings["networks"]:
        yield {"what": "limit", "widths": widths, "rank": rank}
    for cell in settings["tests"]:
        yield {"what": "test", "cell": cell}


def theory(settings: Data, row: Data) -> Data:
    """λ and θ where there are estimates beside them."""
    if row["what"] not in ("crossing", "network"):
        return {}
    crossed = row["what"] == "crossing"
    found = _crossing(*row["powers"]) if crossed else rlct.linear(row["widths"], rank=row["rank"])
    return {"lambda": str(found.lam), "theta": found.theta}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Estimate, exact mean at the same nβ, and λ."""
    seed = int(rng.integers(2**31))
    if unit["what"] == "test":
        tested = _devinterp.crossing if len(unit["cell"]) == 2 else _devinterp.reduced_rank
        chains = tested(unit["cell"], settings["test_sets"], rng)
        summary = {"means": chains.mean(axis=1), "spreads": chains.std(axis=1, ddof=1)}
        return {
            name: [float(one) if np.isfinite(one) else None for one in values]
            for name, values in summary.items()
        }
    if unit["what"] == "limit":
        limit = rlct.llc(rlct.linear(unit["widths"], rank=unit["rank"]), seed=seed)
        return {"estimate": limit.lam, "error": limit.error, "method": limit.method}
    if unit["what"] == "crossing":
        a, b = unit["powers"]
        target = PolynomialTarget([{(a, b): 1}], squared=True, radius=settings["radius"])
        n_beta = settings["n_beta"]
        sampled = estimate_llc(
            target,
            n_beta=n_beta,
            method="sgld",
            lr=settings["lr"],
            num_chains=16,
            num_draws=settings["draws"],
            seed=seed,
        )
        mean = tempered_mean(target, n_beta)
    else:
        data = RegressionTarget(
            unit["widths"], unit["rank"], samples=unit["n"], sigma=1e3, seed=seed
        )
        draws = settings[f"{unit['method']}_draws"]
        sampled = estimate_llc(data, method=unit["method"], num_draws=draws, seed=seed)
        n_beta = sampled.run.n_beta
        mean = tempered_mean(data, n_beta, localization=1.0, seed=seed)
    return {
        **theory(settings, unit),
        "estimate": sampled.lam,
        "error": sampled.errors["chains"],
        "data_error": sampled.errors.get("data", 0.0),
        "mean": mean.value,
        "mean_error": mean.error,
        "n_beta": n_beta,
        "parameters": 2 if unit["what"] == "crossing" else data.dimension,
        "warnings": list(sampled.warnings),
    }


def _fact(row: Data, share: float) -> Any:
    error = float(np.hypot(row["error"], row["mean_error"]))
    return close(
        f"{_name(row)}: estimate, exact mean at the same nβ {row['mean']:.4g}, λ = {row['lambda']}",
        row["estimate"],
        row["mean"],
        4 * error + share * row["mean"],
        control=(1.2 if row.get("method") == "hmc" else 1.5) * row["mean"],
    )


def _crossing(a: int, b: int) -> rlct.Result:
    return rlct.ideal([f"x**{a}*y**{b}"])


def _alarmed(row: Data) -> bool:
    """Whether the estimate came with a warning that it may be wrong."""
    alarms = ("too short", "biased", "disagree", "effective sample size", "follows the step size")
    return any(alarm in line for line in row["warnings"] for alarm in alarms)


def _misses(cells: dict[tuple[int, ...], Data]) -> str:
    """Which estimates are off by more than 40 % of λ, what tests of networks allow."""
    off = [
        f"{cell} ({row['estimate']:.3g} for {row['lambda']}{_WARNED_REMARK * _alarmed(row)})"
        for cell, row in cells.items()
        if not abs(row["estimate"] / float(Fraction(row["lambda"])) - 1) < 0.4
    ]
    told = f"except at {', '.join(off)}" if off else "everywhere"
    return f"SGLD is within 40 % of λ, which is what the tests of networks ask for, {told}."


def _tested(row: Data) -> Claim:
    """How often λ̂ passes a test of devinterp, with its settings, and half or twice λ would."""
    cell = tuple(row["cell"])
    means, spreads = (np.array(row[name], dtype=float) for name in ("means", "spreads"))
    printed = float(Fraction(DEVINTERP_LAMBDAS[cell]))
    shares = [
        float((abs(means - lam) <= (3.5 * spreads if len(cell) == 2 else 0.4 * lam)).mean())
        for lam in (printed, printed / 2, 2 * printed)
    ]
    what = f"{cell}: share of data sets in which its test passes (planted: for half or twice λ)"
    return at_least(what, shares[0], 0.5, control=max(shares[1:]), margin=0.15)


def _lost(rows: Rows) -> str:
    """Data sets whose chains left, so that there is no estimate; they count as tests that fail."""
    lost = {tuple(row["cell"]): sum(one is None for one in row["means"]) for row in rows}
    told = ", ".join(f"{cell}: {n} of {len(row['means'])}"
                     for row, (cell, n) in zip(rows, lost.items(), strict=True) if n)  # fmt: skip
    return f"Data sets without any estimate, which count as failed tests: {told or 'none'}."


_WARNED_REMARK = ", with a warning"


def _lambda(cell: tuple[int, ...]) -> Fraction | None:
    """λ of a cell of the tests of devinterp."""
    return (_crossing(*cell) if len(cell) == 2 else rlct.linear(list(cell), rank=0)).lam


def _shares(rows: Rows) -> list[float]:
    return [row["estimate"] / float(Fraction(row["lambda"])) for row in rows]


def _recovered(rows: Rows) -> list[Claim]:
    """Whether estimates are within a fifth of λ; the source names neither models nor accuracy."""
    names = [
        _name(row) + _WARNED_REMARK * (row["what"] == "network" and _alarmed(row)) for row in rows
    ]
    shares = zip(names, _shares(rows), strict=True)
    parts = {name: near("estimate over λ", share, 1.0, 0.2, 1.5, 0.1) for name, share in shares}
    return alike("the model, nβ and the accuracy", parts)


def _range(rows: Rows, method: str) -> str:
    own = _shares([r for r in rows if r["method"] == method and not _alarmed(r)])
    return span([1 - share for share in own], ".0%") if own else "nowhere"


def _by_quadrature(settings: Data, row: Data) -> Any:
    """The exact mean of a normal crossing, which λ and θ make, against quadrature."""
    lam = float(_crossing(*row["powers"]).lam or 0)
    steep = row["n_beta"] * settings["radius"] ** (2 * sum(row["powers"]))
    right, above, below = (
        crossing.tempered_mean(share * lam, min(row["powers"]), steep, row["theta"])
        for share in (1.0, 1.01, 0.99)
    )
    what = f"{_name(row)}: exact mean by quadrature, of λ = {row['lambda']} by hand"
    return estimate(what, row["mean"], right, row["mean_error"], allowed=0.01 * lam,
                    per=(above - below) / 0.02)  # fmt: skip


def _name(row: Data) -> str:
    """A model, and what samples it."""
    if row["what"] == "crossing":
        return "x^{}·y^{}".format(*row["powers"])
    return f"{row['widths']} rank {row['rank']}, {row['method']}"


def _of_crossings(settings: Data, crossings: Rows) -> Finding:
    """Normal crossings in the plane."""
    facts = [f for row in crossings for f in (_fact(row, 0.05), _by_quadrature(settings, row))]
    short = sorted(1 - row["mean"] / float(Fraction(row["lambda"])) for row in crossings)
    return Finding(
        "004-normal-crossing",
        f"SGLD finds the tempered mean, which at nβ = {settings['n_beta']:g} is "
        f"{span([max(0.0, part) for part in short], '.0%')} short of λ",
        [*_recovered(crossings), *facts],
        details="; ".join(
            f"{_name(r)}: {r['estimate']:.3f} (exact mean {r['mean']:.3f}, λ = {r['lambda']})"
            for r in crossings
        ),
        why="The sampler finds the tempered mean at its nβ. That mean is short of λ by "
        f"{round(100 * short[0])}% at best and {round(100 * short[-1])}% at worst, whatever the "
        "sampler: by (θ−1)/log nβ where two exponents are equal, by a power of nβ with a small "
        "exponent where they are close. A ladder of temperatures tells these apart.",
    )


def _of_devinterp(cases: dict[tuple[int, ...], Data], tests: Rows) -> Finding:
    """The printed λ, and how often its tests pass."""
    passed = [_tested(row) for row in tests]
    return Finding(
        "lit-devinterp",
        f"{len(cases)} cells, λ as printed; tests pass in {span([p.value for p in passed], '.0%')} "
        f"of data sets, for half or twice λ in {span([p.control or 0 for p in passed], '.0%')}",
        [
            cells("cells with the printed λ", [str(_lambda(cell)) for cell in cases],
                  [DEVINTERP_LAMBDAS[cell] for cell in cases]),
            *passed,
        ],
        why="Its estimates pass its tests, of which those of normal crossings allow much: 3.5 "
        "standard deviations of ten chains, which are wide where two exponents differ by little. "
        f"With the settings of this page {_misses(cases)}",
        details=_lost(tests),
    )  # fmt: skip


def _of_networks(settings: Data, networks: Rows, limits: Rows) -> Finding:
    """Deep linear networks."""
    facts = [
        exact(f"{_name(row)}: {row['estimate']:.4g} with a warning, exact mean {row['mean']:.4g}",
              row["method"], "sgld") if _alarmed(row) else _fact(row, 0.03)
        for row in networks
    ]  # fmt: skip
    for row in limits:
        exactly = rlct.linear(row["widths"], rank=row["rank"]).lam
        what = f"{row['widths']} rank {row['rank']}: λ̂ of the population, λ = {exactly}"
        facts.append(estimate(what, row["estimate"], exactly, row["error"],
                              sees=settings.get("sees", 0.15)))  # fmt: skip
    return Finding(
        "004-deep-linear",
        f"trajectories are {_range(networks, 'hmc')} short of λ, as their means are; SGLD "
        f"{_range(networks, 'sgld')} where it does not warn",
        [*_recovered(networks), *facts],
        details="; ".join(
            f"{r['widths']} rank {r['rank']}, {r['parameters']} parameters, {r['method']}: "
            f"{r['estimate']:.2f} ± {r['error']:.2f} (exact mean {r['mean']:.2f}, "
            f"λ = {r['lambda']})"
            for r in networks
        ),
        why="Trajectories on all data find the mean at every size, and that mean is less "
        "than λ by what γ and finite nβ take. SGLD finds it in small networks within its "
        "errors, which are large, unless a chain leaves for regions where its step is "
        "unstable; with a thousand parameters and more it falls short. Both are warned of: "
        "by R-hat, and by λ̂ that follows the step and γ.",
        scale=f"{span([row['parameters'] for row in networks])} parameters; networks up to a "
        "million are estimated in validation/linear, by conditional draws, the 100 million of the "
        "source nowhere here.",
    )


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Estimates against exact means, and these against λ."""
    crossings, networks, tests, limits = (
        [row for row in rows if row["what"] == kind]
        for kind in ("crossing", "network", "test", "limit")
    )
    cases = {tuple(row["powers"]): row for row in crossings}
    cases |= {tuple(row["widths"]): row for row in networks if row["rank"] == 0}
    yield _of_crossings(settings, crossings)
    yield _of_devinterp(cases, tests)
    yield _of_networks(settings, networks, limits)


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Estimates against λ, on both scales."""
    left_axes, right_axes = figure.subplots(1, 2)
    for panel, what in ((left_axes, "crossing"), (right_axes, "network")):
        own = [row for row in rows if row["what"] == what]
        lam = np.array([float(Fraction(r["lambda"])) for r in own])
        line = np.array([lam.min() / 1.2, lam.max() * 1.2])
        panel.plot(line, line, color="0.5", linewidth=0.8, label="λ")
        panel.plot(lam, [r["mean"] for r in own], "k_", markersize=12, label="exact mean at nβ")
        for method, style in (("sgld", "o"), ("hmc", "s")):
            some = [r for r in own if r.get("method", "sgld") == method]
            panel.errorbar(
                [float(Fraction(r["lambda"])) for r in some],
                [r["estimate"] for r in some],
                [4 * r["error"] for r in some],
                fmt=style,
                markersize=4,
                label=f"{method} ± 4 errors",
            )
        panel.set(xlabel="λ, exact", xscale="log", yscale="log")
        panel.legend(fontsize=7)
    left_axes.set(ylabel="λ̂", title="normal crossings")
    right_axes.set(title="linear networks")


EXPERIMENT = experiment(
    __name__,
    title="The SGLD estimator where λ is known",
    places=("004-normal-crossing", "004-deep-linear", "lit-devinterp"),
    **suites(
        monomials=(
            [[1, 2], [1, 1]],
            [[0, 1], [1, 1], [0, 2], [1, 2], [2, 2], [0, 3], [1, 3], [2, 3], [3, 3]],
        ),
        radius=(0.5, 1.0),
        n_beta=(1000.0, 200.0),
        lr=(5e-4, 1e-4),
        draws=(2800, 40000),
        networks=(
            [[[5, 3, 5], 1, 2000]],
            [
                [[5, 3, 5], 0, 5000],
                [[5, 4, 5], 0, 5000],
                [[4, 3, 8], 0, 5000],
                [[3, 8, 4], 0, 5000],
                [[8, 3, 4], 0, 5000],
                [[5, 3, 5], 1, 5000],
                [[10, 10, 10, 10], 5, 10000],
                [[20, 25, 30, 10], 8, 20000],
            ],
        ),
        tests=([[0, 1], [5, 3, 5]], [list(cell) for cell in DEVINTERP_LAMBDAS]),
        test_sets=(10, 40),
        sgld_draws=(1200, 10000),
        hmc_draws=(80, 300),
        sees=(0.4, None),
    ),
)
