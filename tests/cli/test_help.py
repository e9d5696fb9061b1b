"""Every command explains itself, with examples that work as they stand."""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from rlct.cli.commands import build_parser
from rlct.cli.main import main
from rlct.cli.suggest import commands_of

COMMANDS = dict(commands_of(build_parser()))
LEAVES = {
    path: parser
    for path, parser in COMMANDS.items()
    if not any(isinstance(a, argparse._SubParsersAction) for a in parser._actions)
}
#: Examples that take long, wait for somebody, or need a checkout or more processes; other tests
#: run their commands.
LONG = {
    "rlct atlas --grids FILE.toml --out FOLDER",
    "rlct atlas --out atlas",
    "rlct audit",
    "rlct net linear 5 3 5 --rank 1 --check",
    "rlct reference export --out problems.json",
    "rlct rule new unit-times-power",
    "rlct rule new unit-times-power --title 'A unit times a power'",
    "rlct serve --open",
    "rlct serve --port 0",
    "rlct sweep FILE.toml --jobs 4",
    "rlct sweep status FILE.toml",
    "rlct sweep export FILE.toml --out FILE.csv",
    "rlct theorem check --all",
    "rlct theorem check deep-linear",
    "rlct sampler new walk",
    "rlct theorem new power-sum --title 'Sum of equal powers'",
    "rlct validate",
    "rlct validate 003-figure-7 --suite full",
    'rlct sample poly "x**2*y**2" --n-beta 16000 --method mala --chains',
    "rlct sample linear 2 1 2 --rank 1 --n-beta 1e4",
    "rlct check linear 2 1 2 --rank 1",
    "rlct check ideal x*y z*w",
    "rlct sample ideal x*y z",
    'rlct check poly "x**2*y**2" --plot ladder.svg',
}
GUIDE = (Path(__file__).parents[2] / "docs" / "answers.md").read_text(encoding="utf-8")
#: Names that the guide gives for files that examples read and the reader must bring.
NAMES = re.search(r"unless they read a file of yours \((.*?)\)", GUIDE)[1].strip("`").split("`, `")
YOURS = re.compile("|".join(re.escape(name).replace(r"\*", r"\w+") for name in NAMES))
#: What an example refutes on purpose, or only bounds.
CODES = {
    'rlct check poly "x**2*y**4" --claim 1/2': 1,
    "rlct net relu 2 3 1": 3,
    "rlct net mlp 784 128 10": 3,
    "rlct net cnn 11689512": 3,
    "rlct net transformer 124439808": 3,
    "rlct net network 124439808": 3,
    "rlct select --family latent-class --categories 2,2,2,2,2 --sizes 1..3 --n 1000 "
    "--log-likelihood=-2493.437,-2467.406,-2464.651 --json": 3,
}
BOUNDS = {
    *("binary-tree", "deep-relu", "hidden-markov", "markov-mixture"),
    *("relu-convolution", "tucker"),
}


