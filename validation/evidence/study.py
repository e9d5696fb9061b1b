"""Learning-theory quantities where both sides can be computed; writes results.json beside it.

    OPENBLAS_NUM_THREADS=1 python validation/evidence/study.py [--quick] [--only PART]

Theorems on exact posteriors over many data sets; the errors that draws are given; model choice in
reduced-rank regression, beside the free energy and in a published design.  A z-score beyond 3.9
is a failure: one false alarm in 10⁴ for each right value.  Every wrong value must be beyond it.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path

import numpy as np
import scipy

STUDY_FOLDER = Path(__file__).parent
sys.path.insert(0, str(STUDY_FOLDER))

import exact_models  # noqa: E402
import reduced_rank  # noqa: E402
from exact_models import EXACT_MODELS, log_p, truth  # noqa: E402

from rlct.criteria.fluctuation import functional_variance  # noqa: E402
from rlct.criteria.free_energy import free_energy  # noqa: E402
from rlct.criteria.loo import loo  # noqa: E402
from rlct.criteria.sbic import sbic  # noqa: E402
from rlct.criteria.state import equation_of_state  # noqa: E402
from rlct.criteria.waic import waic  # noqa: E402
from rlct.criteria.wbic import wbic  # noqa: E402
from validation.records import read_json, versions_of, write_json  # noqa: E402

STUDY_COMMAND = "OPENBLAS_NUM_THREADS=1 python validation/evidence/study.py"
RESULTS_FILE = STUDY_FOLDER / "results.json"
STUDY_SEED = 2026
ERROR_BOUND = 3.9


def summary(values, claim, wrong):
    """Mean and error over data sets, z of a claim and of a wrong value."""
    values = np.asarray(values)
    error = values.std(ddof=1) / math.sqrt(len(values))
    return {
        "mean": values.mean(),
        "error": error,
        "claim": claim,
        "z": (values.mean() - claim) / error,
        "wrong": wrong,
        "wrong_z": (values.mean() - wrong) / error,
        "sd_over_data": values.std(ddof=1),
    }


def exact_posteriors(count, sizes, rng):
    """Bg, Cv and their sum against exact finite-n values; WAIC and ν beside them."""
    x_test, mass = exact_models.test_points()
    for name, model in EXACT_MODELS.items():
        for n in sizes:
            rows = []
            for _ in range(count):
                x = rng.standard_normal(n)
                u, log_masses = exact_models.posterior(model, x)
                table = log_p(x, u)
                state = equation_of_state(
                    table,
                    truth(x),
                    log_p(x_test, u),
                    truth(x_test),
                    log_masses=log_masses,
                    held_out_masses=mass,
                )
                criterion = waic(table, log_masses=log_masses)
                energy = exact_models.normalised_free_energy(model, n, x.mean())[0]
                d = state.details
                rows.append(
                    [
                        n * d["generalisation_error"],
                        n * d["leave_one_out_error"],
                        state.value,
                        n * (criterion.value + truth(x).mean()),
                        d["functional_variance"] / 2,
                        energy,
                        *widely(model, x, energy),
                    ]
                )
            bg, cv, lam, widest, nu, energy, gap = np.array(rows).T
            now, before = (n * exact_models.expected_generalisation(name, m) for m in (n, n - 1))
            middle = (now + before) / 2
            row = {
                "n_Bg": summary(bg, now, 0.25 if name == "regular" else 0.5),
                "n_Cv": summary(cv, before, 0.25 if name == "regular" else 0.5),
                "lambda_from_Bg_plus_Cv": summary(lam, middle, 1.1 * middle),
                "F_minus_nS": summary(
                    energy,
                    exact_models.expected_free_energy(name, n),
                    exact_models.expected_free_energy(name, n) + 0.25,
                ),
            }
            yield {
                "model": name,
                "lambda": str(model.lam),
                "theta": model.theta,
                "n": n,
                "data_sets": count,
                **row,
                "n_WAIC_error_mean": widest.mean(),
                "n_WAIC_minus_LOO_rms": math.sqrt(np.mean((widest - cv) ** 2)),
                "nu_mean": nu.mean(),
                "nu_error": nu.std() / math.sqrt(count),
                "WBIC_minus_F_mean": gap.mean(),
                "WBIC_minus_F_sd": gap.std(),
                "WBIC_bound_for_sd": math.sqrt(float(model.lam) * math.log(n) / 2),
            }


def widely(model, x, energy):
    """WBIC − F."""
    n = len(x)
    u, log_masses = exact_models.posterior(model, x, 1 / math.log(n))
    found = wbic(log_p(x, u), log_masses=log_masses)
    return [found.value + truth(x).sum() - energy]


def draw_errors(count, correlations, rng):
    """Rms z and the share of 95 % intervals that hold the exact value, for each statistic."""
    statistics = {
        "waic": waic,
        "loo psis": loo,
        "loo importance": lambda t, **k: loo(t, **{"method": "importance", **k}),
        "functional variance": functional_variance,
    }
    for name, model in EXACT_MODELS.items():
        for rho in correlations:
            x = rng.standard_normal(20)
            u, log_masses = exact_models.posterior(model, x)
            table = log_p(x, u)
            mass = np.exp(log_masses - log_masses.max())
            order = np.argsort(u, kind="stable")
            ends = np.cumsum((mass / mass.sum())[order])
            scores = {key: [] for key in statistics}
            exact = {
                key: (loo if key.startswith("loo") else f)(table, log_masses=log_masses).value
                for key, f in statistics.items()
            }
            for _ in range(count):
                # A Gaussian copula: chains with this autocorrelation and the posterior's margin.
                noise = rng.standard_normal((4, 500)) * math.sqrt(1 - rho**2)
                chain = np.empty((4, 500))
                chain[:, 0] = rng.standard_normal(4)
                for k in range(1, 500):
                    chain[:, k] = rho * chain[:, k - 1] + noise[:, k]
                level = scipy.special.ndtr(chain)
                place = np.minimum(np.searchsorted(ends, level), len(u) - 1)
                one = log_p(x, u[order][place].ravel()).reshape(4, 500, -1)
                for key, f in statistics.items():
                    found = f(one)
                    scores[key].append((found.value - exact[key]) / found.error)
            for key, z in scores.items():
                z = np.array(z)
                yield {
                    "model": name,
                    "autocorrelation": rho,
                    "statistic": key,
                    "runs": count,
                    "rms_z": math.sqrt(np.mean(z**2)),
                    "held_95": np.mean(np.abs(z) < 1.96),
                    "beyond_3.9": int(np.sum(np.abs(z) > ERROR_BOUND)),
                }


def choices(data, sizes, rows, rng):
    """The rank that each criterion prefers, and how well each approximates the free energy."""
    n = data.n
    fits = [reduced_rank.maximum(data, h) for h in range(sizes)]
    singular = sbic(fits, rows, n)
    betas = [0.0, *np.geomspace(1e-3, 1.0, 10)]
    values = {"F": [], "WBIC": [], "WAIC": [], "LOO": []}
    error = []
    for h in range(sizes):
        if h == 0:
            values["F"].append(-fits[0])
            values["WBIC"].append(-fits[0])
            values["WAIC"].append(-fits[0] / n)
            values["LOO"].append(-fits[0] / n)
            continue
        ladder = []
        for beta in betas:
            products = reduced_rank.gibbs(data, h, beta, 8, 200, rng, warmup=60)
            ladder.append(reduced_rank.total_log_likelihood(data, products))
        energy = free_energy(ladder, betas)
        table = reduced_rank.log_likelihood(data, products)
        cold = reduced_rank.gibbs(data, h, 1 / math.log(n), 8, 200, rng, warmup=60)
        values["F"].append(energy.value)
        error.append(energy.error)
        values["WBIC"].append(
            wbic(reduced_rank.total_log_likelihood(data, cold), observations=n).value
        )
        values["WAIC"].append(waic(table).value)
        values["LOO"].append(loo(table, method="importance").value)
    chosen = {key: int(np.argmin(value)) for key, value in values.items()}
    chosen |= {"sBIC": int(np.argmax(singular.sbic)), "BIC": int(np.argmax(singular.bic))}
    # Differences to the smallest model that may be right, which no constant of the prior spoils.
    gaps = {
        "WBIC": np.subtract(values["WBIC"], values["F"])[1:],
        "sBIC": -np.array(singular.sbic)[1:] - values["F"][1:],
        "BIC": -np.array(singular.bic)[1:] - values["F"][1:],
    }
    return chosen, {k: v.tolist() for k, v in gaps.items()}, max(error)


def model_choice(count, sizes, rng):
    """Reduced-rank regression 5×4 at true rank 2, second singular value 4/√n: near the limit."""
    largest = 4
    rows = reduced_rank.coefficients(5, 4, largest)
    for n in sizes:
        weak = 4.0 / math.sqrt(n)
        right, agree, gaps, worst = {}, {}, {}, 0.0
        for _ in range(count):
            data = reduced_rank.simulate(n, 5, 4, [1.0, weak], rng)
            chosen, gap, error = choices(data, largest + 1, rows, rng)
            worst = max(worst, error)
            for key, rank in chosen.items():
                right.setdefault(key, []).append(rank == 2)
                agree.setdefault(key, []).append(rank == chosen["F"])
            for key, value in gap.items():
                gaps.setdefault(key, []).append(value)
        spread = {
            # How far evidences of two models are from those of F, model against model.
            key: float(np.sqrt(np.mean((np.array(v) - np.mean(v, axis=1, keepdims=True)) ** 2)))
            for key, v in gaps.items()
        }
        yield {
            "n": n,
            "second_singular_value": weak,
            "data_sets": count,
            "chosen_rank_2": {key: int(np.sum(v)) for key, v in right.items()},
            "same_as_F": {key: int(np.sum(v)) for key, v in agree.items()},
            "rms_error_of_differences_of_F": spread,
            "largest_error_of_F": worst,
        }


def published_design(count, sizes, rng):
    """Ranks by BIC and sBIC in the design of Drton and Plummer (2017), section 5.1.

    15 inputs, 10 outputs, rank 5, singular values 6/5, 1, 4/5, 3/5, 2/5.
    """
    rows = reduced_rank.coefficients(15, 10, 10)
    for n in sizes:
        chosen = {"BIC": [0] * 11, "sBIC": [0] * 11}
        for _ in range(count):
            data = reduced_rank.simulate(n, 15, 10, [1.2, 1.0, 0.8, 0.6, 0.4], rng)
            found = sbic([reduced_rank.maximum(data, h) for h in range(11)], rows, n)
            chosen["BIC"][int(np.argmax(found.bic))] += 1
            chosen["sBIC"][int(np.argmax(found.sbic))] += 1
        yield {"n": n, "data_sets": count, "ranks_from_0": chosen}


def plain(value):
    """Numbers that JSON knows, to six digits."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{float(value):.6g}")
    return value


