"""Chain-steps a second and errors of Langevin samplers, beside devinterp in the same run.

Run from the repository root, with the path of a Python that has devinterp (never a
dependency)::

    python validation/bench/langevin.py --peer /path/to/python --json validation/bench/langevin.json

For three networks at batch 128 on one thread: steps of one chain per second of processor time,
counted over all chains, for this package in NumPy, for a plain loop around ``torch.func.vmap`` and
for devinterp, in turns, on the same data in single precision; torch modules are in ``llc.py``.
Rates are the best of all turns, ratios medians of those within a turn, since other work on the
machine slows a whole turn.  For the two linear networks, whose λ is known: what each says by
default and how long it takes, and what devinterp says with the settings that hindsight finds best.
``--only`` names networks, ``--rates`` leaves λ out; what the file of ``--json`` says about other
networks and about λ then stays.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

import rlct  # noqa: E402
from rlct.sampling.markov_chains.chains import sample_chains  # noqa: E402
from rlct.sampling.targets.network import NetworkTarget  # noqa: E402
from validation.records import peer_version, processor_name, read_json, versions_of, write_json  # noqa: E402

BATCH_SIZE, SAMPLE_COUNT, LR, TIMING_TURNS = 128, 10_000, 1e-7, 15
NETWORK_SHAPES = {
    "[5,3,5] rank 1": ([5, 3, 5], 1),
    "[10,10,10,10] rank 5": ([10, 10, 10, 10], 5),
    "quadratic, 1000 weights": ([20, 40, 5], None),
}
SETTINGS_GRID = [(lr, g) for lr in (1e-6, 1e-5, 1e-4, 1e-3) for g in (1.0, 10.0, 100.0)]
RATIO_PAIRS = [("numpy", "devinterp"), ("numpy", "plain_vmap")]
BENCH_FOLDER = Path(__file__).parent


def data(widths, rank):
    """Layers, inputs and outputs with unit noise."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((SAMPLE_COUNT, widths[0]))
    shapes = list(zip(widths[1:], widths[:-1], strict=True))
    if rank is None:
        layers = [0.2 * rng.standard_normal(shape) for shape in shapes]
        mean = (x @ layers[0].T) ** 2 @ layers[1].T
    else:
        layers = [np.diag(np.ones(max(shape)))[: shape[0], : shape[1]] for shape in shapes]
        for layer in layers:
            layer[rank:, :] = 0.0
        mean = x @ np.linalg.multi_dot(layers[::-1]).T
    return layers, x, mean + rng.standard_normal(mean.shape)


def rate(target, chains, steps, seed):
    """Chain-steps a second."""
    begin = time.process_time()
    sample_chains(
        "sgld",
        target,
        SAMPLE_COUNT / np.log(SAMPLE_COUNT),
        lr=LR,
        rng=np.random.default_rng(seed),
        num_chains=chains,
        num_draws=steps,
        num_burnin=0,
        batch_size=BATCH_SIZE,
        use_prior=False,
        localization=1.0,
    )
    return chains * steps / (time.process_time() - begin)


def plain_rate(net, x, y, chains, steps):
    """Chain-steps a second of the same update as one writes it down."""
    import torch
    from torch.func import functional_call, grad_and_value, vmap

    x, y = (torch.as_tensor(values, dtype=torch.float32) for values in (x, y))
    start = {name: p.detach().float() for name, p in net.named_parameters()}

    def loss(parameters, inputs, outputs):
        gap = functional_call(net, parameters, (inputs,)) - outputs
        return 0.5 * (gap**2).sum(-1).mean()

    both, drift = vmap(grad_and_value(loss)), 0.5 * LR * SAMPLE_COUNT / np.log(SAMPLE_COUNT)
    chain = {name: p.expand(chains, *p.shape).clone() for name, p in start.items()}
    losses = torch.empty(steps, chains)
    begin = time.process_time()
    for step in range(steps):
        rows = torch.randint(SAMPLE_COUNT, (chains, BATCH_SIZE))
        slopes, losses[step] = both(chain, x[rows], y[rows])
        for name, w in chain.items():
            noise = LR**0.5 * torch.randn_like(w)
            chain[name] = w - drift * slopes[name] - 0.5 * LR * (w - start[name]) + noise
    return chains * steps / (time.process_time() - begin)


def peer(python, held, quadratic, **settings):
    """One run of devinterp; its answer and the seconds its chains took."""
    return peers(python, held, quadratic, [settings])[0]


