"""Wordings of the rules that read a pair off Newton polyhedra."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate.numbers.arithmetic import is_one_signed
from rlct.explain.programme import PROGRAMME_REASON, programme_sentences, proved_optimum
from rlct.explain.proved_step import (
    ProvedStep,
    Words,
    joined_items,
    monomial_text,
    pair_formula,
    quoted_names,
    shortened_polynomial,
    tuple_text,
    words_for,
)
from rlct.explain.reductions import bracketed_base

_TORIC_SOURCES = ("howald2001", "lin2011")


@words_for("hull")
def hull(step: ProvedStep) -> Words:
    """Bounds from the terms alone."""
    d = step.locals
    sentences = programme_sentences(step.data, step.prior[:d], step.names[:d])
    order = min(sum(m[:d]) for g in step.generators for m in g)
    return Words(
        "Bounds from the terms alone",
        (
            "`K` is at most a constant times the sum of the squares of all its monomials, so the "
            "pair of the ideal of these monomials is an upper bound:",
            *sentences,
            f"From below: a generator of order {order} makes `{{K < t}}` short in some direction "
            "(`λ ≥ 1/(2m)` for order `m`), and independent linear parts give half their number; "
            f"the better of the two is `λ ≥ {step.node.lower.lam}`.",
        ),
        page="conventions",
        sources=("lin2011",),
        why=PROGRAMME_REASON,
    )


@words_for("newton")
def newton(step: ProvedStep) -> Words:
    """Newton polyhedron with its faces."""
    from rlct.newton.polyhedron import vertices  # imports numpy

    exponents = sorted({m for g in step.generators for m in g})
    edge_points = step.data.get("points", [])
    sentences = programme_sentences(step.data, step.prior, step.names)
    one_signed_generators = [g for g in step.generators if is_one_signed(g) and len(g) > 1]
    faces = step.data.get("faces", [])
    corners = [exponents[k] for k in vertices(exponents)]
    inside = len(exponents) - len(corners)
    inner_text = (
        "; the other exponent lies in it" if inside == 1 else f"; {inside} more exponents lie in it"
    )
    text = [
        f"The Newton polyhedron in {quoted_names(step.names)} consists of all that lies on or "
        "above the convex hull of the exponents. Its vertices are "
        f"{joined_items(f'`{tuple_text(m)}`' for m in corners)}"
        f"{inner_text * (inside > 0)}.",
        *sentences,
        "This is the pair unless terms cancel.",
    ]
    if one_signed_generators:
        text.append(
            f"In {step.list(one_signed_generators[:3])} all terms have the same sign, so faces "
            "with one of them have no such zero."
        )
    text += [_face(step, face) for face in faces[:6]]
    if len(faces) > 6:
        text.append(f"{len(faces) - 6} more faces are settled by identities in the same way.")
    whole = "No compact face has" if not faces and not edge_points else "No other compact face has"
    text.append(f"{whole} zeros of this kind, by signs and by counting real roots on edges.")
    polyhedron = proved_optimum(step.data)
    if not edge_points and step.node.lower != polyhedron:
        text.append(
            f"The polyhedron alone has {pair_formula(polyhedron)}; with the zeros on its faces, "
            f"where the initial forms are coordinates beside the divisor, it is {step.result}."
        )
    after_children: tuple[str, ...] = ()
    if edge_points:
        where = joined_items(f"{label} ({step.pair(k)})" for k, label in enumerate(step.labels))
        text.append(
            f"{joined_items(step.labels, 12).capitalize()} look{'s' * (len(edge_points) == 1)} "
            "at the zeros on edges that could make the pair smaller: points of the toric "
            "blow-up, each with a germ of its own."
        )
        after_children = (
            "The pair is the least of that of the polyhedron and those at the points: "
            f"{where}. So {step.result}.",
        )
    return Words(
        "Newton polyhedron",
        tuple(text),
        after_children,
        sources=("varchenko1976", "lin2011"),
        why=(*PROGRAMME_REASON, _CANCEL_SENTENCE),
    )


_CANCEL_SENTENCE = (
    "Terms can cancel only where the terms on a compact face of the polyhedron (its initial forms) "
    "vanish together at a real point with no coordinate 0."
)


def _face(step: ProvedStep, face: dict[str, object]) -> str:
    on_face = f"On the face with inner normal `{tuple_text(face['weight'])}`"  # type: ignore[arg-type]
    if "order" in face:
        k = int(str(face["order"]))
        return (
            f"{on_face} the initial forms have real zeros of order at most {k}, which alone give "
            f"`λ ≥ 1/{2 * k}`."
        )
    if "rank" in face:
        s = int(str(face["rank"]))
        return (
            f"{on_face} the initial forms have real zeros, but their differentials there have rank "
            f"{s}, which alone gives `λ ≥ {Fraction(s, 2)}`."
        )
    if "cofactors" in face or "signs" in face or "basis" in face:
        return f"{on_face} an identity between the initial forms shows that they have no such zero."
    return f"{on_face} all real zeros of the initial forms are points that are treated below."


@words_for("monomials")
def monomials(step: ProvedStep) -> Words:
    """Monomials in coordinates."""
    coordinates = [step.poly(f) for f in step.data["coordinates"]]
    names = [f"y{k + 1}" for k in range(len(coordinates))]
    monomial_list = joined_items(
        f"`{monomial_text(row, names)}`"
        for row in dict.fromkeys(map(tuple, step.data["exponents"]))
    )
    coordinate_list = joined_items(f"`{n} = {c}`" for n, c in zip(names, coordinates, strict=True))
    prior = []
    for f in map(step.read, step.data["coordinates"]):
        m = next(iter(f))
        single_variable = len(f) == 1 and sum(m) == 1 and m.index(1) < step.locals
        prior.append(step.prior[m.index(1)] if single_variable else Fraction(0))
    sentences = programme_sentences(step.data, prior, names)
    return Words(
        "Monomials in other coordinates",
        (
            f"Put {coordinate_list}. Their differentials at the point are independent, so they "
            "are part of a coordinate system, and up to units the generators are the monomials "
            f"{monomial_list}.",
            *sentences,
        ),
        sources=_TORIC_SOURCES,
        why=PROGRAMME_REASON,
    )


@words_for("initial")
def initial(step: ProvedStep) -> Words:
    """Lower bound by initial monomials."""
    chosen_generators = [step.generators[k] for k in step.data["kept"]]
    order = step.data["order"]
    least_terms = []
    for g in chosen_generators:
        m = min(g, key=lambda m: _weight(order, m))
        least_terms.append(f"`{monomial_text(m[: step.locals], step.names[: step.locals])}`")
    return Words(
        "Initial monomials",
        (
            f"Give the variables {quoted_names(step.names[: step.locals])} the weights "
            f"`{tuple_text(order)}`. The term of least weight of each of "
            f"{step.list(chosen_generators)} is unique: {joined_items(least_terms)}.",
            *_programmes(
                step, [min(g, key=lambda m: _weight(order, m)) for g in chosen_generators]
            ),
        ),
        sources=("demailly2001", "howald2001"),
        why=(
            "Letting all terms but the first of each generator tend to 0 can only lower the "
            "threshold (semicontinuity), so the pair of the first terms is a lower bound.",
        ),
    )


@words_for("polyhedra")
def polyhedra(step: ProvedStep) -> Words:
    """A polyhedron for every generator."""
    leaves = list(_leaves(step.data["tree"]))
    cells = [leaf for leaf in leaves if "cases" in leaf]
    zeros = [leaf for leaf in cells if any(case["zeros"] for case in leaf["cases"])]
    upper_bounds = [leaf["attained"] for leaf in cells if "attained" in leaf]
    text = [
        f"Weights of the variables {quoted_names(step.names)} are divided by comparing terms of "
        f"one generator with each other, into {len(cells)} cells on which the initial forms that "
        "matter are the same.",
        f"In {len(cells) - len(zeros)} of them these have no common zero with all coordinates not "
        f"0; in {len(zeros)} they may vanish, with independent differentials, and are coordinates "
        "beside the divisors. Each gives a linear programme, and the least of them is "
        f"`λ ≥ {step.node.lower.lam}`.",
    ]
    if "weights" in step.data:
        w = step.data["weights"][0]
        text.append(f"From above: the exponents alone, with weight `v = {tuple_text(w)}`.")
    text += [
        f"From above, at a zero of the initial forms of {step.list(zero_generators)}: with weight "
        f"`v = {tuple_text(item['weights'][0])}`, that of the zero last."
        for item in upper_bounds
        for zero_generators in [[step.generators[i] for i in item["zeros"]]]
    ]
    return Words(
        "Newton polyhedra of the generators",
        tuple(text),
        sources=("khovanskii1977", "kapranov1991"),
        why=PROGRAMME_REASON,
    )


@words_for("independent")
def independent(step: ProvedStep) -> Words:
    """One programme for all faces."""
    used = [step.generators[k] for k in step.data["generators"]]
    new_count = len(step.data["weights"][0]) - len(step.names)
    names = [*step.names, *(f"z_{k + 1}" for k in range(new_count))]
    text = [
        f"In {step.list(used)} take the exponents of each generator less one of them: together "
        "they are independent vectors. For all coefficients, common zeros of initial forms are "
        "smooth on every face. So the pair is at least that of the monomials of each generator "
        "times a new variable, one for each generator that may vanish off the coordinate planes.",
        *programme_sentences(step.data, [*step.prior, *[Fraction(0)] * new_count], names),
    ]
    if "attained" in step.data:
        text.append("Terms of both signs are tied by all of them, so the bound is attained at 0.")
    return Words(
        "Independent exponents",
        tuple(text),
        sources=("howald2001", "kapranov1991"),
        why=PROGRAMME_REASON,
    )


@words_for("factor-polyhedra")
def factor_polyhedra(step: ProvedStep) -> Words:
    """A polyhedron for every factor of one generator."""
    factors = [(step.read(terms), e) for terms, e in step.data["factors"]]
    powers = joined_items(
        f"`{bracketed_base(shortened_polynomial(g, step.names))}{f'^{e}' if e > 1 else ''}`"
        for g, e in factors
    )
    leaves = [leaf for leaf in _leaves(step.data["tree"]) if "empty" not in leaf]
    meeting_factors = [leaf["zeros"] for leaf in leaves if "zeros" in leaf]
    text = [
        f"The generator is a unit (not 0 at the point) times {powers}.",
        f"Weights of the variables {quoted_names(step.names)} are divided by comparing terms of "
        f"one factor with each other, into {len(leaves)} cells on which all initial forms are the "
        "same. Initial forms that vanish together, at points with all coordinates not 0, have "
        "independent differentials there. So after a toric blow-up the generator is a product of "
        "powers of coordinates: those of the divisors, and the factors that vanish.",
        *programme_sentences(step.data, step.prior, step.names),
        "A factor with the exponent `e` that vanishes counts as `1/(2·e)` beside that.",
    ]
    text += [
        f"The factors {step.list(factors[i][0] for i in zeros)} do vanish together."
        for zeros in meeting_factors
    ]
    return Words(
        "Newton polyhedra of the factors",
        (*text, f"The least counts: {step.result}."),
        sources=("khovanskii1977", "kapranov1991"),
        why=PROGRAMME_REASON,
    )


@words_for("sign-change")
def sign_change(step: ProvedStep) -> Words:
    """Opposite signs near the point."""
    (f,) = step.generators
    weights, points = step.data["weights"], step.data["signs"]
    least = min(_weight(weights, m) for m in f)
    form = {m: c for m, c in f.items() if _weight(weights, m) == least}
    return Words(
        "A change of sign",
        (
            f"By the weights `{tuple_text(weights)}` the terms of least weight are "
            f"{step.list([form])}, of opposite signs at `{tuple_text(points[0])}` and "
            f"`{tuple_text(points[1])}`. Near the point the generator `f` has these signs at "
            "small scales, so it vanishes on all lines from near one to near the other, and "
            "`{|f| < t}` has volume `t` at least: `λ ≤ 1/2`.",
            f"From below, by the order and the linear part, `λ ≥ {step.node.lower.lam}`.",
        ),
        sources=("watanabe2009",),
    )


def _leaves(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "compare" not in node:
        yield node
        return
    for name in ("less", "equal", "more"):
        yield from _leaves(node[name])


def _weight(order: Sequence[int], m: Sequence[int]) -> int:
    return sum(w * e for w, e in zip(order, m, strict=False))


def _programmes(step: ProvedStep, least_exponents: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """The common power of outer variables, the programme of the others, and both together."""
    outer_variables = step.data.get("outer", [])
    inner = [name for j, name in enumerate(step.names[: step.locals]) if j not in outer_variables]
    lower_bound = step.node.lower
    sentences = [
        f"The linear programme in {quoted_names(inner)}, with weight "
        f"`v = {tuple_text(step.data['weights'][0])}`, gives `λ = {proved_optimum(step.data).lam}`."
    ]
    for j in outer_variables:
        k, h = least_exponents[0][j], step.prior[j]
        sentences.append(
            f"`{step.names[j]}` has the power `{k}` in all of them, a common factor, with prior "
            f"exponent `{h}`: `(1 + {h})/(2·{k}) = {(1 + h) / (2 * k)}`."
        )
    end = f"`λ ≥ {lower_bound.lam}`, and `θ ≤ {lower_bound.theta}` if it is equal"
    sentences.append(f"{'The least of these counts: ' if outer_variables else 'So '}{end}.")
    return tuple(sentences)
