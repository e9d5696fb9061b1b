"""Newton polyhedra of the generators, in coordinates that make initial forms regular."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rlct.algebra.polynomial import Polynomial, content_and_factors, from_terms
from rlct.engine.bounds import better
from rlct.engine.newton_polyhedra.division import MOST_NODES, Found, search
from rlct.engine.reductions import simplify
from rlct.engine.resolution.coordinate import change_coordinate
from rlct.engine.resolution.family import Family, family_of_germ
from rlct.engine.resolution.function_field import coefficient
from rlct.engine.resolution.uniform import forget_parameters
from rlct.engine.step import Step
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

__all__ = ["apply"]

_MOST_VARIABLES = 7
_MOST_CHANGES = 6
_MOST_NODES = 9_000  # of all searches together
_MOST_TRIALS = 6  # changes of coordinates that are compared
_MOST_OPEN = 40  # cells that are looked at for factors
_LARGEST = 60  # terms of all generators after a change
Path = tuple[Step, ...]


def apply(germ: Germ) -> Proof | None:
    """Bound a germ of three and more variables; see ``theory/polyhedra.md``.

    Where the bound is not sharp, some initial form has a singular zero or is a product of factors.
    A factor a·x_i + r, a number, is then taken as a coordinate in place of x_i.
    """
    if germ.field is not None or not 2 < germ.ring.ngens <= _MOST_VARIABLES:
        return None
    found, path = search(germ, None, MOST_NODES), Path()
    best = found.proof
    measure = len(found.open), _size(germ)
    left = _MOST_NODES - found.nodes
    while found.open and left > 0 and len(path) < 3 * _MOST_CHANGES:
        best_step: tuple[Germ, Path, Found] | None = None
        for child, steps in _changes(germ, found)[:_MOST_TRIALS]:
            trial = search(child, measure[0], min(left, MOST_NODES))
            left -= trial.nodes
            after = len(trial.open), _size(child)
            if after < measure and trial.finished:
                best_step, measure = (child, steps, trial), after
            if not measure[0] or left <= 0:
                break
        if best_step is None:
            break
        germ, steps, found = best_step
        path += steps
        if found.proof is not None:
            best = _better(best, _wrapped(found.proof, path))
    return best


def _size(germ: Germ) -> int:
    return sum(map(len, germ.generators))


def _changes(germ: Germ, found: Found) -> list[tuple[Germ, Path]]:
    """Germs in other coordinates, the shortest first, each once."""
    family = family_of_germ(germ)
    result = []
    for i, a, r in _factors(germ, found):
        path: list[Step] = [change_coordinate(family, i, family.ring.ground_new(a), r)]
        (child,) = path[0].children
        assert isinstance(child, Family)
        path.append(_forget(child))
        (moved,) = path[1].children
        assert isinstance(moved, Germ)
        if (step := simplify.apply(moved)) is not None:
            path.append(step)
            (moved,) = step.children
            assert isinstance(moved, Germ)
        if _size(moved) <= _LARGEST:
            result.append((moved, tuple(path)))
    return sorted(result, key=lambda item: _size(item[0]))


def _forget(family: Family) -> Step:
    step = forget_parameters(family)
    assert step is not None
    return step


def _factors(germ: Germ, found: Found) -> list[tuple[int, object, Polynomial]]:
    """Factors a·x_i + r of the initial forms in open cells, most frequent first."""
    counts: Counter[tuple[int, object, Polynomial]] = Counter()
    ring = family_of_germ(germ).ring
    for forms in found.open[:_MOST_OPEN]:
        for form in forms.values():
            if len(form) > 1:
                for f, _ in content_and_factors(from_terms(ring, form))[1]:
                    counts.update(_linear(germ, f))
    return [key for key, _ in counts.most_common(2 * _MOST_TRIALS)]


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
    return second if first is None else better(first, second)
