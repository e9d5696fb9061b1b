"""What the estimator's settings do to the learning coefficient of one network.

A network that has grokked addition modulo 23 is held fixed. The source's estimator is run on it
with several γ and step sizes ε. Beside it: the *blind walk*, which leaves the loss out of the
drift; and a Metropolis-corrected sampler of the very density that SGLD is to draw from, which has
no step to be sensitive to. Then, on polynomials whose λ and θ are known, the regression of exact
tempered means on |x|, |y| ≤ ½ against 1/log nβ, for small nβ, with the source's 30 among them, and
for large ones.
"""

import numpy as np

import rlct
from rlct.errors import DivergedError
from rlct.report.picture import ACCENT_COLOR, FAINT_COLOR, INK_COLOR, SECOND_COLOR
from rlct.sampling.ladders.quadrature import density_of_states
from rlct.sampling.markov_chains.chains import sample_chains
from rlct.sampling.targets.polynomial import PolynomialTarget
from validation.audit.row import close, exact
from validation.evidence import crossing
from validation.experiments.grokking._llc import N_BETA, blind_walk, published, target_at
from validation.experiments.grokking._modular import Task, final
from validation.framework.claim import alike, at_least, at_most, span
from validation.framework.estimate import estimate
from validation.framework.experiment import Finding, experiment, suites

LOSS_IDEALS = {
    "x**2+y**2": [{(1, 0): 1}, {(0, 1): 1}],
    "x**2*y**2": [{(1, 1): 1}],
    "x**2*y**4": [{(1, 2): 1}],
    "x**4+y**4": [{(2, 0): 1}, {(0, 2): 1}],
}


def units(settings):
    """γ with every step; and a polynomial with every ladder."""
    for gamma in settings["gammas"]:
        yield {"kind": "settings", "gamma": gamma}
    for loss in settings["polynomials"]:
        yield {"kind": "intercept", "loss": loss}


def theory(settings, row):
    """λ and θ of a polynomial."""
    if row["kind"] == "settings":
        return {}
    answer = rlct.poly(row["loss"])
    return {"lambda": float(answer.lam), "theta": answer.theta}


def run(settings, unit, rng):
    """Estimate."""
    return (_estimates if unit["kind"] == "settings" else _intercepts)(settings, unit, rng)


def _estimates(settings, unit, rng):
    task, training = Task.for_steps(settings["training"], {"seed": 0})
    point = final(training, task)
    by_step = []
    for lr in settings["steps"]:
        gamma = unit["gamma"]
        try:
            llc = published(task, point, rng, lr=lr, localization=gamma)[0]
        except DivergedError:
            llc = None
        blind = blind_walk(task, point, rng, lr=lr, localization=gamma) if lr * gamma < 2 else None
        by_step.append({"lr": lr, "llc": llc, "blind": blind})
    chains = sample_chains(
        "hmc",
        target_at(task, point, np.float64),
        N_BETA,
        rng=rng,
        num_chains=4,
        num_draws=settings["draws"],
        localization=unit["gamma"],
        spread=False,
    )
    means = chains.draws[0].mean(axis=1)
    return {
        "test_accuracy": point.test_accuracy,
        "sgld": by_step,
        "converged": float(means.mean()),
        "error": float(means.std(ddof=1) / np.sqrt(len(means))),
        "parameters": point.W.size + point.V.size,
    }


def _intercepts(settings, unit, rng):
    """Exact tempered means, and where their regression against 1/log nβ ends."""
    states = density_of_states(PolynomialTarget(LOSS_IDEALS[unit["loss"]], squared=True))
    ladders = []
    for n_betas in settings["ladders"]:
        n_beta = np.array(n_betas)
        means = states.mean(n_beta)
        _, intercept = np.polyfit(1 / np.log(n_beta), means, 1)
        ladders.append({"means": list(means), "intercept": float(intercept)})
    return {**theory(settings, unit), "ladders": ladders}


def straight(x, y):
    """R² of a straight line."""
    slope, height = np.polyfit(x, y, 1)
    return float(1 - np.var(y - slope * x - height) / np.var(y))


#: What log-linear may mean: the laws that are a straight line in these.
LINEAR_LAWS = {
    "log λ̂ on log γ": (np.log, np.log),
    "λ̂ on log γ": (np.log, np.asarray),
    "log λ̂ on γ": (np.asarray, np.log),
}


def _lines(law, gamma, llc):
    x, y = LINEAR_LAWS[law]
    return x(gamma), y(llc)


def curves(settings, rows):
    """γ and λ̂ for each step, without the runs that diverged; and of the corrected sampler."""
    own = [row for row in rows if row["kind"] == "settings"]
    for k, lr in enumerate(settings["steps"]):
        pairs = [(row["gamma"], row["sgld"][k]["llc"]) for row in own]
        yield lr, np.array([pair for pair in pairs if pair[1] is not None])
    yield None, np.array([(row["gamma"], row["converged"]) for row in own])


def _spelt(loss):
    return loss.replace("**2", "²").replace("**4", "⁴").replace("*", "")