def failures(report):
    """Right values beyond the bound, wrong ones within it, errors that are not calibrated."""
    for row in report.get("exact_posteriors", {"rows": []})["rows"]:
        for key, value in row.items():
            if isinstance(value, dict):
                if abs(value["z"]) > ERROR_BOUND:
                    yield f"{row['model']} n = {row['n']}: {key} off by z = {value['z']:.1f}"
                if abs(value["wrong_z"]) < ERROR_BOUND:
                    yield f"{row['model']} n = {row['n']}: {key} does not reject {value['wrong']}"
    for row in report.get("draw_errors", {"rows": []})["rows"]:
        # 0.90 is four standard errors of 300 runs below 0.95.
        if row["held_95"] < 0.90:
            yield f"{row['model']} {row['statistic']}: 95 % intervals hold {row['held_95']:.0%}"


#: Each part with its repetitions, those of a quick run, and its sizes; each has its own seed.
STUDY_PARTS = {
    "exact_posteriors": (exact_posteriors, 1000, 50, (50, 200, 1000)),
    "draw_errors": (draw_errors, 300, 20, (0.0, 0.8)),
    "model_choice": (model_choice, 60, 3, (50, 200, 800)),
    "published_design": (published_design, 200, 10, (50, 100, 200, 300, 500, 1000)),
}


