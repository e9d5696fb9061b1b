"""A command starts with what it needs: the indexes are true, and little else is loaded.

``python tests/test_start.py`` writes the indexes.  How long it takes: validation/bench/start.py.
"""

import contextlib
import json
import pkgutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import rlct.cli
import rlct.models
import rlct.theorems
from rlct.cli.index import COMMAND_MODULES
from rlct.cli.parser import Parser
from rlct.models import all_models, get_model
from rlct.models.index import MODELS
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.models.linear_networks.linear_point import LinearPoint
from rlct.questions.problem import Problem
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.base import Theorem
from rlct.theorems.index import THEOREM_INDEX

ROOT = Path(__file__).parents[1]
HEAD = '''"""{what}.

``python tests/test_start.py`` writes this file, and a test holds it to what it lists.
"""

from typing import Final

__all__ = ["{name}"]

{name}: Final[dict[str, tuple[{types}]]] = {{
'''
NO_RECOGNISER = Theorem.__dataclass_fields__["recognise"].default


def file_of(name, what, types, rows):
    """The text of an index, as ``ruff format`` would lay it out."""
    lines = []
    for key, values in rows.items():
        texts = [shown(value) for value in values]
        line = f'    "{key}": ({", ".join(texts)}),'
        split = [f'    "{key}": (', *(f"        {text}," for text in texts), "    ),"]
        lines += [line] if len(line) <= 100 else split
    return HEAD.format(name=name, what=what, types=types) + "\n".join([*lines, "}"]) + "\n"


def shown(value):
    if isinstance(value, str):
        return f'"{value}"'
    return f"({', '.join(map(shown, value))}{',' * (len(value) == 1)})"


