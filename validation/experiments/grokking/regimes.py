"""λ of the lazy, the linearised and the feature-learning regime, predicted and sampled.

On all pairs modulo 5 with answers of the network itself, so that λ is that of a true parameter:
frozen features (x·W)² with the outer layer trained; the network linearised at random weights; and
the whole network at random weights. Hamiltonian Monte Carlo with a Metropolis test gives λ̂, and
½ Σ nβh/(nβh + γ), with the eigenvalues h of the Hessian, says how far from λ it should still be.
What happens where training ends is on the page of the stages of grokking.
"""

import numpy as np

from rlct.models.quadratic_networks.generic import QuadraticArchitecture
from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures
from rlct.report.picture import ACCENT_COLOR, INK_COLOR, SECOND_COLOR
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.network import NetworkTarget
from validation.audit.row import exact
from validation.experiments.grokking._modular import Task
from validation.framework.claim import Claim, near
from validation.framework.estimate import estimate
from validation.framework.experiment import Finding, experiment, suites

P = 5


def units(settings):
    """A regime and a number of units."""
    for regime in ("lazy", "linearised", "features"):
        for K in settings[regime]:
            yield {"regime": regime, "units": K}


def _jacobian(x, W, V):
    """Of all outputs of all samples; parameters W then V."""
    z = x @ W
    slope_W = np.einsum("sj,kj,si->skij", 2 * z, V, x)
    slope_V = np.einsum("sj,kl->sklj", z * z, np.eye(len(V)))
    count = len(x) * len(V)
    return np.concatenate([slope_W.reshape(count, -1), slope_V.reshape(count, -1)], axis=1)


def _target(regime, x, W, V):
    """The loss, and its Hessian at the true parameter."""
    features = (x @ W) ** 2
    if regime == "lazy":
        hessian = np.kron(np.eye(P), features.T @ features) / len(x)
        return NetworkTarget([V], features, features @ V.T, sigma=1e3), hessian
    jacobian = _jacobian(x, W, V)
    hessian = jacobian.T @ jacobian / len(x)
    if regime == "features":
        layers = [W.T, V]
        return NetworkTarget(layers, x, features @ V.T, "quadratic", sigma=1e3), hessian
    # All outputs of a sample share one loss: as many samples, each with a P-th of it.
    flat = jacobian * np.sqrt(P)
    zero = np.zeros((1, flat.shape[1]))
    return NetworkTarget([zero], flat, np.zeros((len(flat), 1)), sigma=1e3), hessian


def predictions(regime, K):
    """λ, and what the source prints: a value or bounds."""
    law = QuadraticFeatures.modular(P, False, False)
    if regime == "lazy":
        low, high = (0.5 * P * min(span, K) for span in (2 * P - 1, P * (2 * P - 1)))
        return 0.5 * P * min(P * P, K), low, high
    rank = QuadraticArchitecture(K, P, law).rank
    printed = 0.5 * K * (3 * P - 1) if regime == "features" else None
    if rank.lower != rank.upper:
        raise RuntimeError(f"the rank at {K} units is not known")
    return 0.5 * rank.lower, printed, printed


def theory(settings, row):
    """λ, and what is printed."""
    return dict(zip(("lambda", "printed", "printed_upper"),
                    predictions(row["regime"], row["units"]), strict=True))  # fmt: skip


def run(settings, unit, rng):
    """Draw a true parameter and sample around it."""
    task = Task.split(P, 1.0, rng)
    x = task.inputs(task.train).astype(float)
    K, regime = unit["units"], unit["regime"]
    W, V = rng.standard_normal((2 * P, K)), rng.standard_normal((P, K))
    target, hessian = _target(regime, x, W, V)
    h = np.linalg.eigvalsh(hessian)[::-1]
    estimate = estimate_llc(
        target,
        n_beta=settings["n_beta"],
        localization=settings["gamma"],
        method="hmc",
        num_draws=settings["draws"],
        seed=int(rng.integers(2**31)),
    )
    n_beta, gamma = settings["n_beta"], settings["gamma"]
    return {
        "llc": estimate.lam,
        "error": estimate.errors["chains"],
        "first_order": float(0.5 * (n_beta * h / (n_beta * h + gamma)).sum()),
        "rank": int((h > 1e-11 * h[0]).sum()),
        **theory(settings, unit),
        "ess": estimate.ess,
    }


