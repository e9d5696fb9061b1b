"""False proofs about algebraic points and about boxes in the plane; all are refused."""

import random
from fractions import Fraction

import corpus
import pytest
from forging import consistent, copied, node, polynomial

import rlct
from rlct.certificate import cost
from rlct.certificate.numbers import isolate
from rlct.errors import CertificateError, TooLargeError
from rlct.pair import Pair

WIDE = {"x": (-2, 2), "y": (-2, 2)}
NAMES = ["x", "y"]


def refused(document, message):
    with pytest.raises(CertificateError, match=message):
        consistent(document)


# At a point


def cone(root):
    return copied(rlct.ideal(["x**2+y**2-z*w**2", "z**2-2"], at={"z": root}).certificate)


def test_the_field_of_a_question_is_stated_and_checked():
    document = cone("sqrt(2)")
    assert document["question"]["field"] == {"minimal": [-2, 0, 1], "interval": ["1", "2"]}
    assert document["question"]["point"] == ["0", "0", "0", ["0", "1"]]
    assert consistent(document)["claim"] == document["claim"]


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({"minimal": [-2, 0, 1], "interval": ["-2", "2"]}, "isolate one root"),
        ({"minimal": [-2, 0, 1], "interval": ["2", "3"]}, "isolate one root"),
        ({"minimal": [-2, 0, 1], "interval": ["2", "1"]}, "isolate one root"),
        ({"minimal": [2, 0, 1], "interval": ["1", "2"]}, "isolate one root"),
        ({"minimal": [4, 0, -4, 0, 1], "interval": ["1", "2"]}, "double root"),
        ({"minimal": [-4, 0, 2], "interval": ["1", "2"]}, "not monic"),
        ({"minimal": [-3, 0, 1], "interval": ["1", "2"]}, "vanish"),
        ({"minimal": [-2, 0, 1]}, "an entry is missing: 'interval'"),
    ],
)
def test_another_field_is_refused(field, message):
    document = cone("sqrt(2)")
    document["question"]["field"] = field
    refused(document, message)


def test_the_conjugate_has_another_pair_and_the_proof_does_not_carry_over():
    """The same algebra at the other root of t² − 2: only signs differ."""
    one, two = cone("sqrt(2)"), cone("-sqrt(2)")
    assert (one["claim"]["lambda"], two["claim"]["lambda"]) == ("1", "5/4")
    for document in (one, two):
        document["question"]["field"]["interval"] = ["-2", "-1"]
        refused(
            document, "newton: .*face|newton: .*sign|arrangement: a coefficient is not positive"
        )


def test_a_reducible_polynomial_of_the_field_is_refused_where_it_matters():
    """(t² − 2)(t² − 3): that γ² − 2 is 0 does not show in the algebra."""
    document = copied(rlct.ideal(["x**2-2"], at={"x": "sqrt(2)"}).certificate)
    document["question"]["field"] = {"minimal": [6, 0, -5, 0, 1], "interval": ["1", "3/2"]}
    document["question"]["point"] = [["0", "1", "0", "0"]]
    refused(document, "reducible")


@pytest.mark.parametrize("coordinate", [["0", "1", "0"], ["0"], ["0", 1], "2", ["1", "0"]])
def test_another_coordinate_is_refused(coordinate):
    document = cone("sqrt(2)")
    document["question"]["point"][3] = coordinate
    with pytest.raises(CertificateError):
        consistent(document)


# Boxes


def box(generators, over=WIDE, **options):
    return copied(rlct.ideal(generators, over=over, **options).certificate)


def with_data(document, **changes):
    document["proof"]["data"] = {**document["proof"]["data"], **changes}
    return document


def without(document, key):
    del document["proof"]["data"][key]
    return document


CUSPS = ["(x**2-2)**2-(y**2-3)**3"]


def test_a_critical_point_that_is_left_out_is_missed():
    document = box(CUSPS)
    assert len(document["proof"]["data"]["points"]) == 4
    for k in range(4):
        forged = copied(document)
        del forged["proof"]["data"]["points"][k]
        del forged["proof"]["children"][k]
        refused(forged, "missing, or its order is too high")


def test_without_its_critical_points_the_curve_alone_proves_too_much():
    document = box(CUSPS)
    document["proof"]["data"]["points"] = []
    document["proof"]["children"] = []
    refused(document, "missing, or its order is too high")
    # An order that is high enough is honest, and proves only 1/4.
    weak = consistent(with_data(document, order=2))
    assert weak["claim"]["status"] == "bounds"
    assert weak["claim"]["lower"] == "1/4"
    assert weak["claim"]["upper"] == "1/2"


