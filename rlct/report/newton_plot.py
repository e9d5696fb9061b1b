"""The Newton polyhedron in two or three variables, with the ray that decides λ."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.report.newton_face import hull_corners, unbounded_face
from rlct.report.picture import (
    ACCENT_COLOR,
    FAINT_COLOR,
    INK_COLOR,
    PALE_COLOR,
    SECOND_COLOR,
    new_figure,
    pair_label,
    tidy_axes,
)

__all__ = ["check_dimension", "draw_polyhedron", "plot_polyhedron"]

Point = Sequence[float]


def draw_polyhedron(polyhedron: dict[str, Any]) -> Any:
    """Draw what `rlct.report.newton.describe_polyhedron` found.

    Parameters
    ----------
    polyhedron : dict

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If there are not two or three variables, or no matplotlib.
    """
    check_dimension(polyhedron["variables"])
    space = len(polyhedron["variables"]) == 3
    figure = new_figure(5.6, 5.8) if space else new_figure(5.2, 5.6)
    plot_polyhedron(figure.add_subplot(**_options(space)), polyhedron)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def check_dimension(variables: Sequence[str]) -> None:
    """Refuse what has no picture."""
    if len(variables) not in (2, 3):
        raise InputError(f"a picture needs 2 or 3 variables, not {len(variables)}")


def _options(space: bool) -> dict[str, Any]:
    return {"projection": "3d", "computed_zorder": False} if space else {}


def plot_polyhedron(axes: Any, polyhedron: dict[str, Any]) -> None:
    """Plot a polyhedron into axes.

    The polyhedron is shaded, with its compact faces, the exponents, the ray t·(1+h), the face that
    it meets (thick), and λ = 1/(2t), for K itself 1/t, written at the point where it does.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        With ``projection="3d"`` for three variables.
    polyhedron : dict
        Of `rlct.report.newton.describe_polyhedron`.

    Raises
    ------
    InputError
        If there are not two or three variables, or the axes do not fit them.
    """
    check_dimension(polyhedron["variables"])
    is_3d = len(polyhedron["variables"]) == 3
    if is_3d != (axes.name == "3d"):
        raise InputError(
            'three variables need axes with projection="3d"'
            if is_3d
            else "two variables need plain axes"
        )
    ray = [float(Fraction(c)) for c in polyhedron["ray"]]
    scale = float(Fraction(polyhedron["distance"]))
    entry_point = [scale * c for c in ray]
    (_space if is_3d else _plane)(axes, polyhedron, ray, entry_point)
    pair = pair_label(polyhedron["lambda_polyhedron"], polyhedron["theta_polyhedron"])
    subject = r"$K = \Sigma f^2$" if _squares(polyhedron) else "$K$"
    settled = not polyhedron["note"]
    settled &= all(face["zeros"] == "none" for face in polyhedron["faces"])
    condition = "" if settled else ", unless terms cancel"
    axes.set_title(f"{pair}  for {subject}{condition}", fontsize=11)


def _squares(description: dict[str, Any]) -> bool:
    return bool(description["question"] == "ideal")


def _ray_label(description: dict[str, Any]) -> str:
    inside = ", ".join(description["ray"])
    return f"ray $t\\,({inside})$"


def _crossing(description: dict[str, Any]) -> str:
    formula = "1/(2t)" if _squares(description) else "1/t"
    lam = description["lambda_polyhedron"]
    return rf"$t = {description['distance']}$, $\lambda = {formula} = {lam}$"


_LABEL = {
    "boxstyle": "round,pad=0.25",
    "facecolor": "white",
    "edgecolor": ACCENT_COLOR,
    "alpha": 0.93,
}


def _plane(axes: Any, polyhedron: dict[str, Any], ray: Point, entry_point: Point) -> None:
    vertices = sorted(polyhedron["vertices"])
    exponents = np.array(polyhedron["exponents"])
    axis_end = max(1.25 * max(map(max, vertices)), 1.6 * max(entry_point), 2.0)
    outline = [
        (vertices[0][0], axis_end),
        *vertices,
        (axis_end, vertices[-1][1]),
        (axis_end, axis_end),
    ]
    axes.fill(*zip(*outline, strict=True), color=PALE_COLOR, linewidth=0)
    for face in polyhedron["faces"]:
        if face["dimension"] == 1:
            ends = sorted(face["exponents"])
            _segment(axes, [ends[0], ends[-1]], face["on_ray"])
    first, last = vertices[0], vertices[-1]
    unbounded_edges = [
        ([first, (first[0], axis_end)], entry_point[1] > first[1] and entry_point[0] == first[0]),
        ([last, (axis_end, last[1])], entry_point[0] > last[0] and entry_point[1] == last[1]),
    ]
    for ends, on_ray in unbounded_edges:
        _segment(axes, ends, on_ray)
    inside = (exponents <= axis_end).all(axis=1)
    axes.plot(
        *exponents[inside].T,
        "o",
        color=INK_COLOR,
        markersize=5,
        zorder=4,
        clip_on=False,
        label="exponents",
    )
    length = 0.97 * axis_end / max(ray)
    tip = [length * c for c in ray]
    axes.plot(
        [0, tip[0]],
        [0, tip[1]],
        "--",
        color=ACCENT_COLOR,
        linewidth=1.4,
        label=_ray_label(polyhedron),
    )
    _meeting(axes, entry_point, 5, clip_on=False)
    if any(face["on_ray"] and face["dimension"] for face in polyhedron["faces"]) or any(
        on_ray for _, on_ray in unbounded_edges
    ):
        axes.plot([], [], color=SECOND_COLOR, linewidth=4, label="face on the ray")
    axes.set(xlim=(0, axis_end), ylim=(0, axis_end), aspect="equal")
    _label_crossing(axes, polyhedron, entry_point, axis_end)
    x, y = polyhedron["variables"]
    axes.set_xlabel(f"exponent of {x}")
    axes.set_ylabel(f"exponent of {y}")
    tidy_axes(axes, integers="xy")


def _meeting(axes: Any, meeting: Point, zorder: int, **options: Any) -> None:
    axes.plot(
        *[[c] for c in meeting],
        "o",
        color="white",
        markeredgecolor=ACCENT_COLOR,
        markeredgewidth=2,
        markersize=8,
        zorder=zorder,
        **options,
    )


def _segment(axes: Any, ends: Sequence[Point], thick: bool) -> None:
    axes.plot(
        *zip(*ends, strict=True),
        color=SECOND_COLOR,
        linewidth=4 if thick else 1.5,
        solid_capstyle="round",
        zorder=3,
    )


def _label_crossing(
    axes: Any, polyhedron: dict[str, Any], entry_point: Point, axis_end: float
) -> None:
    # Beside the point, on the side of the ray with more room, and never outside.
    left = entry_point[0] > 0.55 * axis_end
    axes.annotate(
        _crossing(polyhedron),
        entry_point,
        xytext=(-12 if left else 12, 14 if entry_point[1] < 0.85 * axis_end else -18),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center",
        fontsize=9.5,
        color=INK_COLOR,
        bbox=_LABEL,
        zorder=6,
    )


def _space(axes: Any, polyhedron: dict[str, Any], ray: Point, entry_point: Point) -> None:
    """Compact faces, and the one on the ray: other unbounded ones would hide them."""
    vertices = np.array(polyhedron["vertices"], dtype=float)
    axis_end = max(1.15 * vertices.max(), 1.2 * max(entry_point))
    for face in polyhedron["faces"]:
        points = np.array(face["exponents"], dtype=float)
        thick = face["on_ray"]
        if face["dimension"] == 2:
            _surface(axes, points, 0.5 if thick else 0.14)
        elif face["dimension"] == 1:
            ends = np.array([min(points.tolist()), max(points.tolist())])
            axes.plot(*ends.T, color=SECOND_COLOR, linewidth=4 if thick else 1.5, zorder=2)
    open_face = unbounded_face(vertices, entry_point, axis_end)
    if open_face is not None and np.linalg.matrix_rank(open_face - open_face[0]) == 2:
        _surface(axes, open_face, 0.5)
    elif open_face is not None:
        axes.plot(*open_face[[0, -1]].T, color=SECOND_COLOR, linewidth=4, zorder=2)
    axes.plot(*vertices.T, "o", color=INK_COLOR, markersize=5, zorder=4, label="vertices")
    length = max(1.6 * max(entry_point), 0.75 * axis_end) / max(ray)
    axes.plot(
        *[[0, length * c] for c in ray],
        "--",
        color=ACCENT_COLOR,
        linewidth=1.4,
        zorder=3,
        label=_ray_label(polyhedron),
    )
    _meeting(axes, entry_point, 5)
    limits = (0, axis_end)
    axes.set(xlim=limits, ylim=limits, zlim=limits)
    from matplotlib.ticker import MaxNLocator

    for name, axis in zip(
        polyhedron["variables"], (axes.xaxis, axes.yaxis, axes.zaxis), strict=True
    ):
        axis.set_label_text(f"exponent of {name}")
        axis.set_pane_color((1, 1, 1, 0))
        axis.set_major_locator(MaxNLocator(6, integer=True))
        axis._axinfo["grid"].update(color=FAINT_COLOR, linewidth=0.5)
    compact = any(face["on_ray"] and face["dimension"] for face in polyhedron["faces"])
    if compact or open_face is not None:
        axes.plot([], [], [], color=SECOND_COLOR, linewidth=4, label="face on the ray")
    axes.view_init(elev=24, azim=32)
    axes.set_box_aspect(None, zoom=0.86)
    # The label lies away from the faces that the ray meets.
    across, up, _, depth = axes.get_proj() @ [*entry_point, 1.0]
    axes.annotate(
        _crossing(polyhedron),
        (across / depth, up / depth),
        xytext=(0.66, 0.9),
        textcoords="axes fraction",
        ha="center",
        fontsize=9.5,
        color=INK_COLOR,
        bbox=_LABEL,
        arrowprops={"arrowstyle": "-", "color": ACCENT_COLOR, "linewidth": 0.9, "shrinkB": 6},
        zorder=6,
    )


def _surface(axes: Any, points: Any, alpha: float) -> None:
    corners = hull_corners(points)
    axes.plot_trisurf(
        *corners.T,
        triangles=[[0, i, i + 1] for i in range(1, len(corners) - 1)],
        color=SECOND_COLOR,
        alpha=alpha,
        linewidth=0,
        shade=False,
        zorder=1,
    )
