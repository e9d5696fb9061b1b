"""Permutations of variables that leave a family as it is."""

from collections.abc import Sequence
from typing import Any

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.germs.family import Family, is_unit

#: Polynomials as (tag, terms), a term as (number of the coefficient, ((variable, exponent), …)).
Shape = list[tuple[int, list[tuple[int, tuple[tuple[int, int], ...]]]]]


def local_orbits(family: Family, weights: Sequence[int]) -> tuple[list[list[int]], list[list[int]]]:
    """One chart of a blow-up is enough for each orbit of the locals of positive weight.

    If permutations map the set of generators to itself up to signs, and leave priors and weights
    (``theory/blowups.md``, Weighted blow-ups).  Orbits are sorted, in the order of their weights
    and first members.  A permutation π has π(i) at place i: x_i → x_π(i) maps every generator to
    one of the generators or its negative.
    """
    d = len(family.prior)
    centre = [i for i, w in enumerate(weights) if w]
    group = {i: i for i in centre}
    permutations: list[list[int]] = []
    if sum(map(len, family.generators)) <= limits.MOST_SYMMETRY_TERMS:
        numbers: dict[Any, int] = {}
        shape = [(0, _terms(g, numbers)) for g in family.generators]
        variable_kinds = _kinds([(w, h) for w, h in zip(weights, family.prior, strict=True)])
        variable_kinds += [max(variable_kinds) + 1 + k for k in range(family.ring.ngens - d)]
        colours = _refined([shape, shape], [variable_kinds, variable_kinds])[0]
        for j in centre:
            for i in centre:
                if i >= j or group[j] != j:
                    break
                if group[i] != i or colours[i] != colours[j]:
                    continue
                search = _Search(family.generators, family.generators, [shape, shape])
                permutation = search.run([(i, j)], variable_kinds, variable_kinds)
                if permutation is not None:
                    permutations.append(permutation[:d])
                    for a, b in enumerate(permutation[:d]):
                        if a in group:
                            low, high = sorted((group[a], group[b]))
                            group = {k: low if v == high else v for k, v in group.items()}
    members: dict[int, list[int]] = {}
    for i in centre:
        members.setdefault(group[i], []).append(i)
    # Small weights first: a chart of weight 1 covers its part of the divisor once, without
    # the roots that the others may need.
    return sorted(members.values(), key=lambda orbit: (weights[orbit[0]], orbit)), permutations


def covered_by_symmetry(family: Family, g: Polynomial) -> dict[str, Any] | None:
    """The points g = 0 have the germs of points that an earlier split bounded.

    If a permutation of locals and of free parameters leaves generators up to signs, and priors, and
    takes the earlier zeros and units to those of g (``theory/blowups.md``, Strata).  The evidence
    is the number of the split and π, at place i the π(i) of x_i → x_π(i), which takes the earlier
    polynomial to a multiple of g and its units to units.
    """
    if sum(map(len, family.generators)) > limits.MOST_SYMMETRY_TERMS:
        return None
    d, m = len(family.prior), len(family.free)
    variable_roles = [(0, h) for h in family.prior] + [(1, h) for h in family.free]
    variable_kinds = _kinds(variable_roles)
    variable_kinds += [max(variable_kinds) + 1 + k for k in range(family.fixed)]
    for number, (earlier_polynomial, units) in enumerate(family.earlier_splits):
        if len(earlier_polynomial) != len(g):
            continue
        numbers: dict[Any, int] = {}
        base = [(0, _terms(f, numbers)) for f in family.generators]
        shapes = [[*base, (1, _terms(f.monic(), numbers))] for f in (earlier_polynomial, g)]
        search = _Search(family.generators, family.generators, shapes)
        permutation = search.run([], variable_kinds, variable_kinds)
        if permutation is None:
            continue
        moved = permuted(earlier_polynomial, permutation)
        if moved.monic() != g.monic():
            continue
        if all(is_unit(permuted(u, permutation), family.units) for u in units):
            return {"split": number, "permutation": permutation[: d + m]}
    return None


