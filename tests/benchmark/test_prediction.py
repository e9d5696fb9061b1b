"""Free energies from poles against integrals by other programs, and planted wrong poles."""

import json
import re
from dataclasses import replace
from itertools import count
from math import pi

import numpy as np
import pytest

import rlct
from rlct.answers.result import Result
from rlct.benchmark import prediction as prediction_module
from rlct.benchmark.prediction import means_by_poles, predict_sizes
from rlct.cli.main import main

#: E[nK] and −log Z by an adaptive quadrature of another program, N(0, 1)².
CUSP = {
    10: (0.326487, 1.535094),
    30: (0.34350, 1.90361),
    100: (0.35703, 2.32575),
    1000: (0.374057, 3.169130),
    10000: (0.38476, 4.04359),
}


@pytest.fixture(scope="module", name="cusp")
def fixture_cusp():
    result = rlct.ideal(["x**2-y**3"])
    poles = result.poles()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Result, "poles", lambda self: poles)
        return result, predict_sizes(result, np.array([*CUSP], dtype=float)), poles


def largest_error(prediction, count, sizes=(100, 1000, 10000)):
    """Of E[nK] from so many poles, beside the other program."""
    return max(
        abs(row["predicted_mean"][count - 1] - CUSP[int(row["n"])][0])
        for row in prediction["rows"]
        if row["n"] in sizes
    )


def test_quadrature_is_that_of_the_other_program(cusp):
    for row in cusp[1]["rows"]:
        mean, free_energy = CUSP[int(row["n"])]
        assert row["mean"] == pytest.approx(mean, abs=1e-5)
        assert -row["log_z"] == pytest.approx(free_energy, abs=2e-5)
        assert row["generalisation"] == row["mean"] / row["n"]
        # The last term tells how far off the sum is.
        assert abs(row["predicted_log_z"][-1] + free_energy) < row["last_term"] + 2e-5


def test_three_poles_of_the_cusp(cusp):
    """λ alone is off by 0.043 at n = 1000, three poles by less than 1e-4."""
    assert largest_error(cusp[1], 1, [1000]) == pytest.approx(0.0426, abs=1e-4)
    assert largest_error(cusp[1], 3, [1000]) < 1e-4
    assert largest_error(cusp[1], 5) < 3e-4
    coefficients = [term["c1"] for term in cusp[1]["terms"][:4]]
    # The second is an integral along the curve: x = y^(3/2), by finite parts.
    other = [0.5280122, -0.37567669, -0.042444133, 0.0062152345]
    assert coefficients == pytest.approx(other, abs=1e-4)
    assert [term["fitted"] for term in cusp[1]["terms"]] == [False, True, False, False, False]


@pytest.mark.parametrize(("changed", "factor"), [(0, 1.1), (6, 1.5), (None, 0)])
def test_a_planted_wrong_pole_is_seen(cusp, monkeypatch, changed, factor):
    """Coefficients that are too large, and a pole that is left out."""
    poles = list(cusp[2])
    if changed is None:
        del poles[1]
    else:
        table = [
            c._replace(low=factor * c.low, high=factor * c.high) for c in poles[changed].functional
        ]
        poles[changed] = replace(poles[changed], functional=tuple(table))
    monkeypatch.setattr(Result, "poles", lambda self: tuple(poles))
    sizes = np.array([100.0, 1000.0, 10000.0])
    if changed != 6:
        with pytest.raises(rlct.InputError, match="do not tell Z at n"):
            predict_sizes(cusp[0], sizes)
    else:
        prediction = predict_sizes(cusp[0], sizes)
        assert largest_error(prediction, 3) > 1.5 * largest_error(cusp[1], 3)


def test_a_double_pole_and_a_germ_without_curves():
    product = predict_sizes(rlct.poly("x**2*y**2"), np.array([100.0, 1000.0]))
    (term,) = product["terms"]
    assert term["c2"] == pytest.approx(1 / (2 * pi), rel=1e-12)
    assert term["c1"] == pytest.approx((np.log(2) - np.euler_gamma) / pi, abs=1e-4)
    exact = [0.35420383, 0.39027266]  # by a Bessel function
    assert [row["mean"] for row in product["rows"]] == pytest.approx(exact, abs=1e-5)
    one_pole = [row["predicted_mean"][0] for row in product["rows"]]
    assert one_pole == pytest.approx([0.3529529, 0.3901477], abs=1e-4)
    bowl = predict_sizes(rlct.poly("x**2+y**4"), np.array([100.0, 1000.0]))
    assert not any(term["fitted"] for term in bowl["terms"])
    five = [row["predicted_mean"][4] for row in bowl["rows"]]
    assert five == pytest.approx([0.739230508, 0.747094982], abs=1e-8)


def test_walls_and_points():
    """A half of a symmetric domain, and a point elsewhere, have the same means."""
    plain, half = (rlct.poly("x**4*y**2", nonneg=names) for names in ([], ["y"]))
    moved = rlct.poly("x**4*(y-1)**2", at={"y": 1})
    rows = [predict_sizes(result, np.array([1000.0]))["rows"][0] for result in (plain, half, moved)]
    for row in rows[1:]:
        assert row["mean"] == pytest.approx(rows[0]["mean"], abs=1e-5)
    first = [predict_sizes(result, np.array([10.0]))["terms"][0]["c1"] for result in (plain, moved)]
    assert first[0] == pytest.approx(first[1], abs=1e-6)


