"""Studies, the longest simulations and random laws: which groups passed on the code they load.

``python tests/renew/study_record.py`` runs the groups whose code has changed, all with fixed seeds,
and records in ``tests/studies.json`` the digest of what they passed on.  With ``--check`` it runs
nothing and says which are out of date; `.ci/run` does that.
"""

import ast
import json
import platform
import re
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from code_digest import digest

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests" / "studies.json"
PYTEST = ["-m", "pytest", "-q", "-n", "logical", "--dist", "worksteal", "-m", "study"]
WORDS = ("explain", "report")
#: Folders of studies; rooms that they do not judge, which have tests of their own; folders whose
#: modules are discovered as they run.
GROUPS = {
    "draws": (
        ("tests/criteria", "tests/sampling", "tests/torch", "tests/validation"),
        (*WORDS, "blowup", "certificate", "engine", "models", "newton", "proof", "theorems"),
        ("validation/experiments",),
    ),
    "proofs": (
        ("tests/certificate", "tests/engine"),
        (*WORDS, "benchmark", "blowup", "criteria", "models", "sampling", "theorems"),
        (),
    ),
}
MARK = "pytest.mark.study"


def studies(group, root=ROOT):
    """Files of a group that hold studies."""
    files = [path for folder in GROUPS[group][0] for path in (root / folder).rglob("test_*.py")]
    return sorted(path for path in files if MARK in path.read_text("utf-8"))


def parsed(path):
    """The syntax tree of a file; of a file of studies without its other tests."""
    tree = ast.parse(path.read_text("utf-8"))
    if path.name.startswith("test_"):
        tree.body = [
            node
            for node in tree.body
            if not (isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))
            or any(ast.unparse(mark) == MARK for mark in node.decorator_list)
        ]
    return tree


def homes(root):
    """Where public names live, as the stub has it."""
    lines = (root / "rlct" / "__init__.pyi").read_text("utf-8")
    return {name: home for home, name in re.findall(r"^from (\S+) import (\w+)", lines, re.M)}


def imported(tree, names):
    """Names of all that a module imports or mentions as an attribute of the package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "the package has no relative imports"
            places = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (names.get(place.removeprefix("rlct."), place) for place in places)
            yield node.module
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "rlct":
            yield names.get(node.attr, f"rlct.{node.attr}")
        elif isinstance(node, ast.Constant) and re.fullmatch(r"rlct\.[\w.]+", str(node.value)):
            yield node.value  # of import_module, and of what tests replace
        elif isinstance(node, ast.JoinedStr):
            texts = [getattr(part, "value", "") for part in node.values]
            name = "".join(text if isinstance(text, str) else "*" for text in texts)
            if re.fullmatch(r"rlct\.\w+\.[\w.*]+", name):
                yield name  # of import_module


def files_of(name, root, helpers):
    """Files that a dotted name loads: packages above it, too; by a bare name what tests share."""
    if name.split(".")[0] not in ("rlct", "validation"):
        return helpers.get(name, [])
    parts = name.split(".")
    patterns = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    places = [text + end for text in patterns for end in (".py", "/__init__.py")]
    return [
        path for place in places for path in (root.glob(place) if "*" in place else [root / place])
    ]


def loaded(group, root=ROOT):
    """Syntax trees of all modules that the studies of a group may load, by their paths."""
    _, unjudged, by_name = GROUPS[group]
    names = homes(root)
    helpers = {}
    for path in [*(root / "tests").rglob("*.py"), *(root / "validation").rglob("*.py")]:
        if path.stem not in sys.stdlib_module_names:
            helpers.setdefault(path.stem, []).append(path)
    waiting = studies(group, root)
    waiting += [root / "conftest.py", *{path.with_name("conftest.py") for path in waiting}]
    waiting += [path for folder in by_name for path in (root / folder).rglob("*.py")]
    trees = {}
    while waiting:
        path = waiting.pop()
        place = path.relative_to(root)
        judged = place.parts[0] != "rlct" or place.parts[1] not in unjudged
        if judged and path.is_file() and place.as_posix() not in trees:
            tree = trees[place.as_posix()] = parsed(path)
            for name in set(imported(tree, names)):
                waiting += files_of(name, root, helpers)
    return trees


def digest_of(group, root=ROOT):
    """One digest of all code that the studies of a group may load."""
    return digest(loaded(group, root))


def outdated():
    """Groups that did not pass on the code that is here."""
    record = json.loads(RECORD.read_text("utf-8"))
    return [name for name in GROUPS if record.get(name, {}).get("digest") != digest_of(name)]


def run(group):
    """Run the studies of a group, and return its record where all passed."""
    names = ("numpy", "scipy", "sympy", "torch", "pytest", "mici")
    versions = {"python": platform.python_version()} | {name: version(name) for name in names}
    before, began = digest_of(group), time.time()
    command = [sys.executable, *PYTEST, *map(str, studies(group))]
    if subprocess.run(command, cwd=ROOT).returncode or digest_of(group) != before:
        print(f"{group}: a study failed, or the code has changed meanwhile: run them again")
        return None
    return {
        "digest": before,
        "date": time.strftime("%Y-%m-%d", time.gmtime(began)),
        "seconds": round(time.time() - began),
        "versions": versions,
    }


def main(arguments):
    """Run the groups whose code has changed, and write the record; or say which they are."""
    waiting = outdated()
    if arguments == ["--check"]:
        for name in waiting:
            print(f"studies of {name} have not passed on this code: make test_study, and commit")
        return int(bool(waiting))
    record = json.loads(RECORD.read_text("utf-8"))
    for name in waiting:
        record.pop(name, None)
        if passed := run(name):
            record[name] = passed
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return int(set(record) < set(GROUPS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
