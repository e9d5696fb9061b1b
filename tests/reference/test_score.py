"""Scores of answers, right and wrong, and files that are no answers."""

import json
import re
from pathlib import Path

import pytest

from rlct.cli.main import main
from rlct.errors import InputError
from rlct.reference import get, problems, read_answers, score


def truth(half: float = 0.01) -> dict:
    return {
        p.id: {
            "lambda": float(p.pair.lam),
            "interval": [float(p.pair.lam) * (1 - half), float(p.pair.lam) * (1 + half)],
            "theta": p.pair.theta,
        }
        for p in problems()
    }


def test_the_truth_scores_best():
    found = score(truth()).to_dict()
    assert found["covered"] == found["intervals"] == len(problems())
    assert found["thetas_right"] == found["thetas"]
    assert found["median_error"] == 0
    assert found["loss"] == pytest.approx(0.01)
    assert found["missing"] == []
    shifted = {k: {**v, "lambda": 1.1 * v["lambda"]} for k, v in truth().items()}
    assert score(shifted).to_dict()["median_error"] == pytest.approx(0.1)


def test_a_narrow_wrong_interval_scores_worse_than_a_wide_right_one():
    wide = score({"xy": {"lambda": 0.5, "interval": [0.3, 0.7]}}).scores[0]
    narrow = score({"xy": {"lambda": 0.4, "interval": [0.39, 0.41]}}).scores[0]
    assert wide.covered
    assert not narrow.covered
    assert narrow.loss > wide.loss
    assert narrow.z < -10


def test_one_temperature_is_split_into_two_errors():
    mean = next(m for m in get("xy").means if m.n_beta == 1e3)
    found = score({"xy": {"lambda": mean.mean + 0.01, "n_beta": 1000}}).scores[0]
    assert found.sampler == pytest.approx(0.01)
    assert found.finite == pytest.approx(mean.mean - 0.5)
    assert found.finite < -0.05


def at_one_temperature(*gaps: float) -> dict:
    """Answers of a sampler at nβ = 1000, each so many of its errors off the tempered mean."""
    mean = next(m for m in get("xy").means if m.n_beta == 1e3).mean
    found = [(mean + 0.01 * gap, 0.01) for gap in gaps]
    return {
        "xy": [
            {"lambda": m, "interval": [m - 1.96 * e, m + 1.96 * e], "n_beta": 1000}
            for m, e in found
        ]
    }


def test_a_perfect_sampler_at_one_temperature_is_told_from_a_bad_one():
    good, bad = score(at_one_temperature(0.5, -1)), score(at_one_temperature(9, -12))
    assert [round(s.tempered.z, 2) for s in good.scores] == [0.5, -1.0]
    found, worse = good.to_dict()["one_temperature"], bad.to_dict()["one_temperature"]
    assert [(r["level"], r["covered"], r["intervals"]) for r in found["coverage"]] == [(0.95, 2, 2)]
    assert worse["coverage"][0]["covered"] == 0
    assert found["rms_z"] < 1 < 5 < worse["rms_z"]
    assert found["loss"] < 0.06 < 1 < worse["loss"]
    assert good.to_dict()["coverage"][0]["covered"] == 0  # none of them holds λ
    row = good.to_dict()["rows"][0]
    mean = get("xy").means[1]
    assert (row["tempered_mean"], row["tempered_mean_error"]) == (mean.mean, mean.error)
    assert row["sampler_z"] == pytest.approx(0.5, abs=1e-3)
    assert row["tempered_mean_covered"] is True
    assert score({"xy": 0.5}).to_dict()["one_temperature"] is None


def test_the_error_of_the_mean_counts():
    """An answer that is exact is within the error of a mean that is not."""
    mean = max((m for p in problems() for m in p.means), key=lambda m: m.error)
    name = next(p.id for p in problems() if mean in p.means)
    off = mean.mean + 1.5 * mean.error
    given = {"lambda": off, "interval": [off - 1e-9, off + 1e-9], "n_beta": mean.n_beta}
    found = score({name: given}).scores[0].tempered
    assert found.z == pytest.approx(1.5)
    assert found.covered
    far = mean.mean + 2.5 * mean.error
    given = {"lambda": far, "interval": [far - 1e-9, far + 1e-9], "n_beta": mean.n_beta}
    assert not score({name: given}).scores[0].tempered.covered
    assert score({name: {"lambda": off, "n_beta": mean.n_beta}}).scores[0].tempered.z is None


