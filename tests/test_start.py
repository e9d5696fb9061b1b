"""A command starts with what it needs: the indexes are true, and little else is loaded.

``make index`` writes the indexes.  How long it takes: validation/bench/start.py.
"""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from start_indexes import INDEXES, NO_RECOGNISER, index_of, looks_into

import rlct.cli
import rlct.models
import rlct.theorems
from rlct.cli.index import COMMAND_MODULES
from rlct.models import all_models, get_model
from rlct.models.index import MODEL_INDEX
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.models.linear_networks.linear_point import LinearPoint
from rlct.questions.problem import Problem
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.index import THEOREM_INDEX

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("room", INDEXES)
def test_an_index_lists_what_there_is(room):
    text = index_of(room).read_text(encoding="utf-8")
    assert text == INDEXES[room](), "make index renews it"


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
    monkeypatch.delitem(MODEL_INDEX, "rbm")
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
        among(modules, "models", {module for module, *_ in MODEL_INDEX.values()}),
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
    assert found == {"rlct", "rlct.cli", "rlct.cli.failing", "rlct.cli.main", "rlct.errors"}


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
    assert models == {module for module, *_ in MODEL_INDEX.values()}
