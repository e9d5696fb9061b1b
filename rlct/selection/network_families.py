"""Families of networks: ranks of linear maps, and units with biases."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from typing import Any, ClassVar

from rlct.answers.result import Route, theorem_route
from rlct.answers.routes import theorem_routes
from rlct.criteria.inputs import count_of
from rlct.errors import InputError
from rlct.models import get_model
from rlct.models.base import Model
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.selection.family_kinds import LiteratureFamily, ModelFamily, TruthCell
from rlct.system.options import brief_repr
from rlct.theorems import get_theorem


@dataclass(frozen=True)
class ReducedRank(ModelFamily):
    """Linear maps of bounded rank; of rank 0 there is one, without free parameters."""

    defaults: ClassVar[Mapping[str, Any]] = dict.fromkeys(("inputs", "outputs"), MISSING)

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
class QuadraticNetworks(ReducedRank):
    """Units a (w·x + b)² of one output; without units there is the function 0."""

    defaults: ClassVar[Mapping[str, Any]] = {"inputs": MISSING, "biases": "none"}

    def routes(self, facts: Mapping[str, Any], size: int, truth: int) -> list[Route]:
        """The theorem on true functions of fewer units."""
        bias = bool(_biases(facts, ("none", "units")))
        inputs = count_of(facts["inputs"], "inputs")
        most = inputs + bias
        if truth > most:
            raise InputError(f"no function needs {truth} units: leave out sizes above {most}")
        given = {"inputs": inputs, "bias": bias, "units": size, "true_units": truth}
        return [theorem_route(get_theorem("quadratic-truth").apply(**given))]

    def parameter_count(self, facts: Mapping[str, Any], size: int) -> int:
        """Weights and biases."""
        return size * (int(facts["inputs"]) + 1 + _biases(facts, ("none", "units")))


@dataclass(frozen=True)
class TanhNetworks(LiteratureFamily):
    """Tanh units, which have biases where they are asked for; then there is one output."""

    defaults: ClassVar[Mapping[str, Any]] = {"inputs": MISSING, "outputs": 1, "biases": "none"}

    def _at(self, facts: Mapping[str, Any], size: int, truth: int) -> Model:
        settings = {**self.defaults, **facts}
        who = _biases(facts, ("none", "units", "all"))
        del settings["biases"]
        if not who:
            return super()._at(settings, size, truth)
        if count_of(settings["outputs"], "outputs") > 1:
            raise InputError("λ with biases is known for one output: leave biases or outputs out")
        given = {"inputs": settings["inputs"], "output_bias": who == 2}
        return get_model("tanh-bias")(**given, **{self.size: size, self.true_size: truth})


def _biases(facts: Mapping[str, Any], words: tuple[str, ...]) -> int:
    """Place of the word for who has biases."""
    said = facts.get("biases", "none")
    if said not in words:
        raise InputError(f"biases is {' or '.join(words)}, not {brief_repr(said)}")
    return words.index(said)
