"""Chains over two processes are the chains of one, and what a process saved outlives the other."""

import json
import os
import subprocess
import sys
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
from rlct.sampling.networks import network_run
network_run.SECONDS_BETWEEN_SAVES = 0.0
if stop == 5 and rank == 1:
    from rlct.sampling.networks.network_run import _RunFile
    save = _RunFile.save
    _RunFile.save = lambda file, run, *, now: run.loop.step_count > 50 or save(file, run, now=now)
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


def start(
    processes: int, rank: int, folder: Path, stop: int = 0, at: int = 0, script: str = SCRIPT
) -> subprocess.Popen[str]:
    script = script.replace("AT", str(at))
    command = [sys.executable, "-c", script, str(processes), str(rank), str(folder), str(stop)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONFAULTHANDLER": "1"},
    )


def answers(folder: Path, processes: int, script: str = SCRIPT) -> list[str]:
    (folder / "meeting0").unlink(missing_ok=True)
    running = [start(processes, rank, folder, script=script) for rank in range(processes)]
    printed = [process.communicate(timeout=300) for process in running]
    assert [process.returncode for process in running] == processes * [0], printed
    return [out for out, _ in printed]


def test_two_processes_find_what_one_finds_after_a_killed_one_too(tmp_path: Path) -> None:
    whole = answers(tmp_path, 1)
    cut_off = [start(2, rank, tmp_path, stop=1) for rank in range(2)]
    for process in cut_off:
        process.communicate(timeout=300)
    assert cut_off[1].returncode == 9
    assert {path.name for path in tmp_path.glob("*.npz")} == {"run.rank0.npz", "run.rank1.npz"}
    assert answers(tmp_path, 2) == [*whole, ""]


def test_files_from_either_side_of_a_look_at_the_step_go_on_together(tmp_path: Path) -> None:
    """One process had saved step 50, the other step 100: of both sides of those at 60 and 90."""
    whole = answers(tmp_path, 1)
    cut_off = [start(2, rank, tmp_path, stop=5) for rank in range(2)]
    for process in cut_off:
        process.communicate(timeout=300)
    assert [process.returncode for process in cut_off] == [9, 9]
    assert answers(tmp_path, 2) == [*whole, ""]


def test_a_trajectory_of_two_processes_is_that_of_one_on_both_and_with_one_file_lost(
    tmp_path: Path,
) -> None:
    whole = answers(tmp_path, 1, TRAJECTORY)
    means = json.loads(whole[0])[0]
    assert [len(row) for row in means] == [4, 4]
    assert answers(tmp_path, 2, TRAJECTORY) == 2 * whole
    (tmp_path / "way2.rank1.npz").unlink()
    assert answers(tmp_path, 2, TRAJECTORY) == 2 * whole


def test_where_one_ends_the_other_says_so_in_one_sentence(tmp_path: Path) -> None:
    running = [start(2, rank, tmp_path, stop=3) for rank in range(2)]
    told = [process.communicate(timeout=120)[1].strip().splitlines() for process in running]
    assert running[0].returncode == 1
    assert "]: rlct.errors.InputError: another process has ended" in told[0][-1]


@pytest.mark.parametrize("at", [20, 150])
def test_where_one_diverges_all_do_the_same(tmp_path: Path, at: int) -> None:
    """All begin anew, again and again, as it diverges at each, in the burn-in or later."""
    running = [start(2, rank, tmp_path, stop=2, at=at) for rank in range(2)]
    printed = [process.communicate(timeout=120)[1].strip().splitlines() for process in running]
    assert all(process.returncode == 1 for process in running)
    words = [lines[-1].rpartition("]: ")[2] for lines in printed]
    assert words[0] == words[1]
    assert f"diverged at step {at}" in words[0]
