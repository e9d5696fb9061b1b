"""Questions whose certificates together use every rule of the checker."""

import functools
import json
import time

import rlct
from rlct.engine import limits
from rlct.questions.box_problem import BoxProblem


def around(names):
    """A box around 0."""
    return dict.fromkeys(names.split(), (-2, 2))


QUESTIONS = {
    "squares, sum, newton": ("poly", ["(x**2-y**3)**2+z**2"], {}),
    "expanded square": ("poly", ["x**4-2*x**2*y**3+y**6"], {}),
    "modulus, product": ("poly", ["(x**2-x*y+y**2+y**5)*(z**4-z**2*w+w**2+z**6)"], {}),
    "product of ideals": ("ideal", ["(z**2-w**3)*x**3", "(z**2-w**3)*y*(x+y)"], {}),
    "simplify": ("ideal", ["x*y+x**3", "x*y*(1+x)", "y**4"], {}),
    "positive": ("ideal", ["x+y*z", "x*z-y**2", "z*w+y*w"], {"nonneg": ["x", "y", "z", "w"]}),
    "power": ("poly", ["(x**2-y**2)**4"], {"prior": "x"}),
    "eliminate": ("ideal", ["a*b+(1-a)*c", "a*b**2+(1-a)*c**2"], {}),
    "smooth": ("ideal", ["x+y*z", "y-z**2"], {}),
    "monomial, prior, orthant": (
        "ideal",
        ["x**2", "y**3"],
        {"prior": "x**(-1/2)", "nonneg": ["y"]},
    ),
    "at a point": ("poly", ["((x-1)**2-(y+2)**3)**2"], {"at": {"x": 1, "y": -2}}),
    "crossings": ("poly", ["(x-y)**2*(x+2*y+z**2)**4"], {"prior": "z"}),
    "arrangement": ("ideal", ["(x**2-2*y**2)*(x+y)**2*(1+x)"], {"prior": "y"}),
    "smooth form": ("ideal", ["x**3+y**3+z**3-w**3+x*y*z+x**4"], {}),
    "discriminant": ("ideal", ["w**2*z+w*x*y+w*z**2-x*y*z"], {}),
    "minors": ("ideal", ["a*e+b*d", "a*f+c*d", "b*f-c*e"], {}),
    "polyhedra of factors": ("ideal", ["(x**2-y**3)**2*(y**2-z**3)*(1+x)"], {"prior": "z"}),
    "polyhedra of factors, zeros": ("ideal", ["(x*z-y*w)**4*(x*y-z**2)"], {}),
    "sign change": (
        "ideal",
        ["w**3+w**2*y+2*w*x*z-w*y**2+2*x**2*y"],
        {},
    ),
    "inner": ("ideal", ["(y+y**2)**2-x**3"], {"prior": "y"}),
    "node": ("poly", ["(x**2-y**2*(y+1))**2"], {}),
    "face with edge zeros": ("poly", ["(x*y-z**3)**2"], {}),
    "face with cofactors": ("ideal", ["x**2+x*y+z**2", "y**2+x*z+z**3"], {}),
    "face with signs": ("poly", ["(x**3+y**3+z**3)**2"], {}),
    "face with complex zeros": ("poly", ["x**4+y**4+z**4-x*y*z**2"], {}),
    "polyhedra, zeros": ("ideal", ["3*x**2*z-x*y*z", "-x**3-y*z**2-3*y*z"], {}),
    "polyhedra, empty cells": ("ideal", ["x**2+3*x*y+y**2", "x*z-y**2*z"], {}),
    "nested blow-ups": ("poly", ["((y-x**2)**2-x**5)**2"], {}),
    "enclose, initial, hull": ("ideal", ["(x**2+y**2-2*z**2)**2+z**5", "x*z"], {}),
    "enclose, subideal": (
        "ideal",
        ["(x**2+y**2-2*z**2)*x", "x**2+x*y+y**2+z**2+y*z"],
        {},
    ),
    "open and hull of families": (
        "ideal",
        ["(x**2+y**2-2*z**2)**2+z**5", "x**2+x*y+y**2+z**3"],
        {},
    ),
    "coordinate of a family": (
        "ideal",
        ["(3*y**2-2*y)**2+2*x*z**2", "3*x*y*z**2+2*y**2*z**2"],
        {},
    ),
    "compose": ("ideal", ["(y+x**2+x*y**2)**2+x**7+z**5"], {}),
    "stratify, adjoin, unit": ("ideal", ["(x**2+y**2-3*z**2)**2+x**5"], {}),
    "coordinate, forget": ("ideal", ["3*z**2+2*x**2*y*z", "-y*z+3*x**2*y**2"], {}),
    "monomials": ("ideal", ["-3*z*w-2*x*w**2", "2*y*z*w-x*w"], {}),
    "blowup, fix": ("ideal", ["3*y**2+2*x*z**2", "-y**2*z-3*x*y**2"], {}),
    "stratify, solve": ("ideal", ["-2*x*y*z**2+3*x**2*y**2", "3*y**2-2*x**2*z"], {}),
    "stratify, smooth": ("ideal", ["z**3-2*x**2", "3*x*y-x**2*y**2"], {}),
    "stratify, symmetric": ("ideal", ["x*y**2+y*w**2", "y*x**2+x*w**2", "x**3*y**3*w**3"], {}),
    "stratify, within": ("ideal", ["z**4+y**2-y*w**2", "w*x"], {}),
    "stratify, none": (
        "ideal",
        ["-z**2+2*y*w-3*x*z+x*y+y*z**2*w-3*x*z**2", "-3*z*w+3*y*w-3*x*z-y**2*w-2*x*y*z*w"],
        {},
    ),
    "transverse, sum": ("ideal", ["(x+y)**2-w**3", "(x-y)**2-z**3"], {"prior": "z"}),
    "transverse, product": ("ideal", ["(x+y*z)*((y+x**2)**2-z**3)**2"], {}),
    "linear": ("ideal", ["x**2+x*y+y**2+x*z+2*z**2"], {}),
    "point over Q(√2)": ("poly", ["((x**2-2*y**2)**2+y**5)**2"], {}),
    "point over Q(√2), two generators": ("ideal", ["x**2-2*y**2", "x**3"], {}),
    "fields over fields": ("ideal", ["(y**2-2*x**2)**2-3*x**6", "x**7"], {"prior": "x**8"}),
    "newton, zeros of higher order": ("ideal", ["(x**2-2*y**2)**2*x"], {}),
    "box, factors": ("poly", ["(x*y*(x-1))**2"], {"over": {"x": (-2, 2), "y": (-2, 2)}}),
    "box, points": (
        "poly",
        ["x**2*y**2+y**2*z**2+z**2*x**2-x*y*z**2"],
        {"over": {"x": (0, 1), "y": (-1, 1), "z": (-1, 1)}},
    ),
    "box, enclose": (
        "poly",
        ["((x-1)**2-y**3*(1+z))**2"],
        {"over": {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}},
    ),
    "box, everywhere": (
        "poly",
        ["(x**2-y**2*z)**2"],
        {"over": {"x": (-1, 1), "y": (-1, 1), "z": ("1/2", 1)}, "prior": "x**(-1/2)"},
    ),
    "box, fibre: slide": (
        "ideal",
        ["a*e+b*g-1", "a*f+b*h", "c*e+d*g", "c*f+d*h"],
        {"over": around("a b c d e f g h")},
    ),
    "box, fibre: rotate": (
        "ideal",
        ["a**2+b**2-1", "a*c+b*d", "c**2+d**2"],
        {"over": around("a b c d")},
    ),
    "box, fibre: split-terms": (
        "ideal",
        ["a*b+c*d-1", "a*e+c*f", "e*g+f*h"],
        {"over": dict.fromkeys("abcdefgh", (0, 2))},
    ),
    "box, fibre: subtract, solve": (
        "ideal",
        ["x*y-1", "y*z**2", "x*z*w"],
        {"over": around("w x y z")},
    ),
    "box, fibre: both signs": (
        "ideal",
        ["a**2*b**2+c**2*d**2-1", "a*b*e+c*d*f"],
        {"over": around("a b c d e f")},
    ),
    "box, fibre: cover, change": (
        "ideal",
        ["a*b**2+c*d**2-1", "a*b*e+c*d*f", "a*e**2+c*f**2"],
        {"over": around("a b c d e f")},
    ),
    "box, fibre: fields": (
        "ideal",
        ["a*b**2+c*d**2-1", "a*b*e+c*d*f"],
        {"over": around("a b c d e f")},
    ),
    "independent": ("ideal", ["a*b*r+d*e*u", "a*c*s+d*f*v", "b*c*t+e*f*w"], {}),
    "box, plane": ("poly", ["((x-y)*(x+y-1))**2"], {"over": {"x": (0, 1), "y": (-1, 1)}}),
    "box, isolated points": (
        "ideal",
        ["x**2-2", "y**2-x**2"],
        {"over": {"x": (0, 2), "y": (0, 2)}},
    ),
    "box, positive": (
        "ideal",
        ["x**2*y+x**2*z", "z*(w**2+1)"],
        {"over": {"x": (-1, 2), "y": (0, 1), "z": (0, 1), "w": (1, 2)}, "prior": "x"},
    ),
    "box, separate": (
        "poly",
        ["(x**2-2)**2*y**2+(z-1)**2"],
        {"over": {"x": (0, 2), "y": (-1, 1), "z": (0, 2)}},
    ),
    "box, cells": (
        "poly",
        ["(x**2+y**2-z**2)**2*(x+y+4)**2"],
        {"over": {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}},
    ),
    "box, smooth": (
        "poly",
        ["(x**2+y**2+z**2-1)**2"],
        {"over": {"x": (0, 1), "y": (0, 1), "z": (0, 1)}},
    ),
    "box, product": (
        "poly",
        ["(x**2+y**2-1)**2*(z**2-2)**2"],
        {"over": {"x": (-2, 2), "y": (-2, 2), "z": (0, 2)}},
    ),
    "box, sum of families": (
        "ideal",
        ["x**2+t*y**3", "z**2-t*z**3"],
        {"over": {"x": (0, 1), "y": (0, "1/2"), "z": (0, "1/2"), "t": ("1/2", 1)}},
    ),
    "at an irrational point": ("poly", ["((x**2-2)**2-y**3)**2"], {"at": {"x": "sqrt(2)"}}),
    "at irrational points in space, rational": (
        "ideal",
        ["(x**2-2)**2-y**2*z"],
        {"at": {"x": "-sqrt(2)"}},
    ),
    "linear network": ("linear", [5, 3, 5], {"rank": 1}),
    "linear network with bias": (
        "linear",
        [4, 3, 2, 3],
        {"rank": 1, "bias": True, "input_rank": 3},
    ),
}

