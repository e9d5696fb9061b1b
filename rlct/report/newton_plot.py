"""The Newton polyhedron in two or three variables, with the ray that decides λ."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.report.newton_face import polygon, unbounded_face
from rlct.report.picture import ACCENT, FAINT, INK, PALE, SECOND, new_figure, pair_label, tidy

__all__ = ["check_dimension", "draw", "plot"]

Point = Sequence[float]


def draw(description: dict[str, Any]) -> Any:
    """Draw what `rlct.report.newton.describe` found.

    Parameters
    ----------
    description : dict

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If there are not two or three variables, or no matplotlib.
    """
    check_dimension(description["variables"])
    space = len(description["variables"]) == 3
    figure = new_figure(5.6, 5.8) if space else new_figure(5.2, 5.6)
    plot(figure.add_subplot(**_options(space)), description)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def check_dimension(variables: Sequence[str]) -> None:
    """Refuse what has no picture."""
    if len(variables) not in (2, 3):
        raise InputError(f"a picture needs 2 or 3 variables, not {len(variables)}")


def _options(space: bool) -> dict[str, Any]:
    return {"projection": "3d", "computed_zorder": False} if space else {}


def plot(axes: Any, description: dict[str, Any]) -> None:
    """Plot a polyhedron into axes.

    The polyhedron is shaded, with its compact faces, the exponents, the ray t·(1+h), the face that
    it meets (thick), and λ = 1/(2t), for K itself 1/t, written at the point where it does.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        With ``projection="3d"`` for three variables.
    description : dict
        Of `rlct.report.newton.describe`.

    Raises
    ------
    InputError
        If there are not two or three variables, or the axes do not fit them.
    """
    check_dimension(description["variables"])
    space = len(description["variables"]) == 3
    if space != (axes.name == "3d"):
        raise InputError(
            'three variables need axes with projection="3d"'
            if space
            else "two variables need plain axes"
        )
    ray = [float(Fraction(c)) for c in description["ray"]]
    scale = float(Fraction(description["distance"]))
    meeting = [scale * c for c in ray]
    (_space if space else _plane)(axes, description, ray, meeting)
    pair = pair_label(description["lambda_polyhedron"], description["theta_polyhedron"])
    subject = r"$K = \Sigma f^2$" if _squares(description) else "$K$"
    settled = not description["note"]
    settled &= all(face["zeros"] == "none" for face in description["faces"])
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


_LABEL = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": ACCENT, "alpha": 0.93}


def _plane(axes: Any, description: dict[str, Any], ray: Point, meeting: Point) -> None:
    vertices = sorted(description["vertices"])
    exponents = np.array(description["exponents"])
    top = max(1.25 * max(map(max, vertices)), 1.6 * max(meeting), 2.0)
    outline = [(vertices[0][0], top), *vertices, (top, vertices[-1][1]), (top, top)]
    axes.fill(*zip(*outline, strict=True), color=PALE, linewidth=0)
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
    _meeting(axes, meeting, 5, clip_on=False)
    if any(face["on_ray"] and face["dimension"] for face in description["faces"]) or any(
        hit for _, hit in unbounded
    ):
        axes.plot([], [], color=SECOND, linewidth=4, label="face on the ray")
    axes.set(xlim=(0, top), ylim=(0, top), aspect="equal")
    # Beside the point, on the side of the ray with more room, and never outside.
    left = meeting[0] > 0.55 * top
    axes.annotate(
        _crossing(description),
        meeting,
        xytext=(-12 if left else 12, 14 if meeting[1] < 0.85 * top else -18),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center",
        fontsize=9.5,
        color=INK,
        bbox=_LABEL,
        zorder=6,
    )
    x, y = description["variables"]
    axes.set_xlabel(f"exponent of {x}")
    axes.set_ylabel(f"exponent of {y}")
    tidy(axes, integers="xy")


def _meeting(axes: Any, meeting: Point, zorder: int, **options: Any) -> None:
    axes.plot(
        *[[c] for c in meeting],
        "o",
        color="white",
        markeredgecolor=ACCENT,
        markeredgewidth=2,
        markersize=8,
        zorder=zorder,
        **options,
    )


def _segment(axes: Any, ends: Sequence[Point], thick: bool) -> None:
    axes.plot(
        *zip(*ends, strict=True),
        color=SECOND,
        linewidth=4 if thick else 1.5,
        solid_capstyle="round",
        zorder=3,
    )


def _space(axes: Any, description: dict[str, Any], ray: Point, meeting: Point) -> None:
    """Compact faces, and the one on the ray: other unbounded ones would hide them."""
    vertices = np.array(description["vertices"], dtype=float)
    top = max(1.15 * vertices.max(), 1.2 * max(meeting))
    for face in description["faces"]:
        points = np.array(face["exponents"], dtype=float)
        thick = face["on_ray"]
        if face["dimension"] == 2:
            _surface(axes, points, 0.5 if thick else 0.14)
        elif face["dimension"] == 1:
            ends = np.array([min(points.tolist()), max(points.tolist())])
            axes.plot(*ends.T, color=SECOND, linewidth=4 if thick else 1.5, zorder=2)
    open_face = unbounded_face(vertices, meeting, top)
    if open_face is not None and np.linalg.matrix_rank(open_face - open_face[0]) == 2:
        _surface(axes, open_face, 0.5)
    elif open_face is not None:
        axes.plot(*open_face[[0, -1]].T, color=SECOND, linewidth=4, zorder=2)
    axes.plot(*vertices.T, "o", color=INK, markersize=5, zorder=4, label="vertices")
    length = max(1.6 * max(meeting), 0.75 * top) / max(ray)
    axes.plot(
        *[[0, length * c] for c in ray],
        "--",
        color=ACCENT,
        linewidth=1.4,
        zorder=3,
        label=_ray_label(description),
    )
    _meeting(axes, meeting, 5)
    limits = (0, top)
    axes.set(xlim=limits, ylim=limits, zlim=limits)
    from matplotlib.ticker import MaxNLocator

    for name, axis in zip(
        description["variables"], (axes.xaxis, axes.yaxis, axes.zaxis), strict=True
    ):
        axis.set_label_text(f"exponent of {name}")
        axis.set_pane_color((1, 1, 1, 0))
        axis.set_major_locator(MaxNLocator(6, integer=True))
        axis._axinfo["grid"].update(color=FAINT, linewidth=0.5)
    compact = any(face["on_ray"] and face["dimension"] for face in description["faces"])
    if compact or open_face is not None:
        axes.plot([], [], [], color=SECOND, linewidth=4, label="face on the ray")
    axes.view_init(elev=24, azim=32)
    axes.set_box_aspect(None, zoom=0.86)
    # The label keeps away from the faces that the ray meets.
    across, up, _, depth = axes.get_proj() @ [*meeting, 1.0]
    axes.annotate(
        _crossing(description),
        (across / depth, up / depth),
        xytext=(0.66, 0.9),
        textcoords="axes fraction",
        ha="center",
        fontsize=9.5,
        color=INK,
        bbox=_LABEL,
        arrowprops={"arrowstyle": "-", "color": ACCENT, "linewidth": 0.9, "shrinkB": 6},
        zorder=6,
    )


def _surface(axes: Any, points: Any, alpha: float) -> None:
    corners = polygon(points)
    axes.plot_trisurf(
        *corners.T,
        triangles=[[0, i, i + 1] for i in range(1, len(corners) - 1)],
        color=SECOND,
        alpha=alpha,
        linewidth=0,
        shade=False,
        zorder=1,
    )
