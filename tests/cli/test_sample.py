"""``rlct sample … --n-beta``: one temperature, three errors, and options that need it."""

import json

import pytest


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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lr", "1"], "--lr belongs to a run at one nβ: add --n-beta"),
        (["--chains"], "--chains belongs"),
        (["--method", "hmc"], "hmc runs at one nβ"),
        (["--n-beta", "9", "--method", "quadrature"], "choose a method among hmc, mala, sgld"),
        (["--n-beta", "-9"], "positive n_beta"),
        (["--n-beta", "9", "--method", "sgld"], "needs a step size lr"),
        (["--n-beta", "9", "--method", "sgld", "--lr", "1e20"], "diverged at step 0"),
        (["--n-beta", "9", "--checkpoint", "run.txt"], "a checkpoint is an .npz file"),
        (["--n-beta", "9", "--num-draws", "0"], "num_draws"),
        (["--n-beta", "9", "--plot", "/nowhere/x.png"], "cannot write"),
        (["--n-beta", "nan"], "positive n_beta"),
    ],
)
def test_mistakes_are_one_line(call, arguments, words):
    code, out, err = call("sample", "poly", "x**2", *arguments)
    assert (code, out) == (2, "")
    last = [line for line in err.splitlines() if line][-1]
    assert last.startswith("rlct: error: ")
    assert words in last
