"""Tucker decomposition, upper bound."""

from fractions import Fraction
from itertools import product
from math import prod

from rlct.models.factorisations.tucker import TuckerDecomposition
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.factorisations.cp_bound import cone_pair
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import bounded_instance, integer_parameter, model_links
from rlct.theorems.working import step

_MOST_MODES = 12  # 2^modes components are compared


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    dims, core_sizes, r = arguments["dims"], arguments["core"], arguments["true"]
    sizes_fit = 2 <= len(dims) == len(core_sizes) <= _MOST_MODES and min(*dims, *core_sizes) >= 1
    return (
        Finding.of(
            f"dims and core are equally many positive sizes, from 2 to {_MOST_MODES}",
            sizes_fit,
            f"dims {dims}, core {core_sizes}",
        ),
        Finding.of(
            "the rank is between 0 and the smallest dimension",
            sizes_fit and 0 <= r <= min(*dims, *core_sizes),
            f"rank {r}",
        ),
    )


def _value(arguments: Arguments) -> TheoremBounds:
    dims, core, r = arguments["dims"], arguments["core"], arguments["true"]
    if r == 0:
        least = min(prod(core), *(i * j for i, j in zip(dims, core, strict=True)))
    else:
        least = min(_codimension(dims, core, r, s) for s in product((0, 1), repeat=len(dims)))
    step("least codimension", least)
    step(f"λ ≤ {least}/2", Fraction(least, 2))
    upper, rule = Pair(Fraction(least, 2), 1), "codimension of a component of the fibre"
    if r == 0:
        lower = Pair(step("λ ≥ 1/2", Fraction(1, 2)), len(dims) + 1)
        return TheoremBounds(f"one entry of the tensor; upper: {rule}", lower, upper)
    rule = f"changes of basis of a tensor that is not 0; upper: {rule}"
    return TheoremBounds(rule, cone_pair(dims), upper)


def _codimension(
    dims: tuple[int, ...], core: tuple[int, ...], r: int, factor: tuple[int, ...]
) -> int:
    """Codimension when the modes with ``factor`` have few directions there, not in the core."""
    inside = prod(j if f else r for j, f in zip(core, factor, strict=True))
    total: int = prod(core) - inside + r ** len(dims)
    for i, j, f in zip(dims, core, factor, strict=True):
        total += (i - r) * j if f else r * (i - r) - r * (j - r)
    return total


_CONE_PAIR = ("2", 1)  # half the dimension of the cone of tensors of rank one

THEOREM = Theorem(
    id="tucker-bound",
    title="Tucker decomposition, bounds",
    model="tensor G ×₁ A₁ ×₂ A₂ … + Gaussian noise; the truth has multilinear rank (r, …, r)",
    where="minimum over all parameters of the true tensor",
    cites=("yoshida2023 (bounds of this kind; this one is proved on the theory page)",),
    parameters=(
        Parameter("dims", Kind.INTEGERS, "I, dimensions of the tensor"),
        Parameter("core", Kind.INTEGERS, "J, dimensions of the core"),
        integer_parameter("true", "r, multilinear rank of the truth in every mode", default=0),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    **model_links(TuckerDecomposition, when=lambda model: len(model.dims) <= _MOST_MODES),
    kind="bound",
    instances=(
        bounded_instance(((2, 2, 2), (1, 1, 1), 1), _CONE_PAIR, "2", "2"),
        bounded_instance(((2, 2, 2), (1, 1, 2), 1), _CONE_PAIR, "2", "2"),
        bounded_instance(((1, 1), (1, 1), 0), ("1/2", 3), "1/2", ("1/2", 3), by_simulation()),
        bounded_instance(((2, 2), (1, 1), 0), ("1/2", 3), "1/2", "1/2"),
    ),
    counterexamples=(squared_product(((1, 1), (1, 1), 0), "interior", "a*b*c"),),
)
