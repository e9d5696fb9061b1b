"""Cullen et al., remark 4.3 and theorem 5.5: inactive units and modular data."""

from fractions import Fraction

import rlct
from validation.audit._exact import (
    integers,
    modular_inputs,
    quadratic_jacobian,
    rank,
    rank_on,
)
from validation.audit.row import Facts, exact, row


@row("002-remark-4.3-decrease")
def remark_4_3_decrease() -> Facts:
    lam = rlct.poly("((1+a)*x**2+(1+b)*y**2+(1+c)*z**2)**2").lam
    yield exact("λ", lam, Fraction(3, 4))
    yield exact("λ ≤ ½", lam is not None and lam <= Fraction(1, 2), False, printed=True)


@row("002-remark-4.3-labels")
def remark_4_3_labels() -> Facts:
    W = integers(3, 5, 3)
    found = rank([[w[a] * w[b] for a in range(3) for b in range(a, 3)] for w in W])
    yield exact("spanning possible for K = 5 < 6", found == 6, False, printed=True)


@row("002-remark-4.3-generic")
def remark_4_3_generic() -> Facts:
    for d in range(1, 5):
        D = d * (d + 1) // 2
        W = integers(d, D, d)
        found = rank([[w[a] * w[b] for a in range(d) for b in range(a, d)] for w in W])
        yield exact(f"rank of w_jw_jᵀ, d = {d}", found, D)


@row("002-remark-4.3-effective")
def remark_4_3_effective() -> Facts:
    d, p, K = 4, 5, 3
    W, V = integers(1, K, d), integers(2, p, K)
    for line in V:
        line[2] = 0
    active = rank(quadratic_jacobian(W[:2], [line[:2] for line in V]))
    yield exact(
        "rank with the inactive unit", rank(quadratic_jacobian(W, V)), active + p, printed=active
    )


@row("002-theorem-5.5")
def theorem_5_5() -> Facts:
    lam = rlct.poly("(v*w**2)**2", at={"v": 0, "w": 1}).lam
    yield exact("λ at v = 0, w = 1", lam, Fraction(1, 2), printed=Fraction(0))
    both = rlct.poly("(v*w**2)**2").lam
    yield exact("λ at v = w = 0", both, Fraction(1, 4), printed=Fraction(0))
    unit = [f"v{k}*w{a}*w{b}" for k in (1, 2) for a in (1, 2, 3) for b in range(a, 4)]
    yield exact(
        "one unit at 0, d = 3, p = 2", rlct.ideal(unit).lam, Fraction(3, 4), printed=Fraction(0)
    )
    W, V = integers(1, 3, 4), integers(2, 5, 3)
    for line in V:
        line[2] = 0
    yield exact("2λ ≥ rank J, d = 4, p = 5", rank(quadratic_jacobian(W, V)), 21, printed=16)


@row("002-theorem-5.5-modular")
def theorem_5_5_modular() -> Facts:
    for p, K in ((3, 1), (3, 2), (3, 3), (5, 4)):
        W, V = integers(p, K, 2 * p), integers(p + 1, p, K)
        found = rank_on(modular_inputs(p), W, V)
        yield exact(f"2λ, p = {p}, K = {K}", found, K * (3 * p - 2), printed=K * (3 * p - 1))
        stated = rlct.theorem("quadratic-modular", modulus=p, units=K).lam
        yield exact("λ by the catalogue's theorem", stated, Fraction(found, 2))
    W, V = integers(3, 12, 6), integers(4, 3, 12)
    yield exact("2λ at saturation, p = 3", rank_on(modular_inputs(3), W, V), 27)
    yield exact("centred", rank_on(modular_inputs(3), W, V, centred=True), 24)


@row("002-section-6.2")
def section_6_2() -> Facts:
    p = 3
    for idle in range(4):
        W, V = integers(1, 1 + idle, 2 * p), integers(2, p, 1 + idle)
        for line in V:
            line[1:] = [0] * idle
        found = rank_on(modular_inputs(p), W, V)
        yield exact(f"2λ ≥ rank, {idle} idle units", found, 3 * p - 2 + idle * p, printed=3 * p - 2)


@row("002-training-pairs")
def training_pairs() -> Facts:
    p, N, K = 3, 5, 6
    W, V = integers(1, K, 2 * p), integers(2, p, K)
    found = rank_on(modular_inputs(p)[:N], W, V, centred=True)
    yield exact("rank, p = 3, N = 5, K = 6", found, p * (N - 1), printed=K * (3 * p - 1))
    p, K = 53, 1024
    N = round(0.4 * p * p)
    bound = min(K * (3 * p - 2), p * (N - 1))
    yield exact("bound, p = 53, K = 1024, N = 1124", bound, 59519, printed=K * (3 * p - 1))
