"""Small documents that would take for ever: each is one that `rlct verify` has to refuse.

Run as a program it reads names, checks each document in a process of its own that has 500 MB,
and prints how it ended.  These processes are forks: to import the checker takes longer than most.
"""

import functools
import itertools
import json
import os
import resource
import sys
import time
from fractions import Fraction

from rlct.certificate.verify import load_text, verify
from rlct.errors import CertificateError, TooLargeError


def step(rule, data=None, children=(), bound=("1/2", 1)):
    """A step; few of them get as far as a comparison of bounds."""
    return {
        "rule": rule,
        "lower": list(bound),
        "upper": list(bound),
        "data": data or {},
        "children": list(children),
    }


END = step("hull", {"weights": [["1"]], "multipliers": [[[1], "1"]]})


PLANE = step(
    "hull", {"weights": [["1", "1"]], "multipliers": [[[1, 0], "1"], [[0, 1], "1"]]}, bound=("1", 1)
)


def document(question, proof):
    """The document of a question and a proof."""
    claim = {"status": "exact", "lambda": "1/2", "theta": 1, "lower": "1/2", "upper": "1/2"}
    return {
        "schema": "rlct/1",
        "kind": "certificate",
        "question": question,
        "claim": claim,
        "proof": proof,
    }


def in_charts(*operations):
    """Operations in a chart of a blow-up, where a coordinate is no zero."""
    chart = step("fix", {"point": [1]}, [step("simplify", {"operations": list(operations)}, [END])])
    by_zeros = {"by": [["1", [0, 0, 1]]], "zeros": {"solve": 2, "units": []}}
    return step("blowup", {"weights": [1, 1, 0]}, [step("stratify", by_zeros, [chart, END]), END])


def local(generators, proof, kind="ideal", **entries):
    """A question about a germ in as many variables as its first exponent has."""
    width = len(generators[0][0][1])
    question = {
        "kind": kind,
        "variables": [f"x{i}" for i in range(width)],
        "generators": generators,
        "prior": ["0"] * width,
        "nonneg": [False] * width,
        "point": ["0"] * width,
        "powers": [1] * width,
    }
    return document({**question, **entries}, proof)


def box(generators, proof, ideal=False, sides=("-1", "1"), **entries):
    """A question over a box."""
    width = len(generators[0][0][1])
    question = {
        "kind": "box",
        "ideal": ideal,
        "variables": [f"x{i}" for i in range(width)],
        "generators": generators,
        "prior": ["0"] * width,
        "sides": [list(sides)] * width,
    }
    return document({**question, **entries}, proof)


def network(widths, rank=0):
    """A linear network."""
    question = {"kind": "linear-network", "widths": widths, "rank": rank, "bias": False}
    proof = {**step("theorem", {"theorem": "deep-linear"})}
    del proof["children"]
    return document({**question, "input_rank": widths[0]}, proof)


def quadratic(inputs, units, outputs, data=None, hidden=(), outer=(), centred=False):
    """A quadratic network."""
    question = {"kind": "quadratic-network", "inputs": inputs, "units": units}
    question |= {"outputs": outputs, "bias": False, "data": data, "centred": centred}
    return document(question, step("generic-rank", {"hidden": hidden, "outer": outer}))


def factors(variables, factors, loadings):
    """Factor analysis."""
    question = {"kind": "factor-analysis", "variables": variables, "factors": factors}
    question["true_factors"] = len(loadings[0])
    return document(question, step("heywood-ranks", {"loadings": loadings}))


def primes(count):
    """The first primes from 100003 on, as denominators without a common factor."""
    found = []
    n = 100003
    while len(found) < count:
        if all(n % d for d in range(3, 400, 2)):
            found.append(n)
        n += 2
    return found


def mono(*exponents, c="1"):
    """One term."""
    return [c, list(exponents)]


BIG = "1" * 300
X, Y = mono(1, 0), mono(0, 1)


def field(degree, digits):
    """A field of a high degree, whose polynomial has long coefficients."""
    minimal = [-int("3" * digits)] + [int("7" * digits)] * (degree - 1) + [1]
    return {"minimal": minimal, "interval": ["0", "1"]}


