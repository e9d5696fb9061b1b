"""The rules: what each asks of a germ and its witness, and the ends of the pair that it proves."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rlct.kernel import algebra
from rlct.kernel.algebra import (
    Numbers,
    QPoly,
    combine,
    demand,
    identity,
    is_in,
    naturals,
    polys,
    product,
    vectors,
)

QPair = tuple[Fraction, int]
Ends = tuple[QPair | None, QPair | None]  # lower, upper
ONE_HALF = Fraction(1, 2)


class LocalGerm(NamedTuple):
    """K = Σ g² (an ideal) or |g| near 0, with the density Π |x_i|^h_i, in some variables."""

    prior: Sequence[Fraction]
    variables: tuple[int, ...]
    is_ideal: bool
    generators: list[QPoly]

    def ideal(self, generators: Iterable[QPoly], **changes: Any) -> "LocalGerm":
        """Return the ideal of polynomials, in the same variables with the same density."""
        return self._replace(generators=list(generators), is_ideal=True, **changes)


def check(germ: LocalGerm, witness: Any) -> Ends:
    """Apply the rule of a witness."""
    algebra.STEP_BUDGET.spend(1)
    return KERNEL_RULES[witness["rule"]](germ, witness)


def by_size(pair: QPair) -> tuple[Fraction, int]:
    """Put a smaller λ first, then a larger θ."""
    return pair[0], -pair[1]


def changed(change: Callable[..., QPair], *ends: Ends) -> Ends:
    """Change lower ends and upper ends, where there are any."""
    lower, upper = (None if None in side else change(*side) for side in zip(*ends, strict=True))
    return lower, upper


def least(pairs: Iterable[QPair | None]) -> QPair | None:
    """Return the least pair that there is."""
    return min((pair for pair in pairs if pair), key=by_size, default=None)


def both(germ: LocalGerm, witness: Any) -> Ends:
    """Take the best ends of several proofs."""
    lower, upper = zip(*(check(germ, part) for part in witness["of"]), strict=True)
    return max((pair for pair in lower if pair), key=by_size, default=None), least(upper)


def squares(germ: LocalGerm, witness: Any) -> Ends:
    """K = Σ c g² with c > 0 lies between multiples of Σ g²."""
    (numbers,), roots = vectors([witness["numbers"]]), polys(witness["roots"])
    constants = [QPoly({(0,) * len(germ.prior): c}) for c in numbers]
    squared = [g * g for g in roots]
    demand(not germ.is_ideal, all(c > 0 for c in numbers))
    demand(germ.generators == [combine(constants, squared)])
    return check(germ.ideal(roots), witness["of"])


def power(germ: LocalGerm, witness: Any) -> Ends:
    """A unit times r^k: λ is that of r² divided by k, and twice that for |g|."""
    (k,), (root, unit) = naturals([witness["exponent"]]), polys(witness["factors"])
    demand(k, unit.at_origin(), germ.generators == [unit * root**k])
    scale = Fraction(1 if germ.is_ideal else 2, k)
    return changed(lambda p: (p[0] * scale, p[1]), check(germ.ideal([root]), witness["of"]))


def split(germ: LocalGerm, witness: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Read two sets of variables that have none in common."""
    v, w = map(naturals, witness["variables"])
    demand(len({*v, *w}) == len(v + w), {*v, *w} <= {*germ.variables})
    return v, w


def separate_sum(germ: LocalGerm, witness: Any) -> Ends:
    """Take generators in separate variables: λ add, and so do θ − 1."""
    v, w = split(germ, witness)
    first, second = ([g for g in germ.generators if is_in(v, g) is flag] for flag in (True, False))
    demand(germ.is_ideal, is_in(w, *second))
    germs = germ.ideal(first, variables=v), germ.ideal(second, variables=w)
    ends = map(check, germs, witness["of"])
    return changed(lambda p, q: (p[0] + q[0], p[1] + q[1] - 1), *ends)


