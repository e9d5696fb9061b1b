"""Hostile input, a little of it: the study in validation/hostile runs ten thousand strings."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "validation" / "hostile"


def python(*words):
    """Run Python where the package and the study can be imported."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())},
    )


@pytest.mark.slow
@pytest.mark.parametrize(("study", "count"), [("command_line.py", 200), ("page.py", 100)])
def test_nothing_gives_way(study, count, tmp_path):
    report = tmp_path / "report.json"
    done = python(FOLDER / study, "--seed", 20_000, "--count", count, "--report", report)
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["failed"] == []
    assert found["files touched"] == []
    assert found["cases"] == count
    assert done.returncode == 0, done.stderr


PLANTED = """
import sys, time
sys.path[:0] = [".", "../fuzz"]
import command_line
import rlct.cli.main

def crash(arguments):
    raise TypeError("lost")

def write(arguments):
    open("/dev/full", "w").close()
    return 0

def start(arguments):
    import subprocess
    subprocess.run(["true"])
    return 0

def hang(arguments):
    while True:
        pass

def die(arguments):
    import os, signal
    os.kill(os.getpid(), signal.SIGSEGV)

def chatter(arguments):
    sys.stderr.write("one\\nrlct: error: two\\n")
    return 2

def hoard(arguments):
    kept = []
    while True:
        kept.append(bytearray(2**26))

command_line.CASE_SECONDS, command_line.CASE_MEMORY = 1, 300
for plant in (crash, write, start, hang, die, chatter, hoard):
    rlct.cli.main.main = plant
    rows = list(command_line.run(1, range(1)))
    print(plant.__name__, "|", *(row["failure"] for row in rows))
rlct.cli.main.main = lambda arguments: 0
print("nothing", "|", *(row["failure"] for row in command_line.run(1, range(3))))
"""


@pytest.mark.slow
def test_planted_faults_of_commands_are_found():
    done = python("-c", PLANTED)
    found = dict(line.split(" | ", 1) for line in done.stdout.splitlines() if " | " in line)
    assert found["crash"].startswith("TypeError: lost")
    assert "writes '/dev/full'" in found["write"]
    assert "subprocess.Popen" in found["start"]
    assert found["hang"] == "hangs"
    assert found["die"] == "died: SIGSEGV"
    assert found["chatter"] == "not one line"
    assert found["hoard"].startswith("MemoryError")
    assert found["nothing"].strip() == "", done.stderr


JUDGED = """
import sys
sys.path[:0] = [".", "../fuzz"]
import page
policy = b"\\r\\nContent-Security-Policy: default-src 'none'"
def judge(body, head=b"HTTP/1.0 200 OK" + policy, seconds=0):
    html = b"\\r\\nContent-Type: text/html\\r\\n\\r\\n<script src='/page.js'></script>"
    print(page.judge(head + html + body, seconds)[1] or "fine")
judge(b"<p>x</p>")
judge(b"<p onclick=x>x</p>")
judge(b"<iframe>")
judge(b"<script>alert(1)</script>")
judge(b"<img src=http://example.org/x>")
judge(b"<a href=javascript:x>x</a>")
judge(b"Traceback (most recent call last)")
judge(b"", b"HTTP/1.0 200 OK")
judge(b"No answer<p>oops</p>", b"HTTP/1.0 500 Internal Server Error" + policy)
judge(b"", seconds=60)
"""


def test_planted_faults_of_pages_are_found():
    fine, *wrong = python("-c", JUDGED).stdout.splitlines()
    assert fine == "fine"
    assert len(wrong) == 9
    assert "fine" not in wrong
