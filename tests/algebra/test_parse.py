"""Reading text: what is accepted, precedence, limits, and everything that must be refused."""

import random
import re
from fractions import Fraction

import pytest
import sympy

from rlct.algebra.expression import SIZE_LIMITS, constant_value, names_in
from rlct.algebra.parse import from_sympy, parse_polynomial
from rlct.algebra.polynomial import expand_tree, make_ring, natural_order
from rlct.errors import InputError
from rlct.questions.problem import Problem

NAMES = ["x", "y", "z"]


def read(text):
    return expand_tree(parse_polynomial(text), make_ring(NAMES))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x^2", "x**2"),
        ("-x**2", "-(x**2)"),
        ("(-x)**2", "x**2"),
        ("2**3*x", "8*x"),
        ("x**2**3", "x**8"),
        ("x**(1+1)", "x**2"),
        ("x/2/3", "x*(1/6)"),
        ("x*2/3*y", "(2/3)*x*y"),
        ("1.5*x", "(3/2)*x"),
        (".5*x", "(1/2)*x"),
        ("1e2*x", "100*x"),
        ("2.5E-1*x", "(1/4)*x"),
        ("--x", "x"),
        ("x - -y", "x+y"),
        ("+x", "x"),
        ("x**0", "1"),
        ("(x)", "x"),
        (" x\t* y ", "x*y"),
        ("x**2\n+ y**2\n", "x**2+y**2"),
        ("(x-y)**2/4", "x**2/4-x*y/2+y**2/4"),
        ("x**1e1", "x**10"),
        ("-2**2*x", "-4*x"),
        ("(1/2)**2*x", "x/4"),
    ],
)
def test_accepted_and_equal(text, expected):
    assert read(text) == read(expected)


MALFORMED = {
    "empty": "",
    "blank": " \t\n",
    "operator only": "+",
    "unfinished": "x**",
    "unfinished sum": "x +",
    "unopened": "x)",
    "unclosed": "(x",
    "empty parentheses": "()",
    "lambda": "(lambda: x**2)()",
    "lambda name": "lambda**2",
    "eval": "__import__('os').system('true')",
    "eval call": "eval(x)",
    "exec": "exec('x')",
    "call": "x(y)",
    "attribute": "x.__class__",
    "attribute of a number": "(1).real",
    "index": "x[0]",
    "list": "[x**2]",
    "set": "{x}",
    "string": "'x'",
    "double quotes": '"x"',
    "f-string": "f'{x}'",
    "assignment": "x=1",
    "walrus": "(x:=2)",
    "statement": "import os",
    "semicolon": "x;y",
    "comparison": "x<y",
    "comma": "x,y",
    "comment": "x**2 # comment",
    "two lines": "x**2\ny**2",
    "implicit product of names": "x y",
    "names of one letter without a sign": "xy",
    "quotient before a factor that touches": "x/2y",
    "exponent alone": "²",
    "exponent of an exponent": "x²³²^²",
    "factorial": "x!",
    "modulo": "x % 2",
    "floor division": "x // 2",
    "matrix product": "x @ y",
    "bar": "|x|",
    "backslash": "x\\y",
    "dollar": "$x$",
    "latex": "x_{1}^{2}",
    "other digits": "x**٢",
    "fullwidth digits": "x**２",
    "cyrillic": "х**2",
    "a Greek letter like a Latin one": "ο**2",
    "accent": "é**2",
    "emoji": "x**2🙂",
    "right to left": "\u202ex**2",
    "zero width": "x\u200b**2",
    "nul": "x\x00",
    "bell": "x\a",
    "surrogate": "\udcff",
    "division by zero": "x/0",
    "division by zero sum": "x/(1-1)",
    "division by a variable": "1/x",
    "division by a polynomial": "x/(1+x)",
    "negative exponent": "x**-1",
    "fractional exponent": "x**(1/2)",
    "decimal exponent": "x**0.5",
    "symbolic exponent": "x**y",
    "symbolic exponent of two": "2**x",
    "imaginary": "(x+1j*y)**2",
    "imaginary J": "2J*x",
    "I": "I*x**2",
    "pi": "pi*x**2",
    "E": "E*x**2",
    "oo": "oo*x",
    "nan": "nan*x",
    "inf": "inf",
    "sin": "sin(x)**2",
    "sqrt": "sqrt(x)",
    "abs": "abs(x)",
    "Matrix": "Matrix([x])",
    "hexadecimal": "0x10*x",
    "underscored number": "1_000*x",
    "two points": "1.2.3*x",
    "giant exponent": "x**1000000000",
    "tower": "x**9**9**9",
    "tower of twos": "2**2**2**2**2**2*x",
    "nested powers": "x" + "**1" * 50_000,
    "powers of powers": "(((x**100)**100)**100)**100",
    "giant number": "9" * 10_000 + "*x",
    "giant decimal": "1e1000000000*x",
    "tiny decimal": "1e-1000000000*x",
    "giant power of a number": "2**10000**2*x",
    "giant product of numbers": "*".join(["1e999"] * 50) + "*x",
    "deep nesting": "(" * 50_000 + "x" + ")" * 50_000,
    "unclosed deep nesting": "(" * 500_000,
    "too many terms": "(a+b+c+d+e+f+g+h)**40",
    "too many products": "*".join(f"(x{i}+y{i})" for i in range(40)),
    "too many variables": "+".join(f"x{i}" for i in range(SIZE_LIMITS.variables + 1)),
    "too long": "x" + "+x" * SIZE_LIMITS.length,
    "long name": "x" * 10_000 + "**2",
}