def main() -> int:
    """Run the parts, print their rows, write the report; 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the work, no report")
    parser.add_argument(
        "--only", choices=STUDY_PARTS, help="repeat one part, keep the report's others"
    )
    options = parser.parse_args()
    report = read_json(
        RESULTS_FILE if options.only else None, {"command": STUDY_COMMAND, "seed": STUDY_SEED}
    )
    report["versions"] = versions_of("rlct", "numpy", "scipy", "arviz-stats")
    for index, (name, (part, full, quick, sizes)) in enumerate(STUDY_PARTS.items()):
        if options.only not in (None, name):
            continue
        began = time.perf_counter()
        rows = []
        rng = np.random.default_rng([STUDY_SEED, index])
        for row in part(quick if options.quick else full, sizes, rng):
            rows.append(plain(row))
            print(name, json.dumps(rows[-1], ensure_ascii=False), flush=True)
        report[name] = {"seconds": round(time.perf_counter() - began), "rows": rows}
    if options.quick:
        print("everything ran; a twentieth of the work is too little to be judged")
        return 0
    report["failures"] = list(failures(report))
    for text in report["failures"]:
        print("FAILED", text)
    write_json(RESULTS_FILE, report)
    return int(bool(report["failures"]))


if __name__ == "__main__":
    raise SystemExit(main())
