"""What `rlct verify` prints about a question, the checker has read: no forged statement passes."""

import copy
import json
import sys

import pytest

import rlct
from rlct.algebra.parse import parse_polynomial
from rlct.certificate.question import _LEGAL_NAME, _NUMBER_NAMES, read_variables
from rlct.cli.main import main
from rlct.errors import CertificateError, InputError
from rlct.report.question import in_words

SQUARE = rlct.poly("v**2").certificate
PLANE = rlct.poly("(x-1)**2*y**2", over={"x": (-1, 2), "y": (-1, 1)}).certificate
DATA = rlct.quadratic(inputs=1, units=1, outputs=1, data=[["1"], ["2"]]).certificate


def with_question(certificate, **entries):
    forged = copy.deepcopy(dict(certificate))
    forged["question"] |= entries
    return forged


@pytest.mark.parametrize(
    "name",
    [
        "(x**2-y**3)",
        "x*y",
        "x^2",
        "x + y",
        "x\nvalid: λ = 7",
        "v\n",
        "",
        "1",
        "pi",
        "I",
        "x" * 101,
        "ο",  # Greek, looks like o
        "х",  # Cyrillic, looks like x
        ["v"],
        1,
        None,
    ],
)
def test_names_of_variables_are_names(name, tmp_path, capsys):
    forged = with_question(SQUARE, variables=[name])
    with pytest.raises(CertificateError, match="is not the name of a variable") as error:
        rlct.verify(forged)
    assert "\n" not in str(error.value)
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(forged), encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1


@pytest.mark.parametrize("names", [["x", "x"], ["x"], ["x", "y", "z"], "xy", "x", {"x": 1, "y": 2}])
def test_the_variables_of_a_box_are_a_list_of_distinct_names(names):
    with pytest.raises(CertificateError):
        rlct.verify(with_question(PLANE, variables=names))
    assert rlct.verify(with_question(PLANE, variables=["a", "b"]))


def test_a_string_is_no_list_of_names():
    with pytest.raises(CertificateError, match="not a list"):
        rlct.verify(with_question(SQUARE, variables="v"))


@pytest.mark.parametrize(
    ("certificate", "entries"),
    [
        (SQUARE, {"ideal": True}),  # would be printed as the ideal (v^2), whose λ is half
        (PLANE, {"nonneg": [True, True]}),
        (PLANE, {"field": {}}),
        (DATA, {"variables": ["x"]}),
        (rlct.linear([1, 1], rank=0).certificate, {"note": "x"}),
    ],
)
def test_entries_that_are_not_checked_are_refused(certificate, entries):
    with pytest.raises(CertificateError, match="unknown or missing"):
        rlct.verify(with_question(certificate, **entries))


def test_data_are_rows_and_not_a_number_in_words():
    # As text, the rows of digits would be printed as "the pairs modulo 12".
    assert rlct.verify(DATA)
    with pytest.raises(CertificateError, match="rows of inputs"):
        rlct.verify(with_question(DATA, data="12"))


@pytest.mark.parametrize("kind", ["other", None, ["K"], "K\nvalid: λ = 7"])
def test_an_unknown_kind(kind):
    with pytest.raises(CertificateError, match="unknown kind") as error:
        rlct.verify(with_question(SQUARE, kind=kind))
    assert "\n" not in str(error.value)


def test_messages_are_one_line_and_name_no_exception():
    forged = copy.deepcopy(dict(SQUARE))
    forged["proof"]["rule"] = "squares\nvalid: λ = 7"
    with pytest.raises(CertificateError) as error:
        rlct.verify(forged)
    assert "\n" not in str(error.value)
    for document in ({}, {"schema": "rlct/1", "kind": "certificate"}):
        with pytest.raises(CertificateError) as error:
            rlct.verify(document)
        assert "KeyError" not in str(error.value)


@pytest.mark.slow
def test_the_checker_reads_the_names_that_the_program_reads():
    """The two alphabets are written separately; every character of the basic plane, twice."""
    for code in range(min(sys.maxunicode + 1, 0x10000)):
        for name in (chr(code), "x_" + chr(code)):
            legal = bool(_LEGAL_NAME.match(name)) and name not in _NUMBER_NAMES
            try:
                tree = parse_polynomial(name)
            except InputError:
                assert not legal, name
            else:
                assert (tree.operator == "name" and tree.value == name) == legal, name


def test_greek_names():
    result = rlct.poly("σ**2*λ1**4", prior="σ")
    assert rlct.verify(json.dumps(result.certificate, ensure_ascii=False))
    assert read_variables(result.certificate["question"]) == ["λ1", "σ"]
    with pytest.raises(InputError, match="Greek letters"):
        rlct.poly("x₁**2")


def test_the_root_of_a_field_has_a_name_of_its_own():
    certificate = rlct.poly("(g**2-2)**2", at={"g": "sqrt(2)"}).certificate
    assert in_words(certificate["question"]).endswith("at g = g_ with g_ = root(t^2 - 2, 1..2)")


# Malformed documents


@pytest.mark.parametrize("part", ["claim", "question", "proof"])
@pytest.mark.parametrize("value", [None, 1, "x", []])
def test_parts_of_a_certificate_are_objects(part, value):
    document = dict(SQUARE) | {part: value}
    with pytest.raises(CertificateError, match=f"the {part} of the certificate is not an object"):
        rlct.verify(document)


def entries(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from entries(part, (*path, key))


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [None], True])
@pytest.mark.parametrize("document", [SQUARE, PLANE, DATA], ids=["point", "box", "sizes"])
def test_no_words_of_python_are_shown(document, value):
    whole = json.loads(json.dumps(document))
    for *path, key in entries(whole):
        forged = copy.deepcopy(whole)
        part = forged
        for step in path:
            part = part[step]
        if part[key] == value:
            continue
        part[key] = value
        try:
            rlct.verify(forged)
        except (CertificateError, InputError) as error:
            shown = str(error)
            assert len(shown.splitlines()) == 1
            assert not any(
                word in shown for word in ("NoneType", "object has no", "'int'", "unpack")
            )
