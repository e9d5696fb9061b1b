"""The summary of Lau et al.: the local learning coefficient."""

import itertools
import math
from fractions import Fraction

import sympy

import rlct
from validation.audit._posterior import limit, mean_nk_square
from validation.audit.row import Facts, close, exact, row


@row("004-lambda")
def lam() -> Facts:
    found = rlct.poly("x**2", prior="x").lam
    yield exact("λ", found, Fraction(1), printed=1 + Fraction(1, 2))


@row("004-flat-directions")
def flat_directions() -> Facts:
    yield exact("λ of x² + y⁴", rlct.poly("x**2+y**4").lam, Fraction(3, 4))
    yield exact("λ of x²", rlct.poly("x**2").lam, Fraction(1, 2))


@row("004-free-energy")
def free_energy() -> Facts:
    n, w = sympy.symbols("n w", positive=True)
    for k in (1, 2):
        Z = sympy.integrate(sympy.exp(-n * w ** (2 * k)), (w, 0, sympy.oo))
        slope = sympy.simplify(-n * sympy.diff(sympy.log(Z), n))
        yield exact(f"slope, K = w^{2 * k}", slope, sympy.Rational(1, 2 * k))


@row("004-sgld")
def sgld() -> Facts:
    e, A, V = sympy.symbols("e A V", positive=True)
    found = sympy.solve(sympy.Eq(V, (1 - e * A / 2) ** 2 * V + e), V)[0]
    yield exact("stationary variance", sympy.simplify(found - 1 / (A * (1 - e * A / 4))), 0)
    yield exact("limit as ε → 0", sympy.limit(found, e, 0), 1 / A, control=2 / A)


@row("004-minibatch")
def minibatch() -> Facts:
    e, A, V, b, v = sympy.symbols("e A V b v", positive=True)
    noise = e + (e / 2) ** 2 * b**2 * v  # b = nβ
    found = sympy.solve(sympy.Eq(V, (1 - e * A / 2) ** 2 * V + noise), V)[0]
    plain = sympy.solve(sympy.Eq(V, (1 - e * A / 2) ** 2 * V + e), V)[0]
    yield exact("ratio of variances", sympy.simplify(found / plain - 1 - e * b**2 * v / 4), 0)


@row("004-wbic")
def wbic() -> Facts:
    n = sympy.Symbol("n", positive=True)
    energy = sympy.log(n) / 2  # d/(2β), d = 1, β = 1/log n, around the maximum likelihood
    F = sympy.log(1 + n) / 2
    yield exact("limit of the ratio", sympy.limit(energy / F, n, sympy.oo), 1)
    size = 40.0  # log n
    found = limit(2, 1 / size)
    nu = found.variance / (2 * size)
    yield close("E at log n = 40", found.gibbs_training, size / 4 - nu, 1e-6)
    yield close("over λ log n", found.gibbs_training / (size / 4), 1, 0.02, control=2)


@row("004-estimate")
def estimate() -> Facts:
    n = 1e12
    beta = 1 / math.log(n)
    size = math.log(n * beta)
    yield close("λ̂ at n = 10¹²", mean_nk_square(n * beta), 0.5 - 1 / size, 2 / size**2, control=0.5)


@row("004-normal-crossing")
def normal_crossing() -> Facts:
    a, w = sympy.symbols("a w", positive=True)
    for k in (1, 2, 3):
        weight = sympy.exp(-a * w ** (2 * k))
        top = sympy.integrate(a * w ** (2 * k) * weight, (w, 0, sympy.oo))
        found = sympy.simplify(top / sympy.integrate(weight, (w, 0, sympy.oo)))
        yield exact(f"nβ E K, K = w^{2 * k}", sympy.nsimplify(found), sympy.Rational(1, 2 * k))
    yield close("nβ E K, K = x²y², nβ = 1000", mean_nk_square(1000.0), 0.387, 1e-3, control=0.5)


@row("004-linear-networks")
def deep_linear() -> Facts:
    widths = (10, 10, 10, 10)
    for name in ("deep-linear", "deep-linear-rank-paths"):
        yield exact(name, rlct.theorem(name, widths=widths, rank=5).pair, rlct.Pair(46, 3))


@row("004-negative")
def negative() -> Facts:
    a = sympy.Symbol("a", positive=True)
    mean = sympy.Rational(1, 2) / a  # E w² under exp(−a w²)
    yield exact("λ̂ at w* = 1, nβ = 10", (a * (mean - 1)).subs(a, 10), -sympy.Rational(19, 2))
    yield exact("λ̂ at w* = 0", sympy.simplify(a * mean), sympy.Rational(1, 2))


@row("004-gamma")
def gamma() -> Facts:
    estimates = [Fraction(1, 2) * Fraction(1, 1 + g) for g in (0, 1, 9)]
    w = sympy.Symbol("w", real=True)
    exactly = []
    for g in (0, 1, 9):
        weight = sympy.exp(-(1 + g) * w**2 / 2)
        top = sympy.integrate(w**2 / 2 * weight, (w, -sympy.oo, sympy.oo))
        ratio = sympy.simplify(top / sympy.integrate(weight, (w, -sympy.oo, sympy.oo)))
        exactly.append(Fraction(int(ratio.p), int(ratio.q)))
    yield exact("λ̂", exactly, estimates)


@row("004-parameters")
def parameters() -> Facts:
    widths = (784, 1024, 1024, 10)
    count = sum(a * b + b for a, b in itertools.pairwise(widths))
    yield exact("parameters", count, 1_863_690)
    yield exact("in millions, rounded", round(count / 1e6, 1), 1.9, control=1.8)


@row("004-laplace")
def laplace() -> Facts:
    n, w = sympy.symbols("n w", positive=True)
    Z = sympy.integrate(sympy.exp(-n * w**4), (w, 0, sympy.oo))
    exponent = sympy.simplify(-n * sympy.diff(sympy.log(Z), n))
    yield exact("power of 1/n", exponent, sympy.Rational(1, 4), control=sympy.Rational(1, 2))


@row("004-fluctuation")
def fluctuation() -> Facts:
    found = limit(2, 1.0)
    nu = (found.gibbs_generalisation - found.gibbs_training) / 2
    yield close("β E V/2", found.variance / 2, nu, 1e-9, control=0.25)


@row("004-entropy-sgd")
def entropy_sgd() -> Facts:
    n, w = sympy.symbols("n w", positive=True)
    for k, lam in ((2, sympy.Rational(1, 2)), (4, sympy.Rational(1, 4))):
        Z = sympy.integrate(sympy.exp(-n * w**k), (w, 0, sympy.oo))
        slope = sympy.simplify(-n * sympy.diff(sympy.log(Z), n))
        yield exact(f"slope of the local entropy of w^{k}", slope, lam, control=1 - lam / 2)


@row("004-scaling")
def scaling() -> Facts:
    from rlct.sampling.local.finite_n import tempered_mean
    from rlct.sampling.targets.linear import LinearNetworkTarget

    mean = tempered_mean(LinearNetworkTarget([8, 8, 8, 8], rank=8), 1e6, seed=1)
    # 64 chains of 400 draws with the spread √32, neighbours alike: five standard errors and more.
    yield close("nβE[K]", mean.value, 32.0, 1.5, control=96.0)
