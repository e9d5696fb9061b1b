"""The landscape of K around the point, with its zero set, for two variables."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.report.mathematics import latex_math
from rlct.report.picture import ACCENT_COLOR, INK_COLOR, pair_label, tidy_axes
from rlct.report.question import subject_of

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.questions.problem import Problem

_GRID_POINTS = 401  # of the grid, each way
_SHADE_LEVELS = 9  # of shade, one a decade
_SHADED_DECADES = 8.0  # of K with shades of their own


def plot_landscape(axes: Any, question: Problem | Result, radius: float = 1.0) -> None:
    """Plot log K as shades, and the real zeros of K near the point as lines.

    The lines are the zeros of the common factor of the generators; isolated zeros other than the
    point itself show as the darkest shades.
    """
    from rlct.questions.problem import Problem

    problem = getattr(question, "question", question)
    if not isinstance(problem, Problem) or len(problem.variables) != 2:
        raise InputError(
            "a landscape needs a polynomial or an ideal in two variables at a point; "
            "'rlct newton' and 'rlct blowup' draw others"
        )
    if problem.number_field is not None:
        raise InputError("a landscape needs rational coefficients")
    if isinstance(radius, str) or not 0 < radius < np.inf:
        raise InputError(f"the radius of a landscape is positive, not {radius}")
    point_values = [float(value) for value in problem.point]
    x, y = (np.linspace(c - radius, c + radius, _GRID_POINTS) for c in point_values)
    x_grid, y_grid = np.meshgrid(x, y)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        values = [_evaluated(g, x_grid, y_grid) for g in problem.generators]
        K = sum(v * v for v in values) if problem.is_ideal else np.abs(values[0])
    top = float(K.max())
    if not (np.isfinite(top) and np.diff(x).all() and np.diff(y).all()):
        raise InputError(f"no landscape within {radius:g} of the point: choose a radius nearer 1")
    if top < np.finfo(float).tiny:
        raise InputError(f"K is zero on the whole square, or too small within {radius:g}")
    shades = np.log10(np.maximum(K / top, 10.0 ** -(_SHADED_DECADES + 1)))
    levels = np.linspace(-_SHADED_DECADES, 0, _SHADE_LEVELS)
    contour_set = axes.contourf(
        x_grid, y_grid, shades, levels=levels, cmap="Blues_r", extend="min", zorder=0
    )
    curve = _zeros(problem)
    if curve is not None:
        drawn = _evaluated(curve, x_grid, y_grid)
        if drawn.min() < 0 < drawn.max():
            for colour, width in (("white", 4.0), (ACCENT_COLOR, 1.8)):  # seen on dark and on light
                axes.contour(
                    x_grid, y_grid, drawn, levels=[0.0], colors=[colour], linewidths=width, zorder=2
                )
            axes.plot([], [], color=ACCENT_COLOR, linewidth=1.8, label="zeros of K")
    axes.plot(
        *point_values,
        "o",
        color="white",
        markeredgecolor=INK_COLOR,
        markeredgewidth=1.8,
        markersize=8,
        zorder=3,
        label="the point",
    )
    axes.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]), aspect="equal")
    axes.set_xlabel(problem.variables[0])
    axes.set_ylabel(problem.variables[1])
    pair = getattr(question, "pair", None)
    title = pair_label(pair.lam, pair.theta) if pair else "K near the point"
    subject = subject_of(problem)
    axes.set_title(title + f"  for ${latex_math(subject)}$" * ("=" in subject))
    tidy_axes(axes)
    axes.grid(visible=False)
    bar = axes.figure.colorbar(contour_set, ax=axes, shrink=0.8)
    bar.set_label(r"$\log_{10}(K/K_{\max})$")


def _evaluated(polynomial: Any, across: Any, up: Any) -> Any:
    total = np.zeros_like(across)
    for (a, b), c in polynomial.terms():
        total = total + float(c) * across**a * up**b
    return total


def _zeros(problem: Problem) -> Any:
    """The radical of the common factor of the generators: it changes sign along curves of zeros."""
    common = reduce(lambda f, g: f.gcd(g), problem.generators)
    return None if common.is_ground else common.sqf_part()