def test_coverage_is_counted_by_level(tmp_path, capsys):
    answers = {
        "xy": [
            {"lambda": 0.5, "interval": [0.4, 0.6], "level": 0.5},
            {"lambda": 0.3, "interval": [0.2, 0.4], "level": 0.5},
            {"lambda": 0.5, "interval": [0.4, 0.6], "level": 0.999},
        ]
    }
    found = score(answers).to_dict()
    rates = [(rate["level"], rate["covered"], rate["intervals"]) for rate in found["coverage"]]
    assert rates == [(0.5, 1, 2), (0.999, 1, 1)]
    assert (found["covered"], found["intervals"], found["coverage_interval"]) == (2, 3, None)
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(answers), encoding="utf-8")
    assert main(["reference", "score", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "1 of 2 intervals of level 50% hold λ" in printed
    assert "1 of 1 intervals of level 99.9% hold λ" in printed


def test_rows_print_the_tempered_mean(tmp_path, capsys):
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(at_one_temperature(2)), encoding="utf-8")
    assert main(["reference", "score", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "mean 0.336028 ± 2e-05, sampler +0.02 (z +2.00), finite nβ -0.164" in printed
    assert "at one nβ, against the tempered mean: 1 answer, " in printed
    assert "0 of 1 intervals of level 95% hold the tempered mean" in printed


def test_nobody_counts_the_problems_but_the_set(capsys):
    """A number in the help or on a page is the present one."""
    with pytest.raises(SystemExit):
        main(["reference", "--help"])
    text = capsys.readouterr().out
    root = Path(__file__).parents[2]
    for name in ("README.md", "theory/reference.md", "docs/sgld.md"):
        text += (root / name).read_text(encoding="utf-8")
    counts = re.findall(r"(\d+) targets", text)
    assert set(counts) <= {str(len(problems()))}


def test_runs_are_counted_one_by_one():
    report = score({"xy": [0.5, 0.4, {"lambda": 0.6}]})
    assert [round(s.relative, 3) for s in report.scores] == [0.0, -0.2, 0.2]
    assert len(report.missing) == len(problems()) - 1


def test_rows_may_name_their_problems():
    rows = [{"id": "xy", "lambda": 0.5}, {"id": "xy", "lambda": 0.4}, {"id": "xy2", "lambda": 0.2}]
    assert score(rows) == score({"xy": [0.5, 0.4], "xy2": 0.2})


def test_estimates_are_read_as_printed(capsys):
    assert main(["sample", "poly", "x**2*y**4", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert score({"xy2": printed}).scores[0].covered


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("[1, 2]", "not a JSON object"),
        ('{"kind": "estimate", "lambda": 0.3}', "of which problem"),
        ("{}", "no answer to score"),
        ("[]", "no answer to score"),
        ('[{"lambda": 1}]', "not a JSON object"),
        ('{"xy": 1, "xy": 2}', "answered twice"),
        ("{", "not JSON"),
        ('{"nothing-such": 1}', "no reference problem"),
        ('{"xyy": 1}', "do you mean xy"),
        ('{"xy": "a"}', "must be a number"),
        ('{"xy": true}', "number or an object"),
        ('{"xy": []}', "empty"),
        ('{"xy": {"theta": 1}}', "lambda is missing"),
        ('{"xy": {"lambda": NaN}}', "finite"),
        ('{"xy": 1e999}', "finite"),
        ('{"xy": {"lambda": 1, "lamda": 2}}', "unknown field"),
        ('{"xy": {"lambda": 1, "interval": [2]}}', "low, high"),
        ('{"xy": {"lambda": 1, "interval": [2, 1]}}', "ends before"),
        ('{"xy": {"lambda": 1, "level": 1}}', "level"),
        ('{"xy": {"lambda": 1, "theta": 0}}', "theta"),
        ('{"xy": {"lambda": 1, "n_beta": -1}}', "positive"),
        ('{"xy": {"lambda": 1, "error": 0}}', "positive"),
    ],
)
def test_bad_answers_have_one_clear_line(answers, message, tmp_path, capsys):
    with pytest.raises(InputError, match=message):
        read_answers(answers)
    file = tmp_path / "answers.json"
    file.write_text(answers, encoding="utf-8")
    assert main(["reference", "score", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("rlct: error: ")
    assert captured.err.count("\n") == 1


def test_commands(tmp_path, capsys):
    assert main(["reference", "list"]) == 0
    assert capsys.readouterr().out.count("\n") == len(problems()) + 1
    assert main(["reference", "list", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["problems"]) == len(problems())
    file = tmp_path / "set.json"
    assert main(["reference", "export", "--out", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert len(json.loads(file.read_text(encoding="utf-8"))["problems"]) == len(problems())
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(truth()), encoding="utf-8")
    assert main(["reference", "score", str(answers), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["covered"] == len(problems())
    assert main(["reference", "score", str(answers)]) == 0
    assert "intervals of level 95% hold λ" in capsys.readouterr().out
    assert main(["reference", "score", str(tmp_path / "missing.json")]) == 2
    assert main(["reference", "export", "--out", str(tmp_path / "no" / "set.json")]) == 2


def test_fractions_are_numbers():
    assert read_answers({"xy2": "1/4", "xy": {"lambda": " 0.5 "}})["xy2"][0].lam == 0.25
    for wrong in ("1/0", "half", "1/4/5", "-1/2", "1e5"):
        with pytest.raises(InputError, match="must be a number"):
            read_answers({"xy2": wrong})


def test_what_is_odd_is_said(capsys, tmp_path):
    path = tmp_path / "answers.json"
    known = get("xy2").means[0].n_beta
    runs = [
        {"lambda": 0.5, "interval": [0.2, 0.3]},
        {"lambda": 0.2, "n_beta": 12345.0},
        {"lambda": 0.2, "n_beta": known},
        -5e21,
    ]
    path.write_text(json.dumps({"xy2": runs}))
    assert main(["reference", "score", str(path)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "rlct: warning: xy2: lambda 0.5 is not in its interval [0.2, 0.3]"
    assert "no mean is known at n_beta 12345" in lines[1]
    assert f"{known:g}" in lines[1]
    assert lines[2] == "rlct: warning: xy2: lambda -5e+21 is not positive, as every λ is"
    assert len(lines) == 3
