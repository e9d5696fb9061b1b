"""Rules of the house: where modules lie, what they may import, how things are named.

Each rule is a function from sources to complaints, and has a planted violation that it must find.
R7, that no answer leans on the checker, nor the checker on the engine, is tested by mutations in
`certificate/test_mutations.py`; R9, that the corpus writes every rule, in
`certificate/test_tampering.py`.
What is still against a rule today is counted in `house.json`.  A count may only fall: whoever
lowers one writes the new number with ``make index``.
"""

import ast
import builtins
import gc
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COUNTS = Path(__file__).with_name("house.json")
Tree = Mapping[str, ast.Module]

#: A room imports from itself and from rooms before it, lazily and for typing, too.
ORDER = (
    *("errors", "pair", "kernel", "system", "algebra", "proof", "newton", "certificate"),
    *("witness", "questions"),
    *("models", "engine", "blowup", "theorems", "sampling", "criteria", "answers", "selection"),
    *("benchmark", "report", "explain", "sweep", "serve", "cli"),
)
#: Public methods that draw or tell: only they import `report` and `explain` from below.
DRAWING = {
    "rlct.answers.blow_up": {"BlowUp.__str__", "BlowUp._repr_html_"},
    "rlct.answers.result": {
        *("Result.explain", "Result.cite", "Result._repr_latex_", "Result._repr_html_"),
    },
    "rlct.answers.table": {"Table.plot", "Table.__str__", "Table._repr_html_"},
    "rlct.selection.outcome": {
        *("Selection.plot", "Selection.__str__", "Selection._repr_html_"),
    },
    "rlct.sampling.comparison": {"Comparison.plot", "Comparison._repr_html_"},
    "rlct.sampling.estimate": {
        *("Estimate.table", "Estimate.plot", "Estimate.to_datatree", "Estimate._repr_html_"),
    },
    "rlct.sampling.networks.trajectory": {
        *("Trajectory.table", "Trajectory.plot", "Trajectory.to_datatree"),
    },
}
FINDERS = ("algebra", "proof", "newton", "questions", "models", "engine", "theorems")
#: Rooms that stand alone, with the rooms that they import.
ALONE = {"certificate": ("certificate", "errors", "pair"), "kernel": ("kernel",)}
#: Where finders and checker import modules by computed names.
DYNAMIC = {
    "rlct.models": "finds the models of its own folder",
    "rlct.theorems": "finds the theorems of its own folder",
    "rlct.engine.rules": "finds the rules of the folders beside it",
    "rlct.certificate.rules": "finds the rules of the folders beside it",
}
MOST_FILES = 32  # of a folder
#: Folders whose inner walls are not straight yet, with the arrows that go back up: only fewer.
KNOTTED = {"rlct.sampling": 3}
MOST_LINES = 60  # of a function
MOST_ARGUMENTS = 10  # of a function that is not public
SHORT_LIFE = 3  # lines that a name may live that does not say of what
#: Words that say nothing: no names of values that live longer, of parameters or of attributes.
SILENT = {
    *("found", "left", "more", "other", "others", "place", "known"),
    *("one", "what", "this", "it", "rest", "told"),
}
RULE_READERS = ("certificate", "witness", "engine", "blowup", "report", "explain", "serve")
CONVENTION = 6  # modules that have a public constant of one word, as KERNEL: it says of what


def homes() -> dict[str, str]:
    """Where each public name lives, without the package's own name."""
    stub = (ROOT / "rlct" / "__init__.pyi").read_text("utf-8")
    return {name: home for home, name in re.findall(r"^from rlct\.(\S+) import (\w+)", stub, re.M)}


HOMES = homes()
CLASS = re.compile(r"(?<![\w.])[A-Z]\w*[a-z]\w*(?![\w.])")


