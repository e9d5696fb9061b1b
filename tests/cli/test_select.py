"""``rlct select``: the numbers are those of Python, an open choice has exit code 3."""

import json

import numpy as np
import pytest

import rlct

GIVEN = ["--sizes", "0..3", "--n", "143", "--log-likelihood=-1214.439,-977.05,-855.399,-854.377"]
ITEMS = ["--sizes", "1..3", "--n", "1000", "--log-likelihood=-2493.437,-2467.406,-2464.651"]
CLASSES = ["--family", "lca", "--categories", "2,2,2,2,2"]


def test_the_numbers_are_those_of_python(call):
    code, out, err = call("select", "--family", "factor-analysis", "--variables", "6", *GIVEN)
    assert (code, err) == (0, "")
    fits = {0: -1214.439, 1: -977.05, 2: -855.399, 3: -854.377}
    found = rlct.select(fits, "factor-analysis", n=143, variables=6)
    assert out == f"{found}\n"
    code, out, _ = call(
        "select", "--family", "factor-analysis", "--variables", "6", *GIVEN, "--json"
    )
    assert (code, json.loads(out)) == (0, json.loads(json.dumps(found.to_dict())))


def test_a_picture_is_written(call, tmp_path):
    pytest.importorskip("matplotlib")
    asked = ["select", "--family", "factor-analysis", "--variables", "6", *GIVEN]
    assert call(*asked, "--plot", str(tmp_path / "sizes.svg"))[0] == 0
    assert "factors" in (tmp_path / "sizes.svg").read_text("utf-8")
    code, out, err = call(*asked, "--plot", str(tmp_path / "none" / "sizes.svg"))
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_an_open_choice_has_its_own_exit_code(call):
    family = ["--family", "latent-class", "--categories", "2,2,2,2,2"]
    code, out, _ = call("select", *family, *ITEMS)
    assert (code, "Best by sBIC" in out, "Undecided by sBIC: at n = 1000, 3 may" in out) == (
        3,
        0,
        1,
    )
    assert "2 or 3: the bounds on λ(3|1), λ(3|2) leave it open" in out
    code, out, _ = call("select", *family, *ITEMS, "--concentration", "1/2")
    assert "depends on the prior" not in out


@pytest.mark.parametrize(
    ("likelihoods", "n", "best"),
    [
        ("-1400,-1400", 100, None),
        ("-1400,-1399.5", 100, None),
        ("-1400,-1400", 6000, 1),
        ("-1400,-1390", 100, 2),
    ],
)
def test_a_size_without_a_gain_is_not_the_best(call, likelihoods, n, best):
    """At n = 100 the penalty (3/2, θ = 3) of two components is less than that of one, (1, 1)."""
    family = ["--family", "gaussian-mixture", "--variables", "1", "--sizes", "1..2"]
    code, out, _ = call("select", *family, "--n", str(n), f"--log-likelihood={likelihoods}")
    assert (f"Best by sBIC: {best}\n" in out) == (best is not None) == (code == 0)
    sentence = "Undecided by sBIC: at n = 100, 2 costs no more than 1 where 1 is true"
    assert (sentence in out) == ("BIC chooses 1: report it" in out) == (best is None)


def test_a_prior_may_decide_for_a_size_without_a_gain():
    """Odds of 9 are less than BIC charges, 32 for three dimensions; those of 9999 are more."""
    fits = {1: -1400.0, 2: -1400.0}
    found = rlct.select(fits, "gaussian-mixture", n=100, variables=1, prior=[1, 9])
    assert (found.best, found.candidates) == (None, (1, 2))
    found = rlct.select(fits, "gaussian-mixture", n=100, variables=1, prior=[1, 9999])
    assert (found.best, found.within_noise, found.advice) == (2, (), "")


@pytest.mark.slow
def test_a_table_is_fitted(call, tmp_path):
    pytest.importorskip("sklearn")
    data = np.random.default_rng(0).normal(size=(60, 4))
    data[:, 1] += 2 * data[:, 0]
    file = tmp_path / "scores.csv"
    np.savetxt(file, data, delimiter=",", header="a,b,c,d", comments="")
    given = ("--family", "factor-analysis", "--sizes", "0..1", "--restarts", "2")
    code, out, err = call("select", str(file), *given)
    found = rlct.select(data, "factor-analysis", range(2), restarts=2)
    warned = "".join(f"warning: {words}\n" for words in found.warnings)
    assert (code, out) == (0, f"{found}\n{warned}")
    file.write_text(file.read_text("utf-8").replace("a,b,c,d\n", "a,b,c,d\n1,2,,3\n"), "utf-8")
    code, _, err = call("select", str(file), *given)
    assert (code, "row 1 has no value in c" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--family", "factor-analysis", "--sizes", "0..1"], "either DATA.csv or --log-lik"),
        (["no.csv", "--family", "factor-analysis", "--sizes", "0..1"], "cannot read no.csv"),
        (["--family", "fa", *GIVEN, "--use", "a"], "--use, --counts and --drop-missing are of"),
        (["--family", "fa", *GIVEN, "--variables", "6", "--truth", "3|1"], "not of the form 3|1="),
        (["--family", "nmf", "--sizes", "1", "--log-likelihood=-1"], "name the number of observ"),
        (["--family", "factor-analysis", *GIVEN], "variables is missing"),
        (["--family", "factors", *GIVEN], "is no family"),
        (["--family", "factor-analysis", "--variables", "x", *GIVEN], "variables"),
        (["--family", "factor-analysis", "--variables", "6", *GIVEN, "--trials", "3"], "trials is"),
        (
            ["--family", "poisson-mixture", "--sizes", "1..2", "--n", "9", "--log-likelihood=-1"],
            "1 log-likelihoods for 2 sizes",
        ),
    ],
)
def test_mistakes_have_one_line(call, arguments, words):
    code, out, err = call("select", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_pair_found_elsewhere_is_handed_back(call):
    code, out, _ = call("select", *CLASSES, *ITEMS, "--truth", "3|1=7/2", "--truth", "3|2=6,1")
    fits = {1: -2493.437, 2: -2467.406, 3: -2464.651}
    found = rlct.select(
        fits, "latent-class", truths={(3, 1): "7/2", (3, 2): 6}, n=1000, categories=(2,) * 5
    )
    assert (code, out.partition("warning")[0]) == (0, f"{found}\n")
    code, out, _ = call("select", *CLASSES, *ITEMS, "--truth", "3|1=7/2", "--json")
    document = json.loads(out)
    assert code == 3
    assert [row["method"] for row in document["truths"]].count("given by the user, not proved") == 1
    code, out, err = call("select", *CLASSES, *ITEMS, "--truth", "2|1=4")
    assert (code, out, err.count("\n")) == (2, "", 1)
