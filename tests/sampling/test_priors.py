"""The tuned numbers of the fits of ladders: one name each, and none has changed unnoticed."""

import ast
from pathlib import Path

import numpy as np
import pytest

from rlct.sampling.ladders import priors

# Each number with the file of rlct/sampling/ladders where it stood, its name there, and its value.
OLD_PLACES = [
    ("SLOPE_FLOOR", "joint_fit.FLOOR", 0.0001),
    ("POLE_GAPS", "joint_fit.PLACES", (0.2, 0.25, 0.33, 0.5, 0.67, 1.0, 1.5, 2.0)),
    ("DEEP_POLE_GAPS", "joint_fit.DEEP_PLACES", (0.75, 0.85, 1.0, 1.25)),
    ("UNSEEN_POLE", "joint_fit.UNSEEN", (0.08, 0.5)),
    ("UNSEEN_LATE_POLE", "joint_fit.UNSEEN_LATE", (0.05, 1.0)),
    ("SHORT_LADDER", "joint_fit.SHORT", 20.0),
    ("LATER_PARTS", "joint_fit.LATER", (0.0, 2.0, 4.0, 6.0)),
    ("RISING_SHARE", "joint_fit.RISING", 0.2),
    ("EXACT_LEFT_OUT", "expansion.BEGINNINGS", (0.3, 0.4, 0.5)),
    ("GAP_STARTS", "expansion.DELTAS", (0.08, 0.25, 0.6)),
    ("LEAST_GAP", "expansion.LEAST_DELTA", 0.03),
    ("MOST_GAP", "expansion.MOST_DELTA", 3.0),
    ("WINDOW_MARGIN", "expansion.MARGIN", 2.0),
    ("RESIDUE_SPREAD", "expansion.RHO", 5.0),
    ("EXACT_SHIFT_SPREAD", "expansion.SHIFT", 6.0),
    ("BEND_SPREAD", "expansion.BEND", 20.0),
    ("INDEPENDENT_SLOPES", "expansion.INDEPENDENT", 4.0),
    (
        "EXACT_POLE_GAPS",
        "expansion.PLACES",
        (0.1, 0.125, 0.15, 0.2, 0.25, 0.33, 0.45, 0.6, 0.8, 1.1, 1.5, 2.2, 3.2),
    ),
    ("EXACT_SHIFTS", "expansion.SHIFTS", (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)),
    ("WIDEST_SHIFT", "expansion.WIDEST", 2.0),
    ("EXACT_FLOOR", "expansion.FLOOR", 0.0001),
    ("SHARP_RESIDUAL", "expansion.SHARP", 1e-05),
    ("SHARPER_RESIDUAL", "expansion.SHARPER", 3e-06),
    ("LATE_SHIFT", "expansion.LATE", 1.5),
    ("CLOSE_GAPS", "leading.CLOSE", (0.14, 0.2, 0.25, 0.33, 0.5)),
    ("CLOSER_GAPS", "leading.CLOSER", (0.05, 0.1)),
    ("ORDER_ODDS", "leading.ODDS", {1: 0.25, 2: 0.125, 3: 0.0625}),
    ("HIGH_ORDER_ODDS", "leading.MANY_ODDS", {6: 0.03125, 12: 0.015625, 24: 0.0078125}),
    ("DEEP_CLOSE_GAPS", "leading.DEEP_CLOSE", (1.0, 1.5, 2.0, 3.0, 4.5, 7.0, 10.0)),
    ("DEEP_ORDER_ODDS", "leading.DEEP_ODDS", {2: 1.0, 4: 1.0, 8: 1.0, 16: 1.0, 24: 1.0}),
    (
        "SHIFT_DEVIATIONS",
        "leading.SHIFTS",
        [
            -2.0,
            -1.6666666666666667,
            -1.3333333333333335,
            -1.0,
            -0.6666666666666667,
            -0.3333333333333335,
            0.0,
            0.33333333333333304,
            0.6666666666666665,
            1.0,
            1.333333333333333,
            1.6666666666666665,
            2.0,
        ],
    ),
    ("SHIFT_SPREAD", "leading.SPREAD", 0.7),
    ("LATE_SPREAD", "leading.LATE", 2.5),
    ("THIN_CHANCE", "leading.THIN_CHANCE", 0.2),
    ("SHORTEST_LADDER", "ladder.SHORTEST", 7.5),
    ("LEFT_OUT", "ladder.BEGINNING", 0.45),
    ("LEAST_LEFT_OUT", "ladder.LEAST_BEGINNING", 3.0),
    ("ALLOWED_MISFIT", "ladder.ALLOWED_MISFIT", 2.5),
    ("THIN_CONES", "ladder.THIN", (4.0, 6.0, 9.0, 14.0, 20.0, 30.0)),
    ("LAST_EFFORT", "attempts.LAST_EFFORT", 4.0),
    ("FAR_TOP", "attempts.FAR", 1e30),
    ("MOST_THETAS", "attempts.MOST_THETAS", 64),
    ("SHALLOW_THETA", "attempts.SHALLOW_THETA", 8),
    ("WANTED_TURNS", "attempts.TURNS", 12.0),
    ("TURNS_BY_THETA", "attempts.BY_THETA", 4.0),
    ("LONGEST_LADDER", "attempts.LONGEST", 450.0),
    ("LADDER_ROOM", "attempts.ROOM", 20.0),
    ("COUNTED_LENGTH", "tempering.COUNTED", 15.0),
    ("USUAL_GAP", "tempering.USUAL", 7.0),
    ("WANTED_TURNS", "quadrature.TURNS", 12.0),
    ("LONGEST_QUADRATURE", "quadrature.LONGEST", 60.0),
    ("FEW_TURNS", "ladder_report._TURNS", 4.0),
    ("FEW_TURNS_BY_THETA", "ladder_report._BY_THETA", 2.0),
    ("FEW_THETAS", "ladder_report._FEW_THETAS", 3),
    ("PLAUSIBLE_THETA", "check.PLAUSIBLE", 0.01),
    ("BOX_SHRINK", "closer._SHRINK", 4.0),
    ("LEAST_BOX", "closer._LEAST", 0.0005),
    ("BOX_INSIDE", "closer._INSIDE", 0.5),
    ("MORE_BOXES", "closer._MORE", 3),
    ("BOX_EFFORT", "closer._EFFORT", 0.5),
    ("BOX_CRITICAL", "closer._CRITICAL", 4.0),
    ("BOX_RELATIVE", "closer._RELATIVE", 0.01),
]


@pytest.mark.parametrize(("name", "old_place", "value"), OLD_PLACES)
def test_a_number_is_what_it_was_where_it_stood(name: str, old_place: str, value: object) -> None:
    found = getattr(priors, name)
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == value
    assert type(found) is type(value) or isinstance(found, np.ndarray)
    module, old_name = old_place.split(".")
    source = Path(priors.__file__).with_name(f"{module}.py").read_text("utf-8")
    assigned = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    names = {part.id for node in assigned for part in ast.walk(node) if isinstance(part, ast.Name)}
    assert old_name not in names, f"{module}.py has a second one"


def test_every_number_is_in_the_table() -> None:
    names = {name for name in vars(priors) if name.isupper()}
    assert names == {name for name, _, _ in OLD_PLACES}


def test_every_number_says_its_unit_or_where_it_comes_from() -> None:
    lines = Path(priors.__file__).read_text("utf-8").splitlines()
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.Assign):
            own, before = lines[node.lineno - 1], lines[node.lineno - 2]
            pair = before[:1].isupper()  # under one comment with the line above
            assert "#" in own or before.startswith("#") or pair, own
