"""Hostile input, drawn from a seed: text that means harm, text that is large, text that is odd."""

import random
import string
from collections.abc import Callable

__all__ = ["STRING_KINDS", "draw"]

VARIABLE_NAMES = "abcdxyzw"
VALID_STRINGS = (
    "(x**2 - y**3)**2",
    "x**2*y**4",
    "(x*y + z**2)**2 + (x - y)**4",
    "1/2*x^2 + 0.25*y^4",
    "(a*e + b*g)**2 + (c*e + d*g)**2",
    "x=1,y=root(t^2-2,1..2)",
    "x=-2:2,y=-2:2",
    "x*y**3",
    "5 3 5",
    "1..8",
    '{"hidden": [[1, 0], [0, 0]], "outer": [[1, 0], [1, 0]]}',
)
INJECTED_STRINGS = (
    "__import__('os').system('touch stolen')",
    "().__class__.__bases__[0].__subclasses__()",
    "open('stolen','w').write('x')",
    "eval(compile('open(\"stolen\",\"w\")','','exec'))",
    "$(touch stolen)",
    "`touch stolen`",
    "x; touch stolen",
    "x' ; touch stolen ; '",
    'x" && touch stolen && "',
    "| touch stolen",
    "{{7*7}}",
    "${7*7}",
    "{x.__class__}",
    "%s%s%s%n",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' OR '1'='1",
    "'); DROP TABLE answers; --",
    "${jndi:ldap://127.0.0.1/a}",
    "!!python/object/apply:os.system ['touch stolen']",
    "cos\nsystem\n(S'touch stolen'\ntR.",
    "lambda: 0",
    "x if open('stolen','w') else y",
    "[open('stolen','w') for x in (1,)]",
    "Function('x')(1)",
    "Symbol('x').args",
    "x.subs(x, open('stolen', 'w'))",
)
FILE_PATHS = (
    "../../../../etc/passwd",
    "/etc/passwd",
    "/dev/zero",
    "/dev/null",
    "/dev/full",
    "/proc/self/environ",
    "/proc/self/mem",
    "..",
    "/",
    ".",
    "a/../../b",
    "stolen",
    "~/.ssh/id_rsa",
    "file:" + "///etc/passwd",
    "C:\\windows\\win.ini",
    "x\x00.json",
    "/" + "a" * 5000,
    "-",
    "--certificate=stolen",
    "--plot=stolen.svg",
    "--help",
    "@stolen",
)
LOOKALIKE_CHARACTERS = "хуαοаеорс×⋅∗−–—⁄∕÷²³⁴ⁿ₁ⅹｘｙ１２＊＋（）𝑥𝒙𝟏٣٢१Ⅳ½πℵℝ∞√∂ßﬁＫ"
INVISIBLE_CHARACTERS = (
    "\u202e\u202d\u202a\u2066\u2067\u2069\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u061c\u200f"
    "\u0301\u0338\u20dd\ufe0f\u034f"
)
CONTROL_CHARACTERS = "".join(map(chr, range(32))) + "\x7f\x85\x9b\u2028\u2029\ufffe\uffff\U0010ffff"
FORMULA_TOKENS = (
    *("x", "y", "z", "x1", "_", "λ", "I", "E", "pi", "oo", "nan", "inf", "lambda", "N", "S"),
    *("0", "1", "2", "-1", "1e9", "1e-9", "1e99999", "0.5", ".5", "5.", "0x10", "1_0", "007"),
    *("+", "-", "*", "/", "**", "^", "(", ")", "//", "%", "=", "==", "<", ">", "!", "&", "|"),
    *(",", ";", ":", "..", ".", "[", "]", "{", "}", "'", '"', "\\", "@", "#", "~", "?", "$"),
    *("sqrt(2)", "root(t^2-2,1..2)", "sin(x)", " ", "\t", "\n"),
)


def _integer(rng: random.Random) -> str:
    return rng.choice(
        [
            str(rng.randint(0, 12)),
            str(10 ** rng.randint(2, 40)),
            str(2 ** rng.randint(3, 70) + rng.randint(-1, 1)),
            "9" * rng.randint(1, 5000),
            "-" + str(rng.randint(0, 10**6)),
            f"{rng.randint(0, 9)}e{rng.randint(-999999, 999999)}",
            f"{rng.randint(1, 99)}/{rng.randint(0, 9)}",
        ]
    )


