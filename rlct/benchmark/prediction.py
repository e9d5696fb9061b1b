"""Free energies at finite n from the poles of ζ, beside quadrature."""

from __future__ import annotations

from math import factorial, gamma, prod
from typing import Any

import numpy as np
from scipy.special import digamma

from rlct.answers.exact import Question, solve
from rlct.answers.result import Result
from rlct.answers.targets import scaled_target
from rlct.blowup.pole_table import pole_table, proof_root
from rlct.errors import InputError
from rlct.questions.problem import Problem
from rlct.sampling.estimate import Estimate
from rlct.sampling.ladders import quadrature
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Floats
from rlct.system.time_limit import Budget

_PRIOR_RADIUS = 8.0  # standard deviations of the prior that are integrated
_FIT_SIZES = np.geomspace(1e5, 1e9, 13)  # n at which integrals along curves are read off
_LARGEST_MISFIT = 1e-3  # of Z there, relative
_LARGEST_SHOWN_MISFIT = 1e-2  # where a mean is shown at smaller n
_FARTHEST_FITTED = 0.5  # of w beyond λ: below, n^(−w) is less than what quadrature resolves


def predict_sizes(result: Result, n: Floats) -> dict[str, Any]:
    """Z(n) = ∫ exp(−nK) φ / ∫ φ ~ Σ Γ(w) n^(−w) (C₁ + C₂ (log n − ψ(w))), φ normal times |x|^h.

    ``terms`` are w, C₁, C₂ of the poles −w with coefficients, down to the first open candidate; C₁
    is ``fitted`` at larger n where it is no functional of φ at the point.  ``rows`` have each n by
    quadrature, and from the first 1, 2, … terms; None where Z would not be positive.
    """
    terms, fitted, states, ratio = _expansion(result, None)
    partial, slope = _sums(terms, n)
    positive = np.where(partial > 0, partial, np.nan)
    log_z, mean = states.log_partition(n / ratio), states.mean(n / ratio)
    columns = {"n": n, "log_z": log_z, "mean": mean, "generalisation": mean / n}
    columns["last_term"] = np.abs(np.diff(partial, axis=0, prepend=0.0)[-1] / np.exp(log_z))
    both = {"predicted_log_z": np.log(positive), "predicted_mean": slope / positive}
    sums = {name: np.where(partial > 0, values, np.array(None)) for name, values in both.items()}
    return {
        "terms": [
            {"w": w, "c1": c1, "c2": c2, "fitted": is_fitted}
            for (w, c1, c2), is_fitted in zip(terms.tolist(), fitted, strict=True)
        ],
        "rows": [
            {name: float(column[k]) for name, column in columns.items()}
            | {name: column[:, k].tolist() for name, column in sums.items()}
            for k in range(len(n))
        ],
    }


def means_by_poles(question: Question | Result, estimate: Estimate) -> str:
    """The mean of nβK by the poles of ζ beside the one that was sampled in a box, in a line.

    Of a ladder at two nβ, near a thousand and the last.  Empty where the poles do not tell it: they
    are open, chains are pulled to the point, or the terms are not enough yet.
    """
    problem = question.question if isinstance(question, Result) else question
    ladder, run = estimate.ladder, estimate.run
    radius = run.radius if run else ladder.radius if ladder else None
    if not isinstance(problem, Problem) or radius is None or (run and run.localization):
        return ""
    # A ladder may be of volumes, or in a box of roots of the variables.
    is_other = ladder is not None and (ladder.volumes or max(problem.powers) > 1)
    if is_other or estimate.interrupted or len(problem.variables) != 2:
        return ""
    result = question if isinstance(question, Result) else solve(problem, timeout=5.0)
    try:
        terms, _, states, ratio = _expansion(result, radius)
    except InputError:
        return ""
    rows = [(run.n_beta, run.n_beta, estimate.lam)] if run else []
    if ladder is not None:
        levels = [int(np.abs(ladder.decades + np.log10(ratio) - 3).argmin()), -1]
        ends = (ladder.unit * ratio * np.exp(x[levels]) for x in (ladder.start, ladder.stop))
        rows = list(zip(*ends, ladder.slope[levels], strict=True))
    words = []
    for start, stop, sampled in rows:
        (first, last), slope = (sums[-1] for sums in _sums(terms, np.array([start, stop])))
        least_size = np.array([min(start, _FIT_SIZES[-1])])
        share = _sums(terms, least_size)[0][-1] / np.exp(states.log_partition(least_size / ratio))
        if abs(share[0] - 1) < _LARGEST_SHOWN_MISFIT:
            mean = np.log(first / last) / np.log(stop / start) if stop > start else slope[0] / first
            at = f"{mean:.4g} at nβ = {np.sqrt(start * stop):.3g}"
            words.append(f"{at} (sampled {sampled:.4g})")
    return ", ".join(words)


