"""λ̂ of torch networks by rlct and by devinterp 2, beside what is known exactly.

Run from the repository root; ``--peer`` is a Python that has devinterp (never a dependency) and
torch::

    python validation/llc/run.py --peer /path/to/python --json validation/llc/results.json
    python validation/llc/run.py --json validation/llc/results.json --table

Parts: ``linear`` (deep linear networks, whose tempered mean and λ are exact), ``superposition``,
``addition`` (trained networks, at checkpoints) and ``calibrate`` (settings that `rlct.calibrate`
chooses on random linear networks).  What the file of ``--json`` holds is not run again; ``--small``
runs everything with few draws, to see that it runs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import torch  # noqa: E402
from networks import (  # noqa: E402
    NETWORK_BUILDERS,
    States,
    addition_data,
    linear_data,
    linear_module,
    superposition_data,
    train,
)
from torch import nn  # noqa: E402

import rlct  # noqa: E402
from rlct.sampling.local.finite_n import tempered_mean  # noqa: E402
from rlct.sampling.targets.regression import RegressionTarget  # noqa: E402
from validation.records import peer_version, processor_name, versions_of, write_json  # noqa: E402

STUDY_FOLDER = Path(__file__).parent
LINEAR_CASES = [  # widths, rank, noise
    ([5, 3, 5], 1, 0.0),
    ([5, 3, 5], 1, 1.0),
    ([4, 5, 5], 0, 0.0),
    ([10, 6, 10], 3, 0.0),
]
SAMPLE_COUNT = 2000
STUDY_SEEDS = (0, 1, 2)
CALIBRATE_SEED, CALIBRATED_COUNT = 40617, 20  # not one of those on which calibrate was made
PULL_STRENGTHS = [1.0, 10.0]
PEER_STEPS = (3e-4, 1e-3, 3e-3)  # lr of devinterp, among which hindsight chooses
README_SETTINGS = {
    "lr": 1e-3,
    "n_beta": 30.0,
}  # of devinterp, whose other settings are its defaults
NEAR_SHARE = 0.05

Row = dict[str, Any]
Data = tuple[torch.Tensor, ...]


class Study:
    """Rows by part and key, and how long everything is."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.rows: dict[str, Row] = {}
        if options.json and options.json.exists():
            self.rows = json.loads(options.json.read_text(encoding="utf-8"))["rows"]
        self.made = provenance(options.peer)
        few = options.small
        self.fixed = {
            "num_chains": 8,
            "num_draws": 64 if few else 2000,
            "num_burnin": 32 if few else 1000,
        }
        self.peers = {
            "num_chains": 4,
            "num_draws": 64 if few else 1000,
            "num_burnin_steps": 32 if few else 500,
        }
        self.sweeps = 100 if few else 3000

    def keep(self, key: str, make: Callable[[], Row]) -> Row:
        """The row of this key, made unless it is there."""
        if key not in self.rows:
            began = time.perf_counter()
            self.rows[key] = {**make(), "made": self.made}
            if self.options.json:
                write_json(self.options.json, {"rows": self.rows})
            shown = {k: v for k, v in self.rows[key].items() if k != "made"}
            print(f"{key} [{time.perf_counter() - began:.0f} s] {short(shown)}", flush=True)
        return self.rows[key]

    def ours(self, net: nn.Module, data: Data, **options: Any) -> Row:
        """`rlct.llc` by SGLD: estimate, error, processor seconds, verdict."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            began = time.process_time()
            call = {"method": "sgld", "progress": False, **options}
            if self.options.small:
                call.setdefault("num_draws", 64)
            found = rlct.llc(net, data, **call)
            return {**said_of(found), "seconds": round(time.process_time() - began, 2)}

    def devinterp(
        self, network: str, arguments: tuple[Any, ...], states: States, data: Data, runs: list[Row]
    ) -> list[Row]:
        """Runs of the peer in a process of its own."""
        held = {
            "network": network,
            "arguments": arguments,
            "states": states,
            "x": data[0],
            "y": data[1],
            "runs": runs,
        }
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "held.pt"
            torch.save(held, path)
            command = [self.options.peer, str(STUDY_FOLDER / "peer.py"), str(path)]
            environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
            environment["TMPDIR"] = folder
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, env=environment
            )
        if done.returncode:
            raise SystemExit(f"devinterp failed: {done.stderr.strip().splitlines()[-1]}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def short(row: Row) -> str:
    """A row on one line, without what is long."""
    return json.dumps(row, ensure_ascii=False)[:600]


def said_of(estimate: Any) -> Row:
    """What an estimate of rlct says."""
    return {
        "lam": estimate.lam,
        "error": estimate.error,
        "interval": list(estimate.interval),
        "verdict": estimate.verdict,
        "warnings": list(estimate.warnings),
        "lr": estimate.diagnostics["lr"] if estimate.diagnostics else None,
        "excess": estimate.diagnostics["excess"] if estimate.diagnostics else None,
        "draws": None if estimate.chains is None else estimate.chains.draws.shape[-1],
    }


def exact_mean(net: nn.Module, data: Data, n_beta: float, gamma: float) -> tuple[float, float]:
    """nβ(E L − L(w*)) of a `linear_module` by exact conditional draws, and its error."""
    widths, rank = [net[0].in_features, *(layer.out_features for layer in net)], net[0].weight.sum()
    target = RegressionTarget(widths, int(rank), samples=1, sigma=gamma**-0.5)
    found = tempered_mean(target.on(*(part.double().numpy() for part in data)), n_beta)
    return found.value, found.error


def linear_peer(study: Study, net: nn.Module, data: Data, widths: list[int], exact_row: Row) -> Row:
    """What devinterp has with its README's settings, with ours, and with the best step by λ."""

    def runs_of(runs: list[Row]) -> list[Row]:
        return study.devinterp("linear", (widths,), {0: net.state_dict()}, data, runs)

    def miss(run: Row) -> float:
        gap = abs(run["after_burnin"] - exact_row["tempered"])
        return float(gap) if np.isfinite(gap) else np.inf

    shared = {name: exact_row[name] for name in ("n_beta", "localization")}
    tuned = {**shared, **study.peers, "batch_size": 256}
    first = [{**README_SETTINGS, "init_seed": seed} for seed in STUDY_SEEDS]
    first += [{**README_SETTINGS, **shared, "init_seed": seed} for seed in STUDY_SEEDS]
    first += [{**tuned, "lr": lr, "init_seed": STUDY_SEEDS[0]} for lr in PEER_STEPS]
    first_runs, count = runs_of(first), len(STUDY_SEEDS)
    grid = first_runs[2 * count :]
    chosen = min(grid, key=miss)
    lr = chosen["settings"]["lr"]
    further_runs = runs_of([{**tuned, "lr": lr, "init_seed": seed} for seed in STUDY_SEEDS[1:]])
    return {
        "readme": first_runs[:count],
        "same": first_runs[count : 2 * count],
        "grid": grid,
        "lr": lr,
        "best": [chosen, *further_runs],
    }


