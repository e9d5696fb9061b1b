"""The Newton polyhedron in two or three variables, with the ray that decides λ."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from rlct.errors import InputError
from rlct.report.mathematics import latex_math
from rlct.report.newton import polyhedron_subject
from rlct.report.newton_face import least_face, outer_faces
from rlct.report.picture import (
    ACCENT_COLOR,
    INK_COLOR,
    PALE_COLOR,
    SECOND_COLOR,
    new_figure,
    pair_label,
    tidy_axes,
)

Point = Sequence[float]

_AXIS_COLOR: Final = "#5b6b7a"
_ZERO_ENTRY: Final = 1e-9  # entry of a normal that is 0
_FACE_COLOR: Final = "#a9cdec"  # of compact faces off the ray


def draw_polyhedron(polyhedron: dict[str, Any]) -> Any:
    """Draw what `rlct.report.newton.describe_polyhedron` found in two or three variables."""
    check_dimension(polyhedron["variables"])
    space = len(polyhedron["variables"]) == 3
    figure = new_figure(5.6, 5.8 if space else 5.6, alt=polyhedron_alt(polyhedron))
    options = {"projection": "3d", "computed_zorder": False} if space else {}
    plot_polyhedron(figure.add_subplot(**options), polyhedron)
    figure.legend(loc="outside lower center", ncols=2 if space else 3)
    return figure


def polyhedron_alt(polyhedron: dict[str, Any]) -> str:
    """What the picture shows, in words."""
    corners = ", ".join(f"({', '.join(map(str, v))})" for v in polyhedron["vertices"][:12])
    return (
        f"Newton polyhedron for {polyhedron_subject(polyhedron)} with vertices {corners}; "
        f"the ray t·({', '.join(polyhedron['ray'])}) enters it at t = {polyhedron['distance']}"
    )


def check_dimension(variables: Sequence[str]) -> None:
    """Refuse what has no picture."""
    if len(variables) not in (2, 3):
        raise InputError(f"a picture needs 2 or 3 variables, not {len(variables)}")


def plot_polyhedron(axes: Any, polyhedron: dict[str, Any]) -> None:
    """Plot a polyhedron into axes.

    The polyhedron is shaded, with its compact faces, the exponents, the ray t·(1+h), the face that
    it meets (thick), and λ = 1/(2t), for K itself 1/t, written at the point where it does.
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
    subject = f"${latex_math(polyhedron_subject(polyhedron))}$"
    settled = not polyhedron["note"]
    settled &= all(face["zeros"] == "none" for face in polyhedron["faces"])
    condition = "" if settled else ", unless terms cancel"
    axes.set_title(f"{pair}  for {subject}{condition}", fontsize=11)


def _ray_label(description: dict[str, Any]) -> str:
    inside = ", ".join(description["ray"])
    return f"ray $t\\,({inside})$"


def _crossing(description: dict[str, Any]) -> str:
    formula = "1/(2t)" if description["question"] == "ideal" else "1/t"
    lam = description["lambda_polyhedron"]
    return rf"$t = {description['distance']}$, $\lambda = {formula} = {lam}$"