def _of_lambda(loss, lam, theta, n_beta, mean_value):
    """Mean by quadrature at the largest nβ, beside λ or what a crossing has of it at that nβ."""
    monomials = [powers for generator in LOSS_IDEALS[loss] for powers in generator]
    steep = n_beta * 0.5 ** (2 * sum(monomials[0]))  # on the box |x|, |y| ≤ 1/2

    def right(value):
        if len(monomials) > 1:
            return value
        return crossing.tempered_mean(value, min(monomials[0]), steep, theta)

    per = (right(1.01 * lam) - right(0.99 * lam)) / 0.02
    what = f"{_spelt(loss)}: mean at nβ = {n_beta:g}"
    return estimate(what, mean_value, right(lam), 0.0, allowed=0.01 * lam, per=per)


def _best_law(kept, gammas):
    """The law that is straightest at its worst step on these γ, and its R² there."""
    fits = {
        law: min(
            (
                straight(*_lines(law, *curve[np.isin(curve[:, 0], gammas)].T))
                for curve in kept
                if np.isin(curve[:, 0], gammas).sum() > 2
            ),
            default=0.0,
        )
        for law in LINEAR_LAWS
    }
    return max(fits.items(), key=lambda item: item[1])


def _of_steps(settings, own):
    """λ̂ over γ for each step, and for the sampler that is corrected: facts, and what is said."""
    facts, sentences, spans = [], [], []
    for lr, curve in curves(settings, own):
        llc = curve[:, 1]
        name = "corrected sampler" if lr is None else f"ε = {lr:g}"
        spans.append(llc.max() / llc.min())
        facts.append(exact(f"{name}: λ̂ falls as γ grows", bool((np.diff(llc) < 0).all()), True))
        sentences.append(f"{name}: {llc.max():.0f} to {llc.min():.1f}")
    low, high = (next(row for row in own if row["gamma"] == extreme(settings["gammas"]))
                 for extreme in (min, max))  # fmt: skip
    facts += [
        close(f"SGLD over blind walk at γ = {high['gamma']:g}, ε = {run['lr']:g}",
              run["llc"] / run["blind"], 1, 0.1, control=2)
        for run in high["sgld"] if run["llc"] is not None
    ]  # fmt: skip
    fine = low["sgld"][settings["steps"].index(min(settings["steps"]))]["llc"]
    missing = low["converged"] / fine
    what = f"smallest step at γ = {low['gamma']:g}: corrected sampler over SGLD, > 2"
    facts.append(exact(what, missing > 2, True))
    sentences[-1] += f". λ̂ of the smallest step is {missing:.0f} times too small at the smallest γ."
    return facts, "; ".join(sentences), spans


def _sensitive(settings, own):
    """Sensitivity to γ and ε."""
    facts, details, spans = _of_steps(settings, own)
    gammas = np.array(settings["gammas"])
    kept = [curve for lr, curve in curves(settings, own) if lr is not None]
    laws, straights = {}, {}
    for some in (gammas, gammas[:3], gammas[-3:]):
        choice = f"γ from {some[0]:g} to {some[-1]:g}"
        laws[choice] = law, worst = _best_law(kept, some)
        # Planted: of a quadratic loss, which is no power of γ.
        straights[choice] = at_least(
            "least R² of a line, for the best of three laws (planted: nβ/(nβ + γ))", worst, 0.95,
            control=straight(*_lines(law, some, N_BETA / (N_BETA + some))),
        )  # fmt: skip
    law, worst = next(iter(laws.values()))
    return Finding(
        "002-figure-6",
        f"λ̂ falls by {span(spans)} times as γ grows; the best law, "
        f"{law}, has R² = {worst:.2f} at its worst step",
        [
            at_least("λ̂ at the smallest γ over that at the largest, every step", min(spans), 10,
                     control=1.0),
            *alike("the range of γ", straights),
            *facts,
        ],
        details=details,
        why="Estimates do fall by orders of magnitude as γ grows, but by no one law, whichever "
        "is meant by log-linear: as a power of γ at the larger steps, more slowly at the "
        "smallest. And it is not the volume around the minimum. At large γ the pull alone sets "
        "the size of the noise, w − w* ~ N(0, 1/γ), and λ̂ = nβ·tr H/2γ: the sampler does not "
        "see the loss. At small γ the chain of the stated step has not mixed within its 700 "
        "steps. At the largest step it samples something else than the tempered posterior, or "
        "diverges.",
        scale="p = 23 and 128 units.",
    )  # fmt: skip


