"""Volume codimension, equation (6), and the slope of the energy E(T), beside the exact λ.

*Volumes.* V(t) follows the prior conditioned on K ≤ t down to t = 10⁻¹⁰ by multilevel splitting;
2·log(V(at)/V(t))/log a over the last decades is compared with 2λ of the exact answer. The models
are one regular one, minimally singular ones (among them reduced rank regression at full rank, the
example of appendix A.2), and singular ones where 2λ is no codimension: x²y⁴ (½), the cusp (5/6),
a product of two matrices at 0 (3), at rank 1 (4, with a logarithm), and x²y² (1, with a
logarithm).

*Energies.* E(T) of n = 1000 observations of linear networks, at five T around log n. The slope is
λ only up to a term U_n√(λT/2) that differs from data set to data set: several are averaged.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

import rlct
from rlct.answers.targets import target_of
from rlct.sampling.ladders.splitting import splitting_ladder
from rlct.sampling.markov_chains.chains import sample_chains
from rlct.sampling.targets.regression import RegressionTarget
from validation.framework.claim import near
from validation.framework.estimate import estimate
from validation.framework.experiment import Data, Finding, Rows, experiment, suites
from validation.framework.fact_table import mean_error
from validation.framework.temperature_regression import slope_in_temperature

LAST_VOLUME = 1e-10  # last t
#: How each model is asked for; "minimal" where (4) holds, so that 2λ is the codimension d′.
MODEL_OPTIONS: dict[str, dict[str, Any]] = {
    "regular, d = 3": {"ideal": ["x", "y", "z"], "minimal": True},
    "two of three directions": {"ideal": ["x + y*z", "y - z**2"], "minimal": True},
    "BA at rank 2 (A.2)": {"linear": [[2, 2, 2], 2], "minimal": True},
    "BA at rank 1": {"linear": [[2, 2, 2], 1]},
    "BA at rank 0": {"linear": [[2, 2, 2], 0]},
    "x²y⁴": {"ideal": ["x*y**2"]},
    "cusp": {"ideal": ["x**2 - y**3"]},
    "x²y²": {"ideal": ["x*y"], "product": True},
}


def answer(name: str) -> rlct.Result:
    """Return the exact answer of a model."""
    model = MODEL_OPTIONS[name]
    if "ideal" in model:
        return rlct.ideal(model["ideal"])
    widths, rank = model["linear"]
    return rlct.linear(widths, rank=rank)


def found_lambda(name: str) -> Fraction:
    """Return λ of a model."""
    lam = answer(name).lam
    assert lam is not None
    return lam


def of_product(lam: float, near: float, far: float) -> float:
    """Codimension between two depths below the median of K = (xy)^2k, uniform on a square.

    With λ = 1/2k and u = −log of t over the largest K, V = e^(−λu)(1 + λu); the median is at
    λu = 1.678.
    """
    near, far = (lam * depth + _MEDIAN_DEPTH for depth in (near, far))
    return 2 * lam * (1 - np.log((1 + far) / (1 + near)) / (far - near))


_MEDIAN_DEPTH = 1.6783469900166605  # (1 + v)e^(−v) = 1/2


def units(settings: Data) -> Iterable[Data]:
    """One for each model, and one for each network and data set."""
    for name in settings["models"]:
        yield {"what": "volume", "model": name}
    for widths, rank in settings["networks"]:
        for data in range(settings["data_sets"]):
            yield {"what": "energy", "widths": widths, "rank": rank, "data": data}


def theory(settings: Data, row: Data) -> Data:
    """λ and θ of a model or a network."""
    energy = row["what"] == "energy"
    found = rlct.linear(row["widths"], rank=row["rank"]) if energy else answer(row["model"])
    return {"lambda": str(found.lam), "theta": found.theta}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Volumes by splitting, or the energy by trajectories."""
    if unit["what"] == "energy":
        return _energy(settings, unit, rng)
    ladder = splitting_ladder(
        target_of(answer(unit["model"])),
        rng=rng,
        particles=settings["particles"],
        islands=settings["islands"],
        least_threshold=LAST_VOLUME,
    )
    depth, width = 0.5 * (ladder.start + ladder.stop), ladder.stop - ladder.start
    late = depth > depth[-1] - settings["decades"] * np.log(10)
    last = ladder.slopes[:, late] @ width[late] / width[late].sum()
    return {
        **theory(settings, unit),
        "codimension": float(2 * last.mean()),
        "error": float(2 * last.std(ddof=1) / np.sqrt(len(last))),
        # −log t over the window, in units of the scale of K
        "from": float(ladder.start[late][0]),
        "to": float(ladder.stop[-1]),
        "depth": depth.tolist(),
        "slopes": (2 * ladder.slopes.mean(axis=0)).tolist(),
    }