def exponents(rng: random.Random) -> str:
    """Exponents that nothing could expand."""
    x, y, n = rng.choice(VARIABLE_NAMES), rng.choice(VARIABLE_NAMES), _integer(rng)
    return rng.choice(
        [
            f"{x}**{n}",
            f"({x}+{y})**{n}",
            f"{n}**{_integer(rng)}",
            f"{x}**{y}**{n}",
            f"{x}**2**3**{rng.randint(1, 9)}**{rng.randint(1, 9)}",
            "*".join(f"(1+{v})**{rng.randint(100, 9999)}" for v in VARIABLE_NAMES),
            f"({'+'.join(VARIABLE_NAMES)})**{rng.randint(2, 10000)}",
            f"(({x}+1)**{rng.randint(2, 100)}-1)**{rng.randint(2, 100)}",
            f"({x}**{rng.randint(1, 10000)}*{y}**{rng.randint(1, 10000)})**2",
            f"({x}**{rng.randint(2, 400)} - {y}**{rng.randint(2, 400)})**2",
            f"{x}**({n}*{_integer(rng)})",
            f"({x}-{x})**{rng.randint(0, 2)}*{y}**{rng.randint(0, 4)} + 0**{rng.randint(0, 2)}*{x}",
            "+".join(
                f"(({x}+1)**{rng.randint(9, 90)}-1)**{k}" for k in range(9, rng.randint(10, 60))
            ),
        ]
    )


def nested(rng: random.Random) -> str:
    """Parentheses and signs, deep."""
    depth = rng.choice([10, 99, 101, 1000, 10_000, 100_000])
    inside = rng.choice(["x", "", "x+1", "x**2", ")("])
    return rng.choice(
        [
            "(" * depth + inside + ")" * depth,
            "(" * depth,
            ")" * depth,
            "-" * depth + inside,
            "x**" * depth + "2",
            "(x+" * min(depth, 20_000) + "1" + ")" * min(depth, 20_000),
            "sqrt(" * depth + "2" + ")" * depth,
            "x=" + "sqrt(" * min(depth, 1000) + "2" + ")" * min(depth, 1000),
            "[" * depth + "]" * depth,
            '{"hidden":' * min(depth, 1000),
            "(" * 50 + "x" + ")**2" * 50,
            "(" * 90 + "x+y" + "+1)**2" * 90,
        ]
    )


def large(rng: random.Random) -> str:
    """Long sums, products, names and numbers."""
    n = rng.choice([100, 1000, 10_000, 100_000])
    return rng.choice(
        [
            "+".join(f"x{k}" for k in range(n)),
            "*".join(f"x{k}" for k in range(min(n, 10_000))),
            "+".join(f"{k}*x**{k}" for k in range(min(n, 10_000))),
            "*".join(f"(x{k}+y{k})" for k in range(min(n, 2000))),
            "x" * n,
            "1" * n,
            "x" + " " * n,
            "x+" * n,
            "9" * min(n, 900) + "*x**2 + " + "7" * min(n, 900) + "/" + "3" * min(n, 900) + "*y^2",
            " ".join(str(rng.randint(0, 10**9)) for _ in range(min(n, 1000))),
            ",".join(f"x{k}=0" for k in range(min(n, 10_000))),
            f"{10**9}..{10**12}",
            f"5x{n}",
            f"1..{10**9}",
            "\n".join(f"x{k}*x{k + 1}" for k in range(min(n, 2000))),
        ]
    )


def lookalikes(rng: random.Random) -> str:
    """Characters of other alphabets, marks that reorder or hide."""
    text = list(rng.choice(VALID_STRINGS))
    for _ in range(rng.randint(1, 6)):
        position = rng.randrange(len(text) + 1)
        odd = rng.choice(rng.choice([LOOKALIKE_CHARACTERS, INVISIBLE_CHARACTERS]))
        if rng.random() < 0.5 and position < len(text):
            text[position] = odd
        else:
            text.insert(position, odd)
    return "".join(text)


def controls(rng: random.Random) -> str:
    """NUL, escapes of terminals, line ends of all sorts."""
    text = list(rng.choice(VALID_STRINGS))
    for _ in range(rng.randint(1, 4)):
        odd = rng.choice(
            [*CONTROL_CHARACTERS, "\x1b[2J", "\x1b]0;x\x07", "\r\n", "\x00" * 9, "\\x00", "%00"]
        )
        text.insert(rng.randrange(len(text) + 1), odd)
    return "".join(text)


