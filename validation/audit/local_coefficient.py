"""The summary of Lau et al.: the local learning coefficient."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import sympy

import rlct
from validation.audit._posterior import limit, mean_nk_square
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []


@row(
    "004-lambda",
    Verdict.CORRECTED,
    claim="λ = min(h_j + 1/(2k_j))",
    statement="λ = min_j (h_j + 1)/(2k_j).",
    evidence="K = x² with prior |x|, h = k = 1: λ = 1; as printed 3/2.",
    direct='rlct poly "x**2" --prior x',
)
def lam() -> Facts:
    found = rlct.poly("x**2", prior="x").lam
    yield exact("λ", found, Fraction(1), printed=1 + Fraction(1, 2))


@row(
    "004-flat-directions",
    Verdict.CONFIRMED,
    claim="degeneracy is not accounted for by counting flat directions of the Hessian",
    statement="As printed.",
    evidence="x² + y⁴ and x² (in two variables) have Hessians of the same rank, and λ = ¾ and ½.",
    direct='rlct poly "x**2 + y**4"',
    place="004-hessian",
)
def flat_directions() -> Facts:
    yield exact("λ of x² + y⁴", rlct.poly("x**2+y**4").lam, Fraction(3, 4))
    yield exact("λ of x²", rlct.poly("x**2").lam, Fraction(1, 2))


@row(
    "004-free-energy",
    Verdict.CONFIRMED,
    claim="F_n(B_γ(w*)): competition between the energy nL_n(w*) and the entropy λ(w*) [log n]; "
    "lower λ has higher posterior concentration",
    statement="F_n = nL_n(w*) + λ(w*) log n − (m−1) log log n + O_p(1).",
    evidence="Derivative in log n of −log ∫ e^{−nK}: ¼ for K = w⁴ and ½ for w², exactly.",
)
def free_energy() -> Facts:
    n, w = sympy.symbols("n w", positive=True)
    for k in (1, 2):
        Z = sympy.integrate(sympy.exp(-n * w ** (2 * k)), (w, 0, sympy.oo))
        slope = sympy.simplify(-n * sympy.diff(sympy.log(Z), n))
        yield exact(f"slope, K = w^{2 * k}", slope, sympy.Rational(1, 2 * k))


@row(
    "004-sgld",
    Verdict.CONFIRMED,
    claim="Δw = (ε/2)[β*(n/m) Σ ∇log p + γ(w* − w)] + N(0, ε)",
    statement="As printed: Langevin dynamics for exp(−nβL_n − (γ/2)‖w − w*‖²), of variance ε, up "
    "to an error in ε.",
    evidence="Quadratic loss: the stationary variance of the recursion is "
    "1/(A(1 − εA/4)), A = nβ + γ, exactly; with noise N(0, ε²) it would tend to 0.",
)
def sgld() -> Facts:
    e, A, V = sympy.symbols("e A V", positive=True)
    found = sympy.solve(sympy.Eq(V, (1 - e * A / 2) ** 2 * V + e), V)[0]
    yield exact("stationary variance", sympy.simplify(found - 1 / (A * (1 - e * A / 4))), 0)
    yield exact("limit as ε → 0", sympy.limit(found, e, 0), 1 / A, control=2 / A)


@row(
    "004-minibatch",
    Verdict.CONFIRMED,
    claim="(n/m) Σ over a batch is used for the gradient of nL_n",
    statement="Unbiased; its own noise adds (ε/2)²β²n²·Cov to the injected variance ε and acts as "
    "extra temperature unless ε is small.",
    evidence="Quadratic loss with gradient noise of variance v per step: the stationary variance "
    "is that of temperature 1 + εβ²n²v/4.",
)
def minibatch() -> Facts:
    e, A, V, b, v = sympy.symbols("e A V b v", positive=True)
    noise = e + (e / 2) ** 2 * b**2 * v  # b = nβ
    found = sympy.solve(sympy.Eq(V, (1 - e * A / 2) ** 2 * V + noise), V)[0]
    plain = sympy.solve(sympy.Eq(V, (1 - e * A / 2) ** 2 * V + e), V)[0]
    yield exact("ratio of variances", sympy.simplify(found / plain - 1 - e * b**2 * v / 4), 0)


@row(
    "004-wbic",
    Verdict.CONFIRMED,
    claim="E_β*[nL_n(w)] at β* = 1/log n approximates F_n",
    statement="As printed, to leading order: both are nL_n(w*) + λ log n + ….",
    evidence="Regular model, exactly: E − nL_n = ½ log n, F − nL_n ~ ½ log n. N(w², 1), λ = ¼: "
    "the mean over data is λ log n − ν(β*), small against log n.",
)
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


@row(
    "004-estimate",
    Verdict.CONFIRMED,
    claim="WBIC estimate → λ(w*) calculation",
    statement="λ̂ = (E_β*[nL_n] − nL_n(w*))/log n = nβ*(E_β*[L_n] − L_n(w*)).",
    evidence="x²y² (λ = ½, θ = 2): the value approaches ½ from below by 1/log(nβ), by quadrature.",
)
def estimate() -> Facts:
    n = 1e12
    beta = 1 / math.log(n)
    size = math.log(n * beta)
    yield close("λ̂ at n = 10¹²", mean_nk_square(n * beta), 0.5 - 1 / size, 2 / size**2, control=0.5)


@row(
    "004-normal-crossing",
    Verdict.UNVERIFIABLE,
    claim="the estimator recovers theoretical values in low-dimensional models",
    statement="No accuracy is named. The mean that it estimates is λ for K = w^{2k}, and short of "
    "λ by (θ − 1)/log nβ and more elsewhere.",
    evidence="K = w^{2k}: nβE K = 1/(2k) exactly, k = 1, 2, 3. K = x²y²: 0.39 at nβ = 1000.",
    direct='rlct check poly "x**2*y**4"',
    place="004-normal-crossing",
)
def normal_crossing() -> Facts:
    a, w = sympy.symbols("a w", positive=True)
    for k in (1, 2, 3):
        weight = sympy.exp(-a * w ** (2 * k))
        top = sympy.integrate(a * w ** (2 * k) * weight, (w, 0, sympy.oo))
        found = sympy.simplify(top / sympy.integrate(weight, (w, 0, sympy.oo)))
        yield exact(f"nβ E K, K = w^{2 * k}", sympy.nsimplify(found), sympy.Rational(1, 2 * k))
    yield close("nβ E K, K = x²y², nβ = 1000", mean_nk_square(1000.0), 0.387, 1e-3, control=0.5)


@row(
    "004-linear-networks",
    Verdict.CONFIRMED,
    claim="deep linear networks have known λ to calibrate against",
    statement="As printed: Aoyagi's formula, with the divisor 4 (row 000-definition-4).",
    evidence="λ = 46, θ = 3 for widths 10-10-10-10 and rank 5, by two routes.",
    direct="rlct net linear 10 10 10 10 --rank 5",
)
def deep_linear() -> Facts:
    widths = (10, 10, 10, 10)
    for name in ("deep-linear", "deep-linear-rank-paths"):
        yield exact(name, rlct.theorem(name, widths=widths, rank=5).pair, rlct.Pair(46, 3))


@row(
    "004-negative",
    Verdict.CONFIRMED,
    claim="negative estimates mean that w* is not a local minimum",
    statement="As printed: E[L_n] < L_n(w*) needs lower losses nearby (or sampling error).",
    evidence="L = w² at w* = 1: nβ(E L − L(1)) = ½ − nβ; at w* = 0 the estimate is ½.",
)
def negative() -> Facts:
    a = sympy.Symbol("a", positive=True)
    mean = sympy.Rational(1, 2) / a  # E w² under exp(−a w²)
    yield exact("λ̂ at w* = 1, nβ = 10", (a * (mean - 1)).subs(a, 10), -sympy.Rational(19, 2))
    yield exact("λ̂ at w* = 0", sympy.simplify(a * mean), sympy.Rational(1, 2))


@row(
    "004-gamma",
    Verdict.CONFIRMED,
    claim="correlation between λ̂ and the prior strength means that γ is too large",
    statement="As printed; the correlation is negative: λ̂ = ½ Σ nβh_i/(nβh_i + γ).",
    evidence="K = w²/2 at γ = 0, nβ, 9nβ: ½, ¼, 1/20, from the Gaussian variance.",
    place="004-gamma",
)
def gamma() -> Facts:
    found = [Fraction(1, 2) * Fraction(1, 1 + g) for g in (0, 1, 9)]
    w = sympy.Symbol("w", real=True)
    exactly = []
    for g in (0, 1, 9):
        weight = sympy.exp(-(1 + g) * w**2 / 2)
        top = sympy.integrate(w**2 / 2 * weight, (w, -sympy.oo, sympy.oo))
        ratio = sympy.simplify(top / sympy.integrate(weight, (w, -sympy.oo, sympy.oo)))
        exactly.append(Fraction(int(ratio.p), int(ratio.q)))
    yield exact("λ̂", exactly, found)


@row(
    "004-parameters",
    Verdict.CONFIRMED,
    claim="2-layer ReLU network on MNIST with 1.9 million parameters",
    statement="1 863 690 with two hidden layers of width 1024.",
    evidence="784-1024-1024-10 with biases, counted; 1.9 million if rounded as printed.",
)
def parameters() -> Facts:
    widths = (784, 1024, 1024, 10)
    count = sum(a * b + b for a, b in itertools.pairwise(widths))
    yield exact("parameters", count, 1_863_690)
    yield exact("in millions, rounded", round(count / 1e6, 1), 1.9, control=1.8)


@row(
    "004-laplace",
    Verdict.CONFIRMED,
    claim="the Laplace approximation fails for singular models",
    statement="As printed: the Hessian's determinant is 0 and the power of n is λ < d/2.",
    evidence="∫ e^{−nw⁴} dw·n^{1/2} diverges with n: exponent ¼, not ½.",
)
def laplace() -> Facts:
    n, w = sympy.symbols("n w", positive=True)
    Z = sympy.integrate(sympy.exp(-n * w**4), (w, 0, sympy.oo))
    exponent = sympy.simplify(-n * sympy.diff(sympy.log(Z), n))
    yield exact("power of 1/n", exponent, sympy.Rational(1, 4), control=sympy.Rational(1, 2))


@row(
    "004-fluctuation",
    Verdict.CONFIRMED,
    claim="the local singular fluctuation ν(β) needs log-likelihoods of single observations",
    statement="ν(β) = (β/2) lim E V: V is a sum over observations of posterior variances.",
    evidence="In N(w², 1) the mean of V is not a function of λ and β alone: βV = 0.346 at β = 1, "
    "against 2λ = 0.5 in the regular case's relation βV = 2λ.",
    place="004-fluctuation",
)
def fluctuation() -> Facts:
    found = limit(2, 1.0)
    nu = (found.gibbs_generalisation - found.gibbs_training) / 2
    yield close("β E V/2", found.variance / 2, nu, 1e-9, control=0.25)


@row(
    "004-entropy-sgd",
    Verdict.UNVERIFIABLE,
    claim="entropy-SGD finds minima of lower LLC than SGD on MNIST (80 seeds)",
    statement="An experiment; no numbers are given. That its objective, the local entropy, is "
    "lower at the lower λ for the same loss, is so.",
    evidence="Not recomputable from the summary. d(−log ∫ e^{−nK})/d log n for K = w² and w⁴.",
    place="004-entropy-sgd",
)
def entropy_sgd() -> Facts:
    n, w = sympy.symbols("n w", positive=True)
    for k, lam in ((2, sympy.Rational(1, 2)), (4, sympy.Rational(1, 4))):
        Z = sympy.integrate(sympy.exp(-n * w**k), (w, 0, sympy.oo))
        slope = sympy.simplify(-n * sympy.diff(sympy.log(Z), n))
        yield exact(f"slope of the local entropy of w^{k}", slope, lam, control=1 - lam / 2)


@row(
    "004-scaling",
    Verdict.UNVERIFIABLE,
    claim="the estimator scales to ResNets and transformers",
    statement="An experiment; no numbers are given, and the true values are unknown.",
    evidence="Not recomputable from the summary. Where λ is known: nβE[K] of a linear network "
    "with 192 weights at full rank, nβ = 10⁶, by exact conditional draws; λ = 32, not 96.",
    place="004-architectures",
)
def scaling() -> Facts:
    import numpy as np

    from rlct.sampling.markov_chains.gibbs import gibbs
    from rlct.sampling.targets.linear import LinearNetworkTarget

    levels = np.geomspace(1e2, 1e6, 5)
    target = LinearNetworkTarget([8, 8, 8, 8], rank=8)
    run = gibbs(target, levels, rng=np.random.default_rng(1), num_draws=100)
    # 800 draws with the spread √32, neighbours alike: five standard errors.
    yield close("nβE[K]", float(run.draws[-1].mean()), 32.0, 1.5, control=96.0)
