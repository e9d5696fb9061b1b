"""Public questions with their pair, each by an argument that uses no program.

Cases have the form of ``validation/reference/engine.json``; those of the reference set, of
``tests/data/cases.json`` and of ``validation/oracles/problems.py`` are read from there, and the
others are written down here.  ``source`` is a title or an author, and the argument.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import sympy

from validation.oracles.problems import PEER_TASKS

ROOT = Path(__file__).parents[2]
ONE_HALF = Fraction(1, 2)
Case = dict[str, Any]

#: Normal forms with weights in which they are homogeneous of degree 1, and isolated over C.
ARNOLD_FORMS = {
    "A2": ("x**2 + y**3", "1/2 1/3"),
    "A3": ("x**2 - y**4", "1/2 1/4"),
    "A7": ("x**2 + y**8", "1/2 1/8"),
    "D4": ("x**2*y - y**3", "1/3 1/3"),
    "D5": ("x**2*y + y**4", "3/8 1/4"),
    "D9": ("x**2*y + y**8", "7/16 1/8"),
    "E6": ("x**3 + y**4", "1/3 1/4"),
    "E7": ("x**3 + x*y**3", "1/3 2/9"),
    "E8": ("x**3 + y**5", "1/3 1/5"),
    "X9": ("x**4 - y**4", "1/4 1/4"),
    "J10": ("x**3 + y**6", "1/3 1/6"),
    "E12": ("x**3 + y**7", "1/3 1/7"),
    "E13": ("x**3 + x*y**5", "1/3 2/15"),
    "E14": ("x**3 + y**8", "1/3 1/8"),
    "Z11": ("x**3*y + y**5", "4/15 1/5"),
    "Z12": ("x**3*y + x*y**4", "3/11 2/11"),
    "Z13": ("x**3*y + y**6", "5/18 1/6"),
    "W12": ("x**4 + y**5", "1/4 1/5"),
    "W13": ("x**4 + x*y**4", "1/4 3/16"),
    "A2 in space": ("x**2 - z**2 + y**3", "1/2 1/3 1/2"),
    "D4 in space": ("x**2*y - y**3 + z**2", "1/3 1/3 1/2"),
    "E6 in space": ("x**3 + y**4 + z**2", "1/3 1/4 1/2"),
    "E7 in space": ("x**3 + x*y**3 + z**2", "1/3 2/9 1/2"),
    "E8 in space": ("x**3 + y**5 + z**2", "1/3 1/5 1/2"),
    "P8": ("x**3 + y**3 + z**3", "1/3 1/3 1/3"),
    "X9 in space": ("x**4 - y**4 + z**2", "1/4 1/4 1/2"),
    "J10 in space": ("x**3 + y**6 + z**2", "1/3 1/6 1/2"),
    "E12 in space": ("x**3 + y**7 + z**2", "1/3 1/7 1/2"),
    "Z13 in space": ("x**3*y + y**6 + z**2", "5/18 1/6 1/2"),
    "W13 in space": ("x**4 + x*y**4 + z**2", "1/4 3/16 1/2"),
    "Q10": ("x**2*z + y**3 + z**4", "3/8 1/3 1/4"),
    "Q11": ("x**2*z + y**3 + y*z**3", "7/18 1/3 2/9"),
    "Q12": ("x**2*z + y**3 + z**5", "2/5 1/3 1/5"),
    "S11": ("x**4 + y**2*z + x*z**2", "1/4 5/16 3/8"),
    "S12": ("x**2*y + y**2*z + x*z**3", "4/13 5/13 3/13"),
    "U12": ("x**3 + y**3 + z**4", "1/3 1/3 1/4"),
}
#: A smooth zero where f changes its sign gives (1/2, 1) in each; the rest is said here.
SQUARE_CASES: dict[str, list[tuple[str, str, str, int, str]]] = {
    "Arnold, Gusein-Zade, Varchenko, Singularities of differentiable maps I": [
        ("T334", "x*y*z + x**3 + y**3 + z**4", "1/2", 3, "non-degenerate; three divisors of "
         "λ = 1/2 meet at the vertex (1,1,1)"),
        ("T345", "x*y*z + x**3 + y**4 + z**5", "1/2", 3, "as T334"),
        ("T444", "x*y*z + x**4 + y**4 + z**4", "1/2", 3, "as T334"),
    ],
    "Hauser, Gallery of singular algebraic surfaces": [
        ("Calyx", "x**2 + y**2*z**3 - z**4", "5/12", 1, "a cusp along the y-axis; the blow-up with "
         "weights (4,1,2) has 7/16 and meets it normally"),
        ("Ding-dong", "x**2 + y**2 - z**2*(1 - z)", "1/2", 1, "an indefinite Hessian of rank 3"),
        ("Eistuete", "(x**2 + y**2)**3 - 4*x**2*y**2*(z**2 + 1)", "1/4", 2, "in the plane the "
         "vertex (2,2) of x²y² and sextics; z is a parameter"),
        ("Himmel und Hoelle", "x**2 - y**2*z**2", "1/2", 3, "blow-ups (1,1,0) and (1,0,1) have 1/2 "
         "and meet the zeros u = ±1"),
        ("Kolibri", "x**2 - y**2*z**2 - z**3", "1/2", 3, "the blow-up (3,1,2) has 1/2, and a node "
         "along the y-axis crosses it"),
        ("Limao", "x**2 - y**3*z**3", "5/12", 2, "blow-ups (3,2,0) and (3,0,2) have 5/12 and meet; "
         "no others are less"),
        ("Octdong", "x**2 + y**2 + z**4 - z**2", "1/2", 1, "an indefinite Hessian of rank 3"),
        ("Sofa", "x**2 + y**3 + z**5", "1/2", 1, "E8"),
        ("Taube", "256*z**3 - 128*x**2*z**2 + 16*x**4*z + 144*x*y**2*z - 4*x**3*y**2 - 27*y**4",
         "3/8", 1, "the discriminant of a quartic: in its roots Π|r_i − r_j|^(4z+1), six factors "
         "in three dimensions"),
        ("Trichter", "x**2 + z**3 - y**2*z**2", "1/2", 3, "as Kolibri"),
        ("Tuelle", "y*z*(x**2 + y - z)", "5/12", 1, "the blow-up (1,2,2) has 5/12, the three "
         "factors have 1/2 and cross it normally"),
        ("Wigwam", "x**2 + y**2*z**3", "5/12", 1, "non-degenerate with the weight (1/2, 0, 1/3)"),
        ("Zitrus", "x**2 + z**2 - y**3*(1 - y)**3", "1/2", 1, "A2"),
        ("Seepferdchen", "(x**2 - y**3)**2 - (x + y**2)*z**3", "1/3", 1, "the blow-up (3,2,3) has "
         "8/24; elsewhere zeros are cusps at worst"),
        ("Steiner's Roman surface", "x**2*y**2 + x**2*z**2 + y**2*z**2 - x*y*z", "1/2", 3, "three "
         "divisors at the vertex (1,1,1)"),
    ],
    "Kimura, Introduction to prehomogeneous vector spaces": [
        ("hyperdeterminant", "a**2*h**2 + b**2*g**2 + c**2*f**2 + d**2*e**2 - 2*(a*b*g*h + a*c*f*h"
         " + a*d*e*h + b*c*f*g + b*d*e*g + c*d*e*f) + 4*(a*d*f*g + b*c*e*h)", "1/2", 1,
         "Bernstein polynomial (s+1)(s+3/2)²(s+2): at least (1/2, 1)"),
        ("symmetric 3x3", "a*d*f + 2*b*c*e - a*e**2 - d*c**2 - f*b**2", "1/2", 1,
         "Bernstein polynomial (s+1)(s+3/2)(s+2)"),
        ("binary cubic", "b**2*c**2 - 4*a*c**3 - 4*b**3*d + 18*a*b*c*d - 27*a**2*d**2", "5/12", 1,
         "Bernstein polynomial (s+1)²(s+5/6)(s+7/6), and a cusp along the cubes"),
    ],
    "Bath, Walther, Matroidal polynomials and Feynman diagrams": [
        ("triangle", "a + b + c", "1/2", 1, "smooth"),
        ("sunrise", "a*b + b*c + c*a", "1/2", 1, "rational singularities: at least (1/2, 1)"),
        ("banana of 4", "a*b*c + a*b*d + a*c*d + b*c*d", "1/2", 1, "rational singularities"),
    ],
    "weighted products": [
        ("(2,3)(2,3)", "(x**2 - y**3)*(y**2 - z**3)", "19/60", 1, "the blow-up (9,6,4); zeros on "
         "it cross normally, the lines have 5/12"),
        ("(3,2)(3,2)", "(x**3 - y**2)*(y**3 - z**2)", "19/60", 1, "the blow-up (4,6,9)"),
        ("(2,5)(2,3)", "(x**2 - y**5)*(y**2 - z**3)", "25/84", 1, "the blow-up (15,6,4); the lines "
         "have 7/20 and 5/12"),
    ],
    "series in place of coordinates": [
        ("Crixxi's worst point", "(y + y**2 + z**2)**2 + (y + y**2 + x**2)**3", "5/12", 2, "the "
         "same with y, and the blow-up (1,2,1) has 5/12"),
        ("cusp", "(x + x**3)**2 - (y - y**2)**3", "5/12", 1, "a cusp"),
    ],
    "isolated homogeneous forms": [
        ("six cubes", "x**3+y**3+z**3+u**3+v**3+(x+y+z+u+v+w)**3", "1/2", 1, "the blow-up of 0 has "
         "6/6 and meets a smooth cubic"),
        ("four quartics", "x**4+y**4-z**4-2*(x+y-w)**4", "1/2", 2, "the blow-up of 0 has 4/8"),
        ("definite", "x**4+y**4+(x-z)**4", "3/8", 1, "the blow-up of 0, without real zeros on it"),
    ],
}  # fmt: skip
#: Least pairs over boxes.
BOX_CASES = [
    ("Crixxi", "((y**2+z**2-1)**2+(x**2+y**2-1)**3)**2", 2, "5/12", 2, "cusps along a curve, and "
     "two points where the two differentials are parallel"),
    ("Seepferdchen", "((x**2-y**3)**2 - (x+y**2)*z**3)**2", 1, "1/3", 1, "as at 0"),
    ("Steiner's Roman surface", "(x**2*y**2+x**2*z**2+y**2*z**2-x*y*z)**2", 1, "1/2", 3, "as at 0"),
    ("Ding-dong", "(x**2+y**2-z**2*(1-z))**2", 1, "1/2", 1, "smooth but for one node of a cone"),
    ("Whitney's umbrella", "(x**2-y**2*z)**2", 1, "1/2", 2, "as at 0"),
    ("torus", "((x**2+y**2+z**2+3)**2-16*(x**2+y**2))**2", 4, "1/2", 1, "smooth"),
]  # fmt: skip


def square(name: str, f: str, lam: str, theta: int, source: str, **options: Any) -> Case:
    """The question of f²."""
    head = {"id": name, "kind": "poly", "expr": f"({f})**2", "options": options}
    return {**head, "lambda": lam, "theta": theta, "source": source}


def _arnold() -> Iterator[Case]:
    """One weighted blow-up: (Σw/2, 1) along it, (1/2, 1) at smooth zeros, which cross it."""
    for name, (text, weights) in ARNOLD_FORMS.items():
        f = sympy.sympify(text)
        w = dict(zip(sympy.symbols("x y z"), map(sympy.Rational, weights.split()), strict=False))
        t = sympy.Symbol("t", positive=True)
        scaled = f.subs({v: v * t**a for v, a in w.items()}, simultaneous=True)
        assert sympy.expand(scaled - t * f) == 0, name
        own = Fraction(str(sum(w.values()))) / 2
        title = "Arnold, Gusein-Zade, Varchenko, Singularities of differentiable maps I"
        why = f"{title}: the blow-up with weights {weights} and smooth zeros that cross it"
        yield square(name, text, str(min(own, ONE_HALF)), 1 + (own == ONE_HALF), why)


def _arrangements() -> Iterator[Case]:
    """Braid arrangements of n + 1 points, in n differences: n/(2·C(n+1, 2)) at 0 is least."""
    for n in (3, 4, 5):
        ends = ["0", *(f"x{i}" for i in range(1, n + 1))]
        f = "*".join(f"({b}-{a})" for a, b in combinations(ends, 2))
        why = "Kosta, Windisch 2024, Real hyperplane arrangements: codimension/(2·number) of flats"
        yield square(f"braid of {n + 1}", f, str(Fraction(1, n + 1)), 1, why)


def _determinants() -> Iterator[Case]:
    for n in (2, 3, 4):
        names = [[f"m{i}{j}" for j in range(n)] for i in range(n)]
        f = sympy.Matrix(n, n, lambda i, j, names=names: sympy.Symbol(names[i][j])).det()
        why = "Cayley: Bernstein polynomial (s+1)⋯(s+n)"
        yield square(f"determinant {n}", str(sympy.expand(f)), "1/2", 1, why)


def _pfaffian(entries: sympy.Matrix, rows: list[int]) -> sympy.Expr:
    if not rows:
        return sympy.Integer(1)
    first, *rest = rows
    return sum(
        (-1) ** k * entries[first, j] * _pfaffian(entries, [i for i in rest if i != j])
        for k, j in enumerate(rest)
    )


def _wheel(spokes: int) -> sympy.Expr:
    """Sum over spanning trees of the product of their edges, by the matrix-tree theorem."""
    rim, spoke = (sympy.symbols(f"{a}0:{spokes}") for a in "rs")
    laplacian = sympy.diag(*(rim[i - 1] + rim[i] + spoke[i] for i in range(spokes)))
    for i in range(spokes):
        j = (i + 1) % spokes
        laplacian[i, j] -= rim[i]
        laplacian[j, i] -= rim[i]
    return sympy.expand(laplacian.det())


def _invariants() -> Iterator[Case]:
    """Pfaffians, wheels and the discriminant of a quintic."""
    skew = sympy.Matrix(6, 6, lambda i, j: sympy.Symbol(f"p{min(i, j)}{max(i, j)}"))
    why = "Kimura, Introduction to prehomogeneous vector spaces: Bernstein polynomial (s+1)(s+3)⋯"
    yield square("Pfaffian 6", str(sympy.expand(_pfaffian(skew, [*range(6)]))), "1/2", 1, why)
    why = "Bath, Walther, Matroidal polynomials and Feynman diagrams: rational singularities"
    for spokes in (3, 4):
        yield square(f"wheel with {spokes} spokes", str(_wheel(spokes)), "1/2", 1, why)
    t, a, b, c, d = sympy.symbols("t a b c d")
    f = sympy.discriminant(t**5 + a * t**3 + b * t**2 + c * t + d, t)
    why = "Discriminants: in the roots Π|r_i − r_j|^(4z+1), ten factors in four dimensions"
    yield square("discriminant of a quintic", str(sympy.expand(f)), "7/20", 1, why)


def _from_tests() -> Iterator[Case]:
    """Cases that the tests keep, each with its argument."""
    path = ROOT / "tests" / "data" / "cases.json"
    for case in json.loads(path.read_text("utf-8"))["cases"]:
        given, options = case.get("input"), {}
        if case["kind"] not in ("poly", "ideal", "poly_global"):
            continue
        if any(a != "0" for a in given.get("point", ())):
            options["at"] = dict(zip(given["vars"], given["point"], strict=True))
        if "box" in given:
            options["over"] = dict(zip(given["vars"], given["box"], strict=True))
        if "prior_abs_exponents" in given:
            options["prior"] = given["prior_abs_exponents"]
        asked = {"kind": "ideal", "generators": given["gens"]} if "gens" in given else None
        yield {
            "id": case["id"], **(asked or {"kind": "poly", "expr": given["K"]}),
            "options": options, "lambda": case["lambda"], "theta": case["theta"],
            "source": f"reference cases of the tests: {case['why']}",
        }  # fmt: skip


def _from_peers() -> Iterator[Case]:
    for task in PEER_TASKS:
        if task.truth:
            lam, theta = task.truth
            yield {
                "id": task.name, "kind": "ideal", "generators": list(task.generators),
                "options": {}, "lambda": lam, "theta": theta,
                "source": "Problems timed beside Singular and Macaulay2: normal forms, and closed "
                "forms of Aoyagi for products of matrices and tanh units",
            }  # fmt: skip


def corpus() -> list[Case]:
    """All cases, each question once, with the list that it comes from."""
    reference = ROOT / "validation" / "reference" / "engine.json"
    named = [
        square(name, f, lam, theta, f"{title}: {why}")
        for title, rows in SQUARE_CASES.items()
        for name, f, lam, theta, why in rows
    ]
    boxes = [
        {
            **square(f"{name}, box", "", lam, theta, f"over [-{a}, {a}]³: {why}"),
            "expr": K, "options": {"over": {v: [-a, a] for v in "xyz"}},
        }
        for name, K, a, lam, theta, why in BOX_CASES
    ]  # fmt: skip
    lists = {
        "named": [*named, *_arnold(), *_arrangements(), *_determinants(), *_invariants()],
        "boxes": boxes,
        "peers": list(_from_peers()),
        "tests": list(_from_tests()),
        "reference": json.loads(reference.read_text("utf-8")),
    }
    by_question: dict[str, Case] = {}
    for label, cases in lists.items():
        for case in cases:
            question = json.dumps([case.get("expr"), case.get("generators"), case["options"]])
            by_question.setdefault(question.replace(" ", ""), {**case, "list": label})
    return list(by_question.values())