#: As on paper, where it can mean nothing else.
PAPER = {
    "x²y⁴": "x**2*y**4",
    "2x²+3y²": "2*x**2+3*y**2",
    "x^2y^4": "x**2*y**4",
    "x¹⁰y²": "x**10*y**2",
    "(x-y)²(x+y)^2": "(x-y)**2*(x+y)**2",
    "2x_1²(y+1)²": "2*x_1**2*(y+1)**2",
    "x^2(y+z)^2": "x**2*(y+z)**2",
    "(x²−y³)²": "(x**2-y**3)**2",
    "x²·y²×z²": "x**2*y**2*z**2",
    "x²/4+3y²": "x**2/4+3*y**2",
}


@pytest.mark.parametrize("text", PAPER)
def test_paper_is_read_where_it_means_one_thing(text):
    assert Problem.poly(text).generators == Problem.poly(PAPER[text]).generators


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2xy", "2*x*y"),
        ("x²yz", "x^2*y*z"),
        ("x^2 y^4", "x^2*y^4"),
        ("x(y+1)", "x*(y+1)"),
        ("x/2y", "x/2*y"),
        (r"\frac{1}{2}x^{2}", "1/2*x^2"),
        (r"\frac12 x^2", "1/2*x^2"),
        (r"$\left(x^2 - y^3\right)^{2}$", "(x^2-y^3)^2"),
        (r"x_{1}^{10} \cdot x_2", "x_1^10*x_2"),
        ("K = x^2", "x^2"),
        ("[x+y]²", "(x+y)^2"),
    ],
)
def test_other_notation_is_refused_with_what_was_meant(text, meant):
    with pytest.raises(InputError, match=re.escape(f"did you mean '{meant}'?")):
        Problem.poly(text)
    assert parse_polynomial(meant)


@pytest.mark.parametrize("text", ["sin(x)", "2J*x", r"\lambda^2", "x^2 = y", "x^y"])
def test_nothing_is_guessed_where_it_would_be_no_polynomial(text):
    with pytest.raises(InputError) as caught:
        Problem.poly(text)
    assert "did you mean" not in str(caught.value)


def test_a_bar_has_another_answer():
    """V(|f| < t) = V(f² < t²), so λ of |f| is twice that of f²."""
    with pytest.raises(InputError, match=re.escape("λ of |f| is twice that of f**2")):
        Problem.poly("|x|")


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_is_refused_in_one_line_and_at_once(name, seconds_so_far):
    began = seconds_so_far()
    with pytest.raises(InputError) as caught:
        Problem.poly(MALFORMED[name])
    assert seconds_so_far() - began < 2
    message = str(caught.value)
    assert message
    assert len(message.splitlines()) == 1
    assert len(message) < 300


@pytest.mark.parametrize(
    "value", [None, True, 1.5, 2j, [1], {"x": 1}, b"x", object(), lambda x: x, float("nan")]
)
def test_other_types_are_refused(value):
    with pytest.raises(InputError, match="is not a polynomial"):
        Problem.poly(value)


