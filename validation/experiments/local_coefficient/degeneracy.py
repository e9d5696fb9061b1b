"""Flat directions of the Hessian, and what a change of coordinates does to them and to λ.

*Counting.* For each model: the rank of the Hessian of K at the point, exactly, its half, d/2, and
λ. Half the rank is a lower bound, the value where K is a sum of squares; otherwise λ is larger,
because directions that are flat to second order still cost something. Simulation puts both on
trial.

*Coordinates.* The same K after a polynomial change of coordinates with polynomial inverse: exact
answers before and after, sampled λ̂ before and after, and the largest eigenvalue of the Hessian,
which does change. A two-layer ReLU network with its first layer multiplied and its second divided
by α is the same function: the Hessian changes by α², λ̂ does not as long as γ is small.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

import rlct
from rlct.answers.check import check
from rlct.answers.targets import target_of
from rlct.sampling.ladders.run import estimate as ladder
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.network import NetworkTarget
from validation.audit.row import close, exact
from validation.framework.claim import at_least, cells, near
from validation.framework.estimate import estimate
from validation.framework.experiment import Data, Finding, Rows, experiment, suites

#: Generators; K is the sum of their squares.
MODEL_GENERATORS: dict[str, list[str]] = {
    "x² + y²": ["x", "y"],
    "x² + y⁴": ["x", "y**2"],
    "x² + y²⁰": ["x", "y**10"],
    "x²y²": ["x*y"],
    "x⁴ + y⁴": ["x**2", "y**2"],
    "two matrices at 0": ["a*e + b*g", "a*f + b*h", "c*e + d*g", "c*f + d*h"],
    "three tanh units": [
        "a*d + b*e + c*f",
        "a*d**3 + b*e**3 + c*f**3",
        "a*d**5 + b*e**5 + c*f**5",
    ],
    "rank 1 of 2×2": ["(1+a)*(1+e) + b*g - 1", "(1+a)*f + b*h", "c*(1+e) + d*g", "c*f + d*h"],
}

#: Substitutions that are one-to-one near 0 and keep 0 in its place.
COORDINATE_CHANGES: dict[str, tuple[list[str], dict[str, str]]] = {
    "cusp, bent": (["x**2 - y**3"], {"x": "x + y**2", "y": "y + 3*x**2"}),
    "x²y⁴, sheared": (["x*y**2"], {"x": "x + 5*y", "y": "y"}),
    "x² + y⁴, stretched": (["x", "y**2"], {"x": "2*x", "y": "y/2 + x**2"}),
}


def units(settings: Data) -> Iterable[Data]:
    """One for each model, change of coordinates and scaling."""
    for name in settings["models"]:
        yield {"what": "count", "model": name}
    for name in settings["changes"]:
        yield {"what": "change", "model": name}
    for alpha in settings["alpha"]:
        for gamma in settings["gamma"]:
            yield {"what": "network", "alpha": alpha, "gamma": gamma}


def hessian(generators: Iterable[str]) -> sp.Matrix:
    """Second derivatives of Σ f² at 0, exactly."""
    parsed = [sp.sympify(g) for g in generators]
    names = sorted({s for g in parsed for s in g.free_symbols}, key=str)
    slopes = sp.Matrix(parsed).jacobian(names).subs(dict.fromkeys(names, 0))
    return 2 * slopes.T * slopes  # the generators vanish at 0


@cache
def asked(*generators: str) -> rlct.Result:
    """Return the exact answer of generators."""
    return rlct.ideal(list(generators))


def theory(settings: Data, row: Data) -> Data:
    """λ, θ and the Hessian, of a model or on both sides of a change of coordinates."""
    if row["what"] == "network":
        return {}
    if row["what"] == "count":
        generators = MODEL_GENERATORS[row["model"]]
        second = hessian(generators)
        ranked = {"parameters": int(second.shape[0]), "rank": int(second.rank())}
        return ranked | _pair(generators)
    return {
        key: {
            "generators": generators,
            **_pair(generators),
            "largest": max(float(v) for v in hessian(generators).eigenvals()),
        }
        for key, generators in _sides(row["model"]).items()
    }


def _pair(generators: list[str]) -> Data:
    found = asked(*generators)
    return {"lambda": str(found.lam), "theta": found.theta}


def _sides(model: str) -> dict[str, list[str]]:
    """Generators before and after a change of coordinates."""
    before, change = COORDINATE_CHANGES[model]
    after = [
        str(
            sp.expand(
                sp.sympify(g).subs({k: sp.sympify(v) for k, v in change.items()}, simultaneous=True)
            )
        )
        for g in before
    ]
    return {"before": before, "after": after}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Exact answers and simulation."""
    seed = int(rng.integers(2**31))
    if unit["what"] == "network":
        return _network(settings, unit, seed)
    exactly = theory(settings, unit)
    if unit["what"] == "count":
        result = asked(*MODEL_GENERATORS[unit["model"]])
        found = ladder(
            target_of(result), seed=seed, theta=result.theta, accuracy=settings["accuracy"]
        )
        return {**exactly, "estimate": found.lam, "error": found.error}
    held: dict[str, Any] = {}
    for key, own in exactly.items():
        trial = check(asked(*own["generators"]), seed=seed)
        held[key] = {**own, "estimate": trial.estimate.lam, "error": trial.estimate.error}
    return held


