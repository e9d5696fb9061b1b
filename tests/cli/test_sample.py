"""``rlct sample … --n-beta``: one temperature, three errors, and options that need it."""

import json
import signal
from contextlib import contextmanager

import pytest

from rlct.cli.simulation.check import _METHOD_NAMES
from rlct.errors import InputError
from rlct.sampling.ladders.run import ladder_methods


@pytest.mark.slow
def test_three_errors_and_the_chains(call, tmp_path):
    """K = w²/2 on one weight: E[nβK] = nβ/(2(nβ + 1)), λ = 1/2; 5 standard errors."""
    path = tmp_path / "run.png"
    arguments = ["sample", "linear", "1", "1", "--rank", "0", "--n-beta", "9", "--method", "hmc"]
    code, out, _ = call(*arguments, "--chains", "--plot", str(path), "--num-chains", "4")
    assert code == 0
    assert "exact conditionals" in out
    assert sum(line.strip()[:1].isdigit() for line in out.splitlines()) == 4
    assert path.read_bytes().startswith(b"\x89PNG")
    code, out, _ = call(*arguments, "--json")
    found = json.loads(out)
    budget = found["budget"]
    assert budget["lambda"] == "1/2"
    assert abs(budget["tempered_mean"] - 0.45) < 5 * budget["tempered_mean_error"]
    assert budget["finite_n"] == pytest.approx(budget["tempered_mean"] - 0.5)
    assert abs(budget["sampler"]) < 5 * budget["sampler_error"]
    assert found["n_beta"] == 9


@pytest.mark.parametrize("arguments", [["sample", "--n-beta", "9"], ["sample"], ["check"]])
def test_an_answer_is_printed_before_its_picture_fails(arguments, call, tmp_path, monkeypatch):
    def full(*_):
        raise InputError("cannot write run.png: No space left on device")

    monkeypatch.setattr("rlct.cli.files.write_plot", full)
    path = str(tmp_path / "run.png")
    code, out, err = call(arguments[0], "poly", "x**2", *arguments[1:], "--plot", path)
    assert code == 2
    assert "≈ 0." in out or "λ̂ = 0." in out
    assert err.endswith("No space left on device\n")


@pytest.mark.parametrize(
    "options",
    [
        ["--num-draws", "1", "--method", "mala"],
        ["--num-draws", "3"],
        ["--num-draws", "2", "--num-chains", "2", "--method", "hmc"],
        ["--method", "sgld", "--lr", "1e-40", "--num-draws", "20"],
    ],
)
def test_what_is_no_number_is_null(call, options):
    """R-hat of a few draws, and of chains that never move, is infinite."""
    code, out, _ = call("sample", "poly", "x**2", "--n-beta", "9", *options, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["rhat"] is None
    assert found["warnings"]


@pytest.mark.parametrize("arguments", [["sample"], ["sample", "--n-beta", "9"], ["check"]])
def test_a_picture_that_cannot_be_drawn_is_refused_before_the_run(
    arguments, call, tmp_path, monkeypatch
):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    path = tmp_path / "a.png"
    code, out, err = call(arguments[0], "poly", "x**2", *arguments[1:], "--plot", str(path))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "pip install 'rlct[plot]'" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lr", "1"], "--lr belongs to a run at one nβ: add --n-beta"),
        (["--chains"], "--chains belongs"),
        (["--method", "hmc"], "hmc runs at one nβ"),
        (
            ["--n-beta", "9", "--method", "quadrature"],
            "choose a method among barker, hmc, mala",
        ),
        (["--n-beta", "-9"], "n_beta must be positive"),
        (["--n-beta", "9", "--method", "sgld", "--lr", "1e20"], "diverged at step 0"),
        (["--n-beta", "9", "--checkpoint", "run.txt"], "a checkpoint is an .npz file"),
        (["--n-beta", "9", "--num-draws", "0"], "num_draws"),
        (["--n-beta", "9", "--plot", "/nowhere/x.png"], "cannot write"),
        (["--n-beta", "9", "--top", "1e20"], "--top is of a ladder"),
        (["--top", "1e10"], "top must be at least 1e+15"),
        (["--top", "nan"], "top must be at least"),
        (["--top", "1e20", "--method", "sgld"], "top is the last nβ of tempering, not of sgld"),
        (["--n-beta", "nan"], "n_beta must be positive"),
        (["--n-beta", "1e-300"], "n_beta must be at least 1e-100, not 1e-300"),
        (["--n-beta", "inf"], "n_beta must be positive"),
        (["--n-beta", "9", "--seed", "-1"], "seed must be a non-negative integer"),
        (["--n-beta", "9", "--localization", "-1"], "localization must be zero or positive"),
    ],
)
def test_mistakes_are_one_line(call, arguments, words):
    code, out, err = call("sample", "poly", "x**2", *arguments)
    assert (code, out) == (2, "")
    last = [line for line in err.splitlines() if line][-1]
    assert last.startswith("rlct: error: ")
    assert words in last


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("poly 10**400*x**2", "a coefficient is too large for floats"),
        ("poly x**2+y**2/10**400", "a coefficient is too small for floats"),  # λ = 1, not 1/2
        ("ideal 10**170*x y", "K is too large for floats"),
    ],
)
def test_what_floats_do_not_hold_is_one_line(call, question, words):
    for command in ("sample", "check"):
        code, out, err = call(command, *question.split())
        assert (code, out) == (2, "")
        assert words in err.splitlines()[-1]


