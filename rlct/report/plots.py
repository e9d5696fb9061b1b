"""Pictures, each into axes of yours or into a new figure; the extra ``plot`` brings matplotlib.

>>> from rlct.report import plots
>>> import rlct
>>> axes = plots.newton(rlct.ideal(["x**2 - y**3"]))
>>> axes.get_xlabel()
'exponent of x'

Every function returns the axes; ``axes.figure.savefig("picture.svg")`` writes a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.report.picture import axes_of, inside_axes, picture_style
from rlct.report.question import subject_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rlct.answers.blow_up import BlowUp
    from rlct.answers.result import Result
    from rlct.answers.table import Table
    from rlct.criteria.transition import Basin
    from rlct.pair import Pair
    from rlct.questions.problem import Problem
    from rlct.sampling.estimate import Estimate

__all__ = ["ladder", "landscape", "newton", "phase_diagram", "sizes", "tree", "volume"]


def newton(question: Problem | Result, ax: Any = None) -> Any:
    """Newton polyhedron with the ray, the face that it meets, and λ at the crossing.

    Parameters
    ----------
    question : Problem or Result
        In two or three variables, at a point with rational coordinates.
    ax : matplotlib.axes.Axes, optional
        With ``projection="3d"`` for three variables.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If there are not two or three variables, or no matplotlib.
    """
    from rlct.questions.problem import Problem
    from rlct.report.newton import describe_polyhedron
    from rlct.report.newton_plot import plot_polyhedron, polyhedron_alt

    problem = getattr(question, "question", question)
    if not isinstance(problem, Problem):
        raise InputError("a Newton polyhedron needs a polynomial or an ideal at a point")
    space = len(problem.variables) == 3
    with picture_style():
        options = {"projection": "3d", "computed_zorder": False} if space else {}
        polyhedron = describe_polyhedron(problem)
        axes = axes_of(ax, 5.4, 5.4, polyhedron_alt(polyhedron), **options)
        plot_polyhedron(axes, polyhedron)
    return axes


def tree(subject: BlowUp | Result | Problem, ax: Any = None) -> Any:
    """The tree of a proof: germs, charts, and k and h of the divisors.

    Parameters
    ----------
    subject : BlowUp, Result or Problem
    ax : matplotlib.axes.Axes, optional
        Text is made smaller where the tree does not fit.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If the tree is too large to be read, or the question is not about a point.
    """
    from rlct.answers.blow_up import BlowUp
    from rlct.answers.exact import blow_up
    from rlct.report.tree_plot import draw_tree, plot_tree

    taken = subject if isinstance(subject, BlowUp) else blow_up(subject)
    with picture_style():
        if ax is None:
            return draw_tree(taken).axes[0]
        plot_tree(ax, taken)
    return ax


def ladder(
    estimate: Estimate, ax: Any = None, *, truth: Pair | Fraction | int | None = None
) -> Any:
    """The λ-ladder: local slopes with the fitted expansion, λ̂ with its interval, and the truth.

    Parameters
    ----------
    estimate : Estimate
        Of `rlct.llc` without ``n_beta``.
    ax : matplotlib.axes.Axes, optional
    truth : Pair or Fraction, optional
        A value to compare with.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If the estimate has no ladder.
    """
    from rlct.report.ladder_plot import plot_ladder

    _estimate(estimate, "ladders")
    with picture_style():
        axes = axes_of(ax, 6.2, 4.4, f"Slopes of the free energy against nβ: {estimate.headline}")
        plot_ladder(axes, estimate, truth)
        axes.legend(fontsize=8.5, loc="best")
    return axes


def volume(estimate: Estimate, ax: Any = None, *, truth: Pair | None = None) -> Any:
    """Volume scaling: the prior mass of {K < t} against t, with t^λ (log 1/t)^(θ−1).

    Parameters
    ----------
    estimate : Estimate
        Of `rlct.llc` with ``method="splitting"``.
    ax : matplotlib.axes.Axes, optional
    truth : Pair, optional
        By default the estimate gives the line.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If the estimate has no volumes.
    """
    from rlct.report.ladder_plot import plot_volume

    _estimate(estimate, "volumes")
    with picture_style():
        axes = axes_of(ax, 6.2, 4.4, f"Prior mass of K < t against t: {estimate.headline}")
        plot_volume(axes, estimate, truth)
        axes.legend(fontsize=9, loc="best")
    return axes


def landscape(question: Problem | Result, ax: Any = None, *, radius: float = 1.0) -> Any:
    """The landscape of K around the point, with its zero set, for two variables.

    Parameters
    ----------
    question : Problem or Result
    ax : matplotlib.axes.Axes, optional
    radius : float
        Half the side of the square around the point.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If the question is not in two variables at a point.
    """
    from rlct.report.landscape_plot import plot_landscape

    with picture_style():
        of = subject_of(getattr(question, "question", question))
        axes = axes_of(ax, 5.8, 5.0, f"Landscape of {of} and its zeros near the point: {question}")
        plot_landscape(axes, question, radius)
        if ax is None:  # below, where it hides nothing
            axes.figure.legend(fontsize=9, loc="outside lower center", ncols=2)
        else:
            inside_axes(axes)
    return axes


def sizes(table: Table, ax: Any = None, *, against: str | None = None) -> Any:
    """λ against rank, width or depth, with d/2; or architectures side by side.

    Parameters
    ----------
    table : Table
        Of `rlct.compare`.
    ax : matplotlib.axes.Axes, optional
    against : str, optional
        The coordinate on the horizontal axis; by default the one with most values.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If there is too much for one picture, or no such coordinate.
    """
    from rlct.answers.table import Table

    if not isinstance(table, Table):
        raise InputError("sizes are plotted from a table: rlct.compare makes one")
    with picture_style():
        axes = axes_of(ax, 6.4, 4.4, f"λ and d/2 of {len(table.rows)} architectures")
        table.plot(axes, against)
        axes.legend(fontsize=9)
    return axes


def phase_diagram(basins: Sequence[Basin], ax: Any = None) -> Any:
    """Free energies of competing models over n; in a figure of its own also λ of the preferred.

    Parameters
    ----------
    basins : sequence of Basin
        Two to eight, of `rlct.criteria.transition`.
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If there are too few or too many, or two that are the same.
    """
    from rlct.report.phases_plot import draw_phases, plot_energies

    with picture_style():
        if ax is None:
            return draw_phases(basins).axes[0]
        plot_energies(ax, basins)
        inside_axes(ax)
    return ax


def _estimate(subject: object, plural: str) -> None:
    from rlct.sampling.estimate import Estimate

    if not isinstance(subject, Estimate):
        raise InputError(f"{plural} are plotted from an estimate: rlct.llc makes one")