def _network(settings: Data, unit: Data, seed: int) -> Data:
    """λ̂ of a ReLU network on the same data, rescaled by α."""
    rng = np.random.default_rng(settings["network_seed"])
    hidden, outer = rng.standard_normal((4, 3)), rng.standard_normal((2, 4))
    x = rng.standard_normal((settings["n"], 3))
    y = np.maximum(x @ hidden.T, 0) @ outer.T
    alpha = unit["alpha"]
    target = NetworkTarget([alpha * hidden, outer / alpha], x, y, "relu", sigma=1e3)
    sampled = estimate_llc(
        target,
        n_beta=settings["n_beta"],
        method="hmc",
        localization=unit["gamma"],
        num_draws=settings["draws"],
        seed=seed,
    )
    return {
        "estimate": sampled.lam,
        "error": sampled.errors["chains"],
        "curvature": sampled.run.curvature,
        "parameters": target.dimension,
    }


def _counted(settings: Data, rows: Rows) -> Finding:
    """Half of the rank beside λ, and λ̂."""
    facts: list[Any] = []
    lams = [Fraction(asked(*MODEL_GENERATORS[row["model"]]).lam) for row in rows]
    missed, regular = [], []
    for row, lam in zip(rows, lams, strict=True):
        half = Fraction(row["rank"], 2)
        missed.append(lam - half)
        regular += [lam - half] * (row["rank"] == row["parameters"])
        facts.append(exact(f"{row['model']}: half the rank is at most λ", half <= lam, True))
        what = f"{row['model']}: λ̂ against λ = {lam} (half the rank {half})"
        beside = estimate(what, row["estimate"], lam, row["error"], allowed=0.01,
                          sees=settings.get("sees", 0.15))  # fmt: skip
        facts.append(beside)
        if half < lam:
            rejected = abs(row["estimate"] - half) > beside.tolerance
            facts.append(exact(f"{row['model']}: λ̂ rejects half the rank", rejected, True))
    of_rank: dict[int, set[Fraction]] = {}
    for row, lam in zip(rows, lams, strict=True):
        of_rank.setdefault(row["rank"], set()).add(lam)
    most = max(sorted(of_rank), key=lambda rank: len(of_rank[rank]))
    return Finding(
        "004-hessian",
        f"λ is up to {max(missed)} more than half the rank of the Hessian; models of rank {most} "
        f"have λ = {', '.join(map(str, sorted(of_rank[most])))}",
        [
            at_least("largest λ less half the rank of the Hessian (planted: a regular model)",
                     max(missed), 0.2, control=max(regular)),
            *facts,
        ],
        details="; ".join(
            f"{r['model']}: half the rank {Fraction(r['rank'], 2)}, λ = {r['lambda']}, "
            f"d/2 = {Fraction(r['parameters'], 2)}"
            for r in rows
        ),
        why="x² + y⁴ and x² + y²⁰ have one Hessian, of rank 1, and different λ, as have models "
        "whose Hessian is 0: it cannot tell them apart.",
        scale="The spectrum of a trained network is in the experiment on minima.",
    )  # fmt: skip


def _rescaled(settings: Data, row: Data, base: Data) -> tuple[list[Any], list[Any]]:
    """Claims and facts of a network with rescaled units, beside the plain one at the same γ."""
    small, large = min(settings["gamma"]), max(settings["gamma"])
    error = float(np.hypot(row["error"], base["error"]))
    gap = row["estimate"] - base["estimate"]
    name = f"network, α = {row['alpha']:g}"
    claims, facts = [], []
    if row["gamma"] == small:
        text = f"{name}, γ = {small:g}: change of λ̂"
        claims.append(near(text, gap, 0, 4 * error + 0.15, 1.0, error))
    if row["gamma"] == large and row["alpha"] == max(settings["alpha"]):
        text = f"{name}, γ = {large:g}: changed by more than 4 errors"
        facts.append(exact(text, abs(gap) > 4 * error, True))
    grown = row["curvature"] > 0.5 * row["alpha"] * base["curvature"]
    facts.append(exact(f"{name}: largest curvature grew by more than α/2", grown, True))
    return claims, facts


