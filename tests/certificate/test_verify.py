"""The checker on its own: independence, determinism, and false proofs made by hand."""

import ast
import copy
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import corpus
import pytest

import rlct
from rlct.certificate.numbers import linear, univariate
from rlct.certificate.torus import faces
from rlct.errors import CertificateError, InputError

pytestmark = pytest.mark.light

PACKAGE = Path(rlct.__file__).parent
CHECKER = PACKAGE / "certificate"


def run_python(code, *, seed="0", stdin=None):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        check=True,
        timeout=300,
    )
    return done.stdout


# Independence


@pytest.mark.slow
def test_verify_loads_nothing_but_itself():
    certificates = [corpus.certificate(name) for name in corpus.QUESTIONS]
    code = (
        "import json, sys\n"
        "import rlct\n"
        "for certificate in json.load(sys.stdin): rlct.verify(certificate)\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    modules = json.loads(run_python(code, stdin=json.dumps(certificates)))
    banned = ("engine", "newton", "theorems", "models", "sampling", "problem", "parse")
    for name in modules:
        top, _, rest = name.partition(".")
        assert top not in {"sympy", "numpy", "scipy", "networkx", "flint", "mpmath"}, name
        assert top != "rlct" or not rest.startswith(banned), name
    assert "rlct.certificate.verify" in modules


def test_the_sources_of_the_checker_import_only_each_other():
    allowed = {"rlct.certificate", "rlct.errors", "rlct.pair"}
    for path in sorted(CHECKER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            for name in names:
                if name.split(".")[0] in sys.stdlib_module_names:
                    continue
                assert any(name == a or name.startswith(f"{a}.") for a in allowed), (path, name)


@pytest.mark.study
def test_certificates_are_deterministic():
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]) if len(sys.argv) > 1 else None\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import corpus\n"
        "names = list(corpus.QUESTIONS)\n"
        "print(json.dumps([corpus.answer(n).certificate for n in names]))"
    )
    here = json.dumps([corpus.answer(name).certificate for name in corpus.QUESTIONS])
    other = "4242" if os.environ.get("PYTHONHASHSEED") != "4242" else "1"
    assert here == run_python(code, seed=other).strip()


@pytest.mark.slow
@pytest.mark.parametrize("name", corpus.QUESTIONS)
def test_a_certificate_survives_json_and_equals_the_answer(name):
    result = corpus.answer(name)
    document = json.loads(json.dumps(result.certificate))
    assert document == result.certificate
    assert rlct.verify(document)
    assert rlct.verify(json.dumps(document))
    answer = result.to_dict()
    for key, value in document["claim"].items():
        assert answer[key] == value


def test_files(tmp_path):
    path = tmp_path / "c.json"
    path.write_text(json.dumps(corpus.certificate("power")), encoding="utf-8")
    assert rlct.verify(path)
    assert rlct.verify(str(path))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}x",
        '{"a": ' + "9" * 5000 + "}",
        "no/such/file",
        "a\0b",
        "",
        "[" * 100_000,
        '{"a": ' * 5000,
    ],
    ids=lambda text: text[:8],
)
def test_what_is_no_json_object_is_bad_input(text):
    with pytest.raises(InputError):
        rlct.verify(text)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"schema": "rlct/1"},
        {"schema": "rlct/2", "kind": "certificate", "question": {}, "claim": {}, "proof": {}},
        {"schema": "rlct/1", "kind": "certificate", "question": [], "claim": {}, "proof": {}},
        {"schema": "rlct/1", "kind": "certificate", "question": {"kind": "?"}, "proof": {}},
    ],
)
def test_other_objects_are_no_certificates(document):
    with pytest.raises(CertificateError):
        rlct.verify(document)


# False proofs


def poly(text, variables):
    """Terms of a polynomial, as in certificates."""
    import sympy

    terms = sympy.Poly(sympy.sympify(text), *sympy.symbols(variables)).terms()
    return sorted(([str(c), list(m)] for m, c in terms), key=lambda term: term[1])


