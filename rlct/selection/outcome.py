"""What a comparison of sizes found: a table, JSON, and the sizes that remain possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rlct.criteria.statistic import Statistic
from rlct.pair import Pair
from rlct.selection.family_kinds import TruthCell
from rlct.selection.spare_parts import SparePart


@dataclass(frozen=True)
class Selection:
    """Criteria and posterior probabilities of the sizes of a family; larger criteria are better.

    Attributes
    ----------
    family : str
    sizes : tuple of int
    n : int
        Number of observations.
    log_likelihood : tuple of float
        Maximised.
    parameters, dimension : tuple of int
        Numbers of free parameters, and of those that a truth in the model and in no smaller one
        determines, where the two differ; without what all sizes share.
    aic, bic : tuple of float
        log_likelihood − dimension and log_likelihood − dimension/2·log n.
    sbic, probability : tuple of (float, float)
        Logarithm of the evidence by the singular BIC and posterior probability of each size: ends
        between which they are for all λ and θ within the bounds; equal if all are exact.
    bic_probability : tuple of float
    truths : mapping
        (size of the model, size of the truth) to its λ and θ or bounds, with the theorem.
    candidates : tuple of int
        Sizes that may have the largest probability within the bounds; beside one that may owe it
        to noise, the smaller sizes, too.
    within_noise : tuple of SparePart
        Comparisons that asymptotics cannot settle at this n, of which there is then no best size.
    advice : str
        Where BIC chooses another size, which to report and why; else nothing.
    assumed : str
        What the λ rest on.
    notes, warnings : tuple of str
    of_draws : mapping
        From ``"waic"``, ``"loo"`` and ``"wbic"`` to one `Statistic` a size, where draws are given.
    """

    family: str
    sizes: tuple[int, ...]
    n: int
    log_likelihood: tuple[float, ...]
    parameters: tuple[int, ...]
    dimension: tuple[int, ...]
    aic: tuple[float, ...]
    bic: tuple[float, ...]
    sbic: tuple[tuple[float, float], ...]
    probability: tuple[tuple[float, float], ...]
    bic_probability: tuple[float, ...]
    truths: Mapping[tuple[int, int], TruthCell]
    candidates: tuple[int, ...]
    assumed: str
    within_noise: tuple[SparePart, ...] = ()
    advice: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    of_draws: Mapping[str, tuple[Statistic, ...]] = field(default_factory=dict)

    @property
    def best(self) -> int | None:
        """The one candidate, None if there are several."""
        return self.candidates[0] if len(self.candidates) == 1 else None

    @property
    def verdict(self) -> str:
        """The best sizes in a sentence, or why there is none."""
        if not self.within_noise:
            return f"Best by sBIC: {' or '.join(map(str, self.candidates))}"
        worst = max(self.within_noise, key=lambda part: (part.model, part.truth))
        return f"Undecided by sBIC: at n = {self.n}, {worst}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        names = ("log_likelihood", "parameters", "dimension", "aic", "bic", "bic_probability")
        rows = [
            {
                "size": size,
                **{name: getattr(self, name)[at] for name in names},
                "sbic": list(self.sbic[at]),
                "probability": list(self.probability[at]),
                **{name: found[at].to_dict() for name, found in self.of_draws.items()},
            }
            for at, size in enumerate(self.sizes)
        ]
        cells = [
            {
                "model": model,
                "truth": truth,
                "lower": pair_document(cell.lower),
                "upper": pair_document(cell.upper),
                "method": cell.method,
                "most_theta": max(cell.most_theta, cell.lower.theta if cell.lower else 1),
            }
            for (model, truth), cell in self.truths.items()
        ]
        return {
            "schema": "rlct/1",
            "kind": "selection",
            "family": self.family,
            "observations": self.n,
            "best": self.best,
            "candidates": list(self.candidates),
            "verdict": self.verdict,
            "within_noise": [asdict(part) for part in self.within_noise],
            "advice": self.advice,
            "models": rows,
            "truths": cells,
            "assumed": self.assumed,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }

    def plot(self) -> Any:
        """Draw criteria, probabilities and penalties by size.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InputError
            If matplotlib is not installed.
        """
        from rlct.report.selection import draw_selection

        return draw_selection(self)

    def __str__(self) -> str:
        from rlct.report.selection import selection_text

        return selection_text(self)

    def _repr_html_(self) -> str:
        """Rich form for notebooks: a row for every size."""
        from rlct.report.notebook import rows_html
        from rlct.report.selection import selection_cells

        return rows_html(*selection_cells(self))


def pair_document(pair: Pair | None) -> dict[str, Any]:
    """λ and θ for JSON; 0 and 1 of a model without free parameters."""
    return (
        {"lambda": "0", "theta": 1}
        if pair is None
        else {"lambda": str(pair.lam), "theta": pair.theta}
    )
