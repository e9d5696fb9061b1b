"""An ideal that is one of a theorem up to the names of its variables.

(g_1, …, g_s) = (f_1∘σ, …, f_s∘σ) has the pair of (f_1, …, f_s) at the origin, σ a bijection of the
variables that may change signs; the order and constant factors of the generators do not matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb, isqrt
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from rlct.algebra.polynomial import Polynomial
    from rlct.questions.problem import Problem
    from rlct.theorems.base import AppliedTheorem

_MOST_NODES: Final = 500  # variables, terms and generators; 4 × 4 matrices, three of them, have 320
_MOST_PARTNERS: Final = 50  # tried for a node: those of other layers may look alike at first

_RENAMING_STATEMENT: Final = (
    "the generators are those of the theorem up to names, signs and constant factors"
)

Arguments: TypeAlias = dict[str, Any]
_Links: TypeAlias = list[list[tuple[int, int]]]


@dataclass(frozen=True)
class _Shape:
    """Counts that do not depend on names: all terms have the coefficient 1 or -1."""

    variables: int
    generators: int
    terms: int  # of each generator
    degrees: tuple[int, ...]  # of the generators, each once, in order

    @classmethod
    def of(cls, generators: Sequence[Polynomial]) -> _Shape | None:
        """None where no theorem below fits: generators of unlike form, or monomials."""
        lengths = {len(g) for g in generators}
        degrees = {frozenset(sum(m) for m in g.itermonoms()) for g in generators}
        plain = all(len({abs(c) for c in g.coeffs()}) == 1 for g in generators)
        if len(lengths) != 1 or lengths == {1} or not plain or max(map(len, degrees)) > 1:
            return None
        in_order = tuple(sorted(d for (d,) in degrees))
        return cls(len(_used(generators)), len(generators), lengths.pop(), in_order)


def _products(shape: _Shape) -> Iterator[Arguments]:
    """Entries of a product of matrices: widths w with Σ w_i w_(i+1) variables."""
    (length,) = shape.degrees
    for first in _divisors(shape.generators):
        for inner in _factors(shape.terms, length - 1):
            widths = (first, *inner, shape.generators // first)
            if sum(m * n for m, n in pairwise(widths)) == shape.variables:
                yield {"widths": widths, "rank": 0}


def _tensors(shape: _Shape) -> Iterator[Arguments]:
    """Entries of two products of vectors: Σ d variables for each of them."""
    (order,) = shape.degrees
    for dims in _factors(shape.generators, order) if order > 1 and shape.terms == 2 else ():
        if dims == tuple(sorted(dims)) and 2 * sum(dims) == shape.variables:
            yield {"dims": dims, "terms": shape.terms}


def _row_products(shape: _Shape) -> Iterator[Arguments]:
    """Scalar products of different rows: C(M, 2) of them, of N terms, few enough for `rbm`."""
    visible = (1 + isqrt(1 + 8 * shape.generators)) // 2
    enough = min(visible, shape.terms) <= 3
    if shape.degrees == (2,) and comb(visible, 2) == shape.generators and enough:
        yield {"visible": visible, "hidden": shape.terms}


def _forms(shape: _Shape) -> Iterator[Arguments]:
    """Entries of Σ a_k v_k v_kᵀ on and above the diagonal."""
    inputs = (isqrt(1 + 8 * shape.generators) - 1) // 2
    if shape.degrees == (3,) and comb(inputs + 1, 2) == shape.generators:
        yield {"inputs": inputs, "units": shape.terms, "true_units": 0}


def _moments(shape: _Shape) -> Iterator[Arguments]:
    """Σ_h a_kh b_h^(1+Qn), n < H, in H(M + 1) variables."""
    first, second = shape.degrees[:2]
    outputs, rest = divmod(shape.generators, shape.terms)
    if first == 2 and rest == 0:
        yield {"hidden": shape.terms, "outputs": outputs, "step": second - first}


#: What to try where all generators have one degree, and where they have several.  Each theorem is
#: about the origin, the worst zero of its ideal: the generators are homogeneous.
_Families: TypeAlias = Mapping[str, Callable[[_Shape], Iterator[Arguments]]]
_ONE_DEGREE: Final[_Families] = {
    "deep-linear": _products,
    "cp-zero": _tensors,
    "rbm": _row_products,
    "quadratic-truth": _forms,
}
_SEVERAL_DEGREES: Final[_Families] = {"vandermonde": _moments}


def renamed_theorem(problem: Problem) -> AppliedTheorem | None:
    """Find the theorem of an ideal, and what it calls each variable.

    The problem is at the origin, without a prior and without walls; of others nothing is said.  The
    first finding tells the names.  None if there is no theorem, or no names were found.

    >>> from rlct.questions.problem import Problem
    >>> entries = ["a*e + b*g", "a*f + b*h", "c*e + d*g", "c*f + d*h"]
    >>> application = renamed_theorem(Problem.ideal(entries))
    >>> application.theorem.id, application.arguments["widths"], str(application.pair)
    ('deep-linear', (2, 2, 2), 'λ = 3/2, θ = 1')
    >>> application.findings[0].evidence.split(", ")[:2]
    ['a is a1_1_1', 'b is a1_2_1']
    """
    from rlct.questions.problem import Problem  # imports sympy
    from rlct.theorems import get_theorem
    from rlct.theorems.base import Finding

    if not problem.is_ideal or any(problem.prior) or any(problem.nonneg) or any(problem.point):
        return None
    if problem.number_field is not None:
        return None
    shape = _Shape.of(problem.generators)
    if shape is None or shape.variables + shape.generators * (1 + shape.terms) > _MOST_NODES:
        return None
    for theorem_id, candidates in (
        _ONE_DEGREE if len(shape.degrees) == 1 else _SEVERAL_DEGREES
    ).items():
        theorem = get_theorem(theorem_id)
        for arguments in candidates(shape):
            asked: Any = theorem.question(theorem.bind(arguments))
            known = asked if isinstance(asked, Problem) else asked.problem()
            names = _renaming(problem.generators, known.generators)
            if names is not None:
                applied = theorem.apply(**arguments)
                findings = (Finding.of(_RENAMING_STATEMENT, True, names), *applied.findings)
                return replace(applied, findings=findings)
    return None


def _divisors(number: int) -> list[int]:
    return [d for d in range(1, number + 1) if number % d == 0]


def _factors(number: int, count: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a product, in order."""
    if count == 1:
        yield (number,)
    elif count > 1:
        for first in _divisors(number):
            for others in _factors(number // first, count - 1):
                yield first, *others


def _renaming(
    own_generators: Sequence[Polynomial], model_generators: Sequence[Polynomial]
) -> str | None:
    """Find names of variables that make the one set of generators the other, up to signs."""
    signs = _signs(own_generators)
    links = _links(own_generators)
    size = len(links)
    links += [[(e, w + size) for e, w in ends] for ends in _links(model_generators)]
    pairs = _pairs(links, size) if len(links) == 2 * size else None
    if signs is None or pairs is None:
        return None
    variables = _used(own_generators), _used(model_generators)
    places = {v: variables[1][pairs[k] - size] for k, v in enumerate(variables[0])}
    identity = {w: w for w in variables[1]}
    if _monomials(own_generators, places) != _monomials(model_generators, identity):
        return None
    first, second = own_generators[0].ring.symbols, model_generators[0].ring.symbols
    return ", ".join(f"{first[v]} is {signs.get(v, '')}{second[w]}" for v, w in places.items())


def _pairs(links: _Links, size: int) -> dict[int, int] | None:
    """Match the first `size` nodes with the others, by the colours of those that they are tied to.

    Where several are alike, the first gets the first partner after which no colour has more nodes
    on one side; that is never taken back, as what is alike in a theorem its symmetries exchange.
    Where they do not, no pairs are found.
    """
    equal_kinds = _classes(links, size, [[*range(len(links))]])
    while equal_kinds is not None and len(equal_kinds) < size:
        alike = min((c for c in equal_kinds if len(c) > 2), key=min)
        kept_kinds = [c for c in equal_kinds if c is not alike]
        own, *rest = sorted(alike)
        for partner in [v for v in rest if v >= size][:_MOST_PARTNERS]:
            split = [[own, partner], [v for v in rest if v != partner]]
            equal_kinds = _classes(links, size, [*kept_kinds, *split])
            if equal_kinds is not None:
                break
    return None if equal_kinds is None else {min(c): max(c) for c in equal_kinds}


def _classes(links: _Links, size: int, classes: list[list[int]]) -> list[list[int]] | None:
    """Split classes until alike nodes are tied to alike ones; None if one side has more of them."""
    kinds = [0] * len(links)
    while True:
        for kind, nodes in enumerate(classes):
            for v in nodes:
                kinds[v] = kind
        finer: defaultdict[Any, list[int]] = defaultdict(list)
        for v, ends in enumerate(links):
            finer[kinds[v], *sorted((e, kinds[w]) for e, w in ends)].append(v)
        if any(2 * sum(v < size for v in nodes) != len(nodes) for nodes in finer.values()):
            return None
        if len(finer) == len(classes):
            return classes
        classes = [*finer.values()]


def _used(generators: Sequence[Polynomial]) -> list[int]:
    """Places of the variables that occur, in order."""
    return sorted({v for g in generators for m in g.itermonoms() for v, e in enumerate(m) if e})


def _signs(generators: Sequence[Polynomial]) -> dict[int, str] | None:
    """Find the variables whose sign has to change for all terms of a generator to have one sign.

    Signs are linear over the field of two elements: a row has a bit for each variable with an odd
    exponent, one for the generator, and that of the sign above them.
    """
    size = generators[0].ring.ngens
    top = size + len(generators)
    rows: dict[int, int] = {}
    for k, g in enumerate(generators, size):
        for m, c in g.iterterms():
            row = sum(1 << v for v, e in enumerate(m) if e % 2) | 1 << k | (c < 0) << top
            for pivot, known in rows.items():
                if row >> pivot & 1:
                    row ^= known
            unknown = row & (1 << top) - 1
            if unknown:
                new_pivot = unknown.bit_length() - 1
                rows = {p: r ^ row if r >> new_pivot & 1 else r for p, r in rows.items()}
                rows[new_pivot] = row
            elif row:
                return None
    return {pivot: "-" for pivot, row in rows.items() if row >> top}


def _monomials(generators: Sequence[Polynomial], places: Mapping[int, int]) -> set[frozenset[Any]]:
    """Monomials of each generator with variables at other places."""
    return {
        frozenset(frozenset((places[v], e) for v, e in enumerate(m) if e) for m in g.itermonoms())
        for g in generators
    }


def _links(generators: Sequence[Polynomial]) -> _Links:
    """For each variable, generator and term, in order, its exponents and those at their ends."""
    numbers = {v: k for k, v in enumerate(_used(generators))}
    all_links: _Links = [[] for _ in numbers]
    for g in generators:
        generator = len(all_links)
        all_links.append([])
        for m in g.itermonoms():
            ends = [(e, numbers[v]) for v, e in enumerate(m) if e]
            for e, end in [*ends, (0, generator)]:
                all_links[end].append((e, len(all_links)))
            all_links.append([*ends, (0, generator)])
    return all_links
