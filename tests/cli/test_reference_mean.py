"""``rlct reference mean``: what it prints, and one line where it cannot."""

import json

import pytest

from rlct.cli.main import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("regression 20 20 --n-beta 99", "198 at nβ = 99, γ = 1, by a formula; λ = 200, θ = 1"),
        ("regression 10000 10000 --samples 2000", "49810697 at nβ = 263.13, γ = 1"),
        ("regression 1 1 --n-beta 1e9 --localization 2", "0.5 at nβ = 1e+09, γ = 2"),
        ("monomial 2 --copies 500 --samples 1000", "248.28491 at nβ = 144.76"),  # ½·500·nβ/(nβ+1)
        ("monomial 2 4 4 --copies 3", "by quadrature; λ = 3/4, θ = 4"),
        ("linear 4 5 5 --sweeps 20", "20 draws of one layer given the other; λ = 8, θ = 1"),
        ("attention 3 3 --sweeps 20", "; λ = 7/2, θ = 2"),
        ("regression 2 2 --lr 1e-9 --num-burnin 0 --num-draws 1", "e-07 at nβ = 263.13"),
    ],
)
def test_means_are_printed_with_their_pair(words, said, capsys) -> None:
    assert main(["reference", "mean", *words.split()]) == 0
    assert said in capsys.readouterr().out


def test_json_has_the_numbers(capsys) -> None:
    words = "reference mean linear 5 3 5 --rank 1 --sweeps 400 --seed 3 --json"
    assert main(words.split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["lambda"], found["theta"], found["localization"]) == ("8", 1, 1.0)
    assert 0 < found["error"] < 0.3
    assert abs(found["mean"] - 7.78) < 12 * found["error"]  # Student's t with 5 degrees: 1e-4
    main(words.split())
    assert json.loads(capsys.readouterr().out) == found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("regression 5", "regression has 2 sizes, not 1"),
        ("linear 5 3 5 --rank 4", "--rank must lie from 0 to the least width, 3"),
        ("linear 5 3 5 --rank -1", "-1 does not lie from 0"),
        ("linear 5 20000 5", "10000 units at most"),
        ("linear 5 0 5", "0 does not lie from 1 to 1e+07"),
        ("linear 5 3 5 --sweeps 1", "1 does not lie from 5"),
        ("linear 5 3 5 --copies 2", "--copies is an option of monomial"),
        ("attention 3 3 --rank 1", "--rank is an option of linear"),
        ("monomial 3", "exponents are even"),
        ("monomial 2 200", "100 at most in sum"),
        ("monomial 2 --copies 0", "0 does not lie from 1"),
        ("regression 2 2 --lr 1", "steps diverge: --lr must be below 4/(nβ + γ) = 0.0151"),
        ("regression 2 2 --lr nan", "nan does not lie from"),
        ("regression 2 2 --lr 1e-3 --num-draws 0", "0 does not lie from 1"),
        ("regression 2 2 --num-draws 9", "name its --lr"),
        ("regression 2 2 --decades -1", "-1 does not lie from 0"),
        ("regression 2 2 --n-beta 0", "--n-beta: 0 does not lie from"),
        ("regression 2 2 --localization inf", "--localization: inf does not lie from"),
        ("regression 2 2 --samples 2", "2 does not lie from 3"),
        ("linear 5 3 5 --rank 1 --n-beta 1e25", "rounding hides γ = 1"),
        ("monomial 2 --n-beta 1e60", "is too large"),
        ("monomial 2 2 --localization 1e-90", "is too large"),
        ("regresion 2 2", "'regresion'"),
        ("monomial x", "invalid number value: 'x'"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words, said, capsys) -> None:
    try:
        code = main(["reference", "mean", *words.split()])
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
