"""A lower bound by the discriminant with respect to one variable."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice

from sympy import QQ

from rlct.algebra.polynomial import Polynomial, make_ring
from rlct.engine import limits
from rlct.engine.germs.bounds import tighter_bounds
from rlct.engine.germs.function_field import coefficient
from rlct.engine.germs.leaves import sign_change_bounds
from rlct.engine.germs.rule import ProofSearch, RuleTrait, germ_rule
from rlct.engine.germs.step import Bounds, Step, same_bounds
from rlct.engine.reductions.linear import substitute_linear
from rlct.errors import OutOfTimeError
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ
from rlct.system.time_limit import Budget, time_limit

_ONE_QUARTER = Fraction(1, 4)


def discriminant_bound(germ: Germ, solve: Callable[[Germ], Proof]) -> Proof | None:
    """(1/2, 1) for f = A·x² + B·x + C that changes sign, if λ > 1/4 for (B² − 4AC).

    Condition: no prior on x, which may be a variable or the difference of two in each of which f is
    linear; one integrates 1/√|B² − 4AC|.  ``theory/discriminants.md`` proves it.
    """
    if len(germ.generators) > 1 or germ.field is not None or germ.ring.ngens < 4:
        return None
    above = sign_change_bounds(germ)
    if above is None:
        return None
    proof: Proof | None = above
    steps = sorted(_steps(germ), key=lambda steps: len(_generator(steps[-1])))
    for outer, *inner in islice(steps, limits.MOST_DISCRIMINANTS):
        following = (lambda _, step=inner[0]: step.prove(solve)) if inner else solve
        proof = tighter_bounds(above, outer.prove(following))
        if proof.exact:
            break
    return proof


def _generator(step: Step) -> Polynomial:
    (child,) = step.children
    assert isinstance(child, Germ)
    (g,) = child.generators
    return g


def _steps(germ: Germ) -> Iterator[list[Step]]:
    """Discriminants by a variable, and by the difference of two after a change of coordinates."""
    (f,) = germ.generators
    size = germ.ring.ngens
    free = [i for i in range(size) if not germ.prior[i]]
    degrees = [max(m[i] for m in f.itermonoms()) for i in range(size)]
    for i in free:
        if degrees[i] == 2 and (step := _discriminant(germ, i)) is not None:
            yield [step]
    for i, j in combinations([i for i in free if degrees[i] == 1], 2):
        if not any(m[i] and m[j] for m in f.itermonoms()):
            continue
        matrix = [
            [QQ(int(k == n) - int((k, n) == (j, i))) for n in range(size)] for k in range(size)
        ]
        moved = Germ(tuple(substitute_linear([f], matrix)), germ.prior, True)
        step = _discriminant(moved, i)
        if step is not None:
            rows = [encode_numbers(Fraction(int(x)) for x in row) for row in matrix]
            yield [Step("linear", (moved,), same_bounds, {"matrix": rows}), step]


def _discriminant(germ: Germ, i: int) -> Step | None:
    """The step to the ideal of B² − 4AC in the other variables."""
    (f,) = germ.generators
    c, b, a = (coefficient(f, i, k) for k in range(3))
    discriminant = b**2 - 4 * a * c
    if not discriminant or len(discriminant) > limits.MOST_DISCRIMINANT_TERMS:
        return None
    if any(not any(m) for m in discriminant.itermonoms()):
        return None
    names = [str(s) for s in germ.ring.symbols]
    ring = make_ring([*names[:i], *names[i + 1 :]])
    g = ring.from_dict({(*m[:i], *m[i + 1 :]): c for m, c in discriminant.terms()})
    child = Germ((g,), (*germ.prior[:i], *germ.prior[i + 1 :]), True)
    return Step("discriminant", (child,), _bounds, {"variable": i})


def _bounds(child_bounds: Sequence[Bounds]) -> Bounds:
    """From below as the integral of min(1, ε/√|Δ|) decays, nothing from above."""
    ((lower, _),) = child_bounds
    if lower.lam > _ONE_QUARTER:
        return Pair(Fraction(1, 2), 1), None
    if lower.lam == _ONE_QUARTER:
        return Pair(Fraction(1, 2), lower.theta + 1), None
    return Pair(2 * lower.lam, lower.theta), None


@germ_rule("discriminant", "hidden-coordinate", RuleTrait.OUTERMOST | RuleTrait.SEARCHES)
def _in_time(germ: Germ, search: ProofSearch) -> Proof | None:
    """`discriminant_bound`, with blow-ups for neither the germ nor its discriminant.

    Condition: the discriminant is bounded in a few seconds (``theory/discriminants.md``).
    """

    def solve(child: Germ) -> Proof:
        budget = Budget(limits.DISCRIMINANT_SECONDS)
        with time_limit(budget.seconds_left, budget):
            return search.solve(child, budget)

    try:
        return discriminant_bound(germ, solve)
    except OutOfTimeError:
        return None
