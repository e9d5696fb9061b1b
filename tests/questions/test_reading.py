"""Names that may be products: refused, unless somebody says that they are variables."""

import pickle
import re
from fractions import Fraction

import pytest
import sympy

import rlct
from rlct.algebra.names import implied_product
from rlct.errors import ProductNameError
from rlct.pair import Pair
from rlct.questions.reading import with_products


@pytest.mark.parametrize(
    ("generators", "written"),
    [
        (["(ab)^2"], "(a*b)^2"),
        (["ab+cd", "ab^3+cd^3"], "a*b+c*d"),
        (["uv"], "u*v"),
        (["xy"], "x*y"),
        (["a1b1+a2b2"], "a1*b1+a2*b2"),
        (["a_1b_1"], "a_1*b_1"),
        (["abc^2 + x*yz"], "a*b*c^2 + x*y*z"),
        (["mux"], "mu*x"),
        (["αβ"], "α*β"),
        (["mu*x", "m+u"], "m*u*x"),  # m and u occur, in another generator
        (["a*b + ab"], "a*b + a*b"),
    ],
)
def test_a_run_of_letters_is_refused_with_the_product(generators, written):
    with pytest.raises(ProductNameError, match=re.escape(f"write {written!r}")):
        rlct.ideal(generators)
    with pytest.raises(ProductNameError):
        rlct.blow_up(generators)
    with pytest.raises(ProductNameError):
        rlct.ideal(generators, over=(-1, 1))


def test_the_product_has_another_answer():
    """The fault: read as one variable, (ab)² has θ = 1, and ab + cd with its cubes λ = 1/2."""
    assert rlct.poly("(a*b)^2").pair == Pair.of("1/2", 2)
    assert rlct.poly("(ab)^2", at={"ab": 0}).pair == Pair.of("1/2", 1)
    assert rlct.ideal(["a*b+c*d", "a*b^3+c*d^3"]).lam == Fraction(2, 3)


@pytest.mark.parametrize(
    "name",
    [
        *("alpha", "beta_1", "theta2", "mu", "Sigma", "eps", "lam", "varphi", "λ", "α1"),
        *("x1", "x_1", "w12", "w1_2", "w_in", "a_b", "mu_x", "_x"),
    ],
)
def test_a_name_that_is_none_of_these_stays(name):
    assert rlct.poly(f"{name}^2*z^2").pair == Pair.of("1/2", 2)
    assert implied_product(name) == ""


def test_a_name_that_is_declared_stays():
    K = "(ab)^2*weight^4"
    quarter = Pair.of("1/4", 1)
    declared = {"ab": 0, "weight": 0}
    assert rlct.poly(K, at=declared).pair == quarter
    assert rlct.poly(K, nonneg=iter(["ab", "weight"])).pair == quarter
    assert rlct.poly(K, prior=declared).pair == quarter
    assert rlct.poly(K, over=dict.fromkeys(declared, (-1, 1))).pair == quarter
    for part in ({"at": {"ab": 0}}, {"prior": "ab*weight"}, {"over": (-1, 1)}, {"at": (0, 0)}):
        with pytest.raises(ProductNameError):  # half of it, or text that may be a product too
            rlct.poly(K, **part)


def test_a_symbol_of_sympy_is_one_name():
    ab, c = sympy.symbols("ab c")
    assert rlct.poly(ab**2).pair == Pair.of("1/2", 1)
    assert rlct.ideal([ab, ab * c]).pair == Pair.of("1/2", 1)
    assert rlct.poly(ab**2, at={ab: 0}) == rlct.poly("ab^2", at={ab: 0})
    with pytest.raises(ProductNameError):
        rlct.ideal([c, "ab*c"])


def test_the_answer_names_its_variables_where_names_are_long():
    assert "; at the origin of alpha, beta; " in str(rlct.poly("(alpha*beta)^2"))
    assert "; at the origin of ab; " in str(rlct.poly("(ab)^2", nonneg=["ab"]))
    for letter in "ei":  # which may be meant as numbers
        assert f"; at the origin of {letter}, x; " in str(rlct.poly(f"x^2*{letter}^2"))
    for letters in ("(a*b)^2", "j^2*k^2", "x_1^2*x12^2", "λ^2"):
        assert "; at the origin; " in str(rlct.poly(letters))


def test_words_inside_others_stay():
    assert with_products("ab + ab1*cab", {"ab": "a*b"}) == "a*b + ab1*cab"


def test_the_error_travels():
    error = ProductNameError("ab", {"ab": "a*b"})
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.products) == ("ab", {"ab": "a*b"})
