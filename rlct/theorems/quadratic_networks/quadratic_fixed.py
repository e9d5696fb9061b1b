"""Quadratic networks whose outer weights are fixed: the products W^T W."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.quadratic import ALL_FEATURES
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes
from rlct.theorems.working import step

_MOST_TERMS = 2000  # monomials of the question for the engine


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    outer_weights, d, r = arguments["outer"], arguments["inputs"], arguments["rank"]
    signs = {(c > 0) - (c < 0) for c in outer_weights}
    shown = f"{len(outer_weights)} weights, signs {sorted(signs)}"
    return (
        positive_sizes(arguments, "inputs"),
        Finding.of("all outer weights have one sign", signs in ({1}, {-1}), shown),
        Finding.of(
            "rank is between 0 and the numbers of inputs and units",
            0 <= r <= min(d, len(outer_weights)),
            f"rank {r}, inputs {d}, units {len(outer_weights)}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    d, H, r = arguments["inputs"], len(arguments["outer"]), arguments["rank"]
    lam = Fraction(r * (r + 1) + 2 * r * (d - r) + (H - r) * (d - r), 4)
    step(f"λ = ({r}·({r} + 1) + 2·{r}·({d} − {r}) + ({H} − {r})·({d} − {r}))/4", lam)
    return Pair(lam, 1)


def _question(arguments: Arguments) -> object | None:
    """The entries of Σ c_j w_j w_jᵀ minus the truth, the first units being unit vectors."""
    outer, d, r = arguments["outer"], arguments["inputs"], arguments["rank"]
    if d * (d + 1) * len(outer) > _MOST_TERMS:
        return None
    entries = [
        "+".join(f"({c})*w{j}_{i}*w{j}_{k}" for j, c in enumerate(outer, 1))
        + (f"-({outer[i - 1]})" if i == k <= r else "")
        for i in range(1, d + 1)
        for k in range(i, d + 1)
    ]
    return pose_question(entries, at={f"w{j}_{j}": 1 for j in range(1, r + 1)})


THEOREM = Theorem(
    id="quadratic-fixed-outer",
    title="Quadratic network with fixed outer weights of one sign",
    model="y = Σ_j c_j (w_j·x)² + Gaussian noise, c_j fixed, d inputs, H units, a form of rank r",
    where="at every parameter of the true function",
    cites=(
        "aoyagi2013 (homogeneous functions; the value for every rank is proved on the theory page)",
    ),
    parameters=(
        integer_parameter("inputs", "d, number of inputs"),
        Parameter("outer", Kind.FRACTIONS, "the fixed c_j, one per unit"),
        integer_parameter("rank", "r, rank of the true form", default=0),
        ALL_FEATURES,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        known_instance((1, (1,), 0), "1/4", 1),
        known_instance((2, (1, 1), 0), "1", 1, by_simulation()),
        known_instance((2, (-1, -2), 0), "1", 1),
        known_instance((2, (1, 1, 1), 1), "3/2", 1),
        known_instance((2, (1, 1), 2), "3/2", 1),
    ),
    counterexamples=(
        Counterexample.against("one sign", (1, (1, -1), 0), ("1/2", 2), "u**2 - v**2"),
        Counterexample.against("features", (2, (1,), 0), "1/4", "w**2"),
        Counterexample.against("prior_positive", (1, (1,), 0), "3/4", "w**2", prior="w**2"),
    ),
)