def _changed(settings: Data, changed: Rows, nets: Rows) -> Finding:
    """λ and λ̂ before and after changes of coordinates, and of a network with rescaled units."""
    pairs = [[(row[when]["lambda"], row[when]["theta"]) for row in changed]
             for when in ("after", "before")]  # fmt: skip
    claims = [cells("exact pairs that a change of coordinates leaves alone", *pairs)]
    facts = [
        estimate(f"{row['model']}: λ̂ {when}", row[when]["estimate"],
                 asked(*row["before"]["generators"]).lam, row[when]["error"], allowed=0.01,
                 sees=settings.get("sees", 0.15))
        for row in changed for when in ("before", "after")
    ]  # fmt: skip
    base = {row["gamma"]: row for row in nets if row["alpha"] == 1}
    small = min(settings["gamma"])
    plain, said = base[small], []
    # 20 parameters less the scalings of the four units
    what, wide = "network, small γ: λ̂, λ = 8", 4 * plain["error"] + 0.2
    facts.append(close(what, plain["estimate"], 8, wide, control=10))
    for row in nets:
        if row["alpha"] == 1:
            continue
        beside = base[row["gamma"]]
        steeper = row["curvature"] / beside["curvature"]
        said.append(
            f"α = {row['alpha']:g}, γ = {row['gamma']:g}: {row['estimate']:.2f} against "
            f"{beside['estimate']:.2f}, curvature times {steeper:.1f}"
        )
        own, ours = _rescaled(settings, row, beside)
        claims, facts = claims + own, facts + ours
    return Finding(
        "004-reparametrisation",
        f"λ and θ unchanged in {len(changed)} of {len(changed)} changes of coordinates; λ̂ of a "
        f"rescaled network unchanged at γ = {small:g}",
        [*claims, *facts],
        details="; ".join(
            f"{r['model']}: λ = {r['before']['lambda']} before, {r['after']['lambda']} after"
            for r in changed
        )
        + f"; {'; '.join(said)}",
        why="λ is invariant; the estimate at one nβ is so only while γ|w − w*|²/2, which is not, "
        "decides nothing.",
    )


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Half the rank is not λ; λ does not depend on coordinates."""
    counted, changed, nets = (
        [row for row in rows if row["what"] == kind] for kind in ("count", "change", "network")
    )
    yield _counted(settings, counted)
    yield _changed(settings, changed, nets)


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Half the rank, λ and λ̂ of each model; λ̂ of the rescaled network."""
    left_axes, right_axes = figure.subplots(1, 2, width_ratios=[3, 2])
    counted = [row for row in rows if row["what"] == "count"]
    positions = np.arange(len(counted))
    left_axes.barh(
        positions + 0.2,
        [r["rank"] / 2 for r in counted],
        0.35,
        color="0.75",
        label="½ rank of the Hessian",
    )
    left_axes.barh(
        positions - 0.2, [float(Fraction(r["lambda"])) for r in counted], 0.35, label="λ, exact"
    )
    left_axes.errorbar(
        [r["estimate"] for r in counted],
        positions - 0.2,
        xerr=[4 * r["error"] for r in counted],
        fmt="k.",
        label="λ̂ ± 4 errors",
    )
    left_axes.set_yticks(positions, [r["model"] for r in counted], fontsize=7)
    left_axes.legend(fontsize=7)
    for gamma in settings["gamma"]:
        own = [r for r in rows if r["what"] == "network" and r["gamma"] == gamma]
        right_axes.errorbar(
            [r["alpha"] for r in own],
            [r["estimate"] for r in own],
            [4 * r["error"] for r in own],
            fmt="o-",
            label=f"γ = {gamma:g}",
        )
    right_axes.set(xscale="log", xlabel="α", ylabel="λ̂", title="ReLU network, rescaled")
    right_axes.legend(fontsize=7)


EXPERIMENT = experiment(
    __name__,
    title="Flat directions of the Hessian, and coordinates",
    places=("004-hessian", "004-reparametrisation"),
    **suites(
        models=(["x² + y²", "x² + y⁴"], list(MODEL_GENERATORS)),
        changes=(["x²y⁴, sheared"], list(COORDINATE_CHANGES)),
        alpha=([1, 4], [1, 2, 4]),
        gamma=([0.01, 1e6], [0.01, 1e3, 1e6]),
        accuracy=(0.1, 0.03),
        n=(40, 200),
        n_beta=1e4,
        draws=(200, 800),
        network_seed=4,
        sees=(0.25, None),
    ),
    version=3,
    size=(8.0, 4.2),
)
