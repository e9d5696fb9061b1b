"""Seyoum's survey: side remarks on penalties, fits and changes of variables."""

from fractions import Fraction

import sympy

from validation.audit._posterior import limit
from validation.audit.row import Facts, close, exact, row


@row("000-sketch-variance-term")
def sketch_variance_term() -> Facts:
    beta = 2.0
    limits = limit(2, beta)
    state = limits.bayes_generalisation + limits.bayes_training  # 2λ/β − V
    total = 2 * 0.25 / beta + (beta - 1) * limits.variance  # Bg + CvL by equation (3)
    yield close(
        "n(WAIC − Bt)",
        total - state,
        beta * limits.variance,
        1e-9,
        printed=(beta - 1) * limits.variance,
    )


@row("000-bic-penalty")
def bic_penalty() -> Facts:
    import rlct

    d = 3
    n = sympy.Symbol("n", positive=True)
    regular = rlct.ideal([f"x{i}" for i in range(d)]).lam
    penalty = sympy.expand_log(-sympy.log(n ** (-sympy.Rational(d, 2))), force=True)
    coefficient = penalty / sympy.log(n)
    found = Fraction(int(coefficient.p), int(coefficient.q))
    yield exact("coefficient of log n in −log n^{−d/2}, d = 3", found, regular, printed=Fraction(d))


@row("000-linear-fits")
def linear_fits() -> Facts:
    fits = (0.983850, 0.978770, 0.991241, 0.988495, 0.993092, 0.990971)
    yield exact("values above 0.99, of six", sum(v > 0.99 for v in fits), 3, printed=len(fits))


@row("000-change-of-variables")
def change_of_variables() -> Facts:
    x, y, u, v = sympy.symbols("x y u v")
    direct = sympy.integrate(sympy.integrate(x**2 + y**2, (y, 0, x)), (x, 0, 1))
    pulled = u**2 * (1 + v**2)
    found = sympy.integrate(pulled * u, (u, 0, 1), (v, 0, 1))
    wrong = sympy.integrate(pulled, (u, 0, 1), (v, 0, 1))
    yield exact("∫ K", found, direct, control=wrong)


@row("000-true-parameters")
def true_parameters() -> Facts:
    a, b = sympy.symbols("a b")
    hessian = sympy.hessian((a * b) ** 2, (a, b))
    ranks = [hessian.subs({a: s, b: 0}).rank() for s in (1, 0)]
    yield exact("ranks of the Hessian", ranks, [1, 0])
