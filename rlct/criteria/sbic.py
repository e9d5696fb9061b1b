"""The singular Bayesian information criterion of Drton and Plummer, solved in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlct.criteria.evidence_equations import (
    Coefficient,
    evidence_table,
    log_prior_of,
    missed_maxima,
    probabilities_of,
    solve_evidences,
)
from rlct.criteria.inputs import count_of, finite_numbers
from rlct.errors import InputError
from rlct.system.options import explain_options

__all__ = ["ModelChoice", "sbic"]


@dataclass(frozen=True)
class ModelChoice:
    """sBIC of every model, beside BIC, as logarithms of approximate evidences: larger is better.

    Parameters
    ----------
    names : tuple of str
    n : int
    log_likelihood : tuple of float
        Maximised.
    sbic : tuple of float
    bic : tuple of float
        Maximised log-likelihood − λ_ii log n + (θ_ii − 1) log log n, with the coefficients of
        a truth in the model and in no smaller one; half the dimension if that is regular.
    probability, bic_probability : tuple of float
        Posterior probabilities of the models, from sBIC and from BIC, with the prior given.
    warnings : tuple of str
    """

    names: tuple[str, ...]
    n: int
    log_likelihood: tuple[float, ...]
    sbic: tuple[float, ...]
    bic: tuple[float, ...]
    probability: tuple[float, ...]
    bic_probability: tuple[float, ...]
    warnings: tuple[str, ...] = ()

    @property
    def best(self) -> str:
        """Name of the model with the largest posterior probability by sBIC."""
        return self.names[int(np.argmax(self.probability))]

    def to_dict(self) -> dict[str, Any]:
        """One row for each model, ready for JSON."""
        fields = ("log_likelihood", "sbic", "bic", "probability", "bic_probability")
        columns = zip(self.names, *(getattr(self, f) for f in fields), strict=True)
        return {
            "schema": "rlct/1",
            "kind": "sbic",
            "observations": self.n,
            "best": self.best,
            "models": [dict(zip(("name", *fields), row, strict=True)) for row in columns],
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        width = max(5, *(len(name) for name in self.names))
        lines = [f"{'model':{width}}  log-likelihood        sBIC         BIC  P(sBIC)   P(BIC)"]
        for row in self.to_dict()["models"]:
            lines.append(
                f"{row['name']:{width}}  {row['log_likelihood']:14.3f}{row['sbic']:12.3f}"
                f"{row['bic']:12.3f}{row['probability']:9.4f}{row['bic_probability']:9.4f}"
            )
        return "\n".join(lines)


@explain_options
def sbic(
    log_likelihood: Sequence[float],
    coefficients: Sequence[Sequence[Coefficient]],
    n: int,
    *,
    prior: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
) -> ModelChoice:
    """Singular BIC of models ordered by inclusion.

    With L_ij = p̂_i n^{−λ_ij} (log n)^{θ_ij−1}, p̂_i the maximised likelihood of model i, the
    criterion is log x_i for the positive solution of Σ_{j ≤ i} (x_i − L_ij) x_j P_j = 0: the
    evidence of model i averaged over the submodels j that the truth may lie in, weighted by
    their own evidence.

    Parameters
    ----------
    log_likelihood : sequence of float, length k
        Maximised log-likelihood of each model, smaller models first.
    coefficients : sequence of k rows
        Row i holds, for j = 0, …, i, the pair (λ, θ) of model i at a generic truth of model
        j: a ``Pair`` or (λ, θ), λ = 0 for a model without free parameters; None if model j is
        not contained in model i.
    n : int
        Number of observations, 3 or more.
    prior : sequence of float, optional
        Prior probabilities of the models, up to a factor; equal by default.
    names : sequence of str, optional

    Returns
    -------
    ModelChoice
        With a warning for every model that fits worse, by more than rounding, than one that it
        contains: its maximum was missed, and its sBIC and BIC are too small.

    Raises
    ------
    InputError
        If sizes do not fit or a number is not finite.

    Notes
    -----
    Drton, M. and Plummer, M. (2017), Journal of the Royal Statistical Society B 79:323–380,
    section 3. The equations are triangular, each quadratic in its own unknown with one
    positive root; they are solved in logarithms, where nothing under- or overflows.

    Examples
    --------
    Reduced-rank regression, 3 inputs and outputs, ranks 0, 1 and 2:

    >>> import rlct
    >>> rows = [[(0, 1)]]
    >>> for h in (1, 2):
    ...     rows.append([rlct.linear([3, h, 3], rank=r).pair for r in range(h + 1)])
    >>> found = sbic([-1300.0, -1240.0, -1236.0], rows, n=300, names=["0", "1", "2"])
    >>> found.best
    '1'
    >>> [round(p, 3) for p in found.probability], [round(p, 3) for p in found.bic_probability]
    ([0.0, 0.611, 0.389], [0.0, 0.99, 0.01])
    """
    max_likelihoods = finite_numbers(log_likelihood, "maximised log-likelihoods")
    size = len(max_likelihoods)
    n = count_of(n, "the number of observations", 3)
    if not size or len(coefficients) != size:
        raise InputError(f"{len(coefficients)} rows of coefficients for {size} models")
    model_names = tuple(str(i) for i in range(size)) if names is None else tuple(map(str, names))
    if len(model_names) != size:
        raise InputError(f"{len(model_names)} names for {size} models")
    table = evidence_table(coefficients, max_likelihoods, n)
    log_prior = log_prior_of(prior, size)
    log_marginals = solve_evidences(table, log_prior)
    bic = np.diag(table)
    return ModelChoice(
        names=model_names,
        n=n,
        log_likelihood=tuple(max_likelihoods.tolist()),
        sbic=tuple(log_marginals.tolist()),
        bic=tuple(bic.tolist()),
        probability=probabilities_of(log_marginals + log_prior),
        bic_probability=probabilities_of(bic + log_prior),
        warnings=missed_maxima(max_likelihoods, table, model_names),
    )