def document(
    generators, variables, proof, kind="ideal", prior=None, nonneg=None, claim=None, powers=None
):
    width = len(variables)
    question = {
        "kind": kind,
        "variables": variables,
        "generators": [poly(g, variables) for g in generators],
        "prior": prior or ["0"] * width,
        "nonneg": nonneg or [False] * width,
        "point": ["0"] * width,
        "powers": powers or [2 if wall else 1 for wall in nonneg or [False] * width],
    }
    (low, low_theta), upper = proof["lower"], proof["upper"]
    exact = proof["lower"] == upper
    known = upper is not None and upper[0] == low
    claim = claim or {
        "status": "exact" if exact else "bounds",
        "lambda": low if known else None,
        "theta": low_theta if exact else None,
        "lower": low,
        "upper": None if upper is None else upper[0],
    }
    return {
        "schema": "rlct/1",
        "kind": "certificate",
        "question": question,
        "claim": claim,
        "proof": proof,
    }


def node(rule, lam, theta=1, data=None, children=(), **bounds):
    result = {"rule": rule, "lower": [lam, theta], "upper": [lam, theta], **bounds}
    if data is not None:
        result["data"] = data
    if children:
        result["children"] = list(children)
    return result


def programme(weights, multipliers, **more):
    return {"weights": weights, "multipliers": multipliers, **more}


PLANE = programme([["1/2", "1/2"]], [[[2, 0], "1/2"], [[0, 2], "1/2"]])


def test_the_helpers_make_true_proofs():
    """A checker that refuses everything would pass the tests below."""
    smooth = document(["x+y**2"], ["x", "y"], node("smooth", "1/2"))
    assert rlct.verify(smooth)
    hull = node("newton", "1/2", data=PLANE)
    assert rlct.verify(document(["x**2+x*y+y**2"], ["x", "y"], hull))
    wall = document(["x"], ["x"], node("monomial", "1/2", data=programme([["1"]], [[[2], "1/2"]])))
    assert not accepts(wall)
    one = programme([["1/2"]], [[[2], "1/2"]])
    assert not accepts(document(["x"], ["x"], node("monomial", "1/4", data=one), nonneg=[True]))
    two = programme([["1/2"]], [[[2], "1"]])
    assert rlct.verify(document(["x"], ["x"], node("monomial", "1/2", data=two), nonneg=[True]))


def accepts(forged):
    try:
        return rlct.verify(forged)
    except CertificateError:
        return False


UNIT = [["1", [0, 0]], ["1", [0, 1]]]
X = [["1", [1, 0]]]
Y = [["1", [0, 1]]]
LINE = programme([["1", "0"]], [[[1, 0], "1"]])
CROSS = programme([["1", "0"], ["0", "1"]], [[[1, 1], "1"]])
NOT_CENTRAL = programme([["1/2", "1/4"]], [[[2, 0], "1/2"], [[0, 4], "1/4"]])

