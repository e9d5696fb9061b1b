"""The finder does not need the checker, and the checker does not need the finder."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import corpus
import pytest

import rlct

PACKAGE = Path(rlct.__file__).parent
FINDER = ("algebra", "newton", "questions", "models", "engine", "theorems", "proof")
BLOCK = """
import sys
from importlib.abc import MetaPathFinder


class Block(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if any(name == room or name.startswith(room + ".") for room in {rooms}):
            raise ImportError(name + " is blocked")


sys.meta_path.insert(0, Block())
"""
ASKED = [
    "squares, sum, newton",
    "positive",
    "node",
    "face with cofactors",
    "polyhedra, zeros",
    "polyhedra, empty cells",
    "transverse, sum",
    "point over Q(√2)",
    "box, factors",
    "box, cells",
    "at an irrational point",
    "linear network with bias",
]


def run_without(rooms, code, *arguments, stdin=None):
    """Run Python code in a process where no module of these rooms can be imported."""
    blocked = BLOCK.format(rooms=[f"rlct.{room}" for room in rooms]) + code
    return subprocess.run(
        [sys.executable, "-c", blocked, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.mark.slow
def test_answers_without_the_checker():
    code = (
        "import json\n"
        # What a long search finds is replayed before it is told.
        "from rlct.answers import refused_proof\n"
        "refused_proof._SHORT_SEARCH = 1e9\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import corpus\n"
        "print(json.dumps([corpus.certificate(name) for name in json.load(sys.stdin)]))\n"
        "print(any(name.startswith('rlct.certificate') for name in sys.modules))"
    )
    done = run_without(["certificate"], code, stdin=json.dumps(ASKED))
    assert not done.returncode, done.stderr
    answers, loaded = done.stdout.splitlines()
    assert json.loads(answers) == [corpus.certificate(name) for name in ASKED]
    assert loaded == "False"


COMMAND = "from rlct.cli.main import main\nsys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("name", ["polyhedra, zeros", "box, cells", "linear network"])
def test_the_command_verify_without_the_finder(name, tmp_path):
    rooms = ["engine", "newton", "theorems", "models", "blowup", "algebra", "proof", "answers"]
    document = corpus.certificate(name)
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = run_without(rooms, COMMAND, "verify", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"valid: λ = {document['claim']['lambda']}")
    document["claim"]["theta"] += 1
    path.write_text(json.dumps(document), encoding="utf-8")
    done = run_without(rooms, COMMAND, "verify", str(path))
    assert done.returncode == 1
    assert "invalid certificate: claim: theta" in done.stderr


def test_what_is_blocked_is_blocked():
    done = run_without(["engine"], "import rlct\nrlct.poly('x**2')")
    assert "rlct.engine is blocked" in done.stderr
    done = run_without(["certificate"], "import rlct\nrlct.verify({})")
    assert "rlct.certificate is blocked" in done.stderr


def imports(source):
    """All modules that a source imports, lazily and for typing too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def asks_the_checker(source):
    return any(f"{name}.".startswith("rlct.certificate.") for name in imports(source))


def test_nothing_of_the_finder_imports_the_checker():
    for room in FINDER:
        paths = sorted((PACKAGE / room).rglob("*.py"))
        assert paths, room
        for path in paths:
            assert not asks_the_checker(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(
    "source",
    [
        "from rlct.certificate.numbers.linear import rank",
        "from rlct import certificate",
        "def rank():\n    import rlct.certificate.numbers.linear as linear\n    return linear.rank",
        "if TYPE_CHECKING:\n    from rlct.certificate.statement import Statement",
    ],
)
def test_a_planted_import_is_seen(source):
    assert asks_the_checker(source)
    assert not asks_the_checker(source.replace("certificate", "engine"))
