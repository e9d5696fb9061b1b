"""What is too large is refused in 5 seconds and 500 MB; what nothing reads is refused at all."""

import copy
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Barrier

import calibrate
import corpus
import hostile
import pytest
from test_tampering import kind_of

import rlct
from rlct.certificate import cost
from rlct.certificate.sign import shows_sign
from rlct.certificate.verify import load_certificate, load_text
from rlct.cli.main import main
from rlct.errors import CertificateError, InputError, TooLargeError

SECONDS = 5
#: Refused by a step that does not hold, within the limits.
WRONG = {
    "small cells",
    "many factors of a curve",
    "many empty lists",
    "many objects",
    "many levels",
    "a deep tree of cells",
}


@pytest.fixture(scope="module")
def checks():
    """A program that checks the documents that are named, each in an address space of 500 MB."""
    command = [sys.executable, hostile.__file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        yield run
        run.stdin.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.DOCUMENTS)
def test_what_is_too_large_is_refused_at_once(name, checks):
    print(name, file=checks.stdin, flush=True)
    line = checks.stdout.readline()
    found = re.fullmatch(r"([\d.]+) s of CPU, \d+ characters, (.*)\n", line)
    assert found, line
    assert float(found[1]) < SECONDS
    assert found[2].startswith("refused: " if name in WRONG else "too large: "), found[2]


def steps_of(document, monkeypatch):
    """Steps that a check takes."""
    counted = []
    charge = cost.charge

    def count(steps, what):
        counted.append(steps)
        charge(steps, what)

    monkeypatch.setattr(cost, "charge", count)
    assert rlct.verify(document)
    monkeypatch.undo()
    return sum(counted)


@pytest.mark.slow
def test_real_certificates_are_far_below_the_budget(monkeypatch):
    largest = max(steps_of(corpus.certificate(name), monkeypatch) for name in corpus.QUESTIONS)
    assert 10_000 < largest < cost.STEP_BUDGET / 100
    network = rlct.quadratic(inputs=9, units=18, outputs=5).certificate
    assert steps_of(network, monkeypatch) < cost.STEP_BUDGET


@pytest.mark.slow
@pytest.mark.parametrize("name", calibrate.LARGE)
def test_large_certificates_of_the_program_are_accepted(name, monkeypatch):
    assert steps_of(calibrate.large_certificate(name), monkeypatch) < cost.STEP_BUDGET / 2


def test_a_budget_is_that_of_one_certificate():
    large = hostile.DOCUMENTS["a power"]()
    small = corpus.certificate("squares, sum, newton")

    def check(document):
        try:
            return rlct.verify(document)
        except TooLargeError:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(check, [large, small] * 2)) == [False, True] * 2
    assert cost._STEPS_LEFT.get() is None


def test_a_thread_spends_no_budget_of_another():
    """Two budgets are open at once, and each is spent by more than a half."""

    def spend():
        with cost.budget():
            both_open.wait()
            cost.charge(cost.STEP_BUDGET * 2 // 3, "a product")
            both_spent.wait()

    both_open, both_spent = Barrier(2, timeout=60), Barrier(2, timeout=60)
    with ThreadPoolExecutor(2) as pool:
        for run in [pool.submit(spend), pool.submit(spend)]:
            run.result()


def test_texts_and_files_are_bounded_before_they_are_read(tmp_path, capsys):
    path = tmp_path / "long.json"
    path.write_text('{"schema": "' + "x" * cost.MOST_TEXT + '"}')
    with pytest.raises(TooLargeError, match="more than 2,097,152 characters"):
        load_text(path.read_text())
    with pytest.raises(TooLargeError, match="more than 2,097,152 characters"):
        load_certificate(path)
    with pytest.raises(InputError, match="million characters"):
        main_error(["verify", str(path)], capsys)


def main_error(arguments, capsys):
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    raise InputError(err)


def test_the_command_says_what_is_too_large(tmp_path, capsys):
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(hostile.DOCUMENTS["a shift"]()))
    with pytest.raises(InputError, match=r"too large .* 24,000,000 .*expansion of a polynomial"):
        main_error(["verify", str(path)], capsys)


# Entries


def objects(value, path=()):
    """Paths of all objects of a document."""
    if isinstance(value, dict):
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, dict | list):
            yield from objects(item, (*path, key))


@pytest.mark.slow
@pytest.mark.parametrize("name", corpus.QUESTIONS)
def test_no_object_has_an_entry_that_is_not_read(name):
    """One object of each kind is tried, which a rule reads by one piece of code."""
    original = corpus.certificate(name)
    kinds = {kind_of(original, path): path for path in objects(original)}
    assert rlct.verify(original)
    for path in kinds.values():
        forged = copy.deepcopy(original)
        inner = forged
        for key in path:
            inner = inner[key]
        inner["note"] = "trust me"
        with pytest.raises(CertificateError):
            rlct.verify(forged)
    forged = {**original, "note": "trust me"}
    with pytest.raises(CertificateError, match="reads the entry 'note' of the document"):
        rlct.verify(forged)


