"""False proofs by fields and linear changes: all are refused."""

import pytest
from forging import consistent, copied, germ_proof, monomial, node, polynomial

import rlct
from rlct.errors import CertificateError

NAMES = ["x", "y", "z"]


def claimed(generators, proof, **options):
    """A certificate of a question with a proof made by hand."""
    document = copied(rlct.ideal(generators, timeout=0.01, **options).certificate)
    return {**document, "proof": proof}


def step(variable, *components, cofactors=None, names=NAMES):
    found = {"variable": variable, "field": [polynomial(c, names) for c in components]}
    if cofactors is not None:
        found["cofactors"] = [[polynomial(c, names) for c in row] for row in cofactors]
    return found


def part(generators, *steps):
    return {"generators": generators, "steps": list(steps)}


def transverse(way, parts, *children):
    return node("transverse", {"way": way, "parts": parts}, *children)


SUM = ["(x + y*z)**2", "(y - x**2)**3"]


def honest_sum():
    """(x + yz)² is constant along ∂_y − z∂_x, … and then in x, z along ∂_z; (y − x²)³ likewise."""
    first = part([0], step(1, "-z", "1", "0"), step(2, "0", "0", "1"))
    second = part([1], step(0, "1", "2*x", "0"), step(2, "0", "0", "1"))
    return [first, second]


def leaves(*exponents):
    return [monomial([(e,)]) for e in exponents]


def test_the_honest_sum_is_accepted():
    proof = transverse("sum", honest_sum(), *leaves(2, 3))
    claim = consistent(claimed(SUM, proof))["claim"]
    assert (claim["status"], claim["lambda"], claim["theta"]) == ("exact", "5/12", 1)


def refused(generators, proof, message, **options):
    with pytest.raises(CertificateError, match=message):
        consistent(claimed(generators, proof, **options))


FALSE_FIELDS = {
    # ∂_y does not preserve (x + yz)²; ∂_x + z∂_y neither.
    "does not preserve": step(1, "0", "1", "0"),
    "does not preserve its": step(1, "z", "1", "0"),
    # Zero at the origin: the flow does not leave the slice.
    "tangent": step(1, "-z*y", "y", "0"),
    # Preserves the ideal only with cofactors that are not the given ones.
    "preserve": step(1, "-z", "1", "0", cofactors=[["x"]]),
}


@pytest.mark.parametrize("message", FALSE_FIELDS)
def test_fields(message):
    first, second = honest_sum()
    forged = part([0], FALSE_FIELDS[message], *first["steps"][1:])
    refused(SUM, transverse("sum", [forged, second], *leaves(2, 3)), message)


def test_a_variable_that_is_gone():
    first, second = honest_sum()
    twice = part([0], first["steps"][0], first["steps"][0])
    refused(SUM, transverse("sum", [twice, second], *leaves(2, 3)), "the variable of a field")


def test_a_field_that_leaves_the_slice():
    """After y = 0, a field with a component along y is none on the slice."""
    first, second = honest_sum()
    out = part([0], first["steps"][0], step(2, "0", "1", "1"))
    refused(SUM, transverse("sum", [out, second], *leaves(2, 3)), "leaves the slice")


def test_a_field_that_involves_what_is_gone():
    first, second = honest_sum()
    out = part([0], first["steps"][0], step(2, "0", "0", "1 + y"))
    refused(SUM, transverse("sum", [out, second], *leaves(2, 3)), "involves what is gone")


def test_functions_that_are_not_independent():
    """(x + z²)² and (x + y²)³ depend on two functions with the same differential: not a sum."""
    generators = ["(x + z**2)**2", "(x + y**2)**3"]
    first = part([0], step(1, "0", "1", "0"), step(2, "-2*z", "0", "1"))
    second = part([1], step(2, "0", "0", "1"), step(1, "-2*y", "1", "0"))
    proof = transverse("sum", [first, second], *leaves(2, 3))
    refused(generators, proof, "no coordinates of their own")


def test_parts_that_leave_a_generator_out_or_repeat_it():
    first, _ = honest_sum()
    refused(SUM, transverse("sum", [first], *leaves(2)), "do not divide")
    refused(SUM, transverse("sum", [first, first], *leaves(2, 2)), "do not divide")


def test_a_prior_counts_only_where_it_is_carried():
    """(x + yz)² with prior x: the field moves x, and the leaf may not use the prior."""
    generators = ["(x + y*z)**2"]
    steps = [step(1, "-z", "1", "0"), step(2, "0", "0", "1")]
    proof = transverse("sum", [part([0], *steps)], monomial([(2,)], [1]))
    with pytest.raises(CertificateError):
        consistent(claimed(generators, proof, prior={"x": 1}))


def test_products():
    generators = ["(x + y*z)**2*(y - x**2)**3"]
    first, second = honest_sum()
    factors = [polynomial("(x + y*z)**2", NAMES)], [polynomial("(y - x**2)**3", NAMES)]
    parts = [{**p, "generators": g} for p, g in zip((first, second), factors, strict=True)]
    claim = consistent(claimed(generators, transverse("product", parts, *leaves(2, 3))))["claim"]
    assert (claim["lambda"], claim["theta"]) == ("1/6", 1)
    lost = [{**parts[0], "generators": [polynomial("x + y*z", NAMES)]}, parts[1]]
    refused(generators, transverse("product", lost, *leaves(1, 3)), "do not multiply")
    unit = [{**parts[0], "generators": [polynomial("1", NAMES)]}, parts[1]]
    refused(generators, transverse("product", unit, *leaves(2, 3)), "a factor is a unit")


MATRICES = {
    "not invertible": [["1", "1", "0"], ["1", "1", "0"], ["0", "0", "1"]],
    "the shape": [["1", "0"], ["0", "1"]],
    "with a prior is moved": [["1", "0", "0"], ["0", "1", "0"], ["0", "1", "1"]],
}


@pytest.mark.parametrize("message", MATRICES)
def test_matrices(message):
    child = germ_proof(["x**2 + y**3 + z**4"], NAMES, prior={"z": 1})
    proof = node("linear", {"matrix": MATRICES[message]}, child)
    refused(["x**2 + y**3 + z**4"], proof, message, prior={"z": 1})


def test_a_change_of_coordinates_is_made_by_the_checker():
    """The proof of another germ does not fit what the substitution gives."""
    identity = [[str(int(i == k)) for k in range(3)] for i in range(3)]
    shear = [["1", "1", "0"], *identity[1:]]
    child = germ_proof(["(x+y)**2", "y**3", "z**2"], NAMES)
    assert consistent(claimed(["x**2", "y**3", "z**2"], node("linear", {"matrix": shear}, child)))
    refused(["x**2", "y**3", "z**2"], node("linear", {"matrix": identity}, child), "proof > ")
