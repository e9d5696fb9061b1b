"""Coordinates h(y) = y·unit, hidden in expanded generators."""

import copy

import pytest

import rlct
from rlct.engine.reductions import inner
from rlct.errors import CertificateError
from rlct.pair import Pair
from rlct.questions.problem import Problem

#: Generators in y, and what is put in place of y.
HIDDEN = [
    (["(y+z**2)**2+(y+x**2)**3"], "y+y**2"),
    (["y**2-x**3"], "3*y-y**3"),
    (["x*y", "y**3-x**4"], "y/2+y**2-y**4"),
    (["y*(y-x)*(y+x)"], "y+y**2+y**3"),
]


@pytest.mark.parametrize(("generators", "h"), HIDDEN)
@pytest.mark.parametrize("prior", [None, "y"])
def test_another_coordinate_has_the_same_pair(generators, h, prior):
    hidden = [g.replace("y", f"({h})") for g in generators]
    assert inner.inner_polynomial(Problem.ideal(hidden, None, prior).local) is not None
    answer, plain = rlct.ideal(hidden, prior=prior), rlct.ideal(generators, prior=prior)
    assert answer.pair == plain.pair
    assert rlct.verify(answer.certificate)


def test_the_known_case():
    assert rlct.ideal(["(y+y**2+z**2)**2+(y+y**2+x**2)**3"]).pair == Pair.of("5/12", 2)


@pytest.mark.parametrize(
    "generators",
    [
        ["y**4+y**2*x+x**3"],  # y² is no coordinate
        ["(y+y**2)**2+y*x+x**3"],  # y by itself, too
        ["(y+y**2)*x", "(y+2*y**2)*x**2"],  # two polynomials
        ["(y+x*y**2)**2+x**5"],  # not in y alone
    ],
)
def test_no_inner_polynomial(generators):
    assert inner.inner_polynomial(Problem.ideal(generators).local) is None


FORGERIES = {
    "a constant": lambda data: data["inner"].append(["1", [0, 0, 0]]),
    "no linear part": lambda data: data.__setitem__("inner", [["1", [0, 2, 0]]]),
    "another variable": lambda data: data.__setitem__("variable", 0),
    "another polynomial": lambda data: data["outer"][0].append(["1", [0, 0, 9]]),
    "one more": lambda data: data["outer"].append(data["outer"][0]),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_certificates_are_refused(name):
    certificate = copy.deepcopy(rlct.ideal(["(y+y**2+z**2)**2+(y+y**2+x**2)**3"]).certificate)
    assert certificate["proof"]["rule"] == "inner"
    FORGERIES[name](certificate["proof"]["data"])
    with pytest.raises(CertificateError):
        rlct.verify(certificate)