_LABEL_BOX = {
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
    goes_left = entry_point[0] > 0.55 * axis_end
    axes.annotate(
        _crossing(polyhedron),
        entry_point,
        xytext=(-12 if goes_left else 12, 14 if entry_point[1] < 0.85 * axis_end else -18),
        textcoords="offset points",
        ha="right" if goes_left else "left",
        va="center",
        fontsize=9.5,
        color=INK_COLOR,
        bbox=_LABEL_BOX,
        zorder=6,
    )


def _space(axes: Any, polyhedron: dict[str, Any], ray: Point, entry_point: Point) -> None:
    """The polyhedron as a solid, seen from the side of the origin, where its faces are."""
    from matplotlib.patheffects import withStroke

    vertices = np.array(polyhedron["vertices"], dtype=float)
    axis_end = max(1.3 * vertices.max(), 1.2 * max(entry_point))
    faces = outer_faces(vertices, axis_end)
    for normal, corners in faces:
        compact = normal.max() < -_ZERO_ENTRY  # a wall is lighter
        _surface(axes, corners, _FACE_COLOR if compact else PALE_COLOR)
    deciding_face = least_face(faces, np.array(entry_point), axis_end)
    _highlight(axes, deciding_face)
    _space_axes(axes, polyhedron["variables"], axis_end)
    axes.plot(*vertices.T, "o", color=INK_COLOR, markersize=5, zorder=4, label="vertices")
    tip = [max(1.35 * max(entry_point), 0.8 * axis_end) / max(ray) * c for c in ray]
    for ends, dashes, label in (
        ([[0.0] * 3, entry_point], "--", _ray_label(polyhedron)),
        ([entry_point, tip], ":", ""),  # inside
    ):
        style = {"color": ACCENT_COLOR, "linewidth": 1.6, "linestyle": dashes, "label": label}
        seen = [withStroke(linewidth=3.4, foreground="white")]  # on dark and on light
        axes.plot(*zip(*ends, strict=True), **style, path_effects=seen, zorder=5)
    _meeting(axes, entry_point, 6)
    axes.plot([], [], [], "s", color=PALE_COLOR, markeredgecolor=INK_COLOR, label="polyhedron")
    if len(deciding_face) > 1:
        axes.plot([], [], [], color=SECOND_COLOR, linewidth=4, label="face on the ray")
    axes.annotate(
        _crossing(polyhedron),
        _seen(axes, entry_point),
        xytext=(0.5, 0.0),  # below the solid
        textcoords="axes fraction",
        ha="center",
        fontsize=9.5,
        color=INK_COLOR,
        bbox=_LABEL_BOX,
        arrowprops={"arrowstyle": "-", "color": ACCENT_COLOR, "linewidth": 0.9, "shrinkB": 6},
        zorder=7,
    )


def _seen(axes: Any, point: Any) -> tuple[float, float]:
    """Where a point of space lies in the plane of the picture."""
    across, up, _, depth = axes.get_proj() @ [*point, 1.0]
    return across / depth, up / depth


def _space_axes(axes: Any, variables: Sequence[str], axis_end: float) -> None:
    """Three axes from the origin, which is in front, with whole numbers along them."""
    from matplotlib.ticker import MaxNLocator

    axes.set(xlim=(0, axis_end), ylim=(0, axis_end), zlim=(0, axis_end))
    axes.set_axis_off()
    axes.view_init(elev=-22, azim=230)
    axes.set_box_aspect(None, zoom=0.9)
    ticks = [
        t for t in MaxNLocator(6, integer=True).tick_values(0, axis_end) if 0 < t < 0.95 * axis_end
    ]
    beside = ((0, -9), (0, -9), (-8, 0))  # points
    for name, unit, offset in zip(variables, np.eye(3), beside, strict=True):
        end = 1.12 * axis_end * unit
        axes.plot(*zip([0.0] * 3, end, strict=True), color=_AXIS_COLOR, linewidth=1, zorder=2)
        texts = [(f"${latex_math(name)}$", 1.2 * axis_end, 10, (0, 0))]
        texts += [(f"{tick:g}", tick, 8, offset) for tick in ticks]
        for text, at, size, shift in texts:
            axes.annotate(
                text, _seen(axes, at * unit), shift, textcoords="offset points", fontsize=size,
                ha="center", va="center", zorder=5, annotation_clip=False,
            )  # fmt: skip


def _highlight(axes: Any, corners: Any) -> None:
    """The face that the ray meets: filled, or a thick line."""
    if len(corners) > 2:
        _surface(axes, corners, SECOND_COLOR)
    elif len(corners) == 2:
        axes.plot(*corners.T, color=SECOND_COLOR, linewidth=4, zorder=3)


def _surface(axes: Any, corners: Any, color: str) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    axes.add_collection3d(
        Poly3DCollection([corners], facecolor=color, edgecolor=INK_COLOR, linewidth=0.7, zorder=1)
    )
