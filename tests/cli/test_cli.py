"""The command line: commands, JSON, exit codes, one-line errors, files, signals."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rlct
from rlct.errors import OutOfTimeError

PYTHON = [sys.executable, "-m", "rlct"]


def run(*arguments, stdin=None, **options):
    return subprocess.run(
        [*PYTHON, *arguments],
        input=stdin,
        capture_output=True,
        text=stdin is None or isinstance(stdin, str),
        encoding="utf-8" if stdin is None or isinstance(stdin, str) else None,
        timeout=120,
        check=False,
        **options,
    )


def one_object(text):
    assert text.endswith("\n")
    assert text.count("\n") == 1
    return json.loads(text)


# Commands and their JSON

#: Double along a cone over a conic, for which no parameter can be solved: bounds.
OPEN = ["(x**9-2*y**9)**2+z**19"]

COMMANDS = {
    "poly": (["poly", "x**2*y**4"], 0),
    "poly with options": (
        ["poly", "(x-1)**2*y**2", "--at", "x=1", "--prior", "y", "--nonneg", "y"],
        0,
    ),
    "poly over a box": (["poly", "(x*y*(x-1))**2", "--over", "x=-2:2,y=-2:2"], 0),
    "poly, bounds": (["poly", f"({OPEN[0]})**2"], 3),
    "ideal": (["ideal", "x*y", "y*z", "z*x"], 0),
    "net linear": (["net", "linear", "5", "3", "5", "--rank", "1"], 0),
    "net linear with bias": (["net", "linear", "5", "3", "5", "--rank", "1", "--bias"], 0),
    "theorem list": (["theorem", "list"], 0),
    "net quadratic": (["net", "quadratic", "--inputs", "2", "--units", "2", "--outputs", "1"], 0),
    "net quadratic modular": (["net", "quadratic", "--units", "4", "--data", "modular:5"], 0),
    "net quadratic bounds": (
        ["net", "quadratic", "--inputs", "30", "--units", "31", "--outputs", "5", "--bias"],
        3,
    ),
    "theorem show": (["theorem", "show", "deep-linear"], 0),
    "theorem eval": (["theorem", "eval", "deep-linear", "widths=5,3,5", "rank=1"], 0),
    "audit": (["audit", "000-lambda"], 0),
    "audit list": (["audit", "--list", "--source", "004"], 0),
    "newton": (["newton", "ideal", "x**2-y**3"], 0),
    "blowup": (["blowup", "ideal", "x**2-y**3"], 0),
    "blowup of K": (["blowup", "(x**2-y**3)**2"], 0),
    "blowup, bounds": (["blowup", "ideal", "x**9999+y**7777+x**5000*y**3000"], 3),
    "check": (["check", "poly", "x**2", "--method", "quadrature"], 0),
    "check, refuted": (["check", "poly", "x**2", "--claim", "1", "--method", "quadrature"], 1),
    "sample": (["sample", "poly", "x**2", "--method", "quadrature"], 0),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_one_object_and_nothing_else(name, call):
    arguments, expected = COMMANDS[name]
    code, out, err = call(*arguments, "--json")
    assert code == expected
    answer = one_object(out)
    assert answer["schema"] == "rlct/1"
    assert "rlct: error" not in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", COMMANDS)
def test_text(name, call):
    arguments, expected = COMMANDS[name]
    code, out, err = call(*arguments)
    assert code == expected
    assert out.strip()
    assert "Traceback" not in err


def test_answers(call):
    _, out, _ = call("poly", "x**2*y**4", "--json")
    answer = json.loads(out)
    assert (answer["status"], answer["lambda"], answer["theta"]) == ("exact", "1/4", 1)
    assert (answer["lower"], answer["upper"]) == ("1/4", "1/4")
    _, out, _ = call("poly", "(x**2-y**3)**2")
    assert out == "λ = 5/12, θ = 1 (exact; at the origin; engine: squares, newton)\n"
    _, out, _ = call("net", "linear", "5", "3", "5", "--rank", "1")
    assert "λ = 8, θ = 1" in out
    assert "Aoyagi" in out
    assert "Hypotheses" in out
    assert "reduced-rank-regression" in out
    _, out, _ = call("check", "poly", "x**2*y**2", "--claim", "1/2,2", "--json")
    answer = json.loads(out)
    assert {"claim", "z", "verdict", "control"} <= set(answer)
    _, out, _ = call("theorem", "list", "--json")
    listed = json.loads(out)["theorems"]
    assert {"id", "title", "model", "kind", "sources"} <= set(listed[0])
    assert {"deep-linear", "regular", "normal-crossing"} <= {t["id"] for t in listed}
    _, out, _ = call("newton", "ideal", "x**2-y**3", "--json")
    assert json.loads(out)["lambda_polyhedron"] == "5/12"


def test_search_of_theorems_ignores_hyphens_case_and_quotes(call):
    for words in (["reduced rank"], ["Reduced-RANK", "regression"], ["'reduced rank'", "2005"]):
        code, out, _ = call("theorem", "list", *words)
        assert code == 0
        assert "reduced-rank-regression" in out
        assert "hidden-markov" not in out
    _, out, _ = call("theorem", "list", "hidden markov")
    assert [line.split()[0] for line in out.splitlines()] == ["hidden-markov-bound"]
    code, out, err = call("theorem", "list", "no such thing")
    assert (code, out) == (2, "")
    assert "no theorem matches 'no such thing'" in err
    _, out, _ = call("theorem", "list", "no such thing", "--json")
    assert json.loads(out)["theorems"] == []


def test_all_of_it_in_real_processes():
    done = run("poly", "x**2*y**4", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    assert one_object(done.stdout)["lambda"] == "1/4"
    script = shutil.which("rlct", path=os.path.dirname(sys.executable))
    if script is not None:
        found = subprocess.run(
            [script, "--version"], capture_output=True, text=True, check=True, timeout=60
        )
        assert found.stdout == f"rlct {rlct.__version__}\n"


def test_output_is_utf8_in_any_locale():
    done = subprocess.run(
        [*PYTHON, "poly", "x**2"],
        capture_output=True,
        env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=True,
    )
    assert done.stdout.decode("utf-8").startswith("λ = 1/2, θ = 1")


def test_version_imports_no_library():
    """Imports are what takes long; control: an answer needs some."""
    libraries = {"sympy", "numpy", "scipy", "mpmath", "networkx", "arviz_stats"}

    def imported(*arguments):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "rlct", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        names = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
        return done.stdout, names & libraries

    assert imported("--version") == (f"rlct {rlct.__version__}\n", set())
    assert imported("poly", "x**2")[1] >= {"sympy"}


def test_help(call):
    for arguments in ([], ["poly"], ["ideal"], ["net"], ["net", "linear"], ["theorem"], ["verify"]):
        code, out, _ = call(*arguments, "--help")
        assert code == 0
        assert "usage: rlct" in out


# Standard input


@pytest.mark.slow
def test_expressions_from_standard_input():
    assert one_object(run("poly", "-", "--json", stdin="x**2 +\n y**2\n").stdout)["lambda"] == "1"
    answer = one_object(run("ideal", "-", "--json", stdin="x\n\ny**2\n").stdout)
    assert answer["lambda"] == "3/4"


@pytest.mark.parametrize("text", ["", "\n", "x**2\ny**2\n", "x +"])
def test_bad_standard_input(text):
    done = run("poly", "-", stdin=text)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_bytes_that_are_no_text():
    for command in (["poly", "-"], ["ideal", "-"], ["verify", "-"]):
        done = run(*command, stdin=b"\xff\xfe\x00x")
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert b"Traceback" not in done.stderr


# Bad input: one line, exit code 2, nothing on standard output

BAD = {
    "unknown command": ["integrate", "x"],
    "unknown option": ["poly", "x**2", "--sing"],
    "abbreviated option": ["poly", "x**2", "--pri", "x"],
    "no expression": ["poly"],
    "two expressions": ["poly", "x**2", "y**2"],
    "minus without --": ["poly", "-x**2"],
    "negative": ["poly", "--", "-x**2"],
    "not zero": ["poly", "x**2+1"],
    "syntax": ["poly", "x**"],
    "bad point": ["poly", "x**2", "--at", "x"],
    "point twice": ["poly", "x**2", "--at", "x=0,x=1"],
    "point of another variable": ["poly", "x**2", "--at", "y=0"],
    "bad prior": ["poly", "x**2", "--prior", "x+1"],
    "bad nonneg": ["poly", "x**2", "--nonneg", "y"],
    "bad timeout": ["poly", "x**2", "--timeout", "soon"],
    "negative timeout": ["poly", "x**2", "--timeout", "-1"],
    "nan timeout": ["poly", "x**2", "--timeout", "nan"],
    "bad over": ["poly", "x**2", "--over", "x=1"],
    "empty over": ["poly", "x**2", "--over", "x=2:1"],
    "over and at": ["poly", "x**2", "--over", "x=-1:1", "--at", "x=0"],
    "no zero in the box": ["poly", "x**2", "--over", "x=1:2"],
    "ideal with a unit, over a box": ["ideal", "x", "2", "--over", "x=-1:1"],
    "rank too large": ["net", "linear", "3", "2", "4", "--rank", "3"],
    "negative rank": ["net", "linear", "3", "2", "4", "--rank", "-1"],
    "width zero": ["net", "linear", "3", "0", "4", "--rank", "0"],
    "no rank": ["net", "linear", "3", "2", "4"],
    "one width": ["net", "linear", "3", "--rank", "0"],
    "width of text": ["net", "linear", "three", "2", "--rank", "0"],
    "unknown theorem": ["theorem", "show", "riemann"],
    "quadratic without units": ["net", "quadratic", "--inputs", "2"],
    "quadratic with unreadable weights": ["net", "quadratic", "--weights", "/no/such/file"],
    "quadratic with unreadable data": ["net", "quadratic", "--units", "1", "--data", "modular"],
    "theorem without arguments": ["theorem", "eval", "deep-linear"],
    "theorem with an unknown argument": ["theorem", "eval", "regular", "size=3"],
    "theorem with a bad value": ["theorem", "eval", "regular", "dimension=x"],
    "theorem outside its hypotheses": ["theorem", "eval", "deep-linear", "widths=3,2,4", "rank=3"],
    "no such certificate": ["verify", "no/such/file.json"],
    "bad claim": ["check", "poly", "x**2", "--claim", "half"],
    "giant claim": ["check", "poly", "x**2", "--claim", "1e1000000000"],
    "bad method": ["check", "poly", "x**2", "--method", "magic"],
    "bad seed": ["check", "poly", "x**2", "--seed", "x"],
    "newton of nothing": ["newton", "0"],
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line(name, call):
    code, out, err = call(*BAD[name])
    assert code == 2
    assert out == ""
    assert err.startswith("rlct: error: ")
    assert len(err.splitlines()) == 1
    assert len(err) < 1000


def test_errors_are_one_line_of_bounded_length(call):
    code, _, err = call("poly", "x**2", "--prior", "x+" * 100_000)
    assert code == 2
    assert len(err.splitlines()) == 1
    assert len(err) < 1000


def test_the_hint_for_a_leading_minus(call):
    _, _, err = call("poly", "-x**2+y**2")
    assert len(err.splitlines()) == 1


# Certificates


def test_certificates(tmp_path, call):
    path = tmp_path / "c.json"
    code, _, _ = call("poly", "(x**2-y**3)**2", "--certificate", str(path))
    assert code == 0
    assert [p.name for p in tmp_path.iterdir()] == ["c.json"]
    assert rlct.verify(path)
    code, out, _ = call("verify", str(path))
    assert (code, out.splitlines()[0]) == (0, "valid: λ = 5/12, θ = 1")
    _, out, _ = call("verify", str(path), "--json")
    answer = one_object(out)
    assert answer["valid"] is True
    assert answer["lambda"] == "5/12"
    again = tmp_path / "again.json"
    call("poly", "(x**2-y**3)**2", "--certificate", str(again))
    assert again.read_bytes() == path.read_bytes()
    piped = run("verify", "-", stdin=path.read_text(encoding="utf-8"))
    assert piped.returncode == 0
    assert piped.stdout.startswith("valid: λ = 5/12, θ = 1\nof K = x^4")


def test_certificates_of_other_commands(tmp_path, call):
    path = tmp_path / "c.json"
    call("net", "linear", "5", "3", "5", "--rank", "1", "--certificate", str(path))
    assert call("verify", str(path))[0] == 0
    call("ideal", *OPEN, "--certificate", str(path))
    code, out, _ = call("verify", str(path))
    assert code == 0
    assert out.startswith("valid: 1/36 ≤ λ ≤ 14/171")


def test_a_forged_certificate_is_exit_code_one(tmp_path, call):
    path = tmp_path / "c.json"
    call("poly", "x**2*y**4", "--certificate", str(path))
    path.write_text(path.read_text(encoding="utf-8").replace('"1/4"', '"1/3"'), encoding="utf-8")
    code, out, err = call("verify", str(path))
    assert code == 1
    assert out == ""
    assert err.startswith("rlct: error: invalid certificate: ")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "x.json"])
def test_standard_input_that_is_no_certificate(text, tmp_path):
    done = run("verify", "-", stdin=text, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("K", "side", "absolute"), [("x", "-1", True), ("x", "0", True), ("x**2", "-1", False)]
)
def test_verify_says_where_it_is_about_the_absolute_value(tmp_path, call, K, side, absolute):
    """By `univariate-factors` K = x over −1..2 has a λ, though K changes sign there."""
    certificate = rlct.poly(K, over=(0, 2)).certificate
    certificate["question"]["sides"] = [[side, "2"]]
    path = tmp_path / "c.json"
    path.write_text(json.dumps(certificate), "utf-8")
    code, out, _ = call("verify", str(path))
    assert code == 0
    assert (" for |K|; K >= 0 is not proved here\n" in out) == absolute


def test_verification_has_a_time_limit(tmp_path, call):
    path = tmp_path / "c.json"
    generators = [f"a*d**{n}+b*e**{n}+c*f**{n}" for n in (1, 3, 5)]
    call("ideal", *generators, "--certificate", str(path))
    code, out, err = call("verify", str(path), "--timeout", "0.01")
    assert (code, out, err) == (3, "undecided: not checked to the end within 0.01 s\n", "")
    code, out, _ = call("verify", str(path), "--timeout", "0.01", "--json")
    assert code == 3
    assert json.loads(out)["valid"] is None
    code, out, _ = call("verify", str(path), "--timeout", "100")
    assert code == 0
    assert out.startswith("valid: λ = 5/6, θ = 1")


def test_files_have_the_permissions_of_other_files(tmp_path, call):
    path = tmp_path / "c.json"
    before = os.umask(0o027)
    try:
        call("poly", "x**2", "--certificate", str(path))
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o604)  # a file that is replaced keeps what it had
        call("poly", "x**2", "--certificate", str(path))
        assert path.stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(before)


def test_a_certificate_is_written_whole_or_not_at_all(tmp_path, call):
    missing = tmp_path / "none" / "c.json"
    code, out, err = call("poly", "x**2", "--certificate", str(missing))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    code, out, err = call("poly", "x**2", "--certificate", str(tmp_path))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
    code, _, _ = call("poly", "x**", "--certificate", str(tmp_path / "c.json"))
    assert code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_directory_without_permission(tmp_path, call):
    tmp_path.chmod(0o500)
    code, out, err = call("poly", "x**2", "--certificate", str(tmp_path / "c.json"))
    tmp_path.chmod(0o700)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


# Time, interrupts, pipes


def slow_question():
    rng = random.Random(1)
    names = "abcdefgh"

    def term():
        powers = "*".join(f"{name}**{rng.randint(0, 3)}" for name in names)
        return f"{rng.randint(1, 9)}*{powers}*{rng.choice(names)}"

    return "+".join(f"({'+'.join(term() for _ in range(16))})**2" for _ in range(3))


def test_a_time_limit_is_exit_code_three():
    began = time.perf_counter()
    done = run("poly", slow_question(), "--timeout", "0.5", "--json")
    assert time.perf_counter() - began < 20
    assert done.returncode == 3
    answer = one_object(done.stdout)
    assert answer["status"] == "bounds"
    assert answer["lambda"] is None


def let_work(process, seconds):
    """Wait until a process has worked for so long, however busy the machine is."""
    if not Path("/proc/self/stat").exists():
        time.sleep(4 * seconds)
        return
    ticks = 0.0
    while ticks < seconds * os.sysconf("SC_CLK_TCK") and process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])  # of user and of system
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_an_interrupt_is_exit_code_three(tmp_path):
    path = tmp_path / "c.json"
    process = subprocess.Popen(
        [*PYTHON, "poly", slow_question(), "--json", "--certificate", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    let_work(process, 2.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert one_object(out)["status"] == "bounds"
    assert rlct.verify(path)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
def test_a_reader_that_goes_away_is_no_error():
    process = subprocess.Popen(
        [*PYTHON, "theorem", "show", "deep-linear"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert err == b""
    assert process.returncode == 0


def test_check_of_bounds_says_so(call):
    code, out, err = call("check", "ideal", *OPEN)
    assert code == 3
    assert "inconclusive" in out
    assert "--claim" in out
    assert err == ""


def test_a_network_beyond_the_checker_and_the_samplers(call):
    """The closed form has no size; what cannot be replayed or sampled is said, not tried."""
    code, out, _ = call("net", "linear", "50000", "50000", "50000", "50000", "--rank", "0")
    assert code == 0
    assert "24,000,000 steps, with a linear network" in out
    code, out, _ = call("net", "linear", "784", "128", "64", "10", "--rank", "10", "--check")
    assert code == 3
    assert "λ = 3920, θ = 1" in out
    assert "not run: simulation is limited to" in out


@pytest.mark.slow
def test_claims_without_theta_and_against_theory(call):
    code, out, _ = call("check", "poly", "x**2*y**2", "--claim", "1/2")
    assert (code, "θ = 2: z" in out) == (0, True)
    code, out, _ = call("check", "poly", "x**2*y**2", "--claim", "9/16,4")
    assert (code, "θ is at most 2" in out) == (1, True)
    code, out, _ = call("check", "poly", "x**2*y**2", "--claim", "1/2,1")
    assert (code, "fits, but not with θ = 1: θ = 2 does" in out) == (1, True)
    code, out, _ = call("check", "poly", "x**2*y**2+z**30", "--claim", "16/30,1")
    assert (code, "theory proves" in out) == (1, True)
    code, out, _ = call("check", "poly", "x**2+y**400")
    assert (code, "too small to show" in out) == (3, True)
    code, out, _ = call("check", "poly", "(x-y/10**6)**2*x**2")
    assert (code, "too small to show" in out) == (3, True), "two lines cross, however narrowly"
    code, out, _ = call("check", "poly", "(x-y/3)**2*x**2")
    assert code == 0
    code, out, _ = call("check", "poly", "x**2*(1000*x-1)**4")
    assert code == 0, "the zero at 1/1000 is not at the origin"
    code, out, _ = call("check", "poly", "x**2*(x-3/10**5)**4", "--method", "quadrature")
    assert (code, "closer than 0.0005" in out) == (3, True), "not refuted: the value is right"
    code, _, err = call("check", "poly", "x**2", "--claim", "1e400")
    assert (code, "is not λ" in err) == (2, True)


def test_blowup_says_that_there_was_no_time(call, monkeypatch):
    def late(*_):
        raise OutOfTimeError

    monkeypatch.setattr("rlct.answers.routes.routes", late)
    code, out, _ = call("blowup", "x**2-y**3", "x*y", "--timeout", "5")
    assert (code, out) == (3, "undecided: the engine had no bound within 5 s\n")


def test_blowup_of_k_itself(call):
    """K = 4x²: ∫ over [−1, 1] of (4x²)^z is 2·4^z/(2z + 1), residue 1/2 at z = −1/2."""
    code, out, _ = call("blowup", "4*x**2")
    assert code == 0
    assert "λ = 1/2, θ = 1" in out
    assert "C ≈ 0.5 " in out
    assert "λ = 1, θ = 1" in call("blowup", "x**2*y**2", "x", "y")[1]
    code, out, err = call("blowup", "poly", "x", "y")
    assert (code, out) == (2, "")
    assert err == "rlct: error: several generators are an ideal: rlct ideal x y\n"


def test_a_point_may_be_given_in_parts(call):
    code, out, _ = call("poly", "x**2*y**2", "--at", "x=1", "--at", "y=0")
    assert code == 0
    assert "θ = 1 (exact; at x = 1, y = 0" in out
    code, _, err = call("poly", "x**2*y**2", "--at", "x=1", "--at", "x=0")
    assert code == 2
    assert "gives x twice" in err
