"""A wrong λ of ours, planted into committed results, is a failure of ours."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import rlct
from rlct.errors import InputError
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
    if name == "lit-factorisations":
        model = rlct.model

        def wrong(*words, **sizes):
            return SimpleNamespace(lam=factor * model(*words, **sizes).lam)

        monkeypatch.setattr(rlct, "model", wrong)
    elif "LAMBDA" in space:
        changed = {model: factor * lam for model, lam in space["LAMBDA"].items()}
        monkeypatch.setitem(space, "LAMBDA", changed)
    else:
        right = space["coefficient"]
        monkeypatch.setitem(space, "coefficient", lambda *row: factor * right(*row))


NAMES = ["state-equations", "learning-curves", "model-choice", "lit-factorisations"]


@pytest.mark.parametrize("factor", [2 / 3, 1.5])
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_coefficient_does_not_reproduce(monkeypatch, name, factor):
    assert status(name) == "reproduces"
    plant(monkeypatch, name, factor)
    assert status(name) == "refuted"


def test_a_record_that_is_cut_short_is_one_clear_line(monkeypatch, tmp_path):
    entry = ENTRIES["sgd-noise"]
    whole = entry.beside(".json").read_text(encoding="utf-8")
    torn = tmp_path / "noise.json"
    monkeypatch.setattr(type(entry), "beside", lambda self, suffix: torn)
    for text in (whole[:500], whole.replace('"differs"', '"maybe"'), "[]"):
        torn.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"noise\.json is no record of an experiment"):
            record.read(entry)
