"""Pictures: matplotlib is loaded here, when one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from rlct.errors import InputError

__all__ = ["ACCENT", "FAINT", "INK", "SECOND", "new_figure", "render"]

INK = "#1b2a3a"
FAINT = "#9aa7b4"
ACCENT = "#c8452f"
SECOND = "#2f6fa8"

_STYLE = {
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.hashsalt": "rlct",  # the same picture is the same file
}


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise InputError("a picture needs matplotlib: pip install 'rlct[plot]'") from error
    return matplotlib


def new_figure(width: float, height: float, *, by_hand: bool = False) -> Any:
    """Make a figure that belongs to no window.

    Parameters
    ----------
    width, height : float
        In inches.
    by_hand : bool
        Whether the caller places the axes.

    Raises
    ------
    InputError
        If matplotlib is not installed; names the extra that brings it.
    """
    _matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout=None if by_hand else "constrained")


def render(draw: Callable[[], Any], kind: str) -> bytes:
    """Draw a figure and return the bytes of a file.

    Parameters
    ----------
    draw : callable
        Returns a matplotlib Figure.
    kind : str
        ``"png"``, ``"svg"`` or ``"pdf"``.
    """
    matplotlib = _matplotlib()
    buffer = BytesIO()
    with matplotlib.rc_context(_STYLE):
        metadata = {} if kind == "png" else {"CreationDate" if kind == "pdf" else "Date": None}
        draw().savefig(buffer, format=kind, dpi=160, metadata=metadata)
    return buffer.getvalue()
