"""Reference cases: never a wrong answer, exact where the program promises it."""

import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

import rlct

CASES = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parents[1] / "data" / "cases.json").read_text(encoding="utf-8")
    )["cases"]
}
MALFORMED = [name for name, case in CASES.items() if case["kind"] == "malformed"]
PROPER = [name for name in CASES if name not in MALFORMED]


def ask(case):
    given, kind = case["input"], case["kind"]
    if kind == "dln" or "widths" in given:
        return rlct.linear(given["widths"], given["rank"])
    at = dict(zip(given["vars"], given["point"], strict=True)) if "point" in given else None
    prior = given.get("prior_abs_exponents")
    if kind == "ideal":
        return rlct.ideal(given["gens"], at=at, prior=prior)
    if kind == "poly_global":
        over = {n: tuple(side) for n, side in zip(given["vars"], given["box"], strict=True)}
        return rlct.poly(given["K"], prior=prior, over=over)
    if case["kind"] == "malformed":
        at = None  # a name that does not occur would hide the reason
    return rlct.poly(given["K"], at=at, prior=prior)


def command(case):
    given, kind = case["input"], case["kind"]
    if "widths" in given:
        return ["net", "linear", *map(str, given["widths"]), "--rank", str(given["rank"])]
    options = []
    if kind != "malformed" and any(a != "0" for a in given.get("point", [])):
        pairs = zip(given["vars"], given["point"], strict=True)
        options += ["--at", ",".join(f"{n}={a}" for n, a in pairs)]
    if "prior_abs_exponents" in given:
        powers = given["prior_abs_exponents"].items()
        options += ["--prior", "*".join(f"{n}**{h}" for n, h in powers)]
    if kind == "poly_global":
        sides = zip(given["vars"], given["box"], strict=True)
        options += [f"--over={','.join(f'{n}={a}:{b}' for n, (a, b) in sides)}"]
    if kind == "ideal":
        return ["ideal", *options, "--", *given["gens"]]
    return ["poly", *options, "--", given["K"]]


def rlct_command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "rlct", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_there_are_as_many_as_there_were():
    assert (len(PROPER), len(MALFORMED)) == (35, 9)


@pytest.mark.parametrize("name", PROPER)
def test_exact_and_verified(name):
    case = CASES[name]
    result = ask(case)
    assert rlct.verify(json.loads(json.dumps(result.certificate)))
    assert result.certificate["claim"]["status"] == result.status
    assert (result.status, result.lam, result.theta) == (
        "exact",
        Fraction(case["lambda"]),
        case["theta"],
    )
    assert result.notes == ()


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_is_refused(name, seconds_so_far):
    began = seconds_so_far()
    with pytest.raises(rlct.InputError) as caught:
        ask(CASES[name])
    assert seconds_so_far() - began < 2
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["wh_2_4_6", "pt_cusp", "pr_7", "gl_box2", "id_gmm", "dln_784_128_64_10_r10"]
)
def test_the_command_line_gives_the_same(name, tmp_path):
    case, path = CASES[name], tmp_path / "c.json"
    kind, *rest = command(case)
    done = rlct_command(
        *([kind, rest[0], *rest[1:]] if kind == "net" else [kind]),
        "--json",
        "--certificate",
        str(path),
        *([] if kind == "net" else rest),
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["lambda"], answer["theta"]) == (case["lambda"], case["theta"])
    assert rlct.verify(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", MALFORMED)
def test_the_command_line_refuses_in_one_line(name):
    began = time.perf_counter()
    done = rlct_command(*command(CASES[name]))
    seconds = time.perf_counter() - began
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("rlct: error: ")
    assert len(done.stderr.splitlines()) == 1
    # Starting Python and sympy is in this; the refusal itself is timed above.
    assert seconds < 10