def examples():
    found = {line for parser in COMMANDS.values() for line in parser.examples}
    return sorted(found | set(build_parser().examples))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that examples read."""
    place = tmp_path_factory.mktemp("examples")
    rng = np.random.default_rng(0)
    data = rng.normal(size=40)
    draws = data.mean() + rng.normal(size=(4, 300, 1)) / np.sqrt(40)
    values = -((data - draws) ** 2) / 2 - np.log(2 * np.pi) / 2
    np.save(place / "log_likelihood.npy", values)
    for beta, name in ((1e-3, "prior"), (0.01, "a"), (0.1, "b"), (1.0, "posterior")):
        w = rng.normal(size=(400, 1)) / np.sqrt(1 + beta * 40) + data.mean() * beta
        np.save(place / f"{name}.npy", -((data - w) ** 2) / 2)
    for name in ("train", "test"):
        np.save(place / f"{name}.npy", values[0] if name == "train" else values[1])
    for name in ("w0", "v0"):
        np.save(place / f"{name}.npy", -((data[None] - data.mean()) ** 2) / 2)
    scores = rng.normal(size=(60, 5))
    np.savetxt(place / "scores.csv", scores, delimiter=",", header="a,b,c,d,e", comments="")
    lines = ("import torch", "x = 1", "net = torch.nn.Linear(1, 1, bias=False)")
    net = "\n".join([*lines, "torch.nn.init.zeros_(net.weight)"])
    (place / "FILE.py").write_text(net, encoding="utf-8")
    (place / "answers.json").write_text('{"xy": 0.41}', encoding="utf-8")
    return place


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_a_page(path):
    parser = COMMANDS[path]
    page = parser.format_help()
    assert parser.description, path
    assert re.search(rf"\n  (?:.* && )?rlct {path}\b", page), "an example of the command itself"
    assert page.startswith("usage: ")
    described = [a for a in parser._actions if a.help is None and a.option_strings]
    assert not [a for a in described if not a.metavar], path


def test_no_line_is_too_wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    for path, parser in LEAVES.items():
        prose = parser.format_help().partition("\nexample")[0]
        assert max(map(len, prose.splitlines())) <= 100, path
    monkeypatch.setenv("COLUMNS", "60")
    wide = [line for line in COMMANDS["poly"].format_help().splitlines() if len(line) > 60]
    assert all(line.startswith("  rlct ") for line in wide), "but examples stay in one piece"


def test_files_of_the_reader_are_told_apart():
    """An example needs a file of the reader exactly if it fails in an empty folder."""
    assert len(NAMES) == 5
    written = re.compile(r"(?:--out|--certificate|--plot|--store|>) (\S+)")
    for line in examples():
        made = set(written.findall(line))
        named = {word for word in shlex.split(line) if re.search(r"\.[a-z]{2,4}$", word)} - made
        assert bool(named) == bool(YOURS.search(line)), line


def test_the_list_of_long_examples_is_of_examples():
    assert set(examples()) >= LONG | set(CODES)


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in examples() if line not in LONG])
def test_examples_work(line, folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(folder if YOURS.search(line) else tmp_path)
    if "--plot" in line or "rlct plot" in line:
        pytest.importorskip("matplotlib", reason="the extra plot")
    if "completion" in line:
        pytest.importorskip("shtab", reason="the extra completion")
    if "FILE.py" in line:
        pytest.importorskip("torch", reason="the extra torch")
    if "scores.csv" in line:
        pytest.importorskip("sklearn", reason="the extra select")
    for part in line.split(" && "):
        words = shlex.split(part)
        assert words[0] == "rlct"
        code = main(words[1:])
    expected = {CODES.get(line, 0)} | ({3} if BOUNDS & set(words) else set())
    assert code in expected, capsys.readouterr().err
    assert capsys.readouterr().out.strip()


# What was meant


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("nett linear 5 3 5", "'net'"),
        ("linear 5 3 5 --rank 1", "'net linear'"),
        ("tanh --inputs 1", "'net tanh'"),
        ("naive-bayes", "'model naive-bayes'"),
        ("net linaer 5 3 5", "'linear'"),
        ("model naive_bayes --features 2", "'naive-bayes'"),
        ("net linear 5 3 5 --rnk 1", "'--rank'"),
        ("poly x**2 --jsn", "'--json'"),
        ("theorem lst", "'list'"),
        ("poly x**2 --explain --format latx", "'latex'"),
        ("liner 5 3 5", "'net linear'"),
        ("evidence wiac f.npy", "'waic'"),
        ("polynomial x**2", "'poly'"),
        ("llc x**2", "'sample'"),
        ("check net linear 5 3 5 --rank 1", "'check linear'"),
        ("sample net linear 5 3 5 --rank 1", "'sample linear'"),
        ("check net tanh --inputs 1", "'net tanh … --check'"),
        ("theor list", "'theorem'"),
        ("plot x**2", "'plot landscape x**2'"),
        ("plot blowup x**2", "'tree'"),
        ("plot Newton x**2", "'newton'"),
        ("model gmm", "'mixture'"),
        ("explain", "'poly … --explain'"),
        ("explain net linear 5 3 5", "'net linear … --explain'"),
        ("cite ideal x*y", "'ideal … --cite'"),
        ("version", "'--version'"),
        ("--versoin", "'--version'"),
        ("model mixture --component 4 --true 1", "'--components'"),
        ("model mixture --component 4", "'--components'"),
        ("poly --jsn", "'--json'"),
        ("sample poly x**2 --figure run.png", "'--plot'"),
    ],
)
def test_errors_suggest_what_was_meant(words, meant, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    message = capsys.readouterr().err
    assert f"did you mean {meant}?" in message
    assert message.startswith("rlct: error: ")
    assert message.count("\n") == 1
    assert "choose from" not in message


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sweep statsu FILE.toml", "one word too many: did you mean 'status'?"),
        ("sweep statsu", "there is no file 'statsu': did you mean 'status'?"),
        ("serve --host 0.0.0.0", "for this machine only, at 127.0.0.1: there is no --host"),
        ("serve --bind=::", "for this machine only, at 127.0.0.1: there is no --host"),
        ("--json poly x**2", "options stand after the command, 'rlct poly … --json'"),
        ("select --family lca --sizes 1-4 --n 100", "an increasing range such as 1..4"),
        ("select --family lca --sizes 4-1 --n 100", "an increasing range such as 0..3"),
        ("poly sqrt2*x**2", "sqrt2 looks like sqrt(2)"),
        ("poly x**2*exp**2", "exp looks like a function"),
        ("poly x(y+1)", "write * between factors, x*(…)"),
        ("poly sin(x)**2", "sin(…) at position 1 is not a polynomial"),
    ],
)
def test_what_is_not_there_is_said(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(words.split())
    except SystemExit as end:
        code = end.code
    message = capsys.readouterr().err
    assert code == 2
    assert said in message
    assert message.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", ["qqqq", "net qqqq", "poly x**2 --qqqq", "completion tcsh", "plot free-energy x**2"]
)
def test_nothing_is_suggested_where_nothing_is_near(words, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    message = capsys.readouterr().err
    assert "did you mean" not in message
    assert "stand after" not in message
    assert "--help'" in message


@pytest.mark.parametrize(
    ("words", "owner"),
    [
        ("blowup x**2 --explain", "--explain is an option of 'poly'"),
        ("newton x --cite", "--cite is an option of 'poly'"),
        ("poly x**2 --tolerance 1", "--tolerance is an option of 'net linear'"),
    ],
)
def test_an_option_of_another_command_is_known(words, owner, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    assert f": {owner}; see " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("poly|x**2|--certificate|", "--certificate: the name of a file is not empty"),
        ("poly|x**2|--certificate|.", "--certificate: '.' is a folder: name a file"),
        ("poly|x**2|--cache|", "--cache: the name of a file is not empty"),
        ("net|linear|2|1|2|--rank|1|--certificate|", "--certificate: the name of a file"),
        ("reference|export|--out|", "--out: the name of a file is not empty"),
        ("sweep|f.toml|--store|", "--store: the name of a file is not empty"),
        ("net|quadratic|--weights|", "the name of a file to read is empty"),
        ("verify|", "the name of a file to read is empty"),
        ("theorem|check|regular|--timeout|nan", "'nan' is not a positive number of seconds"),
        ("evidence|state|a|b|--truth|c|--held-out-truth|d|--beta|nan", "'nan' is not a finite"),
        *(
            (f"net|{command}|--tolerance|{value}", "argument --tolerance: ")
            for command in ("linear|2|1|2|--rank|1", "quadratic|--units|2", "relu")
            for value in ("nan", "-1", "0", "1", "inf")
        ),
    ],
)
def test_names_and_numbers_that_cannot_be(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(words.split("|"))
    except SystemExit as end:
        code = end.code
    message = capsys.readouterr().err
    assert (code, message.count("\n")) == (2, 1)
    assert said in message
    assert not list(tmp_path.iterdir())


def test_a_long_word_is_refused_at_once(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["x" * 100_000])
    assert len(capsys.readouterr().err) < 700


# Doctor, completion, colours


def test_doctor_names_what_is_missing(monkeypatch, capsys):
    from rlct.cli import doctor

    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["problems"] == []
    assert found["answer"]["right"] is True
    assert set(found["core"]) == set(doctor.CORE_PACKAGES)
    monkeypatch.setitem(doctor.CORE_PACKAGES, "numpy", ("numpy", "999.0"))
    monkeypatch.setitem(doctor.CORE_PACKAGES, "no-such-thing", ("no_such_thing", "1.0"))
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "is too old: pip install 'numpy>=999.0'" in said
    assert "problem: no-such-thing is missing" in said


def test_doctor_looks_for_what_is_declared():
    from rlct.cli import doctor

    path = Path(__file__).parents[2] / "pyproject.toml"
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    needed = [f"{name}>={least}" for name, (_, least) in doctor.CORE_PACKAGES.items()]
    assert needed == project["dependencies"]
    for extra, (name, _, _) in doctor.EXTRA_PACKAGES.items():
        assert any(r.startswith(f"{name}>=") for r in project["optional-dependencies"][extra])


def test_doctor_finds_other_programs(tmp_path, monkeypatch, capsys):
    fake = tmp_path / "M2"
    fake.write_text("#!/bin/sh\necho 1.24.5\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert main(["doctor"]) == 0
    assert f"{fake}, version 1.24.5" in capsys.readouterr().out


def test_completion_names_its_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "zsh"]) == 2
    assert "pip install 'rlct[completion]'" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["poly", "x**2", "--explain"], ["--help"], ["nett"]])
def test_no_colours_unless_python_adds_them(words):
    """rlct writes none; the parser of newer Pythons asks NO_COLOR itself."""
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm-256color"}
    environment.pop("FORCE_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-m", "rlct", *words], capture_output=True, env=environment, check=False
    )
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "line",
    ["poly x**2*y**4 --prior x --prior y", "net linear 3 2 3 --rank 0 --rank 1"],
)
def test_an_option_that_would_hide_another_is_refused(line, capsys):
    *alone, _, _ = line.split()
    assert main(alone) == 0  # control
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(line.split())
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{alone[-2]} is given twice: give it once" in err


def test_options_that_list_are_joined(capsys):
    """K = x·y changes its sign unless both walls are read."""
    assert main(["poly", "x*y", "--nonneg", "x", "--nonneg", "y"]) == 0
    assert capsys.readouterr().out.startswith("λ = 1, θ = 2 (exact")
    assert main(["poly", "x*y", "--nonneg", "x"]) == 2
