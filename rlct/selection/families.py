"""Families of models of growing size: each model, and λ of it at every smaller truth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from typing import Any, Final

from rlct.answers.result import Result, Route
from rlct.answers.routes import theorem_route, theorem_routes
from rlct.errors import InputError
from rlct.models import get_model
from rlct.models.base import Model
from rlct.models.linear import LinearNetwork
from rlct.pair import Pair
from rlct.system.options import brief_repr, check_names
from rlct.theorems import get_theorem
from rlct.theorems.kit.mixture import covariance_parameters

__all__ = ["FAMILIES", "ModelFamily", "TruthCell", "get_family"]


@dataclass(frozen=True)
class TruthCell:
    """(λ, θ) of a model at a generic truth of a smaller model, or proved bounds of it.

    Parameters
    ----------
    lower, upper : Pair or None
        Equal if it is exact; None for a model without free parameters, whose λ is 0.
    method : str
        Of which theorem it is.
    """

    lower: Pair | None
    upper: Pair | None
    method: str

    @property
    def exact(self) -> bool:
        """Whether λ and θ are proved."""
        return self.lower == self.upper

    def __str__(self) -> str:
        if self.lower is None or self.upper is None:
            return "0"
        return (
            _brief(self.lower)
            if self.exact
            else f"{self.lower.lam}..{self.upper and self.upper.lam}"
        )


@dataclass(frozen=True)
class ModelFamily(ABC):
    """Models that differ in one size.

    Parameters
    ----------
    id, size : str
        Its name, and what its sizes count.
    assumed : str
        What λ of the theorems rests on, beyond a truth that is generic for its size.
    """

    id: str
    size: str
    assumed: str

    @property
    @abstractmethod
    def defaults(self) -> Mapping[str, Any]:
        """What is the same for all sizes, by name; ``MISSING`` if it must be given."""

    @abstractmethod
    def routes(self, facts: Mapping[str, Any], size: int, truth: int) -> list[Route]:
        """What the theorems prove of the model of a size, at a truth of another."""

    @abstractmethod
    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """Number of free parameters of a model, without what all sizes share."""

    def proxy(self, facts: Mapping[str, Any], size: int, truth: int) -> Pair:
        """Not proved: λ = min(jr + j − 1 + φ(i − j), ri + j − 1)/2, θ = 1, of i components at j.

        r counts the parameters of a component; φ is 1, and (m + 1)/2 for m items (Drton and
        Plummer 2017, and their R package sBIC).

        Raises
        ------
        InputError
            If there is none for the family.
        """
        each, weight = self.proxy_numbers({**self.defaults, **facts})
        spare = truth * each + truth - 1 + weight * (size - truth)
        return Pair(min(spare, Fraction(size * each + truth - 1)) / 2, 1)

    def proxy_numbers(self, facts: Mapping[str, Any]) -> tuple[int, Fraction]:
        """The numbers r and φ of `proxy`."""
        raise InputError(f"there are no proxies for {self.id}: they are for mixtures and classes")

    @property
    def facts(self) -> tuple[str, ...]:
        """Names of what is the same for all sizes."""
        return tuple(self.defaults)

    def check(self, facts: Mapping[str, Any]) -> None:
        """Refuse facts that are unknown or missing, with an `InputError`."""
        check_names(facts, self.defaults, self.id)

    def cell(self, facts: Mapping[str, Any], size: int, truth: int) -> TruthCell:
        """The bounds of λ of a model at a truth that are left of all routes.

        Raises
        ------
        InputError
            If a fact is unknown, missing or impossible, or no theorem bounds λ from both sides.
        """
        self.check(facts)
        found = Result.of(self.routes(facts, size, truth), "", None, None)
        lower, upper = found.bounds
        if lower is None or upper is None:
            raise InputError(
                f"no theorem bounds λ of {self.id} with {size} {self.size} at a truth with {truth}"
            )
        return TruthCell(lower, upper, found.method)


@dataclass(frozen=True)
class LiteratureFamily(ModelFamily):
    """Sizes of one of the models of `rlct.model`.

    Parameters
    ----------
    model : str
        Its id.
    true_size : str
        Its field with the size of the truth; ``size`` is that with its own.
    given : mapping
        Fields that the family fixes.
    """

    model: str
    true_size: str
    given: Mapping[str, Any]

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Fields of the model that are neither sizes nor fixed."""
        own = (self.size, self.true_size, *self.given)
        return {f.name: f.default for f in fields(get_model(self.model)) if f.name not in own}

    def routes(self, facts: Mapping[str, Any], size: int, truth: int) -> list[Route]:
        """Theorems that recognise the model."""
        return theorem_routes(self._at(facts, size, truth))

    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """As the model says."""
        count = self._at(facts, size, size).parameter_count
        assert count is not None
        return count

    def _at(self, facts: Mapping[str, Any], size: int, truth: int) -> Model:
        sizes = {self.size: size, self.true_size: truth}
        return get_model(self.model)(**self.given, **facts, **sizes)


