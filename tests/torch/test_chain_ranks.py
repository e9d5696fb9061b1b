"""Chains over two processes are the chains of one, and what a process saved outlives the other."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")

START = """
import json, os, sys
import torch, rlct
torch.set_num_threads(1)
processes, rank, folder, stop = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
if processes > 1:
    store = torch.distributed.FileStore(f"{folder}/meeting{stop}", processes)
    torch.distributed.init_process_group("gloo", store=store, rank=rank, world_size=processes)
draw = torch.Generator().manual_seed(0)
x = torch.randn(100, 3, generator=draw)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
for p in net.parameters():
    torch.nn.init.normal_(p, generator=draw)
"""
END = """
if processes > 1:
    torch.distributed.destroy_process_group()  # or its threads may crash as Python ends
"""
SCRIPT = (
    START
    + """
def progress(share, text):
    if stop and share > 0.5:
        if rank == 1 or stop == 5:
            os._exit(9)
        if stop == 1:
            raise KeyboardInterrupt
from rlct.sampling.markov_chains import checkpoint
checkpoint.SECONDS_BETWEEN_SAVES = 0.0
if stop == 5 and rank == 1:
    from rlct.sampling.markov_chains.chains import ChainRun
    save = ChainRun._save
    ChainRun._save = lambda run, file, *, now: run.loop.step_count > 50 or save(run, file, now=now)
if stop == 2:
    from rlct.sampling.networks.langevin_loop import LangevinLoop
    whole = LangevinLoop._batch_gradient
    def broken(self, chains):
        slopes, rises = whole(self, chains)
        return slopes, rises + (float("nan") if rank == 1 and self.step_count == AT else 0.0)
    LangevinLoop._batch_gradient = broken
found = rlct.llc(net, (x, net(x).detach()), method="sgld", num_chains=4, num_draws=60, seed=3,
    num_burnin=120, batch_size=20, progress=progress if stop % 2 else False,
    checkpoint=f"{folder}/run.npz" if processes > 1 else None)
if rank == 0:
    print(json.dumps([found.lam, found.error, found.rhat, found.nu[0]]))
"""
    + END
)
TRAJECTORY = (
    START
    + """
later = {name: 1.1 * values for name, values in net.state_dict().items()}
run = rlct.llc_trajectory(net, {0: net, 1: later}, (x, net(x).detach()), num_chains=4, seed=3,
    num_draws=40, num_burnin=40, batch_size=20, progress=False,
    checkpoint=f"{folder}/way{processes}.npz")
gain, = run.differences
lams = [found.lam for found in run.estimates]
print(json.dumps([run.chain_means.tolist(), lams, gain.value, gain.error, gain.unpaired_error]))
"""
    + END
)


# Imports take ten times as long as a run: they are made once, in a process that is forked for each.
SERVER = """
import json, os, signal, sys, traceback
import arviz_stats, torch._dynamo, torch.distributed
import rlct.answers.estimate, rlct.answers.module_theory, rlct.sampling.networks.network_llc

def child(script, arguments, path):
    signal.alarm(300)  # none waits for ever
    sys.argv[1:] = arguments
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{path}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    code = 0
    try:
        exec(script, {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)

while line := sys.stdin.readline():
    processes = []
    for asked in json.loads(line):
        processes.append(os.fork())
        if not processes[-1]:
            child(*asked)
    codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in processes]
    print(json.dumps(codes), flush=True)
"""
Run = Callable[..., list[tuple[int, str, str]]]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run ``processes`` of a script side by side: code, output and errors of each."""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONFAULTHANDLER": "1"}
    command = [sys.executable, "-c", SERVER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    server = subprocess.Popen(command, env=environment, **pipes)
    assert server.stdin is not None
    assert server.stdout is not None

    def side_by_side(
        processes: int, folder: Path, stop: int = 0, at: int = 0, script: str = SCRIPT
    ) -> list[tuple[int, str, str]]:
        (folder / f"meeting{stop}").unlink(missing_ok=True)
        script = script.replace("AT", str(at))
        paths = [folder / f"rank{rank}" for rank in range(processes)]
        asked = [
            (script, [str(processes), str(rank), str(folder), str(stop)], str(path))
            for rank, path in enumerate(paths)
        ]
        print(json.dumps(asked), file=server.stdin, flush=True)
        codes = json.loads(server.stdout.readline())
        texts = [[Path(f"{path}.{name}").read_text() for name in ("out", "err")] for path in paths]
        return [(code, *text) for code, text in zip(codes, texts, strict=True)]

    with server:  # ends as its input does
        yield side_by_side
    assert server.returncode == 0


def answers(run: Run, folder: Path, processes: int, script: str = SCRIPT) -> list[str]:
    told = run(processes, folder, script=script)
    assert [code for code, _, _ in told] == processes * [0], told
    return [out for _, out, _ in told]


@pytest.mark.slow
def test_two_processes_find_what_one_finds_after_a_killed_one_too(run: Run, tmp_path: Path) -> None:
    whole = answers(run, tmp_path, 1)
    cut_off = run(2, tmp_path, stop=1)
    assert cut_off[1][0] == 9
    assert {path.name for path in tmp_path.glob("*.npz")} == {"run.rank0.npz", "run.rank1.npz"}
    assert answers(run, tmp_path, 2) == [*whole, ""]


def test_files_from_either_side_of_a_look_at_the_step_go_on_together(
    run: Run, tmp_path: Path
) -> None:
    """One process had saved step 50, the other step 100: of both sides of those at 60 and 90."""
    whole = answers(run, tmp_path, 1)
    assert [code for code, _, _ in run(2, tmp_path, stop=5)] == [9, 9]
    assert answers(run, tmp_path, 2) == [*whole, ""]


@pytest.mark.slow
def test_a_trajectory_of_two_processes_is_that_of_one_on_both_and_with_one_file_lost(
    run: Run, tmp_path: Path
) -> None:
    whole = answers(run, tmp_path, 1, TRAJECTORY)
    means = json.loads(whole[0])[0]
    assert [len(row) for row in means] == [4, 4]
    assert answers(run, tmp_path, 2, TRAJECTORY) == 2 * whole
    (tmp_path / "way2.rank1.npz").unlink()
    assert answers(run, tmp_path, 2, TRAJECTORY) == 2 * whole


@pytest.mark.slow
def test_where_one_ends_the_other_says_so_in_one_sentence(run: Run, tmp_path: Path) -> None:
    (code, _, told), _ = run(2, tmp_path, stop=3)
    assert code == 1
    assert "rlct.errors.InputError: another process has ended" in told.strip().splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("at", [20, 150])
def test_where_one_diverges_all_do_the_same(run: Run, tmp_path: Path, at: int) -> None:
    """All begin anew, again and again, as it diverges at each, in the burn-in or later."""
    told = run(2, tmp_path, stop=2, at=at)
    assert all(code == 1 for code, _, _ in told)
    words = [errors.strip().splitlines()[-1] for _, _, errors in told]
    assert words[0] == words[1]
    assert f"diverged at step {at}" in words[0]
