"""Studies are out of date where what they load does something else, and by nothing that is said."""

import ast
import json

import pytest
import study_record
from code_digest import digest, plain

CODE = '''"""A module."""

from math import log

LIMIT = 3  # seconds


def bounded(values, limit=LIMIT):
    """Say something."""
    total = 0
    for k, value in enumerate(values):
        total += k * value
    try:
        inner = [total for total in values if total < limit]
    except ValueError as error:
        raise KeyError(f"{error}") from error
    return lambda extra: total + extra + log(sum(inner))
'''


def text_of(code):
    return plain(ast.parse(code))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# seconds", "# that somebody waits"),
        ('"""Say something."""', '"""Say something else."""'),
        ('    """Say something."""\n', ""),
        ('"""A module."""\n\n', ""),
        ("inner", "kept_values"),
        ("k, value", "k,  value"),
        ("error", "stop"),
        ("value in", "value  in"),
    ],
)
def test_words_and_names_of_locals_change_nothing(old, new):
    assert old in CODE
    assert text_of(CODE.replace(old, new)) == text_of(CODE)


def test_locals_are_told_apart_by_their_scopes():
    renamed = CODE.replace("total for total in values if total", "v for v in values if v")
    assert text_of(renamed) == text_of(CODE)
    assert text_of(CODE.replace("[total for", "[k for")) != text_of(CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("limit", "bound"),  # a caller may write limit=…
        ("LIMIT", "BOUND"),
        ("k * value", "value * k"),
        ("+ extra", "- extra"),
        ("return lambda extra: total", "return lambda extra: k"),
        ("total = 0", "total = 0.0"),
        ("def bounded", "def unbounded"),
        ("import log", "import log1p as log"),
        ("ValueError", "TypeError"),
        ('{error}"', '{error!r}"'),
        ("LIMIT):", '"3"):'),
    ],
)
def test_what_code_does_is_seen(old, new):
    assert old in CODE
    assert text_of(CODE.replace(old, new)) != text_of(CODE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a = 1\n b = 2\n return lambda b=b: b", "b = 1\n a = 2\n return lambda b=b: b"),
        ("a = b = 1\n return [a for a in a]", "a = b = 1\n return [a for a in b]"),
        ("a = 1\n global b\n b = a", "b = 1\n global a\n a = b"),
        ("a = 1\n def g():\n  nonlocal a\n  a = 2", "a = 1\n def g():\n  a = 2"),
        ("a = 1\n class C:\n  a = 2\n  b = a", "c = 1\n class C:\n  a = 2\n  b = c"),
        ("a = 1\n return locals()", "b = 1\n return locals()"),
        ("[(a := b) for b in x]\n return a", "[(c := b) for b in x]\n return a"),
        ("match x:\n  case [a, b]:\n   return a", "match x:\n  case [a, b]:\n   return b"),
    ],
)
def test_no_two_meanings_have_one_text(one, other):
    assert text_of(f"def f(x):\n {one}") != text_of(f"def f(x):\n {other}")


def test_a_digest_is_of_all_modules_and_their_places():
    one, other = ast.parse("x = 1"), ast.parse("y = 1")
    found = [{"a": one, "b": other}, {"a": other, "b": one}, {"a": one}, {"a": one, "c": other}]
    assert len({digest(trees) for trees in found}) == 4


@pytest.fixture
def checkout(tmp_path):
    """A small project whose one study asks a function that imports as it runs."""
    files = {
        "conftest.py": "",
        "rlct/__init__.py": "",
        "rlct/__init__.pyi": "from rlct.answers.exact import poly as poly",
        "rlct/answers/exact.py": "def poly():\n    import_module(f'rlct.engine.{name}_rule')",
        "rlct/engine/first_rule.py": "import rlct.algebra.roots",
        "rlct/engine/oracle.py": "",
        "rlct/algebra/roots.py": "from rlct.report.words import told",
        "rlct/report/words.py": "",
        "rlct/cli/main.py": "",
        "tests/engine/beside.py": "",
        "tests/engine/test_quick.py": "import rlct.cli.main",
        "tests/engine/test_long.py": "import rlct\nimport beside\n\n"
        "@pytest.mark.study\ndef test_long():\n    rlct.poly()\n\n"
        "def test_quick():\n    import rlct.cli.main\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_study_depends_on_what_it_may_load(checkout):
    assert set(study_record.loaded("proofs", checkout)) == {
        *("conftest.py", "tests/engine/test_long.py", "tests/engine/beside.py"),
        *("rlct/__init__.py", "rlct/answers/exact.py", "rlct/engine/first_rule.py"),
        "rlct/algebra/roots.py",
    }


@pytest.mark.parametrize(
    ("place", "text", "changes"),
    [
        ("rlct/engine/first_rule.py", "import rlct.algebra.roots  # the first", False),
        ("rlct/engine/first_rule.py", "import rlct.algebra.roots\nLIMIT = 3", True),
        ("rlct/engine/second_rule.py", "", True),
        ("rlct/cli/main.py", "LIMIT = 3", False),
        ("rlct/report/words.py", "LIMIT = 3", False),
        ("tests/engine/test_quick.py", "LIMIT = 3", False),
        ("tests/engine/beside.py", "LIMIT = 3", True),
    ],
)
def test_studies_are_asked_for_where_code_they_load_changes(checkout, place, text, changes):
    before = study_record.digest_of("proofs", checkout)
    (checkout / place).write_text(text, encoding="utf-8")
    assert (study_record.digest_of("proofs", checkout) != before) == changes


def test_every_study_is_of_a_group_and_the_record_knows_them():
    files = list((study_record.ROOT / "tests").rglob("test_*.py"))
    marked = {path for path in files if f"@{study_record.MARK}\n" in path.read_text("utf-8")}
    grouped = {path for group in study_record.GROUPS for path in study_record.studies(group)}
    assert marked <= grouped
    assert set(json.loads(study_record.RECORD.read_text("utf-8"))) <= set(study_record.GROUPS)


def test_out_of_date_is_told_with_the_command(monkeypatch, capsys):
    monkeypatch.setattr(study_record, "digest_of", lambda group: "of other code")
    assert study_record.main(["--check"]) == 1
    assert "draws have not passed on this code: make test_study" in capsys.readouterr().out
    record = {group: {"digest": "of this code"} for group in study_record.GROUPS}
    path = study_record.RECORD.with_name("none.json")
    monkeypatch.setattr(study_record, "RECORD", path)
    monkeypatch.setattr(type(path), "read_text", lambda *_: json.dumps(record))
    monkeypatch.setattr(study_record, "digest_of", lambda group: "of this code")
    assert study_record.main(["--check"]) == 0
    assert capsys.readouterr().out == ""
