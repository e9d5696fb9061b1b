"""All wordings by the name of their rule."""

from __future__ import annotations

from rlct.explain.blowups import BLOWUP_WORDS
from rlct.explain.boxes import BOX_WORDS
from rlct.explain.coordinates import COORDINATE_WORDS
from rlct.explain.fibres import FIBRE_WORDS
from rlct.explain.leaves import LEAF_WORDS
from rlct.explain.networks import NETWORK_WORDS
from rlct.explain.polyhedra import POLYHEDRON_WORDS
from rlct.explain.proved_step import ProvedStep, StepWording, Words
from rlct.explain.reductions import REDUCTION_WORDS

__all__ = ["STEP_WORDS", "words_of"]

#: Of germs, families and networks; those of questions over a box are `BOX_WORDS`.
STEP_WORDS: dict[str, StepWording] = {
    **REDUCTION_WORDS,
    **FIBRE_WORDS,
    **COORDINATE_WORDS,
    **BLOWUP_WORDS,
    **POLYHEDRON_WORDS,
    **LEAF_WORDS,
    **NETWORK_WORDS,
}


def words_of(step: ProvedStep) -> Words:
    """What is said about a step."""
    table = STEP_WORDS if step.branch.box is None else BOX_WORDS
    return table[step.node.rule](step)
