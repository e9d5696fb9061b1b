"""Questions and answers in Python: what ``import rlct`` offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from typing import TYPE_CHECKING, Any

from rlct.certificate.document import box_document, network_document, problem_document
from rlct.errors import InputError
from rlct.models.linear import LinearNetwork
from rlct.pair import Pair
from rlct.parse import constant, parse
from rlct.result import Result, Route
from rlct.theorems import all_theorems, get
from rlct.theorems.base import Application

if TYPE_CHECKING:
    from rlct.problem import Problem
    from rlct.sampling.comparison import Comparison
    from rlct.sampling.estimate import Estimate
    from rlct.sampling.target import Target

__all__ = ["check", "ideal", "linear", "llc", "poly", "solve", "theorem"]

_SMALL_NETWORK = 10  # parameters up to which the engine is asked as well
_NETWORK_SECONDS = 3.0


def poly(
    K: Any,
    at: Mapping[str, Any] | None = None,
    prior: str | Mapping[str, Any] | None = None,
    nonneg: Iterable[str] = (),
    *,
    over: Mapping[str, tuple[Any, Any]] | None = None,
    timeout: float | None = None,
) -> Result:
    """λ and θ of a polynomial K ≥ 0 at one of its zeros.

    Parameters
    ----------
    K : str, sympy expression or Poly
        Rational coefficients; K ≥ 0 near the point.
    at : mapping, optional
        The point by variable, exact rationals; the origin by default.
    prior : str or mapping, optional
        Monomial prior |x|^h…, as ``"x*y**3"`` or exponents by variable, h > −1.
    nonneg : iterable of str
        Variables restricted to x ≥ 0.
    over : mapping, optional
        Interval (low, high) of every variable: asks for the minimum over this box instead of
        the value at a point.
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
    >>> poly("(x*y*(x-1))**2", over={"x": (-2, 2), "y": (-2, 2)}).pair
    Pair(1/2, 2)
    """
    if over is not None:
        return _over_box([K], over, at, prior, nonneg, timeout, is_ideal=False)
    from rlct.problem import Problem

    return solve(Problem.poly(K, at, prior, nonneg), timeout=timeout)


def ideal(
    generators: Iterable[Any],
    at: Mapping[str, Any] | None = None,
    prior: str | Mapping[str, Any] | None = None,
    nonneg: Iterable[str] = (),
    *,
    over: Mapping[str, tuple[Any, Any]] | None = None,
    timeout: float | None = None,
) -> Result:
    """λ and θ of K = Σ f² at a common zero; parameters as in `poly`.

    Examples
    --------
    >>> ideal(["x", "y**2"]).pair
    Pair(3/4, 1)
    """
    if over is not None:
        return _over_box(generators, over, at, prior, nonneg, timeout, is_ideal=True)
    from rlct.problem import Problem

    return solve(Problem.ideal(generators, at, prior, nonneg), timeout=timeout)


def _over_box(
    inputs: Iterable[Any],
    over: Mapping[str, tuple[Any, Any]],
    at: object,
    prior: str | Mapping[str, Any] | None,
    nonneg: Iterable[str],
    timeout: float | None,
    *,
    is_ideal: bool,
) -> Result:
    from rlct.box import BoxProblem
    from rlct.engine.box import prove_box
    from rlct.engine.strategy import sources_of

    if at or list(nonneg):
        raise InputError("over asks for the minimum over a box: leave out at and nonneg")
    if isinstance(inputs, str):
        inputs = [inputs]
    problem = BoxProblem.of(inputs, over, prior, is_ideal=is_ideal)
    proof, notes = prove_box(problem, timeout)
    method = f"engine: {', '.join(proof.rules())}"
    route = Route(method, proof.lower, proof.upper, sources_of(proof))
    return Result.of([route], problem.where, box_document(problem, proof), problem, notes)


def linear(
    widths: Sequence[int], rank: int, bias: bool = False, *, input_rank: int | None = None
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

    Examples
    --------
    >>> linear([5, 3, 5], rank=1).pair
    Pair(8, 1)
    """
    return solve(LinearNetwork(tuple(widths), rank, bias, input_rank))


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
    application = get(id).apply(**arguments)
    if application.pair is None:
        open_ones = [f.statement for f in application.findings if f.truth.value == "undecided"]
        raise InputError(f"{id}: undecided hypothesis: {open_ones[0]}")
    route = _theorem_route(application)
    question = application.theorem.question(application.arguments)
    return Result.of([route], application.theorem.where, None, question)


