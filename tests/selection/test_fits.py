"""Fits to data: published sets, likelihoods by another way, and objects of other libraries."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import rlct
from rlct.errors import InputError
from rlct.selection.fitters import FAMILY_FITTERS
from rlct.selection.fitting import read_fits
from rlct.selection.observations import read_observations

DATA = Path(__file__).parents[1] / "data"
#: Rohwer's children: five tasks and three scores; see tests/data/README.md.
CHILDREN = read_observations(str(DATA / "rohwer.csv"))
#: LSAT, section 6: how many of 1000 people have the answers 00000, 00001, … 11111.
ANSWERS = (
    *(3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15),
    *(10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298),
)


def people() -> np.ndarray:
    patterns = [[int(digit) for digit in f"{k:05b}"] for k in range(32)]
    return np.repeat(patterns, ANSWERS, axis=0)


def fitted_rank(table: np.ndarray, outputs: int, size: int) -> float:
    return (
        FAMILY_FITTERS["reduced-rank"]
        .fit(table, {"inputs": table.shape[1] - outputs, "outputs": outputs}, size, 1, 0)
        .log_likelihood
    )


def test_ranks_of_the_children_by_the_singular_bic() -> None:
    """sBIC .0004, .571, .385, .043 of ranks 0 to 3."""
    found = rlct.select(CHILDREN, "reduced-rank", sizes=range(4), outputs=3)
    assert [round(low, 3) for low, _ in found.probability] == [0.0, 0.571, 0.385, 0.043]
    assert round(found.probability[0][0], 4) == 0.0004
    assert (found.n, found.best) == (69, 1)


@pytest.mark.parametrize("size", [0, 1, 2])
def test_likelihoods_of_ranks_are_the_largest_by_descent(size: int) -> None:
    """−n/2 (q + q log 2π + log|S|), S the residuals of Y − XUV, by another optimiser."""
    rng = np.random.default_rng(size)
    x = rng.normal(size=(50, 3))
    y = x @ rng.normal(size=(3, 2)) / 3 + rng.normal(size=(50, 2)) @ np.array([[1, 0.5], [0, 1]])
    x_centred, y_centred = x - x.mean(0), y - y.mean(0)

    def loss(w: np.ndarray) -> float:
        u, v = w[: 3 * size].reshape(3, size), w[3 * size :].reshape(size, 2)
        residuals = y_centred - x_centred @ u @ v
        log_det = np.linalg.slogdet(residuals.T @ residuals / 50)[1]
        return float(25 * (2 + 2 * np.log(2 * np.pi) + log_det))

    starts = [rng.normal(size=5 * size) for _ in range(4)]
    least = min(minimize(loss, w, tol=1e-10).fun if size else loss(w) for w in starts)
    assert fitted_rank(np.hstack([x, y]), 2, size) == pytest.approx(-least, abs=1e-5)


@pytest.mark.slow
def test_classes_of_people() -> None:
    """−2493.437 and −2467.406 by StepMix on all rows; equal rows are fitted once here."""
    pytest.importorskip("stepmix")
    found = rlct.select(people(), "latent-class", sizes=(1, 2), restarts=2)
    assert [round(value, 3) for value in found.log_likelihood] == [-2493.437, -2467.406]
    assert found.n == 1000
    assert str(found.truths[2, 1]) == "3"


@pytest.mark.parametrize("measurement", ["categorical", "binary"])
def test_fits_of_stepmix_are_read(measurement: str) -> None:
    stepmix = pytest.importorskip("stepmix.stepmix")
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(40, 3))
    if measurement == "categorical":
        rows[:, 2] = rng.integers(0, 3, size=40)
    fits = [
        stepmix.StepMix(size, measurement=measurement, random_state=0, verbose=0, progress_bar=0)
        for size in (1, 2)
    ]
    for fit in fits:
        fit.fit(rows)
    family, found = read_fits(fits, 40, {})
    categories = (2, 2, 3) if measurement == "categorical" else (2, 2, 2)
    assert (family, dict(found.facts)) == ("latent-class", {"categories": categories})
    assert found.log_likelihood[1] == pytest.approx(40 * fits[0].score(rows))
    fits[0].rel_tol = 0.1
    with pytest.raises(InputError, match=r"with rel_tol=0.1 stopped .* with rel_tol=0.001$"):
        read_fits(fits, 40, {})
    fits[0].rel_tol = 0.0
    fits[1].weights_ = np.array([1.0, 0.0])
    assert read_fits(fits, 40, {})[1].warnings == (
        "the fit of size 2 has an empty class: it is a fit of a smaller size",
    )
    unfitted = stepmix.StepMix(3, measurement=measurement)
    with pytest.raises(InputError, match="StepMix of the list is not fitted"):
        read_fits([unfitted], 40, {})
    with pytest.raises(InputError, match="no latent-class model"):
        read_fits([stepmix.StepMix(1, measurement="gaussian_unit", verbose=0)], 40, {})


@pytest.mark.parametrize(
    ("family", "facts", "size", "message"),
    [
        ("reduced-rank", {}, 1, "name the number of outputs"),
        ("reduced-rank", {"outputs": 2, "inputs": 2}, 1, "2 inputs and 2 outputs are not the 8"),
        ("reduced-rank", {"outputs": 3}, 4, "rank 4 of 5 inputs and 3 outputs: at most 3"),
        ("latent-class", {}, 1, "has 19 values, too many for its rows: add --use n,Raven"),
        ("tanh", {"inputs": 1}, 1, "tanh is not fitted here"),
    ],
)
def test_what_cannot_be_fitted_is_said_in_a_line(
    family: str, facts: dict[str, int], size: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        rlct.select(CHILDREN, family, sizes=[size], **facts)


@pytest.mark.parametrize(
    ("columns", "family", "sizes", "facts", "message"),
    [
        (
            4,
            "factor-analysis",
            range(10),
            {},
            "5 factors of 4 variables: at most 4 can be",
        ),
        (
            3,
            "ppca",
            range(4),
            {},
            "3 components of 3 variables: at most 2 .* as in sizes 0..2$",
        ),
        (1, "ppca", (0, 1), {}, "1 components of 1 variables: at most 0 can be, as in size 0"),
        (1, "factor-analysis", (0, 1), {}, "factor-analysis needs 2 columns or more, not 1"),
        (5, "reduced-rank", range(4), {"outputs": 2}, "rank 3 of 3 inputs and 2 outputs: at most"),
        (3, "gaussian-mixture", (1, 99), {}, "99 components of 69 observations cannot be fitted"),
    ],
)
def test_impossible_sizes_are_found_before_the_first_fit(
    columns: int, family: str, sizes, facts: dict[str, int], message: str
) -> None:
    def fitted(share: float, words: str) -> None:
        raise AssertionError(words)

    rows = CHILDREN.values[:, :columns]
    with pytest.raises(InputError, match=message):
        rlct.select(rows, family, sizes, progress=fitted, **facts)
    if columns > 1 and family == "ppca":
        fits = dict.fromkeys(sizes, -9.0)
        with pytest.raises(InputError, match=message):
            rlct.select(fits, family, n=99, variables=columns)


def test_more_classes_than_different_rows_are_refused() -> None:
    pytest.importorskip("stepmix")
    with pytest.raises(
        InputError, match="5 classes of 20 observations cannot be fitted: at most 4"
    ):
        rlct.select([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, "latent-class", sizes=[5])