def test_a_point_may_not_stand_for_its_conjugate():
    document = box(CUSPS)
    points = document["proof"]["data"]["points"]
    forged = copied(document)
    forged["proof"]["data"]["points"] = [points[0]] * 4
    forged["proof"]["children"] = [document["proof"]["children"][0]] * 4
    refused(forged, "missing, or its order is too high")


def test_a_proof_of_another_point_is_refused():
    """At the node (1, 0) of a cubic the pair is (1/2, 2), at (−2, 0) the curve is smooth."""
    document = box(["y**2-x**3+3*x-2"])
    point = document["proof"]["data"]["points"][0]
    assert point == {"at": ["1", "0"]}
    # Without the node, as if its order were 1.
    forged = without(copied(document), "points")
    forged["proof"]["children"] = []
    refused(with_data(forged, order=1), "missing, or its order is too high")
    smooth = copied(document)
    smooth["proof"]["data"]["points"] = [{"at": ["-2", "0"]}]
    refused(smooth, "newton|face|step|wall|missing")


@pytest.mark.parametrize("order", [-1, 1.0, "1", True, None])
def test_an_order_is_a_natural_number(order):
    refused(with_data(box(["x**2+y**2-1"]), order=order), "order|malformed")


def test_an_order_that_is_too_low_is_refused():
    document = box(["(x**2+y**2-1)**2"])
    assert document["proof"]["data"]["order"] == 2
    refused(with_data(document, order=1), "order is too high")


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([["0", "0"], ["1/2", "0"]], "not opposite"),
        ([["0", "0"], ["1", "0"]], "not opposite"),
        ([["0", "0"], ["2", "0"]], "not inside"),
        ([["0", "0"], ["5", "0"]], "not inside"),
        ([["0", "0"]], "not opposite"),
        ([["0"], ["3/2"]], "not inside"),
    ],
)
def test_a_sign_change_is_checked(points, message):
    document = box(["x**2+y**2-1"])
    refused(with_data(document, crossed=[[0, points]]), message)


def test_a_factor_without_real_zeros_gives_no_upper_bound():
    document = box(["(x**2+y**2+1)**3*(x-y)"])
    (k,) = (k for k, (_, m) in enumerate(document["proof"]["data"]["factors"]) if m == 3)
    forged = with_data(document, crossed=[[k, [["0", "0"], ["1", "0"]]]])
    refused(forged, "not opposite")


def test_the_prior_of_an_axis_counts_in_its_upper_bound():
    """Along x = 0 the pair of x⁸ with prior x² is 3/8; 1/8 would be that without the prior."""
    document = box(["x**4*(x-y)"], prior={"x": 2})
    assert document["claim"]["lambda"] == "3/8"
    assert consistent(document)["claim"]["upper"] == "3/8"
    # With the factor x·(x − y), whose sign changes across the axis too.
    merged = copied(document)
    merged["question"]["generators"] = [polynomial("x**4*(x-y)**4", NAMES)]
    merged["proof"]["data"]["factors"] = [[polynomial("x*(x-y)", NAMES), 4]]
    with pytest.raises(CertificateError):
        consistent(merged)


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ([], "left out"),
        ([["x-y", 1]], "left out|share a factor"),
        ([["x-y", 1], ["x+y", 2]], "degree|remainder"),
        ([["x-y", 1], ["x-2*y", 1]], "remainder"),
        ([["x-y", 1], ["x+y", 0]], "no exponent"),
        ([["x-y", 1], ["x+y", True]], "no exponent"),
        ([["x-y", 1], ["x+y", 1], ["1", 1]], "no exponent"),
        ([["(x-y)*(x+y)", 1.0]], "no exponent"),
    ],
)
def test_other_factors_are_refused(factors, message):
    document = box(["x**2-y**2"])
    terms = [[polynomial(p, NAMES), m] for p, m in factors]
    document["proof"]["data"].pop("crossed", None)
    refused(with_data(document, factors=terms), message)


def test_a_factor_that_is_a_square_is_refused():
    document = box(["(x**2+y**2-1)**2"])
    square = [[polynomial("(x**2+y**2-1)**2", NAMES), 1]]
    refused(with_data(document, factors=square), "share a factor, or one has a double one")
    lines = box(["(x-1)**2*(y-x)"])
    square = [[polynomial("(x-1)**2", NAMES), 1], [polynomial("y-x", NAMES), 1]]
    refused(with_data(lines, factors=square), "not squarefree")