def _expansion(
    result: Result, radius: float | None
) -> tuple[Floats, list[bool], quadrature.DensityOfStates, float]:
    """Terms, which are fitted, and quadrature of K times a factor, for φ normal or 1 in a box."""
    terms, fitted = _terms(result, radius)
    target, ratio = scaled_target(result.question, radius=radius or _PRIOR_RADIUS, as_typed=True)
    assert isinstance(target, PolynomialTarget)
    top, pull = float(_FIT_SIZES[-1]) / ratio, 0.0 if radius else 1.0
    try:
        states = quadrature.density_of_states(target, top=top, localization=pull)
    except quadrature.UnresolvedIntegral as reason:
        raise InputError(f"no prediction without quadrature: {reason}") from None
    sizes = np.exp(states.log_partition(_FIT_SIZES / ratio))
    units = [_sums(np.array([[w, 1.0, 0.0]]), _FIT_SIZES)[0][0] for w in terms[fitted, 0]]
    if units:
        lacking = 1 - _sums(terms, _FIT_SIZES)[0][-1] / sizes
        matrix = np.transpose(units) / sizes[:, None]
        terms[fitted, 1] = np.linalg.lstsq(matrix, lacking, rcond=None)[0]
    if np.abs(_sums(terms, _FIT_SIZES)[0][-1] / sizes - 1).max() > _LARGEST_MISFIT:
        raise InputError(
            "the decided poles do not tell Z at n ≥ 100000: others, or values of K, do"
        )
    return terms, fitted, states, ratio


def _terms(result: Result, radius: float | None) -> tuple[Floats, list[bool]]:
    """Terms with what φ is at the point, and which of them lack C₁."""
    problem = result.question
    if radius is None:
        poles = result.poles()
    elif result.pair is None:
        raise InputError("λ is only bounded")
    else:  # inside a box φ has no derivatives
        root = proof_root(problem, result.certificate)
        poles = pole_table(problem, result.pair, root, Budget(None), degree=0)
    at_point = [0 if at else float(h) for at, h in zip(problem.point, problem.prior, strict=True)]
    walls = [wall and not at for at, wall in zip(problem.point, problem.nonneg, strict=True)]
    # The moments ∫|x|^h φ, over half of the line at a wall.
    norm = 2.0 ** walls.count(False)
    for h in at_point:
        norm *= radius ** (h + 1) / (h + 1) if radius else 2 ** ((h - 1) / 2) * gamma((h + 1) / 2)
    rows, fitted = [], list[bool]()
    for pole in poles:
        table = pole.functional
        is_fitted = table is None or pole.order == 2
        is_far = is_fitted and poles[0].z - pole.z > _FARTHEST_FITTED
        if pole.status == "open" or (pole.order and (is_far or (pole.order == 2 and not table))):
            break
        values = ((c.low + c.high) / 2 * prod(map(_taylor, c.taylor_index)) for c in table or ())
        local = (sum(values) if radius is None else sum(pole.value or ()) / 2) / norm
        if pole.status == "pole" and (is_fitted or local):
            fitted.append(is_fitted)
            rows.append((-float(pole.z), *((0.0, local) if pole.order == 2 else (local, 0.0))))
    if not rows or len(problem.variables) != 2:
        raise InputError("a prediction needs K of two variables with a pole that is decided")
    return np.array(rows), fitted


def _taylor(exponent: str) -> float:
    """The coefficient of x^k in exp(−x²/2)."""
    k = int(exponent)
    return 0.0 if k % 2 else (-0.5) ** (k // 2) / factorial(k // 2)


def _sums(terms: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Z and −n dZ/dn of the first 1, 2, … terms."""
    w, c1, c2 = terms.T[:, :, None]
    scale = np.array([gamma(x) for x in terms[:, 0]])[:, None] * n**-w
    inner = c1 + c2 * (np.log(n) - digamma(w))
    return (scale * inner).cumsum(axis=0), (scale * (w * inner - c2)).cumsum(axis=0)
