"""Regular polygons of columns in the toy model of superposition with two hidden dimensions."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.sizes import integer_parameter, known_instance
from rlct.theorems.working import step


def _sizes(arguments: Arguments) -> tuple[int, int, int]:
    """Corners, spare columns, and how many of these have a positive bias."""
    corner_count = arguments["corners"]
    return corner_count, arguments["columns"] - corner_count, arguments["positive"]


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    corner_count, spare_count, positive_count = _sizes(arguments)
    return (
        # From 10 corners on a polygon is a saddle, or nobody has proved that it is none.
        Finding.of(
            "the polygon has from 3 to 9 corners, each of them a column",
            3 <= corner_count <= 9 and spare_count >= 0,
            f"{corner_count} corners, {corner_count + spare_count} columns",
        ),
        # A spare column with a positive bias pulls at those that are free: together, a saddle.
        Finding.of(
            "the biases of the spare columns are all negative, or all positive, beside a polygon "
            "of 5 corners or more",
            positive_count == 0 or (positive_count == spare_count and corner_count >= 5),
            f"{positive_count} of {spare_count} positive",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    corner_count, spare_count, positive_count = _sizes(arguments)
    polygon = 3 * corner_count - 1 if corner_count > 3 else 2 * corner_count
    # Beside 3 or 4 corners a spare column moves outputs whose bias is 0.
    beside = 3 * positive_count if corner_count > 4 else 2 * spare_count
    lam = step(f"λ = ({polygon} + {beside})/2", Fraction(polygon + beside, 2))
    return Pair(lam, 1)


def _question(arguments: Arguments) -> object | None:
    """Return lengths, angles and biases that the loss sees: K is comparable with their squares."""
    corner_count, spare_count, positive_count = _sizes(arguments)
    if corner_count + spare_count > 30:
        return None
    seen_coordinates = [f"{name}{i}" for i in range(corner_count) for name in ("r", "b")]
    if corner_count > 3:
        seen_coordinates += [f"t{i} - t{(i + 1) % corner_count}" for i in range(corner_count)]
    for j in range(positive_count if corner_count > 4 else spare_count):
        seen_coordinates += [f"x{j}", f"y{j}"] + [f"z{j}"] * (positive_count > 0)
    return pose_question(seen_coordinates)


THEOREM = Theorem(
    id="superposition-polygon",
    title="Polygons in the toy model of superposition",
    model=(
        "x ↦ ReLU(WᵀWx + b), W of 2 × c, squared error from x, which has one entry that is not "
        "0, uniform on [0, 1]; K is the loss less that at the polygon"
    ),
    where=(
        "where k columns are the corners of a regular polygon, critical in length and bias, and "
        "the spare ones are 0"
    ),
    cites=("chen2023",),
    parameters=(
        integer_parameter("columns", "c, columns of W"),
        integer_parameter("corners", "k, columns at the corners of the polygon"),
        integer_parameter("positive", "spare columns whose bias is 1/(2c), not negative", 0),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        known_instance((3, 3, 0), "3", 1),
        known_instance((4, 4, 0), "11/2", 1),
        known_instance((6, 4, 0), "15/2", 1),
        known_instance((6, 5, 0), "7", 1, by_simulation()),
        known_instance((6, 5, 1), "17/2", 1),
        known_instance((6, 6, 0), "17/2", 1),
        known_instance((9, 9, 0), "13", 1),
    ),
    counterexamples=(
        Counterexample.against("from 3 to 9 corners", (3, 2), "2", "r; s; a; b"),
        Counterexample.against(
            "interior",
            (4, 4),
            "13/2",
            "r0; b0; r1; b1; r2; b2; r3; b3; t0 - t1; t1 - t2; t2 - t3",
            prior="b0**2",
        ),
    ),
)
