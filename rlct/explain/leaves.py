"""Wordings of the rules that end a branch of a proof."""

from collections.abc import Sequence
from fractions import Fraction

from rlct.blowup.writing import field_text
from rlct.certificate.numbers.arithmetic import (
    poly_power,
    poly_scale,
    poly_sum,
    read_number,
    read_polynomial,
)
from rlct.certificate.statement import Statement
from rlct.certificate.torus.points import read_field
from rlct.explain.programme import (
    MONOMIAL_REASON,
    PROGRAMME_REASON,
    monomial_sentences,
    programme_sentences,
)
from rlct.explain.proved_step import (
    ProvedStep,
    Words,
    joined_items,
    monomial_text,
    shortened_polynomial,
    tuple_text,
    words_for,
)
from rlct.explain.reductions import bracketed_base

_TORIC_SOURCES = ("howald2001", "lin2011")


@words_for("monomial")
def monomial(step: ProvedStep) -> Words:
    """Monomial ideals."""
    d = step.locals
    exponents = sorted({next(iter(g))[:d] for g in step.generators})
    names, prior = step.names[:d], step.prior[:d]
    monomials = [f"`{monomial_text(m, names)}`" for m in exponents]
    if len(exponents) == 1:
        text = (f"One monomial is left, {monomials[0]}, up to a factor that is nowhere 0.",)
        sentences = (*text, *monomial_sentences(exponents[0], prior, names))
        return Words("Normal crossing", sentences, page="conventions", why=MONOMIAL_REASON)
    text = (f"Only monomials are left: {joined_items(monomials)}.",)
    sentences = (*text, *programme_sentences(step.data, prior, names))
    return Words("Monomial ideal", sentences, sources=_TORIC_SOURCES, why=PROGRAMME_REASON)


@words_for("smooth")
def smooth(step: ProvedStep) -> Words:
    """Independent differentials."""
    linear_parts = [
        {m: c for m, c in g.items() if sum(m) == 1 and not step.prior[m.index(1)]}
        for g in step.generators
    ]
    count = len(linear_parts)
    if count == 1:
        text = (
            f"The linear part at the point, {step.list(linear_parts)}, is not 0.",
            "So the generator can be taken as a coordinate, and `K` is its square: `{K < t}` is an "
            "interval of radius `t^(1/2)` in it, of length about `t^(1/2)`.",
        )
    else:
        text = (
            f"The linear parts at the point, {step.list(linear_parts)}, are linearly independent.",
            f"So the {count} generators can be taken as coordinates, and `K` is the sum of the "
            f"squares of {count} coordinates: `{{K < t}}` is a ball of radius `t^(1/2)` in {count} "
            f"dimensions, of volume about `t^({Fraction(count, 2)})`.",
        )
    return Words("Regular point", text, page="conventions")


@words_for("crossings")
def crossings(step: ProvedStep) -> Words:
    """A unit times powers of coordinates."""
    factors = [(step.read(g), e) for g, e in step.data["factors"]]
    rows = []
    for g, e in factors:
        h = Fraction(0)
        if len(g) == 1:
            (m,) = g
            h = step.prior[next(i for i, x in enumerate(m) if x)]
        rows.append((shortened_polynomial(g, step.names), e, h, (1 + h) / (2 * e)))
    least_pole = min(row[3] for row in rows)
    count = sum(row[3] == least_pole for row in rows)
    return Words(
        "Normal crossings of coordinates",
        (
            "The generator is a unit (not 0 at the point) times "
            f"{joined_items(f'`({name})^{e}`' for name, e, *_ in rows)}, whose bases have "
            "independent differentials: they are coordinates, and the generator is a monomial in "
            "them.",
            "The first poles are "
            f"{joined_items(f'`(1 + {h})/(2·{e}) = {value}`' for _, e, h, value in rows)}; the "
            f"least is `λ = {least_pole}`, reached {count} time{'s' * (count > 1)}, so `θ = "
            f"{count}`.",
        ),
        page="conventions",
    )


