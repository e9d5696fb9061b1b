"""Gradient noise and the Hessian near critical points.

For the model h(w)·x on y = s·ε the covariance of the gradient of one sample is exactly
C = (2h² + s²)·∇h∇hᵀ, and the Hessian of the potential ½h² is H = ∇h∇hᵀ + h·∇²h. Gradients are
drawn at points at distance t from a critical point, their covariance is compared with C, and the
angle between C and H, as matrices with the Frobenius product, is followed as t → 0. "Proportional
to leading order" would be an angle that goes to 0. In one dimension every pair of numbers is
proportional; there the question is the factor.
"""

import math

import numpy as np

from validation.audit.row import close, exact
from validation.experiments.sgd import _dynamics
from validation.framework.claim import at_least, near
from validation.framework.experiment import Finding, experiment, suites

NOISE_LANDSCAPES = {
    "w": (_dynamics.power(1), [0.0], [1.0]),
    "w^2": (_dynamics.power(2), [0.0], [1.0]),
    "w^3": (_dynamics.power(3), [0.0], [1.0]),
    "barrier": (_dynamics.two_minima(1.0), [2 / 3], [1.0]),
    "line": (_dynamics.PLAIN_VALLEY, [0.0, 1.0], [0.6, 0.8]),
    "origin": (_dynamics.PLAIN_VALLEY, [0.0, 0.0], [0.14, 0.99]),
}
LANDSCAPE_TITLES = {
    "line": "x(x² + y²) near (0, 1), non-degenerate across",
    "origin": "x(x² + y²) near the origin, fully degenerate",
}


def matrices(name, t, noise):
    """C and H at distance t from the critical point, exactly."""
    landscape, point, direction = NOISE_LANDSCAPES[name]
    w = np.array(point) + t * np.array(direction)
    h, gradient = landscape.h(w), landscape.gradient(w)
    outer = np.outer(gradient, gradient)
    return (2 * h**2 + noise**2) * outer, outer + h * landscape.hessian(w)


def angle(first_matrix, second_matrix):
    """Between two symmetric matrices."""
    cosine = (first_matrix * second_matrix).sum() / math.sqrt(
        (first_matrix**2).sum() * (second_matrix**2).sum()
    )
    return math.acos(min(1.0, max(-1.0, cosine)))


def units(settings):
    """A landscape at a distance."""
    return [{"landscape": name, "t": t} for name in NOISE_LANDSCAPES for t in settings["distances"]]


def theory(settings, row):
    """The trace of H, and its angle with C."""
    exactly, hessian = matrices(row["landscape"], row["t"], settings["noise"])
    return {
        "hessian_trace": np.trace(hessian),
        "exact_angle": angle(exactly, hessian) if len(hessian) > 1 else 0.0,
    }


def run(settings, unit, rng):
    """Covariance of many gradients of one sample."""
    landscape, point, direction = NOISE_LANDSCAPES[unit["landscape"]]
    w = np.array(point) + unit["t"] * np.array(direction)
    size, noise = settings["gradients"], settings["noise"]
    x, e = rng.standard_normal((2, size))
    pull = (landscape.h(w) * x - noise * e) * x
    # All gradients are multiples of ∇h: the covariance is Var(pull)·∇h∇hᵀ.
    outer = np.outer(landscape.gradient(w), landscape.gradient(w))
    scale = pull.var(ddof=1)
    error = math.sqrt(((pull - pull.mean()) ** 2).var() / size)
    _, hessian = matrices(unit["landscape"], unit["t"], noise)
    ours = scale * outer
    return {
        "z": (scale - (2 * landscape.h(w) ** 2 + noise**2)) / error,
        "wrong_z": (scale - 1.1 * (2 * landscape.h(w) ** 2 + noise**2)) / error,
        "trace": np.trace(ours),
        "angle": angle(ours, hessian) if len(point) > 1 else 0.0,
        **theory(settings, unit),
    }


