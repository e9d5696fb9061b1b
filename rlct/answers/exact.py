"""Questions and exact answers in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from rlct.answers.result import Result, theorem_route
from rlct.answers.routes import Question, solve
from rlct.errors import InputError, NegativeError
from rlct.models import get_model
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.models.linear_networks.linear_point import LinearPoint, read_layers
from rlct.system.options import as_list, check_names, explain_options, is_expression
from rlct.theorems import get_theorem

if TYPE_CHECKING:
    from rlct.answers.blow_up import BlowUp

__all__ = ["Question", "blow_up", "ideal", "linear", "model", "poly", "solve", "theorem"]


@explain_options
def poly(
    K: Any,
    at: Mapping[str, Any] | Sequence[Any] | None = None,
    prior: str | Mapping[str, Any] | None = None,
    nonneg: Iterable[str] = (),
    *,
    over: Mapping[str, tuple[Any, Any]] | tuple[Any, Any] | None = None,
    timeout: float | None = None,
) -> Result:
    """λ and θ of a polynomial K ≥ 0 at one of its zeros.

    Parameters
    ----------
    K : str, sympy.Expr or sympy.Poly
        Rational coefficients; K ≥ 0 near the point.  Here and below an object is understood
        that knows its sympy form (``_sympy_``), such as a polynomial of Sage.
    at : mapping or sequence, optional
        The point by variable, or as ``(1, 0)`` in the order of the variables (x, x2, x10, y);
        the origin by default.  Exact rationals, roots such as
        ``"root(t^2-2, 1..2)"`` (a polynomial and an interval with one of its real roots),
        ``"1+sqrt(2)/2"``, or sympy numbers.
    prior : str, sympy expression or mapping, optional
        Monomial prior ``|x|^h…``, as ``"x*y**3"`` or exponents by variable, h > −1.
    nonneg : iterable of str
        Variables restricted to x ≥ 0, linear forms such as ``"1-x-y"``, inequalities such as
        ``"x <= y"``.
    over : mapping or (low, high), optional
        Interval (low, high) of each variable, or of all alike: asks for the minimum over this box
        instead of the value at a point.
    timeout : float, optional
        Seconds after which the best bounds so far are returned.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If K is no such polynomial; the message says why.

    Examples
    --------
    >>> poly("(x**2 - y**3)**2")
    λ = 5/12, θ = 1 (exact; at the origin; engine: squares, newton)
    >>> poly("x**2*y**4").lam
    Fraction(1, 4)
    >>> poly("((x**2-2)**2-y**3)**2", at={"x": "root(t^2-2, 1..2)"}).lam
    Fraction(5, 12)
    >>> poly("(x*y*(x-1))**2", over={"x": (-2, 2), "y": (-2, 2)}).pair
    Pair(1/2, 2)
    >>> poly("(y+x**2)**2", over={"x": (-1, 1), "y": (0, 1)}).pair
    Pair(3/4, 1)
    >>> poly("(x-1)**2*y**4", at=(1, 0)).pair
    Pair(1/4, 1)
    """
    if over is not None:
        return _over_box([K], over, at, prior, nonneg, timeout, is_ideal=False)
    from rlct.questions.problem import Problem

    return solve(Problem.poly(K, at, prior, nonneg), timeout=timeout)


@explain_options
def ideal(
    generators: Iterable[Any],
    at: Mapping[str, Any] | Sequence[Any] | None = None,
    prior: str | Mapping[str, Any] | None = None,
    nonneg: Iterable[str] = (),
    *,
    over: Mapping[str, tuple[Any, Any]] | tuple[Any, Any] | None = None,
    timeout: float | None = None,
) -> Result:
    """λ and θ of K = Σ f² at a common zero.

    Parameters
    ----------
    generators : list, sympy.Matrix, sympy.GroebnerBasis, or a single polynomial
        The f, each as K in `poly`, where the other parameters are explained.

    Examples
    --------
    >>> ideal(["x", "y**2"]).pair
    Pair(3/4, 1)
    >>> import sympy
    >>> x, y = sympy.symbols("x y")
    >>> ideal(sympy.Matrix([x, y**2])).pair
    Pair(3/4, 1)
    """
    if over is not None:
        return _over_box(generators, over, at, prior, nonneg, timeout, is_ideal=True)
    from rlct.questions.problem import Problem

    return solve(Problem.ideal(generators, at, prior, nonneg), timeout=timeout)


def _over_box(
    inputs: Iterable[Any],
    box_sides: Mapping[str, tuple[Any, Any]] | tuple[Any, Any],
    at: object,
    prior: str | Mapping[str, Any] | None,
    nonnegative: Iterable[str],
    timeout: float | None,
    *,
    is_ideal: bool,
) -> Result:
    from rlct.questions.box_problem import BoxProblem
    from rlct.questions.reading import refuse_several

    inputs = as_list(inputs, "generators")
    refuse_several(inputs, at, prior is not None, nonnegative)
    if at:
        raise InputError("over asks for the minimum over a box: leave out at")
    problem = BoxProblem.of(inputs, box_sides, prior, nonnegative, is_ideal=is_ideal)
    return solve(problem, timeout=timeout)


@explain_options
def linear(
    widths: Sequence[int] | None = None,
    rank: int | None = None,
    bias: bool = False,
    *,
    input_rank: int | None = None,
    weights: Any = None,
    tolerance: float = 1e-6,
    timeout: float | None = None,
) -> Result:
    """λ and θ of a deep linear network, least over all parameters of the true map.

    Parameters
    ----------
    widths : sequence of int
        From input to output.
    rank : int
        Rank of the true map.
    bias : bool
        Whether every layer has a bias.
    input_rank : int, optional
        Rank of the second moment of the inputs, if less than the input width.
    weights : sequence of matrices or JSON text, optional
        Instead of all the above: A_1, …, A_L, and λ is asked at these weights.  Exact for two
        layers; for more, bounds if the engine does not settle it.
    tolerance : float
        For weights given as floats: relative singular values below it are taken for rounding
        errors.  The ranks this implies are noted; if they differ from those of the floats as
        exact numbers, only bounds are returned.
    timeout : float, optional
        Seconds for the engine.

    Raises
    ------
    InputError
        If widths and rank are missing or impossible, or the weights are no network.

    Examples
    --------
    >>> linear([5, 3, 5], rank=1).pair
    Pair(8, 1)
    >>> linear(weights=[[[0, 0], [0, 0]], [[1, 0], [0, 0]], [[0, 0], [0, 0]]]).pair
    Pair(3/2, 3)
    """
    if weights is not None:
        if widths is not None or rank is not None or bias or input_rank is not None:
            raise InputError("weights give widths and rank, and have no biases: leave these out")
        layers, rounded = read_layers(weights)
        point = LinearPoint(layers)
        result = solve(point, timeout=timeout)
        if not (rounded and any(result.bounds)):
            return result
        from rlct.answers.rounded_weights import weigh_rounded

        return weigh_rounded(result, point, tolerance)
    if widths is None:
        missing = "widths and rank are" if rank is None else "widths are"
        raise InputError(f"{missing} missing: give both, such as 5 3 5 and rank 1, or weights")
    if rank is None:
        raise InputError("the rank of the true map is missing, such as rank 1: give it, or weights")
    return solve(
        LinearNetwork(tuple(as_list(widths, "widths")), rank, bias, input_rank), timeout=timeout
    )


def model(id: str, *, timeout: float | None = None, **sizes: Any) -> Result:
    """λ and θ of a model of the literature, least over all parameters of its truth.

    Parameters
    ----------
    id : str
        ``"mixture"``, ``"naive-bayes"``, ``"lda"``, ``"tanh"`` and so on: the commands of
        ``rlct model`` and ``rlct net``.
    timeout : float, optional
        Seconds for the engine.
    **sizes
        Fields of the model, as the options of its command with ``_`` for ``-``.

    Raises
    ------
    InputError
        If there is no such model, or a size is missing, unknown or impossible.

    Examples
    --------
    >>> model("mixture", components=4, true=1).pair
    Pair(5/4, 1)
    >>> model("tanh", inputs=1, hidden=100, outputs=1, true_hidden=0).pair
    Pair(5, 2)
    """
    family = get_model(id)
    check_names(sizes, {item.name: item.default for item in fields(family)}, id)
    return solve(family(**sizes), timeout=timeout)


@explain_options
def blow_up(
    question: Any,
    at: Mapping[str, Any] | Sequence[Any] | None = None,
    prior: str | Mapping[str, Any] | None = None,
    nonneg: Iterable[str] = (),
    *,
    timeout: float | None = None,
) -> BlowUp:
    """Take an answer at a point apart: the tree of germs, charts, candidate poles of ζ.

    Parameters
    ----------
    question : Result, Problem, polynomial or list
        A polynomial is K as in `poly`, a list has generators as in `ideal`; with these the other
        parameters are as there, else they stay out.
    timeout : float, optional
        Seconds for the answer, and as many for the poles when they are asked for.

    Returns
    -------
    BlowUp
        ``.graph`` is a networkx graph; other parts are described there.

    Raises
    ------
    InputError
        As `poly`; or if the answer is not about a point.

    Examples
    --------
    >>> found = blow_up(["x**2 - y**3"])
    >>> found.result.pair, [str(pole.z) for pole in found.poles][:3]
    (Pair(5/12, 1), ['-5/12', '-1/2', '-7/12'])
    >>> print(blow_up(poly("x**2*y**4")).leading)
    C = 2 (monomial; prior |x|^h on the box |x_i| ≤ 1)
    """
    from rlct.answers.blow_up import BlowUp
    from rlct.questions.problem import Problem

    if isinstance(question, (Result, Problem)):
        if at or prior or as_list(nonneg, "nonneg"):
            raise InputError("the question already has its point, prior and constraints")
        if isinstance(question, Result) and "polyhedra" not in question.method:
            return BlowUp.of(question, timeout)
        problem = question.question if isinstance(question, Result) else question
    elif isinstance(question, LinearNetwork):
        raise InputError("a blow-up needs a polynomial or an ideal at a point")
    elif is_expression(question):
        try:
            problem = Problem.poly(question, at, prior, nonneg)
        except NegativeError as error:
            raise NegativeError(f"{error}; generators of K = Σ f² stand in a list") from None
    else:
        problem = Problem.ideal(question, at, prior, nonneg)
    return BlowUp.of(solve(problem, timeout=timeout, resolution=True), timeout)


def theorem(id: str, **arguments: Any) -> Result:
    """Evaluate a theorem of the catalogue.

    Parameters
    ----------
    id : str
        As in ``rlct theorem list``.
    **arguments
        Its arguments; see ``rlct theorem show ID``.

    Raises
    ------
    InputError
        If there is no such theorem, an argument is wrong, or a hypothesis is false.

    Examples
    --------
    >>> theorem("deep-linear", widths=[10, 10, 10, 10], rank=5).pair
    Pair(46, 3)
    """
    application = get_theorem(id).apply(**arguments)
    if not application.exact and application.bounds is None:
        open_ones = [f.statement for f in application.findings if f.truth.value == "open"]
        raise InputError(f"{id}: open hypothesis: {open_ones[0]}")
    route = theorem_route(application)
    asked = _Asked(id, application.arguments)
    return Result.of([route], application.theorem.where, None, asked)


@dataclass(frozen=True)
class _Asked:
    """The question of a theorem, written when somebody wants it; results compare and pickle."""

    id: str
    arguments: Mapping[str, Any]

    def __call__(self) -> object | None:
        return get_theorem(self.id).question(self.arguments)
