"""Cullen et al., sections 2 and appendix A: singular learning theory."""

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit._posterior import limit, mean_nk_square
from validation.audit.row import Facts, close, exact, row

_ONE_HALF = sympy.Rational(1, 2)


@row("002-volume")
def volume() -> Facts:
    e, x = sympy.symbols("e x", positive=True)
    V = sympy.sqrt(e) + sympy.integrate(sympy.sqrt(e) / x, (x, sympy.sqrt(e), 1))
    s = sympy.Symbol("s", positive=True)
    found = sympy.limit(sympy.simplify((V / sympy.sqrt(e)).subs(e, sympy.exp(-s)) / s), s, sympy.oo)
    yield exact("limit of V/(√ε log 1/ε)", found, _ONE_HALF, control=0)
    yield exact("engine", rlct.poly("x**2*y**2").pair, rlct.Pair(Fraction(1, 2), 2))


@row("002-regular")
def regular() -> Facts:
    yield exact("λ", rlct.ideal(["x", "y", "z"]).lam, Fraction(3, 2), control=Fraction(3))


@row("002-singular-strict")
def singular_strict() -> Facts:
    lam = rlct.poly("(w**2-1)**2", at={"w": 1}).lam
    yield exact("λ < d/2", lam is not None and lam < Fraction(1, 2), False, printed=True)
    flat = rlct.poly("w**4").lam
    yield exact("degenerate Hessian: λ of w⁴", flat, Fraction(1, 4))


@row("002-local-free-energy")
def local_free_energy() -> Facts:
    size = 30 * math.log(10)
    found = mean_nk_square(1e30)
    yield close("derivative", found, 0.5 - 1 / size, 2 / size**2, control=0.5)


@row("002-free-energy-gap")
def free_energy_gap() -> Facts:
    import mpmath as mp

    def ratio(n: float) -> float:
        def weigh(w: float) -> float:
            return float(mp.exp(-n * (w - 1) ** 2 * w**4))

        width = n**-0.25
        near = [0.5, 1 - 4 * n**-0.5, 1, 1 + 4 * n**-0.5, 1.5]
        flat = mp.quad(weigh, [-0.5, -3 * width, 0, 3 * width, 0.5])
        return float(flat / mp.quad(weigh, near))

    slope = math.log(ratio(1e14) / ratio(1e12)) / math.log(1e2)
    yield close("exponent of n in the ratio of masses", slope, 0.25, 1e-5, control=0)


@row("002-estimator")
def estimator() -> Facts:
    a, w = sympy.symbols("a w", positive=True)
    mean = sympy.integrate(a * w**4 * sympy.exp(-a * w**4), (w, 0, sympy.oo))
    found = sympy.simplify(mean / sympy.integrate(sympy.exp(-a * w**4), (w, 0, sympy.oo)))
    yield exact("nβ E K for K = w⁴", found, sympy.Rational(1, 4), control=_ONE_HALF)
    g = sympy.Symbol("g", positive=True)
    variance = 1 / (a + g)
    at = {a: 30, g: 10}
    yield exact("nβ E K for K = w²/2, γ = nβ/3", (a * variance / 2).subs(at), sympy.Rational(3, 8))


@row("002-definitions-a.1-a.6")
def definitions() -> Facts:
    p, q = sympy.symbols("p q", positive=True)
    K = q * sympy.log(q / p) + (1 - q) * sympy.log((1 - q) / (1 - p))
    hessian = sympy.simplify(sympy.diff(K, p, 2).subs(p, q))
    yield exact("Hessian of KL", sympy.simplify(hessian - 1 / (q * (1 - q))), 0)
    yield exact("KL at p = q", sympy.simplify(K.subs(p, q)), 0)


@row("002-figure-5")
def figure_5() -> Facts:
    yield exact("x² + y²", rlct.poly("x**2+y**2").lam, Fraction(1))
    yield exact("x⁴ + y⁴", rlct.poly("x**4+y**4").lam, Fraction(1, 2))
    for x in (0, 1):
        lam = rlct.poly("x**2*y**4", at={"x": x, "y": 0}).lam
        yield exact(f"x²y⁴ at ({x}, 0)", lam, Fraction(1, 4), control=Fraction(1, 2))


@row("002-kl-and-loss")
def kl_and_loss() -> Facts:
    R = sympy.Rational
    q, p = (R(1, 2), R(1, 3), R(1, 6)), (R(1, 4), R(1, 2), R(1, 4))
    K = sum(a * sympy.log(a / b) for a, b in zip(q, p, strict=True))
    H = -sum(a * sympy.log(a) for a in q)
    L = -sum(a * sympy.log(b) for a, b in zip(q, p, strict=True))
    yield close("K", float(K), float(L - H), 1e-12, printed=float(H + L))


@row("002-free-energy-identity")
def free_energy_identity() -> Facts:
    R = sympy.Rational
    prior, losses = (R(1, 2), R(1, 3), R(1, 6)), (1, 2, R(7, 2))
    Z = sum(f * sympy.exp(-v) for f, v in zip(prior, losses, strict=True))
    post = [f * sympy.exp(-v) / Z for f, v in zip(prior, losses, strict=True)]
    energy = sum(a * v for a, v in zip(post, losses, strict=True))
    gap = sum(a * sympy.log(a / f) for a, f in zip(post, prior, strict=True))
    yield close(
        "E nL_n + KL", float(energy + gap), float(-sympy.log(Z)), 1e-12, control=float(energy)
    )


@row("002-free-energy-remainder")
def free_energy_remainder() -> Facts:
    n, z = sympy.symbols("n z", positive=True)
    # F_n − nL_n(0) = ½ log(1 + n) − n² mean²/(2(n + 1)), n·mean² = z².
    rest = sympy.log(1 + n) / 2 - n * z**2 / (2 * (n + 1)) - sympy.log(n) / 2
    found = sympy.limit(rest.subs(z, 2), n, sympy.oo)
    yield exact("limit of the remainder at z = 2", found, -2, printed=0)


@row("002-generalisation")
def generalisation() -> Facts:
    for power in (2, 4):
        found = limit(power, 1.0).bayes_generalisation
        yield close(f"n·E B_g, N(w^{power}, 1)", found, 1 / (2 * power), 1e-9, control=0.5)


@row("002-diffeomorphism")
def diffeomorphism() -> Facts:
    before = rlct.poly("(x**2-y**3)**2").pair
    after = rlct.poly("((x+y**2)**2 - (y+x*y)**3)**2").pair
    yield exact("(λ, θ) after", after, before)
