"""Variables that a scaling takes to ±1."""

from dataclasses import replace

from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.torus import flipping_signs, scaling_weights


def normalise_variable(cell: LiteralCell) -> tuple[dict[str, object], list[LiteralCell]] | None:
    """Each zero has the pair of one with x_i = ±1 of the ideal on x_i = ±1.

    If x_i ≠ 0 on the cell and t^w takes each generator to t^c times itself, w_i ≠ 0
    (``theory/fibres.md``).  One sign is enough if a change of signs takes x_i to −x_i.
    """
    degrees = [g.degrees() for g in cell.generators]
    highest = [max(column) for column in zip(*degrees, strict=True)]
    for weights in scaling_weights(cell).tolist():
        # A variable that occurs in the first degree only may be taken as a coordinate later.
        for i in sorted(cell.nonzero, key=lambda i: (-highest[i], i)):
            if weights[i]:
                cell = replace(cell, units=cell.kept_units(weights, None))
                signs = flipping_signs(cell, i)
                data = {"variable": i, "weights": [int(w) for w in weights]}
                if signs is None:
                    return data, [cell.without(i, 1), cell.without(i, -1)]
                return {**data, "signs": signs}, [cell.without(i, 1)]
    return None
