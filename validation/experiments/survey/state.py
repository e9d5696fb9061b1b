"""The equations of state on exact posteriors, at several temperatures.

Four models y ~ N(u, 1) at the truth u = 0 whose posterior is an integral over one number:
u = w (regular, λ = 1/2), u = w² (λ = 1/4), u = ab (λ = 1/2, θ = 2) and u = ab² (λ = 1/4). Every
quantity of a data set is a sum over nodes, so that nothing is sampled but the data.

The equations are limits, which u = ab and ab² have not reached at any n that can be simulated: a
logarithm of n and a root of it are in the way. So each part is judged in two steps, alike for the
four models. What is simulated must be the exact mean at its n, by quadrature over the mean of the
data with E Cv(n) = E Bg(n−1); and the exact mean, to leading order, must have come to the limit at
n = 10²⁰⁰. Neither quadrature knows λ. At β = 1 the first is held against a second route,
E Bg(n) = E F(n+1) − E F(n) − S.
"""

import math
from dataclasses import replace

import numpy as np
from scipy.special import logsumexp

import rlct
from validation.audit.row import close, exact
from validation.evidence import exact_models
from validation.framework.claim import at_most, near
from validation.framework.estimate import estimate
from validation.framework.experiment import Finding, experiment, suites

#: K of each model.
MODEL_LOSSES = {"regular": "w**2", "square": "w**4", "product": "a**2*b**2",
          "normal-crossing": "a**2*b**4"}  # fmt: skip
SETTLED_MODELS = ("regular", "square")  # where 2λ/β is reached up to terms of order 1/n
FAR_SIZE = 1e200  # an n at which what is left of a logarithm is below one per cent


def coefficient(name):
    """λ of a model by the engine."""
    return float(rlct.poly(MODEL_LOSSES[name]).lam)


def units(settings):
    """A model at a temperature and a size."""
    return [
        {"model": name, "beta": beta, "n": n}
        for name in exact_models.EXACT_MODELS
        for beta in settings["betas"]
        for n in settings["sizes"]
    ]


def _one(model, x, beta):
    """n·Bg, n·Bt, n·Cv, V and n·(WAIC − LOO) of a data set."""
    u, log_masses = exact_models.posterior(model, x, beta)
    log_masses = log_masses - logsumexp(log_masses)
    masses, n = np.exp(log_masses)[:, None], len(x)
    table = exact_models.log_p(x, u)

    def log_mean(power, where=table):
        return logsumexp(power * where + log_masses[:, None], axis=0)

    test, weights = exact_models.test_points()
    told = log_mean(1.0, exact_models.log_p(test, u))
    generalisation = n * weights @ (exact_models.truth(test) - told)
    log_q = exact_models.truth(x)
    training = (log_q - log_mean(1.0)).sum()
    left_out = (log_q - (log_mean(1.0 - beta) - log_mean(-beta))).sum()
    mean = (masses * table).sum(axis=0)
    variance = (masses * (table - mean) ** 2).sum()
    widest = training + beta * variance
    return generalisation, training, left_out, variance, widest - left_out


def theory(settings, row):
    """The mean of n(Bg + Cv), exactly at its n, where β = 1."""
    if row["beta"] != 1:
        return {}
    sizes = (row["n"], row["n"] - 1)
    means = [exact_models.expected_generalisation(row["model"], n) for n in sizes]
    return {"exact": row["n"] * sum(means)}


def run(settings, unit, rng):
    """Means over data sets with their errors."""
    model, beta, n = exact_models.EXACT_MODELS[unit["model"]], unit["beta"], unit["n"]
    lam = coefficient(unit["model"])
    rows = [_one(model, rng.standard_normal(n), beta) for _ in range(settings["data_sets"])]
    bg, bt, cv, variance, gap = np.array(rows).T
    nu = beta * variance / 2
    state = bg + cv - (beta - 1) * variance
    parts = {
        "state": state,
        "bg": bg,
        "apart": bg - bt,
        "nu": nu,
        "bg_less_claim": bg - ((lam - nu) / beta + nu),
        "bt_less_claim": bt - ((lam - nu) / beta - nu),
    }
    result = {"gap_rms": math.sqrt(np.mean(gap**2))}
    for name, values in parts.items():
        result[name] = values.mean()
        result[f"{name}_error"] = values.std(ddof=1) / math.sqrt(len(values))
        result[f"{name}_sd"] = values.std(ddof=1)
    return {**result, **theory(settings, unit)}


def exact_state(name, n, beta):
    """E of n(Bg + Cv) − (β−1)V at this n; Cv is Bg of one observation less."""
    bg, less = (exact_models.expected_errors(name, size, beta)[0] / size for size in (n, n - 1))
    nu = exact_models.expected_fluctuation(name, n, beta)
    return n * (bg + less) - (beta - 1) * 2 * nu / beta


