"""``rlct theorem new`` writes a theorem that passes all that its page asks of one."""

import re
import subprocess
import sys

import pytest

from rlct.cli.main import main
from tests.checkout_copy import ROOT, copy_checkout, output_of

ID = "power-sum"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what the steps need."""
    names = (
        *("rlct", "theory", "tests", "pyproject.toml", "conftest.py", "README.md"),
        *("CONTRIBUTING.md", "validation/__init__.py", "validation/records.py"),
        *("validation/audit", "validation/theorems"),
    )
    return copy_checkout(tmp_path_factory.mktemp("checkout"), names)


@pytest.mark.slow
def test_the_steps_of_its_page(checkout):
    text = (ROOT / "docs" / "theorem.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n\$ rlct (.*?)\n(.*?)```", text, re.DOTALL)
    assert shown[1] == f'theorem new {ID} --title "Sum of equal powers"'
    words = ["theorem", "new", ID, "--title", "Sum of equal powers"]
    printed = output_of(checkout, "-m", "rlct", *words)
    assert printed == shown[2]
    steps = re.findall(r"^  (\S.*?)(?:  .*)?$", printed, re.MULTILINE)
    assert [step.split()[0] for step in steps] == ["rlct", "rlct", "python", "python", "python"]
    for step in steps[:4]:
        start = ["-m", "rlct"] if step.startswith("rlct") else []
        output_of(checkout, *start, *step.split()[1:])
    tests = steps[4].partition(" -k ")
    found = output_of(
        checkout, *tests[0].split()[1:], "-p", "no:cacheprovider", "-k", tests[2].strip('"')
    )
    assert int(re.search(r"(\d+) passed", found)[1]) > 15
    # It has nothing that the linter or the formatter would change.
    file = f"rlct/theorems/polynomials/{ID.replace('-', '_')}.py"
    for tool in (["check"], ["format", "--check"]):
        subprocess.run(
            [sys.executable, "-m", "ruff", *tool, file],
            cwd=checkout,
            check=True,
            capture_output=True,
        )
    assert output_of(checkout, "-m", "rlct", *words, code=2) == ""


@pytest.mark.slow
def test_a_wrong_formula_is_noticed(checkout):
    output_of(checkout, "-m", "rlct", "theorem", "new", "wrong-sum")
    path = checkout / "rlct" / "theorems" / "polynomials" / "wrong_sum.py"
    text = path.read_text(encoding="utf-8")
    assert "Fraction(n, 2 * k)" in text
    path.write_text(text.replace("Fraction(n, 2 * k)", "Fraction(n, k)"))
    found = output_of(checkout, "-m", "rlct", "theorem", "check", "wrong-sum", code=1)
    assert "refuted" in found
    path.unlink()


@pytest.mark.parametrize(
    "words",
    [
        ["Power Sum"],
        ["power_sum"],
        ["regular"],
        ["audit"],
        ["a", "--title", 'x"y'],
        [""],
        ["class"],
        ["lambda"],
    ],
)
def test_what_cannot_be_new(words, capsys):
    assert main(["theorem", "new", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rlct: error: ")
    assert err.count("\n") == 1


def test_outside_a_checkout(monkeypatch, tmp_path, capsys):
    """Nothing is written into a checkout that one does not stand in."""
    import rlct

    monkeypatch.chdir(tmp_path)
    assert main(["theorem", "new", "power-sum"]) == 2
    said = capsys.readouterr().err
    assert f"run this in a checkout of rlct, such as {ROOT}" in said
    assert said.count("\n") == 1
    monkeypatch.setattr(rlct, "__file__", str(tmp_path / "site" / "rlct" / "__init__.py"))
    assert main(["theorem", "new", "power-sum"]) == 2
    assert "run this in a checkout of rlct" in capsys.readouterr().err
