"""Families of models of growing size: each model, and λ of it at every smaller truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final

from rlct.answers.result import Result
from rlct.answers.routes import place_of, theorem_routes
from rlct.errors import InputError
from rlct.models import get_model
from rlct.models.linear import LinearNetwork
from rlct.pair import Pair
from rlct.system.options import brief_repr

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
class ModelFamily:
    """Models that differ in one size.

    Parameters
    ----------
    id : str
    model : str
        Of `rlct.model`; empty for reduced-rank regression, which is a linear network.
    size, true_size : str
        Fields of the model with its size and that of the truth.
    assumed : str
        What λ of the theorems rests on, beyond a truth that is generic for its size.
    given : mapping
        Fields that the family fixes.
    """

    id: str
    model: str
    size: str
    true_size: str
    assumed: str
    given: Mapping[str, Any]

    @property
    def facts(self) -> tuple[str, ...]:
        """Names of what is the same for all sizes; the first ones are needed."""
        if not self.model:
            return ("inputs", "outputs")
        items = [f for f in fields(get_model(self.model)) if f.name not in self._own]
        items.sort(key=lambda item: item.default is not MISSING)
        return tuple(item.name for item in items)

    @property
    def needed(self) -> tuple[str, ...]:
        """Names of the facts without which nothing is known."""
        if not self.model:
            return self.facts
        defaults = {item.name: item.default for item in fields(get_model(self.model))}
        return tuple(name for name in self.facts if defaults[name] is MISSING)

    @property
    def _own(self) -> tuple[str, ...]:
        return (self.size, self.true_size, *self.given)

    def question(self, facts: Mapping[str, Any], size: int, truth: int) -> Any:
        """The model of a size, at a truth of another.

        Raises
        ------
        InputError
            If a fact is missing, unknown or impossible.
        """
        for name in (*facts, *self.needed):
            if name not in self.facts or name not in facts:
                what = "unknown" if name not in self.facts else "missing"
                raise InputError(f"{name} is {what}: {self.id} takes {', '.join(self.facts)}")
        if self.model:
            sizes = {self.size: size, self.true_size: truth}
            return get_model(self.model)(**self.given, **facts, **sizes)
        return LinearNetwork((facts["inputs"], size, facts["outputs"]), truth)

    def cell(self, facts: Mapping[str, Any], size: int, truth: int) -> TruthCell:
        """What the theorems prove of a model at a truth.

        Raises
        ------
        InputError
            If they prove no two bounds.
        """
        if not self.model and size == 0:
            return TruthCell(None, None, "no free parameters")
        question = self.question(facts, size, truth)
        routes = theorem_routes(question)
        found = Result.of(routes, place_of(question), None, question)
        lower, upper = found.bounds
        if lower is None or upper is None:
            raise InputError(
                f"no theorem bounds λ of {self.id} with {size} {self.size} at a truth with {truth}"
            )
        return TruthCell(lower, upper, found.method)

    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """Number of free parameters of a model, without what all sizes share."""
        if not self.model and size == 0:
            return 0
        count = self.question(facts, size, size).parameter_count
        assert count is not None
        return int(count)


def _brief(pair: Pair) -> str:
    return str(pair.lam) if pair.theta == 1 else f"{pair.lam} ({pair.theta})"


_MIXED = "a smooth positive prior of the components; a Dirichlet prior of the weights"

#: By id.
FAMILIES: Final[dict[str, ModelFamily]] = {
    family.id: family
    for family in (
        ModelFamily(
            "factor-analysis",
            "factor-analysis",
            "factors",
            "true_factors",
            "means that are known or free for all sizes alike, and unique variances that are "
            "positive at the truth",
            {},
        ),
        ModelFamily(
            "reduced-rank",
            "",
            "rank",
            "rank",
            "intercepts and a covariance of the noise that are known or free for all sizes alike",
            {},
        ),
        ModelFamily("latent-class", "latent-class", "classes", "true", _MIXED, {}),
        ModelFamily(
            "binomial-mixture",
            "mixture",
            "components",
            "true",
            _MIXED,
            {"dimension": 1, "signed": False},
        ),
        ModelFamily(
            "poisson-mixture",
            "mixture",
            "components",
            "true",
            _MIXED,
            {"dimension": 1, "trials": None, "signed": False},
        ),
        ModelFamily(
            "exponential-mixture",
            "mixture",
            "components",
            "true",
            _MIXED,
            {"dimension": 1, "trials": None, "signed": False},
        ),
        ModelFamily(
            "gaussian-mixture",
            "mixture",
            "components",
            "true",
            f"a covariance that is known and the same for all components; {_MIXED}",
            {"trials": None, "signed": False},
        ),
        ModelFamily(
            "topics",
            "lda",
            "topics",
            "true_topics",
            "a positive prior of the topics and of their shares; n counts the words of all texts",
            {},
        ),
        ModelFamily(
            "nmf",
            "nmf",
            "inner",
            "true",
            "positive true factors, which data with exact zeros have not; n counts matrices",
            {},
        ),
        ModelFamily(
            "hidden-markov",
            "hidden-markov",
            "states",
            "true",
            "n short independent sequences, not one long one",
            {},
        ),
        ModelFamily(
            "tanh",
            "tanh",
            "hidden",
            "true_hidden",
            "noise of known variance and no biases",
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
