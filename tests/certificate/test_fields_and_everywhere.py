"""False proofs over number fields and over all points of a box: all are refused."""

from fractions import Fraction

import pytest
from forging import consistent, copied, node, polynomial, refused, steps

import rlct
from rlct.certificate.boxes.everywhere import cell_over
from rlct.certificate.boxes.plane_box import Box
from rlct.certificate.fibre.tree import family_of_cell
from rlct.errors import CertificateError
from rlct.pair import Pair

SQRT2 = {"s": "sqrt(2)"}
BOX = {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}
NAMES = ["x", "y", "z"]


def document(equation, sign=""):
    return copied(rlct.ideal([equation, "s**2-2"], at={"s": f"{sign}sqrt(2)"}).certificate)


def conjugate(certificate):
    """The same document about the other root of the polynomial of the field."""
    changed = copied(certificate)
    low, high = changed["question"]["field"]["interval"]
    flipped = [high.removeprefix("-"), low.removeprefix("-")]
    changed["question"]["field"]["interval"] = (
        flipped if low.startswith("-") else [f"-{x}" for x in flipped]
    )
    return changed


def rules(certificate):
    return {step["rule"] for step in steps(certificate["proof"])}


# Over Q(γ)


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_proof_at_one_root_is_none_at_the_other(sign):
    """x² = s·y² has two real lines or none: strata, and with them θ, differ."""
    honest = document("(x**2-s*y**2)**2+z**5", sign)
    assert consistent(honest) == honest
    assert "stratify" in rules(honest)
    with pytest.raises(CertificateError):
        consistent(conjugate(honest))


@pytest.mark.slow
def test_squares_with_coefficients_of_the_wrong_sign_are_refused():
    """1 + √2·t² has no zero, 1 − √2·t² has two."""
    honest = document("(x**2+y**2-s*z**2)**2+w**5", "-")
    found = [
        step["data"]["zeros"]["none"]
        for step in steps(honest["proof"])
        if "none" in step.get("data", {}).get("zeros", {})
    ]
    assert any(c != ["1", "0"] for item in found for c, _ in item["squares"])
    refused(conjugate(honest), "not positive|zero on the line|singular|do not add up|fit|unit")


def test_a_line_without_a_real_zero_is_refused():
    honest = document("(x**2-s*y**2)**2+z**5")
    lines = [
        data.get("zeros", data)
        for step in steps(honest["proof"])
        if "line" in (data := step.get("data", {})) or "line" in data.get("zeros", {})
    ]
    assert lines
    for item in lines:
        item["line"]["at"] = [0] * len(item["line"]["at"])
        item["line"]["parameter"] = 99
    refused(honest, "the line")


def test_only_rational_coefficients_are_rational():
    honest = document("x**2-s*y**2*z")
    honest["proof"] = node("rational", None, node("smooth"))
    refused(honest, "not seen to be rational")
    over_q = copied(rlct.ideal(["x", "y**2"]).certificate)
    over_q["proof"] = node("rational", None, over_q["proof"])
    refused(over_q, "over Q")


def composed():
    found = rlct.ideal(["(x**2-2)*y-z**2", "(x**2-2)**2*z-y**3"], at={"x": "-sqrt(2)"})
    assert found.certificate["proof"]["rule"] == "compose"
    return copied(found.certificate)


def test_another_polynomial_is_no_coordinate():
    """(x² − 2)² vanishes at √2, but doubly."""
    data = composed()["proof"]["data"]
    assert consistent(composed()) == composed()
    forged = composed()
    square = copied(data["coordinate"])
    forged["proof"]["data"]["coordinate"] = [
        [c, [2 * e for e in m]] for c, m in square if sum(m) == 1
    ]
    refused(forged, "not known to be a coordinate")


def test_other_outer_generators_are_refused():
    forged = composed()
    forged["proof"]["data"]["generators"][0][0][0] = ["7", "0"]
    refused(forged, "not those of the family")
    # The field must not be forgotten with its coefficients.
    forged = composed()
    (forget,) = forged["proof"]["children"]
    assert forget["children"][0]["rule"] == "rational"
    forget["children"] = forget["children"][0]["children"]
    with pytest.raises(CertificateError):
        consistent(forged)


# All points of a box


def everywhere(generators=("x**2-y**2*z",), box=BOX, prior=None):
    found = copied(rlct.ideal(list(generators), over=box, prior=prior).certificate)
    assert found["proof"]["rule"] == "everywhere"
    return found


def with_walls(certificate, walls):
    changed = copied(certificate)
    changed["proof"]["data"]["walls"] = walls
    return changed


def test_the_honest_proofs_are_accepted():
    for certificate in (everywhere(), everywhere(["x**2+y**2+z**2-x*y"], prior="x**(-1/2)")):
        assert consistent(certificate) == certificate


