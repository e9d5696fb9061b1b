"""Files as they come: an answer at the first command, or the flag to add."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom, multivariate_normal, poisson

import rlct
from rlct.cli.main import main
from rlct.errors import InputError
from rlct.selection.observations import named_table, read_observations

RNG = np.random.default_rng(0)
ROWS = (RNG.normal(size=(90, 4)) @ np.triu(np.ones((4, 4)))).round(3)
ITEMS = RNG.integers(0, 2, size=(120, 4))
ANSWERS = np.array(["no", "yes"])[ITEMS]
#: Families of Saxony with twelve children, by the number of sons (Geissler 1889, in R's vcd).
SONS = [3, 24, 104, 286, 670, 1033, 1343, 1112, 829, 478, 181, 45, 7]


def text(names: str, rows, mark: str = ",") -> str:
    lines = [mark.join(names.split(",")), *(mark.join(map(str, row)) for row in rows)]
    return "\n".join(lines) + "\n"


def patterns() -> list[list]:
    rows, counts = np.unique(ANSWERS, axis=0, return_counts=True)
    return [[*row, count] for row, count in zip(rows, counts, strict=True)]


GAPS = [[*row, "NA" if k % 40 == 0 else k % 5] for k, row in enumerate(ITEMS)]
FLOWERS = [[k + 1, *row, ("setosa", "virginica")[k % 2]] for k, row in enumerate(ROWS)]
VOTES = [[*row, 20 + 7 * k % 90, "NA" if k % 9 == 0 else "x"] for k, row in enumerate(ANSWERS)]
BIRDS = [["Adelie", *("NA" if k == 3 else x for x in row)] for k, row in enumerate(ROWS)]
FA, LCA = ("--family", "fa"), ("--family", "lca", "--restarts", "2")
COUNTS = ("--family", "binomial-mixture")

#: File, words of the command, what is said, and the words to add.
CASES = {
    "decimal commas": (text("a,b,c,d", ROWS, ";").replace(".", ","), FA, "", ()),
    "tabs": (text("a,b,c,d", ROWS, "\t"), ("--family", "pca"), "", ()),
    "row numbers": (text(",a,b,c,d", [[k, *row] for k, row in enumerate(ROWS)]), FA, "", ()),
    "short header": (text("a,b,c,d", [[f"r{k}", *row] for k, row in enumerate(ROWS)]), FA, "", ()),
    "row names": (text("who,a,b,c,d", [[f"r{k}", *row] for k, row in enumerate(ROWS)]), FA, "", ()),
    "iris": (
        text(",a,b,c,d,kind", FLOWERS),
        FA,
        "kind holds text, as 'setosa': add --use a,b,c,d\n",
        ("--use", "a,b,c,d"),
    ),
    "birds": (
        text("kind,a,b,c,d", BIRDS),
        FA,
        "kind holds text, as 'Adelie': add --use a,b,c,d --drop-missing\n",
        ("--use", "a,b,c,d", "--drop-missing"),
    ),
    "answers": (text("A,B,C,D", ANSWERS), LCA, "", ()),
    "gaps": (
        text("A,B,C,D,E", GAPS),
        LCA,
        "row 1 has no value in E, gaps in 3 of 120 rows: add --drop-missing",
        ("--drop-missing",),
    ),
    "votes": (
        text("A,B,C,D,age,vote", VOTES),
        LCA,
        "age has 90 values, too many for its rows: add --use A,B,C,D\n",
        ("--use", "A,B,C,D"),
    ),
    "patterns": (
        text("A,B,C,D,Freq", patterns()),
        LCA,
        "Freq may say how often a row was seen: add --counts Freq\n",
        ("--counts", "Freq"),
    ),
    "trials": (
        text("sons,Freq", list(enumerate(SONS))),
        (*COUNTS, "--counts", "Freq"),
        "name the number of trials, as in --trials 12\n",
        ("--trials", "12"),
    ),
    "sons": (
        text("sons,Freq", list(enumerate(SONS))),
        (*COUNTS, "--trials", "12"),
        "add --counts Freq\n",
        ("--counts", "Freq"),
    ),
    "goals": (text("goals,year", [[k % 4, 1990] for k in range(60)]), ("--family",
        "poisson-mixture"), "year has one value alone: add --use goals\n", ("--use", "goals")),
    "covariance": (
        text(",a,b,c,d", [[n, *row] for n, row in zip("abcd", np.cov(ROWS.T), strict=True)]),
        FA,
        "a symmetric table is read as a covariance matrix: add --n N\n",
        ("--n", "90"),
    ),
    "outputs": (
        text("a,b,c,d", ROWS),
        ("--family", "rrr"),
        "name the number of outputs, the last columns, as in --outputs 3\n",
        ("--outputs", "2"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_answered_or_the_flag_is_named(capsys, tmp_path, name: str) -> None:
    written, words, message, cure = CASES[name]
    for library in {"fa": "sklearn", "lca": "stepmix"}.get(words[1], "numpy").split():
        pytest.importorskip(library)
    path = tmp_path / "table.csv"
    path.write_text(written, encoding="utf-8")
    asked = ["select", str(path), "--sizes", "1..2" if words[1][0] in "lbp" else "0..1", *words]
    if message:
        code, (out, err) = main(asked), capsys.readouterr()
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
    code, (out, err) = main([*asked, *cure]), capsys.readouterr()
    assert code in (0, 3), err
    assert "sBIC" in out


def test_all_ways_to_write_a_table_are_one(tmp_path) -> None:
    pytest.importorskip("sklearn")
    right = rlct.select(ROWS, "fa", [0, 1])
    assert right.family == "factor-analysis"
    for name in ("decimal commas", "tabs", "row numbers", "short header", "row names"):
        path = tmp_path / "table.csv"
        path.write_text(CASES[name][0], encoding="utf-8")
        found = rlct.select(path, "fa", [0, 1])
        assert found.log_likelihood == pytest.approx(right.log_likelihood), name
    path.write_text(CASES["iris"][0], encoding="utf-8")
    found = rlct.select(path, "fa", [0, 1], use=["d", "a", "b", "c"])
    assert found.log_likelihood == pytest.approx(right.log_likelihood, abs=1e-3)


def test_rows_with_gaps_are_left_out_of_the_columns_in_use(tmp_path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(CASES["birds"][0], encoding="utf-8")
    found = rlct.select(path, "ppca", [0, 1], use="a,b,c", drop_missing=True)
    right = rlct.select(np.delete(ROWS, 3, axis=0)[:, :3], "ppca", [0, 1])
    assert (found.n, found.log_likelihood) == (89, pytest.approx(right.log_likelihood))
    with pytest.raises(InputError, match="there is no column 'z': there are kind, a, b, c, d"):
        rlct.select(path, "ppca", [0, 1], use="a,z")


def test_a_data_frame_is_read_as_a_file_is() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=list("abcd"))
    frame["kind"] = ["x", "y"] * 45
    frame.loc[3, "b"] = None
    with pytest.raises(InputError, match="kind holds text, as 'x': add --use a,b,c,d --drop-miss"):
        rlct.select(frame, "ppca", [0, 1])
    found = rlct.select(frame, "ppca", [0, 1], use=["a", "b", "c"], drop_missing=True)
    right = rlct.select(np.delete(ROWS, 3, axis=0)[:, :3], "ppca", [0, 1])
    assert found.log_likelihood == pytest.approx(right.log_likelihood)
    table = named_table(
        pandas.DataFrame({"a": pandas.Categorical(["u", "v", None]), "b": [1, 2, 3]})
    )
    assert table.words == {"a": "u"}
    assert np.isnan(table.values[2, 0])


def test_counts_stand_for_rows() -> None:
    pytest.importorskip("stepmix")
    rows, counts = np.unique(ITEMS, axis=0, return_counts=True)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=list("abcd")).assign(Freq=counts)
    found = rlct.select(frame, "lca", [1], counts="Freq", restarts=1)
    right = rlct.select(ITEMS, "lca", [1], restarts=1)
    assert (found.n, found.log_likelihood) == (120, pytest.approx(right.log_likelihood))
    for bad in (-1, 0.5):
        with pytest.raises(InputError, match="the counts are no numbers of rows"):
            rlct.select(frame.assign(Freq=[bad, *counts[1:]]), "lca", [1], counts="Freq")


def test_words_are_categories_of_latent_classes_alone(tmp_path) -> None:
    """A binary item in words has the likelihood of the same item in numbers."""
    pytest.importorskip("stepmix")
    words = rlct.select(ANSWERS, "lca", [1, 2], restarts=2)
    numbers = rlct.select(ITEMS, "lca", [1, 2], restarts=2)
    assert words.log_likelihood == pytest.approx(numbers.log_likelihood)
    with pytest.raises(InputError, match=r"column 1 holds text, as '(yes|no)': leave it out"):
        rlct.select(ANSWERS, "ppca", [0, 1])


# Covariances, few rows, counts


@pytest.mark.parametrize(("family", "facts"), [("fa", {}), ("pca", {}), ("rrr", {"outputs": 2})])
def test_a_covariance_matrix_is_as_good_as_the_data(family, facts) -> None:
    pytest.importorskip("sklearn")
    found = rlct.select(np.cov(ROWS.T, bias=True), family, [0, 1], n=90, **facts)
    right = rlct.select(ROWS, family, [0, 1], **facts)
    assert found.n == 90
    assert found.log_likelihood == pytest.approx(right.log_likelihood, abs=1e-3)
    with pytest.raises(InputError, match="does not do for this family"):
        rlct.select(np.cov(ROWS.T), "gmm", [1], n=90)
    with pytest.raises(InputError, match="n = 80, but there are 90 observations"):
        rlct.select(ROWS, family, [0, 1], n=80, **facts)
    with pytest.raises(InputError, match="not positive definite"):
        rlct.select(np.ones((3, 3)), family, [0, 1], n=90, **facts)


def test_more_columns_than_rows_do_where_the_likelihood_is_bounded() -> None:
    """Principal components by the density at their covariance; of 20 rows 18 components do."""
    data = np.random.default_rng(1).normal(size=(20, 30))
    found = rlct.select(data, "ppca", sizes=[0, 2, 18])
    roots, axes = np.linalg.eigh(np.cov(data.T, bias=True))
    noise = roots[:28].mean()
    covariance = noise * np.eye(30) + (axes[:, 28:] * (roots[28:] - noise)) @ axes[:, 28:].T
    right = multivariate_normal(data.mean(axis=0), covariance).logpdf(data).sum()
    assert found.log_likelihood[1] == pytest.approx(right)
    message = "19 components of 20 observations cannot be fitted: at most 18, above which the like"
    with pytest.raises(InputError, match=message):
        rlct.select(data, "ppca", sizes=[19])
    with pytest.raises(
        InputError, match="20 rows are too few for 30 columns: the likelihood is un"
    ):
        rlct.select(data, "gmm", sizes=[1])
    pytest.importorskip("sklearn")
    assert math.isfinite(rlct.select(data, "fa", [0, 1], restarts=1).log_likelihood[1])
    spherical = rlct.select(data, "gmm", [1], restarts=1, covariance="diag")
    assert math.isfinite(spherical.log_likelihood[0])


@pytest.mark.parametrize("trials", [12, None])
def test_mixtures_of_counts_reach_the_maximum(trials) -> None:
    """Against another optimiser over weight and means, of binomial and Poisson counts."""
    y = np.repeat(np.arange(13), SONS)[::4]
    facts = {} if trials is None else {"trials": trials}
    family = "poisson-mixture" if trials is None else "binomial-mixture"
    found = rlct.select(y.reshape(-1, 1), family, [1, 2], **facts)

    def density(mean):
        return poisson.logpmf(y, mean) if trials is None else binom.logpmf(y, trials, mean / trials)

    def loss(w):
        share = 1 / (1 + np.exp(-w[0]))
        means = np.exp(w[1:]) if trials is None else trials / (1 + np.exp(-w[1:]))
        with np.errstate(divide="ignore"):
            parts = [np.log([share, 1 - share][k]) + density(means[k]) for k in (0, 1)]
        return -np.logaddexp(*parts).sum()

    assert found.log_likelihood[0] == pytest.approx(density(y.mean()).sum())
    scale = np.log if trials is None else (lambda mean: np.log(mean / (trials - mean)))
    starts = [(0.0, scale(5.0), scale(7.5)), (1.0, scale(4.0), scale(6.5))]
    best = min(minimize(loss, start, method="Nelder-Mead", tol=1e-9).fun for start in starts)
    assert found.log_likelihood[1] == pytest.approx(-best, abs=2e-3)


@pytest.mark.parametrize(
    ("column", "facts", "message"),
    [
        ([1.5, 2] * 9, {"trials": 9}, "column 1 holds no counts: leave it out"),
        ([-1, 2] * 9, {"trials": 9}, "holds no counts"),
        ([1, 8] * 9, {"trials": 5}, "there is a count of 8 in 5 trials"),
    ],
)
def test_numbers_that_are_no_counts_are_refused(column, facts, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.select(np.reshape(column, (-1, 1)), "binomial-mixture", [1], **facts)


def test_short_names_are_those_of_families() -> None:
    for short, name in (("hmm", "hidden-markov"), ("gmm", "gaussian-mixture")):
        facts = {"symbols": 3} if short == "hmm" else {"variables": 1}
        assert rlct.select({1: -9.0}, short, n=20, **facts).family == name
    with pytest.raises(InputError, match="'ica' is no family: there are factor-analysis"):
        rlct.select({1: -9.0}, "ica", n=20)


def test_a_file_of_draws_still_has_commas(tmp_path) -> None:
    """Only tables of observations may have other marks."""
    path = tmp_path / "draws.csv"
    path.write_text("a;b\n-1;-2\n", encoding="utf-8")
    with pytest.raises(InputError, match="separated by commas"):
        rlct.criteria.reading.read_log_likelihood(str(path))
    assert read_observations(str(path)).values.tolist() == [[-1, -2]]
