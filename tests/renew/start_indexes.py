"""The indexes of theorems, models and commands, by which a command loads what it needs alone."""

import contextlib
import pkgutil
from importlib import import_module
from pathlib import Path

import rlct.cli
import rlct.models
import rlct.theorems
from rlct.cli.parser import Parser
from rlct.models import all_models
from rlct.questions.problem import Problem
from rlct.theorems import all_theorems
from rlct.theorems.base import Theorem

ROOT = Path(__file__).parents[2]
HEAD = '''"""{what}.

``make index`` writes this file, and a test holds it to what it lists.
"""

from typing import Final

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
    return file_of(
        "MODEL_INDEX", "The module, group and title of each model", "str, str, str", rows
    )


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


def renew():
    for room, text in INDEXES.items():
        index_of(room).write_text(text(), encoding="utf-8")
