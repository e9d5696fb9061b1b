"""The Newton polygon of an ideal in two variables, and the points where it is degenerate."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rlct.algebra.number_field import FieldElement, NumberField
from rlct.engine import limits
from rlct.engine.germs.leaves import encode_programme
from rlct.engine.plane_curves.curve import Chart, Curve, blow_up_curve, encode_number, map_curve
from rlct.engine.plane_curves.plane import (
    PlaneGerm,
    from_germ,
    plane_crossings,
    plane_hull,
    simplify_plane_germ,
)
from rlct.errors import OutOfTimeError
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.polygon import weight_of
from rlct.newton.real_roots import RealRoot, real_roots
from rlct.newton.univariate import (
    DensePolynomial,
    add_orders,
    gcd_over_field,
    nonzero_real_roots,
    without_zero,
)
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ
from rlct.system.time_limit import Budget

Exponent = tuple[int, int]


def prove_plane_ideal(germ: Germ, budget: Budget) -> Proof | None:
    """λ is that of the Newton polygon, or the least one at the zeros on its edges, blown up.

    Condition: two variables over Q; ``theory/newton.md`` proves that repeating it ends.
    None if out of time.

    >>> from rlct.questions.problem import Problem
    >>> prove_plane_ideal(Problem.ideal(["x**2-2*y**2", "x**3"]).germ(), Budget(None)).lower
    Pair(1/2, 2)
    """
    try:
        start = from_germ(germ)
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
        return None
    return prove_plane_germ(start, budget)


def prove_plane_germ(germ: PlaneGerm, budget: Budget, depth: int = 0) -> Proof:
    """Prove the pair of a germ, or bounds on it where a limit is reached."""
    if budget.spent or depth == limits.DEEPEST_PLANE_PROOF or _too_large(germ):
        return plane_hull(germ)
    try:
        simpler = simplify_plane_germ(germ)
        direct_result = plane_crossings(germ) or (polygon_bounds(germ) if simpler is None else None)
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
        return plane_hull(germ)
    if isinstance(direct_result, Proof):
        return direct_result
    if simpler is not None:
        operations, child = simpler
        proof = prove_plane_germ(child, budget, depth + 1)
        return Proof("simplify", proof.lower, proof.upper, {"operations": operations}, (proof,))
    assert direct_result is not None
    lower, upper, data, children = direct_result
    proofs = tuple(prove_plane_germ(child, budget, depth + 1) for child in children)
    return combine(lower, upper, data, proofs)


def combine(lower: Pair, upper: Pair, data: dict[str, Any], proofs: tuple[Proof, ...]) -> Proof:
    """Take the least of the polygon's pair and the pairs at the points."""
    for proof in proofs:
        lower = min(lower, proof.lower)
        upper = upper if proof.upper is None else min(upper, proof.upper)
    return Proof("newton", lower, upper, data, proofs)


def polygon_bounds(germ: PlaneGerm) -> tuple[Pair, Pair, dict[str, Any], list[PlaneGerm]]:
    """Bounds from the polygon, evidence, and the germs at the points that decide.

    ``theory/newton.md`` states and proves the rule, and that repeating it comes to an end.
    """
    vertices = germ.vertices
    optimum = monomial_optimum(vertices, germ.prior)
    toric_pair = optimum.pair
    central_vertices = {
        m for m in vertices if all(v[0] * m[0] + v[1] * m[1] == 1 for v in optimum.points)
    }
    lower, upper = toric_pair, toric_pair
    faces: list[dict[str, Any]] = []
    point_records: list[dict[str, Any]] = []
    children: list[PlaneGerm] = []
    for start, end in pairwise(vertices):
        edge = _edge(germ, weight_of(start, end), toric_pair.lam)
        if edge.order or edge.points:
            noted = {0: {}, 1: {"rank": 1}}.get(edge.order, {"order": edge.order})
            faces.append({"weight": list(edge.weight), **noted})
        for root in edge.points:
            point_records.append(_encode(edge.chart, root))
            children.append(_germ_at(germ, edge.chart, root))
        if edge.order:
            candidate = Pair(Fraction(1, 2 * edge.order), 1)
            if candidate.lam == toric_pair.lam and {start, end} <= central_vertices:
                # The strict transform crosses all the divisors that attain λ.
                candidate = Pair(toric_pair.lam, toric_pair.theta + 1)
            lower = min(lower, candidate)
            if edge.order == 1 and len(germ.cofactors) == 1:
                upper = min(upper, candidate)
    data = {**encode_programme(optimum, [list(m) for m in vertices]), "faces": faces}
    if point_records:
        data["points"] = point_records
    return lower, upper, data, children


@dataclass(frozen=True)
class _Edge:
    """Zeros of the initial forms: the order of those that need no look, and the others."""

    weight: Exponent
    chart: Chart
    order: int
    points: list[RealRoot]