@pytest.mark.slow
def test_the_question_of_a_theorem(call):
    """Sampled without its formula, checked against it; "eval" may stand before its name."""
    code, out, _ = call("sample", "theorem", "normal-crossing", "exponents=1,2", "--json")
    assert code == 0
    low, high = json.loads(out)["interval"]
    assert low <= 0.25 <= high
    code, out, _ = call("check", "theorem", "normal-crossing", "exponents=1,2", "prior=0,1")
    assert code == 0
    assert "claim λ = 1/2, θ = 2" in out
    words = ["check", "theorem", "eval", "normal-crossing", "exponents=1,2", "--claim", "1/2"]
    assert call(*words)[0] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "no theorem"),
        (["deep-linear", "widths=2,1,2"], "rank"),
        (["deep-linear", "widths=2,1,2", "rank=5"], "not so here: the rank is between"),
        (["quadratic-modular", "modulus=5", "units=4", "centred=false"], "20000 terms"),
    ],
)
@pytest.mark.parametrize("command", ["sample", "check"])
def test_mistakes_about_theorems_are_one_line(call, command, arguments, words):
    code, out, err = call(command, "theorem", *arguments)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith("rlct: error: ")
    assert words in err


@pytest.mark.parametrize("name", ["run", ".", "run.txt", "none/run.npz"])
def test_quadrature_takes_no_other_checkpoint_than_samplers(call, name):
    code, out, err = call("sample", "poly", "x**2*y**4", "--checkpoint", name)
    assert (code, out) == (2, "")
    where = "cannot write none/run.npz" if "/" in name else f"an .npz file: {name!r} is not one"
    assert where in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kept", "words"),
    [
        (
            False,
            "in the burn-in, so nothing is saved; with --checkpoint FILE.npz a run can be resumed",
        ),
        (True, "in the burn-in; progress is saved in {}; run the same command again to resume"),
    ],
)
def test_ctrl_c_in_the_burn_in_says_so(call, monkeypatch, tmp_path, kept, words):
    @contextmanager
    def bar(title):
        def show(fraction, text):
            if fraction > 0.25:
                raise KeyboardInterrupt

        yield show

    monkeypatch.setattr("rlct.system.progress.progress_bar", bar)
    monkeypatch.setattr("rlct.sampling.markov_chains.checkpoint.SECONDS_BETWEEN_SAVES", 0.0)
    path = str(tmp_path / "kept.npz")
    arguments = ["sample", "linear", "2", "2", "--rank", "1", "--n-beta", "9", "--method", "mala"]
    code, out, err = call(*arguments, *(["--checkpoint", path] if kept else []))
    assert (code, out) == (130, "")
    assert err.startswith(f"rlct: error: interrupted {words.format(path)}")
    assert err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_in_the_chains_leaves_out_the_exact_mean(call, monkeypatch):
    """The draws are printed, and nothing long begins after it."""
    shown = []

    @contextmanager
    def bar(title):
        def show(fraction, text):
            shown.append(title)
            if fraction >= 0.8:
                signal.raise_signal(signal.SIGINT)

        yield show

    monkeypatch.setattr("rlct.system.progress.progress_bar", bar)
    code, out, _ = call("sample", "poly", "x**2*y**2", "--n-beta", "1e3", "--num-draws", "200")
    lines = out.splitlines()
    assert code == 3
    assert lines[0].startswith("λ̂ ≈ ")
    assert any(line.startswith("warning: interrupted after ") for line in lines)
    assert lines[-1].startswith("warning: interrupted: the exact mean at this nβ is not known")
    assert set(shown) == {"simulation"}


@pytest.mark.slow
def test_ctrl_c_in_the_exact_mean_keeps_the_draws(call, monkeypatch):
    """λ̂ is as in a run that was not stopped; a part of the reference is not passed off as exact."""
    question = ["sample", "poly", "x**2*y**2*z**2*w**2", "--n-beta", "1e3", "--method", "hmc"]
    question += ["--localization", "1", "--num-draws", "40"]
    shown = []

    def at(share):
        @contextmanager
        def bar(title):
            def show(fraction, text):
                shown.append((title, fraction))
                if title == "exact mean" and fraction >= share:
                    raise KeyboardInterrupt

            yield show

        return bar

    monkeypatch.setattr("rlct.system.progress.progress_bar", at(2.0))
    whole, complete, _ = call(*question)
    for share in (0.0, 0.5):
        monkeypatch.setattr("rlct.system.progress.progress_bar", at(share))
        code, out, _ = call(*question)
        assert (whole, code) == (0, 3)
        lines = out.splitlines()
        assert lines[0] == complete.splitlines()[0]
        assert lines[-1].startswith("warning: interrupted: the exact mean at this nβ is not known")
        assert "E[nβK]" not in out
    assert {title for title, _ in shown} == {"simulation", "exact mean"}
    code, out, _ = call(*question, "--json")
    assert json.loads(out)["budget"] is None


@pytest.mark.parametrize(
    ("share", "words", "code"),
    [
        (0.02, "kept.npz; run the same command again to resume", 130),
        (0.8, "warning: interrupted at nβ = ", 3),
    ],
)
def test_ctrl_c_keeps_what_can_be_fitted(call, monkeypatch, tmp_path, share, words, code):
    """The bar is where the interrupt strikes; the interval is of what was done."""

    @contextmanager
    def bar(title):
        def show(fraction, text):
            if fraction >= share:
                raise KeyboardInterrupt

        yield show

    monkeypatch.setattr("rlct.system.progress.progress_bar", bar)
    found, out, err = call(
        "sample", "linear", "2", "1", "2", "--rank", "0", "--checkpoint", str(tmp_path / "kept.npz")
    )
    assert found == code
    assert words in out + err
    assert ("95%" in out) is (code == 3)


def test_ladders_take_what_their_kernels_say():
    """The parser names them without a look at kernels, which take long to load."""
    assert ladder_methods() == _METHOD_NAMES