def separate_product(germ: LocalGerm, witness: Any) -> Ends:
    """Take factors in separate variables: the smaller λ, and both θ where they are equal."""
    v, w = split(germ, witness)
    (unit, factor), cofactors = polys(witness["factors"]), polys(witness["cofactors"])
    demand(unit.at_origin(), is_in(v, factor), is_in(w, *cofactors))
    demand(germ.generators == [unit * factor * g for g in cofactors])
    parts = [(v, [factor]), (w, cofactors)]
    germs = [germ._replace(variables=x, generators=y) for x, y in parts]
    ends = map(check, germs, witness["of"])
    return changed(lambda p, q: (p[0], p[1] + q[1]) if p[0] == q[0] else min(p, q), *ends)


def optimal_face(
    germ: LocalGerm, monomials: Iterable[Numbers], witness: Any
) -> tuple[Fraction, list[list[Fraction]]]:
    """Return the least Σ w_i (1 + h_i) with w ≥ 0 and all w·m ≥ 1, and weights that span its face.

    Multipliers prove the value.  An optimal w has w·m = 1 where m has a multiplier, and w_i = 0
    where there is slack.  `complement` writes the identity by these conditions and the spread of
    the weights, of which `inverse` is a left inverse: the weights are independent, and all of
    the face is in their hull.
    """
    costs, units = [1 + germ.prior[i] for i in germ.variables], identity(len(germ.variables))
    rows = [[m[i] for i in germ.variables] for m in monomials]
    weights, inverse, complement, (multipliers,) = map(vectors, witness)
    value = sum(multipliers, Fraction(0))
    demand(weights, all(x >= 0 for row in [*weights, multipliers] for x in row))
    demand(all(x >= 1 for row in product(weights, rows) for x in row))
    demand(product(weights, [costs]) == [[value]] * len(weights))
    (loads,) = product([multipliers], [[row[j] for row in rows] for j in range(len(costs))])
    demand(all(x <= c for x, c in zip(loads, costs, strict=True)))
    spread = [[x - y for x, y in zip(w, weights[0], strict=True)] for w in weights[1:]]
    demand(product(inverse, spread) == identity(len(spread)))
    tight: list[Numbers] = [row for row, u in zip(rows, multipliers, strict=True) if u]
    tight += [e for e, x, c in zip(units, loads, costs, strict=True) if x < c]
    factors = [[*(s[j] for s in spread), *row] for j, row in enumerate(complement)]
    columns = zip(*inverse, *tight, strict=True)
    demand(product(factors, [*columns]) == units)
    return value, weights


def monomial(germ: LocalGerm, witness: Any) -> Ends:
    """Take terms: half the value of their programme, and the number of weights of its face."""
    demand(germ.is_ideal, is_in(germ.variables, *germ.generators))
    value, weights = optimal_face(germ, [m for (m,) in germ.generators], witness["programme"])
    return ((value / 2, len(weights)),) * 2


def compare(germ: LocalGerm, witness: Any) -> Ends:
    """Σ h² ≤ C Σ g², or the reverse: each, times a unit, is a combination of the others."""
    demand(germ.is_ideal)
    large, small = germ.generators, polys(witness["generators"])
    ends = list(check(germ.ideal(small), witness["of"]))
    for k, multiples in enumerate((witness["lower"], witness["upper"])):
        if multiples is None:
            ends[k] = None
        else:
            for h, (unit, *factors) in zip(small, map(polys, multiples), strict=True):
                demand(unit.at_origin(), unit * h == combine(factors, large))
        large, small = small, large
    return ends[0], ends[1]


def coordinates(germ: LocalGerm, witness: Any) -> Ends:
    """G = H(f), with coordinates f in place of variables that the density does not have."""
    moved, axes = naturals(witness["variables"]), identity(len(germ.prior))
    images, generators = polys(witness["images"]), polys(witness["generators"])
    demand(germ.is_ideal, len({*moved}) == len(moved), {*moved} <= {*germ.variables})
    demand(not any(germ.prior[i] for i in moved), not any(f.at_origin() for f in images))
    demand(is_in(germ.variables, *images, *generators))
    slopes = [[f.get(tuple(axes[i]), Fraction(0)) for f in images] for i in moved]
    demand(product(vectors(witness["inverse"]), slopes) == identity(len(moved)))
    change = dict(zip(moved, images, strict=True))
    demand(germ.generators == [h.compose(change) for h in generators])
    return check(germ.ideal(generators), witness["of"])