def fractions_of_primes(width, count):
    """A polynomial in the first variable whose coefficients have no common denominator."""
    return [[f"1/{p}", [k + 1] + [0] * (width - 1)] for k, p in enumerate(primes(count))]


def dense(count, top=0, c="1"):
    """All monomials in x and y below a degree."""
    return [mono(i, j, c=c) for i in range(count) for j in range(count) if i + j > top]


def lines(count):
    """Lines through the origin."""
    return [[mono(0, 1, c=str(k)), mono(1, 0)] for k in range(1, count)]


def affine_lines(count):
    """Lines with a common point outside of most boxes."""
    return [[mono(0, 1, c=str(k)), mono(1, 0), mono(0, 0, c="-1")] for k in range(1, count)]


def dense_rows(degree):
    """A curve with all monomials."""
    powers = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    return [mono(i, j, c=str((7 * i + 3 * j) % 11 - 5 or 1)) for i, j in powers]


def nested(rule, data, depth, end=END):
    """A chain of steps."""
    for _ in range(depth):
        end = step(rule, data, [end])
    return end


def tree_of_cells(depth):
    leaf = {"empty": {}}
    for _ in range(depth):
        leaf = {"compare": 0, "less": {"empty": {}}, "equal": leaf, "more": {"empty": {}}}
    return leaf


def cells(**data):
    return {**step("cells", {"target": ["1/2", 1], **data})}


def cells_of(p, **data):
    """Cells for a polynomial that vanishes in all of them."""
    return box([p], cells(factors=[[p, 1]], **data), sides=("-3/7", "5/11"))


def monomials_of_all(width, count=20):
    """A polynomial of which each term involves all variables."""
    return [
        mono(*[1 + (7 * i + 3 * i * k + k * k) % 5 % 2 for k in range(width - 1)], i + 1, c=c)
        for i, c in zip(range(count), itertools.cycle(["1", "-1"]), strict=False)
    ]


def wide_terms(width, count):
    """Terms in many variables."""
    return [mono(*[1 + int(i == k) + i * k % 2 for k in range(width)]) for i in range(count)]


CUBE = [mono(2, 0, 0), mono(0, 2, 0), mono(0, 0, 2), mono(1, 1, 1, c="-1/7")]
CIRCLE = [mono(2, 0), mono(0, 2), mono(0, 0, c="-1/3")]


def product(p, q):
    """Product of two polynomials with integer coefficients."""
    total = {}
    for c, m in p:
        for e, n in q:
            key = tuple(a + b for a, b in zip(m, n, strict=True))
            total[key] = total.get(key, 0) + int(c) * int(e)
    return [[str(c), list(m)] for m, c in sorted(total.items()) if c]


def axes(count):
    """The variables as generators."""
    return [[mono(*[int(i == k) for k in range(count)])] for i in range(count)]


def of_ideal(p, *operations):
    """Operations on two generators, p and x."""
    return local([p, [mono(1, 0)]], step("simplify", {"operations": list(operations)}, [END]))


def newton(p, weight, multipliers, **data):
    """A proof by the Newton polyhedron of one generator."""
    data = {"weights": [weight], "multipliers": multipliers, **data}
    return local([p], step("newton", data, [END] * len(data.get("points", []))))


def edge(c, degree, middle):
    """An edge from x^degree to y^degree, with one more point on it."""
    p = [mono(0, degree, c="-1"), mono(middle, degree - middle, c=c), mono(degree, 0)]
    return newton(
        p, [f"1/{degree}"] * 2, [[[degree, 0], f"1/{degree}"], [[0, degree], f"1/{degree}"]]
    )


def factor_of_a_box(p):
    """A factor in one variable, squarefree and with roots to be counted."""
    item = {"variable": 0, "exponent": 1, "factor": p}
    return box([p], step("univariate-factors", {"factors": [item]}))


FACE = {
    "weight": [1, 1, 1],
    "basis": [[1, -1, 0], [0, 1, -1]],
    "coordinates": [[0, 0], [1, 2], [2, 1], [3, 3]],
    "cofactors": [],
}