def _edge(germ: PlaneGerm, weight: Exponent, toric_lam: Fraction) -> _Edge:
    field = germ.field
    chart, edge_direction = chart_of(weight, germ)
    factor_orders: list[tuple[DensePolynomial, int]] = []
    for f, m in germ.factors:
        factor_orders = add_orders(
            field, factor_orders, _dense(f.form(weight)[1], edge_direction, field), m
        )
    forms = [g.form(weight) for g in germ.cofactors]
    least = min(level for level, _ in forms)
    common: DensePolynomial = []
    for level, form in forms:
        if level == least:
            dense = _dense(form, edge_direction, field)
            common = gcd_over_field(field, dense, common)
    factor_orders = add_orders(field, factor_orders, common, 1)
    is_principal = len(germ.cofactors) == 1
    degree_spread = _spread(germ, chart[1])
    highest_order, zero_points = 0, []
    for p, order in factor_orders:
        if not nonzero_real_roots(field, p):
            continue
        if is_principal and order == 1:
            highest_order = max(highest_order, order)
            continue
        # Zeros with 1/(2·order) above λ change nothing; but rational ones may show the sign of K.
        harmless = 2 * order * toric_lam < 1
        visible = is_principal and field.degree == 1 and len(p) == 2
        needs_look = degree_spread <= limits.HIGHEST_CHART_DEGREE and (visible or not harmless)
        roots = real_roots(field, p, limits.LARGEST_PLANE_FIELD) if needs_look else None
        if roots is None:
            highest_order = max(highest_order, order)
        else:
            zero_points += roots
    return _Edge(weight, chart, highest_order, zero_points)


def chart_of(weight: Exponent, germ: PlaneGerm) -> tuple[Chart, Exponent]:
    """Chart x = s^p t^a, y = s^q t^b of determinant ±1, and the u with t = x^u on tori.

    Of the two least ones the one with the lower degrees in t is taken.
    """
    p, q = weight
    chart_choices: list[tuple[int, int, int, int]] = []
    for sign in (1, -1):
        # q·a − p·b = sign with a, b ≥ 0.
        a = next(a for a in range(p + 1) if (q * a - sign) % p == 0 and q * a >= sign)
        b = (q * a - sign) // p
        chart_choices.append((_spread(germ, (a, b)), a, b, sign))
    _, a, b, sign = min(chart_choices)
    return ((p, q), (a, b)), (sign * q, -sign * p)


def _spread(germ: PlaneGerm, weight: Exponent) -> int:
    """Bound on the highest less the least weighted degree of a generator."""

    def of(curve: Curve) -> int:
        degrees = [weight[0] * m + weight[1] * n for m, n in curve.terms]
        return max(degrees) - min(degrees)

    return sum(of(f) * m for f, m in germ.factors) + max(map(of, germ.cofactors))


def _dense(
    form: dict[Exponent, FieldElement], direction: Exponent, field: NumberField
) -> DensePolynomial:
    """The polynomial in t whose terms are those of a form, without the root 0."""
    u, _ = direction
    places = sorted((m // u, c) for (m, _), c in form.items())
    # Exponents of x differ by multiples of u on an edge, so that rounding cancels.
    first, last = places[0][0], places[-1][0]
    dense = [field.integer(0)] * (last - first + 1)
    for place, c in places:
        dense[place - first] = c
    return without_zero(dense)


def _encode(chart: Chart, root: RealRoot) -> dict[str, Any]:
    point: dict[str, Any] = {"chart": [list(row) for row in chart]}
    if root.image is not None:
        field = root.field
        point["field"] = {
            "minimal": list(field.modulus),
            "interval": [str(field.low), str(field.high)],
        }
        if any(root.image.top):
            point["image"] = encode_number(root.image)
    point["root"] = encode_number(root.value)
    return point


def _germ_at(germ: PlaneGerm, chart: Chart, root: RealRoot) -> PlaneGerm:
    """Germ at s = 0, t = root, in coordinates s and t − root."""
    field = root.field

    def pulled(curve: Curve) -> tuple[int, Curve]:
        if root.image is not None:
            curve = map_curve(curve, root.image, field)
        return blow_up_curve(curve, chart, root.value, field)

    (p, q), _ = chart
    divisor = p * germ.axes[0] + q * germ.axes[1]
    factors = []
    for f, m in germ.factors:
        order, strict = pulled(f)
        divisor += order * m
        factors.append((strict, m))
    moved = [pulled(g) for g in germ.cofactors]
    least = min(order for order, _ in moved)
    cofactors = tuple(
        Curve({(i + order - least, j): c for (i, j), c in g.terms.items()}, g.scale)
        for order, g in moved
    )
    h, k = germ.prior
    prior = (p * (1 + h) + q * (1 + k) - 1, Fraction(0))
    return PlaneGerm(field, (divisor + least, 0), tuple(factors), cofactors, prior)


def _too_large(germ: PlaneGerm) -> bool:
    curves = [f for f, _ in germ.factors] + list(germ.cofactors)
    rows = max(len({m for m, _ in g.terms}) for g in germ.cofactors)
    for f, m in germ.factors:
        rows = min(rows * len({i for i, _ in f.terms}) ** m, _spread(germ, (1, 0)) + 1)
    return rows * (_spread(germ, (0, 1)) + 1) > limits.MOST_EXPANDED_TERMS or any(
        e.bit_length() > limits.MOST_PLANE_BITS for f in curves for c in f.terms.values() for e in c
    )