def _regressed(settings, rows):
    """Intercepts of the regression against 1/log nβ."""
    ends, parts, facts = [], {}, []
    for row in rows:
        lam, name = float(rlct.poly(row["loss"]).lam), _spelt(row["loss"])
        facts.append(_of_lambda(row["loss"], lam, row["theta"], settings["ladders"][-1][-1],
                                row["ladders"][-1]["means"][-1]))  # fmt: skip
        held = ", ".join(f"{ladder['intercept']:.3f}" for ladder in row["ladders"])
        ends.append(f"{name} {held} for {lam:g}")
        for ladder, n_betas in zip(row["ladders"], settings["ladders"], strict=True):
            # What is within 0.1 % of λ is right: less is round-off where no power of nβ is left.
            off, plain = (max(abs(value - lam), 1e-3 * lam)
                          for value in (ladder["intercept"], ladder["means"][-1]))  # fmt: skip
            parts[f"{name} at nβ = {n_betas[0]:g} to {n_betas[-1]:g}"] = at_most(
                "error of the intercept over that of the plain mean at the largest nβ",
                off / plain, 1.0, control=1.5, margin=0.2,
            )  # fmt: skip
    below = " and ".join(f"{ladder[-1]:g}" for ladder in settings["ladders"])
    return Finding(
        "002-appendix-b",
        f"intercepts with nβ up to {below}: {'; '.join(ends)}",
        [*alike("the loss and the temperatures", parts), *facts],
        details="All means are on |x|, |y| ≤ ½, where x²y² has 0.4231 at nβ = 10⁶; on the unit "
        "square it is 0.437.",
        why="The tempered mean is λ − (θ − 1)/log nβ + …, so the regression helps where θ > 1. "
        "Where θ = 1 there is no term in 1/log nβ, but powers of nβ. What they do to the line "
        "depends on the temperatures: it overshoots where they have just died out at its end, "
        "as for the sums up to nβ = 1000 and for x²y⁴ up to 10⁶, and helps where they are "
        "large, as for x²y⁴ up to 1000. In a network it has to be known beforehand which is "
        "the case.",
    )


def judge(settings, rows):
    """Sensitivity to γ and ε; then the intercepts."""
    of_settings, intercepts = (
        [row for row in rows if row["kind"] == kind] for kind in ("settings", "intercept")
    )
    if of_settings:
        yield _sensitive(settings, of_settings)
    if intercepts:
        yield _regressed(settings, intercepts)


def draw(settings, rows, figure):
    """λ̂ against γ; tempered means with their regressions."""
    left_axes, right_axes = figure.subplots(1, 2)
    own = [row for row in rows if row["kind"] == "settings"]
    for (lr, curve), colour, mark in zip(
        curves(settings, rows),
        (SECOND_COLOR, ACCENT_COLOR, FAINT_COLOR, INK_COLOR),
        "o^sD",
        strict=False,
    ):
        label = "Metropolis-corrected" if lr is None else f"SGLD, ε = {lr:g}"
        left_axes.loglog(*curve.T, f"{mark}-", ms=4, color=colour, label=label)
    k = settings["steps"].index(min(settings["steps"]))
    blind = [row["sgld"][k]["blind"] for row in own]
    label = f"blind walk, ε = {settings['steps'][k]:g}"
    left_axes.loglog([row["gamma"] for row in own], blind, ":", color=SECOND_COLOR, label=label)
    left_axes.set_xlabel("γ")
    left_axes.set_ylabel("λ̂")
    left_axes.legend(frameon=False, fontsize=7)
    colours = (FAINT_COLOR, SECOND_COLOR, ACCENT_COLOR, INK_COLOR)
    for row, colour in zip([r for r in rows if r["kind"] == "intercept"], colours, strict=False):
        for ladder, n_betas in zip(row["ladders"], settings["ladders"], strict=True):
            x = 1 / np.log(n_betas)
            right_axes.plot(x, ladder["means"], "o", ms=3, color=colour)
            slope, height = np.polyfit(x, ladder["means"], 1)
            right_axes.plot([0, max(x)], [height, height + slope * max(x)], color=colour, lw=0.8)
        label = f"λ of {_spelt(row['loss'])}"
        right_axes.plot([0], [row["lambda"]], "*", ms=12, color=colour, label=label)
    right_axes.set_xlabel("1 / log nβ")
    right_axes.set_ylabel("tempered mean of nβK")
    right_axes.legend(frameon=False, fontsize=7)


FULL_TRAINING = {"p": 23, "units": 128, "lr": 3e-3, "weight_decay": 3e-4, "steps": 6000}

EXPERIMENT = experiment(
    __name__,
    title="What the settings of the estimator do to the learning coefficient",
    places=("002-figure-6", "002-appendix-b"),
    **suites(
        training=(
            {**FULL_TRAINING, "p": 13, "units": 48, "fraction": 0.6, "steps": 1500},
            FULL_TRAINING,
        ),
        gammas=([1.0, 30.0, 1000.0], [1.0, 5.0, 20.0, 100.0, 1000.0]),
        steps=([1e-4, 1e-3], [1e-4, 1e-3, 1e-2]),
        draws=(30, 80),
        polynomials=(["x**2*y**2", "x**2*y**4"], list(LOSS_IDEALS)),
        ladders=(
            [[1e1, 1e2, 1e3], [1e4, 1e5, 1e6]],
            [[1e1, 3e1, 1e2, 3e2, 1e3], [1e4, 3e4, 1e5, 3e5, 1e6]],
        ),
    ),
    size=(9.0, 4.2),
)
