"""CP decomposition of the zero tensor."""

from fractions import Fraction

from rlct.models.factorisations.cp import CpDecomposition
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.factorisations.cp_bound import tensor_sizes
from rlct.theorems.kit.given import BOUNDED_PRIOR
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links
from rlct.theorems.working import joined_terms, step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    H = arguments["terms"]
    return (
        *tensor_sizes(arguments),
        Finding.of(
            "there are at most two terms or all factors are non-negative",
            H <= 2 or arguments["nonneg"],
            f"terms {H}, nonneg {arguments['nonneg']}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    dims, H = arguments["dims"], arguments["terms"]
    least = min(dims)
    count = dims.count(least)
    separate_lambda = step(f"each term at 0: {H}·{least}/2", Fraction(H * least, 2))
    zero_pair = Pair(separate_lambda, 1 + H * (count - 1))
    if H == 1 or arguments["nonneg"]:
        step(f"λ = {separate_lambda}", separate_lambda)
        step(f"θ = 1 + {H}·({count} − 1)", zero_pair.theta)
        return zero_pair
    cone = Fraction(1 + sum(dims) - len(dims), 2)
    step(f"terms that cancel: (1 + {joined_terms(dims)} − {len(dims)})/2", cone)
    step(f"λ = min({separate_lambda}, {cone})", min(separate_lambda, cone))
    if cone != separate_lambda:
        pair = min(zero_pair, Pair(cone, 1))
        step("θ", pair.theta)
        return pair
    return Pair(cone, step(f"θ = 2·{count}", 2 * count))


THEOREM = Theorem(
    id="cp-zero",
    title="CP decomposition of the zero tensor",
    model="tensor Σ_h a_h ⊗ b_h ⊗ … + Gaussian noise, H terms, truth 0",
    where="at 0, the deepest parameter of the zero tensor",
    cites=("yoshida2023 (the question; the value is proved on the theory page)",),
    parameters=(
        Parameter("dims", Kind.INTEGERS, "dimensions of the tensor"),
        integer_parameter("terms", "H, number of terms"),
        Parameter("nonneg", Kind.FLAG, "whether all factors are non-negative", False),
        Parameter.stated(
            "interior", "the prior is positive and continuous near 0", lower=BOUNDED_PRIOR
        ),
    ),
    hypotheses=_findings,
    value=_value,
    **model_links(
        CpDecomposition, fixed={"true": 0}, when=lambda model: model.terms <= 2 or model.nonneg
    ),
    instances=(
        known_instance(((2, 2, 2), 1, False), "1", 3, by_simulation()),
        known_instance(((2, 2, 3), 1, False), "1", 2),
        known_instance(((1, 2, 2), 2, True), "1", 1),
        known_instance(((2, 2), 2, True), "2", 3),
        known_instance(((1, 1, 2), 2, False), "1", 4),
        known_instance(((2, 2, 2), 2, False), "2", 6),
        known_instance(((2, 2), 2, False), "3/2", 1),
        known_instance(((2, 3), 2, False), "2", 2),
    ),
    counterexamples=(
        Counterexample.against(
            "at most two terms or all factors are non-negative",
            ((2, 2), 3, False),
            ("2", 2),
            tuple(f"a{i}*b{j} + c{i}*d{j} + e{i}*f{j}" for i in (1, 2) for j in (1, 2)),
        ),
        squared_product(((1, 1), 1), "interior", "a*b"),
    ),
)
