"""``rlct sampler new`` writes a kernel that finds a tempered mean; a wrong one is seen."""

import json
import subprocess
import sys

import pytest

from rlct.cli.main import main
from tests.checkout_copy import ROOT, copy_checkout, run_in

SAMPLE = ["sample", "poly", "x**2", "--n-beta", "1000", "--method", "walk", "--json"]
EXACT = 0.5  # of K = x² within 1/2 at nβ = 1000


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what the command needs."""
    names = ("rlct", "theory/index.md", "theory/references.bib")
    return copy_checkout(tmp_path_factory.mktemp("checkout"), names)


@pytest.mark.slow
def test_a_new_kernel_finds_a_tempered_mean(checkout):
    """By five errors; with a test that is too mild the mean is above by more than that."""
    done = run_in(checkout, "-m", "rlct", "sampler", "new", "walk")
    assert (done.returncode, done.stderr) == (0, "")
    path = checkout / "rlct" / "sampling" / "kernels" / "walk.py"
    assert str(path.relative_to(checkout)) in done.stdout
    for tool in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *tool, "--config", ROOT / "pyproject.toml", path]
        subprocess.run(command, check=True, capture_output=True)

    def distance():
        answer = json.loads(run_in(checkout, "-m", "rlct", *SAMPLE).stdout)
        return abs(answer["lambda"] - EXACT) / answer["errors"]["chains"]

    assert distance() < 5
    text = path.read_text(encoding="utf-8")
    assert "log - self._log" in text
    path.write_text(text.replace("log - self._log", "0.2 * (log - self._log)"), encoding="utf-8")
    assert distance() > 5
    assert run_in(checkout, "-m", "rlct", "sampler", "new", "walk").returncode == 2
    path.unlink()


@pytest.mark.parametrize("name", ["Walk", "random walk", "hmc", "tempering", "class", ""])
def test_what_cannot_be_new(name, capsys):
    assert main(["sampler", "new", name]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("rlct: error: ")


def test_outside_a_checkout(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["sampler", "new", "walk"]) == 2
    assert f"run this in a checkout of rlct, such as {ROOT}" in capsys.readouterr().err
