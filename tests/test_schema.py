"""Answers and certificates have the form of the published JSON schemas, and no other."""

import copy
import json
from importlib.resources import files
from pathlib import Path

import pytest

import rlct
from rlct.certificate.rules import all_rules
from rlct.cli.main import main

jsonschema = pytest.importorskip("jsonschema", reason="the extra dev")


def validator(name):
    schema = json.loads((files("rlct") / "schema" / f"{name}-1.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


ANSWER, CERTIFICATE = validator("answer"), validator("certificate")


@pytest.fixture(scope="module", name="corpus")
def fixture_corpus():
    """Certificates that together use every rule."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent / "certificate")
        import corpus
    return {name: corpus.certificate(name) for name in corpus.QUESTIONS}


def test_the_schema_of_certificates_is_made_of_their_rules(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent / "renew")
    from rule_forms import Form, schema

    assert CERTIFICATE.schema == schema(), "make index renews it"
    assert {rule.name for rule in all_rules()} == set(
        CERTIFICATE.schema["$defs"]["step"]["properties"]["rule"]["enum"]
    )
    form = Form('{ways: ["sum" | "product"]+, at?: (index, [rational]2) | null}').read()
    jsonschema.Draft202012Validator.check_schema(form)
    form["$defs"] = CERTIFICATE.schema["$defs"]
    shaped = jsonschema.Draft202012Validator(form)
    for good in ({"ways": ["sum"]}, {"ways": ["product"], "at": [0, ["1", "1/2"]]}):
        assert shaped.is_valid(good)
    for bad in ({"ways": []}, {"at": None}, {"ways": ["sum"], "at": [0, ["1"]]}, {"ways": ["x"]}):
        assert not shaped.is_valid(bad)


@pytest.mark.slow
def test_certificates_of_the_corpus_have_the_form(corpus):
    for name, document in corpus.items():
        errors = [error.message for error in CERTIFICATE.iter_errors(document)]
        assert errors == [], name
    generic = rlct.quadratic(inputs=2, units=2, outputs=1).certificate
    CERTIFICATE.validate(json.loads(json.dumps(generic)))
    factors = rlct.model("factor-analysis", variables=4, factors=2, true_factors=1).certificate
    CERTIFICATE.validate(json.loads(json.dumps(factors)))
    classes = rlct.model("latent-class", classes=2, true=2, categories=(2, 3)).certificate
    CERTIFICATE.validate(json.loads(json.dumps(classes)))


def objects(value, place=()):
    """Every object of a document with the entries and rules that lead to it."""
    if isinstance(value, dict):
        yield place, value
        for key, inner in value.items():
            yield from objects(inner, (*place, key, value.get("rule")))
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner, place)


@pytest.mark.slow
def test_no_object_takes_another_entry(corpus):
    """One of each kind: by the last entries and rules of its path."""
    seen = set()
    for name, document in corpus.items():
        for place, found in objects(document):
            if (kind := (place[-4:], tuple(sorted(found)))) in seen:
                continue
            seen.add(kind)
            found["note"] = "trust me"
            assert not CERTIFICATE.is_valid(document), (name, place)
            del found["note"]
        assert CERTIFICATE.is_valid(document)
    assert len(seen) > 100


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("claim", "lambda"), 0.4166),
        (("claim", "lambda"), "0.4166"),
        (("claim", "theta"), 0),
        (("claim", "theta"), True),
        (("claim", "status"), "certain"),
        (("schema",), "rlct/2"),
        (("question", "kind"), "oracle"),
        (("question", "powers"), [0, 1]),
        (("question", "generators"), "x^4 - 2*x^2*y^3 + y^6"),
        (("proof", "rule"), "trust"),
        (("proof", "rule"), "modulus"),
        (("proof", "lower"), ["5/12", 1, 1]),
        (("proof", "upper"), ["5/12"]),
        (("proof", "data"), {}),
        (("proof", "data", "squares"), []),
        (("proof", "children"), []),
        (("proof", "children", 0, "data", "multipliers"), [[[2, 0], 0.5]]),
    ],
)
def test_forged_certificates_are_refused(path, value):
    document = json.loads(json.dumps(rlct.poly("(x**2-y**3)**2").certificate))
    CERTIFICATE.validate(document)
    forged = copy.deepcopy(document)
    *way, last = path
    inner = forged
    for key in way:
        inner = inner[key]
    inner[last] = value
    assert not CERTIFICATE.is_valid(forged)


@pytest.mark.parametrize("name", ["schema", "kind", "question", "claim", "proof"])
def test_no_part_of_a_certificate_may_be_missing(name):
    document = json.loads(json.dumps(rlct.poly("x**2*y**2").certificate))
    del document[name]
    assert not CERTIFICATE.is_valid(document)


@pytest.mark.parametrize(
    "words",
    [
        ["poly", "x**2*y**2", "--explain", "--cite"],
        ["poly", "x**2*y**4", "--over", "x=-1:1,y=-1:1"],
        ["ideal", "x**2-y**3", "--poles"],
        ["ideal", "(x**9-2*y**9)**2+z**19", "--timeout", "1"],
        ["net", "linear", "5", "3", "5", "--rank", "1"],
        ["net", "relu", "--example", "two-units-data"],
        ["net", "quadratic", "--units", "4", "--data", "modular:5"],
        ["model", "naive-bayes", "--features", "3"],
        ["model", "hidden-markov", "--states", "2", "--symbols", "2"],
        ["theorem", "eval", "sum-of-powers", "powers=1,2"],
        ["theorem", "eval", "normal-crossing", "exponents=1,1", "coordinates=undecided"],
    ],
    ids=" ".join,
)
def test_answers_have_the_form(words, capsys):
    assert main([*words, "--json"]) in (0, 3)
    answer = json.loads(capsys.readouterr().out)
    ANSWER.validate(answer)
    for entry, value in (
        ("lambda", 0.5),
        ("status", "certain"),
        ("lower", None),
        ("note", "trust me"),
        ("hypotheses", [{"statement": "all is well"}]),
    ):
        assert not ANSWER.is_valid({**answer, entry: value}), entry
    for entry in ("schema", "status", "lower", "where", "method"):
        assert not ANSWER.is_valid({k: v for k, v in answer.items() if k != entry}), entry


def test_a_table_of_answers_is_no_answer(capsys):
    assert main(["net", "linear", "2..3", "3", "5", "--rank", "1", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert not ANSWER.is_valid(table)
    assert {"rows", "left_out", "notes", "schema", "status"} == table.keys()
    assert "Tables of several answers have no published form" in ANSWER.schema["description"]


def test_an_exact_answer_has_both_numbers():
    answer = rlct.poly("x**2*y**4").to_dict()
    ANSWER.validate(json.loads(json.dumps(answer)))
    for entry in ("lambda", "theta", "upper"):
        assert not ANSWER.is_valid({**answer, entry: None}), entry