def test_factors_that_are_not_irreducible_are_no_lie():
    document = box(["x**2-y**2"])
    both = [[polynomial("x**2-y**2", NAMES), 1]]
    document["proof"]["data"]["crossed"] = []
    found = consistent(with_data(document, factors=both))
    assert (found["claim"]["lambda"], found["claim"]["theta"]) == ("1/2", 2)


def test_a_factor_that_contains_a_wall_is_refused():
    """On x = 0 inside the wall nothing would be looked at."""
    document = box(["x*(x-y-1)"], {"x": (0, 1), "y": (0, 1)})
    both = [[polynomial("x*(x-y-1)", NAMES), 1]]
    document["proof"]["data"].pop("crossed", None)
    refused(with_data(document, factors=both), "share a factor")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 0], [2, 0]], "share a factor"),
        ([[1, 0], [0, 0]], "combination is zero"),
        ([[1, 0]], "two combinations"),
        ([[1], [0]], "wrong length"),
        ([[1.0, 0], [0, 1]], "wrong length"),
    ],
)
def test_other_combinations_are_refused(rows, message):
    document = box(["(x**2-2)*(x-y)", "(y**2-2)*(x-y)"])
    assert document["proof"]["data"]["combinations"]
    refused(with_data(document, combinations=rows), message)
    refused(without(document, "combinations"), "left out")


def test_points_outside_the_box_are_refused():
    document = box(["x**2+y**2"])
    (point,) = document["proof"]["data"]["points"]
    assert point == {"at": ["0", "0"]}
    document["question"]["sides"] = [["1", "2"], ["-2", "2"]]
    refused(document, "outside")


def test_an_isolated_zero_outside_is_no_zero_inside():
    document = box(["x**2+y**2"])
    document["question"]["sides"] = [["1", "2"], ["-2", "2"]]
    document["proof"]["data"].pop("points")
    document["proof"]["children"] = []
    refused(document, "no zero in the box")


def test_a_wall_is_part_of_the_local_question():
    """Against y ≥ 0 the parabola y + x² has 3/4; the proof for the plane gives 1/2."""
    document = box(["y+x**2"], {"x": (-1, 1), "y": (0, 1)})
    assert document["claim"]["lambda"] == "3/4"
    free = copied(rlct.ideal(["y+x**2"]).certificate)["proof"]
    document["proof"]["children"] = [free]
    refused(document, "smooth")
    mirrored = box(["y-x**2"], {"x": (-1, 1), "y": (-1, 0)})
    assert mirrored["claim"]["lambda"] == "3/4"


def test_unknown_evidence_is_refused():
    refused(with_data(box(CUSPS), note="trust me"), "unknown evidence")
    document = box(CUSPS)
    document["proof"]["data"]["points"][0]["mirrored"] = [False, False]
    refused(document, "nothing reads the entry 'mirrored'")


def test_the_rule_is_for_two_variables():
    document = copied(rlct.poly("(x-1)**2", over={"x": (0, 2)}).certificate)
    document["proof"] = node("plane", {"factors": []})
    refused(document, "two variables")


# More than two variables

CUBE = {"x": (-2, 2), "y": (-2, 2), "z": (-2, 2)}
SPACE = ["x", "y", "z"]


def test_a_target_that_cells_do_not_reach_is_refused():
    document = box(["(x**2+y**2-z**2)*(x+y+4)"], CUBE)
    assert document["proof"]["data"]["target"] == ["1/2", 1]
    refused(with_data(copied(document), target=["3/4", 1]), "cell has no bound")
    refused(with_data(copied(document), target=["1/2", 0]), "no pair")
    refused(with_data(copied(document), target=["0", 1]), "no legal value")
    refused(with_data(copied(document), target=["1000000000000", 1]), "cell has no bound")


def test_the_vertex_of_a_cone_has_to_be_listed():
    document = box(["(x**2+y**2-z**2)*(x+y+4)"], CUBE)
    assert document["proof"]["data"]["points"] == [{"at": ["0", "0", "0"]}]
    forged = without(copied(document), "points")
    forged["proof"]["children"] = []
    refused(forged, "cell has no bound")
    # A smooth zero does not stand for the vertex.
    forged = copied(document)
    forged["proof"]["data"]["points"] = [{"at": ["1", "0", "1"]}]
    forged["proof"]["children"] = [node("smooth")]
    refused(forged, "cell has no bound")


