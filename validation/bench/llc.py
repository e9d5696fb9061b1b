"""What `rlct.llc` of a torch module costs, in units of the loops that one would write instead.

Run from the repository root; ``--peer`` is a Python that has devinterp (never a dependency) and
torch, by default this one::

    python validation/bench/llc.py --peer /path/to/python --json validation/bench/llc.json
    python validation/bench/llc.py --step-only --memory --json validation/bench/llc.json

Processor time on one thread of the whole call, ``rlct.llc(module, data, method="sgld", …)`` with
half of the steps as burn-in, over that of

- the vmapped loop: all chains at once by ``vmap(grad_and_value(…))``, batches drawn for each, the
  update written down for each tensor, losses recorded, nothing else (no loss at w*, no report);
- the one-chain loop: copies of the module one after another, ``loss.backward()`` and the same
  update;
- devinterp 2, one chain after another, all its sampler does.

All have the same data, start, chains, steps, batches, lr, nβ = n / log n and localization, and
take turns; ratios are medians over turns of those within a turn, since other work on the machine
slows a whole turn.  Every turn has a seed of its own.  Modules are trained before, untimed, on
labels drawn from a random teacher.

``--step-only`` measures a step of the chains alone: the difference of two calls with S and 2S steps
(half of each burn-in) is S steps, and over S steps of the loops.  What a call does once cancels,
what it does at every draw does not; where the former is most of a call the difference is noisy.

``--memory`` measures how far the resident memory of a process of its own rises above what it holds
when all is imported and module and data are loaded.

What the file of ``--json`` says about other cases, sizes and measurements stays.
"""

import argparse
import copy
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.func import functional_call, grad_and_value, vmap  # noqa: E402

from validation.records import read_json, write_json  # noqa: E402

FEATURE_COUNT, CLASS_COUNT = 784, 10
VOCABULARY_SIZE, TOKEN_COUNT = 64, 32
SAMPLE_SIZES, STEP_SIZES = (2000, 20_000, 50_000), (20_000,)
TRAINING_STEPS = 300
TEMPERED_LR = 1e-3  # lr times nβ: twice the rate of gradient descent on the loss
PULL_STRENGTH = 1.0
FEW_SAMPLES = 512  # samples of the first call, which is not timed


class Block(nn.Module):
    """Attention and a perceptron, each after a normalisation and beside the identity."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mixed, self.joined = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, z: torch.Tensor) -> torch.Tensor:
        """Each token from those before it."""
        each = [
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.mixed(self.before(z)).chunk(3, -1)
        ]
        seen = nn.functional.scaled_dot_product_attention(*each, is_causal=True)
        z = z + self.joined(seen.transpose(1, 2).flatten(-2))
        return z + self.down(nn.functional.gelu(self.up(self.between(z))))


class Transformer(nn.Module):
    """A small GPT; logits have their vocabulary on axis 1, as cross-entropy wants it."""

    def __init__(self, width: int = 64, layers: int = 2, heads: int = 4) -> None:
        super().__init__()
        self.embedded = nn.Embedding(VOCABULARY_SIZE, width)
        self.position = nn.Parameter(0.02 * torch.randn(TOKEN_COUNT, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.after, self.logits = nn.LayerNorm(width), nn.Linear(width, VOCABULARY_SIZE)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits of the next token at every place."""
        z = self.blocks(self.embedded(tokens) + self.position)
        return self.logits(self.after(z)).transpose(1, 2)


@dataclass(frozen=True)
class Case:
    """A module and how it is sampled."""

    build: Callable[[], nn.Module]
    draw: Callable[[int], tuple[torch.Tensor, torch.Tensor]]
    chains: int
    batch: int
    steps: int
    training_lr: float  # of Adam, slow enough that few samples are not learnt by heart


@dataclass(frozen=True)
class Work:
    """One run of chains: what every way of sampling is given."""

    net: nn.Module
    x: torch.Tensor
    y: torch.Tensor
    chains: int
    batch: int
    steps: int
    seed: int

    @property
    def n_beta(self) -> float:
        """That of `rlct.llc` by default."""
        return len(self.x) / math.log(len(self.x))

    @property
    def lr(self) -> float:
        """As long a step on any number of samples, as a rate of gradient descent."""
        return TEMPERED_LR / self.n_beta


def perceptron(width: int, features: int = FEATURE_COUNT) -> nn.Module:
    """Two hidden layers."""
    layers = [nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(width, CLASS_COUNT))