#: Families looked at; with more of them these would be exact.
FEW = {
    "enclose, initial, hull": 0,
    "sign change": 0,
    "enclose, subideal": 0,
    "open and hull of families": 10,
}


def enclosed(name):
    """Only points at first, then only a tree, with what was known."""
    _, inputs, options = QUESTIONS[name]
    problem = BoxProblem.of(inputs, options["over"], is_ideal=False)
    limits.MOST_EVERYWHERE_TERMS = limits.MOST_FIBRE_TERMS = limits.MOST_CELL_TERMS = 0
    points = rlct.solve(problem)
    limits.MOST_EVERYWHERE_TERMS = 200
    limits.MOST_BOX_POINTS = limits.MOST_OTHER_POINTS = limits.MOST_FIBRE_POINTS = 0
    limits.MOST_AXES = 0
    return rlct.solve(problem, earlier=points.certificate)


def asked(name):
    kind, inputs, options = QUESTIONS[name]
    names = ("FAMILIES", "DIVISION_CELLS", "EVERYWHERE_TERMS", "FIBRE_TERMS", "CELL_TERMS")
    names += ("BOX_POINTS", "OTHER_POINTS", "FIBRE_POINTS", "AXES")
    kept = {f"MOST_{name}": getattr(limits, f"MOST_{name}") for name in names}
    limits.MOST_FAMILIES = FEW.get(name, limits.MOST_FAMILIES)
    if name == "box, points":
        limits.MOST_EVERYWHERE_TERMS = limits.MOST_FIBRE_TERMS = 0
    if "polyhedra" not in name:
        limits.MOST_DIVISION_CELLS = 0  # else most questions would be answered by it
    try:
        if name == "box, enclose":
            return enclosed(name)
        return getattr(rlct, kind)(inputs[0] if kind == "poly" else inputs, **options)
    finally:
        for name, value in kept.items():
            setattr(limits, name, value)


#: Of each answer, to choose questions that are asked again.
SECONDS = {}


@functools.cache
def answer(name):
    """What is asked once for many tests."""
    began = time.perf_counter()
    found = asked(name)
    SECONDS[name] = time.perf_counter() - began
    return found


def certificate(name):
    """A fresh copy, as read from a file."""
    return json.loads(json.dumps(answer(name).certificate))


def rules_of(node):
    yield node["rule"]
    for child in node.get("children", []):
        yield from rules_of(child)
