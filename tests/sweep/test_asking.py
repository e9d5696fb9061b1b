"""Questions in canonical form; the arrays of linear networks against asking one by one."""

import json
import random

import pytest

from rlct.cli.asking import CommandAsker
from rlct.errors import InputError
from rlct.sweep.grid import Axis, Grid, read_grid
from rlct.sweep.linear import linear_batch
from rlct.sweep.store import key_of

ASK = CommandAsker()


def words(text):
    return text.split()


def canonical(*words):
    return ASK.question(list(words))[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["poly", "x**2*y**4"], ["poly", "y^4 * x^2"]),
        (["poly", "x**2", "--at", "x=0"], ["poly", "x**2", "--timeout", "9"]),
        (["ideal", "x*y", "z"], ["ideal", "y*x", "z", "--at", "z=0,x=0,y=0"]),
        (
            words("net linear 5x2 3 --rank 1"),
            words("net linear 5 5 3 --rank 1"),
        ),
        (["sample", "poly", "x**2"], ["sample", "poly", "x^2", "--seed", "0"]),
        (
            words("model mixture --components 4 --true 1"),
            words("model mixture --true=1 --components=4"),
        ),
    ],
)
def test_one_question_has_one_form(one, other):
    assert canonical(*one) == canonical(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["poly", "x**2"], ["ideal", "x"]),
        (["poly", "x**2*y**2"], ["poly", "x**2*y**2", "--at", "x=1"]),
        (["poly", "x**2"], ["poly", "x**2", "--prior", "x"]),
        (["poly", "x**2*y**2"], ["poly", "x**2*y**2", "--nonneg", "x"]),
        (["poly", "x**2"], ["poly", "x**2", "--over", "x=-1:1"]),
        (["poly", "x**2"], ["check", "poly", "x**2"]),
        (["check", "poly", "x**2"], ["check", "poly", "x**2", "--claim", "1/2"]),
        (["sample", "poly", "x**2"], ["sample", "poly", "x**2", "--seed", "1"]),
        (words("net linear 5 3 --rank 1"), words("net linear 3 5 --rank 1")),
        (
            words("net linear 5 3 --rank 1"),
            words("net linear 5 3 --rank 1 --bias"),
        ),
        (
            words("theorem eval deep-linear widths=5,3 rank=1"),
            words("theorem eval regular d=3"),
        ),
    ],
)
def test_other_questions_have_other_forms(one, other):
    assert canonical(*one) != canonical(*other)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["poly", "x**"], ""),
        (["pol", "x"], "'pol x' is no question with a λ: ask poly, ideal, net"),
        (["audit"], "'audit' is no question with a λ"),
        (words("theorem list"), "'theorem list' is no question"),
        (["poly", "-"], "standard input"),
        (["poly", "x**2", "--certificate", "c.json"], "--certificate says what to print"),
        (words("net linear 5 1..3 --rank 0"), "a range in ask: write a placeholder"),
        (words("net linear 5 3 --rank x"), "argument --rank"),
        (words("net quadratic --units 3 --data gone.json"), "cannot read gone.json"),
    ],
)
def test_what_cannot_be_asked(words, expected):
    with pytest.raises(InputError) as error:
        ASK.question(words)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status", "lam", "theta"),
    [
        (["poly", "(x**2-y**3)**2"], "exact", "5/12", 1),
        (["poly", "(y+x**2)**2", "--over", "x=-1:1,y=0:1"], "exact", "3/4", 1),
        (["ideal", "x*y", "y*z", "z*x"], "exact", "3/4", 1),
        (words("net linear 5 3 5 --rank 1"), "exact", "8", 1),
        (
            words("net quadratic --inputs 30 --units 31 --outputs 5 --bias"),
            "bounds",
            None,
            None,
        ),
        (words("model naive-bayes --features 3"), "exact", "2", 1),
        (words("theorem eval sum-of-powers powers=1,2,3"), "exact", "11/12", 1),
        (["check", "poly", "x**2*y**4"], "agrees", None, 1),
        (["check", "poly", "x**2*y**4", "--claim", "1/2"], "refuted", None, None),
        (words("net linear 2 1 2 --rank 0 --check"), "agrees", "1", 2),
        (["poly", "x**2-y**2"], "refused", None, None),
        (words("net linear 5 3 5 --rank 4"), "refused", None, None),
    ],
)
def test_every_kind_of_question_is_answered(words, status, lam, theta, capsys):
    answer = ASK.answer(words)
    assert answer.status == status, answer.message
    if lam is not None:
        assert (answer.lam, answer.theta) == (lam, theta)
    if status == "refused":
        assert "\n" not in answer.message
    else:
        assert json.loads(json.dumps(answer.document))["schema"] == "rlct/1"
    if words[0] in ("poly", "ideal"):
        assert (answer.certificate is None) == (status == "refused")
    if status in ("agrees", "refuted") and lam is None:
        assert float(answer.lower) < float(answer.lam) < float(answer.upper)
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_a_sample_is_an_estimate():
    answer = ASK.answer(["sample", "poly", "x**2*y**4", "--seed", "1"])
    assert answer.status == "estimate"
    assert float(answer.lower) < 0.25 < float(answer.upper)


def test_arrays_agree_with_asking_one_by_one():
    rng = random.Random(3)
    seen = set()
    for case in range(12):
        depth = rng.randint(2, 5)
        names = [f"w{k}" for k in range(depth)]
        words = ["net", "linear", *(f"{{{n}}}" for n in names[1:]), "7", "--rank", "{r}"]
        words += ["--bias"] * (case % 2) + ["--input-rank", "{s}"] * (case % 3 == 0)
        words.insert(2, "{w0}")
        names += ["r"] + ["s"] * (case % 3 == 0)
        axes = [Axis((n,), tuple((rng.randint(0, 6),) for _ in range(2))) for n in names]
        grid = Grid(tuple(words), tuple(axes))
        batch = linear_batch(grid)
        for number, key, question, columns in batch.answers(range(grid.count)):
            status, lam, theta, lower, upper, method, message = columns[:7]
            answer = ASK.answer(grid.words(number))
            seen.add(answer.status)
            assert status == answer.status
            assert (lam, theta, lower, upper) == (
                answer.lam,
                answer.theta,
                answer.lower,
                answer.upper,
            )
            assert (method, message) == (answer.method, answer.message)
            if status == "exact":
                asked = ASK.question(grid.words(number))
                assert (question, key) == (asked[0], key_of(asked[0]))
    assert seen == {"exact", "refused"}


@pytest.mark.parametrize(
    "ask",
    [
        "net linear {a} 3 --rank {b} --weights w.json",
        "net linear {a} 3..4 --rank {b}",
        "net linear {a}{b} 3 --rank 0",
        "net linear {a} {b}",
        "net linear {a} --rank {b}",
        "net linear {a} 3 --rank {b} --timeout 3",
        "net linear {a} 3 --rank {b} --check",
        "net linear {a} 3 --rank 1 --rank {b}",
        "net tanh --inputs {a} --hidden {b}",
    ],
)
def test_what_the_arrays_leave_to_the_command(ask):
    assert linear_batch(read_grid(f'ask = "{ask}"\n[grid]\na = "1..2"\nb = "0..1"')) is None


@pytest.mark.parametrize("values", ['["2x3"]', "[[2, 2]]", "[2.0]", "[99999999999]"])
def test_arrays_take_whole_numbers_only(values):
    text = f'ask = "net linear {{a}} 3 --rank 1"\n[grid]\na = {values}'
    assert linear_batch(read_grid(text)) is None