def random_expression(rng, depth):
    """Text in which precedence matters."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["x", "y", "z", "1", "2", "3", "0.5", "7/3"])
    inner = [random_expression(rng, depth - 1) for _ in range(2)]
    kind = rng.choice(["+", "-", "*", " * ", "**", "()", "neg", "pos", "/", "-+"])
    if kind == "**":
        # Not parenthesised: binds tighter than a sign or a product on its left.
        return f"{inner[0]}**{rng.choice(['0', '1', '2', '3', '(1+1)'])}"
    if kind == "()":
        return f"({inner[0]})"
    if kind == "neg":
        return f"-{inner[0]}"
    if kind == "pos":
        return f"+{inner[0]}"
    if kind == "/":
        return f"{inner[0]}/{rng.choice(['2', '3', '(1+3)', '5'])}"
    if kind == "-+":
        return f"{inner[0]} - +{inner[1]}"
    return f"{inner[0]}{kind}{inner[1]}"


def test_precedence_is_that_of_python_and_sympy():
    rng = random.Random(7)
    ring = make_ring(NAMES)
    symbols = sympy.symbols(NAMES)
    checked = 0
    refusals: set[bool] = set()
    for _ in range(400):
        text = random_expression(rng, 4)
        try:
            tree = parse_polynomial(text)
        except InputError as error:  # a number as base of a large tower
            refusals.add("limit" in str(error))
            continue
        oracle = sympy.Poly(sympy.sympify(text, rational=True), *symbols)
        expected = {m: Fraction(int(c.p), int(c.q)) for m, c in oracle.terms() if c}
        found = {
            m: Fraction(int(c.numerator), int(c.denominator))
            for m, c in expand_tree(tree, ring).terms()
        }
        assert found == expected, text
        checked += 1
    assert checked > 390
    assert refusals <= {True}, "a refusal that is not a limit"


def test_text_and_sympy_give_equal_problems():
    rng = random.Random(11)
    x, y = sympy.symbols("x y")
    for _ in range(40):
        a, b, c = (rng.randint(1, 5) for _ in range(3))
        expression = (a * x**b - sympy.Rational(c, 7) * y**c * x) ** 2 + y**4
        given = [Problem.poly(q) for q in (expression, sympy.expand(expression))]
        read = [
            Problem.poly(str(expression)),
            Problem.poly(sympy.Poly(expression, x, y)),
            Problem.poly(sympy.Poly(expression, y, x)),
        ]
        for problem in given + read:
            assert problem.generators == read[0].generators
            assert problem.variables == ("x", "y")
    assert Problem.ideal([x, "y**2"]) == Problem.ideal(["x", y**2])


@pytest.mark.parametrize(
    "expression",
    [
        sympy.sin(sympy.Symbol("x")),
        sympy.I * sympy.Symbol("x"),
        sympy.pi * sympy.Symbol("x"),
        sympy.sqrt(2) * sympy.Symbol("x"),
        sympy.Symbol("x") ** -1,
        sympy.Symbol("x") ** sympy.Symbol("n"),
        sympy.Float("0.5") * sympy.Symbol("x") ** 2,
        sympy.Symbol("x") < 1,
        sympy.Matrix([sympy.Symbol("x")]),
        sympy.Symbol("x_{1}"),
        sympy.Symbol("pi"),
        sympy.Symbol("a b"),
        sympy.oo,
        sympy.nan,
        sympy.Abs(sympy.Symbol("x")),
        sympy.Symbol("x") ** 10**9,
        sympy.Function("f")(sympy.Symbol("x")),
    ],
    ids=str,
)
def test_sympy_objects_pass_the_same_whitelist(expression):
    with pytest.raises(InputError) as caught:
        Problem.poly(expression)
    assert "\n" not in str(caught.value)


def test_structure_is_kept():
    assert parse_polynomial("(x-y)**2").operator == "^"
    assert parse_polynomial("x*y+z").operator == "+"
    assert names_in(parse_polynomial("a10 + a2*b")) == {"a10", "a2", "b"}
    assert natural_order({"a10", "a2", "b"}) == ["a2", "a10", "b"]
    assert constant_value(parse_polynomial("(1+2)**2/6")) == Fraction(3, 2)
    assert constant_value(parse_polynomial("1+x-x")) is None
    assert from_sympy(sympy.Integer(3)).number == 3


def test_large_valid_input_is_read():
    terms = "+".join(f"x**{2 * i}*y**{2 * j}" for i in range(1, 40) for j in range(1, 40))
    assert len(read(terms)) == 39 * 39
    assert len(read("+".join(["x"] * 20_000))) == 1
    assert read("(" * 90 + "x" + ")" * 90) == read("x")
    assert read("-" * 10_001 + "x") == read("-x")
