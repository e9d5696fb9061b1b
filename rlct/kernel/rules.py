"""The rules: what each asks of a germ and its witness, and the ends of the pair that it proves."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rlct.kernel import algebra
from rlct.kernel.algebra import QExponents, QPoly, combine, demand, is_in, polys, product, qpoly

QPair = tuple[Fraction, int]  # (λ, −θ), in the order of Python
Ends = tuple[QPair, QPair]  # the pair is at least, at most
KERNEL_RULES = ("coordinates", "monomial", "newton", "sum")


class LocalGerm(NamedTuple):
    """K = Σ g² near 0, with the density Π |x_i|^h_i."""

    prior: Sequence[Fraction]
    generators: list[QPoly]

    def check(self, witness: Any) -> Ends:
        """Apply the rule of a witness."""
        algebra.spend(1)
        demand(witness.rule in KERNEL_RULES)
        ends: Ends = getattr(self, witness.rule)(witness)
        return ends

    def sum(self, witness: Any) -> Ends:
        """Generators are in separate variables: λ add, and so do θ − 1."""
        v, w = witness.variables
        first, second = ([g for g in self.generators if is_in(v, g) is t] for t in (True, False))
        demand(not {*v} & {*w}, is_in(w, *second))
        parts = zip((first, second), witness.of, strict=True)
        (p, q), (r, s) = (LocalGerm(self.prior, part).check(proof) for part, proof in parts)
        return (p[0] + r[0], p[1] + r[1] + 1), (q[0] + s[0], q[1] + s[1] + 1)

    def coordinates(self, witness: Any) -> Ends:
        """G = H(f), with coordinates f in place of variables that the density does not have."""
        images, new = polys(witness.images), polys(witness.generators)
        axes, moved = algebra.identity(len(self.prior)), witness.variables
        demand(len({*moved}) == len(moved), not any(self.prior[i] for i in moved))
        slopes = [[f.get(axes[i], 0) for f in images] for i in moved]
        demand(product(witness.inverse, slopes) == algebra.identity(len(moved)))
        change = [qpoly({e: 1}) for e in axes]
        for i, f in zip(moved, images, strict=True):
            change[i] = f
        demand(self.generators == [h.compose(change) for h in new])
        demand(not any(f.at_origin() for f in images))
        return LocalGerm(self.prior, new).check(witness.of)

    def face(self, rows: Sequence[QExponents], programme: Any) -> tuple[Fraction, Any]:
        """Return the least Σ w_i (1 + h_i) with w ≥ 0 and all w·m ≥ 1, and weights of its face.

        Multipliers prove it. Optimal w have w·m = 1 where m has one, and w_i = 0 at slack; these
        conditions and the spread of the weights span all, and the spread is independent.
        """
        costs, units = [1 + h for h in self.prior], algebra.identity(len(self.prior))
        weights, inverse, complement, (multipliers,) = programme
        value = sum(multipliers, Fraction(0))
        demand(weights, all(x >= 0 for row in [*weights, multipliers] for x in row))
        demand(all(x >= 1 for row in product(weights, rows) for x in row))
        demand(product(weights, [costs]) == [(value,)] * len(weights))
        (loads,) = product([multipliers], [[row[j] for row in rows] for j in range(len(costs))])
        demand(all(x <= c for x, c in zip(loads, costs, strict=True)))
        spread = [[x - y for x, y in zip(w, weights[0], strict=True)] for w in weights[1:]]
        demand(product(inverse, spread) == algebra.identity(len(spread)))
        tight = [row for row, u in zip(rows, multipliers, strict=True) if u]
        tight += [e for e, x, c in zip(units, loads, costs, strict=True) if x < c]
        factors = [[*(s[j] for s in spread), *row] for j, row in enumerate(complement)]
        demand(product(factors, [*zip(*inverse, *tight, strict=True)]) == units)
        return value, weights

    def monomial(self, witness: Any) -> Ends:
        """Of terms: half the value of their programme, and the number of weights of its face."""
        value, weights = self.face([m for (m,) in self.generators], witness.programme)
        return ((value / 2, -len(weights)),) * 2

    def changing(self, signs: Any) -> QPoly:
        """Return an initial form of the generator that has opposite signs in one orthant."""
        (g,), (weight, *points) = self.generators, signs
        heights = dict(zip(g, *product([weight], [*g]), strict=True))
        form = qpoly({m: g[m] for m in g if heights[m] == min(heights.values())})
        width = len(weight)
        x, y = (form.compose([algebra.constant(width, c) for c in p]).at_origin() for p in points)
        demand(x * y < 0, all(min(w, s * t) > 0 for w, s, t in zip(weight, *points, strict=True)))
        return form

    def newton(self, witness: Any) -> Ends:
        """Take the programme of all terms: an upper end, and a lower one without zeros of forms.

        One generator may have zeros where a derivative is not 0, if "smooth": they count as
        (1/2, 1), and may meet the optimal face unless that is "free" of them.
        """
        demand({*witness.order} == {m for g in self.generators for m in g})
        demand(not witness.smooth or len(self.generators) == 1)
        value, weights = self.face(witness.order, witness.programme)

        def is_top(monomials: Iterable[QExponents]) -> bool:
            return all(x == 1 for row in product(weights, [*monomials]) for x in row)

        for lowest, leaf in leaves(witness.order[1:], witness.order[:1], (), witness.tree):
            forms, (form,) = (
                [qpoly({m: g.get(m, 0) for m in lowest}) for g in self.generators],
                polys(leaf.form),
            )
            if leaf.derivatives:
                demand(witness.smooth, not (witness.free and is_top(lowest)))
                terms = forms[0].items()
                forms += [qpoly({m: c * m[i] for m, c in terms}) for i in range(len(self.prior))]
            demand(form.is_one_signed(), form == combine(polys(leaf.factors), forms))
        lower = upper = value / 2, -len(weights)
        if witness.smooth and value >= 1:
            lower = Fraction(1, 2), -len(weights) - (not witness.free) if value == 1 else -1
        if witness.signs:
            is_met = is_top(self.changing(witness.signs)) and value == 1
            upper = min(upper, (Fraction(1, 2), -len(weights) - 1 if is_met else -1))
        return lower, upper


def leaves(
    later: Sequence[QExponents], lowest: Sequence[QExponents], conditions: Any, tree: Any
) -> Iterator[tuple[Sequence[QExponents], Any]]:
    """Yield the points of least weight for all w > 0: each is compared with the least so far.

    A branch is closed by multipliers: no w > 0 has w·d > 0 (strict) or = 0 for its conditions d.
    """
    algebra.spend(1 + len(conditions))
    if hasattr(tree, "closed"):
        (sums,) = product([tree.closed], [*zip(*(d for _, d in conditions), strict=True)])
        strict = [u for u, (flag, _) in zip(tree.closed, conditions, strict=True) if flag]
        demand(all(u >= 0 for u in strict), all(s <= 0 for s in sums), any(strict) or any(sums))
    elif not later:
        yield lowest, tree
    else:
        d = [x - y for x, y in zip(later[0], lowest[0], strict=True)]
        rows = (True, d), (False, d), (True, [-x for x in d])
        ties = lowest, (later[0], *lowest), later[:1]
        for tied, row, branch in zip(ties, rows, tree.branches, strict=True):
            yield from leaves(later[1:], tied, (row, *conditions), branch)
