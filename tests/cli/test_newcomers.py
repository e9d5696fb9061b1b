"""What somebody types in the first hour: help, notation, sizes, and refusals with the next step."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from fractions import Fraction

import pytest

import rlct
from rlct.cli.colour import add_colours
from rlct.cli.commands import build_parser
from rlct.cli.index import COMMAND_MODULES
from rlct.questions.arguments import box_of, generators_of


def values(call, line):
    """The ends and θ of an answer."""
    code, out, err = call(*shlex.split(line), "--json")
    assert code in (0, 3), err
    answer = json.loads(out)
    return answer["lambda"], answer["theta"], answer.get("lower"), answer.get("upper")


# Help


@pytest.mark.parametrize("words", [[], ["help"], ["--help"]])
def test_alone_it_shows_commands_in_groups(words, call):
    code, out, err = call(*words)
    assert (code, err) == (0, "")
    headings = re.findall(r"^    (\w+):$", out, re.MULTILINE)
    assert headings == ["ask", "picture", "prove", "simulate", "choose", "tools"]
    listed = re.findall(r"^      (\w+)(?: {2,}|$)", out, re.MULTILINE)
    assert sorted(listed) == sorted(COMMAND_MODULES), "each once"


@pytest.mark.parametrize("group", ["net", "model", "theorem", "check", "sample", "evidence"])
def test_a_group_alone_shows_its_help(group, call):
    alone, asked = call(group), call(group, "--help")
    assert alone == asked
    assert alone[0] == 0
    assert alone[1].startswith(f"usage: rlct {group} ")


@pytest.mark.parametrize("words", ["poly", "net relu", "theorem eval"])
def test_help_takes_the_name_of_a_command(words, call):
    assert call("help", *words.split()) == call(*words.split(), "--help")


def test_help_on_no_command_is_one_line(call):
    code, out, err = call("help", "nett")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "did you mean 'net'?" in err


def test_the_version_has_a_short_option(call):
    assert call("-v") == call("--version") == (0, f"rlct {rlct.__version__}\n", "")


# Sizes by position


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("net tanh 1 3 1", "net tanh --inputs 1 --hidden 3 --outputs 1"),
        ("net tanh --true-units 1 1 3 1", "net tanh 1 3 1 --true-hidden 1"),
        ("net tanh --inputs 1 --units 3 --outputs 1", "net tanh 1 3 1"),
        ("net quadratic 2 3 1", "net quadratic --inputs 2 --units 3 --outputs 1"),
        ("net quadratic --inputs 2 --hidden 3 --outputs 1", "net quadratic 2 3 1"),
        ("net softmax 3 2 3", "net softmax --inputs 3 --hidden 2 --classes 3"),
        (
            "net softmax-attention 2 1 2",
            "net softmax-attention --inputs 2 --keys 1 --outputs 2 --score-rank 1 --value-rank 2",
        ),
        ("net power 1 2 1 --degree 3", "net power --hidden 2 --degree 3"),
        ("net convolution 2 2", "net convolution --filters 2,2"),
        (
            "net deep-relu 2 8 8 1 --true-widths 2,3,1",
            "net deep-relu --widths 2,8,8,1 --true-widths 2,3,1",
        ),
        ("net deep-relu 2 8x2 1 --true-widths 2,3,1", "net mlp 2 8 8 1 --true-widths 2,3,1"),
        ("net relu 2 3 1", "net mlp 2 3 1"),
        (
            "theorem eval tanh-network units=3 outputs=1",
            "theorem eval tanh-network hidden=3 outputs=1",
        ),
        ("model rbm --visible 3 --units 1", "model rbm --visible 3 --hidden 1"),
    ],
)
def test_sizes_have_more_than_one_spelling(short, long, call):
    assert values(call, short) == values(call, long)


@pytest.mark.parametrize("span", ["1..3", "1:3"])
def test_ranges_by_position_give_a_table(span, call):
    code, out, _ = call("net", "tanh", "1", span, "1")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["1", "2", "3"]
    named = call("net", "tanh", "--inputs", "1", "--hidden", span, "--outputs", "1")
    assert out == named[1]


def test_a_row_of_a_table_can_be_typed_again(call):
    code, out, _ = call("net", "deep-relu", "1", "2..3", "1", "--true-widths", "1,1,1", "--json")
    rows = json.loads(out)["rows"]
    assert code == 3
    assert rows[0]["architecture"] == "deep-relu 1 2 1 --true-widths 1,1,1"
    assert values(call, f"net {rows[0]['architecture']}")[3] == rows[0]["upper"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("net tanh", "write INPUTS HIDDEN OUTPUTS, as in 'rlct net tanh 1 4 1 --true-hidden 1'"),
        ("net tanh --inputs 1", "hidden and outputs missing"),
        ("net tanh 1 3", "2 sizes where INPUTS HIDDEN OUTPUTS are asked"),
        ("net tanh 1 3 1 --hidden 4", "hidden is given twice"),
        ("net tanh --hidden 4 1 3 1", "hidden is given twice"),
        ("net power 2 3 1 --degree 3", "this network has 1 input"),
        ("net linear 5 3 5", "write 'rlct net linear 5 3 5 --rank 1'"),
        ("net linear 5,3,5 --rank 1", "write 5 3 5"),
        ("net mlp 784-128-10", "write 784 128 10"),
        ("net relu", "as in 'rlct net relu 2 3 1'"),
        ("net relu --inputs 2", "widths are written in their order, as in 'rlct net relu 2 3 1'"),
        (
            "net linear --outputs 2",
            "widths are written in their order, as in 'rlct net linear 5 3 5",
        ),
        ("net relu 2 3 1 --fibre", "leave out the other options"),
        ("net relu 2 1", "an input, a hidden layer and an output: write 2 3 1"),
        ("net quadratic 2 x 1", "'x' is neither an integer nor a range"),
        ("net transformer 0", "parameters must be at least 1"),
        ("net transformer 1e9", "'1e9' is neither an integer nor a range"),
        ("mlp 784 128 10", "did you mean 'net mlp'?"),
        ("net resnet18", "did you mean 'cnn'?"),
        ("model hmm --states 2", "did you mean 'hidden-markov'?"),
        ("evidence transition 1 2", "is not LOSS,QUESTION such as 0.1,3/2"),
        ("net gpt2", "did you mean 'transformer'?"),
        ("net perceptron 3 2 1", "did you mean 'mlp'?"),
        ("lambda x^2", "did you mean 'poly'?"),
        ("lct x^2", "did you mean 'poly'?"),
        ("poly x y", "several generators are an ideal: rlct ideal x y"),
        ("poly 'x^2, y^3'", "several generators are an ideal: rlct ideal 'x^2, y^3'"),
        ("poly x*y", "; for K = f**2: rlct ideal 'x*y'"),
        ("poly x --at x=0", "; for K = f**2: rlct ideal x --at x=0"),
        ("check poly x", "; for K = f**2: rlct check ideal x"),
        ("poly x^2+1", "with --at x=1, or a box with --over x=-2:2"),
        ("poly x^2 --at x=1", "choose a zero of K, or a box with --over x=-2:2"),
        ("newton x+1", "choose a zero of K with --at x=1"),
        ("poly 2xy", "did you mean '2*x*y'?"),
        (r"poly '\frac{1}{2} x^2'", "did you mean '1/2*x^2'?"),
        ("ideal '|x|'", "λ of |f| is twice that of f**2"),
        ("poly x^2*y^4 --at 1", "at has 1 coordinate, and K has 2: x, y"),
        ("poly x^2*y^4 --at 1,y=0", "is not of the form x=0,y=1"),
        ("poly x^2 --over x=-1...1", "is not of the form x=-2:2,y=-2:2"),
        ("poly x^2 --over -1:1", "write --over=-1:1"),
        ("poly x^2*y^2 --at 1 0", "write --at 1,0"),
        ("ideal x^2 y^2 --nonneg x y", "write --nonneg x,y"),
        ("poly 'x^2; y^3'", "several generators are an ideal: rlct ideal 'x^2; y^3'"),
        ("poly x^2==0", "did you mean 'x^2'?"),
        ("ideal 'a*b + ab'", "; rlct ideal 'a*b + a*b'"),
        (
            "poly (ab)^2",
            "ab could mean a product: write '(a*b)^2', or, if it is one",
        ),
        ("ideal ab+cd ab^3+cd^3", "; rlct ideal 'a*b+c*d' 'a*b^3+c*d^3'"),
        ("poly foo^2", "; rlct poly 'foo^2' --at foo=0"),
        ("poly x1x2+y", "; rlct poly 'x1*x2+y'"),
        ("check poly foo^2+aab", "; rlct check poly 'foo^2+aab' --at aab=0,foo=0"),
        ("check poly uv --claim 1/2", "; rlct check poly 'u*v' --claim 1/2"),
        ("blowup --poly x^2", "an expression is K, and generators stand after the word ideal"),
        ("blowup x^2-y^3", "; for K = f**2: rlct blowup ideal 'x^2-y^3'"),
        ("newton --json x*y", "; for K = f**2: rlct newton --json ideal 'x*y'"),
        ("plot landscape x*y --out a.svg", "rlct plot landscape ideal 'x*y' --out a.svg"),
        ("blowup ideal", "the expression is missing: write ideal"),
        ("check x^2", ": write rlct check poly 'x^2'"),
        ("x^2*y^2", ": write rlct poly 'x^2*y^2'"),
        ("net cnn 3 4", "2 sizes where PARAMETERS are asked, as in 'rlct net cnn "),
        ("model mixture --components 4", "as in 'rlct model mixture "),
        ("compare net", "'net' names no architecture, such as 'linear 5 3 5'"),
    ],
)
def test_mistakes_end_in_one_line_with_the_next_step(line, said, call):
    code, out, err = call(*shlex.split(line))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("rlct: error: ")
    assert said in err


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("poly x*y", "ideal 'x*y'"),
        ("poly x y", "ideal x y"),
        ("blowup x^2-y^3", "blowup ideal 'x^2-y^3'"),
        ("newton x*y", "newton ideal 'x*y'"),
        ("poly (ab)^2", "poly '(a*b)^2'"),
        ("ideal ab+cd,ab^3+cd^3", "ideal 'a*b+c*d,a*b^3+c*d^3'"),
        ("poly 'x^2, y^3'", "ideal 'x^2, y^3'"),
        ("net linear 5 3 5", "net linear 5 3 5 --rank 1"),
        ("net tanh --inputs 1", "net tanh 1 4 1 --true-hidden 1"),
        ("net relu", "net relu 2 3 1"),
    ],
)
def test_the_command_that_is_named_works(line, named, call):
    assert f"rlct {named}" in call(*shlex.split(line))[2]
    assert call(*shlex.split(named))[0] in (0, 3)


# Points, boxes and generators


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("poly x^2*y^4 --at 1,0", "poly x^2*y^4 --at x=1,y=0"),
        ("poly x^2*y^4 --at '(0, 1)'", "poly x^2*y^4 --at y=1"),
        ("poly y^2*x^4 --at 1,0", "poly y^2*x^4 --at x=1"),
        ("poly (x^2-2)^2 --at 'root(t^2-2, 1..2)'", "poly (x^2-2)^2 --at x=sqrt(2)"),
        ("poly (x-1)^2 --over x=0..2", "poly (x-1)^2 --over x=0:2"),
        ("ideal 'x^2, y^3'", "ideal x^2 y^3"),
        ("ideal 'x^2; y^3'", "ideal x^2 y^3"),
        ("ideal '<x*y, y*z, z*x>'", "ideal x*y y*z z*x"),
        ("ideal '(x^2, y^3)' z", "ideal x^2 y^3 z"),
        ("ideal '(x+y)*(x-y)'", "ideal x^2-y^2"),
        ("poly x²y⁴", "poly x**2*y**4"),
    ],
)
def test_paper_and_position_ask_the_same(short, long, call):
    asked = [call(*shlex.split(line), "--json") for line in (short, long)]
    assert asked[0] == asked[1]
    assert asked[0][0] == 0


def test_brackets_are_those_of_the_whole_list_only():
    assert generators_of("(x+y), (z+w)") == ["(x+y)", "(z+w)"]
    assert generators_of("((x+y)*z, w)") == ["(x+y)*z", "w"]
    assert generators_of(" ") == [""]


def test_dots_that_may_be_a_decimal_are_refused():
    assert box_of("x=-.5.. .5,y=-1.5..1.5") == {"x": ("-.5", ".5"), "y": ("-1.5", "1.5")}
    for text in ("x=1...5", "x=1..2..3", "x=1:2:3", "x=..1"):
        with pytest.raises(rlct.InputError, match="is not of the form"):
            box_of(text)


def test_one_interval_is_of_every_variable(call):
    answers = [
        call("poly", "x**2*y**4", f"--over={box}", "--json") for box in ("x=-1:2,y=-1:2", "-1..2")
    ]
    assert answers[0] == answers[1]
    assert (
        rlct.poly("x**2*y**4", over=(-1, 2)).where
        == "minimum over the box -1 <= x <= 2, -1 <= y <= 2"
    )
    weights = {"hidden": [[1, 0]], "outer": [[1]]}
    boxes = [{"x": (-1, 1), "y": (-1, 1)}, (-1, 1)]
    assert len({rlct.relu(weights, density=box).bounds for box in boxes}) == 1
    for text in ("-1", "-1:1,0:1", "1:2:3"):
        assert call("poly", "x**2*y**2", f"--over={text}")[0] == 2


# Networks without a closed form


def test_an_mlp_has_bounds_by_theorem(call):
    """d = 101770, less one scale for each of 128 hidden units; ten output biases below."""
    d = 785 * 128 + 129 * 10
    _, _, lower, upper = values(call, "net mlp 784 128 10")
    assert (Fraction(lower), Fraction(upper)) == (5, Fraction(d - 128, 2))
    code, out, _ = call("net", "mlp", "784", "128", "10")
    assert code == 3
    assert "theorem deep-relu-bound" in out
    assert "minimum over all parameters of the true function" in out
    assert "Truth        any function of this network" in out
    assert "rlct net mlp --help" in out
    smaller = call("net", "mlp", "9", "8", "1", "--true-widths", "9,2,1")[1]
    assert "any function of a network of widths 9 2 1" in smaller


@pytest.mark.parametrize("command", ["cnn", "transformer", "network"])
def test_the_number_of_parameters_bounds_any_network(command, call):
    code, out, _ = call("net", command, "124439808")
    assert code == 3
    assert "0 ≤ λ ≤ 62219904   (bounds if: near the parameter K is at most" in out
    assert "given     near the parameter" in out
    assert call("net", command, "3", "--json")[1].count('"upper": "3/2"')


@pytest.mark.parametrize("command", ["mlp", "cnn", "transformer"])
def test_alone_such_a_network_says_how_to_estimate(command, call):
    code, out, err = call("net", command)
    assert (code, err) == (0, "")
    assert "rlct.llc(net, (x, y))" in out
    assert "≤ d/2" in out


@pytest.mark.slow
def test_the_lines_of_torch_run(call, capsys):
    torch = pytest.importorskip("torch")
    page = call("net", "mlp")[1]
    code = re.search(r"^  import rlct, torch\n(?:  .*\n)+", page, re.MULTILINE)[0]
    lines = [line[2:] for line in code.splitlines()]
    assert len(lines) == 10
    torch.manual_seed(0)
    exec("\n".join(lines), {})
    found = re.search(r"λ̂ ≈ ([\d.]+)", capsys.readouterr().out)
    d = 3 * 4 + 5
    assert 0 < float(found[1]) < d / 2


# Colours


def on_a_terminal(words, **environment):
    """What a command writes to a terminal, standard error included."""
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        [sys.executable, "-m", "rlct", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**kept, "TERM": "xterm-256color", **environment},
    ):
        os.close(theirs)
        written = b""
        try:
            while piece := os.read(ours, 4096):
                written += piece
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return written


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "coloured"),
    [
        (["poly", "x**2"], "\x1b[1mλ = 1/2, θ = 1\x1b[0m (exact"),
        (["poly", "x"], "\x1b[1;31mrlct: error:\x1b[0m K is negative"),
        (["net"], "\x1b[1musage:\x1b[0m rlct net"),
    ],
)
def test_colours_are_for_a_terminal(words, coloured):
    plain = re.sub(r"\x1b\[[\d;]*m", "", coloured).encode()
    assert coloured.encode() in on_a_terminal(words)
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        written = on_a_terminal(words, **environment)
        assert plain in written
        assert b"\x1b" not in written
    piped = subprocess.run(
        [sys.executable, "-m", "rlct", *words],
        capture_output=True,
        check=False,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    assert b"\x1b" not in piped.stdout + piped.stderr


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1/2 ≤ λ ≤ 5   (bounds", "1"),
        ("0 ≤ λ ≤ 7/2   (bounds", "1"),
        ("warning: few draws", "33"),
        ("Verdict      agrees: λ = 1 fits", "32"),
        ("Verdict      refuted: λ = 1", "1;31"),
        ("valid: λ = 1/2", "32"),
    ],
)
def test_what_is_coloured(line, code):
    class Terminal:
        def isatty(self):
            return True

    found = add_colours(f"first\n{line}", Terminal())
    assert found.startswith(f"first\n\x1b[{code}m")
    assert re.sub(r"\x1b\[[\d;]*m", "", found) == f"first\n{line}"
    assert add_colours("Where        at λ = 1", Terminal()) == "Where        at λ = 1"


def test_every_command_is_in_one_group():
    actions = build_parser()._subparsers._group_actions[0]
    assert set(actions.headings) == set(COMMAND_MODULES)
    assert all(actions.headings.values())
