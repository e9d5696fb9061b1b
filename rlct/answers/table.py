"""Tables of answers: one row per architecture, many at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias, overload

from rlct.answers.document import claim
from rlct.answers.result import Result
from rlct.errors import InputError
from rlct.models.base import Model
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.system.options import as_list, check_callback, explain_options

if TYPE_CHECKING:
    from rlct.answers.routes import Question

# Lower and upper bound, method, place, assumptions.
Answer: TypeAlias = tuple[Pair | None, Pair | None, str, str, tuple[str, ...]]

SORT_KEYS: Final = ("lambda", "parameters")


@dataclass(frozen=True)
class Row:
    """One architecture."""

    architecture: str
    #: What varies in the table, with its value in this row.
    coordinates: Mapping[str, int]
    #: d, the number of weights, if the model says it.
    parameters: int | None
    #: Proved bounds of (λ, θ); equal if exact.
    lower: Pair | None
    upper: Pair | None
    method: str
    #: At which parameter.
    where: str
    #: What rows of one range share, if several ranges are compared.
    family: str = ""
    #: As of a `Result`.
    assumptions: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether λ and θ are proved."""
        return self.lower is not None and self.lower == self.upper

    @property
    def half(self) -> Fraction | None:
        """d/2, which λ would be if the model were regular."""
        return None if self.parameters is None else Fraction(self.parameters, 2)

    def to_dict(self) -> dict[str, Any]:
        """Return the row of the JSON form."""
        return {
            "architecture": self.architecture,
            "case": dict(self.coordinates),
            "parameters": self.parameters,
            "half_parameters": None if self.half is None else str(self.half),
            **claim(self.lower, self.upper),
            "method": self.method,
            "assumptions": list(self.assumptions),
            "where": self.where,
        }