def solve(question: Problem | LinearNetwork, *, timeout: float | None = None) -> Result:
    """Answer a `Problem` or a model by every route that applies.

    Raises
    ------
    RoutesDisagreeError
        If two routes contradict each other, which is a bug.
    """
    routes = [
        _theorem_route(application)
        for application in _applications(question)
        if application.pair is not None
    ]
    if isinstance(question, LinearNetwork):
        return _solve_network(question, routes)
    return _solve_problem(question, routes, timeout)


def _applications(question: object) -> list[Application]:
    found = []
    for candidate in all_theorems():
        arguments = candidate.recognise(question)
        if arguments is not None:
            found.append(candidate.apply(**arguments))
    return found


def _theorem_route(application: Application) -> Route:
    assert application.pair is not None
    return Route(
        f"theorem {application.theorem.id}",
        application.pair,
        application.pair,
        application.theorem.sources,
        tuple(finding.to_dict() for finding in application.findings),
        application.theorem.title,
    )


def _solve_problem(problem: Problem, routes: list[Route], timeout: float | None) -> Result:
    from rlct.engine.nonnegative import nonnegativity
    from rlct.engine.strategy import prove, sources_of

    proof = prove(problem, timeout)
    notes = nonnegativity(problem, proof)
    engine = Route(
        f"engine: {', '.join(proof.rules())}", proof.lower, proof.upper, sources_of(proof)
    )
    certificate = problem_document(problem, proof)
    return Result.of([engine, *routes], problem.where, certificate, problem, notes)


def _solve_network(network: LinearNetwork, routes: list[Route]) -> Result:
    first = routes[0]
    theorem_id = first.method.removeprefix("theorem ")
    certificate = network_document(network, theorem_id, first.lower)
    if network.dimension <= _SMALL_NETWORK:
        from rlct.engine.strategy import prove, sources_of

        proof = prove(network.problem(), _NETWORK_SECONDS)
        method = f"engine at the deepest parameter: {', '.join(proof.rules())}"
        routes = [*routes, Route(method, proof.lower, proof.upper, sources_of(proof))]
    return Result.of(routes, network.where, certificate, network)


def llc(
    question: Problem | LinearNetwork | Result | Target,
    *,
    n_beta: float | None = None,
    seed: int = 0,
    method: str | None = None,
    level: float = 0.95,
    progress: Callable[[float, str], object] | None = None,
    **options: Any,
) -> Estimate:
    """Estimate the learning coefficient by simulation, near the point of the question.

    Without ``n_beta`` a whole ladder is run and λ estimated, with θ where it shows.  With
    ``n_beta`` the tempered mean at this one nβ is returned, as practitioners do; it depends
    on nβ and is not λ.

    Parameters
    ----------
    question : Problem, LinearNetwork, Result or Target
        A sampling target may hold data, see `rlct.sampling.regression.RegressionTarget`.
    n_beta : float, optional
        One temperature instead of a ladder.
    seed : int
    method : str, optional
        ``"quadrature"``, ``"tempering"``, ``"splitting"``, ``"mala"`` or ``"sgld"``; with
        ``n_beta`` one of the last two.
    level : float
        Probability of the interval.
    progress : callable, optional
        Called as ``progress(fraction, text)``.
    **options
        With ``n_beta``: lr, localization, num_chains, num_draws, num_burnin, batch_size.

    Returns
    -------
    Estimate

    Raises
    ------
    InputError
        For options that do not exist or do not fit the method.

    Examples
    --------
    >>> from rlct.problem import Problem
    >>> found = llc(Problem.poly("x**2*y**4"), seed=1)
    >>> found.interval[0] <= 0.25 <= found.interval[1]
    True
    >>> llc(LinearNetwork((1, 1), 0), n_beta=100, num_draws=500).method
    'mala'
    """
    from rlct.sampling import llc as single
    from rlct.sampling.run import estimate

    target = target_of(question)
    common: dict[str, Any] = {"seed": seed, "level": level, "progress": progress}
    if n_beta is None:
        if options:
            raise InputError(f"{', '.join(options)} need n_beta: they tune one temperature")
        return estimate(target, method=method, **common)
    known = signature(single.llc).parameters
    for name in options:
        if name not in known:
            raise InputError(f"llc has no option {name}: there are {', '.join(known)}")
    return single.llc(target, n_beta=n_beta, method=method or "mala", **common, **options)


