"""Mistakes of newcomers with their data: a line that says what to do, or a warning."""

import numpy as np
import pytest

import rlct
from rlct.cli.main import main
from rlct.errors import InputError

ROWS = np.random.default_rng(0).normal(size=(60, 3)) @ np.triu(np.ones((3, 3)))


def text(rows: np.ndarray, names: str = "a,b,c", mark: str = ",") -> str:
    return "\n".join([names, *(mark.join(f"{x:.9f}" for x in row) for row in rows)]) + "\n"


TABLE = text(ROWS)
FILES = {
    "numbered": (
        text(np.column_stack([np.arange(60), ROWS]), "id,a,b,c"),
        "id numbers the rows: add --use a,b,c\n",
    ),
    "gap": (TABLE + "1,,2\n", "row 61 has no value in b, gaps in 1 of 61 rows: add --drop-missing"),
    "missing": (TABLE + "1,NA,2\n", "row 61 has no value in b"),
    "large": (TABLE + "1e308,-1e308,2\n", "row 61 has 1e+308 in a: write it in another unit"),
    "word": (TABLE + "1,high,2\n", "b holds text, as 'high': add --use a,c\n"),
    "nameless": (TABLE.partition("\n")[2], "first line holds numbers: put names"),
    "copy": (text(ROWS[:, [0, 1, 1]]), "linearly dependent"),
    "sum": (text(np.column_stack([ROWS, ROWS.sum(axis=1)]), "a,b,c,d"), "linearly dependent"),
    "constant": (text(ROWS * [1, 0, 1]), "b has one value alone: add --use a,c\n"),
    "short": (text(ROWS[:2]), "1 factors of 2 observations cannot be fitted: at most 0"),
    "ragged": (TABLE + "1,2\n", "line 62 has 2 entries, the first 3"),
    "empty": ("", "needs a line of names"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_table_has_one_line(capsys, tmp_path, name: str) -> None:
    written, message = FILES[name]
    path = tmp_path / f"{name}.csv"
    path.write_text(written, encoding="utf-8")
    code = main(["select", str(path), "--family", "factor-analysis", "--sizes", "0,1"])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize("name", ["copy", "sum"])
def test_only_full_covariances_and_sides_need_independent_columns(tmp_path, name: str) -> None:
    pytest.importorskip("sklearn.mixture")
    path = tmp_path / "table.csv"
    path.write_text(FILES[name][0], encoding="utf-8")
    found = rlct.select(path, "gaussian-mixture", [1], restarts=1, covariance="diag")
    assert found.n == 60
    for family, facts in (("gaussian-mixture", {}), ("reduced-rank", {"outputs": 1})):
        with pytest.raises(InputError, match="linearly dependent"):
            rlct.select(path, family, [1], **facts)


ITEMS = np.random.default_rng(1).integers(0, 2, size=(80, 4))


@pytest.mark.parametrize(
    ("data", "family", "options", "message"),
    [
        (ROWS, "factor-analysis", {"sizes": 3}, "name the sizes to fit"),
        (ROWS, "factor-analysis", {"sizes": []}, "name the sizes to fit"),
        (ROWS, "factor-analysis", {"sizes": [1], "n": 70}, "n = 70, but there are 60"),
        (ROWS, "factor-analysis", {"sizes": [1], "variables": 4}, "variables of the data is 3"),
        (ROWS[:, 0], "gaussian-mixture", {"sizes": [1]}, r"one column is data.reshape\(-1, 1\)"),
        (np.ma.masked_greater(ROWS, 2), "factor-analysis", {"sizes": [1]}, "has no value in"),
        (ROWS, "reduced-rank", {"sizes": [1], "outputs": 3}, "leave no inputs"),
        (ITEMS, "latent-class", {"sizes": [1], "categories": (2, 2)}, "columns have 2,2,2,2"),
        (ITEMS, "latent-class", {"sizes": [1], "categories": (1, 2, 2, 2)}, "have 2,2,2,2"),
    ],
)
def test_what_contradicts_the_data_is_refused(data, family, options, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.select(data, family, **options)


def test_a_component_of_few_observations_is_said() -> None:
    pytest.importorskip("sklearn.mixture")
    found = rlct.select(ROWS[:12], "gaussian-mixture", [1, 5], restarts=1)
    assert found.warnings[0].startswith("the fit of size 5 has a variance of 1e-06 and grows")
    assert not any("size 1" in words for words in found.warnings)
