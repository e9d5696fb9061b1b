"""Quadratic networks at a true function of fewer units: the least pair over its parameters."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem, TheoremBounds
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.quadratic import ALL_FEATURES
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes
from rlct.theorems.working import step


def _sizes(arguments: Arguments) -> tuple[int, int, int]:
    """Dimensions n, spare units h, and dimensions m that the true form does not see."""
    n = arguments["inputs"] + arguments["bias"]
    r = arguments["true_units"]
    return n, arguments["units"] - r, n - r


def _spare_pair(h: int, m: int) -> Pair | None:
    """Z(h, m) for h, m ≥ 1, where it is proved."""
    entries = m * (m + 1) // 2
    if h > max(2 * m, entries):
        return Pair(Fraction(entries, 2), 1)
    if (h, m) in {(3, 2), (4, 2)}:
        return Pair.of("5/4") if h == 3 else Pair.of("3/2", 2)
    if h > 2 and m > 1:
        return None
    most = 1 if m == 1 else h
    theta = 4 if h == m == 2 else 1 + (h * m == 2 * most)
    return Pair(min(Fraction(h * m, 4), Fraction(most, 2)), theta)


@lru_cache(maxsize=256)
def _spare_upper(h: int, m: int) -> Fraction:
    """Least upper bound of Z(h, m): v = 0, a = 0, or pairs of units that cancel."""
    pairs = (
        Fraction(j * (2 * m - j + 1), 4) + _spare_upper(h - 2 * j, m - j)
        for j in range(1, min(h // 2, m) + 1)
    )
    return min(Fraction(h * m, 4), Fraction(h, 2), *pairs)


def _coordinates(arguments: Arguments) -> Fraction:
    n, r = _sizes(arguments)[0], arguments["true_units"]
    count = r * n - r * (r - 1) // 2
    return Fraction(step("entries that are coordinates, r n − r(r − 1)/2", count), 2)


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    n, h, m = _sizes(arguments)
    r = arguments["true_units"]
    fits = 0 <= r <= min(n, arguments["units"])
    shown = f"{r} true units, {arguments['units']} units, {n} dimensions"
    decided = h * m <= 0 or _spare_pair(h, m) is not None
    return (
        positive_sizes(arguments, "inputs", "units"),
        Finding.of("the true form has a rank of at most units and dimensions", fits, shown),
        Finding(
            "at most two units are spare, or more than 2m and m(m + 1)/2 where m dimensions are "
            "left, or m is 1, or three or four units in two dimensions",
            Truth.TRUE if decided else Truth.OPEN,
            f"{h} spare, {m} left",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    _, h, m = _sizes(arguments)
    true_part = _coordinates(arguments)
    spare_pair = _spare_pair(h, m) if h * m else None
    if spare_pair is None:
        return Pair(step("λ", true_part), 1)
    step("Z(h, m)", spare_pair.lam)
    lam = step(f"λ = {true_part} + {spare_pair.lam}", true_part + spare_pair.lam)
    return Pair(lam, step("θ", spare_pair.theta))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Z(h, m) ≥ 1, and its upper bound."""
    n, h, m = _sizes(arguments)
    if not h * m or _spare_pair(h, m) is not None:
        return None
    true_part = _coordinates(arguments)
    below = Pair(step(f"λ ≥ {true_part} + 1", true_part + 1), arguments["units"] * (n + 1))
    spare_lambda = _spare_upper(h, m)
    above = Pair(step(f"λ ≤ {true_part} + {spare_lambda}", true_part + spare_lambda), 1)
    below_kept, above_kept = only_open(arguments, "interior"), only_open(arguments, "features")
    if not (below_kept or above_kept):
        return None
    return TheoremBounds(
        "directions that spare units have; units at zero or in pairs that cancel",
        below if below_kept else None,
        above if above_kept else None,
    )


def _question(arguments: Arguments) -> object | None:
    r = arguments["true_units"]
    n = _sizes(arguments)[0]
    generators = []
    for i, j in combinations_with_replacement(range(1, n + 1), 2):
        terms = [f"a{k}*w{k}_{i}*w{k}_{j}" for k in range(1, arguments["units"] + 1)]
        generators.append(" + ".join(terms) + (" - 1" if i == j <= r else ""))
    at = {f"a{k}": 1 for k in range(1, r + 1)} | {f"w{k}_{k}": 1 for k in range(1, r + 1)}
    return pose_question(generators, at)


_ONE_UNIT = {"inputs": 1, "units": 1, "true_units": 1}

THEOREM = Theorem(
    id="quadratic-truth",
    title="Quadratic network at a true function of fewer units",
    model="y = Σ_k a_k (w_k·x)² + noise, all parameters trained; w_k·x + b_k if bias is true",
    where="minimum over all parameters of the true function",
    cites=("cullen2026 (the networks; the value is proved on the theory page)",),
    parameters=(
        integer_parameter("inputs", "d, number of inputs"),
        integer_parameter("units", "K, number of hidden units"),
        integer_parameter("true_units", "r, least number of units of the true function"),
        Parameter("bias", Kind.FLAG, "whether the units have biases b_k", False),
        ALL_FEATURES,
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    instances=(
        known_instance((1, 1, 0, False), "1/4", 1, by_simulation()),
        known_instance((2, 2, 1), "5/4", 1),
        known_instance((1, 2, 1, True), "5/4", 1),
        known_instance((2, 2, 0), "1", 4),
        known_instance((3, 2, 0), "1", 1),
        known_instance((2, 2, 2), "3/2", 1),
        known_instance((2, 3, 1), "3/2", 2),
        known_instance((2, 3, 0), "5/4", 1),
        known_instance((2, 4, 0, False), "3/2", 2, by_simulation(), engine=False),
        known_instance((2, 5, 0, False), "3/2", 1, by_simulation(), engine=False),
    ),
    counterexamples=(
        Counterexample.against("features", {**_ONE_UNIT, "inputs": 2}, "1/2", "(1+v)*(1+a)**2 - 1"),
        squared_prior(_ONE_UNIT, "interior", "u"),
    ),
)
