"""The rationals of sympy may be Python's or python-flint's: the certificates are the same."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[1] / "certificate"
#: Blow-ups with strata, symmetric ones and number fields, as the large families need them.
MORE = {
    "2×2 · 2×2": ["a*e+b*g", "a*f+b*h", "c*e+d*g", "c*f+d*h"],
    "three factors": ["a*b*c+d*e*c", "a*b*f+d*e*f", "a*g*c", "d*g*f"],
    "two tanh units": ["a*b+c*d", "a*b**3+c*d**3"],
    "Vandermonde": ["a*x+b*y+c*z", "a*x**2+b*y**2+c*z**2", "a*x**3+b*y**3+c*z**3"],
    "hidden": ["(x+2*y/3)**2-(y+z**2)**3", "z*(x-y/5)**2"],
    "minors": ["x*w-y*z", "x**2-y*w", "z**2-x*y/7"],
    "irrational tangents": ["(x**2-2*y**2)**2+y**5/7"],
    "irrational, higher": ["(y**2-2*x**2)**2-3*x**6", "x**7/2"],
    "arrangement": ["x*y*z*(x+y+z)*(x-y/3)"],
    "bounds": ["(x**9-2*y**9)**2+z**19"],
}
OPTIONS = [
    ("poly", "x**4-2*x**2*y**3+y**6", {"prior": "x**(1/2)"}),
    ("ideal", ["(y**2-2*x**2)**2-3*x**6", "x**7/2"], {"prior": "x**8"}),
    ("poly", "((x-1/2)**2-(y+2)**3)**2", {"at": {"x": "1/2", "y": -2}}),
    ("poly", "(x*y*(x-1/3))**2", {"over": {"x": (-2, 2), "y": (-2, 2)}}),
    ("ideal", ["x*y-z**2/3", "x**3"], {"nonneg": ["x"], "prior": "y**(1/3)"}),
]
SCRIPT = f"""
import json, sys
sys.path.insert(0, {str(CORPUS)!r})
from corpus import QUESTIONS, answer
import rlct
from sympy.external.gmpy import GROUND_TYPES

results = {{name: answer(name) for name in QUESTIONS}}
results |= {{name: rlct.ideal(given) for name, given in {MORE!r}.items()}}
results |= {{str(q): getattr(rlct, q[0])(q[1], **q[2]) for q in {OPTIONS!r}}}
for name, result in results.items():
    assert rlct.verify(result.certificate)
    print(json.dumps([name, str(result), result.certificate], sort_keys=True))
for text in ("x**2-y**2", "x**3", "x**2/0", "x**2+1.5*y**2"):
    try:
        print(json.dumps(str(rlct.poly(text))))
    except rlct.InputError as error:
        print(json.dumps(str(error)))
print(GROUND_TYPES)
"""


def answers(ground_types):
    environment = {**os.environ, "SYMPY_GROUND_TYPES": ground_types}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *certificates, used = done.stdout.splitlines()
    assert used == ground_types
    return certificates


@pytest.mark.study
@pytest.mark.skipif(importlib.util.find_spec("flint") is None, reason="python-flint is missing")
def test_the_certificates_do_not_depend_on_the_ground_types():
    ours, theirs = answers("flint"), answers("python")
    assert ours == theirs
    found = [json.loads(line) for line in ours]
    text = "".join(ours)
    assert len(found) >= 50
    # The sample reaches what could differ: strata over divisors, and number fields.
    for word in ('"blowup"', '"stratify"', '"symmetric"', '"minimal"', '"coordinate"'):
        assert word in text
