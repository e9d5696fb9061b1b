"""Real log canonical thresholds, exactly, with certificates and sampled checks.

>>> import rlct
>>> rlct.linear([5, 3, 5], rank=1).lam
Fraction(8, 1)
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # of typing, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

#: Where each public name lives; modules load when the name is first used, so that
#: ``import rlct`` loads neither sympy nor numpy.
_HOMES = {
    "BlowUp": "rlct.answers.blow_up",
    "CertificateError": "rlct.errors",
    "DivergedError": "rlct.errors",
    "InputError": "rlct.errors",
    "LinearNetwork": "rlct.models.linear",
    "LinearPoint": "rlct.models.linear_point",
    "Pair": "rlct.pair",
    "Problem": "rlct.questions.problem",
    "QuadraticArchitecture": "rlct.models.quadratic_generic",
    "QuadraticFeatures": "rlct.models.quadratic_features",
    "QuadraticNetwork": "rlct.models.quadratic",
    "ReluNetwork": "rlct.models.relu",
    "Result": "rlct.answers.result",
    "RoutesDisagreeError": "rlct.errors",
    "Table": "rlct.answers.table",
    "blow_up": "rlct.answers.exact",
    "calibrate": "rlct.answers.estimate",
    "check": "rlct.answers.check",
    "compare": "rlct.answers.table",
    "deep_linear_pairs": "rlct.theorems._deep_linear_arrays",
    "error_budget": "rlct.answers.error_budget",
    "ideal": "rlct.answers.exact",
    "learning_curve": "rlct.criteria.learning_curve",
    "linear": "rlct.answers.exact",
    "llc": "rlct.answers.estimate",
    "loo": "rlct.criteria.loo",
    "model": "rlct.answers.exact",
    "poly": "rlct.answers.exact",
    "quadratic": "rlct.answers.quadratic",
    "relu": "rlct.answers.relu",
    "sbic": "rlct.criteria.sbic",
    "solve": "rlct.answers.exact",
    "theorem": "rlct.answers.exact",
    "verify": "rlct.certificate.verify",
    "waic": "rlct.criteria.waic",
    "wbic": "rlct.criteria.wbic",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rlct' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
