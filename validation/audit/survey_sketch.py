"""Seyoum's survey: side remarks on penalties, fits and changes of variables."""

from __future__ import annotations

from fractions import Fraction

import sympy

from validation.audit._posterior import limit
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []


@row(
    "000-sketch-variance-term",
    Verdict.CORRECTED,
    claim="sketch, step 4: the term (β−1)V/n of (3) is the difference between WAIC and the "
    "expected training loss",
    statement="That difference is βV/n. The other −V/n comes from the equation of state, "
    "n(Bg + Bt) + V → 2λ/β.",
    evidence="Limit of N(w², 1) at β = 2 by quadrature: Bg + WAIC − 2λ/β is (β−1)V, and WAIC − Bt "
    "is what is needed to get there from 2λ/β − V.",
)
def sketch_variance_term() -> Facts:
    beta = 2.0
    found = limit(2, beta)
    state = found.bayes_generalisation + found.bayes_training  # 2λ/β − V
    total = 2 * 0.25 / beta + (beta - 1) * found.variance  # Bg + CvL by equation (3)
    yield close(
        "n(WAIC − Bt)",
        total - state,
        beta * found.variance,
        1e-9,
        printed=(beta - 1) * found.variance,
    )


@row(
    "000-bic-penalty",
    Verdict.CORRECTED,
    claim="BIC uses a d log n penalty, from n^{−d/2}; singular models have a λ log n penalty",
    statement="On the scale of −log p(D_n) the penalties are (d/2) log n and λ log n; on the scale "
    "of −2 log p, d log n and 2λ log n. The two quoted are of different scales.",
    evidence="−log n^{−d/2} = (d/2) log n, against λ = d/2 of a regular model.",
)
def bic_penalty() -> Facts:
    import rlct

    d = 3
    n = sympy.Symbol("n", positive=True)
    regular = rlct.ideal([f"x{i}" for i in range(d)]).lam
    penalty = sympy.expand_log(-sympy.log(n ** (-sympy.Rational(d, 2))), force=True)
    coefficient = penalty / sympy.log(n)
    found = Fraction(int(coefficient.p), int(coefficient.q))
    yield exact("coefficient of log n in −log n^{−d/2}, d = 3", found, regular, printed=Fraction(d))


@row(
    "000-linear-fits",
    Verdict.REFUTED,
    claim="the fits of Table 2 have R² > 0.99",
    statement="Three of the six have: the printed values go down to 0.97877.",
    evidence="The printed values of 001, Table 2, compared. A good R² says nothing on "
    "λ in any case: row 001-algorithm-1.",
    beside="000-table-2: how straight the printed lines are, and not their slopes",
)
def linear_fits() -> Facts:
    fits = (0.983850, 0.978770, 0.991241, 0.988495, 0.993092, 0.990971)
    yield exact("values above 0.99, of six", sum(v > 0.99 for v in fits), 3, printed=len(fits))


@row(
    "000-change-of-variables",
    Verdict.CONFIRMED,
    claim="∫ K(w)^z φ(w) dw = ∫ K(π(u))^z φ(π(u)) |det Dπ(u)| du",
    statement="As printed: π is a diffeomorphism off sets of measure 0.",
    evidence="K = x² + y², z = 1, on the triangle 0 < y < x < 1, by x = u, y = uv with Jacobian u; "
    "without the Jacobian the value differs.",
)
def change_of_variables() -> Facts:
    x, y, u, v = sympy.symbols("x y u v")
    direct = sympy.integrate(sympy.integrate(x**2 + y**2, (y, 0, x)), (x, 0, 1))
    pulled = u**2 * (1 + v**2)
    found = sympy.integrate(pulled * u, (u, 0, 1), (v, 0, 1))
    wrong = sympy.integrate(pulled, (u, 0, 1), (v, 0, 1))
    yield exact("∫ K", found, direct, control=wrong)


@row(
    "000-true-parameters",
    Verdict.CONFIRMED,
    claim="W₀ = {K = 0} is an analytic set; K does not vanish quadratically near it in deep models",
    statement="As printed, at its singular points.",
    evidence="K = (ab)²: the rank of its Hessian is 1 at (1, 0) and 0 at (0, 0), both in W₀.",
)
def true_parameters() -> Facts:
    a, b = sympy.symbols("a b")
    hessian = sympy.hessian((a * b) ** 2, (a, b))
    ranks = [hessian.subs({a: s, b: 0}).rank() for s in (1, 0)]
    yield exact("ranks of the Hessian", ranks, [1, 0])
