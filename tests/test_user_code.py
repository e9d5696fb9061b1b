"""What a user's own code meets: types, completion, answers that travel, forms of a question."""

import copy
import inspect
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import sympy

import rlct
from rlct.answers.estimate import OneTemperature
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.questions.box_problem import BoxProblem
from rlct.sampling.markov_chains.kernel import RunSettings
from rlct.sampling.markov_chains.run_options import RunOptions
from rlct.sampling.networks.network_llc import estimate_network

ROOT = Path(rlct.__file__).parents[1]
NAMES = [name for name in rlct.__all__ if name != "__version__"]
x, y, z = sympy.symbols("x y z")


# --- types -------------------------------------------------------------------------------------

PROGRAM = """\
import rlct

answer = rlct.poly("(x**2 - y**3)**2", at=(0, 0))
reveal_type(answer)
reveal_type(answer.lam)
reveal_type(answer.theta)
reveal_type(rlct.llc)
if answer.pair is not None:
    lam, theta = answer.pair
    print(lam + theta, rlct.verify(answer.certificate), rlct.Pair(5, 2) < answer.pair)
print(rlct.polly, rlct.engine)
rlct.llc(answer, n_beta=100.0, nbeta=None, num_draws=10)
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What ``mypy --strict`` says of a program elsewhere that uses the package, line by line."""
    folder = tmp_path_factory.mktemp("user")
    calls = [f"rlct.{name}(misspelled=0)" for name in functions()]
    (folder / "program.py").write_text("\n".join([PROGRAM, *calls, ""]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "program.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.stderr == ""
    said = {}
    for line in done.stdout.splitlines():
        if match := re.match(r"program\.py:(\d+): (.*)", line):
            said.setdefault(int(match[1]), []).append(match[2])
    return said


def functions():
    """Public functions whose options are all their own: models and theorems bring theirs."""
    foreign = {"model", "select", "theorem", "variational"}
    found = [name for name in NAMES if inspect.isfunction(getattr(rlct, name))]
    return [name for name in found if name not in foreign]


@pytest.mark.slow
def test_a_type_checker_sees_the_answer(checked):
    assert checked[4] == ['note: Revealed type is "rlct.answers.result.Result"']
    assert checked[5] == ['note: Revealed type is "fractions.Fraction | None"']
    assert checked[6] == ['note: Revealed type is "int | None"']
    (llc,) = checked[7]
    for part in ("n_beta: float | None =", "seed: int =", "'num_draws'?: int | None", "Estimate"):
        assert part in llc
    assert "Any" not in llc.rpartition("->")[2]
    assert not set(checked) & {1, 2, 3, 8, 9, 10, 12}


@pytest.mark.slow
def test_a_type_checker_rejects_names_that_there_are_not(checked):
    errors = [line for line in checked[11] if line.startswith("error")]
    assert len(errors) == 2
    assert all("Module has no attribute" in line for line in errors)


@pytest.mark.slow
def test_a_type_checker_rejects_a_misspelled_option_everywhere(checked):
    first = PROGRAM.count("\n") + 2
    assert len(functions()) == 22
    for number, name in enumerate(functions(), first):
        message = " ".join(checked[number]).replace("overloaded function ", "")
        assert f'Unexpected keyword argument "misspelled" for "{name}"' in message


def test_the_typed_options_of_llc_are_those_that_it_takes():
    taken = {"target", "n_beta", "method", "progress", "seed", "level", "checkpoint"}
    known = set(RunOptions.__annotations__)
    network = {*inspect.signature(estimate_network).parameters, *RunSettings.__annotations__}
    network -= taken | {"module", "data", "loss", "options", "watched", "extendable"}
    assert set(OneTemperature.__annotations__) == known | network | {"nbeta"}


# --- names -------------------------------------------------------------------------------------


def test_the_stub_names_what_there_is():
    """It is the table from which the package loads, so each line must hold."""
    stub = (ROOT / "rlct" / "__init__.pyi").read_text(encoding="utf-8")
    lines = re.findall(r"^from (\S+) import (\w+) as (\w+)$", stub, re.MULTILINE)
    assert sorted(name for _, name, _ in lines) == NAMES
    for home, name, shown in lines:
        assert name == shown
        assert getattr(import_module(home), name) is getattr(rlct, name)
    rest = [s for s in stub.splitlines() if s and not s.startswith(("from ", '"""'))]
    assert rest == ["__version__: str", "__all__: list[str]"]


@pytest.mark.slow
def test_dir_tells_the_public_names_alone():
    code = (
        "import rlct, rlct.answers.exact, rlct.sampling.local.llc, rlct.cli.main; "
        "rlct.poly('x**2'); "
        "print(*dir(rlct))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == sorted(rlct.__all__)
    assert len(rlct.__all__) == 44


def test_a_star_imports_the_public_names():
    space = {}
    exec("from rlct import *", space)
    assert set(space) - {"__builtins__"} == set(rlct.__all__)


# --- answers that travel -----------------------------------------------------------------------

ANSWERS = {
    "poly": lambda: rlct.poly("x**2*y**4"),
    "squares": lambda: rlct.poly("(x**2-y**3)**2/3 + 2*z**4/5"),
    "no squares": lambda: rlct.poly("x**4*y**2+x**2*y**4-3*x**2*y**2*z**2+z**6", timeout=1),
    "point": lambda: rlct.poly("x**3*(y-1)**2/3", at={"y": 1}, prior="x**(-1/2)*y", nonneg=["x"]),
    "field": lambda: rlct.poly("((x**2-2)**2-y**3)**2", at={"x": "root(t^2-2, 1..2)"}),
    "two roots": lambda: rlct.ideal(["x**2-2", "(y**2-3)**2"], at=("sqrt(2)", "sqrt(3)")),
    "ideal": lambda: rlct.ideal(["x*y", "y*z**2/7"]),
    "bounds": lambda: rlct.ideal(["(x**9-2*y**9)**2+z**19"]),
    "box": lambda: rlct.poly("(x*y*(x-1))**2", over={"x": (-2, 2), "y": (0, 2)}, prior="x"),
    "box, roots": lambda: rlct.ideal(["(x**2-2)**2", "y"], over={"x": (-2, 2), "y": (0, 1)}),
    "linear": lambda: rlct.linear([2, 1, 2], rank=1),
    "quadratic": lambda: rlct.quadratic(2, 2, 1),
    "model": lambda: rlct.model("mixture", components=2, true=1),
}
WAYS = {"pickle": lambda value: pickle.loads(pickle.dumps(value)), "deepcopy": copy.deepcopy}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("ask", ANSWERS.values(), ids=ANSWERS)
def test_answers_travel(ask, way):
    answer = ask()
    for _ in range(2):  # the second time with all that is worked out on demand
        again = way(answer)
        assert again == answer
        assert hash(again) == hash(answer)
        assert again.to_dict() == answer.to_dict()
        assert again.question == answer.question
        assert hash(again.question) == hash(answer.question)
        assert again.explain() == answer.explain()
    assert again is not answer


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("text", ["(y - x**2)**2 - x**5", "(x**2 - 2*y**2)**2 + y**5"])
def test_trees_travel(text, way):
    """The second has a chart over a number field."""
    found = rlct.blow_up([text])
    for _ in range(2):
        again = way(found)
        assert again == found == rlct.blow_up([text]) != rlct.blow_up(["x**2 - y**3"])
        assert hash(again) == hash(found)
        assert str(again) == str(found)
        assert again.to_dict() == found.to_dict()


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_questions_travel_and_are_answered_alike(way):
    box = BoxProblem.of(["(x-1)**2*y**2/3"], {"x": (0, 2), "y": (0, 2)}, "y", is_ideal=False)
    assert way(box) == box
    assert hash(way(box)) == hash(box)
    zero = (Fraction(1), Fraction(0))
    assert way(box).at(zero).local == box.at(zero).local
    there = rlct.Problem.ideal(["x**2-2", "y*(x+z)"], {"x": "sqrt(2)"}, nonneg=["y"])
    assert way(there).local == there.local
    assert rlct.solve(way(there)) == rlct.solve(there)


def test_equal_questions_are_one_key():
    """A square that sympy multiplies out kept the hash of what it was half-way."""
    expanded = rlct.Problem.ideal(["x**4*y**2 - 2*x**3*y**2 + x**2*y**2"])
    assert len({rlct.Problem.ideal(["(x*y*(x-1))**2"]), expanded}) == 1
    assert len({rlct.poly("x**2"), rlct.poly("x**2"), rlct.poly("x**4")}) == 2


def test_answers_come_back_from_other_processes():
    started = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=started) as pool:
        asked = [pool.submit(rlct.poly, "x**2*y**4"), pool.submit(rlct.blow_up, ["x**2-y**3"])]
        poly, tree = (future.result(timeout=120) for future in asked)
        assert poly == rlct.poly("x**2*y**4")
        assert tree == rlct.blow_up(["x**2-y**3"])
        assert pool.submit(rlct.blow_up, poly).result(timeout=120) == rlct.blow_up(poly)
        with pytest.raises(InputError, match="did you mean at"):
            pool.submit(rlct.poly, "x**2", att=1).result(timeout=120)


def test_nothing_of_sympy_is_in_a_pickle():
    """So it may be read where sympy counts with other numbers."""
    for name, ask in ANSWERS.items():
        assert b"sympy" not in pickle.dumps(ask()), name


@pytest.mark.parametrize("there", ["python", "gmpy", "flint"])
def test_answers_travel_between_the_numbers_of_sympy(there, tmp_path):
    if there != "python" and find_spec({"gmpy": "gmpy2"}.get(there, there)) is None:
        pytest.skip(f"{there} is not installed")
    code = f"""
import copy, pickle, sys, rlct
from sympy.external.gmpy import GROUND_TYPES
assert GROUND_TYPES == {there!r}
path = {str(tmp_path / "answer")!r}
with open(path, "rb") as file:
    given = pickle.load(file)
asked = [rlct.poly("(x**2-y**3)**2/3"), rlct.ideal(["x**2-2", "y"], at=("sqrt(2)", 0))]
assert given == asked == copy.deepcopy(asked)
assert [hash(a.question) for a in given] == [hash(a.question) for a in asked]
with open(path, "wb") as file:
    pickle.dump(asked, file)
"""
    asked = [rlct.poly("(x**2-y**3)**2/3"), rlct.ideal(["x**2-2", "y"], at=("sqrt(2)", 0))]
    (tmp_path / "answer").write_bytes(pickle.dumps(asked))
    environment = os.environ | {"SYMPY_GROUND_TYPES": there}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    assert pickle.loads((tmp_path / "answer").read_bytes()) == asked


# --- forms of a question -----------------------------------------------------------------------


class Foreign:
    """A polynomial of a program that knows sympy, such as Sage: it iterates over its terms."""

    def __init__(self, form):
        self.form = form

    def _sympy_(self):
        return self.form

    def __iter__(self):
        return iter([(1, self)])


R, u, v = sympy.ring("x,y", sympy.QQ)
TEXT = rlct.poly("(x-1)**2*y**4", at={"x": 1})
PRODUCTS = rlct.ideal(["x*y", "y*z"])


@pytest.mark.parametrize(
    "at",
    [
        (1, 0),
        [1, "0"],
        {x: 1},
        sympy.Matrix([1, 0]),
        sympy.Point(1, 0),
        (Foreign(sympy.Integer(1)), 0),
        {Foreign(x): Foreign(sympy.Integer(1))},
    ],
)
def test_forms_of_a_point(at):
    assert rlct.poly("(x-1)**2*y**4", at=at) == TEXT
    assert rlct.blow_up(["x-1", "y**2"], at=at) == rlct.blow_up(["x-1", "y**2"], at={"x": 1})


def test_a_point_in_order_follows_the_natural_order_of_the_variables():
    problem = rlct.Problem.ideal(["x10-10", "x2-2", "a-1"], at=(1, 2, 10))
    assert (problem.variables, problem.point) == (("a", "x2", "x10"), (1, 2, 10))


@pytest.mark.parametrize(
    "K", [(x - 1) ** 2 * y**4, sympy.Poly((x - 1) ** 2 * y**4), (u - 1) ** 2 * v**4]
)
def test_forms_of_a_polynomial(K):
    assert rlct.poly(K, at=(1, 0)).pair == TEXT.pair
    assert rlct.poly(Foreign(K), at=(1, 0)).pair == TEXT.pair
    assert rlct.ideal(K, at=(1, 0)).pair == rlct.ideal([K], at=(1, 0)).pair == TEXT.pair / 2
    assert rlct.ideal(Foreign(K), at=(1, 0)).pair == TEXT.pair / 2


@pytest.mark.parametrize(
    "generators",
    [
        (x * y, y * z),
        sympy.Matrix([x * y, y * z]),
        sympy.ImmutableMatrix([[x * y, y * z]]),
        sympy.Array([x * y, y * z]),
        sympy.groebner([x * y, y * z]),
        Foreign(sympy.Matrix([x * y, y * z])),
        [Foreign(x * y), "y*z"],
    ],
)
def test_forms_of_an_ideal(generators):
    assert rlct.ideal(generators).pair == PRODUCTS.pair
    assert rlct.Problem.ideal(generators).variables == ("x", "y", "z")


def test_forms_of_a_prior_and_of_a_box():
    text = rlct.poly("x**2*y**4", prior="x*y**(-1/2)", nonneg="x")
    assert text.pair == Pair.of("1/8")  # (1 − 1/2)/4 < (1 + 1)/2
    for prior in (x / sympy.sqrt(y), Foreign(x / sympy.sqrt(y)), {x: 1, "y": "-1/2"}):
        assert rlct.poly(x**2 * y**4, prior=prior, nonneg=x) == text
    box = {x: (0, sympy.Rational(1, 2)), y: (Foreign(sympy.Integer(-1)), 1)}
    words = {"x": (0, "1/2"), "y": (-1, 1)}
    assert rlct.poly("x**2*y**4", over=box) == rlct.poly("x**2*y**4", over=words)


# --- mistakes that name the cure ---------------------------------------------------------------

MISTAKES = [
    (lambda: rlct.ideal("x*y", "y*z"), "rlct.ideal(['x*y', 'y*z'])"),
    (lambda: rlct.ideal("x*y", "y*z", "x*z"), "rlct.ideal(['x*y', 'y*z', …])"),
    (lambda: rlct.ideal("x*y", "y*z", at=(0, 0, 0)), "ideal is given at twice, 'y*z' by position"),
    (lambda: rlct.verify({}, foo=1), "verify has no option foo; there is certificate"),
    (lambda: rlct.ideal("x", "y", over={"x": (0, 1)}), "rlct.ideal(['x', 'y'])"),
    (lambda: rlct.ideal(x * y, y * z), "rlct.ideal([x*y, y*z])"),
    (lambda: rlct.poly("x*y", "y*z"), "rlct.ideal(['x*y', 'y*z'])"),
    (lambda: rlct.ideal("a", "b", "c", "d", "e"), "as in ideal(['a', 'b', …])"),
    (lambda: rlct.linear(5, 3, 5, 1), "as in linear([5, 3, …])"),
    (lambda: rlct.poly("x**2", att=3), "poly has no option att; did you mean at?"),
    (lambda: rlct.ideal(["x"], nonnegative="x"), "did you mean nonneg?"),
    (lambda: rlct.poly("x**2", where=3), "there are K, at, prior, nonneg, over, timeout"),
    (lambda: rlct.linear([5, 3, 5], ranks=1), "did you mean rank?"),
    (lambda: rlct.llc(PRODUCTS, sed=1), "did you mean seed?"),
    (lambda: rlct.llc(PRODUCTS, learning_rate=1), "did you mean lr?"),
    (lambda: rlct.check(PRODUCTS, clam=1), "did you mean claim?"),
    (lambda: rlct.waic([[0.0]], betta=1), "did you mean beta?"),
    (lambda: rlct.poly("(x-1)**2*y", at="x=1"), "mapping such as {'x': 1}, or a sequence"),
    (lambda: rlct.poly("(x-1)**2*y", at="1, 0"), "mapping such as {'x': 1}, or a sequence"),
    (lambda: rlct.poly("(x-1)**2*y", at={1, 0}), "mapping such as {'x': 1}, or a sequence"),
    (lambda: rlct.poly("(x-1)**2*y", at=(1,)), "at has 1 coordinate, and K has 2: x, y"),
    (lambda: rlct.poly("(x-1)**2*y", at=(1, 0, 0)), "at has 3 coordinates, and K has 2: x, y"),
    (lambda: rlct.poly("x**2", prior=x + y), "which does not occur in K"),
]


@pytest.mark.parametrize(("call", "cure"), MISTAKES, ids=[cure for _, cure in MISTAKES])
def test_a_mistake_names_its_cure(call, cure):
    with pytest.raises(InputError) as error:
        call()
    assert cure in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", sorted({*functions()} - {"llc", "calibrate"}))
def test_every_function_knows_its_options(name):
    call = getattr(rlct, name)
    with pytest.raises(InputError, match=f"{name} has no option misspelled"):
        call(misspelled=0)
    assert call.__module__.startswith("rlct.")
    assert "misspelled" not in inspect.signature(call).parameters
