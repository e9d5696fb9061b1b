"""Scores of answers, right and wrong, and files that are no answers."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from rlct import llc, poly
from rlct.benchmark import all_problems, export_problems, get_problem, read_answers, score_answers
from rlct.benchmark.tempered import binomial_interval
from rlct.cli.main import main
from rlct.errors import InputError


def truth(half: float = 0.01) -> dict:
    return {
        p.id: {
            "lambda": float(p.pair.lam),
            "interval": [float(p.pair.lam) * (1 - half), float(p.pair.lam) * (1 + half)],
            "theta": p.pair.theta,
        }
        for p in all_problems()
    }


def test_the_truth_scores_best():
    found = score_answers(truth()).to_dict()
    assert found["covered"] == found["intervals"] == len(all_problems())
    assert found["thetas_right"] == found["thetas"]
    assert found["median_error"] == 0
    assert found["loss"] == pytest.approx(0.01)
    assert found["missing"] == []
    shifted = {k: {**v, "lambda": 1.1 * v["lambda"]} for k, v in truth().items()}
    assert score_answers(shifted).to_dict()["median_error"] == pytest.approx(0.1)


def test_a_narrow_wrong_interval_scores_worse_than_a_wide_right_one():
    wide = score_answers({"xy": {"lambda": 0.5, "interval": [0.3, 0.7]}}).scores[0]
    narrow = score_answers({"xy": {"lambda": 0.4, "interval": [0.39, 0.41]}}).scores[0]
    assert wide.covered
    assert not narrow.covered
    assert narrow.loss > wide.loss
    assert narrow.z < -10


def test_one_temperature_is_split_into_two_errors():
    mean = next(m for m in get_problem("xy").means if m.n_beta == 1e3)
    found = score_answers({"xy": {"lambda": mean.mean + 0.01, "n_beta": 1000}}).scores[0]
    assert found.sampler == pytest.approx(0.01)
    assert found.finite == pytest.approx(mean.mean - 0.5)
    assert found.finite < -0.05


def at_one_temperature(*gaps: float) -> dict:
    """Answers of a sampler at nβ = 1000, each so many of its errors off the tempered mean."""
    mean = next(m for m in get_problem("xy").means if m.n_beta == 1e3).mean
    found = [(mean + 0.01 * gap, 0.01) for gap in gaps]
    return {
        "xy": [
            {"lambda": m, "interval": [m - 1.96 * e, m + 1.96 * e], "n_beta": 1000}
            for m, e in found
        ]
    }


def test_a_perfect_sampler_at_one_temperature_is_told_from_a_bad_one():
    good, bad = (
        score_answers(at_one_temperature(0.5, -1)),
        score_answers(at_one_temperature(9, -12)),
    )
    assert [round(s.tempered.z, 2) for s in good.scores] == [0.5, -1.0]
    found, worse = good.to_dict()["one_temperature"], bad.to_dict()["one_temperature"]
    assert [(r["level"], r["covered"], r["intervals"]) for r in found["coverage"]] == [(0.95, 2, 2)]
    assert worse["coverage"][0]["covered"] == 0
    assert found["rms_z"] < 1 < 5 < worse["rms_z"]
    assert found["loss"] < 0.06 < 1 < worse["loss"]
    assert good.to_dict()["coverage"][0]["covered"] == 0  # none of them holds λ
    row = good.to_dict()["rows"][0]
    mean = get_problem("xy").means[1]
    assert (row["tempered_mean"], row["tempered_mean_error"]) == (mean.mean, mean.error)
    assert row["sampler_z"] == pytest.approx(0.5, abs=1e-3)
    assert row["tempered_mean_covered"] is True
    assert score_answers({"xy": 0.5}).to_dict()["one_temperature"] is None


def test_the_error_of_the_mean_counts():
    """An answer that is exact is within the error of a mean that is not."""
    mean = max((m for p in all_problems() for m in p.means), key=lambda m: m.error)
    name = next(p.id for p in all_problems() if mean in p.means)
    off = mean.mean + 1.5 * mean.error
    given = {"lambda": off, "interval": [off - 1e-9, off + 1e-9], "n_beta": mean.n_beta}
    found = score_answers({name: given}).scores[0].tempered
    assert found.z == pytest.approx(1.5)
    assert found.covered
    far = mean.mean + 2.5 * mean.error
    given = {"lambda": far, "interval": [far - 1e-9, far + 1e-9], "n_beta": mean.n_beta}
    assert not score_answers({name: given}).scores[0].tempered.covered
    assert (
        score_answers({name: {"lambda": off, "n_beta": mean.n_beta}}).scores[0].tempered.z is None
    )


@pytest.mark.parametrize("own", [0.01, 0.5, 1.0])
def test_the_error_of_a_mean_by_chains_is_students(own):
    """Its 11 degrees of freedom grow with the share of the answer's own error."""
    problem = get_problem("linear-32-32-32-r8")
    mean = next(m for m in problem.means if m.degrees is not None)
    degrees = 11 * (1 + own**2) ** 2
    error = own * mean.error
    bound = {0.01: 2.201, 0.5: 2.110, 1.0: 2.015}[own] * math.hypot(error, mean.error)

    def beside(gap):
        at = mean.mean + gap
        ends = [at - 1.959964 * error, at + 1.959964 * error]
        given = {"lambda": at, "interval": ends, "n_beta": mean.n_beta}
        return score_answers({problem.id: given})

    inside, outside = beside(0.999 * bound), beside(1.001 * bound)
    assert inside.scores[0].tempered.covered
    assert not outside.scores[0].tempered.covered
    row = inside.to_dict()["rows"][0]
    assert row["sampler_degrees"] == pytest.approx(degrees, rel=1e-3)
    assert score_answers(at_one_temperature(0)).to_dict()["rows"][0]["sampler_degrees"] is None