def test_a_degenerate_point_is_not_the_only_one_because_it_is_listed():
    """Along x = y = 0 the Hessian matrix of x² + y³ is singular, and so are all points."""
    document = box(["x**2+y**2-z**2"], CUBE)
    document["question"]["generators"] = [polynomial("x**2+y**3", SPACE)]
    document["proof"]["data"]["factors"] = [[polynomial("x**2+y**3", SPACE), 1]]
    document["proof"]["data"].pop("smooth", None)
    cusp = copied(rlct.ideal(["x**2+y**3", "z"]).certificate)["proof"]
    document["proof"]["children"] = [node("subideal", {"kept": [0]}, cusp)]
    with pytest.raises(CertificateError):
        consistent(document)


def test_crossings_count_in_the_target():
    """On the curve where two spheres of one multiplicity meet θ is 2."""
    document = box(["(x**2+y**2+z**2-1)*(x-y)"], CUBE)
    assert document["proof"]["data"]["target"] == ["1/2", 2]
    refused(with_data(document, target=["1/2", 1]), "cell has no bound")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"factor": 1}, "no such factor"),
        ({"factor": -1}, "no such factor"),
        ({"cell": [["0", "3"], ["0", "1"], ["0", "1"]]}, "outside"),
        ({"cell": [["0", "1"], ["0", "1"]]}, "wrong length"),
        ({"cell": [["-1", "1"], ["-1", "1"], ["-1", "1"]]}, "singular|not opposite|in its cell"),
        ({"points": [["0", "0", "0"], ["0", "0", "0"]]}, "not inside|not opposite"),
        ({"note": "trust me"}, "unknown evidence"),
    ],
)
def test_a_smooth_zero_is_checked(change, message):
    document = box(["x**2+y**2+z**2-2/7"], CUBE)
    (item,) = document["proof"]["data"]["smooth"]
    refused(with_data(document, smooth=[{**item, **change}]), message)


def test_a_smooth_zero_of_another_factor_or_on_an_axis_proves_nothing():
    document = box(["(x**2+y**2+z**2-2/7)*(x-y)"], CUBE)
    data = document["proof"]["data"]
    sphere = next(k for k, (p, _) in enumerate(data["factors"]) if len(p) > 2)
    item = {
        "factor": sphere,
        "cell": [["3/8", "1/2"], ["1/4", "1/2"], ["0", "1/8"]],
        "points": [["25/64", "33/128", "1/64"], ["31/64", "31/64", "1/64"]],
    }
    refused(with_data(document, smooth=[item]), "another factor|malformed|not opposite")
    one = box(["x**2+y**2+z**2-2/7"], CUBE)
    one["question"]["prior"] = ["1", "1", "1"]
    (item,) = one["proof"]["data"]["smooth"]
    across = {**item, "cell": [["-1/8", "1/8"], ["-1/8", "1/8"], ["1/2", "3/4"]]}
    across["points"] = [["0", "0", "33/64"], ["0", "0", "5/8"]]
    refused(with_data(one, smooth=[across]), "prior may vanish")


def test_a_rank_that_is_not_there_is_refused():
    document = box(["x**2+y**2+z**2-1", "x+y+z"], CUBE)
    assert document["proof"]["data"]["target"] == ["1", 1]
    document["question"]["generators"][1] = polynomial("(x+y+z)**2", SPACE)
    with pytest.raises(CertificateError):
        consistent(document)


@pytest.mark.parametrize("groups", [[[0, 1]], [[0, 2], [1]], [[0, 1], [1, 2]], [[2], [0, 1]]])
def test_other_groups_are_refused(groups):
    document = box(["(x**2-2)**2-y**3", "z**2-2"], CUBE)
    assert document["proof"]["data"]["groups"] == [[0, 1], [2]]
    with pytest.raises(CertificateError):
        consistent(with_data(document, groups=groups))


def test_a_sum_over_a_box_keeps_its_walls_and_its_prior():
    document = box(["y+x**2", "z**2-2"], {"x": (-1, 1), "y": (0, 1), "z": (0, 2)})
    assert document["claim"]["lambda"] == "5/4"
    document["question"]["sides"][1] = ["-1", "1"]
    with pytest.raises(CertificateError):
        consistent(document)
    document = box(["x**2*(x-5)", "y*z"], CUBE, prior="x*y*z")
    assert document["claim"]["lambda"] == "3/2"
    document["question"]["prior"] = ["0", "1", "1"]
    assert consistent(document)["claim"]["lambda"] == "5/4"


