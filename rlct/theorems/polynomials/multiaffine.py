"""Squares of polynomials of degree one in each variable."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, Final

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, ValueConfirmation, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.working import step

Terms = Mapping[frozenset[int], Fraction]
_MOST_TERMS: Final = 500  # of which products of two are expanded for a pair of variables


def _coefficients(arguments: Arguments) -> tuple[Fraction, ...]:
    rows = arguments["exponents"]
    given: tuple[Fraction, ...] | None = arguments["coefficients"]
    return (Fraction(1),) * len(rows) if given is None else given


def _terms(arguments: Arguments) -> Terms:
    """Each monomial as the set of its variables."""
    sets = (frozenset(i for i, e in enumerate(row) if e) for row in arguments["exponents"])
    return dict(zip(sets, _coefficients(arguments), strict=True))


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    rows, coefficients = arguments["exponents"], _coefficients(arguments)
    entries = {e for row in rows for e in row}
    return (
        Finding.of(
            "there are different monomials in the same variables, each with a coefficient not 0",
            len({len(row) for row in rows}) == 1
            and len(set(rows)) == len(rows) == len(coefficients)
            and all(coefficients),
            f"{len(rows)} monomials, {len(coefficients)} coefficients",
        ),
        Finding.of(
            "f has degree at most one in each variable",
            entries <= {0, 1},
            f"exponents {', '.join(map(str, sorted(entries)))}",
        ),
        Finding.of("f vanishes at the point", all(map(any, rows)), "its constant term"),
    )


def _product(f: Terms, g: Terms) -> dict[tuple[int, ...], Fraction]:
    """Expand f·g: exponents are sorted lists of variables, with repetition."""
    expanded: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for (one, a), (other, b) in product(f.items(), g.items()):
        expanded[tuple(sorted([*one, *other]))] += a * b
    return expanded


def _apart(terms: Terms, x: int, y: int) -> bool:
    """Whether x and y are in different factors: ad = bc for f = axy + bx + cy + d."""
    parts: dict[tuple[bool, bool], dict[frozenset[int], Fraction]] = {
        (one, other): {} for one in (True, False) for other in (True, False)
    }
    for variables, c in terms.items():
        parts[x in variables, y in variables][variables - {x, y}] = c
    outer = _product(parts[True, True], parts[False, False])
    inner = _product(parts[True, False], parts[False, True])
    return all(outer[m] == inner[m] for m in {*outer, *inner})


def _factors(terms: Terms) -> list[set[int]]:
    """The variables of each irreducible factor: x joins the factor of any y it is not apart of."""
    factors: list[set[int]] = []
    for x in sorted(frozenset().union(*terms)):
        home = next((factor for factor in factors if not _apart(terms, x, min(factor))), None)
        if home is None:
            factors.append({x})
        else:
            home.add(x)
    return factors


def _value(arguments: Arguments) -> Pair:
    terms = _terms(arguments)
    factors = _factors(terms)
    # A factor vanishes at the point if no monomial of f is free of its variables.
    there = [factor for factor in factors if all(factor & variables for variables in terms)]
    step("irreducible factors", len(factors))
    lam = step("each factor that vanishes: λ = 1/(2·1)", Fraction(1, 2))
    return Pair(lam, step("factors that vanish at the point, θ", len(there)))


def _question(arguments: Arguments) -> object | None:
    def monomial(variables: Iterable[int], c: Fraction) -> str:
        return "*".join([f"({c})", *(f"x{i + 1}" for i in sorted(variables))])

    return pose_question([" + ".join(monomial(v, c) for v, c in _terms(arguments).items())])


def _recognise(question: object) -> Arguments | None:
    germ = getattr(question, "germ", None)
    if germ is None:
        return None
    from rlct.algebra.polynomial import terms_of  # imports sympy

    local_germ = germ()
    generators = local_germ.generators
    if not local_germ.is_ideal or len(generators) != 1 or any(local_germ.prior):
        return None
    if local_germ.field is not None or len(generators[0]) > _MOST_TERMS:
        return None
    terms = terms_of(generators[0])
    if any(e > 1 for exponents in terms for e in exponents):
        return None
    return {"exponents": tuple(terms), "coefficients": tuple(terms.values())}


def _rows(words: str) -> tuple[tuple[int, ...], ...]:
    letters = sorted(set(words) - {" "})
    return tuple(tuple(word.count(letter) for letter in letters) for word in words.split())


def _instance(words: str, theta: int, *ways: ValueConfirmation, coefficients: str = "") -> Instance:
    given: dict[str, Any] = {"exponents": _rows(words)}
    if coefficients:
        given["coefficients"] = tuple(map(Fraction, coefficients.split()))
    return Instance(given, Pair.of("1/2", theta), (BY_ENGINE, *ways))


THEOREM = Theorem(
    id="multiaffine",
    title="Square of a multiaffine polynomial",
    model="K = f², f of degree at most one in each variable, f = 0 at the point",
    where="at the origin",
    cites=("bath2024 (irreducible f has rational singularities)", "demailly2001"),
    parameters=(
        Parameter("exponents", Kind.ROWS, "a row of 0 and 1 for each monomial"),
        Parameter("coefficients", Kind.FRACTIONS, "of the monomials; 1 by default", None),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    recognise=_recognise,
    instances=(
        _instance("xy", 2, by_simulation()),
        _instance("xy yz zx", 1),
        _instance("ad bc", 1, coefficients="1 -1"),
        _instance("abc abd acd bcd", 1),
        _instance("xu xv yu yv", 2),
        _instance("x yz wx wyz", 1),
    ),
    counterexamples=(
        Counterexample.against("degree at most one", (((2, 1),),), "1/4", "x**2*y"),
        Counterexample.against("prior_positive", (((1, 1),),), "1/2", "x*y", prior="y**2"),
    ),
)
