"""The Newton polyhedron in two or three variables, with the ray that decides λ."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.report.picture import ACCENT, FAINT, INK, SECOND, new_figure

__all__ = ["draw"]

Point = Sequence[float]


def draw(description: dict[str, Any]) -> Any:
    """Draw what `rlct.report.newton.describe` found.

    Parameters
    ----------
    description : dict

    Returns
    -------
    matplotlib.figure.Figure
        The polyhedron shaded, its compact faces, the exponents, the ray t·(1+h), the face it
        meets (thick) and the point where it does.

    Raises
    ------
    InputError
        If there are not two or three variables, or no matplotlib.
    """
    dimension = len(description["variables"])
    if dimension not in (2, 3):
        raise InputError(f"a picture needs 2 or 3 variables, not {dimension}")
    ray = [float(Fraction(c)) for c in description["ray"]]
    # The ray leaves the polyhedron's complement at t = 1/(2λ).
    scale = 1 / (2 * float(Fraction(description["lambda_polyhedron"])))
    meeting = [scale * c for c in ray]
    return (_plane if dimension == 2 else _space)(description, ray, meeting)


def _title(description: dict[str, Any]) -> str:
    return (
        f"$\\lambda = {description['lambda_polyhedron']}$,  "
        f"$\\theta = {description['theta_polyhedron']}$  for $K = \\Sigma f^2$"
    )


def _ray_label(description: dict[str, Any]) -> str:
    inside = ", ".join(description["ray"])
    return f"ray $t\\,({inside})$"


def _plane(description: dict[str, Any], ray: Point, meeting: Point) -> Any:
    vertices = sorted(description["vertices"])
    exponents = np.array(description["exponents"])
    top = max(1.25 * max(map(max, vertices)), 1.6 * max(meeting), 2.0)
    figure = new_figure(5.2, 5.6)
    axes = figure.add_subplot()
    outline = [(vertices[0][0], top), *vertices, (top, vertices[-1][1]), (top, top)]
    axes.fill(*zip(*outline, strict=True), color=SECOND, alpha=0.14, linewidth=0)
    for face in description["faces"]:
        if face["dimension"] == 1:
            ends = sorted(face["exponents"])
            _segment(axes, [ends[0], ends[-1]], face["on_ray"])
    first, last = vertices[0], vertices[-1]
    unbounded = [
        ([first, (first[0], top)], meeting[1] > first[1] and meeting[0] == first[0]),
        ([last, (top, last[1])], meeting[0] > last[0] and meeting[1] == last[1]),
    ]
    for ends, hit in unbounded:
        _segment(axes, ends, hit)
    inside = (exponents <= top).all(axis=1)
    axes.plot(
        *exponents[inside].T,
        "o",
        color=INK,
        markersize=5,
        zorder=4,
        clip_on=False,
        label="exponents",
    )
    length = 0.97 * top / max(ray)
    tip = [length * c for c in ray]
    axes.plot(
        [0, tip[0]], [0, tip[1]], "--", color=ACCENT, linewidth=1.4, label=_ray_label(description)
    )
    axes.plot(
        *meeting,
        "o",
        color="white",
        markeredgecolor=ACCENT,
        markeredgewidth=2,
        markersize=8,
        zorder=5,
        label=rf"$t = 1/(2\lambda) = {_inverse(description)}$",
    )
    if any(face["on_ray"] and face["dimension"] for face in description["faces"]) or any(
        hit for _, hit in unbounded
    ):
        axes.plot([], [], color=SECOND, linewidth=4, label="face on the ray")
    axes.set(xlim=(0, top), ylim=(0, top), aspect="equal")
    x, y = description["variables"]
    axes.set_xlabel(f"exponent of {x}")
    axes.set_ylabel(f"exponent of {y}")
    _plain(axes)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    axes.set_title(_title(description), fontsize=11)
    return figure


def _inverse(description: dict[str, Any]) -> str:
    return str(1 / (2 * Fraction(description["lambda_polyhedron"])))


def _segment(axes: Any, ends: Sequence[Point], thick: bool) -> None:
    axes.plot(
        *zip(*ends, strict=True),
        color=SECOND,
        linewidth=4 if thick else 1.5,
        solid_capstyle="round",
        zorder=3,
    )


def _plain(axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color=FAINT, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


def _space(description: dict[str, Any], ray: Point, meeting: Point) -> Any:
    """Compact faces only: the unbounded ones would hide them."""
    figure = new_figure(5.6, 5.8)
    axes = figure.add_subplot(projection="3d", computed_zorder=False)
    vertices = np.array(description["vertices"], dtype=float)
    top = max(1.15 * vertices.max(), 1.2 * max(meeting))
    for face in description["faces"]:
        points = np.array(face["exponents"], dtype=float)
        thick = face["on_ray"]
        if face["dimension"] == 2:
            corners = _polygon(points)
            fan = [[0, i, i + 1] for i in range(1, len(corners) - 1)]
            axes.plot_trisurf(
                *corners.T,
                triangles=fan,
                color=SECOND,
                alpha=0.45 if thick else 0.16,
                linewidth=0,
                shade=False,
                zorder=1,
            )
        elif face["dimension"] == 1:
            ends = np.array([min(points.tolist()), max(points.tolist())])
            axes.plot(*ends.T, color=SECOND, linewidth=4 if thick else 1.5, zorder=2)
    axes.plot(*vertices.T, "o", color=INK, markersize=5, zorder=4, label="vertices")
    length = max(1.35 * max(meeting), 0.6 * top) / max(ray)
    axes.plot(
        *[[0, length * c] for c in ray],
        "--",
        color=ACCENT,
        linewidth=1.4,
        zorder=3,
        label=_ray_label(description),
    )
    axes.plot(
        *[[c] for c in meeting],
        "o",
        color="white",
        markeredgecolor=ACCENT,
        markeredgewidth=2,
        markersize=8,
        zorder=5,
        label=rf"$t = 1/(2\lambda) = {_inverse(description)}$",
    )
    limits = (0, top)
    axes.set(xlim=limits, ylim=limits, zlim=limits)
    for name, axis in zip(
        description["variables"], (axes.xaxis, axes.yaxis, axes.zaxis), strict=True
    ):
        axis.set_label_text(f"exponent of {name}")
        axis.set_pane_color((1, 1, 1, 0))
    if any(face["on_ray"] and face["dimension"] for face in description["faces"]):
        axes.plot([], [], [], color=SECOND, linewidth=4, label="face on the ray")
    axes.view_init(elev=22, azim=38)
    axes.set_box_aspect(None, zoom=0.92)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    axes.set_title(_title(description), fontsize=11)
    return figure


def _polygon(points: Any) -> Any:
    """Corners of the hull of coplanar points, in order."""
    from scipy.spatial import ConvexHull

    middle = points - points.mean(axis=0)
    # Two directions in the plane of the face.
    directions = np.linalg.svd(middle, full_matrices=False)[2][:2]
    return points[ConvexHull(middle @ directions.T).vertices]
