"""What a comparison of sizes found: a table, JSON, and the sizes that remain possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rlct.pair import Pair
from rlct.selection.families import TruthCell

__all__ = ["Selection"]


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
        Logarithm of the evidence by the singular BIC and posterior probability of each size: the
        least and the largest value, found by search, over all λ within the bounds; equal if all
        λ are exact.
    bic_probability : tuple of float
    truths : mapping
        (size of the model, size of the truth) to its λ and θ or bounds, with the theorem.
    candidates : tuple of int
        Sizes that have the largest probability somewhere within the bounds.
    assumed : str
        What the λ rest on.
    notes, warnings : tuple of str
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
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def best(self) -> int | None:
        """The size with the largest probability, None if the bounds leave that open."""
        return self.candidates[0] if len(self.candidates) == 1 else None

    @property
    def _assumption(self) -> str:
        return f"λ assumes truths that are generic for their sizes; {self.assumed}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        names = ("log_likelihood", "parameters", "dimension", "aic", "bic", "bic_probability")
        rows = [
            {
                "size": size,
                **{name: getattr(self, name)[at] for name in names},
                "sbic": list(self.sbic[at]),
                "probability": list(self.probability[at]),
            }
            for at, size in enumerate(self.sizes)
        ]
        cells = [
            {
                "model": model,
                "truth": truth,
                "lower": _plain(cell.lower),
                "upper": _plain(cell.upper),
                "method": cell.method,
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
            "models": rows,
            "truths": cells,
            "assumed": self.assumed,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        column_names = (
            "size",
            "log-likelihood",
            "dimension",
            "AIC",
            "BIC",
            "sBIC",
            "P(BIC)",
            "P(sBIC)",
        )
        lines = [column_names]
        for at, size in enumerate(self.sizes):
            lines.append(
                (
                    str(size),
                    f"{self.log_likelihood[at]:.2f}",
                    str(self.dimension[at]),
                    f"{self.aic[at]:.2f}",
                    f"{self.bic[at]:.2f}",
                    _range(self.sbic[at], 2),
                    f"{self.bic_probability[at]:.4f}",
                    _range(self.probability[at], 4),
                )
            )
        widths = [max(len(line[k]) for line in lines) for k in range(len(column_names))]
        table = [
            "  ".join(f"{c:>{w}}" for c, w in zip(line, widths, strict=True)) for line in lines
        ]
        best = " or ".join(map(str, self.candidates))
        notes = [f"Note: {note}" for note in (self._assumption, *self.notes)]
        return "\n".join([*table, f"Best by sBIC: {best}", *notes])


def _range(ends: tuple[float, float], digits: int) -> str:
    low, high = (f"{end:.{digits}f}" for end in ends)
    return low if low == high else f"{low}..{high}"


def _plain(pair: Pair | None) -> dict[str, Any]:
    return (
        {"lambda": "0", "theta": 1}
        if pair is None
        else {"lambda": str(pair.lam), "theta": pair.theta}
    )
