"""Products of linear and definite forms: the rule beside blow-ups, and where it must not apply."""

import copy
import random

import pytest

import rlct
from rlct.engine import limits
from rlct.errors import CertificateError
from rlct.pair import Pair


def rules_of(answer):
    return answer.method.removeprefix("engine: ").split(", ")


#: Generator, prior; blow-ups prove each in seconds.
BOTH_WAYS = [
    ("x*y*(x+y)*(x-y)**2", None),
    ("(x**2+y**2)*x*(x+y)", None),
    ("(x**2+x*y+y**2)**2*(x-y)", "x"),
    ("(x**2-2*y**2)*x*(x+y)", None),
    ("(x**2-2*y**2)*(x**2-8*y**2)*y", None),
    ("(x**4+y**4)*x*(x+y)", "y**2"),
    ("x*y*(x+y)*z", "x**(1/2)*z"),
    ("(x**2+y**2+z**2)*(x-y)*y", None),
    ("((x-z)**2+y**2)*(y**2+z**2)*(x+y)", None),
    ("(x+y)**2*(x-z)*(y+z)*(1+x+y)", None),
]


@pytest.mark.parametrize(("generator", "prior"), BOTH_WAYS)
def test_blow_ups_agree(generator, prior, monkeypatch):
    answer = rlct.ideal([generator], prior=prior)
    assert answer.status == "exact"
    assert "arrangement" in rules_of(answer)
    assert rlct.verify(answer.certificate)
    monkeypatch.setattr(limits, "MOST_ARRANGEMENT_TERMS", 0)
    other = rlct.ideal([generator], prior=prior, timeout=60)
    assert "arrangement" not in rules_of(other)
    assert other.pair == answer.pair


def random_product(rng):
    """Powers of forms in general or special position, as text."""
    names = "xyzwu"[: rng.choice([3, 4, 5])]
    forms = []
    for _ in range(rng.randint(len(names), len(names) + 2)):
        numbers = [rng.randint(-2, 2) for _ in names]
        numbers[rng.randrange(len(names))] = 1
        terms = "+".join(f"({a})*{x}" for a, x in zip(numbers, names, strict=True))
        forms.append(f"({terms})**{rng.choice([1, 1, 2])}")
    return "*".join(forms)


@pytest.mark.parametrize("seed", range(8))
def test_random_products_are_exact_and_verified(seed):
    answer = rlct.ideal([random_product(random.Random(seed))])
    assert answer.status == "exact"
    assert rlct.verify(answer.certificate)


def test_roots_of_one_field():
    """A linear change over Q(√2) takes √2 to a rational number, and leaves the pair."""
    irrational = rlct.ideal(["(x**2-2*y**2)*z*(x-z)*(x+z)"])
    rational = rlct.ideal(["(x**2-y**2)*z*(x-z)*(x+z)"])
    assert irrational.pair == rational.pair
    assert rlct.verify(irrational.certificate)


@pytest.mark.parametrize(
    ("generator", "lam", "theta"),
    [
        ("x*(x+y**2)", "3/8", 1),  # tangent; two lines would give 1/2
        ("x**2+y**2-z**2", "1/2", 1),  # a cone; a point would give 3/4
        ("x**2+y**2", "1/2", 1),  # complex lines; real ones would give θ = 2
        ("(x**2+y**2-z**2)*z", "1/2", 2),
    ],
)
def test_other_factors_are_no_subspaces(generator, lam, theta):
    answer = rlct.ideal([generator])
    assert answer.pair == Pair.of(lam, theta)
    assert rlct.verify(answer.certificate)


def test_a_prior_that_vanishes_on_a_subspace_counts():
    """x·y with the prior |x|: only y = 0 has 1/2."""
    product = "x*y*(x+y)*(x-z)"
    assert rlct.ideal([product]).pair < rlct.ideal([product], prior="x*y").pair


def test_too_many_subspaces_are_left_to_other_rules(monkeypatch):
    monkeypatch.setattr(limits, "MOST_FLATS", 3)
    assert "arrangement" not in rules_of(rlct.ideal(["x*y*(x+y)*(x-y)"]))


def _shorter_chain(data):
    data["chain"].pop()


def _other_chain(data):
    data["chain"][0] = [0]


def _higher_exponent(data):
    data["factors"][0]["exponent"] += 1


def _fewer_factors(data):
    data["factors"].pop()


def _negative_number(data):
    data["factors"][0]["summands"][0][0] = "-1"


def _not_linear(data):
    data["factors"][0]["summands"][0][1] = [["1", [2, 0, 0]]]


def _unit_that_vanishes(data):
    data["unit"] = [["1", [1, 0, 0]]]


def _odd_degree(data):
    for item in data["factors"]:
        item["degree"] = 3


FORGERIES = [
    _shorter_chain,
    _other_chain,
    _higher_exponent,
    _fewer_factors,
    _negative_number,
    _not_linear,
    _unit_that_vanishes,
    _odd_degree,
]


@pytest.mark.parametrize("forge", FORGERIES)
def test_forged_certificates_are_refused(forge):
    certificate = copy.deepcopy(rlct.ideal(["(x**2+y**2)*x*(x+y)*(y-z)"]).certificate)
    assert certificate["proof"]["rule"] == "arrangement"
    assert rlct.verify(certificate)
    forge(certificate["proof"]["data"])
    with pytest.raises(CertificateError):
        rlct.verify(certificate)


def test_a_claim_with_too_few_intersections_is_refused():
    """The point has 3/10; the hyperplanes alone would give 1/2."""
    certificate = copy.deepcopy(rlct.ideal(["x*y*(x+y)*z*(x-z)"]).certificate)
    claim, proof = certificate["claim"], certificate["proof"]
    proof["data"]["chain"] = [[0]]
    proof["lower"] = proof["upper"] = ["1/2", 1]
    claim.update({"lambda": "1/2", "lower": "1/2", "upper": "1/2", "theta": 1})
    with pytest.raises(CertificateError):
        rlct.verify(certificate)


@pytest.mark.slow
def test_seventeen_forms_in_five_variables_are_replayed():
    """Nearly a thousand flats; the pair by brute force over all sets of forms (validation/fuzz)."""
    f = (
        "v**2*w*x*z*(2*v+z)*(2*v-z)*(v+2*z)*(v-2*w)*(v+x)**3*(2*w-x)**2*(w-y)**2*(w-z)"
        "*(v-2*w+z)**3*(v+x-z)*(2*v+2*w+x)*(w-2*x+2*z)*(2*w-2*x-z)"
    )
    answer = rlct.ideal([f])
    assert (str(answer.lam), answer.theta) == ("1/11", 1)
    assert rlct.verify(answer.certificate)
