"""A question as samplers take it: one target in arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rlct.answers.exact import Question
from rlct.answers.kinds import load_kind, sampled_form
from rlct.answers.result import Result
from rlct.errors import InputError, NegativeError

if TYPE_CHECKING:
    from rlct.algebra.polynomial import Polynomial
    from rlct.questions.problem import Problem
    from rlct.sampling.targets.polynomial import PolynomialTarget
    from rlct.sampling.targets.products import Factors
    from rlct.sampling.targets.target import Target

BOX_RADIUS = 0.5  # of the box around the point on which a polynomial is sampled
_SMALLEST_BOX = 1e-3  # box that is tried where K is negative on larger ones
_USUAL_MEDIANS = (1e-6, 1.0)  # medians of K that need no rescaling
_LEAST_SIZE = 1e-300  # of a coefficient: smaller ones are floats of few digits, or 0


def target_of(question: Question | Result | Target, *, radius: float = BOX_RADIUS) -> Target:
    """Compile a question for the samplers; polynomials live on a box of the given radius.

    A polynomial K far from order one is multiplied by a number, which changes no λ.  It changes
    what an nβ means: where one is named, see `scaled_target`.  Where K is negative within the
    radius, as x²(1 + 3x), the box is so small that it is not.
    """
    while True:
        try:
            return scaled_target(question, radius=radius)[0]
        except NegativeError:
            radius /= 4
            if radius < _SMALLEST_BOX:
                raise


def scaled_target(
    question: Question | Result | Target, *, radius: float = BOX_RADIUS, as_typed: bool = False
) -> tuple[Target, float]:
    """Compile a question as `target_of` does; besides, by what number K was multiplied.

    At nβ divided by it the target has the tempered posterior of the question at nβ.  ``as_typed``
    uses the coordinates in which it was asked: a wall x ≥ 0 and powers of a prior at the point
    are otherwise removed by x = y², or y³, which changes no λ but means at one nβ.

    >>> import numpy as np
    >>> from rlct.questions.problem import Problem
    >>> target, factor = scaled_target(Problem.poly("100000*x**2"))
    >>> bool(np.isclose(target.divergence(np.array([[0.5]]))[0], 25000 * factor)), factor < 1
    (True, True)
    """
    from rlct.sampling.targets.target import EXACT_RESOLUTION, Target

    problem = sampled_question(question)
    if isinstance(problem, Target):
        return problem, 1.0
    from rlct.algebra.polynomial import content_and_factors, terms_of, to_fraction
    from rlct.questions.problem import signed_terms
    from rlct.sampling.targets.polynomial import PolynomialTarget

    as_typed = as_typed and any(q > 1 for q in problem.powers)
    at_origin = problem.shifted if as_typed else problem.localise
    prior, wall_flags = _prior_at_point(problem, as_typed)
    left_out = _left_out(problem, radius)

    def terms(g: Polynomial, factor: float = 1.0) -> dict[tuple[int, ...], float]:
        return {m: _float(c) * factor for m, c in signed_terms(g, problem.field).items()}

    def powers(g: Polynomial, factor: float) -> Factors:
        """Irreducible factors of a generator, if any of them that rounding hides is repeated."""
        content, irreducible = content_and_factors(g) if problem.field is None else (1, ())
        if all(e == 1 for _, e in irreducible) or all(len(f) == 1 for f, _ in irreducible):
            return [(terms(g, factor), 1)]
        constant = {(0,) * len(problem.variables): _float(to_fraction(content)) * factor}
        return [(constant, 1), *((terms(f), e) for f, e in irreducible)]

    def build(
        generators: Sequence[Polynomial], factors: Iterable[float], squared: bool
    ) -> PolynomialTarget:
        scaled = list(zip(generators, factors, strict=True))
        polynomial_target = PolynomialTarget(
            [terms(g, factor) for g, factor in scaled],
            squared=squared,
            prior=[float(h) for h in prior],
            nonneg=wall_flags,
            radius=radius,
            names=problem.variables,
            factors=[powers(g, factor) for g, factor in scaled],
        )
        polynomial_target.remark = left_out
        polynomial_target.exact = [terms_of(g) for g in generators] if problem.field is None else []
        return polynomial_target

    generators = [at_origin(g) for g in problem.generators]
    factors = [1.0] * len(generators)
    target = build(generators, factors, problem.is_ideal)
    if not problem.is_ideal and target.resolution < EXACT_RESOLUTION:
        squares = _squares(problem, at_origin)
        if squares is not None:
            factors, generators = squares
            target = build(generators, factors, True)
    median = _median(target)
    if _USUAL_MEDIANS[0] < median < _USUAL_MEDIANS[1] or not 0 < median < math.inf:
        return target, 1.0
    # Samplers expect K of order one.
    ratio = math.sqrt(_USUAL_MEDIANS[0] * _USUAL_MEDIANS[1]) / median
    factor = math.sqrt(ratio) if target.squared else ratio
    return build(generators, [factor * each for each in factors], target.squared), ratio


def _prior_at_point(problem: Problem, as_typed: bool) -> tuple[Sequence[Any], list[bool]]:
    """Exponents of the prior and walls at the point, in the coordinates that are sampled."""
    if not as_typed:
        return problem.local.prior, [False] * len(problem.point)
    here = [value == 0 for value in problem.point]
    prior = [h * zero for h, zero in zip(problem.prior, here, strict=True)]
    return prior, [wall and zero for wall, zero in zip(problem.nonneg, here, strict=True)]


def _left_out(problem: Problem, radius: float) -> str:
    """Walls and powers of the prior beside the point: they change no λ, but means at one nβ."""
    named = zip(problem.variables, problem.point, problem.nonneg, problem.prior, strict=True)
    parts = []
    for name, value, wall, power in named:
        if value != 0 and wall and float(value) < radius:
            parts.append(f"the wall {name} = 0")
        if value != 0 and power:
            parts.append(f"the power of {name} in the prior")
    return f"left out, as not at the point: {', '.join(parts)}" if parts else ""


def _squares(
    problem: Problem, placed: Callable[[Polynomial], Polynomial]
) -> tuple[list[float], list[Polynomial]] | None:
    """Factors and polynomials g of K = Σ (factor·g)², if it is known: their zeros are precise."""
    from rlct.algebra.positivity.squares import squares_of_polynomial

    if problem.squares is None and problem.field is None:
        squares = squares_of_polynomial(placed(problem.generators[0]))
    else:
        given = problem.squares
        if given is None and problem.number_field is None:
            given = squares_of_polynomial(problem.generators[0])
        squares = tuple((c, placed(g)) for c, g in given or ())
    if not squares:
        return None
    return [math.sqrt(_float(c)) for c, _ in squares], [g for _, g in squares]


def _float(coefficient: Any) -> float:
    """A coefficient that is no zero as a float that is none, either; InputError beyond floats."""
    try:
        number = float(coefficient)
    except OverflowError:
        number = math.inf
    if not _LEAST_SIZE < abs(number) < math.inf:
        size = "large" if abs(number) > 1 else "small"
        raise InputError(
            f"a coefficient is too {size} for floats: scale the variables, or K, by a constant"
        )
    return number


def sampled_question(question: Question | Result | Target) -> Problem | Target:
    """Find the target of a question, or the polynomial problem that it comes down to."""
    from rlct.sampling.targets.target import Target

    if isinstance(question, Result):
        if question.question is None:
            raise InputError("this result has no question that can be sampled")
        return sampled_question(question.question)
    if isinstance(question, Target):
        return question
    load_kind(question)
    return sampled_form(question)


def _median(target: PolynomialTarget) -> float:
    """Middle of K on the box, roughly: a fixed seed and few draws."""
    import numpy as np

    with np.errstate(all="ignore"):
        draws = target.divergence(target.sample_prior(4096, np.random.default_rng(0)))
        return float(np.median(draws)) or math.nan