def test_a_product_needs_zeros_of_every_factor():
    """(x² + y² + 1)·(z² − 2): the first factor is a unit and has no pair."""
    document = box(["(x**2+y**2-1)*(z**2-2)"], CUBE)
    assert document["proof"]["rule"] == "product"
    document["question"]["generators"] = [polynomial("(x**2+y**2+1)*(z**2-2)", SPACE)]
    document["proof"]["data"]["factors"] = [
        polynomial("x**2+y**2+1", SPACE),
        polynomial("z**2-2", SPACE),
    ]
    with pytest.raises(CertificateError):
        consistent(document)


def test_other_squares_are_refused():
    document = copied(rlct.poly("(x**2+y**2-z**2)**2", over=CUBE).certificate)
    assert document["proof"]["rule"] == "squares"
    cone = polynomial("x**2+y**2-z**2", SPACE)
    for squares in ([["2", cone]], [["-1", cone]], [["1", cone], ["1", cone]], []):
        refused(with_data(copied(document), squares=squares), "squares")


def test_all_honest_proofs_pass():
    assert Pair.of("5/12").lam == rlct.ideal(CUSPS, over=WIDE).lam
    for document in (box(CUSPS), box(["x**2-2", "y**2-3"]), cone("-sqrt(2)")):
        assert consistent(document) == document


# Several bounds over one box


@pytest.mark.slow
def test_bounds_over_another_box_do_not_enclose():
    document = copied(corpus.certificate("box, enclose"))
    _, above = document["proof"]["children"]
    # Over a box without the cusp the pair is (1/2, 1); its proof does not serve here.
    smooth = rlct.poly(
        "((x-1)**2-y**3*(1+z))**2", over={"x": (-1, "1/2"), "y": (-1, 1), "z": (0, 1)}
    )
    document["proof"]["children"] = [copied(smooth.certificate)["proof"], above]
    refused(document, "box")
    document["proof"]["children"] = []
    refused(document, "a step of the proof is missing")
    document["proof"]["children"] = [above]
    assert consistent(document)["claim"]["status"] == "bounds"


def times_linear(p, root):
    """The product of p and (denominator·x − numerator)."""
    shifted = [0, *(c * root.denominator for c in p)]
    return [a - b * root.numerator for a, b in zip(shifted, [*p, 0], strict=True)]


@pytest.mark.parametrize("square", [False, True])
def test_roots_are_counted_as_they_were_planted(square):
    """Close roots, roots at ends and in the middle, and squares, which Descartes does not see."""
    rng = random.Random(1)
    for _ in range(40):
        planted = {Fraction(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(5)}
        planted |= {Fraction(0), Fraction(1, 2), Fraction(501, 1000)}
        p = [3, 0, 1]  # x² + 3 has none
        for root in planted:
            p = times_linear(p, root)
        if square:
            p = times_linear(p, Fraction(1, 2))
        assert isolate._is_squarefree_modulo(p, isolate._WORD_PRIME) is not square
        found = isolate.roots_between(p, Fraction(-1), Fraction(1))
        for root in found:
            root.refine(30)
        inside = sorted(root for root in planted if -1 <= root <= 1)
        assert len(found) == len(inside)
        lows = sorted(root.low for root in found)
        assert all(abs(a - b) < Fraction(1, 2**29) for a, b in zip(lows, inside, strict=True))


def test_a_lead_that_the_prime_divides_proves_nothing():
    assert isolate._is_squarefree_modulo([-2, 0, 1], isolate._WORD_PRIME)
    assert not isolate._is_squarefree_modulo([-2, 0, isolate._WORD_PRIME], isolate._WORD_PRIME)
    assert not isolate._is_squarefree_modulo([1, -2, 1], isolate._WORD_PRIME)
    assert len(isolate.roots_between([-2, 0, isolate._WORD_PRIME], Fraction(-1), Fraction(1))) == 2


def test_signs_between_points_are_those_of_descartes():
    p = [1, -4, 2]  # roots 1 ± √(1/2)
    assert isolate._sign_changes(p, Fraction(0), Fraction(2)) == 2
    assert isolate._sign_changes(p, Fraction(0), Fraction(1)) == 1
    assert isolate._sign_changes(p, Fraction(2), Fraction(9, 2)) == 0


def test_the_eliminant_of_a_curve_of_degree_11_is_separated_in_the_budget():
    """A sequence of remainders of a polynomial of degree 110 takes more than all steps."""
    rng = random.Random(2)
    p = [rng.randint(-(2**300), 2**300) for _ in range(111)]
    with cost.budget():
        roots = isolate.roots_between(p, Fraction(-1), Fraction(1))
    assert 0 < len(roots) < 20
    with cost.budget(), pytest.raises(TooLargeError):
        isolate._gcd(p, isolate._derivative(p))
