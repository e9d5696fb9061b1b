"""``--cache``: what serves again is proved again, and what was tampered with does not serve."""

import json
import sqlite3
import zlib

import pytest

import rlct
import rlct.answers.exact
from rlct.cli.main import main

ASK = ["poly", "(x**2-y**3)**2"]


@pytest.fixture
def call(capsys, monkeypatch):
    """Run a command; return its answer, its errors and how often the engine was asked."""
    solved = []

    def counted(*arguments, **options):
        solved.append(arguments)
        return solve(*arguments, **options)

    solve = rlct.answers.exact.solve
    monkeypatch.setattr(rlct.answers.exact, "solve", counted)
    monkeypatch.delenv("RLCT_CACHE", raising=False)

    def invoke(*arguments):
        solved.clear()
        code = main([*arguments, "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err, len(solved)

    return invoke


def without_note(answer):
    assert answer["notes"][-1].endswith("its certificate verified anew")
    return {**answer, "notes": answer["notes"][:-1]}


def test_an_answer_serves_again(call, tmp_path):
    cache = ["--cache", str(tmp_path / "c.sqlite")]
    code, first, err, solved = call(*ASK, *cache)
    assert (code, err, solved) == (0, "", 1)
    code, second, err, solved = call("poly", "(y^3 - x^2)^2", *cache)
    assert (code, err, solved) == (0, "", 0)
    assert without_note(second) == call("poly", "(y^3 - x^2)^2")[1]
    assert (second["lambda"], second["theta"]) == (first["lambda"], first["theta"])
    proof = tmp_path / "proof.json"
    assert call(*ASK, *cache, "--certificate", str(proof))[3] == 0
    assert rlct.verify(json.loads(proof.read_text(encoding="utf-8")))


def test_the_variable_names_a_cache(call, tmp_path, monkeypatch):
    monkeypatch.setenv("RLCT_CACHE", str(tmp_path / "c.sqlite"))
    assert [call("ideal", "x*y", "z")[3] for _ in range(2)] == [1, 0]
    assert call("ideal", "x*y", "z", "--at", "x=1")[3] == 1
    assert call("poly", "(x*y)**2 + z**2")[3] == 1


def test_bounds_are_not_kept(call, tmp_path):
    cache = ["--cache", str(tmp_path / "c.sqlite"), "--timeout", "5"]
    for _ in range(2):
        assert call("ideal", "(x**9-2*y**9)**2+z**19", *cache)[0::3] == (3, 1)


def change(path, what):
    database = sqlite3.connect(path)
    (proof,) = database.execute("SELECT certificate FROM answers").fetchone()
    document = json.loads(zlib.decompress(proof))
    what(database, document)
    packed = zlib.compress(json.dumps(document).encode())
    database.execute("UPDATE answers SET certificate = ?", (packed,))
    database.commit()
    database.close()


def test_words_beside_the_certificate_are_not_believed(call, tmp_path):
    """Methods, hypotheses and notes of an entry are no part of what is verified."""
    path = tmp_path / "c.sqlite"
    cache = ["--cache", str(path)]
    _, first, _, _ = call(*ASK, *cache)
    with sqlite3.connect(path) as database:
        (text,) = database.execute("SELECT document FROM answers").fetchone()
        document = json.loads(text)
        document["notes"] = ["trust me"]
        document["routes"][0] |= {"method": "theorem of mine", "sources": ["me"]}
        document["routes"][0]["hypotheses"] = [{"statement": "x", "truth": "true", "evidence": ""}]
        database.execute("UPDATE answers SET document = ?", (json.dumps(document),))
    database.close()
    _, second, err, solved = call(*ASK, *cache)
    assert (err, solved, without_note(second)) == ("", 0, first)


FORGERIES = {
    "value": lambda db, proof: db.execute("UPDATE answers SET lambda = '1/2'"),
    "claim": lambda db, proof: (
        db.execute("UPDATE answers SET lambda = '1/2'"),
        proof["claim"].update(**dict.fromkeys(("lambda", "lower", "upper"), "1/2")),
    ),
    "question": lambda db, proof: proof["question"].update(prior=[2, 0]),
    "proof": lambda db, proof: proof.update(proof={}),
    "key": lambda db, proof: proof.clear(),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_answer_is_computed_anew(forgery, call, tmp_path):
    path = tmp_path / "c.sqlite"
    cache = ["--cache", str(path)]
    call(*ASK, *cache)
    change(path, FORGERIES[forgery])
    code, answer, err, solved = call(*ASK, *cache)
    assert (code, solved, answer["lambda"], answer["theta"]) == (0, 1, "5/12", 1)
    assert err.startswith(f"rlct: warning: certificate in {path} refused: ")
    assert err.count("\n") == 1
    assert call(*ASK, *cache)[2:] == ("", 0)


DAMAGE = {
    "no zlib": "certificate = x'00ff'",
    "cut off": "certificate = substr(certificate, 1, 40)",
    "a text": "certificate = 'proof'",
    "a number": "certificate = 7",
    "no JSON": ("certificate = ?", zlib.compress(b"{")),
    "deep": ("certificate = ?", zlib.compress(b"[" * 10**6)),
    "a list": ("certificate = ?", zlib.compress(b"[]")),
    "document": "document = '[]'",
    "value": "lambda = '1/0'",
    "multiplicity": "theta = 'one'",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_answer_is_computed_anew(damage, call, tmp_path):
    path = tmp_path / "c.sqlite"
    cache = ["--cache", str(path)]
    call(*ASK, *cache)
    how, *values = DAMAGE[damage] if isinstance(DAMAGE[damage], tuple) else [DAMAGE[damage]]
    with sqlite3.connect(path) as database:
        database.execute(f"UPDATE answers SET {how}", values)
    database.close()
    code, answer, err, solved = call(*ASK, *cache)
    assert (code, solved, answer["lambda"], answer["theta"]) == (0, 1, "5/12", 1)
    assert err.startswith(f"rlct: warning: certificate in {path} refused: ")
    assert err.count("\n") == 1
    assert call(*ASK, *cache)[2:] == ("", 0)


def test_a_sweep_asks_again_what_is_damaged(call, tmp_path):
    store = str(tmp_path / "c.sqlite")
    call(*ASK, "--cache", store)
    with sqlite3.connect(store) as database:
        database.execute("UPDATE answers SET certificate = x'00ff'")
    database.close()
    file = tmp_path / "s.toml"
    file.write_text("ask = 'poly \"(x**2-y**{p})**2\"'\n[grid]\np = [3]", encoding="utf-8")
    code, found, _, _ = call("sweep", str(file), "--store", store)
    assert (code, found["counts"], found["answered"]) == (0, {"exact": 1}, 1)


def test_a_sweep_finds_what_the_cache_holds(call, tmp_path, capsys):
    store = str(tmp_path / "c.sqlite")
    call(*ASK, "--cache", store)
    file = tmp_path / "s.toml"
    file.write_text("ask = 'poly \"(x**2-y**{p})**2\"'\n[grid]\np = [3, 4]", encoding="utf-8")
    code, found, _, _ = call("sweep", str(file), "--store", store)
    assert (code, found["counts"], found["answered"]) == (0, {"exact": 2}, 1)
    assert call("poly", "(x**2-y**4)**2", "--cache", store)[3] == 0


def test_what_is_no_cache(call, tmp_path):
    path = tmp_path / "text"
    path.write_text("no database" * 99, encoding="utf-8")
    code, _, err, _ = call(*ASK, "--cache", str(path))
    assert code == 2
    assert err.startswith(f"rlct: error: cannot use {path} as a store of answers: ")
    assert call("poly", "x**2", "--over", "x=-1:1", "--cache", str(path))[0] == 2