def modules(package):
    """The modules of a room and of its shelves, by their own names."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    names = sorted((info.name for info in found), key=lambda name: name.rpartition(".")[2])
    return {name.removeprefix(f"{package.__name__}."): import_module(name) for name in names}


class ReadError(BaseException):
    """A recogniser reads a field of a question, so its kind is right."""


def kinds():
    """Yield what may be asked: polynomials, and every class of a model file with instances."""
    yield Problem
    for info in pkgutil.walk_packages(rlct.models.__path__, "rlct.models."):
        for kind in vars(import_module(info.name)).values():
            if isinstance(kind, type) and kind.__module__ == info.name:
                with contextlib.suppress(TypeError):  # that is abstract
                    object.__new__(kind)
                    yield kind


def looks_into(theorem, kind):
    """Whether a theorem wants to know more of a question than that it is of a kind."""
    fields = getattr(kind, "__dataclass_fields__", ())

    def read(self, name):
        if name == "__class__":
            return kind
        raise (ReadError if name in fields or hasattr(kind, name) else AttributeError)(name)

    question = object.__new__(kind)
    assert "__getattribute__" not in vars(kind)
    kind.__getattribute__ = read
    try:
        return theorem.recognise(question) is not None
    except ReadError:
        return True
    finally:
        del kind.__getattribute__


def commands():
    rows = {}
    for name, module in modules(rlct.cli).items():
        if hasattr(module, "register"):
            subparsers = Parser(prog="rlct").add_subparsers()
            module.register(subparsers)
            for action in subparsers._choices_actions:
                assert action.dest not in rows
                rows[action.dest] = (name, action.help)
    return file_of(
        "COMMAND_MODULES", "The module and the summary of each command", "str, str", rows
    )


def models():
    files = {m.MODEL: name for name, m in modules(rlct.models).items() if hasattr(m, "MODEL")}
    rows = {model.id: (files[model], model.group, model.title) for model in all_models()}
    return file_of("MODELS", "The module, group and title of each model", "str, str, str", rows)


def theorems():
    files = {m.THEOREM.id: n for n, m in modules(rlct.theorems).items() if hasattr(m, "THEOREM")}
    asked = sorted(set(kinds()), key=lambda kind: kind.__name__)
    rows = {}
    for theorem in all_theorems():
        found = tuple(kind.__name__ for kind in asked if looks_into(theorem, kind))
        seen = found or theorem.recognise is NO_RECOGNISER
        assert seen, f"{theorem.id}: its recogniser asks for no kind of question that there is"
        rows[theorem.id] = (files[theorem.id], found)
    what = "The module of each theorem, and the kinds of questions that it may answer"
    return file_of("THEOREM_INDEX", what, "str, tuple[str, ...]", rows)


INDEXES = {"cli": commands, "models": models, "theorems": theorems}


def index_of(room):
    return ROOT / "rlct" / room / "index.py"


@pytest.mark.parametrize("room", INDEXES)
def test_an_index_lists_what_there_is(room):
    text = index_of(room).read_text(encoding="utf-8")
    assert text == INDEXES[room](), "python tests/test_start.py renews it"


@pytest.mark.parametrize(
    ("recognise", "found"),
    [
        (lambda question: {} if isinstance(question, LinearNetwork) else None, [LinearNetwork]),
        (lambda q: {"n": q.rank} if type(q) is LinearNetwork else None, [LinearNetwork]),
        (
            lambda q: {} if isinstance(q, (LinearNetwork, LinearPoint)) and q.widths else None,
            [LinearNetwork, LinearPoint],
        ),
        (lambda q: q.germ() if getattr(q, "germ", None) else None, [Problem]),
        (NO_RECOGNISER, []),
    ],
)
def test_every_way_to_ask_for_a_kind_is_seen(recognise, found):
    theorem = replace(get_theorem("regular"), recognise=recognise)
    asked = (Problem, LinearNetwork, LinearPoint, *all_models())
    assert [kind for kind in asked if looks_into(theorem, kind)] == found


def test_what_no_index_lists_is_found_by_its_id(monkeypatch):
    monkeypatch.delitem(THEOREM_INDEX, "rbm")
    monkeypatch.delitem(MODELS, "rbm")
    assert get_theorem("rbm") in all_theorems()
    assert get_model("rbm") in all_models()


def loaded(*words):
    """The modules that a command loads beside those of Python's own start."""
    code = f"""
import sys
before = set(sys.modules)
import contextlib, io, json
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    from rlct.cli.main import main
    main({words})
print(json.dumps(sorted(set(sys.modules) - before - {{"contextlib", "io", "json"}})))
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, check=True
    )
    return set(json.loads(done.stdout))


def among(modules, package, names):
    """Those of a package that an index lists."""
    return {name for name in names if f"rlct.{package}.{name}" in modules}


def parts(modules):
    """The commands, models and theorems among modules."""
    return (
        among(modules, "cli", {module for module, _ in COMMAND_MODULES.values()}),
        among(modules, "models", {module for module, *_ in MODELS.values()}),
        among(modules, "theorems", {module for module, _ in THEOREM_INDEX.values()}),
    )


def about(kind):
    return {module for module, asked in THEOREM_INDEX.values() if kind in asked}


def test_the_version_needs_few_modules():
    code = "import sys; sys.argv = ['rlct', '--version']; from rlct.cli.main import main; main()"
    code += "; print(*(m for m in ('argparse', 'typing', 'json', 're') if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"rlct {rlct.__version__}\n\n"
    found = {name for name in loaded("--version") if name.startswith("rlct")}
    assert found == {
        *("rlct", "rlct.cli", "rlct.cli.failing", "rlct.cli.main", "rlct.errors"),
        *("rlct.system", "rlct.system.moved_modules"),
    }


@pytest.mark.parametrize(
    ("words", "commands", "models", "kind", "libraries"),
    [
        ("--help", set(), set(), None, set()),
        ("poly x**2", {"exact.poly"}, set(), "Problem", {"sympy", "numpy"}),
        ("net linear 5 3 5 --rank 1", {"exact.net", "exact.model"}, set(), "LinearNetwork", set()),
        ("model mixture --help", {"exact.model"}, {"latent_variables.mixture"}, None, set()),
        ("theorem show --help", {"theorems.theorem"}, set(), None, set()),
        ("verify --help", {"exact.verify"}, set(), None, set()),
    ],
)
def test_a_command_loads_what_it_needs(words, commands, models, kind, libraries):
    found = loaded(*words.split())
    assert parts(found) == (commands, models, about(kind))
    assert found & {"sympy", "numpy", "scipy", "networkx", "matplotlib", "torch"} == libraries


def test_an_unknown_command_is_compared_with_all():
    commands, models, _ = parts(loaded("modle"))
    assert commands == {module for module, _ in COMMAND_MODULES.values()}
    assert models == {module for module, *_ in MODELS.values()}


if __name__ == "__main__":
    for ROOM, TEXT in INDEXES.items():
        index_of(ROOM).write_text(TEXT(), encoding="utf-8")
