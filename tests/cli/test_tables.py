"""Ranges, ``rlct compare``, CSV, JSON and pictures."""

import contextlib
import csv
import io
import json
import signal

import pytest

import rlct


def rows(call, *arguments, code=0):
    found, out, _ = call(*arguments, "--json")
    assert found == code
    assert out.count("\n") == 1
    return json.loads(out)


def test_every_row_is_the_single_answer(call):
    table = rows(call, "net", "linear", "5", "1..4", "5", "--rank", "0..2", "--bias")
    assert table["schema"] == "rlct/1"
    assert [row["case"] for row in table["rows"]][:3] == [
        {"width": 1, "rank": 0},
        {"width": 1, "rank": 1},
        {"width": 2, "rank": 0},
    ]
    for row in table["rows"]:
        one = rows(call, "net", *row["architecture"].split())
        for key in ("status", "lambda", "theta", "lower", "upper"):
            assert row[key] == one[key], row["architecture"]
    assert [entry["case"] for entry in table["left_out"]] == [{"width": 1, "rank": 2}]
    assert "exceeds the smallest width 1" in table["left_out"][0]["reason"]


def test_depth_and_steps(call):
    table = rows(call, "net", "linear", "4x2..5", "--rank", "0..4..2")
    assert [row["case"] for row in table["rows"]] == [
        {"layers": n, "rank": r} for n in (1, 2, 3, 4) for r in (0, 2, 4)
    ]
    deep = [row["lambda"] for row in table["rows"] if row["case"]["rank"] == 0]
    assert deep == [str(rlct.linear([4] * n, 0).lam) for n in (2, 3, 4, 5)]


def test_repeated_widths_without_a_range(call):
    assert rows(call, "net", "linear", "3x3", "--rank", "1")["lambda"] == "4"
    assert rows(call, "net", "linear", "3", "3", "3", "--rank", "1")["lambda"] == "4"


def test_widths_that_vary_apart_and_together(call):
    apart = rows(call, "net", "linear", "5", "1..2", "1..2", "5", "--rank", "0")["rows"]
    assert [row["case"] for row in apart][1] == {"width1": 1, "width2": 2}
    tied = rows(call, "net", "linear", "5", "1..2x2", "5", "--rank", "0")["rows"]
    assert [row["architecture"] for row in tied] == [
        "linear 5 1 1 5 --rank 0",
        "linear 5 2 2 5 --rank 0",
    ]


def test_quadratic_units(call):
    table = rows(call, "net", "quadratic", "--inputs", "4", "--outputs", "3", "--units", "4..6")
    assert [row["lambda"] for row in table["rows"]] == ["12", "29/2", "15"]
    assert [row["parameters"] for row in table["rows"]] == [28, 35, 42]


def test_a_row_of_bounds_is_code_3(call):
    table = rows(
        call,
        *["net", "quadratic", "--inputs", "30", "--outputs", "5", "--units", "30..31", "--bias"],
        code=3,
    )
    assert table["status"] == "bounds"
    assert [row["status"] for row in table["rows"]] == ["exact", "bounds"]
    assert table["rows"][1]["lambda"] is None


def test_models_have_ranges(call):
    table = rows(call, *["net", "tanh", "--inputs", "1", "--hidden", "1..4", "--outputs", "1"])
    assert [row["lambda"] for row in table["rows"]] == ["1/2", "2/3", "5/6", "1"]
    mixtures = rows(call, *["model", "mixture", "--components", "1..3", "--true", "1"])
    assert [row["lambda"] for row in mixtures["rows"]] == ["1/2", "3/4", "1"]


def test_compare(call):
    table = rows(
        call, "compare", "linear 5 3 5", "linear 5 3 3 5", "--rank", "1", "--sort", "lambda"
    )
    assert [row["architecture"] for row in table["rows"]] == ["linear 5 3 3 5", "linear 5 3 5"]
    assert [row["lambda"] for row in table["rows"]] == ["13/2", "8"]
    assert table["notes"] == []


def test_compare_says_which_architecture_is_wrong(call):
    code, _, err = call("compare", "linear 5 3 5", "linear 5 5 5 --rank 1")
    assert code == 2
    assert "linear 5 3 5: the rank of the true map is missing" in err


def test_compare_different_families(call):
    code, out, _ = call(
        "compare", "quadratic --inputs 2 --units 2 --outputs 1", "linear 2 1", "--rank", "1"
    )
    assert code == 0
    assert "quadratic" in out
    assert "asked at different kinds of parameter" in out


def test_compare_models(call):
    table = rows(
        call,
        "compare",
        "model mixture --components 2 --true 1",
        "tanh --inputs 1 --hidden 2 --outputs 1",
        "net linear 1 2 1 --rank 0",
    )
    assert [row["lambda"] for row in table["rows"]] == ["3/4", "2/3", "1/2"]