def changing(germ: LocalGerm, witness: Any) -> QPoly:
    """Return an initial form of the generator that has opposite signs in one orthant."""
    (g,), (weight, *points) = germ.generators, vectors(witness)
    demand(germ.is_ideal, is_in(germ.variables, g), all(w > 0 for w in weight))
    heights = dict(zip(g, *product([weight], [*g]), strict=True))
    form = g.only(m for m in g if heights[m] == min(heights.values()))
    constants = [{i: QPoly({(0,) * len(p): x}) for i, x in enumerate(p)} for p in points]
    x, y = (form.compose(constant).at_origin() for constant in constants)
    demand(x * y < 0, all(s * t > 0 for _, s, t in zip(weight, *points, strict=True)))
    return form


def sign_change(germ: LocalGerm, witness: Any) -> Ends:
    """Bound the pair by that of a hypersurface of zeros."""
    demand(changing(germ, witness["signs"]))
    return None, (ONE_HALF, 1)


def closed(conditions: Sequence[tuple[bool, Numbers]], witness: Any) -> None:
    """Check by multipliers that no w > 0 has w·d > 0 (strict) or = 0 for all conditions d."""
    (multipliers,) = vectors([witness])
    strict = [u for (is_strict, _), u in zip(conditions, multipliers, strict=True) if is_strict]
    (sums,) = product([multipliers], [*zip(*(d for _, d in conditions), strict=True)])
    demand(all(u >= 0 for u in strict), all(s <= 0 for s in sums), any(strict) or any(sums))


def walk(points: Sequence[Numbers], tree: Any, leaf: Callable[[list[Any], Any], None]) -> None:
    """Visit the points of least weight for all w > 0: each is compared with the least so far."""
    todo: list[Any] = [(points[1:], points[:1], [], tree)]
    while todo:
        later, lowest, conditions, node = todo.pop()
        algebra.STEP_BUDGET.spend(1 + len(conditions))
        if "closed" in node:
            closed(conditions, node["closed"])
        elif not later:
            leaf(lowest, node)
        else:
            d = [x - y for x, y in zip(later[0], lowest[0], strict=True)]
            branches = (
                (True, d, lowest),
                (False, d, [later[0], *lowest]),
                (True, [-x for x in d], later[:1]),
            )
            for (is_strict, row, tied), child in zip(branches, node["branches"], strict=True):
                todo.append((later[1:], tied, [(is_strict, row), *conditions], child))


def chart(germ: LocalGerm, witness: Any) -> tuple[LocalGerm, QPoly]:
    """Return the germ at s = 0, t = c of x = s^p t^a, y = s^q t^b, and the equation y^p = c x^q."""
    (p, q), (a, b) = map(naturals, witness["chart"])
    ((c,),), (i, j), axes = vectors([[witness["root"]]]), germ.variables, identity(len(germ.prior))
    demand(p, q, c, p * b == q * a + 1)
    s, t = (QPoly({tuple(axes[k]): Fraction(1)}) for k in (i, j))
    moved = t + QPoly({(0,) * len(axes): c})
    prior = [*germ.prior]
    prior[i], prior[j] = p * (1 + prior[i]) + q * (1 + prior[j]) - 1, Fraction(0)
    generators = [g.compose({i: s**p * moved**a, j: s**q * moved**b}) for g in germ.generators]
    equation = t**p + QPoly({(0,) * len(axes): -c}) * s**q
    return germ.ideal(generators, prior=prior), equation


def slopes(form: QPoly, variables: Iterable[int]) -> list[QPoly]:
    """Return x_i times the derivative by x_i."""
    return [QPoly({m: c * m[i] for m, c in form.items() if m[i]}) for i in variables]


