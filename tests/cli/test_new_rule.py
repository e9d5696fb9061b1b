"""``rlct rule new`` writes a rule whose two halves, test and row of theory work as they are."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rlct.cli.main import main

ROOT = Path(__file__).parents[2]
ID = "unit-times-power"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what the steps need."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("rlct", "theory", "tests", "docs"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "conftest.py", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def run(folder, *words, code=0):
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_steps_of_its_page(checkout):
    text = (ROOT / "docs" / "rule.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n\$ rlct (.*?)\n(.*?)```", text, re.DOTALL)
    assert shown[1] == f'rule new {ID} --title "A unit times a power"'
    words = ["rule", "new", ID, "--title", "A unit times a power"]
    printed = run(checkout, "-m", "rlct", *words)
    assert printed == shown[2]
    steps = re.findall(r"^  (\S.*?)(?:  .*)?$", printed, re.MULTILINE)
    assert [step.split()[0] for step in steps] == ["python"] * 3
    run(checkout, *steps[0].split()[1:])
    for step in steps[1:]:
        found = run(checkout, *step.split()[1:], "-p", "no:cacheprovider")
        assert int(re.search(r"(\d+) passed", found)[1]) > 10
    # Guides name its files, nothing is imported upwards, no linter or formatter would change it.
    run(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_house.py")
    written = re.findall(r"^wrote (\S+)", printed, re.MULTILINE)
    assert len(written) == 3
    for tool in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]):
        files = [name for name in written if tool != ["mypy"] or name.startswith("rlct")]
        run(checkout, "-m", *tool, *files)
    assert run(checkout, "-m", "rlct", *words, code=2) == ""


@pytest.mark.slow
def test_a_condition_that_the_checker_forgets_is_missed(checkout):
    run(checkout, "-m", "rlct", "rule", "new", "forgetful")
    path = checkout / "rlct" / "certificate" / "germs" / "forgetful.py"
    text = path.read_text(encoding="utf-8")
    assert "k > 0 and power in f" in text
    path.write_text(text.replace("k > 0 and power in f", "k > 0"))
    test = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/engine/test_forgetful.py"]
    assert "failed" in run(checkout, *test, code=1)


@pytest.mark.parametrize("name", ["Power", "a_b", "eliminate", "newton", "leaves", "class", ""])
def test_what_cannot_be_new(name, capsys):
    assert main(["rule", "new", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rlct: error: ")
    assert err.count("\n") == 1


def test_outside_a_checkout(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["rule", "new", "power-of-unit"]) == 2
    assert f"run this in a checkout of rlct, such as {ROOT}" in capsys.readouterr().err
