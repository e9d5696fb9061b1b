"""The lists of slow tests and studies name tests that exist: none is left out of all runs."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LISTS = {
    name: (ROOT / "tests" / name).read_text("utf-8").splitlines()
    for name in ("slow.txt", "studies.txt")
}


@pytest.mark.parametrize("line", [line for lines in LISTS.values() for line in lines])
def test_what_is_listed_is_there(line):
    path, _, name = line.partition("::")
    assert path.startswith("tests/")  # elsewhere make test_slow does not look
    assert f"def {name.rpartition('::')[2]}(" in (ROOT / path).read_text("utf-8") or not name


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_in_order_and_has_no_line_twice(name):
    assert sorted(set(LISTS[name])) == LISTS[name]


def test_no_test_is_in_two_lists():
    assert not set(LISTS["slow.txt"]) & set(LISTS["studies.txt"])
