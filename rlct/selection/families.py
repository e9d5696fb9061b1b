"""Families of models of growing size, by name."""

from typing import Any, Final

from rlct.errors import InputError
from rlct.selection.family_kinds import (
    GaussianMixtures,
    LiteratureFamily,
    ModelFamily,
    MultinomialMixtures,
    PrincipalComponents,
)
from rlct.selection.network_families import QuadraticNetworks, ReducedRank, TanhNetworks
from rlct.system.options import brief_repr

_MIXTURE_PRIOR = "a smooth positive prior of the components; a Dirichlet prior of the weights"
_NOISE_MODEL = "noise whose variance is known or free for all sizes alike"


def _mixture(
    name: str, kind: type[LiteratureFamily] = LiteratureFamily, **given: Any
) -> LiteratureFamily:
    return kind(name, "components", _MIXTURE_PRIOR, "mixture", "true", given)


#: By id.
MODEL_FAMILIES: Final[dict[str, ModelFamily]] = {
    family.id: family
    for family in (
        LiteratureFamily(
            "factor-analysis",
            "factors",
            "means that are known or free for all sizes alike, and unique variances that are "
            "positive at the truth",
            "factor-analysis",
            "true_factors",
            {},
            limited_by=("variables",),
        ),
        PrincipalComponents(
            "ppca",
            "components",
            "means that are known or free for all sizes alike, and s > 0",
            limited_by=("variables",),
            below=1,
        ),
        ReducedRank(
            "reduced-rank",
            "rank",
            "intercepts and a covariance of the noise that are known or free for all sizes alike",
            limited_by=("inputs", "outputs"),
        ),
        LiteratureFamily("latent-class", "classes", _MIXTURE_PRIOR, "latent-class", "true", {}),
        GaussianMixtures(
            "gaussian-mixture", "components", f"variances that stay away from 0; {_MIXTURE_PRIOR}"
        ),
        _mixture("binomial-mixture", dimension=1, signed=False),
        _mixture("multinomial-mixture", MultinomialMixtures, signed=False),
        _mixture("poisson-mixture", dimension=1, signed=False, trials=None),
        _mixture("exponential-mixture", dimension=1, signed=False, trials=None),
        LiteratureFamily(
            "topics",
            "topics",
            "a positive prior of the topics and of their shares; n counts the words of all texts",
            "lda",
            "true_topics",
            {},
        ),
        LiteratureFamily(
            "nmf",
            "inner",
            "positive true factors, which data with exact zeros have not; n counts matrices",
            "nmf",
            "true",
            {},
        ),
        LiteratureFamily(
            "hidden-markov",
            "states",
            "n short independent sequences, not one long one; a chain that starts in a known state",
            "hidden-markov",
            "true",
            {},
        ),
        QuadraticNetworks("quadratic-network", "units", _NOISE_MODEL),
        TanhNetworks("tanh", "hidden", _NOISE_MODEL, "tanh", "true_hidden", {"step": 2}),
    )
}

_SHORT_NAMES: Final = {
    "fa": "factor-analysis",
    "pca": "ppca",
    "rrr": "reduced-rank",
    "lca": "latent-class",
    "gmm": "gaussian-mixture",
    "hmm": "hidden-markov",
}


def get_family(name: str) -> ModelFamily:
    """Return the family with an id, or with a short name such as ``"fa"`` or ``"gmm"``.

    >>> family = get_family("factor-analysis")
    >>> family.facts, str(family.cell({"variables": 6}, 3, 1))
    (('variables',), '17/2')
    """
    name = _SHORT_NAMES.get(name, name)
    if name not in MODEL_FAMILIES:
        raise InputError(f"{brief_repr(name)} is no family: there are {', '.join(MODEL_FAMILIES)}")
    return MODEL_FAMILIES[name]
