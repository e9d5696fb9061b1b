"""Cullen et al., remark 4.3 and theorem 5.5: inactive units and modular data."""

from __future__ import annotations

from fractions import Fraction

import rlct
from validation.audit._exact import (
    integers,
    modular_inputs,
    quadratic_jacobian,
    rank,
    rank_on,
)
from validation.audit.row import Facts, Verdict, exact, row

__all__: list[str] = []


@row(
    "002-remark-4.3-decrease",
    Verdict.REFUTED,
    claim="Remark 4.3: where the spanning condition fails the LLC can only decrease",
    statement="It can increase: where J loses rank, higher-order terms count. v3, as quoted, says "
    "of the rank that it may be smaller, and of such points still that their LLC is "
    "lower.",
    evidence="d = p = 1, K = 3, w = 0, v = 1: the loss is (w₁² + w₂² + w₃²)² times a unit, "
    "λ = 3/4 > ½ = p·d(d+1)/4.",
    direct='rlct poly "((1+a)*x**2+(1+b)*y**2+(1+c)*z**2)**2"',
)
def remark_4_3_decrease() -> Facts:
    lam = rlct.poly("((1+a)*x**2+(1+b)*y**2+(1+c)*z**2)**2").lam
    yield exact("λ", lam, Fraction(3, 4))
    yield exact("λ ≤ ½", lam is not None and lam <= Fraction(1, 2), False, printed=True)


@row(
    "002-remark-4.3-labels",
    Verdict.CORRECTED,
    claim="Remark 4.3: 'in the under-parametrised case the spanning condition … K ≥ d(d+1)/2', 'in "
    "the over-parametrised case assumptions (1)-(2)'",
    statement="The labels are swapped: spanning belongs to K ≥ d(d+1)/2, the "
    "over-parametrised case.",
    evidence="For K < d(d+1)/2 the matrices w_jw_jᵀ cannot span: d = 3, K = 5.",
)
def remark_4_3_labels() -> Facts:
    W = integers(3, 5, 3)
    found = rank([[w[a] * w[b] for a in range(3) for b in range(a, 3)] for w in W])
    yield exact("spanning possible for K = 5 < 6", found == 6, False, printed=True)


@row(
    "002-remark-4.3-generic",
    Verdict.CONFIRMED,
    claim="Remark 4.3: spanning is generic for K ≥ d(d+1)/2",
    statement="As printed.",
    evidence="Holds at one integer point for each d ≤ 4, hence off a proper algebraic set.",
)
def remark_4_3_generic() -> Facts:
    for d in range(1, 5):
        D = d * (d + 1) // 2
        W = integers(d, D, d)
        found = rank([[w[a] * w[b] for a in range(d) for b in range(a, d)] for w in W])
        yield exact(f"rank of w_jw_jᵀ, d = {d}", found, D)


@row(
    "002-remark-4.3-effective",
    Verdict.REFUTED,
    claim="Remark 4.3: inactive units may be dropped, restricting K to an effective width",
    statement="A unit with v_j = 0 and w_j ≠ 0 contributes: its v columns of J do not vanish. v3, "
    "as quoted, adds conditions that do not help: 002-v3-remark-4.3.",
    evidence="d = 4, p = 5, two active units and one with v = 0, w generic, in integers.",
)
def remark_4_3_effective() -> Facts:
    d, p, K = 4, 5, 3
    W, V = integers(1, K, d), integers(2, p, K)
    for line in V:
        line[2] = 0
    active = rank(quadratic_jacobian(W[:2], [line[:2] for line in V]))
    yield exact(
        "rank with the inactive unit", rank(quadratic_jacobian(W, V)), active + p, printed=active
    )


@row(
    "002-theorem-5.5",
    Verdict.REFUTED,
    claim="Theorem 5.5, (6): λ = ½ K_eff (d + p − 1), K_eff the number of units with v_j ≠ 0",
    statement="Units with v_j = 0, w_j ≠ 0 add up to p/2 each. Units with v_j = w_j = 0 add a "
    "higher-order part. The conditions meant are those of G.6 (not G.5), which do not "
    "suffice. The table of results that is quoted of v3 has it no more; a remark has it: "
    "002-v3-remark-4.3.",
    evidence="One unit, d = p = 1, target 0 at (v, w) = (0, 1): K = v²w⁴ has λ = ½, and the "
    "formula gives 0; at (0, 0) it is ¼. d = 4, p = 5: rank 16 + 5 and not 16.",
    direct="rlct theorem show quadratic-inactive",
)
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


@row(
    "002-theorem-5.5-modular",
    Verdict.REFUTED,
    claim="Theorem 5.5 for modular addition, d = 2p: λ = ½ K_eff (3p − 1)",
    statement="The one-hot inputs have rank 2p − 1, so d = 2p − 1 and λ = ½ K(3p − 2) at generic "
    "parameters, until it saturates at p³/2 (p(p² − 1)/2 centred). v3, as quoted, keeps ½"
    " K(3p − 1) for all K units: 002-v3-corollary-5.4.",
    evidence="Exact ranks of the outputs' derivative on the data: p = 3, K = 1, 2, 3 and "
    "p = 5, K = 4.",
    direct="rlct net quadratic --units 4 --data modular:5",
)
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


@row(
    "002-section-6.2",
    Verdict.REFUTED,
    claim="section 6.2: the final LLC grows with the width, so wide networks are not small ones "
    "with "
    "redundant units, for which it would be the same",
    statement="It does not follow. Units with v_j = 0 ≠ w_j leave the function alone and raise λ, "
    "up "
    "to p/2 each, until the data are saturated. v3, as quoted, says it again.",
    evidence="Modular data, p = 3, one active unit and 0 to 3 idle ones: exact ranks. In training "
    "at p = 23 and 31 the active units end near 2(p − 1) at every width: rlct validate "
    "grokking-size.",
    beside="002-section-6-2: what follows from a larger LLC; the experiment counts active units",
)
def section_6_2() -> Facts:
    p = 3
    for idle in range(4):
        W, V = integers(1, 1 + idle, 2 * p), integers(2, p, 1 + idle)
        for line in V:
            line[1:] = [0] * idle
        found = rank_on(modular_inputs(p), W, V)
        yield exact(f"2λ ≥ rank, {idle} idle units", found, 3 * p - 2 + idle * p, printed=3 * p - 2)


@row(
    "002-training-pairs",
    Verdict.CORRECTED,
    claim="figures 1 and 2: the LLC estimated on the training pairs goes as ½ K(3p − 1) in p and K",
    statement="On N training pairs the centred outputs have p(N − 1) degrees of freedom, which "
    "bound "
    "the rank at every width: generically 2λ ≤ min(K(3p − 2), p(N − 1)). The network of figure 3 "
    "is "
    "past it.",
    evidence="p = 3, N = 5, K = 6: exact rank. p = 53, K = 1024, N = 0.4·53²: by counting. "
    "Trained networks: rlct validate grokking-size.",
    beside="002-figure-1: the value ½ K(3p − 1); the figures show that it is linear in p and in K",
)
def training_pairs() -> Facts:
    p, N, K = 3, 5, 6
    W, V = integers(1, K, 2 * p), integers(2, p, K)
    found = rank_on(modular_inputs(p)[:N], W, V, centred=True)
    yield exact("rank, p = 3, N = 5, K = 6", found, p * (N - 1), printed=K * (3 * p - 1))
    p, K = 53, 1024
    N = round(0.4 * p * p)
    bound = min(K * (3 * p - 2), p * (N - 1))
    yield exact("bound, p = 53, K = 1024, N = 1124", bound, 59519, printed=K * (3 * p - 1))
