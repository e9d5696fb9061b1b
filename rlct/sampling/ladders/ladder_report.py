"""What a fitted ladder says, as an Estimate with its errors by origin and its warnings."""

import numpy as np

from rlct.sampling.estimate import Estimate
from rlct.sampling.kernels import kernel_names
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.ladder import Fit, Ladder
from rlct.sampling.markov_chains import diagnostics
from rlct.sampling.markov_chains.cooling import cool_to
from rlct.sampling.markov_chains.moves import ParticlePopulation
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.remainders import remainders
from rlct.sampling.targets.target import Floats, Target
from rlct.sampling.targets.visibility import buried_term, square_grows

_WRITTEN_TERMS = 4  # terms of a square that a message names
_POPULATION_SEED, _ISLAND_PARTICLES, _ISLAND_COUNT = 20261, 160, 12  # shows hidden parts


def report(
    ladder_fit: Fit,
    ladder: Ladder,
    theta: int | None,
    level: float,
    seed: int,
    method: str,
    method_remark: str,
    seconds: float,
) -> Estimate:
    """Put together what is known of λ from a ladder and its fit."""
    notes: list[str] = []
    effective_size: float | None = None
    split_rhat: float | None = None
    if ladder.draws is not None:
        effective_size = diagnostics.ess(ladder.draws)
        split_rhat = diagnostics.rhat(ladder.draws)
        notes.extend(
            diagnostics.warnings_for(
                ladder.draws, effective_size=effective_size, split_rhat=split_rhat
            )
        )
    notes.extend(ladder.warnings)
    expansion_fits = ladder_fit.misfit <= priors.ALLOWED_MISFIT or ladder.error is not None
    if ladder_fit.rise:
        by_kernel = method in kernel_names()
        further = "take tempering, which ends later" if by_kernel else "let it end later"
        notes.append(
            f"the ladder ends at nβ = {ladder.end:.2g}, where slopes still grow, by "
            f"{ladder_fit.rise:.2g} over the part that is fitted: λ̂ is extrapolated; {further}"
        )
    if not expansion_fits:
        notes.append(
            "no asymptotic expansion fits the ladder "
            f"(χ² per degree of freedom {ladder_fit.misfit:.1f})"
        )
    theta_span = None if theta is not None else ladder_fit.theta_range(level)
    if theta_span is not None and not expansion_fits:
        theta_span = (
            min(ladder_fit.thetas),
            max(ladder_fit.thetas),
        )  # what fits no θ distinguishes none
    settled: int | None = theta if theta is not None else ladder_fit.theta
    if theta_span is not None and theta_span[0] != theta_span[1]:
        settled = None
    low, high = ladder_fit.interval(level)
    return Estimate(
        lam=ladder_fit.lam,
        interval=(max(low, 0.0), max(high, 0.0)),  # no λ is negative
        level=level,
        theta=settled,
        theta_interval=theta_span,
        error=ladder_fit.error,
        degrees=ladder_fit.degrees,
        ess=effective_size,
        rhat=split_rhat,
        seconds=seconds,
        seed=seed,
        method=method,
        warnings=tuple(notes),
        remark=method_remark,
        errors=_errors(ladder_fit),
        ladder=ladder,
        fit=ladder_fit,
    )


def _errors(ladder_fit: Fit) -> dict[str, float]:
    """The standard error by origin.

    Estimates of Z or V by weighted populations are unbiased however slowly particles move, but
    their logarithms are not.  The correction from the scatter of the islands and the one that
    takes the levels for independent differ where particles move slowly: the sampler's share.
    For exact conditional draws it is the distance from the later half of each level's draws, of
    SGLD what a step may add besides what is taken off; other chains by gradients have a bias that a
    ladder does not know.
    """
    sampling_variance = ladder_fit.noise**2 + (ladder_fit.sampler or 0.0) ** 2
    errors = {
        "monte_carlo": ladder_fit.noise,
        "finite_n": float(np.sqrt(max(0.0, ladder_fit.error**2 - sampling_variance))),
    }
    if ladder_fit.sampler is not None:
        errors["sampler"] = ladder_fit.sampler
    return errors


def close_poles(target: Target, ladder: Ladder) -> str:
    """Warning for linear networks of more layers than the fit was seen to bear.

    [2]·30 of rank 1 (λ = 2, θ = 29) gave 1.74, [4]·20 of rank 2 (15/2, 35) 7.22.
    """
    if not isinstance(target, LinearNetworkTarget) or not target.depth.close:
        return ""
    return (
        f"the poles of {target.depth.layers} layers are too close for a ladder that rounding "
        f"ends at nβ = {ladder.end:.1g}: λ̂ may be off by a tenth, use the theorem (rlct net linear)"
    )


