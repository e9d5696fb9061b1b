"""Studies, the longest simulations and random laws, have passed on the sources that are here.

``python tests/test_studies.py`` runs what ``tests/studies.txt`` lists, all with fixed seeds, where
sources have changed, and records in ``tests/studies.json`` of which sources they passed.
"""

import hashlib
import json
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests" / "studies.txt"
LISTED = LIST.read_text("utf-8").split()
RECORD = ROOT / "tests" / "studies.json"
PYTEST = ["-m", "pytest", "-q", "-n", "logical", "--dist", "worksteal", "-m", "study"]
#: Folders of studies, and what they are about.
GROUPS = {
    "draws": (
        ("tests/criteria", "tests/sampling", "tests/torch", "tests/validation"),
        ("rlct/criteria", "rlct/sampling", "validation/experiments"),
    ),
    "proofs": (
        ("tests/certificate", "tests/engine"),
        ("rlct/algebra", "rlct/certificate", "rlct/engine", "rlct/newton", "rlct/proof"),
    ),
}


def sources(group):
    """All files of the rooms of a group, its studies, and what these share with other tests."""
    tests, rooms = GROUPS[group]
    files = [path for room in (*tests, *rooms) for path in (ROOT / room).rglob("*.py")]
    studied = {ROOT / line.partition("::")[0] for line in LISTED}
    others = {path for path in files if path.name.startswith("test_")} - studied
    return sorted([LIST, *{*files} - others])


def digest(files, root=ROOT):
    """SHA-256 of their names and texts."""
    lines = [
        path.relative_to(root).as_posix().encode() + b"\n" + path.read_bytes() for path in files
    ]
    return hashlib.sha256(b"\0".join(lines)).hexdigest()


@pytest.mark.parametrize("group", GROUPS)
def test_the_studies_passed_on_these_sources(group):
    record = json.loads(RECORD.read_text("utf-8"))
    assert record[group]["sources"] == digest(sources(group)), f"{group} changed: make test_study"


def test_every_study_is_of_a_group():
    folders = tuple(f"{folder}/" for tests, _ in GROUPS.values() for folder in tests)
    assert [line for line in LISTED if not line.startswith(folders)] == []


def test_any_change_is_seen(tmp_path):
    texts = [("x = 1", ""), ("x = 2", ""), ("", "x = 1")]
    digests = set()
    for first, second in texts:
        (tmp_path / "a.py").write_text(first)
        (tmp_path / "b.py").write_text(second)
        digests.add(digest([tmp_path / "a.py", tmp_path / "b.py"], tmp_path))
    digests.add(digest([tmp_path / "b.py"], tmp_path))
    assert len(digests) == 4


def run(group):
    """Run the studies of a group, and return its record where all passed."""
    names = ("numpy", "scipy", "sympy", "torch", "pytest", "mici")
    versions = {"python": platform.python_version()} | {name: version(name) for name in names}
    before, began = digest(sources(group)), time.time()
    code = subprocess.run([sys.executable, *PYTEST, *GROUPS[group][0]], cwd=ROOT).returncode
    if code or digest(sources(group)) != before:
        print(f"{group}: a study failed, or the sources have changed meanwhile: run them again")
        return None
    return {
        "sources": before,
        "date": time.strftime("%Y-%m-%d", time.gmtime(began)),
        "seconds": round(time.time() - began),
        "versions": versions,
    }


def main():
    """Run the groups whose sources have changed, and write the record."""
    record = json.loads(RECORD.read_text("utf-8"))
    for group in GROUPS:
        if record.get(group, {}).get("sources") != digest(sources(group)):
            record.pop(group, None)
            if found := run(group):
                record[group] = found
            RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return int(set(record) < set(GROUPS))


if __name__ == "__main__":
    sys.exit(main())
