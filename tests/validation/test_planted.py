"""A wrong λ of ours, planted into the calculator, is seen in the committed results."""

from pathlib import Path

import pytest

import rlct
from rlct.cli.main import main
from rlct.errors import InputError
from validation.framework import catalogue, record
from validation.framework.estimate import Estimate
from validation.framework.report import assess
from validation.framework.work import Done

ROOT = Path(__file__).parents[2] / "validation"
ENTRIES = catalogue.all_entries(ROOT)

#: λ of ours that is computed in an experiment, and not by `rlct`: the function, and what it gives.
OWN = {
    "001-table-2": "half_rank",
    "grokking-stages": "memorising",
    "grokking-regimes": "predictions",
}
#: What puts no λ of ours on trial, and why.
NO_LAMBDA = {
    "001-degeneracy": "ranks of Fisher matrices and Hessians alone",
    "grokking-data": "test accuracies alone",
    "grokking-severity": "estimates at trained weights, whose λ is not known",
    "grokking-size": "estimates at trained weights, whose λ is not known",
    "grokking-trajectory": "estimates at trained weights, whose λ is not known",
    "grokking-transformer": "estimates at trained weights, whose λ is not known",
    "grokking-variations": "estimates at trained weights, whose λ is not known",
    "sgd-convergence": "times alone",
    "sgd-escape": "rates of escape alone",
    "sgd-noise": "covariances alone",
    "sgd-valley": "drifts alone",
    "004-failures": "estimates against exact means at the same nβ",
    "004-fluctuation": "ν alone, which is d/2 in regular models",
    "004-minima": "estimates at trained weights, whose λ is not known",
    "lit-ranks": "λ enters the run, as the penalty of sBIC, and not what is judged",
}
NAMES = [name for name in ENTRIES if name not in NO_LAMBDA]


def judged(name):
    entry = ENTRIES[name]
    held = record.read(entry)
    done = Done(held["rows"], held["seconds"])
    return assess(entry, "full", done, record.verdicts(entry))["status"]


def scaled(value, factor):
    parts = [one if one is None else factor * one for one in value] if isinstance(
        value, tuple) else factor * value  # fmt: skip
    return tuple(parts) if isinstance(value, tuple) else parts


def plant(monkeypatch, name, factor):
    """Multiply every λ that `rlct` answers."""
    if name in OWN:
        space = ENTRIES[name].experiment.judge.__globals__
        right = space[OWN[name]]
        monkeypatch.setitem(space, OWN[name], lambda *given: scaled(right(*given), factor))
        return
    lam = rlct.Result.lam.fget

    def wrong(result):
        value = lam(result)
        return value if value is None else factor * value

    monkeypatch.setattr(rlct.Result, "lam", property(wrong))


def test_every_experiment_is_listed_once():
    assert set(NO_LAMBDA) <= set(ENTRIES)
    assert set(OWN) <= set(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [0.5, 0.85, 1.15, 2.0])
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_coefficient_does_not_reproduce(monkeypatch, name, factor):
    plant(monkeypatch, name, factor)
    assert judged(name) == "refuted"


@pytest.mark.parametrize("name", ["001-volume", "004-architectures", "model-choice"])
def test_a_wrong_multiplicity_does_not_reproduce(monkeypatch, name):
    """Where a logarithm is part of what is expected."""
    theta = rlct.Result.theta.fget
    monkeypatch.setattr(rlct.Result, "theta", property(lambda result: theta(result) + 1))
    assert judged(name) == "refuted"


@pytest.mark.parametrize("name", NO_LAMBDA)
def test_no_coefficient_is_on_trial(monkeypatch, name):
    plant(monkeypatch, name, 2.0)
    entry = ENTRIES[name]
    findings = entry.experiment.judge(entry.experiment.full, record.read(entry)["rows"])
    checks = [one for finding in findings for one in finding.checks]
    assert not any(isinstance(one, Estimate) for one in checks)
    assert judged(name) == "reproduces"


def test_a_torn_record_is_told_before_any_work(monkeypatch, tmp_path, capsys):
    torn = tmp_path / "noise.json"
    torn.write_text("{", encoding="utf-8")
    monkeypatch.setattr(catalogue.Entry, "beside", lambda self, suffix: torn)
    assert main(["validate", "sgd-noise", "--output", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "noise.json is no record of an experiment" in said
    assert not list((tmp_path / "out" / "units").glob("*"))


def test_a_record_that_is_cut_short_is_one_clear_line(monkeypatch, tmp_path):
    entry = ENTRIES["sgd-noise"]
    whole = entry.beside(".json").read_text(encoding="utf-8")
    torn = tmp_path / "noise.json"
    monkeypatch.setattr(type(entry), "beside", lambda self, suffix: torn)
    for text in (whole[:500], whole.replace('"differs"', '"maybe"'), "[]"):
        torn.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"noise\.json is no record of an experiment"):
            record.read(entry)
