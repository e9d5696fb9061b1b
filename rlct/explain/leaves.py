"""Wordings of the rules that end a branch of a proof."""

from __future__ import annotations

from fractions import Fraction

from rlct.explain.programme import SINGLE, WHY, programme, single
from rlct.explain.told import (
    Told,
    Wording,
    Words,
    listing,
    monomial_text,
    shown,
    tuple_text,
)

__all__ = ["LEAVES"]

_TORIC = ("howald2001", "lin2011")


def monomial(told: Told) -> Words:
    """Monomial ideals."""
    d = told.locals
    exponents = sorted({next(iter(g))[:d] for g in told.generators})
    names, prior = told.names[:d], told.prior[:d]
    monomials = [f"`{monomial_text(m, names)}`" for m in exponents]
    if len(exponents) == 1:
        text = (f"One monomial is left, {monomials[0]}, up to a factor that is nowhere 0.",)
        said = (*text, *single(exponents[0], prior, names))
        return Words("Normal crossing", said, page="conventions", why=SINGLE)
    text = (f"Only monomials are left: {listing(monomials)}.",)
    said = (*text, *programme(told.data, prior, names))
    return Words("Monomial ideal", said, page="newton", sources=_TORIC, why=WHY)


def smooth(told: Told) -> Words:
    """Independent differentials."""
    linear = [
        {m: c for m, c in g.items() if sum(m) == 1 and not told.prior[m.index(1)]}
        for g in told.generators
    ]
    r = len(linear)
    if r == 1:
        text = (
            f"The linear part at the point, {told.list(linear)}, is not 0.",
            "So the generator can be taken as a coordinate, and `K` is its square: `{K < t}` is an "
            "interval of radius `t^(1/2)` in it, of length about `t^(1/2)`.",
        )
    else:
        text = (
            f"The linear parts at the point, {told.list(linear)}, are linearly independent.",
            f"So the {r} generators can be taken as coordinates, and `K` is the sum of the squares "
            f"of {r} coordinates: `{{K < t}}` is a ball of radius `t^(1/2)` in {r} dimensions, of "
            f"volume about `t^({Fraction(r, 2)})`.",
        )
    return Words("Regular point", text, page="conventions")


def crossings(told: Told) -> Words:
    """A unit times powers of coordinates."""
    factors = [(told.read(g), e) for g, e in told.data["factors"]]
    rows = []
    for g, e in factors:
        h = Fraction(0)
        if len(g) == 1:
            (m,) = g
            h = told.prior[next(i for i, x in enumerate(m) if x)]
        rows.append((shown(g, told.names), e, h, (1 + h) / (2 * e)))
    least = min(row[3] for row in rows)
    count = sum(row[3] == least for row in rows)
    return Words(
        "Normal crossings of coordinates",
        (
            "The generator is a unit (not 0 at the point) times "
            f"{listing(f'`({name})^{e}`' for name, e, *_ in rows)}, whose bases have independent "
            "differentials: they are coordinates, and the generator is a monomial in them.",
            "The first poles are "
            f"{listing(f'`(1 + {h})/(2·{e}) = {value}`' for _, e, h, value in rows)}; the least is "
            f"`λ = {least}`, reached {count} time{'s' * (count > 1)}, so `θ = {count}`.",
        ),
        page="conventions",
    )


def unresolved(told: Told) -> Words:
    """Nothing but the bound of the degree."""
    return Words(
        "Left open",
        (
            "Nothing better is known at these points than the bound by the degree: a generator of "
            f"degree `D` that is nowhere zero gives `λ ≥ 1/(2D)`, here {told.result}.",
        ),
        page="blowups",
    )


def smooth_zeros(told: Told) -> Words:
    """Points of g = 0 where dg ≠ 0."""
    coordinates = [told.poly(f) for f in told.data["coordinates"]]
    names = [f"y{k + 1}" for k in range(len(coordinates))]
    named = listing(f"`{n} = {c}`" for n, c in zip(names, coordinates, strict=True))
    rows = dict.fromkeys(map(tuple, told.data["exponents"]))
    return Words(
        "Smooth zeros",
        (
            "An identity shows that the polynomial that vanishes at these points has no critical "
            "point there: it is one more coordinate.",
            f"With {named} the generators are, up to units, "
            f"{listing(f'`{monomial_text(row, names)}`' for row in rows)}: their linear programme, "
            f"with weight `v = {tuple_text(told.data['weights'][0])}`, gives {told.result}.",
        ),
        page="blowups",
        sources=_TORIC,
    )


LEAVES: dict[str, Wording] = {
    "monomial": monomial,
    "smooth": smooth,
    "crossings": crossings,
    "open": unresolved,
    "smooth-zeros": smooth_zeros,
}