def files_of(own: float, count: int, stated: float = 1.0) -> list[dict]:
    """Summaries of files of 20 runs on each of three problems whose means are by chains.

    The sampler has no bias and ``own`` times the error of the mean, and states ``stated`` times
    its error. The mean is off by Student's t as its error says.
    """
    known = [(p, m) for p in all_problems() for m in p.means if m.degrees is not None]
    found = []
    for seed in range(count):
        rng = np.random.default_rng([11, seed])
        answers: dict[str, list] = {}
        for k in rng.choice(len(known), 3, replace=False):
            problem, mean = known[k]
            truth = mean.mean + mean.error * rng.standard_t(11)
            error = own * mean.error
            half = 1.959964 * stated * error
            answers.setdefault(problem.id, []).extend(
                {"lambda": lam, "interval": [lam - half, lam + half], "n_beta": mean.n_beta}
                for lam in truth + error * rng.standard_normal(20)
            )
        found.append(score_answers(answers).to_dict()["one_temperature"]["coverage"][0])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("own", "effective"), [(0.1, 3.1), (0.5, 4.6)])
def test_runs_that_share_the_error_of_a_mean_are_not_independent(own, effective):
    """An honest sampler is excluded in 5 % of the files at most; false alarm 1e-4.

    Counted as independent, its runs exclude it in a sixth of them.
    """
    rates = files_of(own, 300)
    limit = binom.isf(1e-4, len(rates), 0.05)
    low, high = np.array([rate["rate_interval"] for rate in rates]).T
    assert np.sum((low > 0.95) | (high < 0.95)) <= limit
    naive = [binomial_interval(rate["covered"], rate["intervals"]) for rate in rates]
    assert sum(not a <= 0.95 <= b for a, b in naive) > 1.5 * limit
    assert all(3 < rate["effective"] < effective for rate in rates)


def test_too_narrow_intervals_are_excluded_all_the_same():
    """A sampler with ten times the errors of the means, of which it states half."""
    rates = files_of(10.0, 20, stated=0.5)
    assert sum(rate["rate_interval"][1] < 0.95 for rate in rates) >= 19
    assert all(rate["effective"] > 55 for rate in rates)


def test_shared_errors_are_printed(tmp_path, capsys):
    mean = next(m for m in get_problem("linear-32-32-32-r8").means if m.degrees is not None)
    near = [mean.mean - mean.error / 10, mean.mean + mean.error / 10]
    given = {"lambda": mean.mean, "interval": near, "n_beta": mean.n_beta}
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"linear-32-32-32-r8": [given] * 20}), encoding="utf-8")
    assert main(["reference", "score", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("20 of 20 intervals of level 95% hold the tempered mean (rate 3%")
    assert lines[-1].endswith("; runs share errors of means and count as 1.0 independent ones)")
    assert "share" not in "\n".join(lines[:-1])


def test_numbers_of_numpy_are_numbers():
    plain = {"lambda": 0.25, "interval": [0.2, 0.3], "level": 0.5, "theta": 1, "n_beta": 1000}
    given = {
        "lambda": np.float32(0.25),
        "interval": np.array([0.2, 0.3]),
        "level": np.float64(0.5),
        "theta": np.int64(1),
        "n_beta": np.int64(1000),
    }
    found = score_answers({"xy2": given, "xy": np.array([0.5, 0.25]), "xyz": np.float32(0.5)})
    assert found == score_answers({"xy2": plain, "xy": [0.5, 0.25], "xyz": 0.5})
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert read_answers('{"xy": {"lambda": 1, "theta": 2.0}}')["xy"][0].theta == 2
    for wrong in (np.True_, np.float64("nan"), np.array([[0.5]])):
        with pytest.raises(InputError):
            score_answers({"xy": wrong})


def test_the_largest_numbers_have_scores():
    given = {"xy": {"lambda": 1e30, "error": 1e-30}, "xy2": {"lambda": 0, "interval": [0, 1e-300]}}
    given["tanh-2-0"] = {"lambda": 1, "interval": [0, 1e30], "level": 1e-6, "n_beta": 100}
    given["regular-20"] = {"lambda": 1, "interval": [1, 1.5], "level": 1 - 1e-16, "n_beta": 100}
    assert json.dumps(score_answers(given).to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"xy": {"lambda": 0.5, "interval": [0.5, 0.5]}}, "has no width"),
        (export_problems(), "the problems themselves"),
    ],
)
def test_what_holds_no_answer_or_no_error_is_refused(answers, told):
    with pytest.raises(InputError, match=told):
        score_answers(answers)


