"""Kinds of families of models of growing size: what a family tells of each size."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from typing import Any, ClassVar

from rlct.answers.result import Result, Route, theorem_route
from rlct.answers.routes import theorem_routes
from rlct.criteria.evidence_equations import evidence_penalty
from rlct.criteria.inputs import count_of
from rlct.errors import InputError
from rlct.models import get_model
from rlct.models.base import Model
from rlct.models.generic.symmetric_factors import SymmetricFactors
from rlct.pair import Pair
from rlct.system.options import brief_repr, check_names
from rlct.theorems import get_theorem
from rlct.theorems.kit.mixture import covariance_parameters


@dataclass(frozen=True)
class TruthCell:
    """(λ, θ) of a model at a generic truth of a smaller model, or proved bounds of it."""

    #: Equal if it is exact; None for 0, as of a model without free parameters.
    lower: Pair | None
    upper: Pair | None
    method: str
    #: No θ of a λ between the bounds is larger.
    most_theta: int = 1

    @property
    def exact(self) -> bool:
        """Whether λ and θ are proved."""
        return self.lower == self.upper

    def penalties(self, n: int) -> tuple[float, float]:
        """Least and greatest λ log n − (θ − 1) log log n of what the bounds allow.

        A λ between them may have any θ, and so cost less than both ends.
        """
        ends: list[Any] = [pair or (0, 1) for pair in (self.lower, self.upper)]
        (low, theta), (high, _) = ends
        if low < high:
            ends = [(low, max(theta, self.most_theta)), (high, 1)]
        return evidence_penalty(ends[0], n), evidence_penalty(ends[1], n)

    def __str__(self) -> str:
        if self.upper is None:
            return "0"
        if self.exact:
            return _brief(self.upper)
        return f"{self.lower.lam if self.lower else 0}..{self.upper.lam}"


@dataclass(frozen=True)
class ModelFamily(ABC):
    """Models that differ in one size."""

    #: Its name, and what its sizes count.
    id: str
    size: str
    #: What λ of the theorems rests on, beyond a truth that is generic for its size.
    assumed: str
    #: Facts of which no size can be more than the smallest.
    limited_by: tuple[str, ...] = field(default=(), kw_only=True)
    #: By how much it must be less.
    below: int = field(default=0, kw_only=True)

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

    @property
    def least_size(self) -> int:
        """The smallest model."""
        return 0

    def check(self, facts: Mapping[str, Any]) -> None:
        """Refuse facts that are unknown or missing, with an `InputError`."""
        check_names(facts, self.defaults, self.id)

    def check_sizes(self, facts: Mapping[str, Any], sizes: Sequence[int]) -> None:
        """Refuse sizes in rising order that the family cannot have, with an `InputError`."""
        self.check(facts)
        fact_counts = {name: count_of(facts[name], name) for name in self.limited_by}
        largest_size = min(fact_counts.values(), default=math.inf) - self.below
        first, last = sizes[0], sizes[-1]
        if first < self.least_size:
            shown = f"{self.least_size}, as in sizes {self.least_size}..{max(last, 2)}"
            raise InputError(f"{first} {self.size}: {self.id} begins at {shown}")
        if bad := [size for size in sizes if size > largest_size]:
            named = f"rank {bad[0]}" if self.size == "rank" else f"{bad[0]} {self.size}"
            of_what = " and ".join(f"{count} {name}" for name, count in fact_counts.items())
            several = f"sizes {first}..{largest_size}"
            shown = several if first < largest_size else f"size {largest_size}"
            raise InputError(f"{named} of {of_what}: at most {largest_size} can be, as in {shown}")

    def noise_gain(self, facts: Mapping[str, Any], parts: int, added: int, n: int) -> float:
        """Log-likelihood that spare parts with so many dimensions gain from noise: an estimate.

        Half a χ² of as many degrees; a component of a small weight may sit anywhere, which adds
        ½ log log n, and its directions may be of one sign (theory page *evidence*).
        """
        unfilled = self.unfilled(facts)
        if added <= 0 or unfilled is None:
            return max(added, 0) / 2
        return max(added - unfilled * parts, 0) / 2 + math.log(math.log(n)) / 2

    def unfilled(self, facts: Mapping[str, Any]) -> int | None:
        """Of a spare component, dimensions that noise does not fill; None outside mixtures."""
        return None

    def cell(self, facts: Mapping[str, Any], size: int, truth: int) -> TruthCell:
        """The bounds of λ of a model at a truth that are left of all routes."""
        self.check(facts)
        routed = Result.of(self.routes(facts, size, truth), "", None, None)
        lower, upper = routed.bounds
        if lower is None or upper is None:
            return self._between(facts, size, truth, routed)
        return TruthCell(lower, upper, routed.method)

    def _between(
        self, facts: Mapping[str, Any], size: int, truth: int, routed: Result
    ) -> TruthCell:
        """Bounds from the dimensions of both models, where theorems leave one out.

        All parameters of a generic truth of R dimensions show R coordinates: λ ≥ R/2, and λ = R/2
        if the model has no more (theory page *multinomial-generic*).  λ ≤ d/2 of d parameters.
        """
        lower, upper = routed.bounds
        if truth < size:
            own, whole = (self.cell(facts, one, one) for one in (truth, size))
            if own.exact and own.upper == whole.lower == whole.upper:
                return own
            lower = lower or (own.lower if own.exact else None)
        upper = upper or Pair(Fraction(self.parameter_count(facts, size), 2), 1)
        return TruthCell(lower, upper, routed.method if routed.routes else "parameter count")


@dataclass(frozen=True)
class LiteratureFamily(ModelFamily):
    """Sizes of one of the models of `rlct.model`."""

    model: str
    #: Its field with the size of the truth; ``size`` is that with its own.
    true_size: str
    given: Mapping[str, Any]

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Fields of the model that are neither sizes nor fixed."""
        own = (self.size, self.true_size, *self.given)
        return {f.name: f.default for f in fields(get_model(self.model)) if f.name not in own}

    @property
    def least_size(self) -> int:
        """That of the field of the model."""
        model_fields = {f.name: f for f in fields(get_model(self.model))}
        return int(model_fields[self.size].metadata["least"])

    def routes(self, facts: Mapping[str, Any], size: int, truth: int) -> list[Route]:
        """Theorems that recognise the model."""
        return theorem_routes(self._at(facts, size, truth))

    def unfilled(self, facts: Mapping[str, Any]) -> int | None:
        """Of components with one density each, the weight and a direction of one sign."""
        return {"mixture": 2, "latent-class": 0, "hidden-markov": 0}.get(self.model)

    def proxy_numbers(self, facts: Mapping[str, Any]) -> tuple[int, Fraction]:
        """Of latent classes, categories but one of each item, and (m + 1)/2 for m items."""
        if self.model != "latent-class":
            return super().proxy_numbers(facts)
        sizes = facts["categories"]
        return sum(sizes) - len(sizes), Fraction(len(sizes) + 1, 2)

    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """As the model says."""
        count = self._at(facts, size, size).parameter_count
        assert count is not None
        return count

    def _at(self, facts: Mapping[str, Any], size: int, truth: int) -> Model:
        sizes = {self.size: size, self.true_size: truth}
        return get_model(self.model)(**self.given, **facts, **sizes)


