"""The pictures of depth and width: committed numbers, and what their page says of them."""

import importlib.util
import json
from fractions import Fraction
from pathlib import Path

import pytest

from validation.audit import all_rows

FOLDER = Path(__file__).parents[2] / "validation" / "depth"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
RESULTS = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pictures():
    spec = importlib.util.spec_from_file_location("depth_pictures", FOLDER / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_numbers_are_recomputed(pictures):
    assert pictures.results() == RESULTS


def test_the_counts_of_the_page():
    for name in ("a layer more", "a hidden unit more", "a rank more"):
        for kind, count in RESULTS[name].items():
            assert count == 0 or str(count) in PAGE, (name, kind)
    assert RESULTS["a layer more"]["rises"] == 0
    assert RESULTS["a hidden unit more"]["falls"] == 0
    assert RESULTS["a rank more"]["falls"] == 0
    for name, value in RESULTS["named"].items():
        assert name == "4 8 4" or f"| {name} | {value} |" in PAGE


def test_the_limit_of_depth():
    for row in RESULTS["tables"]["depth"]:
        r, layers, m = row["rank"], row["layers"], 10 - row["rank"]
        smooth = Fraction(r * (20 - r), 2)
        limit = smooth + Fraction(m * (m + 1), 4)
        assert Fraction(row["lambda"]) >= limit
        assert (Fraction(row["lambda"]) == limit) == (layers >= m), row
        if layers == 1:
            assert Fraction(row["lambda"]) == smooth + Fraction(m * m, 2)


def test_the_plateau_of_width():
    rows = [row for row in RESULTS["tables"]["width"] if row["hidden layers"] == 1]
    assert min(row["width"] for row in rows if row["lambda"] == "50") == 16


def test_true_tanh_units():
    shown = ", ".join(row["lambda"] for row in RESULTS["tables"]["units"])
    assert shown in PAGE


def test_the_printed_example_is_wrong_but_at_three_units():
    agree = [
        row["width"]
        for row in RESULTS["tables"]["example"]
        if Fraction(row["lambda"]) == 4 + Fraction(row["width"] - 1, 4)
    ]
    assert agree == [3]
    assert {row["lambda"] for row in RESULTS["tables"]["example"]} == {"9/2"}


def test_a_layer_that_lowers_lambda_is_counted(pictures):
    deeper, wider = (((4, 4, 4), 0), ((4, 4, 4, 4), 0)), (((4, 4), 0), ((4, 8), 0))
    assert pictures.changes([[deeper]]) == {"falls": 1, "stays": 0, "rises": 0}
    assert pictures.changes([[wider]])["rises"] == 1


def test_the_page_shows_what_is_there():
    for name in RESULTS["tables"]:
        assert f"({name}.svg)" in PAGE
        assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8").startswith("<?xml")
    rows = {row.id for row in all_rows()}
    for id in ("000-depth", "000-example", "000-example-slopes", "001-table-2"):
        assert id in rows
        assert f"`{id}`" in PAGE


def test_pictures_are_drawn(pictures):
    pytest.importorskip("matplotlib", reason="the extra plot")
    for name in pictures.TABLE_MAKERS:
        assert pictures.draw(name).axes[0].lines
