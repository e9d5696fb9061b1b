"""Free energies at finite n from the poles of ζ, beside quadrature."""

from __future__ import annotations

from math import factorial, gamma, prod
from typing import Any

import numpy as np
from scipy.special import digamma

from rlct.answers.result import Result
from rlct.answers.targets import scaled_target
from rlct.blowup.pole import Pole
from rlct.errors import InputError
from rlct.questions.problem import Problem
from rlct.sampling.ladders.quadrature import UnresolvedIntegral, density_of_states
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Floats

_PRIOR_RADIUS = 8.0  # standard deviations of the prior that are integrated
_FIT_SIZES = np.geomspace(1e5, 1e9, 13)  # n at which integrals along curves are read off
_LARGEST_MISFIT = 1e-3  # of Z there, relative
_FARTHEST_FITTED = 0.5  # of w beyond λ: below, n^(−w) is less than what quadrature resolves


def predict_sizes(result: Result, n: Floats) -> dict[str, Any]:
    """Z(n) = ∫ exp(−nK) φ / ∫ φ ~ Σ Γ(w) n^(−w) (C₁ + C₂ (log n − ψ(w))), φ normal times |x|^h.

    ``terms`` are w, C₁, C₂ of the poles −w with coefficients, down to the first open candidate; C₁
    is ``fitted`` at larger n where it is no functional of φ at the point.  ``rows`` have each n by
    quadrature, and from the first 1, 2, … terms; None where Z would not be positive.
    """
    terms, fitted = _terms(result.question, result.poles())
    target, ratio = scaled_target(result.question, radius=_PRIOR_RADIUS, as_typed=True)
    assert isinstance(target, PolynomialTarget)
    try:
        states = density_of_states(target, top=float(_FIT_SIZES[-1]) / ratio, localization=1.0)
    except UnresolvedIntegral as reason:
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


def _terms(problem: Problem, poles: tuple[Pole, ...]) -> tuple[Floats, list[bool]]:
    """Terms with what φ is at the point, and which of them lack C₁."""
    at_point = [0 if at else float(h) for at, h in zip(problem.point, problem.prior, strict=True)]
    walls = [wall and not at for at, wall in zip(problem.point, problem.nonneg, strict=True)]
    # The moments ∫|x|^h exp(−x²/2), over half of the line at a wall.
    norm = prod(2 ** ((h - 1) / 2) * gamma((h + 1) / 2) for h in at_point) * 2 ** walls.count(False)
    rows, fitted = [], list[bool]()
    for pole in poles:
        table = pole.functional
        is_fitted = table is None or pole.order == 2
        is_far = is_fitted and poles[0].z - pole.z > _FARTHEST_FITTED
        if pole.status == "open" or (pole.order and (is_far or (pole.order == 2 and not table))):
            break
        parts = ((c.low + c.high) / 2 * prod(map(_taylor, c.taylor_index)) for c in table or ())
        local = sum(parts) / norm
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
