"""The rationals of sympy may be Python's or python-flint's: the certificates are the same."""

import importlib.util
import os
import subprocess
import sys

import pytest

SCRIPT = """
import json
import rlct
from sympy.external.gmpy import GROUND_TYPES
questions = [
    rlct.poly("(x**2-y**3)**2 + z**2/3"),
    rlct.poly("((x**2-2*y**2)**2+y**5/7)**2"),
    rlct.poly("x**4-2*x**2*y**3+y**6", prior="x**(1/2)"),
    rlct.ideal(["a*b+(1-a)*c", "a*b**2+(1-a)*c**2"]),
    rlct.ideal(["(y**2-2*x**2)**2-3*x**6", "x**7/2"], prior="x**8"),
    rlct.poly("((x-1/2)**2-(y+2)**3)**2", at={"x": "1/2", "y": -2}),
    rlct.poly("(x*y*(x-1/3))**2", over={"x": (-2, 2), "y": (-2, 2)}),
    rlct.ideal(["(x+y)**2+z**3", "z*(x+y)", "x**4"]),
]
for result in questions:
    assert rlct.verify(result.certificate)
    print(json.dumps(result.certificate, sort_keys=True))
print(GROUND_TYPES)
"""


def answers(ground_types):
    environment = {**os.environ, "SYMPY_GROUND_TYPES": ground_types}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *certificates, used = done.stdout.splitlines()
    assert used == ground_types
    return certificates


@pytest.mark.skipif(importlib.util.find_spec("flint") is None, reason="python-flint is missing")
def test_the_certificates_do_not_depend_on_the_ground_types():
    assert answers("flint") == answers("python")
