"""What a converged sampler sees of grokking, beside the exact rank.

A network of 64 units groks addition modulo 11 (70 % of the pairs, weight decay 1e-3). Each
checkpoint is first carried on to a zero of the training loss, by L-BFGS without weight decay: only
there is λ defined. There the eigenvalues h of the Gauss–Newton matrix give half of the rank of the
Jacobian, a lower bound of λ, and what the directions of first order contribute at finite nβ and γ,
½ Σ nβh/(nβh + γ). Hamiltonian Monte Carlo with a Metropolis test then gives λ̂ at several (nβ, γ).

At a zero of the loss with one-hot answers the outputs add up to a constant, so every unit has
Σ_k v_k = 0 if the features of the units are independent. If moreover the other p − 1 outputs have
full rank, as after memorising, the zeros are a manifold and λ = ½ ((p − 1)(N − 1) + K), for K < N.
After grokking most units have died. Moving their inner weights changes nothing, and at the zeros so
reached the rank is larger; as λ at a point is at most λ at zeros arbitrarily near, half of that
rank is an upper bound. Ranks here are numerical; the results hold the gap in the spectrum.
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import minimize

from rlct.report.picture import ACCENT_COLOR, FAINT_COLOR, INK_COLOR, SECOND_COLOR
from rlct.sampling.local.llc import estimate_llc
from validation.audit.row import exact
from validation.experiments.grokking._llc import active_units, gauss_newton, target_at
from validation.experiments.grokking._modular import Task, Training, train
from validation.framework.claim import at_most, near, span
from validation.framework.estimate import estimate
from validation.framework.experiment import Finding, experiment, suites

STATED_TRAINING = {"p": 11, "units": 64, "lr": 1e-3, "weight_decay": 1e-3, "fraction": 0.7}


def units(settings):
    """A seed: training is short, and its checkpoints belong together."""
    for seed in range(settings["seeds"]):
        for epoch in settings["epochs"]:
            yield {"seed": seed, "epoch": epoch}


def polish(task, point):
    """Go down to a zero of the training loss; what is left of it, and how far that was."""
    target = target_at(task, point, np.float64)

    def loss(w):
        value, slope = target.value_and_gradient(w[None])
        return value[0] + point.train_loss, slope[0]

    options = {"maxiter": 20_000, "maxfun": 20_000, "ftol": 0.0, "gtol": 1e-12, "maxcor": 30}
    descent = minimize(
        loss, np.zeros(target.dimension), jac=True, method="L-BFGS-B", options=options
    )
    w, cut = target.centre + descent.x, point.W.size
    moved = replace(
        point,
        W=w[:cut].reshape(point.W.shape[::-1]).T.copy(),
        V=w[cut:].reshape(point.V.shape).copy(),
    )
    return moved, float(np.linalg.norm(descent.x) / np.linalg.norm(target.centre))


def rank_of(h, least=1e-9):
    """Eigenvalues above a share of the largest, and how far the next one is below the last."""
    rank = int((h > least * h[0]).sum())
    return rank, float(h[rank - 1] / max(h[rank], 1e-20)) if rank < len(h) else None


def _estimated(settings, task, point, pull, rng):
    """λ̂ at a checkpoint for one nβ and γ, by trajectories."""
    return estimate_llc(
        target_at(task, point, np.float64),
        n_beta=pull[0],
        localization=pull[1],
        method="hmc",
        num_chains=settings["chains"],
        num_draws=settings["draws"],
        seed=int(rng.integers(2**31)),
    )


def run(settings, unit, rng):
    """Train up to the epoch, polish, and measure."""
    training = Training(
        **settings["training"],
        epochs=unit["epoch"],
        every=unit["epoch"],
        seed=unit["seed"],
    )
    task = Task.split(training.p, training.fraction, np.random.default_rng(training.seed))
    *_, point = train(training, task)
    raw = _estimated(settings, task, point, settings["at"][0], rng)
    raw_rank, raw_gap = rank_of(gauss_newton(task, point), 1e-6)
    still, distance = polish(task, point)
    active = active_units(still)
    h = gauss_newton(task, still)
    rank, gap = rank_of(h)
    # Zeros nearby: inactive units may have any inner weights as long as the outer ones are 0.
    W, V = still.W.copy(), still.V.copy()
    W[:, ~active] = 0.3 * rng.standard_normal((len(W), int((~active).sum())))
    V[:, ~active] = 0.0
    near_rank, _ = rank_of(gauss_newton(task, replace(still, W=W, V=V)))
    estimates = []
    for n_beta, gamma in settings["at"]:
        sampled = _estimated(settings, task, still, (n_beta, gamma), rng)
        estimates.append(
            {
                "n_beta": n_beta,
                "gamma": gamma,
                "llc": sampled.lam,
                "error": sampled.errors["chains"],
                "first_order": float(0.5 * (n_beta * h / (n_beta * h + gamma)).sum()),
                "ess": sampled.ess,
                "rhat": sampled.rhat,
            }
        )
    return {
        "N": len(task.train),
        "train_loss": point.train_loss,
        "test_loss": point.test_loss,
        "test_accuracy": point.test_accuracy,
        "active": int(active.sum()),
        "raw_rank": raw_rank,
        "raw_gap": raw_gap,
        "rank": rank,
        "gap": gap,
        "near_rank": near_rank,
        "distance": distance,
        "raw_llc": raw.lam,
        "raw_descent": raw.run.descent,
        "raw_warnings": list(raw.warnings),
        "llc": estimates,
    }


def memorising(p, N, K):
    """Twice λ of K units that have memorised N answers modulo p, by the count above."""
    return (p - 1) * (N - 1) + K


def _pair(settings, row, n_beta, gamma):
    return next(one for one in row["llc"] if (one["n_beta"], one["gamma"]) == (n_beta, gamma))


def _of_checkpoint(settings, row):
    """Facts of a row at the first or the last epoch, and a claim on its rank at the last."""
    p, units = settings["training"]["p"], settings["training"]["units"]
    own, full = f"seed {row['seed']}, epoch {row['epoch']}", memorising(p, row["N"], units)
    if row["epoch"] == min(settings["epochs"]):
        guessing = row["test_accuracy"] < 0.3
        return [], [
            exact(f"rank, {own}, memorised", row["rank"], full),
            exact(f"test accuracy, {own}, is below 0.3", guessing, True),
        ]
    least = settings.get("generalises", 0.99)  # ten test pairs modulo 7 are too few for that
    active = row["active"]
    text = f"rank with {active} active units, {own}, before polishing"
    planted = f"{text} (planted: the number of their parameters)"
    return [near(planted, row["raw_rank"], active * (3 * p - 1), 0, active * 3 * p)], [
        exact(f"test accuracy, {own}, is above {least}", row["test_accuracy"] > least, True),
        exact(text, row["raw_rank"], active * (3 * p - 2)),
        exact(f"rank at the zero, {own}, is at most that", row["rank"] <= active * (3 * p - 2),
              True),
        exact(f"rank at zeros nearby, {own}", row["near_rank"], full),
    ]  # fmt: skip


def judge(settings, rows):
    """Exact ranks after memorising, what dies in grokking, and what the sampler sees of it."""
    p, units = settings["training"]["p"], settings["training"]["units"]
    first, last = min(settings["epochs"]), max(settings["epochs"])
    (n_wide, g_wide), (n_near, g_near) = settings["at"][:2]
    claims, facts, shown = [], [], {first: [], last: []}
    for row in rows:
        if row["epoch"] not in shown:
            continue
        wide, tied = _pair(settings, row, n_wide, g_wide), _pair(settings, row, n_near, g_near)
        of_row, ours = _of_checkpoint(settings, row)
        claims, facts = claims + of_row, facts + ours
        shown[row["epoch"]].append((row["rank"], wide["llc"], tied["llc"]))
        own, full = f"seed {row['seed']}, epoch {row['epoch']}", memorising(p, row["N"], units)
        # Four chains; two per cent are for what is of second order at this nβ.
        facts.append(
            estimate(f"λ̂, {own}, nβ = {n_wide:g}, γ = {g_wide:g}", wide["llc"], full / 2,
                     wide["error"], allowed=0.01 * full, errors=6, degrees=3,
                     sees=settings.get("sees", 0.15))
        )  # fmt: skip
    (r0, w0, n0), (r1, w1, n1) = (np.mean(shown[e], axis=0) for e in (first, last))
    above = np.mean([row["raw_rank"] for row in rows if row["epoch"] == last])
    claims += [
        at_most("rank at the zero after grokking, of that before", r1 / r0, 0.9, control=1.0),
        at_most(f"λ̂ at γ = {g_near:g} after grokking, of that before", n1 / n0, 0.9, control=1.0),
    ]
    # Where a short descent gains less than 15 % of λ̂ the run is usable, and nothing is said.
    warned = any("not a minimum" in text for row in rows for text in row["raw_warnings"])
    facts.append(exact("rlct.llc warns of checkpoints that were not polished", warned, True))
    yield Finding(
        "002-section-5",
        f"p = {p}: ½ rank falls from {r0 / 2:.0f} to {r1 / 2:.0f} at grokking; before polishing "
        f"it is ½K_eff(3p − 2) = {above / 2:.0f}, not ½K_eff(3p − 1); λ̂ falls with it close to the "
        "zero only",
        [*claims, *facts],
        details=f"{units} units; λ̂ falls from {n0:.0f} to {n1:.0f} at γ = {g_near:g}, not at "
        f"γ = {g_wide:g} ({w0:.0f} to {w1:.0f}); at weights that were not polished it is "
        f"{span([row['raw_llc'] for row in rows])}, with a warning.",
        why="Units that died are not free: theorem 5.5 leaves them out, but a sampler that is not "
        "tied down moves their inner weights at no cost, and then their outer weights count. λ as "
        "defined, the limit of large nβ at fixed γ, lies between half of the rank at the point and "
        "half of that nearby, and λ̂ at the weakest pull is at the latter, that of memorising. "
        "What falls at grokking is the effective number of parameters at a scale, not the limit.",
        scale=f"p = {p} instead of 53, for a sampler that converges.",
    )


def draw(settings, rows, figure):
    """Losses; ranks and λ̂ against the epoch."""
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[1, 2])
    for seed in range(settings["seeds"]):
        own = [row for row in rows if row["seed"] == seed]
        x = [row["epoch"] for row in own]
        first = seed == 0
        upper.semilogy(
            x,
            [r["test_loss"] for r in own],
            "o-",
            color=ACCENT_COLOR,
            ms=3,
            label="test loss" if first else None,
        )
        upper.semilogy(
            x,
            [r["train_loss"] for r in own],
            "o-",
            color=SECOND_COLOR,
            ms=3,
            label="training loss" if first else None,
        )
        lower.plot(
            x,
            [r["rank"] / 2 for r in own],
            color=INK_COLOR,
            lw=2,
            label="½ rank at the zero" if first else None,
        )
        lower.plot(
            x,
            [r["near_rank"] / 2 for r in own],
            color=FAINT_COLOR,
            lw=2,
            label="½ rank at zeros nearby" if first else None,
        )
        for (n_beta, gamma), mark, colour in zip(
            settings["at"], "os^", (SECOND_COLOR, ACCENT_COLOR, INK_COLOR), strict=False
        ):
            pairs = [_pair(settings, r, n_beta, gamma) for r in own]
            lower.errorbar(
                x,
                [f["llc"] for f in pairs],
                [2 * f["error"] for f in pairs],
                fmt=mark,
                color=colour,
                ms=4,
                label=f"λ̂, nβ = {n_beta:g}, γ = {gamma:g}" if first else None,
            )
    upper.legend(frameon=False, fontsize=8)
    lower.legend(frameon=False, fontsize=8)
    lower.set_ylim(0, None)
    lower.set_ylabel("λ")
    lower.set_xlabel("epoch")


EXPERIMENT = experiment(
    __name__,
    title="What a converged sampler sees of grokking",
    places=("002-section-5",),
    **suites(
        training=(
            {"p": 7, "units": 24, "lr": 3e-3, "weight_decay": 3e-3, "fraction": 0.8},
            STATED_TRAINING,
        ),
        epochs=([200, 3000], [250, 1500, 2000, 6000]),
        seeds=(1, 2),
        at=([[1e4, 1.0], [1e4, 300.0]], [[1e5, 1.0], [1e5, 100.0], [1e7, 100.0]]),
        chains=4,
        draws=(80, 150),
        generalises=(0.6, None),
        sees=(0.4, None),
    ),
    size=(7.0, 6.0),
)
