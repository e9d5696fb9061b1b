"""Studies, the longest simulations, have passed on the sources that are here.

``python tests/test_studies.py`` runs what ``tests/studies.txt`` lists, all with fixed seeds, and
records in ``tests/studies.json`` of which sources they passed.
"""

import hashlib
import json
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "tests" / "studies.json"
PYTEST = ["-m", "pytest", "-q", "-n", "logical", "--dist", "worksteal", "-m", "study"]
ROOMS = (
    "rlct/sampling",
    "rlct/criteria",
    "tests/sampling",
    "tests/criteria",
    "validation/experiments",
)


def sources():
    """The list of studies, and all files of the rooms that draw and of their tests."""
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    return sorted([ROOT / "tests" / "studies.txt", *files])


def digest(files, root=ROOT):
    """SHA-256 of their names and texts."""
    lines = [
        path.relative_to(root).as_posix().encode() + b"\n" + path.read_bytes() for path in files
    ]
    return hashlib.sha256(b"\0".join(lines)).hexdigest()


def test_the_studies_passed_on_these_sources():
    record = json.loads(RECORD.read_text("utf-8"))
    assert record["sources"] == digest(sources()), "what draws has changed: make test_study"


def test_any_change_is_seen(tmp_path):
    texts = [("x = 1", ""), ("x = 2", ""), ("", "x = 1")]
    digests = set()
    for first, second in texts:
        (tmp_path / "a.py").write_text(first)
        (tmp_path / "b.py").write_text(second)
        digests.add(digest([tmp_path / "a.py", tmp_path / "b.py"], tmp_path))
    digests.add(digest([tmp_path / "b.py"], tmp_path))
    assert len(digests) == 4


def main():
    """Run them, and write the record where all passed."""
    before, began = digest(sources()), time.time()
    code = subprocess.run([sys.executable, *PYTEST], cwd=ROOT).returncode
    if code == 0 and digest(sources()) != before:
        print("the sources have changed meanwhile: run the studies again")
        code = 1
    if code == 0:
        record = {
            "command": "python tests/test_studies.py",
            "sources": before,
            "date": time.strftime("%Y-%m-%d", time.gmtime(began)),
            "seconds": round(time.time() - began),
            "versions": {"python": platform.python_version()}
            | {name: version(name) for name in ("numpy", "scipy", "sympy", "pytest", "mici")},
        }
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
