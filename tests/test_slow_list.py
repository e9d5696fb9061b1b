"""The list of slow tests names tests that exist, so that none is left out of both runs."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("line", LINES)
def test_what_is_listed_is_there(line):
    path, _, name = line.partition("::")
    assert f"def {name.rpartition('::')[2]}(" in (ROOT / path).read_text("utf-8") or not name


def test_the_list_is_in_order_and_has_no_line_twice():
    assert sorted(set(LINES)) == LINES