def check(
    question: Problem | LinearNetwork | Result,
    claim: Pair | str | Fraction | int | None = None,
    *,
    seed: int = 0,
    method: str | None = None,
    progress: Callable[[float, str], object] | None = None,
) -> Comparison:
    """Compare theory with simulation.

    Parameters
    ----------
    question : Problem, LinearNetwork or Result
    claim : Pair, λ, or text ``"λ"`` or ``"λ,θ"``, optional
        What to put on trial; the exact answer by default.
    seed, method, progress
        As in `llc`.

    Returns
    -------
    Comparison
        With a z-score, a planted wrong λ, and the verdict.

    Raises
    ------
    InputError
        If there is no exact answer to check and no claim was given.

    Examples
    --------
    >>> check(poly("x**2*y**4")).verdict
    'agrees'
    >>> check(poly("x**2*y**4"), claim="1/2").verdict
    'refuted'
    """
    from rlct.sampling.check import check_target

    if claim is None:
        result = question if isinstance(question, Result) else solve(question)
        if result.pair is None:
            raise InputError("theory has only bounds here: name a value to check with claim=")
        pair = result.pair
    else:
        pair = read_claim(claim)
    return check_target(target_of(question), pair, seed=seed, method=method, progress=progress)


def read_claim(claim: Pair | str | Fraction | int) -> Pair:
    """Read λ or (λ, θ) from what a user writes; θ = 1 if it is not said.

    Examples
    --------
    >>> read_claim("1/2,2")
    Pair(1/2, 2)
    """
    if isinstance(claim, Pair):
        return claim
    if isinstance(claim, str):
        lam, _, theta = claim.partition(",")
        try:
            value = constant(parse(lam))
            if value is not None:
                return Pair(value, int(theta) if theta.strip() else 1)
        except InputError:
            raise
        except ValueError:
            pass
        raise InputError(f"the claim {claim!r} is not λ or λ,θ such as 1/4 or 1/4,1") from None
    return Pair(Fraction(claim), 1)


def target_of(question: Problem | LinearNetwork | Result | Target) -> Target:
    """Compile a question for the samplers."""
    from rlct.sampling.linear import LinearNetworkTarget
    from rlct.sampling.polynomial import PolynomialTarget
    from rlct.sampling.target import Target

    if isinstance(question, Result):
        if question.question is None:
            raise InputError("this result has no question that can be sampled")
        return target_of(question.question)
    if isinstance(question, Target):
        return question
    if isinstance(question, LinearNetwork):
        return LinearNetworkTarget(question.effective_widths, question.rank, bias=question.bias)
    from rlct.polynomial import terms_of

    local = question.local
    return PolynomialTarget(
        [terms_of(g) for g in local.generators],
        squared=question.is_ideal,
        prior=[float(h) for h in local.prior],
    )