@dataclass(frozen=True)
class LatentClasses(LiteratureFamily):
    """Latent classes, which have proxies beside bounds."""

    def proxy_numbers(self, facts: Mapping[str, Any]) -> tuple[int, Fraction]:
        """Categories but one of each item; (m + 1)/2 for m items."""
        sizes = facts["categories"]
        return sum(sizes) - len(sizes), Fraction(len(sizes) + 1, 2)


@dataclass(frozen=True)
class ReducedRank(ModelFamily):
    """Linear maps of bounded rank; of rank 0 there is one, without free parameters."""

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Numbers of inputs and outputs."""
        return dict.fromkeys(("inputs", "outputs"), MISSING)

    def routes(self, facts: Mapping[str, Any], size: int, truth: int) -> list[Route]:
        """Theorems on linear networks."""
        return theorem_routes(LinearNetwork((facts["inputs"], size, facts["outputs"]), truth))

    def cell(self, facts: Mapping[str, Any], size: int, truth: int) -> TruthCell:
        """As of any family, from rank 1 on."""
        if size:
            return super().cell(facts, size, truth)
        self.check(facts)
        return TruthCell(None, None, "no free parameters")

    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """Entries of two matrices."""
        return size * (int(facts["inputs"]) + int(facts["outputs"]))


@dataclass(frozen=True)
class GaussianMixtures(ModelFamily):
    """Gaussian mixtures with the kinds of covariances of scikit-learn, or with a known one."""

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Number of variables, kind of covariance and prior of the weights."""
        return {"variables": MISSING, "covariance": "full", "concentration": Fraction(1)}

    def routes(self, facts: Mapping[str, Any], size: int, truth: int) -> list[Route]:
        """The theorem on known covariances, or the bounds for free ones; on a line 2|1."""
        said = {**self.defaults, **facts, "components": size, "true": truth}
        if said["covariance"] == "known":
            said["dimension"] = said.pop("variables")
            del said["covariance"]
            return theorem_routes(get_model("mixture")(**said))
        applied = [get_theorem("gaussian-mixture-bound").apply(**said)]
        if (size, truth, said["variables"]) == (2, 1, 1) and said["covariance"] != "tied":
            exact = get_theorem("location-scale-mixture")
            applied.append(exact.apply(concentration=said["concentration"]))
        return [theorem_route(one) for one in applied]

    def proxy_numbers(self, facts: Mapping[str, Any]) -> tuple[int, Fraction]:
        """Means and covariances of a component; 1."""
        kind = facts["covariance"]
        if kind in ("known", "tied"):
            raise InputError(f"there are no proxies for covariance={kind}")
        each, _ = covariance_parameters(kind, facts["variables"])
        return each, Fraction(1)

    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """Twice λ at a truth of as many components, where no direction is lost."""
        found = self.cell(facts, size, size).upper
        assert found is not None
        return int(2 * found.lam)


def _brief(pair: Pair) -> str:
    return str(pair.lam) if pair.theta == 1 else f"{pair.lam} ({pair.theta})"


_MIXED = "a smooth positive prior of the components; a Dirichlet prior of the weights"
_ONE = {"dimension": 1, "signed": False}

#: By id.
FAMILIES: Final[dict[str, ModelFamily]] = {
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
        ),
        ReducedRank(
            "reduced-rank",
            "rank",
            "intercepts and a covariance of the noise that are known or free for all sizes alike",
        ),
        LatentClasses("latent-class", "classes", _MIXED, "latent-class", "true", {}),
        GaussianMixtures(
            "gaussian-mixture", "components", f"variances that stay away from 0; {_MIXED}"
        ),
        LiteratureFamily("binomial-mixture", "components", _MIXED, "mixture", "true", _ONE),
        LiteratureFamily(
            "poisson-mixture", "components", _MIXED, "mixture", "true", {**_ONE, "trials": None}
        ),
        LiteratureFamily(
            "exponential-mixture", "components", _MIXED, "mixture", "true", {**_ONE, "trials": None}
        ),
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
        LiteratureFamily(
            "tanh",
            "hidden",
            "noise of known variance and no biases",
            "tanh",
            "true_hidden",
            {"step": 2},
        ),
    )
}


def get_family(name: str) -> ModelFamily:
    """Return the family with an id.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> family = get_family("factor-analysis")
    >>> family.facts, str(family.cell({"variables": 6}, 3, 1))
    (('variables',), '17/2')
    """
    if name not in FAMILIES:
        raise InputError(f"{brief_repr(name)} is no family: there are {', '.join(FAMILIES)}")
    return FAMILIES[name]