def newton(germ: LocalGerm, witness: Any) -> Ends:
    """Take the programme of all terms, if no initial form has zeros in the torus.

    One generator may have zeros where a derivative is not 0, if "smooth": they count as (1/2, 1),
    and may meet the optimal face unless that is "free" of them.  In two variables, zeros may lie
    on listed points of charts, and the germs there count.
    """
    exponents = [*map(naturals, witness["order"])]
    is_smooth, is_free = witness["smooth"] is True, witness["free"] is True
    demand(germ.is_ideal, {*exponents} == {m for g in germ.generators for m in g})
    demand(is_in(germ.variables, *germ.generators), not is_smooth or len(germ.generators) == 1)
    value, weights = optimal_face(germ, exponents, witness["programme"])
    places = [chart(germ, part) for part in witness["points"]]

    def is_top(monomials: Iterable[Numbers]) -> bool:
        rows = [[m[i] for i in germ.variables] for m in monomials]
        return all(x == 1 for row in product(weights, rows) for x in row)

    def leaf(lowest: list[tuple[int, ...]], node: Any) -> None:
        forms, (form,) = [g.only(lowest) for g in germ.generators], polys(node["form"])
        if node["derivatives"]:
            demand(is_smooth, not (is_free and is_top(lowest)))
            forms += slopes(forms[0], germ.variables)
        demand(form.is_one_signed())
        for (_, equation), k in zip(places, naturals(node["orders"]), strict=True):
            form = form * equation**k
        demand(form == combine(polys(node["factors"]), forms))

    walk(exponents, witness["tree"], leaf)
    lower: list[QPair | None] = [(value / 2, len(weights))]
    upper: list[QPair | None] = []
    if is_smooth and value >= 1:
        lower = [(ONE_HALF, len(weights) + (not is_free) if value == 1 else 1)]
    if is_smooth and value == 1 and witness["signs"] is not None:
        demand(is_top(changing(germ, witness["signs"])))
        upper = [(ONE_HALF, len(weights) + 1)]
    for (place, _), part in zip(places, witness["points"], strict=True):
        low, high = check(place, part["of"])
        lower, upper = [*lower, low], [*upper, high]
    return None if None in lower else least(lower), least(upper)


def local_germ(question: Any, source: Any) -> LocalGerm:
    """Move the germ of a question at a point to the origin, and unfold the ends of its domain.

    After x = a ± y^q, where q is even at an end of the domain and odd elsewhere, the density
    |x|^h is |y|^(q(h + 1) − 1) if a = 0, and |y|^(q − 1) times a unit otherwise.
    """
    point, prior = vectors([source["point"], question["prior"]])
    is_box, powers = question["kind"] == "box", naturals(source["powers"])
    walls = [["0" if wall else None, None] for wall in question.get("nonneg", ())]
    sides, axes = question["sides"] if is_box else walls, identity(len(prior))
    images, density = {}, []
    for i, (a, q, h, side) in enumerate(zip(point, powers, prior, sides, strict=True)):
        low, high = (None if end is None else vectors([[end]])[0][0] for end in side)
        demand(h > -1, q, low is None or low <= a, high is None or a <= high)
        demand((q % 2 == 0) == (a in (low, high)), low is None or low != high)
        power = QPoly({tuple(q * e for e in axes[i]): Fraction(-1 if a == high else 1)})
        images[i] = power + QPoly({(0,) * len(axes): a})
        density.append(q * (1 + h) - 1 if a == 0 else Fraction(q - 1))
    generators = [g.compose(images) for g in polys(question["generators"])]
    is_ideal = question["ideal"] is True if is_box else question["kind"] == "ideal"
    demand(is_ideal or len(generators) == 1)
    return LocalGerm(density, tuple(range(len(axes))), is_ideal, [g for g in generators if g])


def prove(question: Any, proof: Any) -> Ends:
    """Apply the rules at the point of a question; in a box, any point bounds from above."""
    demand(question["kind"] in ("K", "ideal", "box"))
    if question["kind"] == "box":
        return None, check(local_germ(question, proof), proof["of"])[1]
    return check(local_germ(question, question), proof)


KERNEL_RULES: dict[str, Callable[[LocalGerm, Any], Ends]] = {
    "both": both,
    "compare": compare,
    "coordinates": coordinates,
    "monomial": monomial,
    "newton": newton,
    "power": power,
    "product": separate_product,
    "sign-change": sign_change,
    "squares": squares,
    "sum": separate_sum,
}