def _energy(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    n = settings["n"]
    target = RegressionTarget(
        unit["widths"], unit["rank"], samples=n, seed=int(rng.integers(2**31))
    )
    temperature = np.log(n) * np.array(settings["temperatures"])
    regression = slope_in_temperature(
        sample_chains(
            "hmc",
            target,
            n / temperature,
            rng=rng,
            num_chains=settings["chains"],
            num_draws=settings["draws"],
            spread=False,
        )
    )
    return {**theory(settings, unit), "slope": regression.lam, "error": regression.error}


def _of_volumes(settings, rows):
    """Twice λ against the codimension."""
    checks: list[Any] = []
    for row in rows:
        two = 2 * found_lambda(row["model"])
        # V = t^λ(log 1/t)^{θ−1}: the logarithm lowers the slope at −log t by (θ−1)/−log t,
        # with an unknown constant beside log t.
        theta = answer(row["model"]).theta
        assert theta is not None
        lowered = 2 * (theta - 1) * np.log(row["to"] / row["from"]) / (row["to"] - row["from"])
        expected, open_part = float(two) - lowered, 0.01 * float(two)
        if MODEL_OPTIONS[row["model"]].get("product"):
            expected = of_product(float(two) / 2, row["from"], row["to"])
        note = ", a logarithm" if theta > 1 else ""
        text = f"{row['model']}: codimension at t ≈ 10⁻¹⁰, 2λ = {two}{note}"
        if MODEL_OPTIONS[row["model"]].get("minimal"):  # of the others (6) does not speak
            checks.append(
                near(text, row["codimension"], float(two), 4 * row["error"] + open_part,
                     float(two) + 0.5, row["error"])  # half a direction more
            )  # fmt: skip
        checks.append(
            estimate(text, row["codimension"], expected, row["error"], allowed=open_part,
                     degrees=settings["islands"] - 1, per=two, sees=settings.get("sees", 0.15))
        )  # fmt: skip
    return Finding(
        "001-equation-6",
        "; ".join(
            f"{r['model']}: {r['codimension']:.2f} for d′ = {2 * Fraction(r['lambda'])}"
            for r in rows
            if MODEL_OPTIONS[r["model"]].get("minimal")
        ),
        checks,
        details="; ".join(
            f"{r['model']}: {r['codimension']:.3f} (2λ = {2 * Fraction(r['lambda'])})" for r in rows
        ),
        why="V(t) ~ c·t^λ gives 2λ, which is d′ where K is a sum of d′ squares. Where θ > 1 the "
        "volume has a factor log 1/t, which the source excludes by m = 1, and the limit is reached "
        "only as 1/log t: at t = 10⁻¹⁰ the codimension is still short of 2λ. (The limit in (6) is "
        "2λ; the text says λ.)",
    )


def _of_energies(settings, rows):
    """The mean slope of the energy against λ."""
    checks: list[Any] = []
    said, allowed = [], []
    each = 1 / np.log(settings["n"] / np.log(settings["n"]))  # what one θ takes off the slope
    for widths, rank in settings["networks"]:
        own = [r["slope"] for r in rows if r["widths"] == list(widths) and r["rank"] == rank]
        mean, error = mean_error(own)
        exactly = rlct.linear(widths, rank=rank)
        assert exactly.lam is not None and exactly.theta is not None  # noqa: PT018
        lam = float(exactly.lam)
        said.append(f"{mean:.2f} ± {error:.2f} for λ = {lam:g}")
        # E = λT − (θ−1)T/(log(n/T) + b): b is not known, and what is allowed does not grow with θ.
        hidden, loose = (exactly.theta - 1) * each, 0.05 * lam
        text = f"{widths} rank {rank}: mean slope over {len(own)} data sets, λ = {lam:g}" + (
            f", {hidden:.2g} less for the logarithm" if hidden else ""
        )
        allowed.append(4 * error + loose)
        checks += [
            near(text, mean, lam - hidden, allowed[-1], 1.3 * lam, error),
            estimate(text, mean, lam - hidden, error, allowed=loose, per=lam,
                     degrees=len(own) - 1, sees=settings.get("sees", 0.15)),
        ]  # fmt: skip
    return Finding(
        "001-section-4-energy",
        f"mean slopes over data sets: {'; '.join(said)}",
        checks,
        details=f"One θ more or less moves a slope by {each:.2f}, and {min(allowed):.2f} to "
        f"{max(allowed):.2f} is allowed: that θ is wrong by one is not seen here.",
        why="Regular networks and singular ones alike; 5 % of the tolerance is for finite n.",
    )


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Twice λ against the codimension; the mean slope of the energy against λ."""
    volumes, energies = (
        [row for row in rows if row["what"] == kind] for kind in ("volume", "energy")
    )
    yield _of_volumes(settings, volumes)
    yield _of_energies(settings, energies)


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Local codimension against −log t, and slopes of the energy against λ."""
    left_axes, right_axes = figure.subplots(1, 2, width_ratios=[3, 2])
    for k, row in enumerate(r for r in rows if r["what"] == "volume"):
        left_axes.plot(
            row["depth"], row["slopes"], ".", markersize=3, color=f"C{k}", label=row["model"]
        )
        left_axes.axhline(2 * float(Fraction(row["lambda"])), color=f"C{k}", linewidth=0.7)
    left_axes.set(
        xlabel="log 1/t", ylabel="d log V / d log √t", title="volume codimension; lines: 2λ"
    )
    left_axes.set_ylim(0, 5)
    left_axes.legend(fontsize=6, loc="upper right")
    energies = [row for row in rows if row["what"] == "energy"]
    lam = np.array([float(Fraction(r["lambda"])) for r in energies])
    right_axes.errorbar(
        lam, [r["slope"] for r in energies], [r["error"] for r in energies], fmt="o", markersize=3
    )
    right_axes.plot([0, lam.max() * 1.1], [0, lam.max() * 1.1], color="0.5", linewidth=0.8)
    right_axes.set(xlabel="λ, exact", ylabel="slope of E(T)", title="one point per data set")


EXPERIMENT = experiment(
    __name__,
    title="Volume codimension and the energy of the tempered posterior",
    places=("001-equation-6", "001-section-4-energy"),
    **suites(
        models=(["two of three directions", "x²y⁴"], list(MODEL_OPTIONS)),
        particles=(80, 120),
        islands=(6, 8),
        decades=4,
        networks=(
            [[[3, 2, 3], 1]],
            [[[3, 4], 0], [[3, 2, 3], 1], [[4, 4, 4, 4], 2], [[5, 3, 5], 1]],
        ),
        data_sets=(4, 16),
        n=1000,
        temperatures=([0.5, 1.0, 2.0], [0.5, 0.75, 1.0, 1.5, 2.0]),
        chains=(4, 6),
        draws=(80, 150),
        sees=(0.6, None),
    ),
    size=(8.0, 4.2),
)
