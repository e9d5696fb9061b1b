"""Reading the TOML of a sweep: values, ranges, zips, formulas with parameters, one clear line."""

import pytest

from rlct.errors import InputError
from rlct.sweep.grid import read_grid

pytestmark = pytest.mark.light


def words(text, number=0):
    return read_grid(text).words(number)


def asked(text):
    grid = read_grid(text)
    return [" ".join(grid.words(k)) for k in range(grid.count)]


def test_the_last_axis_varies_fastest():
    text = 'ask = "net linear {a} {b} --rank 0"\n[grid]\na = "1..2"\nb = [7, "3..5..2"]'
    assert [x[11:-9] for x in asked(text)] == ["1 7", "1 3", "1 5", "2 7", "2 3", "2 5"]
    assert asked(text.replace("..", ":")) == asked(text)


def test_zip_goes_together_and_grid_through_all():
    text = (
        'ask = "net linear {a} {b} --rank {r}"\n[zip]\na = [4, 5]\nb = [6, 7]\n[grid]\nr = [0, 1]'
    )
    assert [x[11:] for x in asked(text)] == [
        "4 6 --rank 0",
        "5 7 --rank 0",
        "4 6 --rank 1",
        "5 7 --rank 1",
    ]
    two = 'ask = "poly {a}{b}{c}"\n[[zip]]\na = [1, 2]\nb = [3, 4]\n[[zip]]\nc = [5, 6]'
    assert [x[5:] for x in asked(two)] == ["135", "136", "245", "246"]


@pytest.mark.parametrize(
    ("formula", "value", "expected"),
    [
        ("x**{a}", "2", "x**2"),
        ("{a}*x**2", "-1", "(-1)*x**2"),
        ("x**2 - {a} * y", "-3", "x**2 - (-3) * y"),
        ("{a}**2", '"1/2"', "(1/2)**2"),
        ("({a})**2", '"x+y"', "((x+y))**2"),
        ("x{a}*y", "1", "x1*y"),
        ("x=-1:{a}", "-0.5", "x=-1:-0.5"),
        ("root(t^2-{a},1..2)", "2", "root(t^2-2,1..2)"),
    ],
)
def test_a_value_in_a_formula_is_a_value(formula, value, expected):
    found = words(f"ask = 'poly \"{formula}\"'\n[grid]\na = [{value}]")
    assert found == ["poly", expected]


def test_a_value_alone_may_be_several_words_or_none():
    text = (
        'ask = "net linear {w} --rank 0 {b}"\n[grid]\nw = [[1, 2], [3, 4, 5]]\nb = ["", "--bias"]'
    )
    assert asked(text) == [
        "net linear 1 2 --rank 0",
        "net linear 1 2 --rank 0 --bias",
        "net linear 3 4 5 --rank 0",
        "net linear 3 4 5 --rank 0 --bias",
    ]


GOOD = 'ask = "net linear 5 {hidden} --rank 1"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask = ", "not TOML: Invalid value (at end of document)"),
        ("ak = 1", "unknown key 'ak'; did you mean ask?"),
        ("ask = 3", "ask must be the text of a question, such as"),
        ('ask = "rlct"', "ask must be the text of a question, such as"),
        ("ask = 'poly \"x'", "ask: No closing quotation"),
        ('ask = "poly x{"', "'x{' has a brace that is no placeholder like {rank}"),
        (GOOD, "nothing gives the values of {hidden}; add hidden = [1, 2] to [grid]"),
        (
            GOOD + "[grid]\nhiden = 3",
            "ask does not use hiden: write {hiden} where it goes; did you",
        ),
        (GOOD + "[grid]\nhidden = []", "grid.hidden is empty: give it values, such as"),
        (GOOD + '[grid]\nhidden = "6..1"', "'6..1' is empty: write the smaller end first"),
        (GOOD + '[grid]\nhidden = "1..6..0"', "'1..6..0' is empty"),
        (GOOD + "[grid]\nhidden = nan", "nan is neither a number, a text nor a list"),
        (GOOD + "[grid]\nhidden = [true]", "for an option that is on or off write"),
        (GOOD + "[grid]\nhidden = [[]]", "[] is neither"),
        (GOOD + "[grid]\nhidden = 1979-05-27", "1979-05-27 is neither"),
        (GOOD + "grid = 3", "[grid] must be a table of values"),
        (GOOD + "zip = [3]", "[zip] must be a table of lists"),
        (GOOD + "[grid]\nhidden = 1\n[zip]\nhidden = 2", "hidden is given twice"),
        (GOOD + '[grid]\n"a b" = 1', "'a b' is no name"),
        (GOOD + '[grid]\nhidden = "1..99999999"', "has more than"),
        (
            'ask = "net linear {a} {b} --rank 1"\n[zip]\na = [1, 2]\nb = [1, 2, 3]',
            "[zip] goes through its lists together: a has 2 values, b 3",
        ),
        (
            'ask = "net linear {a} {b} --rank 1"\n[grid]\na = "1..9999"\nb = "1..9999"',
            "99980001 questions: at most",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text, expected):
    with pytest.raises(InputError) as error:
        read_grid(text)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