@dataclass(frozen=True)
class Table:
    """Answers side by side.

    Attributes
    ----------
    rows : tuple of Row
    left_out : tuple of mapping
        Cases of a range that no network has, each with ``architecture``, ``case``, ``reason``.
    notes : tuple of str
        What a careful reader should know.
    """

    rows: tuple[Row, ...]
    left_out: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """``"exact"`` if every row is."""
        return "exact" if all(row.exact for row in self.rows) else "bounds"

    def sorted(self, key: str) -> Table:
        """Order the rows.

        Parameters
        ----------
        key : {"lambda", "parameters"}
            By λ (of equal λ the larger θ, more singular, first; where λ is not settled by its
            lower bound), or by the number of parameters.

        Raises
        ------
        InputError
            For another key.
        """
        if key not in SORT_KEYS:
            raise InputError(f"rows are sorted by {' or '.join(SORT_KEYS)}, not {key[:40]!r}")

        def place(row: Row) -> Any:
            if key == "parameters":
                return (row.parameters is None, row.parameters or 0)
            low = row.lower
            return (Fraction(0), 0) if low is None else (low.lam, -low.theta)

        return replace(self, rows=tuple(sorted(self.rows, key=place)))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: one object with ``rows``."""
        return {
            "schema": "rlct/1",
            "status": self.status,
            "rows": [row.to_dict() for row in self.rows],
            "left_out": [dict(entry) for entry in self.left_out],
            "notes": list(self.notes),
        }

    def to_csv(self) -> str:
        """Return comma-separated values: a header, then a line per row, fractions as p/q."""
        names = list(dict.fromkeys(name for row in self.rows for name in row.coordinates))
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        answer = ("lambda", "theta", "lower", "upper", "status", "method")
        writer.writerow(
            ["architecture", *names, "parameters", "half_parameters", *answer, "assumptions"]
        )
        for row in self.rows:
            found = row.to_dict()
            cells = [found["architecture"], *(row.coordinates.get(name) for name in names)]
            cells += [found["parameters"], found["half_parameters"], *(found[k] for k in answer)]
            cells.append("; ".join(row.assumptions))
            writer.writerow(["" if cell is None else cell for cell in cells])
        return buffer.getvalue()

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame with the columns of `to_csv`.

        λ and its bounds are fractions, exact; ``float`` turns them into numbers.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        InputError
            If pandas is not installed.

        Examples
        --------
        >>> frame = compare([LinearNetwork((5, 3, 5), 1)], names=["5-3-5"]).to_pandas()
        >>> frame[["architecture", "lambda"]].values.tolist()
        [['5-3-5', Fraction(8, 1)]]
        """
        try:
            import pandas as pd
        except ImportError as error:
            message = "a DataFrame needs pandas: pip install pandas, or 'rlct[arviz]'"
            raise InputError(message) from error
        frame = pd.read_csv(io.StringIO(self.to_csv()), dtype=str, keep_default_na=False)
        for name in frame.columns:
            exact = name in ("half_parameters", "lambda", "lower", "upper")
            if exact or name not in ("architecture", "status", "method", "assumptions"):
                read: Callable[[str], Any] = Fraction if exact else int
                frame[name] = [read(cell) if cell else None for cell in frame[name]]
        return frame

    def plot(self, axes: Any = None, against: str | None = None) -> Any:
        """Draw λ with d/2 beside it.

        Parameters
        ----------
        axes : matplotlib.axes.Axes, optional
            A new figure is made by default.
        against : str, optional
            The coordinate on the horizontal axis; the one with most values by default.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InputError
            If there is too much for one picture, or no matplotlib.
        """
        from rlct.report.lambda_plot import draw_table, plot_against, plot_rows

        if axes is None:
            return draw_table(self, against)
        if any(row.coordinates for row in self.rows):
            plot_against(axes, self, against)
        else:
            plot_rows(axes, self)
        return axes.figure

    def __str__(self) -> str:
        from rlct.report.table import table_text

        return table_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Rich form for notebooks: a row for every case."""
        from rlct.report.notebook import table_html

        return table_html(self)


@overload
def compare(questions: Mapping[str, Any]) -> Any: ...


@overload
def compare(
    questions: Iterable[Question | Result],
    *,
    names: Sequence[str] | None = None,
    coordinates: Sequence[Mapping[str, int]] | None = None,
    sort: str | None = None,
    timeout: float | None = None,
    progress: Callable[[int], object] | None = None,
) -> Table: ...


@explain_options
def compare(
    questions: Iterable[Question | Result] | Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    coordinates: Sequence[Mapping[str, int]] | None = None,
    sort: str | None = None,
    timeout: float | None = None,
    progress: Callable[[int], object] | None = None,
) -> Any:
    """λ and θ of several architectures, one row each; or several fits of the same data.

    Parameters
    ----------
    questions : iterable or mapping
        Models, such as `LinearNetwork` or `QuadraticArchitecture`, problems, or answers.  Linear
        networks are evaluated together; other models by the theorems if one is exact, with the
        engine beside them for ideals of monomials, and by everything `solve` knows where none is.
        Or from names to log-likelihoods of fits, or to `loo` or `waic` of them: these alone are
        compared as by ArviZ.
    names : sequence of str, optional
        Of the rows.
    coordinates : sequence of mapping, optional
        What varies between the rows, for tables and pictures.
    sort : {"lambda", "parameters"}, optional
        The order of the rows; as given by default.
    timeout : float, optional
        Seconds for the engine, for each row.
    progress : callable, optional
        Called with the number of rows done.

    Returns
    -------
    Table or pandas.DataFrame

    Raises
    ------
    InputError
        If there is nothing to compare, or names or coordinates are not one per question.
    RoutesDisagreeError
        If two routes contradict each other, which is a bug.

    Examples
    --------
    >>> nets = [LinearNetwork((5, h, 5), 1) for h in (3, 5)]
    >>> table = compare(nets, names=["5-3-5", "5-5-5"])
    >>> print(str(table).partition("if:")[0].strip())
    architecture  parameters  d/2     λ  θ
    5-3-5                 30   15     8  1
    5-5-5                 50   25  21/2  1
    by theorem deep-linear
    """
    if isinstance(questions, Mapping):
        from rlct.criteria.fit_comparison import compare_fits

        return compare_fits(questions)
    question_list = as_list(questions, "questions")
    check_callback(progress)
    if not question_list:
        raise InputError("there is nothing to compare")
    for given, what in ((names, "names"), (coordinates, "coordinates")):
        if given is not None and len(given) != len(question_list):
            raise InputError(f"{len(given)} {what} for {len(question_list)} architectures")
    answer_by_index = _linear(question_list)
    if progress is not None:
        progress(len(answer_by_index))
    rows = []
    for k, question in enumerate(question_list):
        if k not in answer_by_index:
            answer_by_index[k] = _one(question, timeout)
            if progress is not None:
                progress(len(answer_by_index))
        lower, upper, method, where, assumptions = answer_by_index[k]
        target = question.question if isinstance(question, Result) else question
        name = names[k] if names is not None else str(target)
        count = getattr(target, "parameter_count", None)
        place = coordinates[k] if coordinates is not None else {}
        rows.append(Row(name, place, count, lower, upper, method, where, "", assumptions))
    table = Table(tuple(rows))
    return table if sort is None else table.sorted(sort)


def _linear(question_list: Sequence[object]) -> dict[int, Answer]:
    """Evaluate the linear networks together, those of one depth as one array."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for k, question in enumerate(question_list):
        if isinstance(question, LinearNetwork):
            groups.setdefault((len(question.widths), question.bias), []).append(k)
    linear_answers: dict[int, Answer] = {}
    if not groups:
        return linear_answers
    from rlct.theorems import get_theorem
    from rlct.theorems.kit.deep_linear_arrays import deep_linear_pairs

    theorem = get_theorem("deep-linear")

    for (_, bias), places in groups.items():
        nets = [n for k in places if isinstance(n := question_list[k], LinearNetwork)]
        try:
            lam, theta = deep_linear_pairs(
                [net.effective_widths for net in nets], [net.rank for net in nets], bias=bias
            )
        except InputError:
            continue  # too large for double precision: `_one` is exact at any size
        for k, net, value, count in zip(places, nets, lam, theta, strict=True):
            pair = Pair(Fraction(round(4 * float(value)), 4), int(count))  # 4λ is an integer
            assumed = theorem.assumptions_of(theorem.recognise(net) or {})
            linear_answers[k] = pair, pair, "theorem deep-linear", net.where, assumed
    return linear_answers


def _one(question: Any, timeout: float | None) -> Answer:
    from rlct.answers.model_kinds import is_monomial
    from rlct.answers.routes import place_of, solve, theorem_routes

    if not isinstance(question, Result):
        routes = theorem_routes(question)
        for route in routes:
            if route.exact:
                # A theorem on a model answers for its fibre, wherever the engine would work.
                where = place_of(question)
                # Either way routes that contradict each other raise.
                if isinstance(question, Model) and is_monomial(question):
                    solve(question, timeout=timeout)
                else:
                    Result.of(routes, where, None, question)
                return route.lower, route.upper, route.method, where, route.assumptions
        question = solve(question, timeout=timeout)
    return *question.bounds, question.method, question.where, question.assumptions