@cache
def sources(package: str = "rlct") -> Tree:
    """Every module of a package, parsed."""
    found = {}
    gc.disable()  # millions of nodes that stay
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found[name] = ast.parse(path.read_text("utf-8"))
    gc.freeze()
    gc.enable()
    return found


def room(module: str) -> str:
    """The first folder, or the file if it lies loose."""
    return module.split(".")[1] if "." in module else "__init__"


def imports(module: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Modules of the package that are imported anywhere, each with the function that does it."""

    def walk(node: ast.AST, place: str) -> Iterator[tuple[str, str]]:
        for child in ast.iter_child_nodes(node):
            inner = place
            if isinstance(child, (ast.ClassDef, ast.FunctionDef)):
                inner = f"{place}.{child.name}".strip(".")
            if isinstance(child, ast.Import):
                yield from ((alias.name, place) for alias in child.names)
            if isinstance(child, ast.ImportFrom):
                above = module.split(".")[: -child.level] if child.level else []
                origin = ".".join([*above, *([child.module] if child.module else [])])
                yield origin, place
                yield from ((f"{origin}.{alias.name}", place) for alias in child.names)
            called = getattr(child, "func", None)
            if getattr(called, "id", getattr(called, "attr", "")) in (
                "import_module",
                "__import__",
            ):
                texts = [getattr(argument, "value", "") for argument in child.args]
                yield from ((text, place) for text in texts if isinstance(text, str))
            if isinstance(child, ast.Attribute) and getattr(child.value, "id", "") == "rlct":
                yield f"rlct.{HOMES.get(child.attr, child.attr)}", place
            yield from walk(child, inner)

    for name, place in walk(tree, ""):
        if name.startswith("rlct."):
            yield name, place


def upward_imports(tree: Tree) -> list[str]:
    """R1: imports go down the order of rooms; methods that draw are named in one table."""
    found = []
    for module, code in tree.items():
        here = room(module)
        if here in ("__init__", "__main__"):
            continue
        for name, place in imports(module, code):
            there = room(name)
            if there not in ORDER or ORDER.index(there) <= ORDER.index(here):
                continue
            drawn = place in DRAWING.get(module, ()) and there in ("report", "explain")
            if not drawn:
                found.append(f"{module}: {place or 'module'} imports {name}, which lies above")
    return found


def shared_checker(tree: Tree) -> list[str]:
    """R2: checker and kernel stand alone, and who finds answers takes nothing from the checker.

    Neither imports the package itself, whose names are of all rooms, nor modules by their names.
    """
    found = []
    for module, code in tree.items():
        if room(module) in (*FINDERS, *ALONE):
            found += [f"{module} uses {name}" for name in hidden_imports(module, code)]
        for name, _ in imports(module, code):
            if room(module) in FINDERS and room(name) == "certificate":
                found.append(f"{module} imports {name}")
            if room(module) in ALONE and room(name) not in ALONE[room(module)]:
                found.append(f"{module} imports {name}")
        if room(module) in ALONE:
            tops = {
                name.split(".")[0]
                for node in ast.walk(code)
                for name in (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else []
                )
            }
            foreign = tops - sys.stdlib_module_names - {"rlct"}
            found += [f"{module} imports {name}" for name in sorted(foreign)]
    return found


def hidden_imports(module: str, code: ast.Module) -> list[str]:
    """Imports of the package itself, and what imports modules by computed names."""
    package = (ROOT / "rlct" / Path(*module.split(".")[1:])).is_dir()
    found = []
    for node in ast.walk(code):
        names = [node.id] if isinstance(node, ast.Name) else []
        names += [node.attr] if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) + package - node.level]
            origin = ".".join([*(above if node.level else []), *filter(None, [node.module])])
            names += [origin]
        found += [name for name in names if name == "rlct"]
        if module not in DYNAMIC:
            found += [
                name
                for name in names
                if name.split(".")[0] == "importlib" or name in ("import_module", "__import__")
            ]
    return found


def loose_files(tree: Tree) -> list[str]:
    """R3: four files lie loose, and no folder has more than so many."""
    folders: Counter[str] = Counter()
    packages = {name.rpartition(".")[0] for name in tree}
    found = []
    for module in tree:
        parent = module if module in packages else module.rpartition(".")[0]
        folders[parent] += 1
        if parent == "rlct" and module not in ("rlct", "rlct.__main__", "rlct.errors", "rlct.pair"):
            found.append(f"{module} lies loose")
    return found + [f"{name} has {n} files" for name, n in folders.items() if n > MOST_FILES]


def walls(tree: Tree) -> dict[str, dict[str, set[str]]]:
    """For each folder, which of its files and folders (and itself, "") import which others."""
    files = {".".join(name.split(".")[:k]) for name in tree for k in range(2, name.count(".") + 2)}
    folders = {name.rpartition(".")[0] for name in files} - {"rlct"}

    def unit(name: str, folder: str) -> str:
        child = name.removeprefix(folder).split(".")[1] if name != folder else ""
        return child if f"{folder}.{child}" in files else ""

    graph = {folder: defaultdict(set) for folder in folders}
    for module, code in tree.items():
        names = {name for name, _ in imports(module, code)}
        for folder in (place for place in folders if f"{module}.".startswith(f"{place}.")):
            here = unit(module, folder)
            inside = {unit(name, folder) for name in names if name.startswith(f"{folder}.")}
            graph[folder][here] |= inside - {here}
    return graph


def back_arrows(graph: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """The least number of arrows that go back up, whatever order units are put in."""

    @cache
    def least(units: frozenset[str]) -> tuple[tuple[str, str], ...]:
        inside = {unit: graph.get(unit, set()) & units for unit in sorted(units)}
        free = [unit for unit, below in inside.items() if not below]
        tops = [unit for unit in inside if not any(unit in below for below in inside.values())]
        if free or tops:
            return least(units - {*free, *tops})
        ways = (
            (*((unit, below) for below in sorted(inside[unit])), *least(units - {unit}))
            for unit in inside
        )
        return min(ways, key=len, default=())

    return list(least(frozenset(graph)))


def knotted_walls(tree: Tree) -> list[str]:
    """R10: among the files and folders of a folder, too, imports go down only."""
    found = []
    for folder, graph in walls(tree).items():
        if len(back := back_arrows(graph)) > KNOTTED.get(folder, 0):
            found += [f"{folder}: {low or 'it'} imports {high or 'it'}" for low, high in back]
    return found


def exported(tree: Tree) -> dict[str, set[str]]:
    """Names in ``__all__``; of a module without one those that others import from it."""
    found = defaultdict(set)
    for module, code in tree.items():
        for name, _ in imports(module, code):
            home, _, short = name.rpartition(".")
            found[home].add(short)
    for module, code in tree.items():
        for node in code.body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                names = {getattr(item, "value", "") for item in ast.walk(node.value)}
                found[module] = names
        found[module] &= defined(code)
    return found


def defined(code: ast.Module) -> set[str]:
    """Names that a module defines and does not import."""
    found = set()
    for node in code.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = (part for target in targets for part in ast.walk(target))
            found |= {part.id for part in parts if isinstance(part, ast.Name)}
    return found


def names_of_two(tree: Tree) -> list[str]:
    """R4: an exported name is defined once; commands, theorems, models have one door each."""
    doors = {"register", "THEOREM", "MODEL"}
    homes = defaultdict(list)
    for module, names in exported(tree).items():
        for name in names - doors:
            homes[name].append(module)
    return [f"{name}: {', '.join(where)}" for name, where in homes.items() if len(where) > 1]


def bare_numbers(tree: Tree, texts: Mapping[str, list[str]]) -> list[str]:
    """R5: a number at module level says its unit or where it comes from."""
    found = []
    for module, code in tree.items():
        lines = texts[module]
        for node in code.body:
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
                continue
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            number = all(
                isinstance(part, (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop))
                or (isinstance(part, ast.Constant) and isinstance(part.value, (int, float)))
                for part in ast.walk(node.value)
            )
            if not number or isinstance(getattr(node.value, "value", None), bool):
                continue
            around = lines[node.lineno - 1 : node.end_lineno]
            before = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
            if not any("#" in line for line in around) and not before.startswith("#"):
                found.append(f"{module}: {getattr(target, 'id', '?')}")
    return found


def functions(code: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions and methods."""
    return (node for node in ast.walk(code) if isinstance(node, ast.FunctionDef))


def body_length(node: ast.FunctionDef) -> int:
    """Lines of a function after its docstring."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    start = first.end_lineno if documented and first.end_lineno else node.lineno
    return (node.end_lineno or start) - start


def arguments_of(node: ast.FunctionDef) -> list[str]:
    """Parameters but self and cls."""
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [item.arg for item in given if item.arg not in ("self", "cls")]


def long_functions(tree: Tree) -> list[str]:
    """R6: functions are short and take few arguments, unless they are public."""
    public = set(HOMES)
    found = []
    for module, code in tree.items():
        for node in functions(code):
            if body_length(node) > MOST_LINES:
                found.append(f"{module}.{node.name} has {body_length(node)} lines")
            if len(arguments_of(node)) > MOST_ARGUMENTS and node.name not in public | {"__init__"}:
                found.append(f"{module}.{node.name} takes {len(arguments_of(node))} arguments")
    return found


def silent_values(node: ast.FunctionDef) -> Iterator[str]:
    """Parameters, and locals that live long, whose names say nothing."""
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    names = [item.arg for item in (*given, node.args.vararg, node.args.kwarg) if item]
    yield from (f"parameter {name}" for name in names if name.strip("_") in SILENT)
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if isinstance(part.ctx, ast.Store):
                first[part.id] = min(part.lineno, first.get(part.id, part.lineno))
            last[part.id] = max(part.lineno, last.get(part.id, part.lineno))
    lives = {name: last[name] - line for name, line in first.items()}
    yield from (f"local {n}" for n, k in lives.items() if k > SHORT_LIFE and n.strip("_") in SILENT)


def attributes(code: ast.Module) -> Iterator[str]:
    """Names that are stored on objects, or declared in a class."""
    for node in ast.walk(code):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        for part in node.body if isinstance(node, ast.ClassDef) else ():
            targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", 0)]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def silent_names(tree: Tree) -> list[str]:
    """R11: names that live say of what; a constant has two words, or is a symbol of mathematics."""
    found = []
    homes_of = Counter(name for code in tree.values() for name in defined(code))
    agreed = {name for name, count in homes_of.items() if count >= CONVENTION and name[0] != "_"}
    for module, code in tree.items():
        constants = {name for name in defined(code) - agreed if name.isupper()}
        single = {name for name in constants if len(name.strip("_")) > 2 and "_" not in name[1:]}
        found += [f"{module}: {name}" for name in sorted(single)]
        found += [f"{module}: attribute {n}" for n in attributes(code) if n.strip("_") in SILENT]
        for node in functions(code):
            found += [f"{module}.{node.name}: {name}" for name in silent_values(node)]
    return found


def named_types(docstring: str) -> Iterator[str]:
    """Names of classes without a dot in the types of parameters, attributes, results and errors."""
    head, lines = "", docstring.splitlines()
    for line, following in pairwise([*lines, ""]):
        if following.startswith("---"):
            head = line
        elif head in ("Returns", "Yields", "Raises"):
            yield from CLASS.findall(line if line[:1].strip() else "")
        elif head in ("Parameters", "Attributes") and (given := re.match(r"[\w*, ]+ : (.*)", line)):
            yield from CLASS.findall(given[1])


def missing_types(tree: Tree) -> list[str]:
    """R8: a type in a docstring is a class of the package, or its module uses it."""
    classes = {n.name for code in tree.values() for n in ast.walk(code) if type(n) is ast.ClassDef}
    found = []
    for module, code in tree.items():
        used = {getattr(n, key, "") for n in ast.walk(code) for key in ("id", "attr", "name")}
        for node in ast.walk(code):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                named = set(named_types(ast.get_docstring(node) or ""))
                unknown = named - classes - used - set(vars(builtins))
                found += [f"{module}.{node.name}: {name}" for name in sorted(unknown)]
    return found


def stated_rules(code: ast.Module, makers: set[str]) -> set[str]:
    """Names that stand first in calls of these functions."""
    calls = (node for node in ast.walk(code) if isinstance(node, ast.Call) and node.args)
    named = (node for node in calls if getattr(node.func, "id", "") in makers)
    return {getattr(node.args[0], "value", "") for node in named}


def texts_of_choice(node: ast.AST) -> set[str]:
    """Texts that the name of a rule is compared with, or that a table is made for."""
    inside: list[ast.AST] = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
        inside = parts if any(re.search(r"\brule\b", ast.unparse(p)) for p in parts) else []
    if isinstance(node, ast.match_case):
        inside = [node.pattern]
    if isinstance(node, ast.Dict):
        inside = [key for key in node.keys if isinstance(key, ast.Constant)]
    if isinstance(node, ast.Set):
        inside = [*node.elts]
    constants = (part for top in inside for part in ast.walk(top) if isinstance(part, ast.Constant))
    return {part.value for part in constants if isinstance(part.value, str)}


def rules_by_name(tree: Tree) -> list[str]:
    """R12: what is special of a rule stands at it; nowhere else its name is asked for.

    Files that state, write or replay a rule may use its name.
    """
    rules = {name for code in sources().values() for name in stated_rules(code, {"checked_rule"})}
    found = []
    for module, code in tree.items():
        if room(module) in RULE_READERS:
            own = stated_rules(code, {"checked_rule", "germ_rule", "Proof", "Step"})
            for node in ast.walk(code):
                texts = texts_of_choice(node)
                # In a table of something else some names are ordinary words.
                if isinstance(node, ast.Compare) or len(texts & rules) > max(1, len(texts) / 2):
                    found += [f"{module}: {name}" for name in sorted((texts & rules) - own)]
    return found


def complaints(rule: str, tree: Tree) -> list[str]:
    """What is against a rule."""
    if rule == "bare_numbers":
        texts = {name: _text(name) for name in tree}
        return bare_numbers(tree, texts)
    return RULES[rule](tree)


def _text(module: str) -> list[str]:
    base = ROOT / Path(*module.split("."))
    path = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    return path.read_text("utf-8").splitlines()


RULES = {
    "upward_imports": upward_imports,
    "shared_checker": shared_checker,
    "loose_files": loose_files,
    "knotted_walls": knotted_walls,
    "names_of_two": names_of_two,
    "bare_numbers": bare_numbers,
    "long_functions": long_functions,
    "silent_names": silent_names,
    "missing_types": missing_types,
    "rules_by_name": rules_by_name,
}
STRICT = (
    *("upward_imports", "shared_checker", "loose_files", "knotted_walls", "missing_types"),
    "silent_names",
)


def by_room(found: list[str]) -> dict[str, int]:
    """Numbers of complaints by the room that they begin with."""
    rooms = [re.match(r"rlct\.(\w+)", line) for line in found]
    return dict(sorted(Counter(place[1] if place else "names" for place in rooms).items()))


@pytest.mark.parametrize("rule", STRICT)
def test_nothing_is_against_the_rules_of_imports_and_files(rule):
    assert not complaints(rule, sources())


def test_the_names_of_studies_say_of_what():
    assert not silent_names(sources("validation"))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in STRICT])
def test_what_is_against_a_rule_only_becomes_less(rule):
    found = complaints(rule, sources())
    known = json.loads(COUNTS.read_text("utf-8"))[rule]
    now = by_room(found)
    more = {name for name, count in now.items() if count > known.get(name, 0)}
    assert not more, [line for line in found if any(f"rlct.{name}" in line for name in more)][:20]
    assert now == known, "fewer than were known: run make index and commit it"


@pytest.mark.parametrize("folder", KNOTTED)
def test_what_is_not_straight_yet_only_becomes_straighter(folder):
    back = back_arrows(walls(sources())[folder])
    assert len(back) == KNOTTED[folder], f"write the number that is left in KNOTTED: {back}"


TYPED = 'def f(x):\n    """Do it.\n\n    {}\n    ---\n    {}\n    """\n'
PLANTED = {
    "upward_imports": {
        "rlct.newton.cone": "def f():\n    from rlct.engine.strategy import prove\n",
        "rlct.pair": "if TYPE_CHECKING:\n    import rlct.cli.main\n",
        "rlct.answers.table": "class Table:\n    def rows():\n        import rlct.report.page\n",
    },
    "shared_checker": {
        "rlct.engine.germs.step": "from rlct.certificate.numbers.linear import rank\n",
        "rlct.certificate.numbers.field": "import sympy\n",
        "rlct.certificate.numbers.linear": "from rlct.algebra.exact_rank import rank\n",
        "rlct.engine.boxes.cells": "from ...certificate.linear import rank\n",
        "rlct.engine.germs.bounds": "import_module('rlct.certificate.numbers.linear')\n",
        "rlct.engine.strategy": "import rlct\nrlct.verify({})\n",
        "rlct.engine.sources": "from rlct import verify\n",
        "rlct.engine.boxes.plane": "from ... import verify\n",
        "rlct.engine.nonnegative": "import rlct as r\nr.verify({})\n",
        "rlct.engine.limits": "from importlib import import_module as im\nim('rlct.certificate')\n",
        "rlct.newton.face": "import_module(name='rlct.certificate')\n",
        "rlct.newton.hull": "import importlib as i\ni.import_module(f'rlct.{x}.linear')\n",
        "rlct.newton.cone": "import_module('.certificate.linear', 'rlct')\n",
        "rlct.proof.steps": "__import__('rlct.' + 'certificate')\n",
        "rlct.certificate.boxes.cells": "import importlib\nimportlib.import_module('sympy')\n",
        "rlct.certificate.sign": "from rlct import poly\n",
        "rlct.models": "import rlct\n",
        "rlct.algebra.roots": "from .. import verify\n",
        "rlct.kernel.rules": "from rlct.pair import Pair\n",
        "rlct.kernel.algebra": "import sympy\n",
    },
    "loose_files": {"rlct.helpers": "", **{f"rlct.report.page{k}": "" for k in range(41)}},
    "missing_types": {
        "rlct.engine.one": TYPED.format("Parameters", "x : list of Bounds"),
        "rlct.engine.two": TYPED.format("Attributes", "x : Bounds or int"),
        "rlct.newton.one": TYPED.format("Returns", "Bounds"),
    },
    "knotted_walls": {
        "rlct.engine.boxes.cells": "def f():\n    from rlct.engine.field.point import x\n",
        "rlct.engine.field.point": "if TYPE_CHECKING:\n    import rlct.engine.boxes.cells\n",
    },
    "names_of_two": {
        "rlct.engine.one": "__all__ = ['Bounds']\nclass Bounds: ...\n",
        "rlct.newton.two": "__all__ = ['Bounds']\nclass Bounds: ...\n",
    },
    "long_functions": {
        "rlct.engine.one": "def f():\n" + "    x = 1\n" * 61,
        "rlct.engine.two": f"def f({', '.join(f'a{k}' for k in range(11))}): ...\n",
    },
    "silent_names": {
        "rlct.newton.one": "_LARGEST = 3  # terms\n",
        "rlct.newton.two": "A, LIMIT = 1, 2\n",
        "rlct.report.one": "def f(found): ...\n",
        "rlct.report.two": "def f(*, _what): ...\n",
        "rlct.report.three": "class A:\n    def f(self, *others): ...\n",
        "rlct.sweep.one": "def f():\n    left = 1\n\n\n\n    return left\n",
        "rlct.sweep.two": "def f():\n    for one in ():\n        x = 1\n\n\n        g(one)\n",
        "rlct.algebra.one": "class A:\n    rest: int\n",
        "rlct.algebra.two": "class A:\n    def f(self):\n        self.left, x = 1, 2\n",
        "validation.fuzz.one": "KINDS = ()\n",
    },
    "rules_by_name": {
        "rlct.engine.one": "def f(step):\n    return step.rule == 'sum'\n",
        "rlct.blowup.one": "def f(step):\n    return step['rule'] not in ('sum', 'x')\n",
        "rlct.certificate.one": "@checked_rule('x')\ndef f(): ...\nS = {'sum': 1, 'power': 2}\n",
        "rlct.explain.one": "PLAIN_RULES = {'sum', 'power'}\n",
        "rlct.report.one": "match rule:\n    case 'sum' | 'power':\n        x = 1\n",
    },
}


@pytest.mark.parametrize("rule", PLANTED)
def test_a_planted_violation_is_found(rule):
    planted = PLANTED[rule]
    for name, text in planted.items():
        others = {} if rule not in ("names_of_two", "loose_files", "knotted_walls") else planted
        tree = {key: ast.parse(value) for key, value in {**others, name: text}.items()}
        assert RULES[rule](tree), name


def test_a_planted_number_without_a_unit_is_found():
    text = (
        "_MOST = 3\n_LIMIT = 2.5e3  # seconds\n# tuned on 40 problems\n_ODDS = 1 / 20\nON = True\n"
    )
    tree = {"rlct.engine.one": ast.parse(text)}
    assert bare_numbers(tree, {"rlct.engine.one": text.splitlines()}) == ["rlct.engine.one: _MOST"]


def test_the_rooms_are_those_of_the_order():
    assert {room(name) for name in sources()} == {"__init__", "__main__", *ORDER}


@pytest.mark.parametrize("name", [name for name in ORDER if name not in ("errors", "pair")])
def test_a_room_opens_with_a_guide(name):
    """Its docstring has more than a title, and names modules of the room that exist."""
    guide = ast.get_docstring(sources()[f"rlct.{name}"]) or ""
    assert len(guide.splitlines()) >= 4, f"rlct/{name}/__init__.py has no guide"
    named = set(re.findall(r"^`?`?([a-z_]+(?:/[a-z_]+)*)/?`?`?(?:  |\s+--|:)", guide, re.M))
    assert named, "a guide names modules in reading order, one a line"
    missing = [
        part
        for part in named
        if not (ROOT / "rlct" / name / part).is_dir()
        and not (ROOT / "rlct" / name / f"{part}.py").is_file()
    ]
    assert not missing


def test_one_file_that_closes_a_circle_is_one_arrow_back():
    chain = {f"unit{k}": {f"unit{k + 1}"} for k in range(9)}
    assert back_arrows(chain) == []
    assert len(back_arrows({**chain, "unit9": {"unit0"}})) == 1


FOLDERS = sorted({name.rpartition(".")[0] for name in sources()} - {"", "rlct"})


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_guide_names_all_modules_of_its_folder(folder):
    """Theorems and models are named by their index, which is made of what there is."""
    named = set(re.findall(r"\w+", ast.get_docstring(sources()[folder]) or ""))
    missing = {
        name.rpartition(".")[2]
        for name, code in sources().items()
        if name.rpartition(".")[0] == folder and not defined(code) & {"THEOREM", "MODEL"}
    }
    assert not missing - named, f"the docstring of {folder} names every file and folder"