def judge(settings, rows):
    """Exact ranks against the printed formulas, and sampling against exact λ."""
    claims, facts = [], []
    for row in rows:
        K = row["units"]
        lam, _, _ = predictions(row["regime"], K)
        text = f"{row['regime']}, {K} units"
        if row["regime"] == "features":
            claims.append(near(f"rank, {text} (planted: the number of parameters)", row["rank"],
                               K * (3 * P - 1), 0, 3 * P * K))  # fmt: skip
        elif row["regime"] == "lazy":
            claims.append(
                Claim(f"λ of {text} (planted: half of the parameters)", lam, row["printed"],
                      row["printed_upper"], control=K * 3 * P / 2)
            )  # fmt: skip
        else:
            claims.append(
                near(f"λ̂ of {text}, over ½ rank (planted: as if rank were 20 % more)",
                     row["llc"] / (row["rank"] / 2), 1, 4.7 * row["error"] / lam + 0.02, 1.2,
                     row["error"] / lam)
            )  # fmt: skip
        facts.append(exact(f"rank, {text}", row["rank"], round(2 * lam)))
        # Eight chains; and what the directions of second order add at this nβ.
        facts.append(
            estimate(f"λ̂, {text}", row["llc"], lam, row["error"], allowed=0.02 * lam, errors=4.7,
                     degrees=7, sees=settings.get("sees", 0.15))
        )  # fmt: skip
    own = [row for row in rows if row["regime"] == "features"]
    units, ranks, printed = (
        ", ".join(map(str, values))
        for values in (
            [row["units"] for row in own],
            [row["rank"] for row in own],
            [row["units"] * (3 * P - 1) for row in own],
        )
    )
    other_regimes = len({row["regime"] for row in rows} - {"features"})
    yield Finding(
        "002-section-5",
        f"p = {P}, feature learning: the rank is {ranks} with {units} units, printed {printed}; "
        + (
            "the two others are as printed" if other_regimes == 2 else "the other one is as printed"
        ),
        [*claims, *facts],
        details="Lazy: λ = ½p·min(p², K), inside the printed bounds. Linearised: ½ rank. Feature "
        "learning, at generic weights: ½K(3p − 2) until p³/2, not ½K(3p − 1).",
        why="The inputs (e_a, e_b) have rank 2p − 1, not 2p, so each unit has one direction less; "
        "and the p³ values on all pairs bound the rank, which the printed formula passes.",
        scale="p = 5 instead of 53 or more.",
    )


def draw(settings, rows, figure):
    """Sampled against exact, and the printed values."""
    axes = figure.add_subplot()
    for position, row in enumerate(rows):
        own = {} if position else {"exact": "exact λ", "drawn": "λ̂, Monte Carlo", "said": "printed"}
        axes.plot(
            [position - 0.3, position + 0.3],
            [row["lambda"]] * 2,
            color=ACCENT_COLOR,
            lw=2,
            label=own.get("exact"),
        )
        axes.errorbar(
            [position],
            [row["llc"]],
            [2 * row["error"]],
            fmt="o",
            color=INK_COLOR,
            ms=4,
            label=own.get("drawn"),
        )
        if row["printed"] is not None:
            axes.plot(
                [position] * 2,
                [row["printed"], row["printed_upper"]],
                "_-",
                color=SECOND_COLOR,
                ms=14,
                lw=1,
                label=own.get("said"),
            )
    axes.set_yscale("log")
    axes.set_xticks(range(len(rows)), [f"{r['regime']}\n{r['units']}" for r in rows], fontsize=7)
    axes.set_xlabel("regime and number of units")
    axes.set_ylabel("λ")
    axes.legend(frameon=False)


EXPERIMENT = experiment(
    __name__,
    title="λ of lazy, linearised and feature learning on modular addition",
    places=("002-section-5",),
    **suites(
        lazy=([15], [3, 15, 40]),
        linearised=([], [2, 10]),
        features=([4], [1, 2, 4, 5, 20]),
        n_beta=1e5,
        gamma=1.0,
        draws=(100, 1000),
        sees=(0.4, None),
    ),
)
