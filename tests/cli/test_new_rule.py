"""``rlct rule new`` writes a rule whose two halves, test and row of theory work as they are."""

import re

import pytest

from rlct.cli.main import main
from tests.checkout_copy import ROOT, copy_checkout, output_of

ID = "unit-times-power"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what the steps need."""
    names = ("rlct", "theory", "tests", "docs", "pyproject.toml", "conftest.py", "README.md")
    return copy_checkout(tmp_path_factory.mktemp("checkout"), names)


@pytest.mark.slow
def test_the_steps_of_its_page(checkout):
    text = (ROOT / "docs" / "rule.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n\$ rlct (.*?)\n(.*?)```", text, re.DOTALL)
    assert shown[1] == f'rule new {ID} --title "A unit times a power"'
    words = ["rule", "new", ID, "--title", "A unit times a power"]
    printed = output_of(checkout, "-m", "rlct", *words)
    assert printed == shown[2]
    steps = re.findall(r"^  (\S.*?)(?:  .*)?$", printed, re.MULTILINE)
    assert [step.split()[0] for step in steps] == ["python"] * 3
    output_of(checkout, *steps[0].split()[1:])
    for step in steps[1:]:
        found = output_of(checkout, *step.split()[1:], "-p", "no:cacheprovider")
        assert int(re.search(r"(\d+) passed", found)[1]) > 10
    # Guides name its files, nothing is imported upwards, no linter or formatter would change it.
    output_of(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_house.py")
    written = re.findall(r"^wrote (\S+)", printed, re.MULTILINE)
    assert len(written) == 3
    for tool in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]):
        files = [name for name in written if tool != ["mypy"] or name.startswith("rlct")]
        output_of(checkout, "-m", *tool, *files)
    assert output_of(checkout, "-m", "rlct", *words, code=2) == ""


@pytest.mark.slow
def test_a_condition_that_the_checker_forgets_is_missed(checkout):
    output_of(checkout, "-m", "rlct", "rule", "new", "forgetful")
    path = checkout / "rlct" / "certificate" / "germs" / "forgetful.py"
    text = path.read_text(encoding="utf-8")
    assert "k > 0 and power in f" in text
    path.write_text(text.replace("k > 0 and power in f", "k > 0"))
    test = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/engine/test_forgetful.py"]
    assert "failed" in output_of(checkout, *test, code=1)


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
