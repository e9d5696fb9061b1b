"""All wordings by the name of their rule."""

from __future__ import annotations

from rlct.explain.blowups import BLOWUPS
from rlct.explain.boxes import BOXES
from rlct.explain.coordinates import COORDINATES
from rlct.explain.leaves import LEAVES
from rlct.explain.networks import NETWORKS
from rlct.explain.polyhedra import POLYHEDRA
from rlct.explain.reductions import REDUCTIONS
from rlct.explain.told import Told, Wording, Words

__all__ = ["BOX_WORDS", "WORDS", "words_of"]

#: Of germs, families and networks.
WORDS: dict[str, Wording] = {
    **REDUCTIONS,
    **COORDINATES,
    **BLOWUPS,
    **POLYHEDRA,
    **LEAVES,
    **NETWORKS,
}
#: Of questions over a box.
BOX_WORDS: dict[str, Wording] = BOXES


def words_of(told: Told) -> Words:
    """What is said about a step."""
    table = WORDS if told.branch.box is None else BOX_WORDS
    return table[told.node.rule](told)