@pytest.mark.parametrize(
    ("walls", "message"),
    [
        (["", "", "left"], "no such wall"),
        (["", ""], "one wall or none"),
        ([None, "", ""], "no such wall"),
    ],
)
def test_walls_are_those_of_the_box(walls, message):
    refused(with_walls(everywhere(), walls), message)


@pytest.mark.parametrize("i", range(3))
@pytest.mark.parametrize("wall", ["low", "high"])
def test_a_proof_with_other_walls_is_another_proof(i, wall):
    """x = −1 + u² in place of u: the strata of the proof are not those of this family."""
    with pytest.raises(CertificateError):
        consistent(with_walls(everywhere(), [wall if k == i else "" for k in range(3)]))


def test_what_is_excluded_by_a_wall_must_be_outside():
    """x·y·(x − y)·z⁴ over z ≥ 1/2 has 1/3, at z = 0 it has 1/8."""
    honest = everywhere(["x*y*(x-y)*z**4"], {**BOX, "z": ("1/2", 1)})
    assert honest["claim"]["lambda"] == "1/3"
    assert honest["proof"]["data"]["walls"] == ["", "", "low"]
    wider = copied(honest)
    wider["question"]["sides"][2] = ["-1", "1"]
    with pytest.raises(CertificateError):
        consistent(wider)
    with pytest.raises(CertificateError):
        consistent(with_walls(honest, ["", "", ""]))


def test_a_prior_that_is_not_bounded_allows_no_shift():
    honest = everywhere(["x**2+y**2+z**2-x*y"], prior="x**(-1/2)")
    refused(with_walls(honest, ["low", "", ""]), "prior is not bounded")
    other = copied(honest)
    other["question"]["prior"] = ["-1", "0", "0"]
    refused(other, "not above -1")
    other["question"]["prior"] = ["-3/4", "0", "0"]
    with pytest.raises(CertificateError):
        consistent(other)


def test_upper_bounds_need_points_in_the_box():
    honest = everywhere()
    data = honest["proof"]["data"]
    assert len(honest["proof"]["children"]) == 1 + len(data.get("points", []))
    for key in ("points", "smooth"):
        if key in data:
            forged = copied(honest)
            forged["proof"]["data"].pop(key)
            forged["proof"]["children"] = forged["proof"]["children"][:1]
            assert consistent(forged)["claim"]["upper"] is None
    forged = copied(honest)
    forged["question"]["sides"] = [["2", "3"]] * 3
    refused(forged, "outside")


def test_unknown_evidence_and_missing_proofs_are_refused():
    forged = everywhere()
    forged["proof"]["data"]["note"] = "trust me"
    refused(forged, "unknown evidence")
    forged = everywhere()
    forged["proof"]["children"] = []
    with pytest.raises(CertificateError):
        consistent(forged)


def test_the_extra_variable_is_less_singular_than_every_zero():
    """Its pair (1 + h)/2 is above half the sum of 1 + h_i, which no zero exceeds."""
    generator = {tuple(m): Fraction(c) for c, m in polynomial("x**2+y**2+z**2", NAMES)}
    sides = ((Fraction(-1), Fraction(1)),) * 3
    for prior in ((0, 0, 0), (3, 0, Fraction(-1, 2))):
        box = Box((generator,), tuple(map(Fraction, prior)), sides, True)
        family = family_of_cell(cell_over(box, ["", "", ""]))
        assert (1 + family.prior[0]) / 2 > sum(1 + h for h in family.free) / 2


# Priors that are not bounded


def test_orders_bound_nothing_where_the_prior_is_not_bounded():
    """On y = x² with prior |xy|^(−1/2) the origin has 3/8, and order 1 would give 1/2."""
    found = copied(rlct.ideal(["x**2-y"], over={"x": (-1, 1), "y": (-1, 1)}).certificate)
    assert found["claim"]["lambda"] == "1/2"
    found["question"]["prior"] = ["-1/2", "-1/2"]
    refused(found, "critical point is missing")
    prior = "x**(-1/2)*y**(-1/2)"
    inside = rlct.ideal(["x**2-y"], over={"x": (-1, 1), "y": (-1, 1)}, prior=prior)
    assert inside.pair == Pair.of("3/8")


def test_cells_do_not_hide_an_axis_with_an_unbounded_prior():
    """Where z = x² + y² touches z = 0 the two are no coordinates together."""
    box = {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}
    cells = copied(rlct.ideal(["z-x**2-y**2-x**2*z"], over=box).certificate)
    assert (cells["proof"]["rule"], cells["claim"]["lambda"]) == ("cells", "1/2")
    cells["question"]["prior"] = ["0", "0", "-3/4"]
    refused(cells, "no bound")