def linear(study: Study) -> Iterator[Row]:
    """Deep linear networks, without noise and with."""
    n_beta = SAMPLE_COUNT / float(np.log(SAMPLE_COUNT))
    for widths, rank, noise in LINEAR_CASES:
        net = linear_module(widths, rank)
        data = linear_data(net, SAMPLE_COUNT, noise, seed=0)
        case = f"linear {widths} rank {rank}, noise {noise:g}"
        exact = rlct.linear(widths, rank=rank)

        def truth(net: nn.Module = net, data: Data = data, exact: Any = exact) -> Row:
            mean, error = exact_mean(net, data, n_beta, 1.0)
            return {
                "lambda": str(exact.lam),
                "theta": exact.theta,
                "tempered": mean,
                "tempered_error": error,
                "n_beta": n_beta,
                "localization": 1.0,
            }

        exact_row = study.keep(f"{case}: exact", truth)
        yield exact_row
        for seed in STUDY_SEEDS:
            for way, options in (("default", {}), ("fixed", study.fixed)):

                def ours(
                    net: nn.Module = net,
                    data: Data = data,
                    options: Row = options,
                    seed: int = seed,
                ) -> Row:
                    return study.ours(net, data, seed=seed, **options)

                yield study.keep(f"{case}: rlct {way}, seed {seed}", ours)
        if not study.options.peer:
            continue

        peer = partial(linear_peer, study, net, data, widths, exact_row)
        yield study.keep(f"{case}: devinterp", peer)


