"""The table of λ and θ of every size at every smaller truth: by theorems, the user or proxies."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.selection.family_kinds import ModelFamily, TruthCell
from rlct.system.options import brief_repr, plain_fraction

#: How a cell says that it is the user's.
GIVEN_METHOD: Final = "given by the user, not proved"

Cells = dict[tuple[int, int], TruthCell]


def cell_table(
    family: ModelFamily,
    facts: Mapping[str, Any],
    sizes: Sequence[int],
    given: Mapping[tuple[int, int], Any],
    proxies: bool,
) -> Cells:
    """λ and θ or bounds, with the largest θ that is possible between them.

    InputError if a pair of the user contradicts what is proved.

    A generic truth of R dimensions shows R coordinates at every parameter of a larger model, so
    that K is their squares and a function of the d − R others, and θ ≤ d − R.
    """
    cells = {
        (model, truth): family.cell(facts, model, truth)
        for model in sizes
        for truth in sizes
        if truth <= model
    }
    for (model, truth), cell in cells.items():
        if not cell.exact:
            own = cells[truth, truth].upper if cells[truth, truth].exact else None
            shown = int(2 * own.lam) if own and own.theta == 1 and truth < model else 0
            most = max(1, family.parameter_count(facts, model) - shown)
            cells[model, truth] = replace(cell, most_theta=most)
    for key, value in given.items():
        cells[key] = _given_cell(cells, key, value)
    if proxies:
        for (model, truth), cell in cells.items():
            if not cell.exact:
                proxy = family.proxy(facts, model, truth)
                cells[model, truth] = TruthCell(proxy, proxy, "proxy, not proved")
    return cells


def _given_cell(cells: Cells, key: Any, value: Any) -> TruthCell:
    """A pair of the user in place of bounds."""
    if key not in cells:
        raise InputError(f"truths has {brief_repr(key)}: there is (model, truth) of the sizes")
    cell, pair = cells[key], read_pair(value)
    agrees = cell.upper is not None and (cell.lower or pair) <= pair <= cell.upper
    if not agrees or not (cell.exact or pair.theta <= cell.most_theta):
        raise InputError(
            f"λ({key[0]}|{key[1]}) = {pair.lam} with θ = {pair.theta} contradicts {cell.method}, "
            f"which proves {cell}" + ("" if cell.exact else f" with θ up to {cell.most_theta}")
        )
    return cell if cell.exact else TruthCell(pair, pair, GIVEN_METHOD)


def read_pair(value: Any) -> Pair:
    """Read a pair, λ alone for θ = 1, or text such as ``"7/2"`` or ``"7/2,2"``."""
    try:
        parts = value.split(",") if isinstance(value, str) else value
        lam, *theta = parts if isinstance(parts, list | tuple | Pair) else [parts]
        return Pair(plain_fraction(str(lam)), int(theta[0]) if theta else 1)
    except (TypeError, ValueError):
        shown = brief_repr(value)
        raise InputError(f"{shown} is no λ such as '7/2', nor a pair such as ('7/2', 2)") from None


def evidence_tables(
    cells: Cells, sizes: Sequence[int], likelihoods: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """The least and the greatest log L_ij that the bounds allow, −inf where j is larger than i."""
    tables = np.full((2, len(sizes), len(sizes)), -np.inf)
    for (model, truth), cell in cells.items():
        i, j = sizes.index(model), sizes.index(truth)
        tables[:, i, j] = likelihoods[i] - np.array(cell.penalties(n)[::-1])
    return tables[0], tables[1]


def dimensions(
    cells: Cells, sizes: Sequence[int], parameters: Sequence[int]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """A generic truth of a model is regular up to directions that do not show: λ = dimension/2."""
    dimension, open_sizes = [], []
    for size, count in zip(sizes, parameters, strict=True):
        cell = cells[size, size]
        if cell.upper is None:
            dimension.append(0)
        elif cell.exact and cell.upper.theta == 1 and (2 * cell.upper.lam).denominator == 1:
            dimension.append(int(2 * cell.upper.lam))
        else:
            dimension.append(count)
            open_sizes.append(str(size))
    note = (
        f"AIC and BIC of size {', '.join(open_sizes)} use the number of parameters: λ is open there"
    )
    return tuple(dimension), (note,) if open_sizes else ()