FALSE = {
    # (x+y)²: the polyhedron says 1, its edge has a singular real zero.
    "singular zero on an edge": document(
        ["(x+y)**2"],
        ["x", "y"],
        node("newton", "1/2", data={**PLANE, "faces": [{"weight": [1, 1], "rank": 1}]}),
    ),
    "the classic error: no 1/2 for smooth zeros": document(
        ["x*y-z**3"],
        ["x", "y", "z"],
        node(
            "newton",
            "2/3",
            2,
            data=programme(
                [["1", "0", "1/3"], ["0", "1", "1/3"]], [[[1, 1, 0], "1"], [[0, 0, 3], "1/3"]]
            ),
        ),
    ),
    # (x + yz)² + y⁴: the polyhedron says 1, no facet has a positive normal, and the truth is 3/4.
    "degenerate face that no facet shows": document(
        ["x+y*z", "y**2"],
        ["x", "y", "z"],
        node(
            "newton",
            "1",
            2,
            data=programme(
                [["1", "1/2", "1/2"], ["1", "1", "0"]], [[[1, 0, 0], "1"], [[0, 1, 1], "1"]]
            ),
        ),
    ),
    "theta too big": document(
        ["x"],
        ["x", "y"],
        node("monomial", "1/2", 2, data=programme([["1", "0"], ["1", "0"]], [[[1, 0], "1"]])),
    ),
    "theta too small": document(
        ["x*y"],
        ["x", "y"],
        node("monomial", "1/2", data=programme([["1", "0"]], [[[1, 1], "1"]])),
    ),
    "theta too small, at the middle": document(
        ["x*y"],
        ["x", "y"],
        node("monomial", "1/2", data=programme([["1/2", "1/2"]], [[[1, 1], "1"]])),
    ),
    "weights that depend on each other": document(
        ["x*y"],
        ["x", "y"],
        node(
            "monomial",
            "1/2",
            3,
            data=programme([["1", "0"], ["0", "1"], ["1/2", "1/2"]], [[[1, 1], "1"]]),
        ),
    ),
    "infeasible weight": document(
        ["x", "y"],
        ["x", "y"],
        node("monomial", "1/2", data=programme([["1", "0"]], [[[1, 0], "1"]])),
    ),
    "infeasible multipliers": document(
        ["x"], ["x", "y"], node("monomial", "1", data=programme([["2", "0"]], [[[1, 0], "2"]]))
    ),
    "negative multiplier": document(
        ["x", "y"],
        ["x", "y"],
        node("monomial", "0", data=programme([["1", "1"]], [[[1, 0], "1"], [[0, 1], "-1"]])),
    ),
    "exponent of no generator": document(
        ["x**2"], ["x", "y"], node("monomial", "1/2", data=programme([["1", "0"]], [[[1, 0], "1"]]))
    ),
    "floating exponent that rounds": document(
        ["x"],
        ["x"],
        node(
            "monomial",
            str(Fraction(1, 2) + Fraction(1, 2 * 10**30)),
            data=programme(
                [[str(1 + Fraction(1, 10**30))]], [[[1.0], str(1 + Fraction(1, 10**30))]]
            ),
        ),
    ),
    "two terms as a monomial": document(
        ["x**2+y**2"], ["x", "y"], node("monomial", "1/2", data=PLANE)
    ),
    "division by a non-unit": document(
        ["x*y"],
        ["x", "y"],
        node(
            "simplify",
            "1/2",
            data={"operations": [{"divide": 0, "by": Y}]},
            children=[node("monomial", "1/2", data=LINE)],
        ),
    ),
    "division with a remainder": document(
        ["x+y**2"],
        ["x", "y"],
        node(
            "simplify",
            "1/2",
            data={"operations": [{"divide": 0, "by": UNIT}]},
            children=[node("smooth", "1/2")],
        ),
    ),
    "a generator subtracted from itself": document(
        ["x", "y"],
        ["x", "y"],
        node(
            "simplify",
            "1/2",
            data={"operations": [{"subtract": 0, "times": [["1", [0, 0]]], "from": 0}]},
            children=[node("smooth", "1/2")],
        ),
    ),
    "a generator subtracted from itself, counted from the end": document(
        ["x", "y"],
        ["x", "y"],
        node(
            "simplify",
            "1/2",
            data={"operations": [{"subtract": -2, "times": [["1", [0, 0]]], "from": 0}]},
            children=[node("smooth", "1/2")],
        ),
    ),
    "overlapping groups": document(
        ["x", "x*y"],
        ["x", "y"],
        node(
            "sum",
            "1",
            2,
            data={"groups": [[0], [0, 1]]},
            children=[
                node("smooth", "1/2"),
                node("monomial", "1/2", 2, data=CROSS),
            ],
        ),
    ),
    "a generator across the groups": document(
        ["x+y", "x-2*y"],
        ["x", "y"],
        node(
            "sum",
            "1",
            data={"groups": [[0], [1]]},
            children=[node("smooth", "1/2"), node("smooth", "1/2")],
        ),
    ),
    "product of factors that share a variable": document(
        ["x**2*y"],
        ["x", "y"],
        node(
            "product",
            "1/2",
            3,
            data={"factor": X, "groups": [[0], [0, 1]]},
            children=[node("smooth", "1/2"), node("monomial", "1/2", 2, data=CROSS)],
        ),
    ),
    "product with a vanishing unit": document(
        ["x**2*y**2"],
        ["x", "y"],
        node(
            "product",
            "1/2",
            data={
                "groups": [[0]],
                "factors": [[["1", [2, 0]]]],
                "unit": [["1", [0, 2]]],
            },
            children=[
                node(
                    "squares",
                    "1/2",
                    data={"squares": [["1", [["1", [1]]]]]},
                    children=[node("smooth", "1/2")],
                )
            ],
        ),
        kind="K",
    ),
    "elimination of a variable with a prior": document(
        ["x"],
        ["x", "y"],
        node("eliminate", "1/2", data={"generator": 0, "variable": 0}),
        prior=["1", "0"],
    ),
    "elimination with a vanishing coefficient": document(
        ["x*y"], ["x", "y"], node("eliminate", "1/2", data={"generator": 0, "variable": 0})
    ),
    "elimination of a square": document(
        ["x+x**2"], ["x", "y"], node("eliminate", "1/2", data={"generator": 0, "variable": 0})
    ),
    "elimination counted from the end": document(
        ["x", "y"], ["x", "y"], node("eliminate", "1/2", data={"generator": -1, "variable": 0})
    ),
    "elimination that forgets the rest": document(
        ["x", "y"], ["x", "y"], node("eliminate", "1/2", data={"generator": 0, "variable": 0})
    ),
    "enclosure by nothing": document(["x"], ["x", "y"], node("enclose", "1/2")),
    "fewer generators as an upper bound": document(
        ["x", "y"],
        ["x", "y"],
        node("subideal", "1/2", data={"kept": [0]}, children=[node("smooth", "1/2")]),
    ),
    "no generator kept": document(
        ["x", "y"],
        ["x", "y"],
        node("subideal", "1", data={"kept": []}, children=[node("smooth", "1")]),
    ),
    "smooth with a prior on the coordinate": document(
        ["x+y"], ["x", "y"], node("smooth", "1/2"), prior=["1", "1"]
    ),
    "smooth with dependent differentials": document(
        ["x+y", "x+y+x**2"], ["x", "y"], node("smooth", "1")
    ),
    "a power that is none": document(
        ["x**2+y**3"],
        ["x", "y"],
        node(
            "power",
            "1/4",
            data={"exponent": 2, "root": X},
            children=[node("smooth", "1/2")],
        ),
    ),
    "a first power": document(
        ["x"],
        ["x", "y"],
        node("power", "1/2", data={"exponent": 1, "root": X}, children=[node("smooth", "1/2")]),
    ),
    "squares with a negative coefficient": document(
        ["x**2-y**2"],
        ["x", "y"],
        node(
            "squares",
            "1",
            data={"squares": [["1", X], ["-1", Y]]},
            children=[node("smooth", "1")],
        ),
        kind="K",
    ),
    "squares of another K": document(
        ["x**2+2*y**2+x*y"],
        ["x", "y"],
        node(
            "squares",
            "1",
            data={"squares": [["1", X], ["2", Y]]},
            children=[node("smooth", "1")],
        ),
        kind="K",
    ),
    "squares of an ideal": document(
        ["x**2"],
        ["x", "y"],
        node("squares", "1/2", data={"squares": [["1", X]]}, children=[node("smooth", "1/2")]),
    ),
    "modulus of an ideal": document(
        ["x"], ["x", "y"], node("modulus", "1", children=[node("smooth", "1/2")])
    ),
    "a unit as a factor of a crossing": document(
        ["y*(1+x)**5"],
        ["x", "y"],
        node(
            "crossings",
            "1/10",
            data={
                "unit": [["1", [0, 0]]],
                "factors": [[Y, 1], [[["1", [0, 0]], ["1", [1, 0]]], 5]],
            },
        ),
    ),
    "a crossing of three lines": document(
        ["x*y*(x+y)"],
        ["x", "y"],
        node(
            "crossings",
            "1/2",
            3,
            data={
                "unit": [["1", [0, 0]]],
                "factors": [[X, 1], [Y, 1], [[["1", [0, 1]], ["1", [1, 0]]], 1]],
            },
        ),
    ),
    "a crossing of tangent curves": document(
        ["x*(x+y**2)"],
        ["x", "y"],
        node(
            "crossings",
            "1/2",
            2,
            data={
                "unit": [["1", [0, 0]]],
                "factors": [[X, 1], [[["1", [0, 2]], ["1", [1, 0]]], 1]],
            },
        ),
    ),
    "a crossing with a prior along another line": document(
        ["x+y"],
        ["x", "y"],
        node(
            "crossings",
            "1/2",
            data={"unit": [["1", [0, 0]]], "factors": [[[["1", [0, 1]], ["1", [1, 0]]], 1]]},
        ),
        prior=["1", "1"],
    ),
    "a square as a factor of a crossing": document(
        ["x**2"],
        ["x", "y"],
        node("crossings", "1/2", data={"unit": [["1", [0, 0]]], "factors": [[[["1", [2, 0]]], 1]]}),
    ),
    "a constant factor of a crossing": document(
        ["2*x"],
        ["x", "y"],
        node(
            "crossings",
            "1/2",
            2,
            data={"unit": [["1", [0, 0]]], "factors": [[X, 1], [[["2", [0, 0]]], 1]]},
        ),
    ),
    "a crossing with a vanishing unit": document(
        ["x*y"], ["x", "y"], node("crossings", "1/2", data={"unit": X, "factors": [[Y, 1]]})
    ),
    "a blow-up that leaves out a point": document(
        ["(y-x**2)**2-x**5"],
        ["x", "y"],
        node(
            "newton",
            "3/8",
            data=programme([["1/4", "1/2"]], [[[4, 0], "1/4"], [[0, 2], "1/2"]], points=[]),
        ),
    ),
    "a blow-up at another point": document(
        ["(x**2-y**3)**2"],
        ["x", "y"],
        node(
            "newton",
            "5/24",
            data=programme(
                [["1/4", "1/6"]],
                [[[4, 0], "1/4"], [[0, 6], "1/6"]],
                points=[{"chart": [[3, 2], [1, 1]], "root": "2"}],
            ),
            children=[
                node(
                    "monomial",
                    "5/24",
                    data=programme([["5/24", "0"]], [[[12, 0], "5/12"]]),
                )
            ],
        ),
    ),
    "a chart of determinant two": document(
        ["x**2-y**2"],
        ["x", "y"],
        node(
            "newton",
            "1/2",
            data={**PLANE, "points": [{"chart": [[1, 1], [0, 2]], "root": "1"}]},
            children=[node("smooth", "1/2")],
        ),
    ),
    "a wall forgotten": document(["x"], ["x"], node("smooth", "1/2"), nonneg=[True], powers=[1]),
    "a wall invented": document(
        ["x"],
        ["x"],
        node("monomial", "1/2", data=programme([["1"]], [[[2], "1"]])),
        nonneg=[False],
        powers=[2],
    ),
    "a prior that is not integrable": document(
        ["x"], ["x"], node("smooth", "1/2"), prior=["-1"], powers=[3]
    ),
    "K without a zero": document(["1+x"], ["x"], node("smooth", "1/2")),
    "zero": document(["0"], ["x"], node("smooth", "1/2")),
    "unknown rule": document(["x"], ["x"], node("trust-me", "1/2")),
    "negative lambda": document(["x"], ["x"], node("smooth", "-1/2")),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_proofs_are_refused(name):
    with pytest.raises(CertificateError):
        rlct.verify(FALSE[name])


def test_a_claim_is_not_stronger_than_its_proof():
    bounds = corpus.certificate("enclose, initial, hull")
    assert bounds["claim"]["status"] == "bounds"
    for lam in (bounds["claim"]["lower"], bounds["claim"]["upper"]):
        claim = {"status": "exact", "lambda": lam, "theta": 1, "lower": lam, "upper": lam}
        assert not accepts({**bounds, "claim": claim})
    assert not accepts({**bounds, "claim": {**bounds["claim"], "theta": 1}})
    exact = corpus.certificate("power")
    assert not accepts({**exact, "claim": {**exact["claim"], "note": "true"}})
    weaker = {**exact["claim"], "status": "bounds", "lambda": None, "theta": None}
    assert not accepts({**exact, "claim": weaker})


def test_a_missing_face_is_noticed():
    original = corpus.certificate("face with cofactors")
    node_ = original["proof"]
    while "faces" not in node_.get("data", {}):
        node_ = node_["children"][0]
    needed = [k for k, f in enumerate(node_["data"]["faces"]) if "cofactors" in f]
    assert needed
    for k in needed:
        forged = copy.deepcopy(original)
        target = forged["proof"]
        while "faces" not in target.get("data", {}):
            target = target["children"][0]
        del target["data"]["faces"][k]
        with pytest.raises(CertificateError, match="nothing is said about the face"):
            rlct.verify(forged)


def test_a_smooth_zero_needs_a_point_for_the_upper_bound():
    original = corpus.certificate("face with signs")
    forged = copy.deepcopy(original)
    signs = forged["proof"]["children"][0]["data"]["faces"]
    faces_with_signs = [f for f in signs if "signs" in f]
    assert faces_with_signs
    for face in faces_with_signs:
        one, two = face["signs"]
        face["signs"] = [one, one]
        assert not accepts(forged)
        face["signs"] = [
            [v if v[0] != "-" else v[1:] for v in one],
            ["-" + v.lstrip("-") for v in two],
        ]
        assert not accepts(forged)
        face["signs"] = [["0"] * len(one), two]
        assert not accepts(forged)


def test_giant_exponents_do_not_hang():
    giant = 10**9
    root = [["1", [0, 1]], ["1", [1, 0]]]
    one = [["1", [0, 0]]]
    for proof in (
        node(
            "power", "1/2", data={"exponent": giant, "root": root}, children=[node("smooth", "1")]
        ),
        node("crossings", "1/2", data={"unit": one, "factors": [[root, giant]]}),
        node(
            "newton",
            "1/2",
            data={**PLANE, "points": [{"chart": [[giant, 1], [giant - 1, 1]], "root": "-1"}]},
            children=[node("smooth", "1/2")],
        ),
    ):
        assert not accepts(document(["x**2+2*x*y+y**2"], ["x", "y"], proof))
    box = corpus.certificate("box, factors")
    box["proof"]["data"]["factors"][0]["exponent"] = giant
    assert not accepts(box)


def test_large_documents_do_not_hang_or_crash():
    deep = node("smooth", "1/2")
    for _ in range(5000):
        deep = node("power", "1/2", data={"exponent": 2, "root": X}, children=[deep])
    forged = document(["x"], ["x", "y"], node("smooth", "1/2"))
    forged["proof"] = deep
    assert not accepts(forged)
    huge = document(["x"], ["x", "y"], node("smooth", "1/2"))
    for text in ("1e1000000000", "1" * 5000, "1/0", "0x1", "١", "1_0", "nan", "inf", " 1"):
        huge["question"]["prior"] = [text, "0"]
        assert not accepts(huge)


# The parts


def test_faces_of_the_checker_are_complete():
    """Random weights against the list, in three variables."""
    import random

    rng = random.Random(5)
    for _ in range(20):
        points = {tuple(rng.randint(0, 5) for _ in range(3)) for _ in range(6)} - {(0, 0, 0)}
        listed = {frozenset(face) for face in faces.list_compact_faces(sorted(points), set())}
        for _ in range(300):
            w = [rng.randint(1, 6) for _ in range(3)]
            least = min(sum(a * b for a, b in zip(w, p, strict=True)) for p in points)
            face = frozenset(
                p for p in points if sum(a * b for a, b in zip(w, p, strict=True)) == least
            )
            assert len(face) == 1 or face in listed, (points, w)


def test_real_roots_of_the_checker():
    import random

    import sympy

    rng = random.Random(6)
    x = sympy.Symbol("x")
    for _ in range(150):
        roots = [Fraction(rng.randint(-3, 3), rng.randint(1, 2)) for _ in range(rng.randint(0, 3))]
        p = sympy.prod([x - sympy.Rational(r.numerator, r.denominator) for r in roots])
        p = sympy.Poly(p * (x**2 + rng.randint(1, 3)) ** rng.randint(0, 2), x)
        dense = [Fraction(int(c.p), int(c.q)) for c in reversed(p.all_coeffs())]
        assert univariate.count_nonzero_real_roots(dense) == len(set(roots) - {0})
        low, high = sorted(Fraction(rng.randint(-6, 6), 2) for _ in range(2))
        if low < high:
            expected = any(low <= r <= high for r in roots)
            assert univariate.has_root_between(dense, low, high) is expected, (roots, low, high)


def test_feasibility_of_the_checker():
    import random

    rng = random.Random(8)
    for _ in range(200):
        rows = [[rng.randint(-2, 2) for _ in range(3)] for _ in range(4)]
        zero, positive = rows[:1], rows[1:]
        found = linear.feasible_weight(zero, positive, 3)
        if found is not None:
            assert min(found) > 0
            assert all(sum(a * b for a, b in zip(r, found, strict=True)) == 0 for r in zero)
            assert all(sum(a * b for a, b in zip(r, found, strict=True)) > 0 for r in positive)
            continue
        grid = [[i, j, k] for i in range(1, 9) for j in range(1, 9) for k in range(1, 9)]
        for w in grid:
            fits = all(sum(a * b for a, b in zip(r, w, strict=True)) == 0 for r in zero) and all(
                sum(a * b for a, b in zip(r, w, strict=True)) > 0 for r in positive
            )
            assert not fits, (rows, w)


def test_ranks_of_the_checker():
    assert linear.matrix_rank([[1, 2], [2, 4]]) == 1
    assert linear.matrix_rank([]) == 0
    assert linear.matrix_rank([[Fraction(1, 3), 0], [0, Fraction(1, 10**30)]]) == 2