def checkpoints(
    study: Study, network: str, data: Data, steps: list[int], batch: int, reference: bool
) -> Iterator[Row]:
    """λ̂ of both at the checkpoints of one run of training."""
    torch.manual_seed(0)
    net = NETWORK_BUILDERS[network]()
    rate = {"superposition": (5e-3, 0.0), "addition": (3e-3, 0.3)}[network]
    states, losses = train(net, data, steps, lr=rate[0], weight_decay=rate[1])

    def trajectory() -> Row:
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole_run = rlct.llc_trajectory(
                net, states, data, batch_size=batch, progress=False, **study.fixed
            )
        return {
            "seconds": round(time.process_time() - began, 2),
            "losses": {str(step): value for step, value in losses.items()},
            "parameters": sum(w.numel() for w in net.parameters()),
            "settings": dict(whole_run.settings),
            "steps": list(whole_run.steps),
            "estimates": [said_of(estimate) for estimate in whole_run.estimates],
            "verdicts": list(whole_run.verdicts),
            "differences": [
                {
                    "value": estimate.value,
                    "error": estimate.error,
                    "unpaired_error": estimate.unpaired_error,
                }
                for estimate in whole_run.differences
            ],
        }

    whole = study.keep(f"{network}: trajectory", trajectory)
    yield whole
    shared = {key: float(whole["settings"][key]) for key in ("n_beta", "localization", "lr")}
    for step in steps:

        def ours(step: int = step) -> Row:
            net.load_state_dict(states[step])
            return study.ours(net, data, **shared, **study.fixed, batch_size=batch)

        def exact(step: int = step) -> Row:
            net.load_state_dict(states[step])
            same = {key: shared[key] for key in ("n_beta", "localization")}
            draws = max(study.sweeps // 30, 10)
            return study.ours(net, data, method="hmc", **same, num_draws=draws)

        yield study.keep(f"{network} step {step}: rlct", ours)
        if reference:
            yield study.keep(f"{network} step {step}: hmc", exact)

    def theirs() -> Row:
        common = {**shared, **study.peers, "batch_size": batch, "init_seed": 0}
        runs = [{**common, "state": step} for step in steps]
        return {"runs": study.devinterp(network, (), states, data, runs), "steps": steps}

    if study.options.peer:
        yield study.keep(f"{network}: devinterp", theirs)


def superposition(study: Study) -> Iterator[Row]:
    """Six features in two hidden units."""
    steps = [50, 100, 200, 400, 1000, 3000]
    data = superposition_data(1000, seed=0)
    yield from checkpoints(study, "superposition", data, steps, batch=256, reference=True)


def addition(study: Study) -> Iterator[Row]:
    """Sums modulo 13."""
    yield from checkpoints(
        study, "addition", addition_data(), [20, 100, 1000], batch=64, reference=False
    )


def calibrate(study: Study) -> Iterator[Row]:
    """Random linear networks through `rlct.calibrate`."""
    rng = np.random.default_rng(CALIBRATE_SEED)
    for number in range(2 if study.options.small else study.options.count):
        widths = [int(width) for width in rng.integers(2, 6, size=int(rng.integers(3, 5)))]
        rank = int(rng.integers(0, min(widths) + 1))
        seed = int(rng.integers(2**31))

        def one(
            widths: list[int] = widths, rank: int = rank, seed: int = seed, k: int = number
        ) -> Row:
            net = linear_module(widths, rank)
            data = linear_data(net, SAMPLE_COUNT, 0.0, seed)
            exact = rlct.linear(widths, rank=rank)
            budget = {"budget": 1e6} if study.options.small else {}
            began = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                swept = rlct.calibrate(
                    net, data, localization_values=PULL_STRENGTHS, seed=k, **budget
                )
            row = {
                "widths": widths,
                "rank": rank,
                "seed": k,
                "data_seed": seed,
                "lambda": str(exact.lam),
                "theta": exact.theta,
                "seconds": round(time.process_time() - began, 2),
                "table": str(swept),
                "limit": None if swept.limit is None else swept.limit._asdict(),
                "chosen": None,
            }
            if swept.settings is None or swept.chosen is None:
                return row
            level, pull = (swept.settings[name] for name in ("n_beta", "localization"))
            mean, error = exact_mean(net, data, level, pull)
            row["chosen"] = {**said_of(swept.chosen), "n_beta": level, "localization": pull}
            return {**row, "tempered": mean, "tempered_error": error}

        yield study.keep(f"calibrate {number}", one)


STUDY_PARTS: dict[str, Callable[[Study], Iterator[Row]]] = {
    "linear": linear,
    "superposition": superposition,
    "addition": addition,
    "calibrate": calibrate,
}


def provenance(peer: str | None) -> dict[str, str | None]:
    """Day, processor and versions."""
    return {
        "day": time.strftime("%Y-%m-%d"),
        "processor": processor_name(),
        **versions_of("numpy", "torch", "rlct"),
        "devinterp and its torch": peer_version(peer, "devinterp", "torch"),
    }


def options_given() -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=[*STUDY_PARTS], default=[*STUDY_PARTS])
    parser.add_argument("--peer", metavar="PYTHON", help="has devinterp; left out without it")
    parser.add_argument("--json", metavar="FILE", type=Path, help="what it holds is not run again")
    parser.add_argument(
        "--count", type=int, default=CALIBRATED_COUNT, help="of networks of calibrate"
    )
    parser.add_argument("--small", action="store_true", help="few draws")
    parser.add_argument("--table", action="store_true", help="print the tables of the file alone")
    return parser.parse_args()


def main() -> None:
    """Run what is missing, and print the tables."""
    options = options_given()
    torch.set_num_threads(1)
    study = Study(options)
    if not options.table:
        for part in options.parts:
            for _ in STUDY_PARTS[part](study):
                pass
    from tables import tables

    print("\n\n".join(tables(study.rows)))


if __name__ == "__main__":
    sys.exit(main())
