"""A wrong λ of ours, planted into committed results, is a failure of ours."""

from pathlib import Path

import pytest

from rlct.validation import catalogue, record
from rlct.validation.report import assess
from rlct.validation.work import Done

ROOT = Path(__file__).parents[2] / "validation"
ENTRIES = catalogue.all_entries(ROOT)


def status(name):
    held = record.read(ENTRIES[name])
    return assess(ENTRIES[name], "full", Done(held["rows"], held["seconds"]))["status"]


def plant(monkeypatch, name, factor):
    """Multiply λ in the module of an experiment."""
    space = ENTRIES[name].experiment.judge.__globals__
    if "LAMBDA" in space:
        wrong = {model: factor * lam for model, lam in space["LAMBDA"].items()}
        monkeypatch.setitem(space, "LAMBDA", wrong)
    else:
        right = space["coefficient"]
        monkeypatch.setitem(space, "coefficient", lambda *row: factor * right(*row))


@pytest.mark.parametrize("factor", [2 / 3, 1.5])
@pytest.mark.parametrize("name", ["state-equations", "learning-curves", "model-choice"])
def test_a_wrong_coefficient_does_not_reproduce(monkeypatch, name, factor):
    assert status(name) == "reproduces"
    plant(monkeypatch, name, factor)
    assert status(name) == "refuted"
