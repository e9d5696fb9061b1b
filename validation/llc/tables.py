"""The tables of the README, from the rows of the study."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from statistics import mean
from typing import Any

NEAR_SHARE = 0.05
Rows = Mapping[str, Any]


def table(heads: list[str], lines: list[list[str]]) -> str:
    """Markdown."""
    rows = [heads, ["---"] * len(heads), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def off(value: float, truth: float) -> str:
    """Relative error."""
    return f"{100 * (value / truth - 1):+.1f} %" if abs(value) < 1e9 else "diverged"


def each(values: list[float], truth: float) -> str:
    """Mean of the sizes of relative errors, and all of them."""
    if not all(abs(value) < 1e9 for value in values):
        return "diverged"
    size = mean(abs(value / truth - 1) for value in values)
    return f"{100 * size:.1f} % ({', '.join(off(value, truth) for value in values)})"


def linear_rows(rows: Rows) -> Iterator[tuple[str, Any, list[tuple[str, list[Any]]]]]:
    """Cases of linear networks: name, what is exact, and runs by way."""
    for key in rows:
        if not key.endswith(": exact"):
            continue
        case = key.removesuffix(": exact")
        ways = []
        for way in ("default", "fixed"):
            found = [rows[k] for k in rows if k.startswith(f"{case}: rlct {way},")]
            ways.append((f"rlct, {way}", found))
        theirs = rows.get(f"{case}: devinterp")
        if theirs:
            ways.append(("devinterp, README", theirs["readme"]))
            ways.append(("devinterp, README at our nβ, γ", theirs["same"]))
            ways.append((f"devinterp, lr {theirs['lr']:g} by hindsight", theirs["best"]))
        yield case.removeprefix("linear "), rows[key], ways


def value_of(run: Any) -> float:
    """λ̂; of devinterp that after the burn-in."""
    return float(run["lam"] if "lam" in run else run["after_burnin"])


def linear_table(rows: Rows) -> list[str]:
    """Relative errors against the tempered mean, against λ, seconds, verdicts."""
    lines = []
    for case, truth, ways in linear_rows(rows):
        for way, runs in ways:
            if not runs:
                continue
            values = [value_of(run) for run in runs]
            error = "error" if "lam" in runs[0] else "after_burnin_error"
            if "lam" in runs[0]:
                said = ", ".join(run["verdict"] for run in runs)
                held = sum(
                    run["interval"][0] <= truth["tempered"] <= run["interval"][1] for run in runs
                )
                said += f"; {held} of {len(runs)}"
            else:
                said = "none"
                returned = [run["returned"] for run in runs]
                if any(run["settings"].get("num_burnin_steps") for run in runs):
                    said += f"; returned, with burn-in: {each(returned, truth['tempered'])}"
            tempered = (
                "–" if "README" in way and "our" not in way else each(values, truth["tempered"])
            )
            about = f"{truth['tempered']:.3f} ± {truth['tempered_error']:.3f}, {truth['lambda']}"
            lines.append(
                [
                    f"{case}: {about}" if way == ways[0][0] else "",
                    way,
                    ", ".join(f"{value:.2f}" for value in values),
                    f"{mean(run[error] for run in runs):.2f}",
                    tempered,
                    f"{100 * (mean(values) / float(Fraction(truth['lambda'])) - 1):+.0f} %",
                    f"{mean(run['seconds'] for run in runs):.1f}",
                    said,
                ]
            )
    heads = ["network: tempered mean, λ", "way", "λ̂ of seeds 0, 1, 2", "±"]
    heads += ["error against the tempered mean: mean size (each)", "mean against λ", "s"]
    return [table([*heads, "verdicts; intervals that hold the tempered mean"], lines)]


def checkpoint_tables(rows: Rows, network: str) -> list[str]:
    """λ̂ at checkpoints by both, and paired differences."""
    whole = rows.get(f"{network}: trajectory")
    if whole is None:
        return []
    theirs = rows.get(f"{network}: devinterp", {"runs": [None] * len(whole["steps"])})["runs"]
    lines = []
    for k, step in enumerate(whole["steps"]):
        ours = rows.get(f"{network} step {step}: rlct")
        exact = rows.get(f"{network} step {step}: hmc")
        estimate, gain = whole["estimates"][k], whole["differences"][k - 1] if k else None
        lines.append(
            [
                str(step),
                f"{whole['losses'][str(step)]:.3g}",
                *([f"{exact['lam']:.2f} ± {exact['error']:.2f}" if exact else "–"]),
                f"{ours['lam']:.2f} ± {ours['error']:.2f}" if ours else "–",
                f"{theirs[k]['after_burnin']:.2f} ± {theirs[k]['after_burnin_error']:.2f}"
                if theirs[k]
                else "–",
                f"{ours['seconds']:.1f}, {theirs[k]['seconds']:.1f}" if ours and theirs[k] else "–",
                f"{gain['value']:+.3f} ± {gain['error']:.3f} (± {gain['unpaired_error']:.3f})"
                if gain
                else "",
                whole["verdicts"][k] if estimate else "",
            ]
        )
    heads = ["step", "loss", "HMC on all data", "rlct", "devinterp", "s of both"]
    heads += ["gain: paired error (unpaired)", "verdict"]
    at = whole["settings"]
    words = (
        f"{network}: {whole['parameters']} weights, nβ = {at['n_beta']:.4g}, γ = "
        f"{at['localization']:g}, lr {at['lr']:.2g}, batches of {at['batch_size']}; trajectory "
        f"{whole['seconds']:.0f} s"
    )
    return [words, table(heads, lines)]


def calibrate_table(rows: Rows) -> list[str]:
    """What `rlct.calibrate` says of λ on random networks, and what it chose."""
    lines, near, held, near_mean, runs, chosen_runs = [], 0, 0, 0, 0, 0
    for row in (rows[key] for key in rows if key.startswith("calibrate ")):
        runs += 1
        chosen, limit, lam = row["chosen"], row["limit"], float(Fraction(row["lambda"]))
        line = [str(row["widths"]), str(row["rank"]), f"{row['lambda']}, {row['theta']}"]
        if limit is None or not limit["fits"]:
            line += ["none", ""]
        else:
            near += abs(limit["lam"] / lam - 1) <= NEAR_SHARE
            held += abs(limit["lam"] - lam) <= 2 * limit["error"]
            line += [f"{limit['lam']:.3f} ± {limit['error']:.3f}", off(limit["lam"], lam)]
        if chosen is None:
            line += ["no plateau", "", "", ""]
        else:
            chosen_runs += 1
            near_mean += abs(chosen["lam"] / row["tempered"] - 1) <= NEAR_SHARE
            line += [
                f"{chosen['n_beta']:.0f}, {chosen['localization']:g}",
                f"{chosen['lam']:.3f} ± {chosen['error']:.3f}",
                off(chosen["lam"], row["tempered"]),
                off(chosen["lam"], lam),
            ]
        lines.append([*line, f"{row['seconds']:.0f}"])
    if not lines:
        return []
    heads = ["widths", "rank", "λ, θ", "λ as nβ grows", "error"]
    heads += ["nβ, γ of the plateau", "λ̂ there", "against its tempered mean", "against λ", "s"]
    words = (
        f"λ as nβ grows: within 5 % of λ {near} of {runs}, within two of its errors {held}; "
        f"λ̂ on the plateau: within 5 % of its tempered mean {near_mean} of {chosen_runs}"
    )
    return [words, table(heads, lines)]


def tables(rows: Rows) -> list[str]:
    """All of them."""
    found = linear_table(rows)
    for network in ("superposition", "addition"):
        found += checkpoint_tables(rows, network)
    return found + calibrate_table(rows)