def surrogates(rng: random.Random) -> str:
    """Halves of characters, as the file system hands out bytes that are no UTF-8."""
    text = list(rng.choice(VALID_STRINGS))
    for _ in range(rng.randint(1, 3)):
        odd = chr(rng.randint(0xD800, 0xDFFF))
        text.insert(rng.randrange(len(text) + 1), odd)
    return "".join(text)


def injections(rng: random.Random) -> str:
    """Code for whoever would run it."""
    evil = rng.choice(INJECTED_STRINGS)
    return rng.choice(
        [evil, f"x**2 + {evil}", f"x={evil}", f"{evil}=1", f"({evil})**2", f"root({evil},0..1)"]
    )


def paths(rng: random.Random) -> str:
    """Names of files, and options."""
    return rng.choice(FILE_PATHS)


def points(rng: random.Random) -> str:
    """Points, intervals and roots that are none, or are costly."""
    n = rng.randint(2, 60)
    return rng.choice(
        [
            f"x=root(t^{_integer(rng)}-2,1..2)",
            f"x=root((t-1)^{n},0..2)",
            f"x=root({'*'.join(f'(t-{k})' for k in range(n))},{n // 2}..{n})",
            f"x=root(t^{n}-t-1,1..2),y=root(t^{n + 1}-t-1,1..2)",
            f"x={'+'.join(f'sqrt({k})' for k in range(2, n))}",
            f"x={'*'.join(f'(1+sqrt({p}))' for p in (2, 3, 5, 7, 11, 13)[: rng.randint(2, 6)])}",
            f"x=sqrt(-{n})",
            "x=1/0",
            "x=nan,y=inf",
            f"x={_integer(rng)}",
            f"x={_integer(rng)}:{_integer(rng)},y=0:1",
            "x=2:1",
            f"x=sqrt({_integer(rng)})",
            "x=root(x,0..1),x=root(x,0..1)",
            "=",
            "x=,y=",
            f"x**({_integer(rng)})",
            f"x**(-{n}/{n + 1})*y**{n}",
        ]
    )


def grammar(rng: random.Random) -> str:
    """Tokens one after the other."""
    return "".join(rng.choice(FORMULA_TOKENS) for _ in range(rng.randint(1, 40)))


def mutations(rng: random.Random) -> str:
    """Input that was right before letters were lost, doubled or exchanged."""
    text = list(rng.choice(VALID_STRINGS))
    for _ in range(rng.randint(1, 5)):
        position = rng.randrange(len(text) or 1)
        move = rng.randrange(4)
        if move == 0 and text:
            del text[position]
        elif move == 1 and text:
            text[position:position] = text[position : position + rng.randint(1, 9)] * rng.randint(
                1, 30
            )
        elif move == 2 and text:
            text[position] = rng.choice(string.printable)
        else:
            text.insert(position, rng.choice(FORMULA_TOKENS))
    return "".join(text)


def noise(rng: random.Random) -> str:
    """Any characters."""
    highest = rng.choice([0x7F, 0xFF, 0x2FFF, 0x10FFFF])
    letters = (rng.randint(0, highest) for _ in range(rng.randint(0, 80)))
    return "".join(chr(c) for c in letters if not 0xD800 <= c <= 0xDFFF)


def work(rng: random.Random) -> str:
    """Right questions that take long."""
    variables = VARIABLE_NAMES[: rng.randint(2, 8)]

    def term() -> str:
        powers = "*".join(f"{v}**{rng.randint(0, rng.choice([2, 5, 30]))}" for v in variables)
        return f"{rng.randint(-9, 9)}*{powers}*{rng.choice(variables)}"

    def form() -> str:
        return "+".join(f"({term()})" for _ in range(rng.randint(2, 12)))

    return "+".join(f"({form()})**2" for _ in range(rng.randint(1, 3)))


STRING_KINDS: dict[str, Callable[[random.Random], str]] = {
    kind.__name__: kind
    for kind in (
        exponents,
        nested,
        large,
        lookalikes,
        controls,
        surrogates,
        injections,
        paths,
        points,
        grammar,
        mutations,
        noise,
        work,
    )
}
_KIND_WEIGHTS = {"work": 0.2, "large": 0.6, "surrogates": 0.5, "exponents": 0.7}


def draw(seed: int, number: int) -> tuple[str, str, random.Random]:
    """Draw a case: its kind, the text, and a generator for what else it needs."""
    rng = random.Random(f"{seed}:{number}")
    weights = [_KIND_WEIGHTS.get(kind, 1.0) for kind in STRING_KINDS]
    kind = rng.choices(list(STRING_KINDS), weights)[0]
    return kind, STRING_KINDS[kind](rng), rng
