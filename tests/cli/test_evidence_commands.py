"""``rlct evidence``: the numbers are those of Python, errors are one line."""

import json
import math

import numpy as np
import pytest

import rlct
from rlct.criteria.fluctuation import singular_fluctuation


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=20)
    w = x.mean() + rng.normal(size=(2, 150, 1)) / np.sqrt(20)
    table = -((x - w) ** 2) / 2 - np.log(2 * np.pi) / 2
    np.save(tmp_path / "a.npy", table)
    np.savez(tmp_path / "a.npz", log_likelihood=table, other=x)
    np.savez(tmp_path / "one.npz", anything=table)
    np.savez(tmp_path / "two.npz", x=x, y=x)
    np.savetxt(tmp_path / "a.csv", table.reshape(300, 20), delimiter=",", header="a,b", comments="")
    np.save(tmp_path / "object.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.save(tmp_path / "complex.npy", table + 0j)
    np.save(tmp_path / "few.npy", table[:, :3])
    np.save(tmp_path / "infinite.npy", np.where(table < -3, -np.inf, table * 3))
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "ragged.csv").write_text("1,2\n3\n")
    (tmp_path / "word.csv").write_text("1,2\n3,x\n")
    (tmp_path / "index.csv").write_text(",a\n" + "".join(f"{k},-{k}.5\n" for k in range(30)))
    numbers = ",".join(map(str, range(20)))
    flat = table.reshape(300, 20)
    np.savetxt(tmp_path / "pandas.csv", flat, delimiter=",", header=numbers, comments="")
    (tmp_path / "nan.csv").write_text("1,2\n" * 30 + "nan,2\n")
    (tmp_path / "bad.npz").write_bytes(b"zz")
    (tmp_path / "bad.npy").write_bytes(b"zz")
    (tmp_path / "text.txt").write_text("1")
    (tmp_path / "folder.npy").mkdir()
    return tmp_path, table


