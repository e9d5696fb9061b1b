"""What fitted objects of other libraries tell: the family, its size and the likelihood."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from rlct.errors import InputError
from rlct.selection.fitters import NOT_CONVERGED, doubt_of
from rlct.system.options import brief_repr

_NO_CATEGORY: Final = 1e-12  # largest probability over all classes
_MOST_STEP: Final = 0.1  # between two log-likelihoods of a fit, in all observations
_FLAT_GRADIENT: Final = 1e-4  # gradient of statsmodels' mean log-likelihood at a maximum


class _Stop(NamedTuple):
    """The option that ended a fit, its value, and what a step in it is in the log-likelihood."""

    option: str = "tol"
    value: float = 0.0
    unit: float = 1.0


_NO_STEPS: Final = _Stop()


@dataclass(frozen=True)
class ReadFit:
    """One fitted object."""

    family: str
    size: int
    #: Of all observations, up to a constant that all sizes share.
    log_likelihood: float
    #: What all sizes share, as far as the fit tells.
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: Number of observations, where the fit tells it.
    n: int | None = None
    #: Whether the likelihood is that of one observation on average.
    mean: bool = False
    #: ``option`` that ended the fit, its ``value``, and ``unit``, what a step in it is in
    #: ``log_likelihood``.
    stop: _Stop = _NO_STEPS
    #: Facts that the caller must name, ``n`` among them, since the fit does not tell them.
    needed: tuple[str, ...] = ()
    reason: str = ""
    #: What is wrong with the fit, or nothing.
    doubt: str = ""

    @property
    def kind(self) -> tuple[str, Mapping[str, Any], int | None]:
        """What fits of all sizes share."""
        return self.family, self.facts, self.n

    def in_all(self, n: int | None) -> float:
        """Log-likelihood of all observations; refused if steps were above 0.1 where it stopped.

        Libraries store it before the last step.
        """
        counted_n = (n or 1) if self.mean else 1
        option, value, unit = self.stop
        if (largest_step := value * unit * counted_n) > _MOST_STEP:
            least = 10.0 ** math.floor(math.log10(_MOST_STEP / (unit * counted_n)))
            raise InputError(
                f"the fit of size {self.size} with {option}={value:g} stopped where steps in the "
                f"log-likelihood of all observations were up to {largest_step:.2g}, too "
                f"far from its maximum to choose by: fit all sizes with {option}={least:g}"
            )
        return counted_n * self.log_likelihood


def read_fit(fit: Any) -> ReadFit:
    """Read a fitted object of scikit-learn, StepMix, statsmodels, semopy or hmmlearn.

    InputError if it is of another kind, tells no likelihood of a family, or is not fitted.

    >>> class FactorAnalysis:
    ...     __module__ = "sklearn.decomposition"
    ...     components_, loglike_, tol = np.zeros((2, 6)), [-900.0, -855.4], 0.01
    >>> found = read_fit(FactorAnalysis())
    >>> found.family, found.size, found.log_likelihood, found.facts
    ('factor-analysis', 2, -855.4, {'variables': 6})
    """
    names = [f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(fit).__mro__]
    for name in names:
        if name in _REFUSED_FITS:
            raise InputError(f"{name} is not read: {_REFUSED_FITS[name]}")
    name = next((name for name in names if name in FIT_READERS), "")
    if not name:
        raise InputError(
            f"{brief_repr(type(fit).__name__)} is no fit that is read: give fitted "
            f"{', '.join(FIT_READERS)}, or log-likelihoods by size, as in {{1: -320.5, 2: -310.2}}"
        )
    try:
        return FIT_READERS[name](fit)
    except (AttributeError, IndexError):
        raise InputError(f"a {name} of the list is not fitted: fit it to data first") from None


def _read_factors(fit: Any) -> ReadFit:
    size, variables = np.shape(fit.components_)
    facts = {"variables": variables}
    value, stop, doubt = float(fit.loglike_[-1]), _Stop(value=fit.tol), doubt_of(fit)
    return ReadFit("factor-analysis", size, value, facts, stop=stop, doubt=doubt)


def _read_components(fit: Any) -> ReadFit:
    size, variables = np.shape(fit.means_)
    facts = {"variables": variables, "covariance": fit.covariance_type}
    value, stop, doubt = float(fit.lower_bound_), _Stop(value=fit.tol), doubt_of(fit)
    return ReadFit("gaussian-mixture", size, value, facts, mean=True, stop=stop, doubt=doubt)


def _read_classes(fit: Any) -> ReadFit:
    """Probabilities of categories that a column has not are 0, up to rounding."""
    if fit.measurement not in ("categorical", "binary"):
        raise InputError(f"StepMix with measurement={fit.measurement!r} is no latent-class model")
    parameters = fit.get_parameters()["measurement"]
    table = np.max(parameters["pis"], axis=0).reshape(fit.n_features_in_, -1)
    categories = [int((row > _NO_CATEGORY).sum()) for row in table]
    if fit.measurement == "binary":
        categories = [2] * len(categories)
    value = float(fit.lower_bound_)
    facts = {"categories": tuple(categories)}
    stops = (_Stop("abs_tol", fit.abs_tol), _Stop("rel_tol", fit.rel_tol, abs(value)))
    stop, doubt = max(stops, key=lambda one: one.value * one.unit), doubt_of(fit)
    size = fit.n_components
    return ReadFit("latent-class", size, value, facts, mean=True, stop=stop, doubt=doubt)


def _read_topics(fit: Any) -> ReadFit:
    """The loss is √(2 Σ x log(x/μ) − x + μ); a fit keeps the number of words in each text.

    It stops by steps of the loss, in shares of the first loss, which is at least the last one.
    """
    if (
        fit.beta_loss not in ("kullback-leibler", 1)
        or fit.alpha_W
        or fit.alpha_H not in (0, "same")
    ):
        raise InputError(
            "NMF by least squares or with a penalty has no likelihood of counted words: fit with "
            "beta_loss='kullback-leibler', solver='mu' and no penalty, which is that of topics"
        )
    size, words = np.shape(fit.components_)
    loss = float(fit.reconstruction_err_)
    return ReadFit(
        "topics",
        size,
        -(loss**2) / 2,
        {"words": words},
        stop=_Stop(value=fit.tol, unit=loss**2),
        needed=("n", "documents"),
        reason="NMF keeps neither the number of words of all texts nor that of documents",
        doubt=doubt_of(fit),
    )


def _read_states(fit: Any) -> ReadFit:
    size, symbol_count = np.shape(fit.emissionprob_)
    if size > 1 and ("s" in fit.params or np.max(fit.startprob_) < 1):
        raise InputError(
            "λ of hidden-markov is that of chains which start in one state: fit CategoricalHMM "
            "with params='te', init_params='te' and startprob_ = (1, 0, …)"
        )
    log_likelihoods = [-math.inf, *fit.monitor_.history]
    return ReadFit(
        "hidden-markov",
        size,
        float(log_likelihoods[1:][-1]),
        {"symbols": symbol_count},
        stop=_Stop(value=fit.monitor_.tol),
        needed=("n", "length"),
        reason="λ of one long series is not known here; for independent words of one length",
        # Its own ``converged`` is true at the largest number of steps, too.
        doubt="" if log_likelihoods[-1] - log_likelihoods[-2] < fit.monitor_.tol else NOT_CONVERGED,
    )


def _read_factor_results(fit: Any) -> ReadFit:
    """Of standardised variables, which adds the same to every size."""
    if fit.fa_method != "ml":
        raise InputError(f"statsmodels' Factor with method={fit.fa_method!r} is no maximum: 'ml'")
    variables, size = np.shape(fit.loadings)
    if fit.nobs is None:
        raise InputError("statsmodels' Factor of a correlation matrix needs nobs")
    found = fit.mle_retvals
    value = -fit.nobs * variables * (float(found.fun) + math.log(2 * math.pi) / 2)
    done = found.success or np.max(np.abs(found.jac)) < _FLAT_GRADIENT
    return ReadFit(
        "factor-analysis",
        size,
        value,
        {"variables": variables},
        n=int(fit.nobs),
        doubt="" if done else NOT_CONVERGED,
    )


def _read_equations(fit: Any) -> ReadFit:
    """Of a model of semopy that is exploratory: variables alone are caused, by all factors."""
    result = fit.last_result
    if result.name_obj != "MLW":
        raise InputError(f"semopy's fit with obj={result.name_obj!r} is no maximum: use obj='MLW'")
    variables, size = len(fit.vars["observed"]), len(fit.vars["latent"])
    free = variables * (size + 1) - size * (size - 1) // 2
    crossed = np.any(fit.mx_theta - np.diag(np.diag(fit.mx_theta)))
    if len(fit.param_vals) != free or crossed:
        raise InputError(
            f"semopy's model is not that of {size} factors with all loadings: it has "
            f"{len(fit.param_vals)} free parameters, not {free}, or correlated errors"
        )
    spread = float(fit.cov_logdet) + variables * (1 + math.log(2 * math.pi))
    value = -fit.n_samples / 2 * (spread + float(np.ravel(result.fun)[0]))
    doubt = "" if result.success else NOT_CONVERGED
    facts = {"variables": variables}
    return ReadFit("factor-analysis", size, value, facts, n=int(fit.n_samples), doubt=doubt)


#: By module and class.
FIT_READERS: Final[dict[str, Callable[[Any], ReadFit]]] = {
    "sklearn.FactorAnalysis": _read_factors,
    "sklearn.GaussianMixture": _read_components,
    "sklearn.NMF": _read_topics,
    "stepmix.StepMix": _read_classes,
    "statsmodels.FactorResults": _read_factor_results,
    "semopy.Model": _read_equations,
    "hmmlearn.CategoricalHMM": _read_states,
}

_TIME_SERIES: Final = (
    "its emissions are not those of a family here, and a long series is one observation: λ of "
    "hidden-markov is that of short independent words of symbols (CategoricalHMM)"
)
_REFUSED_FITS: Final = {
    "statsmodels.Factor": "it is a model; give what its fit() returns",
    "sklearn.LatentDirichletAllocation": (
        "it gives a variational bound of a posterior, not a maximised likelihood; fit NMF with "
        "beta_loss='kullback-leibler', or give log-likelihoods by size"
    ),
    "sklearn.BayesianGaussianMixture": (
        "it gives a variational bound, not a maximised likelihood; fit GaussianMixture"
    ),
    "sklearn.MiniBatchNMF": "its loss is not at its minimum; fit NMF",
    **{
        f"hmmlearn.{kind}HMM": _TIME_SERIES
        for kind in ("Gaussian", "GMM", "Poisson", "Multinomial")
    },
}