def judge(settings, rows):
    """Factors in one dimension, orders in two, and the barrier."""
    of = {(row["landscape"], row["t"]): row for row in rows}
    closest, far = sorted(settings["distances"])[:2]
    # A z-score beyond 4.7 in 42 has a chance of 1 in 9000.
    worst = max(abs(row["z"]) for row in rows)
    facts = [
        exact("largest |z| of the covariance against (2h² + s²)∇h∇hᵀ is < 4.7", worst < 4.7, True)
    ]
    weak = min(abs(row["wrong_z"]) for row in rows)
    facts.append(exact("a covariance 10 % too large is rejected everywhere", weak > 4.7, True))
    s2 = settings["noise"] ** 2
    # Five standard errors of the variance of a product of normals, and the next order in t.
    tolerance = 5 * math.sqrt(8 / settings["gradients"]) * s2 + 4 * closest
    for k, name in ((1, "w"), (2, "w^2"), (3, "w^3")):
        ratio = of[name, closest]["trace"] / of[name, closest]["hessian_trace"]
        right = s2 * k / (2 * k - 1)
        facts.append(
            close(f"C/H near 0 of h = {name}", ratio, right, tolerance, control=right * 1.5)
        )
    angles = [of["line", t]["angle"] for t in (closest, far)]
    order = math.log(angles[1] / angles[0]) / math.log(far / closest)
    facts.append(close("order in t of the angle on the line", order, 1, 0.1, control=2))
    at_origin = of["origin", closest]["angle"]
    expected = angle(*matrices("origin", closest, settings["noise"]))
    facts.append(close("angle near the origin", at_origin, expected, 1e-6, control=expected / 2))
    alike = angle(np.eye(2), matrices("origin", closest, settings["noise"])[1])
    c, hessian = matrices("barrier", 0.0, settings["noise"])
    claims = [
        at_least("order in t of the angle between C and H, non-degenerate across", order, 0.5,
                 control=0.0),
        near("angle between C and H near a degenerate critical point (planted: noise alike in all "
             "directions)", at_origin, 0.0, 0.05, control=alike),
        near("C over s²H at the barrier, a critical point (planted: half the noise)",
             c[0, 0] / s2 / hessian[0, 0], 1.0, 0.1, control=0.5),
    ]  # fmt: skip
    yield Finding(
        "003-appendix",
        f"C and s²H part as t^{order:.2f} where a minimum is non-degenerate across, but by "
        f"{at_origin:.2f} rad however near where it is degenerate; at a barrier C = {c[0, 0]:g}",
        [*claims, *facts],
        details="At minima where h = 0, C = s²H; C/H = s²k/(2k−1) for h ~ w^k.",
        why="H has the term h·∇²h, which near a degenerate zero is of the same order as ∇h∇hᵀ; and "
        "at a critical point with ∇h = 0 ≠ h, such as the barrier, C = 0 while H = h∇²h is not.",
    )


def draw(settings, rows, figure):
    """The angle against the distance, drawn gradients and exact."""
    axes = figure.add_subplot()
    t = np.geomspace(min(settings["distances"]) / 1.5, max(settings["distances"]) * 1.5, 60)
    for name, colour, mark in (("line", "#2f6fa8", "o"), ("origin", "#c8452f", "s")):
        line = [angle(*matrices(name, one, settings["noise"])) for one in t]
        axes.loglog(t, line, color=colour, label=f"exact: {LANDSCAPE_TITLES[name]}")
        own = [row for row in rows if row["landscape"] == name]
        axes.loglog(
            [r["t"] for r in own], [r["angle"] for r in own], mark, color=colour, label="drawn"
        )
    axes.set_xlabel("distance t from the critical point")
    axes.set_ylabel("angle between C and H, rad")
    axes.set_ylim(1e-3, 3)
    figure.legend(loc="outside lower center", frameon=False, fontsize=9)


EXPERIMENT = experiment(
    __name__,
    title="Gradient noise follows the Hessian only where a minimum is not too degenerate",
    places=("003-appendix",),
    **suites(
        distances=([0.01, 0.03, 0.1, 0.3], [0.003, 0.01, 0.03, 0.1, 0.3]),
        noise=1.0,
        gradients=(100_000, 4_000_000),
    ),
    size=(5.4, 4.4),
    seed=3,
)
