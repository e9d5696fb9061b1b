"""Murfet et al., section 5 and appendices A.3 to A.5: generalisation and estimation."""

import math

import sympy

from validation.audit._posterior import limit, power_posterior
from validation.audit.row import Facts, close, exact, row

_n, _z = sympy.symbols("n z", positive=True)
_ONE_HALF = sympy.Rational(1, 2)
# n·KL(N(0, 1) ‖ predictive) in N(w, 1) with flat prior, z = √n·mean.
_BAYES_ERROR = sympy.log(1 + 1 / _n) / 2 + (1 + _z**2 / _n) / (2 * (1 + 1 / _n)) - _ONE_HALF


@row("001-equation-8")
def equation_8() -> Facts:
    m, s = sympy.symbols("m s", real=True)
    G = sympy.log(1 + s) / 2 + (1 + m**2) / (2 * (1 + s)) - _ONE_HALF
    at = {m: 0, s: 0}
    yield exact("G, ∂G", [G.subs(at), *(sympy.diff(G, v).subs(at) for v in (m, s))], [0, 0, 0])
    yield exact(
        "positive definite Hessian", sympy.hessian(G, (m, s)).subs(at).is_positive_definite, True
    )


@row("001-equation-9")
def equation_9() -> Facts:
    mean = _BAYES_ERROR.subs(_z, 1)  # linear in z², E z² = 1
    yield exact("limit of n·E G, regular", sympy.limit(_n * mean, _n, sympy.oo), _ONE_HALF)
    for power in (2, 4):
        found = limit(power, 1.0).bayes_generalisation
        yield close(f"n·E G, N(w^{power}, 1)", found, 1 / (2 * power), 1e-9, control=0.5)


@row("001-equation-10")
def equation_10() -> Facts:
    import mpmath as mp

    import rlct

    lam = rlct.ideal(["a*c", "a*d", "b*c", "b*d"]).lam
    yield exact("λ of rank-one matrices", lam, 1)
    # The singular values are (R₁ ± R₂)/√2 with R independent of density r·exp(−r²/2).
    first, second = (
        mp.quad(lambda r, k=k: r ** (k + 1) * mp.exp(-r * r / 2), [0, mp.inf]) for k in (1, 2)
    )
    C = float((2 * second + 2 * first**2) / 4)
    yield close("C of rank-one matrices", C, 1 + math.pi / 4, 1e-9, control=1)
    z = sympy.Symbol("z", positive=True)
    density = sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)
    C2 = sympy.integrate(z**2 / 2 * density, (z, 0, sympy.oo))
    yield exact("C of N(w², 1)", C2, sympy.Rational(1, 4))


@row("001-parameter-count")
def parameter_count() -> Facts:
    yield exact("parameters", 3 * 3 + 3 * 3, 18)


@row("001-equation-14")
def equation_14() -> Facts:
    beta = sympy.Symbol("beta")
    losses = (1, sympy.Rational(5, 2), 4)
    Z = sum(sympy.exp(-beta * v) / 3 for v in losses)
    mean = sum(v * sympy.exp(-beta * v) / 3 for v in losses) / Z
    yield exact("difference", sympy.simplify(sympy.diff(-sympy.log(Z), beta) - mean), 0)


@row("001-equation-18")
def equation_18() -> Facts:
    beta, lam = 1e-6, 0.25
    scale = math.sqrt(lam / (2 * beta))
    m1 = math.sqrt(2) * math.gamma(0.75) / math.gamma(0.25)
    for z in (-1.0, 1.0):
        first, second = power_posterior(2, beta, z)
        u = (float(second) / 2 - z * float(first) - lam / beta) / scale
        yield close(f"U at z = {z:+g}", u, -z * m1 / math.sqrt(2 * lam), 1e-3, control=0)


@row("001-algorithm-1")
def algorithm_1() -> Facts:
    import numpy as np

    from validation.audit._posterior import mean_nk_square

    n = 1000.0
    T = np.linspace(0.8, 1.2, 5) * math.log(n)
    E = np.array([t * mean_nk_square(n / t) for t in T])
    slope, intercept = np.polyfit(T, E, 1)
    residual = E - slope * T - intercept
    r2 = 1 - float(residual @ residual) / float((E - E.mean()) @ (E - E.mean()))
    yield exact("R² > 0.99", r2 > 0.99, True)
    energy = [float(power_posterior(2, 1 / t, 0.0)[1]) / 2 for t in T]
    regular = float(np.polyfit(T, energy, 1)[0])
    yield close("slope for K = w⁴/2 (λ = ¼, θ = 1)", regular, 0.25, 1e-6, control=0.3)
    yield exact("slope for x²y² (λ = ½, θ = 2) is below 0.4", bool(slope < 0.4), True)


@row("001-free-energy")
def free_energy() -> Facts:
    rest = sympy.log(1 + _n) / 2 - _n / (2 * (_n + 1))
    found = sympy.limit(rest / sympy.log(_n), _n, sympy.oo)
    yield exact("coefficient of log n", found, _ONE_HALF, control=1)


@row("001-free-energy-difference")
def free_energy_difference() -> Facts:
    S = sympy.log(2 * sympy.pi) / 2 + _ONE_HALF
    F = _n * S + sympy.log(1 + _n) / 2 - _n / (2 * (_n + 1))
    # Predictive N(n·mean/(n+1), 1 + 1/(n+1)) with E mean² = 1/n.
    v = 1 + 1 / (_n + 1)
    G = sympy.log(v) / 2 + (1 + _n / (_n + 1) ** 2) / (2 * v) - _ONE_HALF
    step = F.subs(_n, _n + 1) - F
    at = float((step - G).subs(_n, 7).evalf())
    yield close("E F(8) − E F(7) − E G(7)", at, float(S), 1e-12, printed=0)
    gap = sympy.simplify(sympy.expand_log(step - G - S, force=True))
    yield exact("E F(n+1) − E F(n) − E G(n) − S", sympy.simplify(gap), 0)


@row("001-equation-19")
def equation_19() -> Facts:
    found = limit(2, 1.0).bayes_generalisation
    yield close("n·E G, N(w², 1)", found, 0.25, 1e-9, control=0.5)
    n = 1e6

    def f(x: float) -> float:
        return math.log(x) / 4 + math.sin(math.log(x)) * math.sqrt(math.log(x))

    ratio = n * (f(n + 1) - f(n))
    yield exact("o(log n) alone does not fix the difference", abs(ratio - 0.25) > 0.5, True)


@row("001-equation-20")
def equation_20() -> Facts:
    ratio = sympy.Rational
    q, guess = (ratio(1, 2), ratio(1, 3), ratio(1, 6)), (ratio(1, 4), ratio(1, 2), ratio(1, 4))
    held_out = sum(a * sympy.log(a) for a in q) - sum(
        a * sympy.log(b) for a, b in zip(q, guess, strict=True)
    )
    divergence = sum(a * sympy.log(a / b) for a, b in zip(q, guess, strict=True))
    yield exact("difference", sympy.simplify(sympy.expand_log(held_out - divergence)), 0)


@row("001-equation-21")
def equation_21() -> Facts:
    b1, b2 = sympy.symbols("b1 b2")
    data = (((1, 2), 1), ((0, 1), 2), ((3, 1), 0))
    loss = sum((y - b1 * u - b2 * v) ** 2 / 2 for (u, v), y in data)
    moment = sympy.Matrix([[10, 5], [5, 6]])
    yield exact("Hessian", sympy.hessian(loss, (b1, b2)), moment, control=2 * moment)