DOCUMENTS = {
    # These took more than 90 seconds or 2 GB.
    "a wide network": lambda: network([10**9] * 3),
    "a deep network": lambda: network([2] * 100_000),
    "a power": lambda: local(
        [[mono(33333, 0), mono(0, 33333)]],
        step("power", {"exponent": 33333, "root": [X, Y]}, [END]),
    ),
    "a shift": lambda: local([[mono(99999, 0), mono(0, 99999)]], END, point=["1/3", "-2/7"]),
    "a field of degree 200": lambda: local(
        [[mono(2, 0)]], END, field=field(200, 300), point=[["0"] * 200, "0"]
    ),
    "a quotient by a long unit": lambda: local(
        [[["-2", [1, 1, 2]], ["3", [2, 2, 0]]], [["3", [0, 2, 0]], ["-2", [2, 0, 1]]]],
        in_charts(
            {"divide": 0, "by": [["-2", [0, 0, 1]]]},
            {"divide": 1, "by": [["3", [0, 0, 10**6]], ["-2", [1, 0, 0]]]},
        ),
    ),
    # Long numbers.
    "a network of long widths": lambda: network([10**400] * 4),
    "a network of many minimisers": lambda: network([1] * 3000),
    "a point with many digits": lambda: local([[mono(3000, 0), Y]], END, point=[BIG, "0"]),
    "an exponent": lambda: local([[mono(10**30, 0)]], END),
    "an exponent of the question": lambda: local(
        [[mono(2, 0), mono(0, 3)]], END, powers=[2 * 10**30 + 1, 1]
    ),
    "a weight of a blow-up": lambda: local(
        [[mono(2, 0), mono(0, 2)]], step("blowup", {"weights": [10**400, 1]}, [END] * 3)
    ),
    "denominators in a product": lambda: of_ideal(
        fractions_of_primes(2, 900),
        {"from": 1, "subtract": 0, "times": fractions_of_primes(2, 900)},
    ),
    "denominators in a sum": lambda: local(
        [[mono(2, 0)]],
        step("squares", {"squares": [[f"1/{p}", [X]] for p in primes(4000)]}, [END]),
        kind="K",
    ),
    "denominators in a shift": lambda: local(
        [fractions_of_primes(2, 1500)], END, point=["1/3", "0"]
    ),
    "denominators of a bound": lambda: local(
        axes(1),
        step(
            "monomial", {"weights": [["1"]], "multipliers": [[[1], f"1/{p}"] for p in primes(9000)]}
        ),
    ),
    "a linear change": lambda: local(
        [[mono(60_000, 0), mono(0, 3)]], step("linear", {"matrix": [["1", BIG], ["0", "1"]]}, [END])
    ),
    "a matrix of fractions": lambda: local(
        axes(90),
        step(
            "linear",
            {
                "matrix": [
                    [f"{(i * j * 37 + i + j * j) % 1009 + 1}/{p}" for j in range(90)]
                    for i, p in enumerate(primes(90))
                ]
            },
            [END],
        ),
    ),
    # High degrees.
    "an eliminated variable": lambda: local(
        [[X, mono(0, 2), mono(0, 1)], [mono(20_000, 1)]],
        step("eliminate", {"generator": 0, "variable": 0}, [END]),
    ),
    "a long edge": lambda: edge("7", 10**14, 5 * 10**13),
    "an edge with many roots": lambda: edge(BIG, 4000, 1999),
    "a factor of 10**9": lambda: factor_of_a_box([mono(10**9), mono(0, c="-2")]),
    "a factor of degree 3000": lambda: factor_of_a_box(
        [mono(3000), mono(1701, c=BIG), mono(0, c="-7")]
    ),
    "a curve of degree 118": lambda: box([dense(60)], step("plane", {"factors": [[dense(60), 1]]})),
    "a curve of degree 10**9": lambda: box(
        [[mono(10**9, 0), mono(0, 10**9, c="-1")]],
        step("plane", {"factors": [[[mono(10**9, 0), mono(0, 10**9, c="-1")], 1]]}),
    ),
    "a curve with many points": lambda: box(
        [[mono(24, 1), mono(1, 24), mono(0, 0, c="-1/9"), mono(7, 7, c="3")]],
        step(
            "plane",
            {"factors": [[[mono(24, 1), mono(1, 24), mono(0, 0, c="-1/9"), mono(7, 7, c="3")], 1]]},
        ),
    ),
    "a chart": lambda: newton(
        [mono(0, 2), mono(1, 1, c="-2"), mono(2, 0), mono(3, 3)],
        ["1/2", "1/2"],
        [[[2, 0], "1/2"], [[0, 2], "1/2"]],
        points=[{"chart": [[1, 1], [10**9, 10**9 + 1]], "root": "1"}],
    ),
    "derivatives of a face": lambda: newton(
        [mono(0, 0, 3), mono(0, 3, 0), mono(1, 1, 1, c="-1"), mono(3, 0, 0)],
        ["1/3"] * 3,
        [[[3, 0, 0], "1/3"], [[0, 3, 0], "1/3"], [[0, 0, 3], "1/3"]],
        faces=[{**FACE, "coordinates": [[0, 0], [0, 3], [1, 2], [3, 3]], "order": 10**9}],
    ),
    # Many of something.
    "many charts": lambda: local(axes(600), step("blowup", {"weights": [1] * 600}, [END] * 600)),
    # All are corners: they lie on a sphere.
    "many corners of a polyhedron": lambda: newton(
        [mono(*a, c=str((-1) ** a[0])) for a in itertools.permutations((0, 1, 3, 5, 9))],
        ["1/18"] * 5,
        [[[(0, 1, 3, 5, 9)[i - k] for i in range(5)], "1/18"] for k in range(5)],
    ),
    "many products": lambda: local(
        [dense(40)],
        step(
            "transverse",
            {
                "way": "product",
                "parts": [{"generators": [dense(40)] * n, "steps": []} for n in [30] + [1] * 30],
            },
            [],
        ),
    ),
    "many operations": lambda: of_ideal(
        dense(40), *[{"from": 0, "subtract": 1, "times": [mono(0, 0)]}] * 30_000
    ),
    "a growing generator": lambda: of_ideal(
        dense(30),
        *[{"from": 1, "subtract": 0, "times": dense(30)}] * 2,
        *[{"from": 0, "subtract": 1, "times": dense(30)}] * 2,
    ),
    "many kept generators": lambda: local(
        [dense(60)], step("subideal", {"kept": [0] * 200_000}, [END])
    ),
    "many monomials": lambda: local(
        [[mono(k, 20_000 - k)] for k in range(20_000)], step("positive", children=[END])
    ),
    "many steps": lambda: local(
        [dense(60), [X]],
        nested("simplify", {"operations": []}, 150, step("enclose", {}, [PLANE] * 4000)),
    ),
    "many symmetries": lambda: local(
        axes(60),
        step("blowup", {"weights": [1] * 60, "symmetries": [list(range(60))] * 6_000}, [END]),
    ),
    "many subsets": lambda: local(
        [
            [
                mono(*[int(j == 2 * i) for j in range(32)]),
                mono(*[int(j == 2 * i + 1) for j in range(32)], c="-1"),
            ]
            for i in range(16)
        ],
        step("polyhedra", {"tree": subsets_of(16)}),
    ),
    "a deep tree of cells": lambda: local(
        [[mono(k, 3000 - k) for k in range(3000)]], step("polyhedra", {"tree": tree_of_cells(190)})
    ),
    "small cells": lambda: box(
        [CUBE], cells(factors=[[CUBE, 1]], points=[]), sides=("-1/" + BIG, "1/7")
    ),
    "cells of a high degree": lambda: box(
        [[mono(3000, 1, 1), mono(1, 2999, 1), mono(1, 1, 3000), mono(0, 0, 0, c="-1/99")]],
        cells(
            factors=[
                [
                    [
                        mono(3000, 1, 1),
                        mono(1, 2999, 1),
                        mono(1, 1, 3000),
                        mono(0, 0, 0, c="-1/99"),
                    ],
                    1,
                ]
            ]
        ),
    ),
    "cells in 9 variables": lambda: cells_of(
        [mono(*[1 + int(i == k) for k in range(9)], c=str((-1) ** i)) for i in range(10)]
    ),
    "cells in 40 variables": lambda: cells_of(monomials_of_all(40)),
    "cells in 150 variables": lambda: cells_of(monomials_of_all(150)),
    "cells of an ideal": lambda: box(
        [[mono(*[2 * int(i == j) for j in range(8)]), mono(*[1] * 8, c="-1")] for i in range(8)],
        cells(target=["2", 1]),
        ideal=True,
        sides=("-3/7", "5/11"),
    ),
    "cells of many lines": lambda: box(
        [functools.reduce(product, affine_lines(30))],
        cells(factors=[[p, 1] for p in affine_lines(30)], target=["1/3", 1]),
        sides=("-3/7", "5/11"),
    ),
    "a curve of degree 10": lambda: box(
        [dense_rows(10)], step("plane", {"factors": [[dense_rows(10), 1]]})
    ),
    # Wide terms in steps that say nothing.
    "a wide box": lambda: box(
        [wide_terms(600, 500)], nested("sum", {"groups": [list(range(600))]}, 150), ideal=True
    ),
    "a wide sum": lambda: local(
        [wide_terms(600, 500)], nested("sum", {"groups": [list(range(600))]}, 150)
    ),
    "a wide family": lambda: box(
        [wide_terms(600, 500)], step("everywhere", {"walls": [""] * 600}, [END])
    ),
    "wide points": lambda: box(
        [wide_terms(600, 500)],
        step("points", {"points": [{"at": ["0"] * 600}]}, [END]),
        prior=["-1/2"] * 600,
    ),
    "many weights": lambda: local(
        [[mono(k) for k in range(1, 20_000)]],
        step("hull", {"weights": [["1"]] * 200_000, "multipliers": [[[1], "1"]]}),
    ),
    "many factors of a curve": lambda: box(
        [functools.reduce(product, lines(60))],
        step("plane", {"factors": [[p, 1] for p in lines(60)]}),
    ),
    "large rows of data": lambda: quadratic(
        40,
        1,
        1,
        [[str(Fraction((i * j + i * i) % 97 + 1, 1 + j)) for j in range(40)] for i in range(900)],
        [[1] * 40],
        [[1]],
    ),
    "pairs modulo P": lambda: quadratic(2000, 1, 1, 1000),
    "many units": lambda: quadratic(2, 10**9, 1),
    "many inputs": lambda: quadratic(500, 50, 4, None, [[1] * 500] * 50, [[1] * 50] * 4),
    "an elimination": lambda: quadratic(
        24,
        20,
        12,
        None,
        [[(i * i + 7 * j * j * i + j) % 101 for j in range(24)] for i in range(20)],
        [[(3 * i * j + j * j) % 97 for j in range(20)] for i in range(12)],
    ),
    # Long texts.
    "a long name": lambda: local([[mono(1)]], END, variables=["x" * (3 * 2**20)]),
    "many empty lists": lambda: local([[mono(1)]], step("hull", {"weights": [[]] * 520_000})),
    "many objects": lambda: local([[mono(1)]], step("hull", {"weights": [{}] * 520_000})),
    "many levels": lambda: local([[mono(1)]], nested("power", {"exponent": 2, "root": [X]}, 300)),
}