def classified(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Normal inputs, with classes drawn as a random teacher says."""
    teacher = nn.Sequential(nn.Linear(FEATURE_COUNT, 32), nn.Tanh(), nn.Linear(32, CLASS_COUNT))
    x = torch.randn(count, FEATURE_COUNT)
    with torch.no_grad():
        logits = teacher(x)
        y = torch.distributions.Categorical(logits=3.0 * logits / logits.std()).sample()
    return x, y


def sequences(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens of a random Markov chain, and the next of each."""
    chances = torch.softmax(2.0 * torch.randn(VOCABULARY_SIZE, VOCABULARY_SIZE), 1)
    tokens = [torch.randint(VOCABULARY_SIZE, (count,))]
    for _ in range(TOKEN_COUNT):
        tokens.append(torch.multinomial(chances[tokens[-1]], 1)[:, 0])
    drawn = torch.stack(tokens, 1)
    return drawn[:, :-1].contiguous(), drawn[:, 1:].contiguous()


MODULE_CASES = {
    "mlp-12": Case(lambda: perceptron(12), classified, 8, 256, 400, 1e-3),
    "mlp-100": Case(lambda: perceptron(100), classified, 8, 256, 400, 2e-4),
    "gpt": Case(Transformer, sequences, 4, 64, 100, 1e-3),
    "mlp-680": Case(lambda: perceptron(680), classified, 4, 256, 40, 5e-5),
}
WHOLE_CALLS = ("mlp-12", "mlp-100", "gpt")  # cases of which a whole call is measured by default


def loss_of(outputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The mean cross-entropy."""
    return nn.functional.cross_entropy(outputs, targets)


def prepared(case: Case, count: int, seed: int) -> Work:
    """A module trained for some hundred steps, and its data."""
    torch.manual_seed(seed)
    net = case.build()
    x, y = case.draw(count)
    optimizer = torch.optim.Adam(net.parameters(), lr=case.training_lr)
    for _ in range(TRAINING_STEPS):
        rows = torch.randint(count, (case.batch,))
        optimizer.zero_grad()
        loss_of(net(x[rows]), y[rows]).backward()
        optimizer.step()
    return Work(net.eval(), x, y, case.chains, case.batch, case.steps, seed)


def by_llc(work: Work) -> None:
    """The call that is measured."""
    import rlct

    rlct.llc(
        work.net,
        (work.x, work.y),
        method="sgld",
        num_chains=work.chains,
        num_draws=work.steps // 2,
        num_burnin=work.steps // 2,
        batch_size=work.batch,
        lr=work.lr,
        localization=PULL_STRENGTH,
        seed=work.seed,
        progress=False,
    )


def by_vmap(work: Work) -> torch.Tensor:
    """All chains at once, as one writes it down; the losses."""
    x, y, chains, count = work.x, work.y, work.chains, len(work.x)
    lr, n_beta = work.lr, work.n_beta
    start = {name: p.detach() for name, p in work.net.named_parameters()}
    chain = {name: p.expand(chains, *p.shape).clone() for name, p in start.items()}

    def loss(parameters: dict[str, torch.Tensor], inputs: Any, targets: Any) -> torch.Tensor:
        return loss_of(functional_call(work.net, parameters, (inputs,)), targets)

    both = vmap(grad_and_value(loss))
    losses = torch.empty(work.steps, chains)
    for step in range(work.steps):
        rows = torch.randint(count, (chains, work.batch))
        slopes, losses[step] = both(chain, x[rows], y[rows])
        for name, w in chain.items():
            drift = n_beta * slopes[name] + PULL_STRENGTH * (w - start[name])
            chain[name] = w - 0.5 * lr * drift + lr**0.5 * torch.randn_like(w)
    return losses


def one_by_one(work: Work) -> torch.Tensor:
    """Chain after chain, each in a copy of the module; the losses."""
    lr, n_beta = work.lr, work.n_beta
    start = [p.detach() for p in work.net.parameters()]
    losses = torch.empty(work.steps, work.chains)
    for chain in range(work.chains):
        net = copy.deepcopy(work.net)
        for step in range(work.steps):
            rows = torch.randint(len(work.x), (work.batch,))
            net.zero_grad()
            loss = loss_of(net(work.x[rows]), work.y[rows])
            loss.backward()
            losses[step, chain] = loss.detach()
            with torch.no_grad():
                for w, origin in zip(net.parameters(), start, strict=True):
                    drift = n_beta * w.grad + PULL_STRENGTH * (w - origin)
                    w += -0.5 * lr * drift + lr**0.5 * torch.randn_like(w)
    return losses


def by_devinterp(work: Work) -> list[float]:
    """Chain after chain by devinterp 2; the losses."""
    from devinterp_chain import run_chain

    def evaluate(
        net: nn.Module, data: dict[str, torch.Tensor]
    ) -> tuple[torch.Tensor, dict[Any, Any]]:
        each = nn.functional.cross_entropy(net(data["input_ids"]), data["y"], reduction="none")
        return each.flatten(1).mean(1) if each.ndim > 1 else each, {}

    losses: list[float] = []
    sgld = {"lr": work.lr, "nbeta": work.n_beta, "localization": PULL_STRENGTH}
    half = {"draws": work.steps // 2, "burnin": work.steps // 2}
    settings = {**half, "sgld": sgld, "seed": work.seed, "batch": work.batch}

    def note(loss: Any, **_: Any) -> None:
        losses.append(float(loss.mean()))

    for chain in range(work.chains):
        run_chain(work.net, work.x, work.y, evaluate, settings, chain, note)
    return losses


SAMPLING_WAYS: dict[str, Callable[[Work], object]] = {
    "llc": by_llc,
    "vmapped": by_vmap,
    "one chain": one_by_one,
    "devinterp": by_devinterp,
}
LOOP_WAYS = ("vmapped", "one chain")
IN_PROCESS = (*LOOP_WAYS, "llc")


def seconds_of(way: str, work: Work) -> float:
    """Processor seconds of one run."""
    torch.manual_seed(work.seed)
    began = time.process_time()
    SAMPLING_WAYS[way](work)
    return time.process_time() - began


def warm_up(way: str, work: Work) -> None:
    """Import, and let torch choose its kernels, on few samples."""
    few = replace(work, x=work.x[:FEW_SAMPLES], y=work.y[:FEW_SAMPLES], steps=8)
    seconds_of(way, few)


def hold(path: Path, case: str, work: Work) -> None:
    """Write what another process needs."""
    held = {"case": case, "state": work.net.state_dict(), "x": work.x, "y": work.y}
    torch.save(held, path)


def worker(way: str, path: Path, steps: int, seed: int) -> dict[str, float]:
    """One run in this process, which does nothing else: its seconds, and its bytes at the peak."""
    held = torch.load(path, weights_only=True)
    case = MODULE_CASES[held["case"]]
    net = case.build()
    net.load_state_dict(held["state"])
    work = Work(net.eval(), held["x"], held["y"], case.chains, case.batch, steps, seed)
    tiny = Work(perceptron(2, 3), torch.randn(9, 3), torch.arange(9), 2, 4, 4, seed)
    seconds_of(way, tiny)  # imports what it needs
    before = memory_now()
    seconds = seconds_of(way, work)
    return {"seconds": seconds, "bytes": peak_memory() - before}


def memory_of(field: str) -> int:
    """Bytes, as the kernel counts them."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    raise SystemExit("/proc/self/status does not tell the memory of a process")


def memory_now() -> int:
    """Resident bytes, from which the peak is counted anew; where it cannot be, the peak so far."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return peak_memory()
    return memory_of("VmRSS")


def peak_memory() -> int:
    """Resident bytes at most."""
    return memory_of("VmHWM")


def in_own_process(python: str, way: str, path: Path, steps: int, seed: int) -> dict[str, float]:
    """What `worker` says in another process."""
    command = [python, str(Path(__file__)), "--worker", way, str(path), str(steps), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{way} failed: {done.stderr.strip().splitlines()[-1]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def turns_of(work: Work, path: Path, options: argparse.Namespace) -> Iterator[dict[str, float]]:
    """Seconds, turn by turn: of whole calls, or of steps alone, by the difference of two calls."""

    def span(seconds: Callable[[int], float]) -> float:
        """Of what is called with so many steps; what it does once cancels."""
        if options.step_only:
            return seconds(2 * work.steps) - seconds(work.steps)
        return seconds(work.steps)

    for seed in range(work.seed, work.seed + options.repeats):
        each = replace(work, seed=seed)
        turn = {way: seconds_of(way, each) for way in LOOP_WAYS}
        turn["llc"] = span(lambda steps, each=each: seconds_of("llc", replace(each, steps=steps)))
        if options.peer:
            turn["devinterp"] = span(
                lambda steps, seed=seed: in_own_process(
                    options.peer, "devinterp", path, steps, seed
                )["seconds"]
            )
        yield turn


def row_of(measured: str, name: str, work: Work) -> dict[str, Any]:
    """What a row is about."""
    return {
        "measured": measured,
        "case": name,
        "parameters": sum(p.numel() for p in work.net.parameters()),
        "n": len(work.x),
        "chains": work.chains,
        "batch": work.batch,
        "steps": work.steps,
        "seed": work.seed,
    }


def timed(name: str, work: Work, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Ratios of one case at one size, and the seconds of every turn."""
    for way in IN_PROCESS:
        warm_up(way, work)
    turns = list(turns_of(work, path, options))
    row = row_of("step" if options.step_only else "call", name, work)
    for way in turns[0]:
        row[f"{way} seconds"] = [round(turn[way], 4) for turn in turns]
        if way != "llc":
            row[f"llc/{way}"] = round(median(turn["llc"] / turn[way] for turn in turns), 3)
    return row


def remembered(name: str, work: Work, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Megabytes that each way takes at its peak beside module and data."""
    row = row_of("memory", name, work)
    for way in SAMPLING_WAYS if options.peer else IN_PROCESS:
        python = options.peer if way == "devinterp" else sys.executable
        done = in_own_process(python, way, path, work.steps, work.seed)
        row[f"{way} megabytes"] = round(done["bytes"] / 1e6, 1)
    for way in SAMPLING_WAYS:
        if way != "llc" and row.get(f"{way} megabytes"):
            row[f"llc/{way}"] = round(row["llc megabytes"] / row[f"{way} megabytes"], 3)
    return row


RATIO_COLUMNS = ("llc/vmapped", "llc/one chain", "llc/devinterp")
TABLE_HEADING = " ".join(
    [f"{'':6} {'case':8} {'parameters':>10} {'n':>6} {'steps':>5}"]
    + [f"{column:>13}" for column in RATIO_COLUMNS]
)


def line_of(row: dict[str, Any]) -> str:
    """A row of the table: ratios, then the medians they are of."""
    about = (
        f"{row['measured']:6} {row['case']:8} {row['parameters']:10,} {row['n']:6} {row['steps']:5}"
    )
    ratios = [f"{row[column]:13.2f}" if column in row else f"{'-':>13}" for column in RATIO_COLUMNS]
    cells = []
    for way in SAMPLING_WAYS:
        if f"{way} seconds" in row:
            cells.append(f"{way} {median(row[f'{way} seconds']):.3g} s")
        if f"{way} megabytes" in row:
            cells.append(f"{way} {row[f'{way} megabytes']:.0f} MB")
    return " ".join([about, *ratios]) + f"   {', '.join(cells)}"


def key_of(row: dict[str, Any]) -> tuple[int, int, int]:
    """Where a row stands in the file; others of the same key it replaces."""
    measured = ("call", "step", "memory").index(row["measured"])
    return measured, [*MODULE_CASES].index(row["case"]), row["n"]


def peer_that_works(python: str) -> str | None:
    """The same, if it has devinterp."""
    code = "import devinterp.optim, devinterp.slt.sampler"
    done = subprocess.run([python, "-c", code], capture_output=True, check=False)
    return None if done.returncode else python


def rows_of(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Every row that is asked for, as it is ready."""
    names = options.cases
    if names is None:
        names = MODULE_CASES if options.step_only else WHOLE_CALLS
    sizes = options.sizes or (STEP_SIZES if options.step_only else SAMPLE_SIZES)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "held.pt"
        for name in names:
            for count in sizes:
                work = prepared(MODULE_CASES[name], count, options.seed)
                work = replace(work, steps=options.steps or work.steps)
                hold(path, name, work)
                yield timed(name, work, path, options)
        if options.memory:
            work = prepared(MODULE_CASES[options.memory], max(sizes), options.seed)
            work = replace(work, steps=options.steps or work.steps)
            hold(path, options.memory, work)
            yield remembered(options.memory, work, path, options)


def options_given() -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--cases",
        nargs="*",
        choices=[*MODULE_CASES],
        metavar="CASE",
        help=f"of {', '.join(MODULE_CASES)}; none with --memory alone",
    )
    parser.add_argument("--sizes", nargs="+", type=int, metavar="N", help="numbers of samples")
    parser.add_argument("--repeats", type=int, default=3, help="turns, of which the median counts")
    parser.add_argument("--steps", type=int, help="of each chain, half of them burn-in")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--step-only", action="store_true", help="a step of the chains alone")
    parser.add_argument(
        "--memory",
        nargs="?",
        choices=[*MODULE_CASES],
        const="mlp-100",
        metavar="CASE",
        help="also memory at its peak, by default of mlp-100, at the largest size",
    )
    parser.add_argument("--peer", metavar="PYTHON", default=sys.executable, help="has devinterp")
    parser.add_argument("--json", metavar="FILE", type=Path, help="what is not run stays in it")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure, print and write."""
    options = options_given()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    if options.worker:
        way, path, steps, seed = options.worker
        print(json.dumps(worker(way, Path(path), int(steps), int(seed))))
        return
    from langevin import provenance

    options.peer = peer_that_works(options.peer)
    made = {**provenance(options.peer), "seed": options.seed}
    print(", ".join(f"{what} {said}" for what, said in made.items() if what != "command"))
    if not options.peer:
        print("devinterp: not installed")
    print(TABLE_HEADING, flush=True)
    by_key = {key_of(row): row for row in read_json(options.json, {"rows": []})["rows"]}
    for row in rows_of(options):
        print(line_of(row), flush=True)
        by_key[key_of(row)] = {**row, "made": made}
        write_json(options.json, {"rows": [by_key[key] for key in sorted(by_key)]})


if __name__ == "__main__":
    main()