def few_turns(target: Target, ladder: Ladder, lam: float, highest: int = 1) -> str:
    """Warning for tempering that ends before the first pole stands alone, or its order shows.

    (x + y)²⁰(x − y)²² (λ = 1/22), expanded, which rounding hides beyond nβ = 10²⁰, had
    0.062 ± 0.006; as a product it has 0.0459 ± 0.0018.  ``highest`` is the largest θ that is
    likely.
    """
    ladder_turns = lam * float(np.log(ladder.end / ladder.unit))
    wanted_turns = priors.FEW_TURNS_BY_THETA * highest if highest > priors.FEW_THETAS else 0.0
    if ladder.kind != "free energy" or ladder_turns >= max(priors.FEW_TURNS, wanted_turns):
        return ""
    further = "raise top, or run without a file"
    if 10 * ladder.end > target.resolution:
        further = "beyond, rounding hides K; choose coordinates in which high powers are monomials"
    harm = "poles are not told apart there, and λ̂ may be too large"
    if ladder_turns >= priors.FEW_TURNS:
        harm = f"that is little beside θ, which may be {highest}, and λ̂ may be too small"
    ends = f"the ladder ends at nβ = {ladder.end:.1g}, where λ̂ log nβ is {ladder_turns:.1f}"
    return f"{ends}: {harm}; {further}"


def hidden_part(target: Target, ladder: Ladder) -> str:
    """Warning if a part of K has not begun to show at the end of the ladder."""
    if not isinstance(target, PolynomialTarget):
        return ""
    term = target.unseen(ladder.end)
    words = f"the term {term} of K is too small to show" if term else ""
    parts = sum(map(len, target.generators)) if target.squared else 1
    if not words and parts > 1:  # else nothing is beside anything, and no draws are needed
        words = _unsettled(target, _last_points(target, ladder), ladder.end)
    if not words:
        return ""
    further = "raise top, or scale the variables"
    if 10 * ladder.end > target.resolution:
        further = "beyond, rounding hides K; scale variables"
        further += "" if target.squared else ", or write K as squares (ideal)"
    return f"{words} up to nβ = {ladder.end:.1g}, and the interval knows nothing of it: {further}"


def _unsettled(target: PolynomialTarget, w: Floats, n_beta: float) -> str:
    """What still grows with nβ at draws of the tempered posterior, in words."""
    energy = n_beta * target.divergence(w)
    if len(target.generators) > 1:
        for g, values in zip(target.generators, target.values(w).T, strict=True):
            if not values.any() or square_grows(values, energy):  # or it has underflowed
                return f"({_sum(target, g)})**2 in K is still growing"
        for square_remainder in remainders(target.exact):
            one = PolynomialTarget([square_remainder], squared=True)
            if square_grows(one.values(w)[:, 0], energy):
                sort = "what is left of squares in K where their leading terms cancel"
                return f"({_sum(target, square_remainder)})**2, {sort}, is still growing"
    buried_terms = (buried_term(g, w, energy, n_beta) for g in target.generators)
    term = next(filter(None, buried_terms), None)
    return f"the term {target.written(term)} of a square in K is too small to show" if term else ""


def _sum(target: PolynomialTarget, polynomial: dict[tuple[int, ...], float]) -> str:
    """Write a polynomial, but for a factor, in words."""
    first = max(polynomial.values(), key=abs)
    terms = [
        (f"{c / first:+.3g}*" if c != first else "+") + target.written(e)
        for e, c in list(polynomial.items())[:_WRITTEN_TERMS]
    ]
    omitted_terms = " + …" if len(polynomial) > _WRITTEN_TERMS else ""
    return " ".join(terms).removeprefix("+") + omitted_terms


def _last_points(target: Target, ladder: Ladder) -> Floats:
    """Draws at the end of a ladder, by a quick one if it has none itself."""
    if ladder.points is not None:
        return ladder.points
    rng = np.random.default_rng(_POPULATION_SEED)
    population = ParticlePopulation.draw(target, _ISLAND_PARTICLES, _ISLAND_COUNT, rng)
    cool_to(target, population, 0.0, ladder.end, rng)
    return population.w
