"""The style of every picture, and how one becomes a file; matplotlib is loaded here.

Colours differ in lightness, lines in their dashes and points in their marks, so that a picture
can be read in grey.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, Final

from rlct.errors import InputError

INK_COLOR: Final = "#14202b"
ACCENT_COLOR: Final = "#b3261e"
SECOND_COLOR: Final = "#3f8fd2"
FAINT_COLOR: Final = "#9aa7b4"
PALE_COLOR: Final = "#e4eef8"

#: Colour, mark and dashes of the lines of one picture, distinct also in grey.
SERIES_STYLES: Final = (
    (ACCENT_COLOR, "o", "-"),
    (SECOND_COLOR, "s", "-"),
    (INK_COLOR, "D", "-"),
    ("#8a97a3", "^", "-"),
    ("#d9902f", "v", (0, (6, 2))),
    ("#3c7d55", "P", (0, (6, 2))),
    ("#b58bd0", "X", (0, (6, 2))),
    ("#5d4a3a", "*", (0, (6, 2))),
)

_PICTURE_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "mathtext.fontset": "dejavusans",
    "text.color": INK_COLOR,
    "axes.edgecolor": FAINT_COLOR,
    "axes.labelcolor": INK_COLOR,
    "axes.titlesize": 11,
    "xtick.color": INK_COLOR,
    "ytick.color": INK_COLOR,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "svg.hashsalt": "rlct",  # the same picture is the same file
}


def load_matplotlib() -> Any:
    """Matplotlib, or one line that says how to get it."""
    try:
        import matplotlib
    except ImportError as error:
        raise InputError("a picture needs matplotlib: pip install 'rlct[plot]'") from error
    return matplotlib


def new_figure(width: float, height: float, *, by_hand: bool = False, alt: str = "") -> Any:
    """Make a figure that belongs to no window.

    Width and height are in inches; ``by_hand`` leaves the axes to the caller; ``alt`` is what the
    figure shows, for those who cannot see it, and the title of a file.
    """
    load_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout=None if by_hand else "constrained")
    figure.set_label(alt)
    return figure


@contextmanager
def picture_style() -> Iterator[None]:
    """The style, for what is drawn inside."""
    with load_matplotlib().rc_context(_PICTURE_STYLE):
        yield


def axes_of(ax: Any, width: float, height: float, alt: str = "", **options: Any) -> Any:
    """The axes that are given, or those of a new figure.

    Width, height and ``alt`` are those of the new figure, as in `new_figure`, and ``options`` those
    of ``Figure.add_subplot``.
    """
    return new_figure(width, height, alt=alt).add_subplot(**options) if ax is None else ax


def tidy_axes(axes: Any, *, integers: str = "", grid: str = "both") -> None:
    """Light grid, no box, and whole numbers on the axes that are named.

    ``integers`` is ``"x"``, ``"y"``, ``"xy"`` or nothing, and ``grid`` ``"x"``, ``"y"`` or
    ``"both"``.
    """
    from matplotlib.ticker import MaxNLocator

    for name in integers:
        getattr(axes, f"{name}axis").set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color=FAINT_COLOR, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


def inside_axes(axes: Any) -> None:
    """Put a legend into axes, readable over what lies below: beside them others may follow."""
    axes.legend(fontsize=8.5, loc="best", frameon=True, framealpha=0.85, edgecolor="none")


def pair_label(lam: object, theta: object = None) -> str:
    r"""λ, and θ if it is known, as a formula.

    >>> print(pair_label("1/2", 2))
    $\lambda = 1/2$,  $\theta = 2$
    """
    shown = rf"$\lambda = {lam}$"
    return shown if theta is None else rf"{shown},  $\theta = {theta}$"


def render_figure(draw: Callable[[], Any], kind: str) -> bytes:
    """Draw a figure and return the bytes of a file.

    ``draw`` returns a matplotlib Figure; ``kind`` is ``"png"``, ``"svg"`` or ``"pdf"``.
    """
    buffer = BytesIO()
    with picture_style():
        figure = draw()
        # The same picture is the same file: no date.
        metadata = {} if kind == "png" else {"CreationDate" if kind == "pdf" else "Date": None}
        if figure.get_label():
            metadata["Title"] = figure.get_label()
        figure.savefig(buffer, format=kind, dpi=160, metadata=metadata)
    return buffer.getvalue()
