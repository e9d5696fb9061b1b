"""Kurumadani's semi-regular models: all other directions act first at one order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from typing import Final

from rlct.algebra.positivity.definite import positive_off_origin
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem, TheoremBounds
from rlct.theorems.evidence import by_simulation, sharper_bounds
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, half_dimension, only_open
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.sizes import integer_parameter, known_instance
from rlct.theorems.working import step

_NO_ZERO: Final = "the forms have no common real zero but 0"
_MOST_POINTS: Final = 3**7  # directions with entries −1, 0, 1 that are tried as zeros

Form = dict[tuple[int, ...], Fraction]


@lru_cache(maxsize=64)
def _read(forms: str) -> tuple[Form, ...]:
    """The forms, by exponents in the variables that occur in any of them."""
    from rlct.algebra.polynomial import terms_of
    from rlct.questions.problem import Problem  # imports sympy

    texts = [text for text in map(str.strip, forms.split(";")) if text]
    return tuple(terms_of(g) for g in Problem.ideal(texts).generators)


def _sizes(forms: Sequence[Form]) -> tuple[int, set[int]]:
    """Number of variables, and the degrees of all terms."""
    return len(next(iter(forms[0]))), {sum(e) for form in forms for e in form}


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    d1 = arguments["rank"]
    rank = Finding.of("rank ≥ 0", d1 >= 0, f"rank {d1}")
    statement = "the forms are homogeneous polynomials of one degree m ≥ 1"
    try:
        forms = _read(arguments["forms"])
    except InputError as error:
        return rank, Finding.of(statement, False, str(error))
    count, degrees = _sizes(forms)
    alike = len(degrees) == 1 and 0 not in degrees
    degree = Finding.of(statement, alike, f"{count} variables, degrees {sorted(degrees)}")
    if not alike:
        return rank, degree
    return rank, degree, Finding(_NO_ZERO, *_definite(forms))


def _definite(forms: Sequence[Form]) -> tuple[Truth, str]:
    """Whether the forms vanish together at 0 only, with the reason."""
    count, _ = _sizes(forms)
    for point in product((1, 0, -1), repeat=count) if 3**count <= _MOST_POINTS else ():
        if any(point) and not any(_value_at(form, point) for form in forms):
            return Truth.FALSE, f"they vanish at {point}"
    open_variables = set(range(count))
    while squares := _vanishing(forms, open_variables):
        open_variables -= squares
    if not open_variables:
        return Truth.TRUE, "sums of even powers or single terms make one variable after the other 0"
    if len(open_variables) == 2:
        if _common_line([_without(form, open_variables) for form in forms], *open_variables):
            return Truth.FALSE, "they share a real line, by counting roots"
        return Truth.TRUE, "no real line is common, by counting roots"
    return _by_signs(
        [form for f in forms if (form := _without(f, open_variables))], sorted(open_variables)
    )


def _by_signs(forms: Sequence[Form], open_variables: Sequence[int]) -> tuple[Truth, str]:
    """The same for forms in three variables or more."""
    forms = [{tuple(e[k] for k in open_variables): c for e, c in form.items()} for form in forms]
    if len(forms) == 1:
        points = (
            product((1, 0, -1), repeat=len(open_variables))
            if 3 ** len(open_variables) <= _MOST_POINTS
            else ()
        )
        values = {_value_at(forms[0], point): point for point in points}
        low, high = min(values, default=Fraction(0)), max(values, default=Fraction(0))
        if low < 0 < high:
            return Truth.FALSE, f"the form changes sign between {values[low]} and {values[high]}"
    for form in forms:
        if sum(next(iter(form))) % 2 == 0:
            for sign in (1, -1):
                if positive_off_origin({e: sign * c for e, c in form.items()}):
                    return Truth.TRUE, "a form is definite, by a Gram matrix"
    if len(forms) > 1 and positive_off_origin(_squares(forms)):
        return Truth.TRUE, "the sum of the squares is positive, by a Gram matrix"
    return Truth.OPEN, "neither a zero nor a reason against one was found"


def _squares(forms: Sequence[Form]) -> Form:
    """Add up the squares of forms."""
    total: Form = {}
    for form in forms:
        for (a, c), (b, d) in product(form.items(), repeat=2):
            both = tuple(x + y for x, y in zip(a, b, strict=True))
            total[both] = total.get(both, Fraction(0)) + c * d
    return total


def _value_at(form: Form, point: Sequence[int]) -> Fraction:
    total = Fraction(0)
    for exponents, c in form.items():
        for x, e in zip(point, exponents, strict=True):
            c *= x**e
        total += c
    return total


def _without(form: Form, alive: set[int]) -> Form:
    """Set all other variables to zero."""
    return {e: c for e, c in form.items() if all(k in alive for k, x in enumerate(e) if x)}


def _vanishing(forms: Sequence[Form], alive: set[int]) -> set[int]:
    """Variables that vanish where a form without negative terms does."""
    vanishing = set()
    for form in forms:
        face = _without(form, alive)
        single = len(face) == 1
        even = not any(x % 2 for e in face for x in e) and len({c > 0 for c in face.values()}) == 1
        if single or even:
            vanishing |= {k for e in face for k, x in enumerate(e) if x and x == sum(e)}
    return vanishing


def _common_line(forms: Sequence[Form], x: int, y: int) -> bool:
    """Whether forms in two variables have a common real zero beside 0."""
    from sympy import QQ, Poly, Symbol

    t = Symbol("t")
    at_one = [Poly({(e[x],): c for e, c in form.items()}, t, domain=QQ) for form in forms if form]
    axis = not any(e[x] == sum(e) for form in forms for e in form)
    common = reduce(Poly.gcd, at_one)
    return axis or (common.degree() > 0 and common.count_roots() > 0)


def _value(arguments: Arguments) -> Pair:
    d1 = arguments["rank"]
    d2, (m,) = _sizes(_read(arguments["forms"]))
    return Pair(step(f"λ = {d1}/2 + {d2}/(2·{m})", Fraction(d1, 2) + Fraction(d2, 2 * m)), 1)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """The weighted bound, which no zero of the forms can spoil; without it the dimension."""
    if not only_open(arguments, "expansion", "interior"):
        return None
    d1 = arguments["rank"]
    lower = TheoremBounds("rank of the Fisher matrix", lower=Pair.of(f"{d1}/2")) if d1 else None
    if not only_open(arguments, "expansion"):
        return lower
    if only_open(arguments):
        return sharper_bounds(lower, TheoremBounds("weights", upper=_value(arguments)))
    return sharper_bounds(lower, half_dimension(d1 + _sizes(_read(arguments["forms"]))[0]))


def _question(arguments: Arguments) -> object | None:
    scores = [f"u_score{i}" for i in range(1, arguments["rank"] + 1)]
    return pose_question([*scores, *filter(None, map(str.strip, arguments["forms"].split(";")))])


THEOREM = Theorem(
    id="semi-regular",
    title="Semi-regular model",
    model="any model whose log density ratio has d_1 independent scores, all else of order m",
    where="at the true parameter",
    cites=("kurumadani2024",),
    parameters=(
        integer_parameter("rank", "d_1, rank of the Fisher information"),
        Parameter(
            "forms",
            Kind.TEXT,
            "terms of order m in the other parameters, modulo the scores, such as x^2;x*y;y^2",
        ),
        Parameter.given(
            "expansion",
            "K is comparable with |u|² + Σ_k (f_k + terms of higher order)² for the d_1 scores u "
            "as coordinates, f_k the forms, in d_2 other coordinates",
            fallback_text="d_1/2 ≤ λ ≤ (d_1 + d_2)/2",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    instances=(
        known_instance((1, "x^2"), "3/4", 1),
        known_instance((2, "x^2;x*y;y^2"), "3/2", 1, by_simulation()),
        known_instance((1, "x^3-2*x*y^2;x^2*y+y^3"), "5/6", 1),
        known_instance((0, "x^2+y^2;x*y;z^2"), "3/4", 1),
        known_instance((1, "x^4-x^2*y^2+y^4+z^4"), "7/8", 1),
    ),
    counterexamples=(
        Counterexample.against(_NO_ZERO, (2, "x*y"), ("3/2", 2), "u; v; x*y"),
        Counterexample.against(_NO_ZERO, (1, "x*y-x^2"), ("1", 2), "u; x*y - x**2"),
        Counterexample.against("expansion", (1, "x^2"), "2/3", "u + x**2; u + x**2 + x**3"),
        Counterexample.against("interior", (1, "x^2"), "5/4", "u; x**2", prior="x**2"),
    ),
)