@words_for("arrangement")
def arrangement(step: ProvedStep) -> Words:
    """Powers of forms that vanish on linear subspaces."""
    statement = step.node.statement
    assert isinstance(statement, Statement)
    field = read_field(step.data["field"]) if "field" in step.data else statement.field
    names, width = step.names, statement.width
    products, zero_forms, factor_orders = [], [], []
    for item in step.data["factors"]:
        forms = [read_polynomial(terms, width, field) for _, terms in item["summands"]]
        numbers = [read_number(number, field) for number, _ in item["summands"]]
        powers = [poly_power(form, item["degree"], width) for form in forms]
        q = poly_sum(*(poly_scale(g, c) for g, c in zip(powers, numbers, strict=True)))
        power = f"^{item['exponent']}" if item["exponent"] > 1 else ""
        products.append(f"`{bracketed_base(shortened_polynomial(q, names))}{power}`")
        zero_forms.append([f"`{shortened_polynomial(form, names)}`" for form in forms])
        factor_orders.append(item["degree"] * item["exponent"])
    for name, h in zip(names, step.prior, strict=True):
        if h:
            zero_forms.append([f"`{name}`"])
    root = f" Here `{field_text(step.data['field'])}`." if "field" in step.data else ""
    deepest = step.data["chain"][-1]
    vanishing_forms = joined_items(dict.fromkeys(form for i in deepest for form in zero_forms[i]))
    order = sum(factor_orders[i] for i in deepest if i < len(factor_orders))
    value, theta = step.node.lower.lam, step.node.lower.theta
    count = f"{theta} such subspace{'s lie' if theta > 1 else ' lies'}"
    return Words(
        "Arrangement of linear subspaces",
        (
            f"The generator is a unit (not 0 at the point) times {joined_items(products)}: linear "
            "forms, or sums of even powers of linear forms with positive coefficients, which "
            f"vanish on linear subspaces.{root}",
            "Blow up all intersections `W` of these subspaces, small ones first. Along `W` the "
            "Jacobian and the prior vanish to the order `codim W − 1 + Σ h`, the generator to the "
            "order of all factors that vanish on `W`, so that the pole is `(codim W + Σ h)/(2·order"
            ")`.",
            f"The least is `λ = {2 * order * value}/(2·{order}) = {value}`, on the zeros of "
            f"{vanishing_forms}. {count} in the longest chain of subspaces that reach it, so "
            f"`θ = {theta}`.",
        ),
        sources=("kosta2024", "watanabe2009"),
    )


@words_for("minors")
def minors(step: ProvedStep) -> Words:
    """All minors of one size of a matrix of variables."""
    entries, size, kind = step.data["entries"], step.data["size"], step.data["kind"]
    pair = step.node.lower
    rows = "; ".join(", ".join(_entry(x, step.names) for x in row) for row in entries)
    minors_text = f"Pfaffians of size {2 * size}" if kind == "skew" else f"minors of size {size}"
    return Words(
        "Minors of a matrix",
        (
            f"The generators are all {minors_text} of the {kind} matrix `({rows})`, up to factors.",
            f"For i pivots, i = 0 to {size - 1}, the block beside them has N(i) variables; the "
            f"least of `N(i)/(2({size} - i))` is `λ = {pair.lam}`, and `θ = {pair.theta}` "
            "of the i reach it.",
        ),
        sources=("johnson2003", "docampo2013"),
    )


def _entry(x: int, names: Sequence[str]) -> str:
    name = names[abs(x) - 1]
    return "0" if not x else name if x > 0 else f"-{name}"


@words_for("smooth-zeros")
def smooth_zeros(step: ProvedStep) -> Words:
    """Points of g = 0 where dg ≠ 0."""
    coordinates = [step.poly(f) for f in step.data["coordinates"]]
    names = [f"y{k + 1}" for k in range(len(coordinates))]
    named = joined_items(f"`{n} = {c}`" for n, c in zip(names, coordinates, strict=True))
    rows = dict.fromkeys(map(tuple, step.data["exponents"]))
    return Words(
        "Smooth zeros",
        (
            "An identity shows that the polynomial that vanishes at these points has no critical "
            "point there: it is one more coordinate.",
            f"With {named} the generators are, up to units, "
            f"{joined_items(f'`{monomial_text(row, names)}`' for row in rows)}: their linear "
            f"programme, with weight `v = {tuple_text(step.data['weights'][0])}`, gives "
            f"{step.result}.",
        ),
        sources=_TORIC_SOURCES,
    )