def test_an_own_rank_is_kept(call):
    table = rows(call, "compare", "linear 5 3 5 --rank 0", "linear 5 3 5", "--rank", "1")
    assert [row["lambda"] for row in table["rows"]] == ["13/2", "8"]
    assert "no common truth" in table["notes"][0]


def test_csv(call):
    code, out, err = call("net", "linear", "5", "1..3", "5", "--rank", "1", "--csv")
    assert (code, err) == (0, "")
    found = list(csv.DictReader(io.StringIO(out)))
    assert [line["width"] for line in found] == ["1", "2", "3"]
    assert [line["lambda"] for line in found] == ["9/2", "13/2", "8"]


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_pictures(call, tmp_path, kind):
    pytest.importorskip("matplotlib", reason="the extra plot")
    path = tmp_path / f"width.{kind}"
    arguments = ("net", "linear", "5", "1..3", "5", "--rank", "1", "--plot", str(path))
    assert call(*arguments)[0] == 0
    assert path.stat().st_size > 1000
    first = path.read_bytes()
    call(*arguments)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["net", "linear", "5", "9..3", "5", "--rank", "1"], "is empty"),
        (["net", "linear", "5", "1..3..0", "5", "--rank", "1"], "step"),
        (["net", "linear", "5", "1..", "5", "--rank", "1"], "is not a width"),
        (["net", "linear", "1..9999", "1..9999", "--rank", "0"], "at most 100000"),
        (["net", "linear", "3", "1..99999999999999999", "--rank", "0"], "at most 100000"),
        (["net", "linear", "2x5000", "--rank", "0"], "a width repeats 0 to 1000 times"),
        (["net", "linear", "5", "1..3", "5", "--rank", "9"], "no case is possible"),
        (["net", "linear", "5", "1..3", "5", "--rank", "0", "--check"], "leave out the ranges"),
        (["net", "linear", "3", "1..2", "--rank", "0", "--certificate", "x"], "leave out"),
        (["net", "linear", "3", "1..2", "--rank", "0", "--csv", "--json"], "exclude"),
        (["net", "linear", "3", "1..2", "--rank", "0", "--plot", "x.gif"], "does not end in"),
        (["net", "quadratic", "--units", "1..2", "--data", "-"], "standard input"),
        (["compare", "linear 5 3 5"], "rank"),
        (["compare", "nothing 5"], "invalid choice"),
        (["compare", ""], "names no architecture"),
        (["compare", "linear '5"], "No closing quotation"),
        (["compare", "quadratic --inputs 2 --units 2 --outputs 1", "--rank", "1"], "no architec"),
        (["compare", "linear 3 3 --rank 1 --json"], "goes to compare"),
        (["compare", "linear 3 3 --rank 1", "--sort", "theta"], "lambda or parameters"),
    ],
)
def test_bad_input_is_one_line(call, arguments, message):
    code, out, err = call(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("rlct: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_timeout_of_networks(call):
    assert (
        rows(call, *["net", "linear", "2", "2", "--rank", "1", "--timeout", "5"])["lambda"] == "2"
    )
    short = "net quadratic --inputs 2 --units 2 --outputs 1 --timeout 0.001"
    assert rows(call, *short.split())["lambda"] == "3/2"


@pytest.mark.slow
def test_ten_thousand_rows_are_quick(call):
    """Vectorised: a loop over every route would take minutes."""
    table = rows(call, "net", "linear", "1..25", "1..20", "1..20", "--rank", "0")
    assert len(table["rows"]) == 10_000
    last = table["rows"][-1]
    assert last["lambda"] == str(rlct.linear([25, 20, 20], 0).lam)


def test_ctrl_c_ends_the_table_and_not_only_a_row(call, monkeypatch):
    """The engine takes an interrupt for its time limit and answers with bounds."""
    calls = []
    answer = rlct.poly("x**2")

    def slow(question, **options):
        calls.append(question)
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return answer

    monkeypatch.setattr("rlct.answers.routes.solve", slow)
    before = signal.getsignal(signal.SIGINT)
    words = "model hidden-markov --states 2..4 --symbols 3"
    code, out, err = call(*words.split())
    assert (code, out, err) == (130, "", "rlct: error: interrupted\n")
    assert len(calls) == 1
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("interrupted", [True, False])
def test_ctrl_c_while_a_library_is_loaded(call, monkeypatch, interrupted):
    """Compiled modules turn it into an ImportError; any other is a fault, and shown as one."""

    def broken(*arguments, **options):
        try:
            raise KeyboardInterrupt if interrupted else OSError
        except (KeyboardInterrupt, OSError) as reason:
            raise ImportError("initialization failed") from reason

    monkeypatch.setattr("rlct.answers.routes.solve", broken)
    arguments = ["model", "hidden-markov", "--states", "2..4", "--symbols", "3"]
    if interrupted:
        assert call(*arguments) == (130, "", "rlct: error: interrupted\n")
    else:
        with pytest.raises(ImportError, match="initialization failed"):
            call(*arguments)