def subsets_of(count):
    """A tree with one cell where all generators may vanish, and cells where one is a unit."""
    numbers = [[i, "1"] for i in range(count)]
    tree = {"cases": [{"zeros": list(range(count)), "generators": numbers}]}
    for i in reversed(range(count)):
        alone = {"cases": [{"zeros": [], "generators": [[i, "1"]]}]}
        tree = {"compare": i, "less": alone, "equal": tree, "more": alone}
    return tree


def main(name):
    """Check a document in 500 MB; print the seconds of CPU and what was said."""
    text = json.dumps(DOCUMENTS[name]())
    before = time.process_time()
    resource.setrlimit(resource.RLIMIT_AS, (500 * 2**20, 500 * 2**20))
    resource.setrlimit(resource.RLIMIT_CPU, (int(before) + 6, int(before) + 6))
    try:
        verify(load_text(text))
        ended = "valid"
    except TooLargeError as error:
        ended = f"too large: {error}"
    except CertificateError as error:
        ended = f"refused: {error}"
    print(f"{time.process_time() - before:.2f} s of CPU, {len(text)} characters, {ended}")


def serve():
    """Answer each name with one line, also if its process dies."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            main(line.strip())
            sys.stdout.flush()
            os._exit(0)
        if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            print(f"died with {code}", flush=True)


if __name__ == "__main__":
    serve()