def test_coverage_is_counted_by_level(tmp_path, capsys):
    answers = {
        "xy": [
            {"lambda": 0.5, "interval": [0.4, 0.6], "level": 0.5},
            {"lambda": 0.3, "interval": [0.2, 0.4], "level": 0.5},
            {"lambda": 0.5, "interval": [0.4, 0.6], "level": 0.999},
        ]
    }
    found = score_answers(answers).to_dict()
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
    for name in ("docs/simulation.md", "theory/reference.md", "docs/sgld.md"):
        text += (root / name).read_text(encoding="utf-8")
    counts = re.findall(r"(\d+) targets", text)
    assert set(counts) <= {str(len(all_problems()))}


def test_runs_are_counted_one_by_one():
    report = score_answers({"xy": [0.5, 0.4, {"lambda": 0.6}]})
    assert [round(s.relative, 3) for s in report.scores] == [0.0, -0.2, 0.2]
    assert len(report.missing) == len(all_problems()) - 1


def test_rows_may_name_their_problems():
    rows = [{"id": "xy", "lambda": 0.5}, {"id": "xy", "lambda": 0.4}, {"id": "xy2", "lambda": 0.2}]
    assert score_answers(rows) == score_answers({"xy": [0.5, 0.4], "xy2": 0.2})


@pytest.mark.slow
def test_estimates_are_read_as_printed(capsys):
    assert main(["sample", "poly", "x**2*y**4", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert score_answers({"xy2": printed}).scores[0].covered


@pytest.mark.slow
def test_an_estimate_at_one_temperature_is_known_as_one():
    """Scored as λ it would be as far off as the tempered mean is."""
    options = {"num_draws": 100, "num_chains": 4, "seed": 1}
    found = llc(poly("x**2*y**2"), n_beta=1000, **options).to_dict()
    assert (found["n_beta"], type(found["n_beta"])) == (1000, float)
    (one,) = score_answers({"xy": json.loads(json.dumps(found))}).scores
    assert one.answer.n_beta == 1000
    assert abs(one.sampler) < 0.1 < -one.finite
    assert llc(poly("x**2*y**4")).to_dict()["n_beta"] is None


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("[1, 2]", "not a JSON object"),
        ('{"kind": "estimate", "lambda": 0.3}', "of which problem"),
        ("{}", "no answer to score"),
        ("[]", "no answer to score"),
        ('[{"lambda": 1}]', "answer 1 of 1 does not name its problem by id"),
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
        ('{"xy": {"lambda": 0.5, "interval": [0.4, 0.6], "level": 1e-18}}', "1e-06 at least"),
        ('{"xy": {"lambda": 1e308, "error": 1e-308}}', "below 1e\\+30 in size"),
        ('{"xy": {"lambda": 1, "error": 1e-308}}', "error must be 1e-30 at least"),
        ('{"xy": {"lambda": 1, "theta": 2.5}}', "theta must be a positive integer"),
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
    assert capsys.readouterr().out.count("\n") == len(all_problems()) + 1
    assert main(["reference", "list", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["problems"]) == len(all_problems())
    file = tmp_path / "set.json"
    assert main(["reference", "export", "--out", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert len(json.loads(file.read_text(encoding="utf-8"))["problems"]) == len(all_problems())
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(truth()), encoding="utf-8")
    assert main(["reference", "score", str(answers), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["covered"] == len(all_problems())
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
    known = get_problem("xy2").means[0].n_beta
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
