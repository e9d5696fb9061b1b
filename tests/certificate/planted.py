"""Faults to plant: an upper bound that a leaf passes on, and a condition that a rule leaves out.

`leaf_upper` is a rule that the checker had once: the pair at a leaf that is a point is that of the
question at a point which the steps to the leaf give back.  It is right if at that point every
prior that `solve` dropped is a unit, and every variable along which a `slide` went is not 0.
"""

from fractions import Fraction

from derivations import REFUSALS
from known_pairs import value

from rlct.certificate.arithmetic import read_polynomial
from rlct.certificate.plane_box import substitution_exponent


def leaf_upper(*faults):
    """Upper bounds from leaves; with a fault `prior` or `along` a test is left out or changed."""

    def way_of_bounding(grower, box, known, walls):
        if any(walls):
            return {}, [], None
        scale = Fraction(1) if box.is_ideal else Fraction(1, 2)
        pairs = [
            leaf.upper / scale
            for leaf in grower.leaves
            if leaf.upper is not None and is_attained(box, leaf, faults)
        ]
        return {}, [], min(pairs) if pairs else None

    return way_of_bounding


def is_attained(box, leaf, faults):
    """Whether the germ of a leaf is that of a point inside the box."""
    place, stands, along = [Fraction(0)] * leaf.cell.width, True, []
    for step in reversed(leaf.way):
        data, cell = step.data, step.cell
        try:
            place = before(place, step)
        except (ZeroDivisionError, *REFUSALS):
            return False
        if step.rule == "solve":
            i = data["variable"]
            stands &= "prior" in faults or not cell.prior[i] or not dropped(step) or place[i] != 0
        if step.rule == "slide":
            if "along" in faults:
                along.append(cell.origin[data["along"]])
            else:
                stands &= place[data["along"]] != 0
    stands &= all(place[i] != 0 for i in along)
    for u, h, (low, high) in zip(place, box.prior, box.sides, strict=True):
        stands &= low < u ** substitution_exponent(h, wall=False) < high
    return stands


def solved(step):
    """The root at which a child of `solve` is."""
    roots = [Fraction(a) for a in step.data["roots"]]
    if step.data["variable"] in step.cell.nonzero:
        roots = [a for a in roots if a]
    return roots[step.child]


def dropped(step):
    """Whether a child of `solve` has no prior in its variable."""
    return solved(step) != 0


def before(place, step):
    """The point as it was given before a step."""
    data, place = step.data, list(place)
    if step.rule == "solve":
        place[data["variable"]] += solved(step)
    elif step.rule == "normalise":
        place.insert(data["variable"], Fraction(-1 if step.child else 1))
    elif step.rule == "slide":
        place.insert(data["variable"], Fraction(0))
    elif step.rule == "change":
        i, width = data["variable"], step.cell.width
        scale, shift = (read_polynomial(data[name], width) for name in ("scale", "shift"))
        place[i] = (place[i] - value(shift, place)) / value(scale, place)
    return place