def one(call, *arguments):
    code, out, err = call("evidence", *arguments, "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    answer = json.loads(out)
    assert answer["schema"] == "rlct/1"
    assert isinstance(answer["warnings"], list)
    return answer


@pytest.mark.parametrize("name", ["waic", "loo", "wbic"])
def test_files(call, files, name):
    folder, table = files
    right = getattr(rlct, name)(table)
    for file in ("a.npy", "a.npz", "one.npz", "a.csv", "pandas.csv"):
        answer = one(call, name, str(folder / file))
        assert answer["kind"] == name
        # In the .csv the chains are one, which changes errors and the tail that is smoothed.
        assert answer["value"] == pytest.approx(right.value, abs=1e-4 if "csv" in file else 0)
        assert answer["error"] == pytest.approx(right.error, rel=0.3 if "csv" in file else 1e-12)
    code, out, _ = call("evidence", name, str(folder / "a.npy"))
    assert code == 0
    assert out.startswith(f"{name} = ")


def test_options_of_files(call, files):
    folder, table = files
    path = str(folder / "a.npy")
    assert one(call, "waic", path, "--beta", "2")["value"] == rlct.waic(table, beta=2).value
    answer = one(call, "loo", path, "--method", "importance")
    assert answer["value"] == rlct.loo(table, method="importance").value
    answer = one(call, "wbic", path, "--baseline", "20", "--beta", "0.5")
    assert answer["lambda"] == rlct.wbic(table, beta=0.5, baseline=20).details["lambda"]
    answer = one(call, "fluctuation", path, "--beta", "2", "--observations", "40")
    right = singular_fluctuation(table, beta=2, observations=40)
    assert (answer["value"], answer["data_error"]) == (right.value, right.data_error)
    code, out, err = call("evidence", "wbic", path, "--beta", "30")
    assert (code, out) == (2, "")
    assert err.startswith("rlct: error: draws at β = 30 cannot be weighted to 1/log n = ")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("two.npz", "2 arrays and none called log_likelihood: x, y"),
        ("object.npy", "no array of numbers"),
        ("complex.npy", "real numbers"),
        ("few.npy", "3 draws a chain"),
        ("infinite.npy", "-inf at chain"),
        ("empty.csv", "no rows"),
        ("ragged.csv", "line 2 has 1 entries"),
        ("index.csv", "the first column numbers the draws"),
        ("word.csv", "'x' in line 2 is not a number"),
        ("nan.csv", "nan at chain 0, draw 30, observation 0"),
        ("bad.npz", "no array of numbers"),
        ("bad.npy", "no array of numbers"),
        ("text.txt", "does not end in .npy, .npz, .csv"),
        ("earnings-earn_height", "a name of posteriordb is no data"),
        ("missing.csv", "No such file"),
        ("folder.npy", "cannot read"),
    ],
)
def test_bad_files(call, files, file, message):
    code, out, err = call("evidence", "loo", str(files[0] / file))
    assert (code, out) == (2, "")
    assert err.startswith("rlct: error: ")
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize(
    ("names", "columns", "message"),
    [
        ("lp__", [-40.5], "not observations, leave these columns out: lp__"),
        ("chain,draw", [1, "k"], "leave these columns out: chain, draw"),
        ('".chain",".iteration"', [1, "k"], "leave these columns out: .chain, .iteration"),
        ("Index,accept_stat__", [0, 0.9], "leave these columns out: Index, accept_stat__"),
        ("k", ["k"], "the first column numbers the draws"),
        ("a,k", [-0.5, "k"], "column 2 numbers the draws"),
        ("drawn,chains,__x", [-0.5, 1, 2], None),
    ],
)
@pytest.mark.parametrize("first", [0, 1, 1001])
def test_columns_that_are_no_observations_are_refused(
    call, tmp_path, names, columns, message, first
):
    """Two chains one below the other, numbered from 0, from 1 or from the end of a warm-up on."""
    lines = [f"{names},y1,y2"]
    for k in [*range(30), *range(30)]:
        shown = [first + k if cell == "k" else cell for cell in columns]
        lines.append(",".join(map(str, [*shown, -1 - math.sin(7 * k), -2 - math.cos(k)])))
    path = tmp_path / "draws.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    code, out, err = call("evidence", "waic", str(path))
    if message is None:
        assert code == 0
        return
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_curve(call):
    answer = one(call, "curve", "linear 5 3 5 --rank 1", "--n", "10,1000")
    assert answer["lambda"] == "8"
    assert answer["rows"][1] == {"n": 1000, "generalisation": 0.008}
    for question in ("1/2,2", "poly x**2*y**2"):
        answer = one(call, "curve", question, "--n", "100")
        assert (answer["lambda"], answer["theta"]) == ("1/2", 2)
        assert set(answer["rows"][0]) == {"n", "generalisation", "with_logarithm"}
    answer = one(call, "curve", "1/4", "--n", "100", "--nu", "1/8", "--beta", "2")
    assert answer["coefficients"]["generalisation"] == "0.1875"
    code, out, _ = call("evidence", "curve", "1/4", "--n", "100", "--nu", "1/8")
    assert code == 0
    assert out.splitlines()[0] == "λ = 1/4, θ = 1"
    _, out, _ = call("evidence", "curve", "1/2,2", "--n", "3")
    assert "with_logarithm" not in out
    assert out.splitlines()[-1].startswith("warning: n = 3: too small")


def test_a_transition_where_the_expansion_means_nothing_is_told(call):
    """At n = 2.7 log log n is 0; the other crossing is in order."""
    answer = one(call, "transition", "0.001,2,3", "0,2,1")
    assert [round(n, 1) for n in answer["critical"]] == [2.7, 4245.4]
    assert answer["warnings"][0].startswith("n = 2.72199: too small for the expansion")
    _, out, _ = call("evidence", "transition", "0.001,2,3", "0,2,1")
    assert "warning: n = 2.72199: too small" in out
    assert one(call, "transition", "0.01,1", "0,2")["warnings"] == []


def test_transition(call):
    answer = one(call, "transition", "0.01,1", "0,2")
    assert answer["critical"] == [pytest.approx(647.2775)]
    assert len(answer["phases"]) == 2
    same = one(call, "transition", "0.01,linear 1 1 --rank 0", "0,linear 2 2 --rank 0")
    assert same["critical"][0] == pytest.approx(
        one(call, "transition", "0.01,1/2", "0,2")["critical"][0]
    )
    code, out, _ = call("evidence", "transition", "--", "-0.3,1", "-0.31,2")
    assert code == 0
    assert out.startswith("n < 647.278: loss -0.3, λ = 1, θ = 1\nn > 647.278: ")