def peers(python, held, quadratic, each):
    """Several runs in one process."""
    common = {"data": held, "quadratic": quadratic, "batch": BATCH_SIZE}
    given = json.dumps([common | settings for settings in each])
    command = [python, str(BENCH_FOLDER / "devinterp_chain.py"), given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"devinterp failed: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)


def peer_estimate(python, held, n_beta, lr, localization, draws):
    """λ̂ as the package computes it: nβ (mean loss − loss at w*), burn-in averaged in."""
    kwargs = {"lr": lr, "nbeta": n_beta, "localization": localization}
    run = peer(python, held, False, chains=4, draws=draws, burnin=0, sgld=kwargs)
    means = [n_beta * (np.mean(chain) - run["init"]) for chain in run["losses"]]
    return float(np.mean(means)), float(np.std(means)), run["seconds"]


def measure(name, python, rates):
    """One network; its rates alone if so asked."""
    from devinterp_chain import module_of  # which sets torch to one thread

    widths, rank = NETWORK_SHAPES[name]
    layers, x, y = data(widths, rank)
    activation, chains = ("quadratic", 192) if rank is None else ("linear", 256)
    numpy = NetworkTarget(layers, x, y, activation, dtype=np.float32)
    net = module_of(layers, rank is None)
    row = {"network": name, "parameters": numpy.dimension}
    with tempfile.TemporaryDirectory() as folder:
        held = str(Path(folder) / "data.npz")
        named = {f"layer{k}": layer for k, layer in enumerate(layers)}
        np.savez(held, x=x, y=y, depth=len(layers), **named)
        kwargs = {"lr": LR, "nbeta": 1000.0, "localization": 1.0}
        turns = []
        for seed in range(TIMING_TURNS):
            turn = {"numpy": rate(numpy, chains, 200, seed)}
            turn["plain_vmap"] = plain_rate(net, x, y, 256, 60)
            if python:
                run = peer(python, held, rank is None, chains=1, draws=1500, burnin=0, sgld=kwargs)
                turn["devinterp"] = 1500 / run["seconds"]
            turns.append(turn)
        row |= {way: max(turn[way] for turn in turns) for way in turns[0]}
        for way, other in RATIO_PAIRS:
            if other in row:
                found = [turn[way] / turn[other] for turn in turns]
                row[f"{way}/{other}"] = float(np.median(found))
        if rank is not None and not rates:
            row |= estimates(python, held, widths, rank)
    return row


def estimates(python, held, widths, rank):
    """λ̂ by default here and there, and the peer's best of a grid."""
    exact = rlct.linear(widths, rank=rank).lam
    begin = time.process_time()
    ours = rlct.llc(rlct.LinearNetwork(tuple(widths), rank))
    row = {
        "lambda": str(exact),
        "default": ours.lam,
        "default_error": ours.error,
        "default_seconds": time.process_time() - begin,
    }
    if not python:
        return row
    # Of its README: lr 0.001, nβ 30, 4 chains of 200 draws, no localization.
    mean, spread, seconds = peer_estimate(python, held, 30.0, 1e-3, 0.0, 200)
    row["devinterp_default"] = [mean, spread, seconds]
    tried = []
    for lr, localization in SETTINGS_GRID:
        n_beta = SAMPLE_COUNT / np.log(SAMPLE_COUNT)
        mean, spread, seconds = peer_estimate(python, held, n_beta, lr, localization, 1000)
        tried.append([mean, spread, seconds, lr, localization])
    # Hindsight: the truth chooses.
    row["devinterp_tuned"] = min(tried, key=lambda f: abs(np.nan_to_num(f[0], nan=1e99) - exact))
    row["devinterp_tuning_seconds"] = sum(f[2] for f in tried)
    return row


def provenance(peer: str | None) -> dict[str, str | None]:
    """Command, day, processor and versions of this run."""
    return {
        "command": " ".join(["python", *sys.argv]),
        "day": time.strftime("%Y-%m-%d"),
        "processor": processor_name(),
        **versions_of("numpy", "torch", "rlct"),
        "devinterp": peer_version(peer, "devinterp"),
    }


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", metavar="PYTHON", help="a Python that has devinterp")
    parser.add_argument("--only", choices=[*NETWORK_SHAPES], action="append")
    parser.add_argument("--rates", action="store_true", help="no estimates of λ")
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    made = provenance(options.peer)
    by_network = {row["network"]: row for row in read_json(options.json, {"rows": []})["rows"]}
    for name in options.only or NETWORK_SHAPES:
        row = measure(name, options.peer, options.rates)
        print(json.dumps(row, indent=1), flush=True)
        row["rates made" if options.rates else "made"] = made
        by_network[name] = {**(by_network.get(name, {}) if options.rates else {}), **row}
    rows = [by_network[name] for name in NETWORK_SHAPES if name in by_network]
    write_json(options.json, {"rows": rows}, sort=True)


if __name__ == "__main__":
    main()