def _settled(settings, rows, largest):
    """What the equation says at the largest n, at n = 10²⁰⁰, and by a second route at β = 1."""
    checks = []
    last = [row for row in rows if row["n"] == largest]
    for row in last:
        name, beta = row["model"], row["beta"]
        said = f"n(Bg + Cv) − (β−1)V, {name}, β = {beta:g}"
        there, right = exact_state(name, largest, beta), 2 * coefficient(name) / beta
        bg, _, nu = exact_models.leading(name, FAR_SIZE, beta)
        checks += [
            near(f"{said}, n = {largest}, for the exact value there", row["state"], there,
                 4.7 * row["state_error"], 1.1 * there, row["state_error"]),
            replace(near(f"{said}, its exact value at n = 10²⁰⁰, for 2λ/β",
                         2 * bg - (beta - 1) * 2 * nu / beta, right, 0.01 * right, 1.1 * right),
                    exact=True),
        ]  # fmt: skip
    checks += [
        estimate(f"n(Bg + Cv) − (β−1)V, {row['model']}, β = {row['beta']:g}, n = {largest}",
                 row["state"], 2 * coefficient(row["model"]) / row["beta"], row["state_error"],
                 allowed=4 / largest / row["beta"] ** 2, sees=settings.get("sees", 0.15))
        for row in last if row["model"] in SETTLED_MODELS
    ]  # fmt: skip
    plain = [row for row in rows if row["beta"] == 1]
    own = [row for row in plain if row["n"] == largest]
    apart = max(abs(exact_state(row["model"], largest, 1) - row["exact"]) for row in own)
    z = max(abs(row["state"] - row["exact"]) / row["state_error"] for row in plain)
    wrong = min(abs(row["state"] - 1.1 * row["exact"]) / row["state_error"] for row in own)
    fewest = {row["model"]: row for row in plain if row["n"] == min(settings["sizes"])}
    falls = all(
        fewest[row["model"]]["state_sd"] > 1.3 * row["state_sd"]
        and row["bg_sd"] > 5 * row["state_sd"]
        for row in own
        if row["model"] in fewest
    )
    return checks + [
        exact(what, holds, True)
        for what, holds in (
            ("β = 1: exact values by both routes agree to 10⁻⁵", apart < 1e-5),
            ("β = 1: all means within 4.7 errors of exact values at their n", z < 4.7),
            ("β = 1: exact values 10 % larger are rejected", wrong > 4.7),
            ("its scatter over data falls with n; that of n·Bg is five times as large", falls),
        )
    ]


def _of_state(settings, rows, largest):
    """The sum of Bayes and cross-validation errors."""
    there = ", ".join(
        f"{row['state']:.2f}" for row in rows if (row["beta"], row["n"]) == (1, largest)
    )
    ends = ", ".join(f"{2 * coefficient(name):g}" for name in exact_models.EXACT_MODELS)
    far = "; ".join(
        ", ".join(f"{2 * exact_models.leading(name, n, 1.0)[0]:.3f}" for n in (1e3, 1e12, FAR_SIZE))
        + f" for {name}"
        for name in ("product", "normal-crossing")
    )
    return Finding(
        "000-equation-star",
        f"n(Bg + Cv) at β = 1, n = {largest}: {there} for u = w, w², ab, ab², as exactly there; "
        f"the limits {ends} show far beyond",
        _settled(settings, rows, largest),
        details=f"At β = 1 and n = 10³, 10¹², 10²⁰⁰ the exact value is {far}.",
        why="Bg and Cv fluctuate against each other; their sum does not. What is missing of the "
        "limit at an n that can be simulated is of order 1/log n for u = ab and n^−1/4 for ab².",
    )


def _of_criteria(settings, rows, largest):
    """How WAIC and cross-validation part."""
    small = min(settings["sizes"])
    gaps = {(row["model"], row["beta"], row["n"]): row["gap_rms"] for row in rows}
    orders = {
        beta: -1
        + max(
            math.log(gap / gaps[model, beta, small]) / math.log(largest / small)
            for (model, own, n), gap in gaps.items()
            if (own, n) == (beta, largest)
        )
        for beta in settings["betas"]
    }
    told = ", ".join(f"n^{order:.2f} at β = {beta:g}" for beta, order in orders.items())
    return Finding(
        "000-equation-1",
        f"WAIC − LOO falls as {told}, in the model where it falls most slowly",
        [
            # The errors of logarithmic slopes of root mean squares with heavy tails: 0.1 or so.
            at_most("order at β = 1, −2 to 0.2", orders[1.0], -1.8, control=-1.5, margin=0.2),
            at_most("order at the worst β, −3/2 to 0.2", max(orders.values()), -1.3,
                    control=-1.0, margin=0.2),
            exact("order at β = 1 is the fastest", min(orders, key=orders.get), 1.0),
        ],
        why="The difference is −β(β−1)/2 times the third cumulant, and of the next order at β = 1.",
    )  # fmt: skip