def test_sbic(call):
    arguments = (
        "sbic",
        "linear 4 {model} 4 --rank {truth}",
        "--sizes",
        "0..2",
        "--null",
        "--log-likelihood=-610,-560,-552",
        "--n",
        "100",
    )
    answer = one(call, *arguments)
    table = [[entry["lambda"] for entry in row] for row in answer["coefficients"]]
    assert table == [["0"], ["2", "7/2"], ["7/2", "5", "6"]]
    assert answer["coefficients"][2][1] == {"lambda": "5", "theta": 2}
    rows = [[(0, 1)], *([rlct.linear([4, h, 4], r).pair for r in range(h + 1)] for h in (1, 2))]
    right = rlct.sbic([-610, -560, -552], rows, 100)
    assert [model["sbic"] for model in answer["models"]] == list(right.sbic)
    code, out, _ = call("evidence", *arguments, "--prior", "1,1,100")
    assert code == 0
    assert "P(sBIC)" in out
    code, out, _ = call("evidence", *(a.replace("-552", "-562") for a in arguments))
    assert "fits worse" in out
    mixtures = one(
        call,
        "sbic",
        "model mixture --components {model} --true {truth}",
        *("--sizes", "1,2", "--log-likelihood=-500,-490", "--n", "200"),
    )
    assert mixtures["best"] in ("1", "2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("curve", "1/0", "--n", "10"), "not a number"),
        (("curve", "", "--n", "10"), "neither λ nor a question"),
        (("curve", "1/2,0", "--n", "10"), "θ must be a positive integer"),
        (("curve", "linear 5 1..3 5 --rank 1", "--n", "10"), "has a range"),
        (("curve", "linear 5 3 5", "--n", "10"), "rank of the true map is missing"),
        (("curve", "linear '5", "--n", "10"), "No closing quotation"),
        (("curve", "linear 5 3 5 --rank 1 --check", "--n", "10"), "--check cannot be part"),
        (("curve", "1/2", "--n", "ten"), "100,1000"),
        (("curve", "1/2", "--n", "0"), "integer from 1 on"),
        (("curve", "1/2", "--n", "10", "--beta", "2"), "needs ν"),
        (("curve", "1/2", "--n", "10", "--nu", "x"), "is not a number"),
        (("transition", "0.1,1"), "two basins or more"),
        (("transition", "0.1", "0.2,1"), "LOSS,QUESTION"),
        (("transition", "x,1", "0.2,1"), "is a number, not 'x'"),
        (("transition", "nan,1", "0.2,1"), "finite number"),
        (("transition", "0.1,1", "0.1,1"), "same free energy"),
        (
            (
                "sbic",
                "linear 4 2 4 --rank 1",
                "--sizes",
                "1..2",
                "--log-likelihood=1,2",
                "--n",
                "9",
            ),
            "{model}",
        ),
        (
            ("sbic", "{model} {truth}", "--sizes", "2..1", "--log-likelihood=1", "--n", "9"),
            "increasing range",
        ),
        (
            ("sbic", "{model} {truth}", "--sizes", "0..99", "--log-likelihood=1", "--n", "9"),
            "50 at most",
        ),
        (
            ("sbic", "{model} {truth}", "--sizes", "1..2", "--log-likelihood=1", "--n", "9"),
            "1 log-likelihoods for 2",
        ),
        (
            ("sbic", "{model} {truth}", "--sizes", "1", "--log-likelihood=x", "--n", "9"),
            "list of numbers",
        ),
        (
            (
                "sbic",
                "linear 4 {model} 4 --rank {truth}",
                "--sizes",
                "1",
                "--log-likelihood=nan",
                "--n",
                "9",
            ),
            "finite",
        ),
    ],
)
def test_bad_questions(call, arguments, message):
    code, out, err = call("evidence", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("rlct: error: ")
    assert err.count("\n") == 1
    assert message in err


OPEN = "model mixture --components 3 --true 2 --trials 3 --concentration 1/2"


@pytest.mark.parametrize(
    "arguments",
    [
        ("curve", OPEN, "--n", "10"),
        ("transition", "0.1,3/2", f"0.01,{OPEN}"),
        ("sbic", "network {model}{truth}", "--sizes", "1", "--log-likelihood=1", "--n", "9"),
    ],
)
def test_an_open_question_inside_is_named_with_the_code_of_bounds(call, arguments):
    code, out, err = call("evidence", *arguments)
    assert (code, err) == (3, "")
    question = OPEN if OPEN in "".join(arguments) else "network 11"
    assert out.startswith(f"undecided: of {question[:60]!r} only bounds are known, ")
    assert "≤ λ ≤" in out
    code, out, err = call("evidence", *arguments, "--json")
    assert (code, err) == (3, "")
    assert json.loads(out)["reason"].startswith(f"of {question[:60]!r} only bounds")


def test_closed_questions_are_not_called_open(call):
    code, out, _ = call("evidence", "transition", "0.1,linear 5 3 5 --rank 1", "0.01,linear 5 3 5")
    assert code == 2  # the rank is missing: bad input, not bounds
    code, out, _ = call("evidence", "curve", "linear 5 3 5 --rank 1", "--n", "10")
    assert code == 0
    assert "only bounds" not in out


@pytest.fixture
def posteriors(tmp_path):
    """N(w, 1) with prior N(0, 1) and 30 observations: draws at four β, and held-out data."""
    rng = np.random.default_rng(0)
    x, test = rng.normal(size=30), rng.normal(size=4000)

    def table(data, w):
        return -((data - w) ** 2) / 2 - np.log(2 * np.pi) / 2

    for beta in (0.0, 0.05, 0.3, 1.0):
        precision = 1 + 30 * beta
        w = beta * x.sum() / precision + rng.normal(size=(4, 500, 1)) / np.sqrt(precision)
        np.save(tmp_path / f"{beta}.npy", table(x, w))
    np.save(tmp_path / "test.npy", table(test, w))
    np.savetxt(tmp_path / "truth.csv", table(x, 0.0)[None], delimiter=",")
    np.save(tmp_path / "test_truth.npy", table(test, 0.0))
    exact = -(x.sum() ** 2 / 31 - x @ x) / 2 + np.log(31) / 2 + 15 * np.log(2 * np.pi)
    return tmp_path, exact


def test_free_energy_of_a_ladder(call, posteriors):
    """Four standard errors, false alarm 6e-5; the energy of another prior is rejected."""
    folder, exact = posteriors
    rungs = [f"{beta}={folder}/{beta}.npy" for beta in (0.0, 0.05, 0.3, 1.0)]
    answer = one(call, "free-energy", *rungs)
    assert abs(answer["value"] - exact) < 4 * answer["error"]
    assert abs(answer["value"] - exact - np.log(2)) > 4 * answer["error"]
    code, out, _ = call("evidence", "free-energy", *rungs)
    assert code == 0
    assert out.startswith("free-energy = ")
    assert "\nsteps                   " in out


def test_equation_of_state(call, posteriors):
    """λ = 1/2; the error of one training set is o(1), here 0.2 at n = 30; λ = 3/2 is rejected."""
    folder, _ = posteriors
    files = [f"{folder}/{name}" for name in ("1.0.npy", "test.npy", "truth.csv", "test_truth.npy")]
    answer = one(
        call, "state", files[0], files[1], "--truth", files[2], "--held-out-truth", files[3]
    )
    assert abs(answer["value"] - 0.5) < 4 * answer["data_error"] + 0.2
    assert abs(answer["value"] - 1.5) > 4 * answer["data_error"] + 0.2
    assert (answer["method"], answer["warnings"]) == ("psis", [])


def test_the_equation_of_state_prints_what_leave_one_out_warns_of(call, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=3)
    w = x.mean() + rng.normal(size=(4, 500, 1)) / np.sqrt(3)
    files = [str(tmp_path / f"{k}.npy") for k in range(2)]
    np.save(files[0], -((x - w) ** 2) / 2)
    np.save(files[1], -(x**2) / 2)
    truths = ["--truth", files[1], "--held-out-truth", files[1]]
    for more in ((), ("--method", "importance")):
        code, out, _ = call("evidence", "state", files[0], files[0], *truths, *more)
        assert code == 0
        _, alone, _ = call("evidence", "loo", files[0], *more)
        said = [line for line in alone.splitlines() if line.startswith("warning: ")]
        assert said
        assert [line for line in out.splitlines() if line.startswith("warning: ")] == said


@pytest.mark.parametrize(
    ("rungs", "words"),
    [
        (["x=a.npy", "1=a.npy"], "BETA=FILE"),
        (["a.npy"], "BETA=FILE"),
        (["0=1.0.npy", "1="], "BETA=FILE"),
        (["0.1=1.0.npy", "1=1.0.npy"], "from 0 to 1"),
        (["0=none.npy", "1=1.0.npy"], "cannot read"),
    ],
)
def test_bad_ladders_are_one_line(call, posteriors, rungs, words):
    folder, _ = posteriors
    given = [rung.replace("=", f"={folder}/") if rung[-1] != "=" else rung for rung in rungs]
    code, out, err = call("evidence", "free-energy", *given)
    assert (code, out) == (2, "")
    assert err.startswith("rlct: error: ")
    assert words in err
    assert err.count("\n") == 1


def test_truth_of_several_rows_is_refused(call, posteriors):
    folder, _ = posteriors
    files = [f"{folder}/1.0.npy", f"{folder}/test.npy"]
    truths = ["--truth", f"{folder}/0.3.npy", "--held-out-truth", f"{folder}/test_truth.npy"]
    code, _, err = call("evidence", "state", *files, *truths)
    assert code == 2
    assert "more than one row" in err