EMPTY = {"data": ("K >= 0 was proved by hand", ["trust me"], [], "", None, 0)}
EMPTY["children"] = ({}, "", None, {"rule": "trust me"})


@pytest.mark.slow
def test_what_a_step_leaves_out_is_not_something_else():
    """Where a rule takes no data, or no children, there is nothing of another kind."""
    planted = set()
    documents = [corpus.certificate(name) for name in corpus.QUESTIONS]
    for document in sorted(documents, key=lambda found: len(json.dumps(found))):  # small ones first
        places = [document]
        for path in objects(document):
            inner = document
            for key in path:
                inner = inner[key]
            places.append(inner)
        for step in [place for place in places if "rule" in place]:
            for key, values in EMPTY.items():
                if step.get(key) or (step["rule"], key) in planted:
                    continue
                planted.add((step["rule"], key))
                before = dict(step)
                for value in values:
                    step[key] = value
                    with pytest.raises(CertificateError):
                        rlct.verify(document)
                step.clear()
                step.update(before)
    without_data = {rule for rule, key in planted if key == "data"}
    assert without_data >= {"modulus", "smooth", "positive", "rational", "forget", "enclose"}
    assert ("smooth", "children") in planted


def test_no_entry_is_given_twice():
    text = json.dumps(corpus.certificate("box, cells"))
    names = sorted(set(re.findall(r'"(\w+)": ', text)))
    assert len(names) > 15
    for name in names:
        twice = re.sub(rf'"{name}": ', f'"{name}": null, "{name}": ', text, count=1)
        with pytest.raises(CertificateError, match=f"two entries '{name}'"):
            rlct.verify(twice)


# The sign of K

BOTH_SIGNS = "(x**2-x*y+y**2+y**5)*(z**4-z**2*w+w**2+z**6)"


@pytest.mark.parametrize(
    ("K", "options", "shown"),
    [
        ("(x-y**2)**2", {}, True),
        ("x**2*y**4*(1+x)", {}, True),
        ("x**4+y**4-x*y**5", {}, True),
        (BOTH_SIGNS, {}, False),
        ("(x*(x-2))**2*y**4", {"over": {"x": (-1, 1), "y": (-1, 1)}}, True),
        ("x*y**2", {"over": {"x": (0, 1), "y": (0, 1)}}, False),
        ("x**2+y**2+x*y", {"over": {"x": (-1, 1), "y": (-1, 1)}}, False),
        ("((x-y)*(x+y-1))**2", {"over": {"x": (0, 1), "y": (-1, 1)}}, True),
        ("(x**2+y**2-z**2)**2*(x+y+4)**2", {"over": dict.fromkeys("xyz", (-1, 1))}, True),
    ],
)
def test_the_sign_is_shown_only_where_it_is_proved(K, options, shown, tmp_path, capsys):
    result = rlct.poly(K, **options)
    assert shows_sign(result.certificate) is shown
    path = tmp_path / "c.json"
    path.write_text(json.dumps(result.certificate))
    assert main(["verify", str(path)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("valid: ")
    assert ("|K|" in first) is not shown


@pytest.mark.parametrize("K", ["x**4+y**4-x*y**5", "x**4+y**6-x**3*y**2"])
def test_the_proof_for_minus_K_is_that_for_K_and_shows_no_sign(K):
    certificate = rlct.poly(K).certificate
    assert shows_sign(certificate)
    for term in certificate["question"]["generators"][0]:
        term[0] = str(-Fraction(term[0]))
    assert rlct.verify(certificate)
    assert not shows_sign(certificate)


@pytest.mark.parametrize(
    ("rule", "data"),
    [
        ("plane", {"factors": [[[["1", [1, 0]]], 2], [[["1", [0, 1]]], 1]]}),
        ("plane", {"factors": [[[["1", [1, 0]]], 2]]}),  # the rest, y, is no number
        ("cells", {"factors": [[[["1", [1, 0]]], 2], [[["-1", [0, 1]]], 1]]}),
        ("points", {"points": []}),
    ],
)
def test_a_sign_in_a_box_needs_even_factors_of_all_of_K(rule, data):
    question = {
        "kind": "box",
        "ideal": False,
        "variables": ["x", "y"],
        "generators": [[["1", [2, 1]]]],
        "prior": ["0", "0"],
        "sides": [["-1", "1"], ["-2", "-1"]],
    }
    proof = {"rule": rule, "data": data, "children": []}
    assert not shows_sign({"question": question, "proof": proof})
