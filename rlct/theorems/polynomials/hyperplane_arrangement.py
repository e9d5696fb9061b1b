"""Products of powers of linear forms."""

from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from rlct.algebra.flats import longest_chain, subspace_intersections
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.working import joined_terms, step

Forms = tuple[tuple[Fraction, ...], ...]
_MOST_FLATS: Final = 1000  # of which each costs an exact rank


@lru_cache(maxsize=32)
def _flats(forms: Forms) -> dict[frozenset[int], int]:
    """All intersections of the hyperplanes: the forms that vanish on each, and its codimension."""
    found = subspace_intersections([[tuple(map(Fraction, form))] for form in forms], _MOST_FLATS)
    if found is None:
        raise InputError(f"the arrangement has more than {_MOST_FLATS} flats")
    return found


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    forms, powers = arguments["forms"], arguments["powers"]
    shape_checks = bool(forms) and bool(forms[0]) and len({len(form) for form in forms}) == 1
    alike = shape_checks and len(powers or forms) == len(forms)
    shape_finding = Finding.of(
        "there is one positive power for each form, all in the same variables",
        alike and min(powers or (1,)) > 0,
        f"{len(forms)} forms",
    )
    if shape_finding.truth is Truth.FALSE:
        return (shape_finding,)
    zero = sum(not any(form) for form in forms)
    second = Finding.of("no form is zero", not zero, f"{zero} are")
    if zero:
        return shape_finding, second
    try:
        count = len(_flats(forms))
    except InputError as error:
        return shape_finding, second, Finding.of("the flats can be listed", False, str(error))
    return shape_finding, second, Finding.of("the flats can be listed", True, f"{count} flats")


def _value(arguments: Arguments) -> Pair:
    forms = arguments["forms"]
    powers = arguments["powers"] or (1,) * len(forms)
    codimensions = _flats(forms)
    lam = {
        flat: Fraction(codimension, 2 * sum(powers[i] for i in flat))
        for flat, codimension in codimensions.items()
    }
    least_lambda = min(lam.values())
    chosen = sorted((flat for flat in lam if lam[flat] == least_lambda), key=len)
    first = chosen[0]
    sizes = joined_terms(powers[i] for i in sorted(first))
    step("number of flats", len(lam))
    step(f"λ = codim W / (2 Σ s_i) = {codimensions[first]}/(2·({sizes}))", least_lambda)
    return Pair(
        least_lambda, step("longest chain of flats that reach it", len(longest_chain(chosen)))
    )


def _question(arguments: Arguments) -> object | None:
    forms = arguments["forms"]
    powers = arguments["powers"] or (1,) * len(forms)
    texts = [
        "(" + " + ".join(f"({c})*x{i}" for i, c in enumerate(form, start=1) if c) + f")**{power}"
        for form, power in zip(forms, powers, strict=True)
    ]
    return pose_question(["*".join(texts)])


def _instance(forms: str, powers: str, lam: str, theta: int) -> Instance:
    rows = tuple(tuple(map(Fraction, row.split(","))) for row in forms.split(";"))
    given: dict[str, Any] = {"forms": rows}
    if powers:
        given["powers"] = tuple(map(int, powers.split(",")))
    ways = (BY_ENGINE, by_simulation()) if len(rows) < 3 else (BY_ENGINE,)
    return Instance(given, Pair.of(lam, theta), ways)


THEOREM = Theorem(
    id="hyperplane-arrangement",
    title="Hyperplane arrangement",
    model="K = f², f a product of powers s_i of real linear forms l_i",
    where="at the origin",
    cites=("kosta2024",),
    parameters=(
        Parameter("forms", Kind.MATRIX, "coefficients of the linear forms, one a row"),
        Parameter("powers", Kind.INTEGERS, "s_1, s_2, …; 1 by default", None),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        _instance("1,0;0,1;1,1;1,-1", "", "1/4", 1),
        _instance("1,0,0;0,1,0;0,0,1;1,1,1", "", "3/8", 1),
        _instance("1,0;0,1", "", "1/2", 2),
        _instance("1,1;1,-1", "1,2", "1/4", 1),
        _instance("1,0;0,1;1,1", "2,1,1", "1/4", 2),
        _instance("1,0,0;0,1,0;1,1,0;0,0,1", "1,1,1,2", "1/4", 1),
    ),
    counterexamples=(
        Counterexample.against("interior", (((1, 0), (0, 1)),), "1/2", "x*y", prior="y**2"),
    ),
)
