"""Linear walls that are not at 0: coordinates in which they are (``theory/points.md``, Walls)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, count, islice, pairwise
from math import comb, prod
from typing import Any

from rlct.algebra.expression import names_in
from rlct.algebra.parse import parse_polynomial
from rlct.algebra.polynomial import (
    Polynomial,
    expand_tree,
    from_terms,
    make_ring,
    terms_of,
    variable_groups,
)
from rlct.errors import InputError
from rlct.questions.points import typed_names
from rlct.system.options import as_list, sympy_form

#: Coefficients of the variables, then the constant; the sum is at least 0 in the domain.
Form = Sequence[Fraction]
#: Ends of an interval, as far as they are given.
OpenSide = tuple[Fraction | None, Fraction | None]
#: A `Problem` or `BoxProblem`, which import this module.
WalledQuestion = Any

_MOST_MOVED_TERMS = 50_000  # after a change of coordinates, before they are collected
_MOST_CHOICES = 2_000  # of walls that may be coordinates, or bound a simplex
_COMPARISON_SIGN = re.compile(r"(<=|>=|=<|=>|≤|≥|<|>)")


@dataclass(frozen=True)
class Walls:
    """What was asked, of a question in coordinates that have all walls at 0."""

    question: WalledQuestion
    forms: tuple[Form, ...]
    #: The change of coordinates, as certificates write it.
    change: Mapping[str, Any]
    #: The variables in the coordinates, where these are others.
    coordinates: str

    @property
    def where(self) -> str:
        """The point or the box in words, and the walls."""
        texts = (form_text(form, self.question.variables) for form in self.forms)
        return ", ".join([self.question.where, *(f"{text} >= 0" for text in texts)])


def form_text(form: Form, names: Sequence[str]) -> str:
    """Write a form as a polynomial.

    >>> form_text((Fraction(-1), Fraction(1, 2), Fraction(1)), "xy")
    '-x + 1/2*y + 1'
    """
    return str(from_terms(make_ring(names), dict(zip(_exponents(len(names)), form, strict=True))))


def read_walls(texts: Iterable[Any], names: Sequence[str]) -> list[Form]:
    """Read variables x ≥ 0, linear forms and inequalities.

    >>> [form_text(form, "xy") for form in read_walls(["x", "1-x-y", "x <= 2*y <= 1"], "xy")]
    ['x', '-x - y + 1', '-x + 2*y', '-2*y + 1']
    """
    forms, ring = list[Form](), make_ring(names)
    for text in (str(sympy_form(item)) for item in as_list(texts, "nonneg")):
        first, *rest = _COMPARISON_SIGN.split(text)
        for sign, second in zip(rest[::2] or [">="], rest[1::2] or ["0"], strict=True):
            if not (first.strip() and second.strip()):
                raise InputError(f"the wall {text!r} is no inequality such as x+y <= 1")
            trees = [parse_polynomial(side) for side in (first, second)]
            for name in sorted((names_in(trees[0]) | names_in(trees[1])) - {*names}):
                shown_names = typed_names(names)
                raise InputError(f"nonneg names {name}, which does not occur in K ({shown_names})")
            larger, smaller = trees if sign in (">=", "=>", "≥", ">") else trees[::-1]
            terms = terms_of(expand_tree(larger, ring) - expand_tree(smaller, ring))
            if (degree := max(map(sum, terms), default=0)) != 1:
                fault = "is not linear" if degree else "has no variable"
                raise InputError(f"the wall {text!r} {fault}: write one such as 1-x-y or x <= y")
            scale = max(terms.values()) if len(terms) == 1 and max(terms.values()) > 0 else 1
            forms.append([terms.get(m, Fraction(0)) / scale for m in _exponents(len(names))])
            first = second
    return forms


def nonnegative_axes(forms: Sequence[Form], n: int) -> tuple[bool, ...] | None:
    """Which of n variables are x ≥ 0; None if there are other walls."""
    units = unit_rows(n)
    return tuple(u in forms for u in units) if all(f in units for f in forms) else None


def clipped_sides(
    sides: Sequence[OpenSide], forms: Iterable[Form]
) -> tuple[list[OpenSide], list[Form]]:
    """Take walls of single variables into the sides of a box, and return the others."""
    ends, wall_forms = [list(side) for side in sides], []
    for form in forms:
        i, *further = [i for i, c in enumerate(form[:-1]) if c]
        if further:
            wall_forms.append(form)
        else:
            end, is_high = -form[-1] / form[i], form[i] < 0
            given = ends[i][is_high]
            ends[i][is_high] = end if given is None else (min if is_high else max)(given, end)
    return [(low, high) for low, high in ends], wall_forms


def at_corner(problem: WalledQuestion, forms: Sequence[Form]) -> Any:
    """Ask in coordinates of which some are the walls through the point.

    InputError if it is outside, or if these walls are no coordinates, or the prior no monomial.
    """
    names, point, n = problem.variables, problem.point, len(problem.variables)
    rows = [*unit_rows(n), *forms]
    linear = [row[:-1] for row in rows]
    values = [sum((c * a for c, a in zip(f, point, strict=False)), start=f[-1]) for f in rows]
    for form, value in zip(forms, values[n:], strict=True):
        if value < 0:
            wall = form_text(form, names)
            raise InputError(f"the point has {wall} = {value}, outside {wall} >= 0")
    # A variable stands for the wall x ≥ 0.
    active = {rows.index(rows[k]) for k in range(n, len(rows)) if values[k] == 0}
    corner = _corner(linear, sorted(active))
    if corner is None:
        walls = ", ".join(form_text(rows[k], names) for k in sorted(active))
        raise InputError(
            f"no linear change makes coordinates of the walls {walls} at the point: leave some out "
            "for a larger domain, where λ is no larger"
        )
    chosen = list(corner)
    weighted = [bool(h) and a == 0 for h, a in zip(problem.prior, point, strict=True)]
    for i in sorted(range(n), key=lambda i: not weighted[i]):
        if _coordinates([linear[k] for k in chosen], linear[i]) is None:
            chosen.append(i)
    beside = iter([k for k in chosen if k >= n])
    frame = [i if i in chosen else next(beside) for i in range(n)]
    table = []
    for unit in linear[:n]:
        row = _coordinates([linear[k] for k in frame], unit) or []
        start = sum((c * rows[k][-1] for c, k in zip(row, frame, strict=True)), Fraction(0))
        table.append([*row, -start])
    ring, monomials = problem.generators[0].ring, _exponents(n)
    images = [from_terms(ring, dict(zip(monomials, row, strict=True))) for row in table]
    return _moved(
        *(problem, forms, images),
        *("wall", [i for i in range(n) if frame[i] >= n]),
        {"frame": frame, "images": [list(map(str, row)) for row in table]},
        [names[i] for i in range(n) if weighted[i] and i not in chosen],
        prior=tuple(problem.prior[k] if k < n else Fraction(0) for k in frame),
        nonneg=tuple(k in active for k in frame),
        point=tuple(point[k] if k < n else Fraction(0) for k in frame),
    )


def _corner(linear: Sequence[Form], active: Sequence[int]) -> tuple[int, ...] | None:
    """Those of some walls that are independent, and of which the others are positive sums."""
    sizes = range(min(len(active), len(linear[0])) + 1)
    choices = chain.from_iterable(combinations(active, size) for size in sizes)
    for chosen in islice(choices, _MOST_CHOICES):
        sums = [_coordinates([linear[k] for k in chosen], linear[k]) for k in active]
        if all(c is not None and min(c, default=0) >= 0 for c in sums):
            return chosen
    return None


def simplices_of(
    names: Sequence[str], sides: Sequence[OpenSide], forms: Sequence[Form]
) -> list[dict[str, Any]]:
    """Groups of variables, the walls that bound each, and the vertices where all others are 0.

    Walls are 2i and 2i + 1 for the sides (low, high) of the variable i, and 2n + k for the form k
    of n variables.  InputError if a group ranges over no simplex.
    """
    n, rows = len(names), {2 * len(names) + k: form for k, form in enumerate(forms)}
    for i, (unit, side) in enumerate(zip(unit_rows(n), sides, strict=True)):
        for k, end in enumerate(side):
            if end is not None:
                rows[2 * i + k] = [(c - end * (j == n)) * (-1) ** k for j, c in enumerate(unit)]
    simplices = []
    for group in variable_groups({i for i in range(n) if form[i]} for form in forms):
        near = [k for k in rows if k >= 2 * n and any(rows[k][i] for i in group)]
        near += [2 * i + k for k in (0, 1) for i in group if 2 * i + k in rows]
        choices = islice(combinations(near, len(group) + 1), _MOST_CHOICES)
        simplex = next(filter(None, (_simplex(group, rows, c, near) for c in choices)), None)
        if simplex is None:
            shown = ", ".join(f"{form_text(rows[k], names)} >= 0" for k in near if k >= 2 * n)
            raise InputError(
                f"{shown} and the sides bound no simplex: walls of a group of variables may be "
                "x >= 0, y >= 0, x+y <= 1, or 0 <= x <= y <= 1"
            )
        simplices.append(simplex)
    return simplices


def _simplex(
    group: list[int], rows: Mapping[int, Form], walls: Sequence[int], near: Sequence[int]
) -> dict[str, Any] | None:
    """The simplex that some walls bound, if those near hold in it."""
    vertices = {}
    for own in walls:
        facets = [rows[k] for k in walls if k != own]
        vertex = _coordinates([[f[i] for f in facets] for i in group], [-f[-1] for f in facets])
        if vertex is None:
            return None
        point = dict(zip(group, vertex, strict=True))
        values = {k: sum((rows[k][i] * a for i, a in point.items()), rows[k][-1]) for k in near}
        if values[own] <= 0 or min(values.values()) < 0:
            return None
        vertices[own] = vertex
    # Variables that are 0 at the first vertices become monomials.
    order = sorted(walls, key=lambda k: sum(map(bool, vertices[k])))
    return {"variables": group, "walls": order, "vertices": [vertices[k] for k in order]}


def over_simplices(
    problem: WalledQuestion, forms: Sequence[Form], simplices: Sequence[Mapping[str, Any]]
) -> Any:
    """Ask in coordinates s of a box, products of which are tail sums of the barycentric ones.

    InputError if the prior is no monomial in them.
    """
    ring = problem.generators[0].ring
    images, sides, prior = list(ring.gens), list(problem.sides), list(problem.prior)
    for simplex in simplices:
        group, vertices = simplex["variables"], simplex["vertices"]
        for j, i in enumerate(group):
            column = [vertex[j] for vertex in vertices]
            steps = [column[0], *(b - a for a, b in pairwise(column))]
            heads = [group[:k] for k in range(len(steps))]
            tails = [tuple(int(s in head) for s in range(ring.ngens)) for head in heads]
            images[i] = from_terms(ring, dict(zip(tails, steps, strict=True)))
            sides[i], prior[i] = (Fraction(0), Fraction(1)), Fraction(len(group) - 1 - j)
    used = [i for simplex in simplices for i in simplex["variables"]]
    shown = [{**s, "vertices": [list(map(str, v)) for v in s["vertices"]]} for s in simplices]
    return _moved(
        *(problem, forms, images, "s", used, {"simplices": shown}),
        [problem.variables[i] for i in used if problem.prior[i]],
        prior=tuple(prior),
        sides=tuple(sides),
    )


def _moved(
    problem: WalledQuestion,
    forms: Sequence[Form],
    images: Sequence[Polynomial],
    stem: str,
    renamed: Sequence[int],
    change: Mapping[str, Any],
    weighted_names: Sequence[str],
    **parts: Any,
) -> Any:
    """The question in new coordinates, of which the variables are `images`."""
    for name in weighted_names:
        raise InputError(
            f"the prior in {name} is no monomial beside the walls: leave some walls out for a "
            "larger domain, where λ is no larger"
        )
    names = list(problem.variables)
    fresh = (name for k in count(1) if (name := f"{stem}{k}") not in problem.variables)
    for i in renamed:
        names[i] = next(fresh)
    ring, new_ring = problem.generators[0].ring, make_ring(names)
    moves = [(x, image) for x, image in zip(ring.gens, images, strict=True) if x != image]

    def moved(p: Polynomial) -> Polynomial:
        counts = (
            prod(comb(e + len(image) - 1, e) for e, image in zip(m, images, strict=True))
            for m in p.itermonoms()
        )
        if sum(counts) > _MOST_MOVED_TERMS:
            raise InputError("moving the walls to 0 gives too many terms")
        return from_terms(new_ring, terms_of(p.compose(moves) if moves else p))

    texts = [str(from_terms(new_ring, terms_of(image))) for image in images]
    shown = [f"{x} = {t}" for x, t in zip(problem.variables, texts, strict=True) if x != t]
    walls = [list(map(str, form)) for form in forms]
    change = {"walls": walls, "coordinates": names, **change}
    return replace(
        problem,
        generators=tuple(map(moved, problem.generators)),
        squares=problem.squares and tuple((c, moved(g)) for c, g in problem.squares),
        walls=Walls(problem, tuple(forms), change, ", ".join(shown)),
        **parts,
    )


def _exponents(n: int) -> list[tuple[int, ...]]:
    """Monomials of a form: the variables, and 1."""
    return [tuple(int(i == k) for k in range(n)) for i in range(n + 1)]


def unit_rows(n: int) -> list[Form]:
    """The variables as forms."""
    return [[Fraction(i == k) for k in range(n + 1)] for i in range(n)]


def _coordinates(basis: Sequence[Form], target: Form) -> list[Fraction] | None:
    """The c with Σ c_k basis_k = target; None if there are none, or the basis is dependent."""
    table = [list(row) for row in zip(*basis, target, strict=True)]
    for k in range(len(basis)):
        pivot = next((r for r in range(k, len(table)) if table[r][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [a / table[k][k] for a in table[k]]
        for r, row in enumerate(table):
            if r != k:
                table[r] = [a - row[k] * b for a, b in zip(row, table[k], strict=True)]
    c = [row[-1] for row in table]
    return None if any(c[len(basis) :]) else c[: len(basis)]