def test_the_command(tmp_path, capsys):
    picture = tmp_path / "cusp.svg"
    words = ["predict", "x**2+2*y**2", "--n", "10..1000"]
    assert main([*words, "--plot", str(picture)]) == 0
    shown = capsys.readouterr().out
    assert "E[nK]" in shown
    assert "z = -1: C₁ = 0.3535534 (from its functional)" in shown  # 1/√8: Z ~ 1/(n√8)
    assert picture.read_text("utf-8").startswith("<?xml")
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["kind"], answer["lambda"]) == ("prediction", "1")
    assert [row["n"] for row in answer["rows"]] == [10, 32, 100, 316, 1000]
    assert main(["predict", "x**2*y**2*z**2"]) == 2
    assert "two variables" in capsys.readouterr().err
    assert main(["predict", "x**2", "--n", "0..10"]) == 2


def test_a_timeout_ends_it(monkeypatch, capsys):
    """Poles and quadrature, however long they would take."""
    monkeypatch.setattr(
        prediction_module, "predict_sizes", lambda *_: [n for n in count() if n < 0]
    )
    assert main(["predict", "x**2+2*y**2", "--timeout", "0.01"]) == 3
    assert "--timeout was over" in capsys.readouterr().err


def test_what_poles_do_not_tell_is_refused():
    """The candidates of the second divisor of a degenerate germ are open."""
    with pytest.raises(rlct.InputError, match="do not tell Z at n"):
        predict_sizes(rlct.ideal(["(y-x**2)**2-x**5"]), np.array([100.0]))
    with pytest.raises(rlct.InputError, match="without quadrature: it needs"):
        predict_sizes(rlct.ideal(["x**14+x**7*y**11+x**3*y**17"]), np.array([100.0]))


def in_numbers(text):
    """Predicted and sampled means of a line."""
    return [
        tuple(map(float, row)) for row in re.findall(r"([\d.]+) at nβ.*?sampled ([\d.]+)", text)
    ]


def test_means_of_the_poles_stand_beside_sampled_ones(capsys):
    """λ̂ = 0.34 for λ = 1/2 explains itself; in a box the mean is another than under N(0, 1)."""
    assert main(["check", "poly", "x**2*y**2"]) == 0
    (low, sampled_low), (high, sampled_high) = in_numbers(capsys.readouterr().out)
    assert (low, high) == pytest.approx((sampled_low, sampled_high), abs=1e-4)
    assert low == pytest.approx(0.342, abs=1e-3)  # at nβ = 1260
    assert high == pytest.approx(0.4681, abs=1e-4)  # at 9·10¹³: 1/2 less 1/(log nβ + c)
    assert main(["sample", "poly", "x**2*y**2", "--n-beta", "1000"]) == 0
    text = capsys.readouterr().out
    ((mean, sampled),) = in_numbers(text)
    assert mean == pytest.approx(0.33603, abs=1e-3)  # by quadrature
    assert f"{sampled:.4g}" in text.splitlines()[0]
    assert "Poles " in text


@pytest.mark.parametrize(
    ("question", "settings"),
    [
        (rlct.poly("x**2*y**2"), {"localization": 5.0}),  # another prior
        (rlct.poly("(x-y)**2"), {}),  # its curve leaves the box at corners
        (rlct.ideal(["(y-x**2)**2-x**5"]), {}),  # open candidates close by
        (rlct.poly("x**2*y**2*z**2"), {}),
        (rlct.poly("x**4*y**2+x**2*y**6"), {}),  # the terms are not enough yet at this nβ
    ],
)
def test_nothing_is_said_where_the_poles_do_not_tell(question, settings):
    estimate = rlct.llc(question, n_beta=1000.0, num_draws=50, progress=False, **settings)
    assert means_by_poles(question, estimate) == ""


def test_a_wrong_coefficient_in_a_box_is_not_shown(monkeypatch):
    """As twice that of a pole would be, and a wall in y has its box in a root of y."""
    question = rlct.poly("x**2+y**4")
    estimate = rlct.llc(question, progress=False)
    assert means_by_poles(question, estimate)
    right = prediction_module.pole_table

    def doubled(*words, **options):
        poles = right(*words, **options)
        table = [c._replace(low=2 * c.low, high=2 * c.high) for c in poles[0].functional]
        return (replace(poles[0], functional=tuple(table)), *poles[1:])

    monkeypatch.setattr(prediction_module, "pole_table", doubled)
    assert means_by_poles(question, estimate) == ""
    walled = rlct.poly("x**4*y**2", nonneg=["y"])
    monkeypatch.undo()
    assert means_by_poles(walled, rlct.llc(walled, progress=False)) == ""
    at_one = rlct.llc(walled, n_beta=1e4, num_draws=50, progress=False)
    assert means_by_poles(walled, at_one)
