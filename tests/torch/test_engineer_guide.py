"""Scripts of docs/engineer.md whose runs are usable print what the page shows."""

import re
from pathlib import Path

import pytest

pytest.importorskip("torch")

PAGE = (Path(__file__).parents[2] / "docs" / "engineer.md").read_text(encoding="utf-8")
SCRIPT = r"<!-- {} -->\n```python\n(.*?)```\n\n```text\n(.*?)```"
ESTIMATE = re.compile(r"≈ (\S+) \[(\S+), (\S+)\]")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classifier", "lora"])
def test_a_script_prints_what_the_page_shows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """On another processor chains draw other numbers: 5 standard errors, 1 of 10⁶ runs fails."""
    code, shown = re.search(SCRIPT.format(name), PAGE, re.DOTALL).groups()
    exec(code, {})
    printed = ESTIMATE.findall(capsys.readouterr().out)
    expected = ESTIMATE.findall(shown)
    assert len(printed) == len(expected) > 0
    for (value, low, high), (lam, least, most) in zip(printed, expected, strict=True):
        # Half-widths of two runs, each about two errors.
        reach = 2.5 * max(float(high) - float(low), float(most) - float(least)) / 2**0.5
        assert abs(float(value) - float(lam)) < reach
