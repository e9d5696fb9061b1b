"""The fuzz of sums of squares still runs: its time limits reach into the engine's clock."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "validation" / "fuzz"


@pytest.mark.slow
def test_sums_of_squares(tmp_path):
    log = tmp_path / "log.jsonl"
    command = ["sums.py", "--n", "3", "--kind", "sparse", "--count", "2", "--seed", "1"]
    done = subprocess.run(
        [sys.executable, *command, "--timeout", "5", "--log", str(log)],
        cwd=FUZZ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 2
    assert not any("error" in row for row in rows)