@dataclass(frozen=True)
class MultinomialMixtures(LiteratureFamily):
    """Mixtures of multinomial laws: a component has a probability less than outcomes."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "outcomes": MISSING,
        "trials": MISSING,
        "concentration": Fraction(1),
    }

    def _at(self, facts: Mapping[str, Any], size: int, truth: int) -> Model:
        outcomes = facts["outcomes"]
        if not isinstance(outcomes, int) or outcomes < 2:
            raise InputError(f"outcomes is an integer from 2 on, not {brief_repr(outcomes)}")
        rest = {name: value for name, value in facts.items() if name != "outcomes"}
        return super()._at({**rest, "dimension": outcomes - 1}, size, truth)


@dataclass(frozen=True)
class PrincipalComponents(ModelFamily):
    """Covariances U Uᵀ + s I; without components s alone is left."""

    defaults: ClassVar[Mapping[str, Any]] = {"variables": MISSING}

    def routes(self, facts: Mapping[str, Any], size: int, truth: int) -> list[Route]:
        """The theorem on symmetric factors, or that of one parameter that is seen."""
        if size:
            return theorem_routes(SymmetricFactors(facts["variables"], size, truth, noise=True))
        seen = get_theorem("regular").apply(dimension=1, fisher=True, prior_positive=True)
        return [theorem_route(seen)]

    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """Entries of U, and s."""
        return size * int(facts["variables"]) + 1


@dataclass(frozen=True)
class GaussianMixtures(ModelFamily):
    """Gaussian mixtures with the kinds of covariances of scikit-learn, or with a known one."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "variables": MISSING,
        "covariance": "full",
        "concentration": Fraction(1),
    }
    least_size: ClassVar[int] = 1

    def unfilled(self, facts: Mapping[str, Any]) -> int | None:
        """As of any mixture where covariances are known; free ones fill all."""
        return 2 if facts.get("covariance") == "known" else 0

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
