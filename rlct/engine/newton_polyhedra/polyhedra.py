"""Newton polyhedra of the generators, in coordinates that make initial forms regular."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rlct.algebra.polynomial import Polynomial, content_and_factors, from_terms
from rlct.engine import limits
from rlct.engine.germs import simplify
from rlct.engine.germs.bounds import tighter_bounds
from rlct.engine.germs.coordinate import change_coordinate
from rlct.engine.germs.family import Family, family_of_germ
from rlct.engine.germs.function_field import coefficient
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.germs.step import Step
from rlct.engine.germs.uniform import forget_parameters
from rlct.engine.newton_polyhedra.division import DivisionOutcome, divide_weights
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Path = tuple[Step, ...]


@germ_rule(
    "polyhedra",
    "factor-polyhedra",
    RuleTrait.OUTERMOST | RuleTrait.NO_CHARTS,
    sources=(
        "Khovanskii, Newton polyhedra and toroidal varieties, FAA 11 (1977)",
        "Kapranov, A characterization of A-discriminantal hypersurfaces in terms of the "
        "logarithmic Gauss map, Math. Ann. 290 (1991)",
    ),
)
def several_polyhedra(germ: Germ) -> Proof | None:
    """Σ g_k²: the least pair over cells of weights w on which all initial forms are constant.

    Condition: in each cell the forms that vanish together have independent differentials at
    common zeros in (R∖0)^n.  ``theory/polyhedra.md`` proves it.

    Where the bound is not sharp, some initial form has a singular zero or is a product of factors.
    A factor a·x_i + r, a number, is then taken as a coordinate in place of x_i.
    """
    if germ.field is not None or not 2 < germ.ring.ngens <= limits.MOST_POLYHEDRA_VARIABLES:
        return None
    division_outcome, path = divide_weights(germ, None, limits.MOST_DIVISION_CELLS), Path()
    best_proof = division_outcome.proof
    measure = len(division_outcome.open), _size(germ)
    cells_left = limits.MOST_POLYHEDRA_CELLS - division_outcome.nodes
    while (
        division_outcome.open and cells_left > 0 and len(path) < 3 * limits.MOST_POLYHEDRA_CHANGES
    ):
        best_step: tuple[Germ, Path, DivisionOutcome] | None = None
        for child, steps in _changes(germ, division_outcome)[: limits.MOST_POLYHEDRA_TRIALS]:
            trial = divide_weights(child, measure[0], min(cells_left, limits.MOST_DIVISION_CELLS))
            cells_left -= trial.nodes
            after = len(trial.open), _size(child)
            if after < measure and trial.finished:
                best_step, measure = (child, steps, trial), after
            if not measure[0] or cells_left <= 0:
                break
        if best_step is None:
            break
        germ, steps, division_outcome = best_step
        path += steps
        if division_outcome.proof is not None:
            best_proof = _better(best_proof, _wrapped(division_outcome.proof, path))
    return best_proof


def _size(germ: Germ) -> int:
    return sum(map(len, germ.generators))


def _changes(germ: Germ, division_outcome: DivisionOutcome) -> list[tuple[Germ, Path]]:
    """Germs in other coordinates, the shortest first, each once."""
    family = family_of_germ(germ)
    result = []
    for i, a, r in _factors(germ, division_outcome):
        path: list[Step] = [change_coordinate(family, i, family.ring.ground_new(a), r)]
        (child,) = path[0].children
        assert isinstance(child, Family)
        path.append(_forget(child))
        (moved,) = path[1].children
        assert isinstance(moved, Germ)
        if (step := simplify.simplify_generators(moved)) is not None:
            path.append(step)
            (moved,) = step.children
            assert isinstance(moved, Germ)
        if _size(moved) <= limits.MOST_POLYHEDRA_TERMS:
            result.append((moved, tuple(path)))
    return sorted(result, key=lambda item: _size(item[0]))


def _forget(family: Family) -> Step:
    step = forget_parameters(family)
    assert step is not None
    return step


def _factors(germ: Germ, division_outcome: DivisionOutcome) -> list[tuple[int, object, Polynomial]]:
    """Factors a·x_i + r of the initial forms in open cells, most frequent first."""
    counts: Counter[tuple[int, object, Polynomial]] = Counter()
    ring = family_of_germ(germ).ring
    for forms in division_outcome.open[: limits.MOST_OPEN_CELLS]:
        for form in forms.values():
            if len(form) > 1:
                for f, _ in content_and_factors(from_terms(ring, form))[1]:
                    counts.update(_linear(germ, f))
    return [key for key, _ in counts.most_common(2 * limits.MOST_POLYHEDRA_TRIALS)]


def _linear(germ: Germ, f: Polynomial) -> Iterator[tuple[int, object, Polynomial]]:
    for i, h in enumerate(germ.prior):
        if h or len(f) < 2 or max(m[i] for m in f.itermonoms()) != 1:
            continue
        a, r = coefficient(f, i, 1), coefficient(f, i, 0)
        if a.is_ground:
            yield i, 1, r.quo_ground(a.LC)


def _wrapped(proof: Proof, path: Sequence[Step]) -> Proof:
    for step in reversed(path):
        proof = Proof(step.rule, proof.lower, proof.upper, step.data, (proof,))
    return proof


def _better(first: Proof | None, second: Proof) -> Proof:
    return second if first is None else tighter_bounds(first, second)