def matching_permutation(
    generators: Sequence[Polynomial],
    images: Sequence[Polynomial],
    roles: Sequence[object],
    image_roles: Sequence[object],
) -> list[int] | None:
    """π with x_i → x_π(i) that takes generators, as many as images, to these up to signs.

    And each variable to one with the same role.
    """
    numbers: dict[Any, int] = {}
    shapes = [
        [(0, _terms(g, numbers)) for g in polynomials] for polynomials in (generators, images)
    ]
    kinds = _kinds([*roles, *image_roles])
    return _Search(generators, images, shapes).run([], kinds[: len(roles)], kinds[len(roles) :])


def permuted(p: Polynomial, image: Sequence[int]) -> Polynomial:
    """P with x_i replaced by x_π(i)."""
    position_of = [0] * len(image)
    for i, k in enumerate(image):
        position_of[k] = i
    return p.ring.from_dict({tuple(m[i] for i in position_of): c for m, c in p.terms()})


def _kinds(roles: list[Any]) -> list[int]:
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(role, len(numbers)) for role in roles]


def _terms(g: Polynomial, numbers: dict[Any, int]) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """Terms of g up to sign."""
    return [
        (numbers.setdefault(_size(c), len(numbers)), tuple((i, e) for i, e in enumerate(m) if e))
        for m, c in g.terms()
    ]


def _size(c: Any) -> Any:
    """The same for a number and its negative."""
    if hasattr(c, "to_list"):  # of a number field
        return tuple(max(c.to_list(), (-c).to_list()))
    return abs(c)


def _refined(shapes: Sequence[Shape], colourings: list[list[int]]) -> list[list[int]]:
    """Colours of the variables after comparing where they occur, for two shapes alike."""
    classes = -1
    while True:
        keys = [_keys(s, colours) for s, colours in zip(shapes, colourings, strict=True)]
        ranks = {key: rank for rank, key in enumerate(sorted({k for row in keys for k in row}))}
        colourings = [[ranks[k] for k in row] for row in keys]
        if len(ranks) == classes:
            return colourings
        classes = len(ranks)


def _keys(shape: Shape, colours: list[int]) -> list[Any]:
    entries: list[list[Any]] = [[] for _ in colours]
    for tag, terms in shape:
        painted = [(c, tuple(sorted((colours[i], e) for i, e in m))) for c, m in terms]
        polynomial_key = (tag, tuple(sorted(painted)))
        for (_, m), painted_term in zip(terms, painted, strict=True):
            for i, e in m:
                entries[i].append((e, painted_term, polynomial_key))
    return [(colour, tuple(sorted(rows))) for colour, rows in zip(colours, entries, strict=True)]


class _Search:
    """Search for one permutation by fixing images and refining."""

    def __init__(
        self,
        generators: Sequence[Polynomial],
        images: Sequence[Polynomial],
        shapes: Sequence[Shape],
    ) -> None:
        self._generators, self._images = generators, set(images)
        self._shapes = shapes
        self._tries = limits.MOST_SYMMETRY_TRIES

    def run(
        self,
        fixed_images: list[tuple[int, int]],
        source_kinds: Sequence[int],
        target_kinds: Sequence[int],
    ) -> list[int] | None:
        """Look for a permutation of all variables with the given images."""
        self._tries -= 1
        if self._tries < 0:
            return None
        top = max([*source_kinds, *target_kinds]) + 1
        source, target = list(source_kinds), list(target_kinds)
        for step, (a, b) in enumerate(fixed_images):
            source[a], target[b] = top + step, top + step
        source, target = _refined(self._shapes, [source, target])
        if sorted(source) != sorted(target):
            return None
        open_cells = [a for a in range(len(source)) if source.count(source[a]) > 1]
        if not open_cells:
            image = [target.index(colour) for colour in source]
            return image if self._holds(image) else None
        a = min(open_cells, key=lambda k: (source.count(source[k]), k))
        for b in range(len(target)):
            if target[b] == source[a]:
                images = [*fixed_images, (a, b)]
                permutation = self.run(images, source_kinds, target_kinds)
                if permutation is not None:
                    return permutation
        return None

    def _holds(self, image: list[int]) -> bool:
        return all(
            moved in self._images or -moved in self._images
            for moved in (permuted(g, image) for g in self._generators)
        )
