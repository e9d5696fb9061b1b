"""Identities that the proofs of the theory pages rest on, and routes that only exist there."""

from __future__ import annotations

import itertools
import random

from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair


def test_two_layers_by_singular_values() -> None:
    """theory/reduced-rank-regression.md: min over j of j² + δj + N(n−j), and its multiplicity."""
    for M, H, N in itertools.product(range(1, 9), repeat=3):
        for r in range(min(M, H, N) + 1):
            m, h, outputs = M - r, H - r, N - r
            n, delta = min(m, h), abs(m - h)
            costs = [j * j + delta * j + outputs * (n - j) for j in range(n + 1)]
            singular = Pair.of(min(costs)) / 2 if min(costs) else None
            smooth = Pair.of(r * (M + N - r)) / 2 if r else None
            lam = sum(part.lam for part in (singular, smooth) if part)
            theta = costs.count(min(costs)) if min(costs) else 1
            assert Pair(lam, theta) == reduced_rank_pair(M, H, N, r), (M, H, N, r)


def test_cost_of_a_layer_at_all_scales() -> None:
    """theory/deep-linear-rank-paths.md: the two forms of the cost of one layer."""
    rng = random.Random(21)
    for _ in range(3000):
        n, h = rng.randint(1, 5), rng.randint(1, 7)
        q = min(n, h)
        before = sorted(rng.randint(0, 9) for _ in range(n))
        after = sorted(rng.randint(0, 12) for _ in range(q))
        after = [max(pair) for pair in zip(after, before, strict=False)]
        density = sum((n + h - 2 * j + 1) * s for j, s in enumerate(after, start=1))
        density -= h * sum(before)
        density += sum(max(0, before[i] - after[j]) for j in range(q) for i in range(j + 1, n))
        scales = sorted({0, *before, *after})
        integral = 0
        for low, high in itertools.pairwise(scales):
            seen = sum(s <= low for s in before)
            kept = sum(s <= low for s in after)
            integral += (h - kept) * (seen - kept) * (high - low)
        assert density == integral


def test_exchange_of_neighbouring_widths() -> None:
    for h, other, p, q in itertools.product(range(8), repeat=4):
        if q > min(h, other, p):
            continue

        def cost(k: int, first: int, second: int, p: int = p, q: int = q) -> int:
            return (first - k) * (p - k) + (second - q) * (k - q)

        for k in range(-3, 12):
            assert cost(k, h, other) == cost(p + q - k, other, h)
        one = min(cost(k, h, other) for k in range(q, min(p, h) + 1))
        assert one == min(cost(k, other, h) for k in range(q, min(p, other) + 1))


def test_monomial_ideals_against_the_linear_programme() -> None:
    """Double description and the simplex method share no code."""
    theorem = get_theorem("monomial-ideal")
    rng = random.Random(22)
    for _ in range(150):
        d = rng.randint(1, 5)
        rows = [[rng.randint(0, 4) for _ in range(d)] for _ in range(rng.randint(1, 8))]
        rows = [row for row in rows if any(row)] or [[1] * d]
        prior = [rng.randint(0, 3) for _ in range(d)]
        assert theorem.apply(exponents=rows, prior=prior).pair == monomial_optimum(rows, prior).pair