def _limits(row):
    """Both limits at the n of a row, and at n = 10²⁰⁰; planted: the other sign of ν."""
    name, beta, n = row["model"], row["beta"], row["n"]
    lam = coefficient(name)
    there = exact_models.expected_errors(name, n, beta)
    nu = exact_models.expected_fluctuation(name, n, beta)
    *far, far_nu = exact_models.leading(name, FAR_SIZE, beta)
    for k, (key, sign) in enumerate((("bg", 1), ("bt", -1))):
        said = f"n·{key.capitalize()} less the claim, {name}, β = {beta:g}"
        error = row[f"{key}_less_claim_error"]
        middle = there[k] - ((lam - nu) / beta + sign * nu)
        beyond = round(far[k] - ((lam - far_nu) / beta + sign * far_nu), 6)
        yield near(f"{said}, n = {n}, for the exact value there", row[f"{key}_less_claim"],
                   middle, 4.7 * error, middle - 2 * sign * nu, error)  # fmt: skip
        yield replace(
            near(f"{said}, its exact value at n = 10²⁰⁰", beyond, 0, 0.02, -2 * sign * far_nu),
            exact=True,
        )


def _of_errors(settings, rows, largest):
    """The two limits."""
    last = [row for row in rows if row["n"] == largest]
    plain = next(r for r in last if (r["model"], r["beta"]) == ("regular", 1))
    checks = [part for row in last for part in _limits(row)]
    checks.append(
        close("n(Bg − Bt), regular, β = 1, is 2ν", plain["apart"], 2 * plain["nu"],
              4.7 * plain["apart_error"], control=0)
    )  # fmt: skip
    exactly = [exact_models.expected_fluctuation(r["model"], r["n"], r["beta"]) for r in rows]
    for factor, text, count in (
        (1, "means of ν within 4.7 errors of exact values at their n and β", len(rows)),
        (2, "of exact values twice as large", 0),
    ):
        near_by = [abs(row["nu"] - factor * right) < 4.7 * row["nu_error"]
                   for row, right in zip(rows, exactly, strict=True)]  # fmt: skip
        checks.append(exact(f"{text}, of {len(rows)}", sum(near_by), count))
    low = min(settings["betas"])
    short = ", ".join(f"{row['bg_less_claim']:.2f}" for row in last if row["beta"] == low)
    means = "; ".join(
        f"{exact_models.expected_fluctuation(row['model'], largest, row['beta']):.3f}, "
        f"{row['nu']:.3f} ± {row['nu_error']:.3f} for {row['model']} at β = {row['beta']:g}"
        for row in last
    )
    return Finding(
        "000-equation-2",
        f"n·Bg less its limit at β = {low:g}, n = {largest}: {short} for u = w, w², ab, ab², as "
        "exactly there; gone at n = 10²⁰⁰",
        checks,
        details=f"ν at n = {largest}, exactly and in the mean: {means}.",
        why="Both limits hold for all four models at every β. At an n that can be simulated u = ab "
        "and ab² are short of them, by what they are short of exactly.",
    )


def judge(settings, rows):
    """Each equation at each temperature; 4.7 errors, one false alarm in 380 000 for each fact."""
    largest = max(settings["sizes"])
    for finding in (_of_state, _of_criteria, _of_errors):
        yield finding(settings, rows, largest)


def draw(settings, rows, figure):
    """The sum against n, with exact values, and how WAIC and LOO part."""
    above, below = figure.subplots(2, 1)
    colours = dict(zip(MODEL_LOSSES, ("#2f6fa8", "#c8452f", "#4b9b6b", "#8a5aa8"), strict=True))
    sizes = np.geomspace(min(settings["sizes"]), max(settings["sizes"]), 12).astype(int)
    for name, colour in colours.items():
        expected = [exact_models.expected_generalisation(name, int(n)) * n for n in sizes]
        above.semilogx(sizes, expected, color=colour, lw=1)
        own = [r for r in rows if r["model"] == name and r["beta"] == 1]
        above.errorbar(
            [r["n"] for r in own],
            [r["state"] / 2 for r in own],
            [r["state_error"] for r in own],
            fmt="o",
            ms=4,
            color=colour,
            label=f"{name}, λ = {coefficient(name):g}",
        )
        for beta, style in zip(settings["betas"], (":", "-", "--"), strict=False):
            own = [r for r in rows if r["model"] == name and r["beta"] == beta]
            below.loglog([r["n"] for r in own], [r["gap_rms"] / r["n"] for r in own], style,
                         color=colour, marker="o", ms=3)  # fmt: skip
    above.set_ylim(0, 0.6)
    above.set_xlabel("n")
    above.set_ylabel("n(Bg + Cv)/2 at β = 1")
    above.legend(fontsize=8, frameon=False, title="line: exact at each n", title_fontsize=8)
    shown = zip(settings["betas"], ("dotted", "solid", "dashed"), strict=False)
    below.set_title(", ".join(f"{style}: β = {beta:g}" for beta, style in shown), fontsize=9)
    below.set_xlabel("n")
    below.set_ylabel("WAIC − LOO, rms")


EXPERIMENT = experiment(
    __name__,
    id="state-equations",
    title="Bg + Cv = 2λ/n, WAIC ≈ LOO and the two limits, on exact posteriors",
    places=("000-equation-star", "000-equation-1", "000-equation-2"),
    **suites(
        betas=[0.5, 1.0, 2.0],
        sizes=([40, 200], [50, 200, 500]),
        data_sets=(64, 300),
        sees=(0.3, None),
    ),
    size=(5.4, 7.4),
    seed=5,
)
