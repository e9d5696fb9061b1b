"""Random derivations: trees from the checker's own rules, in all orders, with its own numbers.

A tree is grown from the question.  Each step is a rule with evidence of `cell_steps`, which the
checker's function for that rule takes or refuses; the bound of a node is what that function gives,
so that a tree is refused for a step and never for a number.
"""

import itertools
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from cell_steps import (
    ENDS,
    INNER,
    SMALL,
    Draw,
    drawn_subtraction,
    independent,
    programme,
    unit_vector,
    without_unit,
)
from forging import node
from known_pairs import drawn, key, times, written

from rlct.answers.document import claim
from rlct.certificate import cost
from rlct.certificate.boxes import everywhere, plane_box
from rlct.certificate.fibre import tree
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.germs.independent import UnitCell
from rlct.certificate.rules import RuleScope, rules_about
from rlct.certificate.statement import Statement
from rlct.errors import CertificateError, InputError
from rlct.pair import Pair

DEEPEST = 8  # steps below each other in a cell
LONGEST = 18  # terms of the polynomials of a cell
FUEL = 40  # steps that are tried for one tree
NOISE = 0.02  # part of the evidence that is drawn without the conditions of its rule
OF_ONE_QUESTION = 6  # trees
SHIFTS = (Fraction(1, 16), Fraction(-1, 16))  # of points between which a sign may change
BOX_NAMES = [
    *["everywhere"] * 40,
    *("points", "enclose", "enclose", "enclose", "positive", "positive", "split-terms", "sum"),
    *("sum", "squares", "squares", "product", "product", "univariate-factors", "cells", "plane"),
]
#: Rules that seldom apply are often tried before all others.
SELDOM = ["rotate", "slide", "normalise", "contract"]
#: Part of the trees that follow a random word along one branch; a rule that fails is left out.
PLANNED = 0.5
FOCUSED = 0.8  # likewise, of those that have to use one rule
NEEDED = {name: ["branch"] for name in ("normalise", "slide", "absent")}
LETTERS = [
    "solve",
    "solve",
    "branch",
    "branch",
    "slide",
    "slide",
    "normalise",
    "contract",
    "change",
]
#: After a rule that drops what was known, those that enlarge a cell are likelier; and back.
FOLLOWING = {
    "solve": ("change", "branch", "slide", "cover"),
    "branch": ("slide", "slide", "normalise", "change"),
    "normalise": ("branch", "slide", "change", "cover"),
    "slide": ("contract", "contract", "normalise", "normalise", "branch", "change", "solve"),
    "subtract": ("change", "cover", "slide", "solve"),
    "contract": ("solve", "branch", "change", "subtract"),
    "rotate": ("branch", "slide", "change"),
    "change": ("solve", "contract", "branch", "branch"),
    "cover": ("change", "slide", "normalise"),
}
REFUSALS = (
    CertificateError,
    InputError,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    ZeroDivisionError,
    StopIteration,
    AssertionError,
)


@dataclass(frozen=True)
class WayStep:
    """A step on the way to a leaf: a rule with its evidence at a cell, and which child it was."""

    rule: str
    data: dict
    cell: FibreCell
    child: int


@dataclass(frozen=True)
class LeafRecord:
    """A leaf with its bounds; `way` are the steps to one that is a point."""

    cell: FibreCell
    lower: Pair
    upper: Pair | None = None
    way: tuple = ()


class OutOfFuelError(Exception):
    """A tree took too many steps."""


def with_bounds(made, lower, upper):
    """Write the bounds of a step."""
    for name, pair in (("lower", lower), ("upper", upper)):
        made[name] = None if pair is None else [str(pair.lam), pair.theta]
    return made


class Grower:
    """Grows one tree after the other."""

    def __init__(self, rng, noise=0.0, focus=None):
        self.draw = Draw(rng, noise)
        self.noise, self.focus = noise, focus
        self.rng = rng
        self.fuel = FUEL
        self.leaves = []
        self.plan = []
        self.nodes = []

    # Germs

    def germ(self, state, depth=0):
        """A proof of a germ, with its bounds; a hull if nothing better is accepted."""
        self.spend()
        for name in self.germ_rules(state, depth):
            children = []

            def solve_child(child, children=children):
                children.append(self.germ(child, depth + 1))
                return children[-1].bounds

            try:
                data = GERM_DATA[name](self.draw, state)
                if data is None:
                    continue
                lower, upper = rules_about(RuleScope.GERM)[name](state, data, solve_child)
            except REFUSALS:
                continue
            steps = [made.step for made in children]
            return Made(with_bounds(node(name, data, *steps), lower, upper), (lower, upper))
        raise OutOfFuelError

    def germ_rules(self, state, depth):
        """Rules in a random order, the sharp ones first."""
        if not state.is_ideal:
            return ["modulus"]
        if all(len(g) == 1 for g in state.generators):
            return ["monomial"]
        first = ["smooth", "crossings", "independent", "positive"]
        inner = ["eliminate", "simplify", "sum", "product", "coordinate"]
        self.rng.shuffle(first)
        self.rng.shuffle(inner)
        if depth > 4:
            inner = []
        return [*inner[:3], *first, "hull"] if self.rng.random() < 0.5 else [*first, *inner, "hull"]

    def spend(self):
        """Count a step."""
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuelError

    # Cells

    def cell(self, cell, way=()):
        """A tree below a cell, as a step with its lower bound."""
        self.spend()
        if sum(map(len, (*cell.generators, *cell.units))) > LONGEST:
            raise OutOfFuelError
        mark, nodes = len(self.leaves), len(self.nodes)
        plan, self.plan = self.plan, []
        names = self.cell_rules(cell, len(way), way[-1].rule if way else "")
        for n, name in enumerate([*plan, *names]):
            made = None
            with suppress(REFUSALS):
                made = self.cell_step(name, cell, way, plan[n + 1 :])
            if made is not None:
                self.nodes.append((cell, way, made.bounds[0]))
                return made
            del self.leaves[mark:], self.nodes[nodes:]
            self.spend()
        raise OutOfFuelError

    def cell_step(self, name, cell, way, plan=()):
        """One step by a rule of this name, None if there is no evidence for it."""
        self.draw.noise = self.noise if self.focus in (None, name) else 0
        if name == "point":
            (state,) = rules_about(RuleScope.CELL)["point"](cell, {})
            made = self.germ(state)
            self.leaves.append(LeafRecord(cell, *made.bounds, way))
            return self.made_cell(cell, "point", None, [made.step], made.bounds[0])
        if name == "same":
            return self.same(cell)
        if name in ENDS:
            return self.end(name, cell)
        if name in rules_about(RuleScope.FAMILY):
            return self.family(cell)
        data = INNER[name][0](self.draw, cell)
        if data is None:
            return None
        inner = rules_about(RuleScope.CELL)[name](cell, data)
        children = []
        main = 0 if self.rng.random() < 0.7 else self.rng.randrange(len(inner))
        for n, child in enumerate(inner):
            self.plan = plan if n == main else []
            children.append(self.cell(child, (*way, WayStep(name, data, cell, n))))
        lower = min(made.bounds[0] for made in children)
        return self.made_cell(cell, name, data, [made.step for made in children], lower)

    def made_cell(self, cell, name, data, children, lower):
        """A step of a cell."""
        return Made(with_bounds(node(name, data, *children), lower, None), (lower, None))

    def end(self, name, cell):
        """A bound of all zeros of a cell at once."""
        data = ENDS[name](self.draw, cell)
        if data is None:
            return None
        if name == "absent":
            lower = rules_about(RuleScope.END)[name](cell, data, self.leaves)
        else:
            lower = rules_about(RuleScope.LEAF)[name](cell, data)
            self.leaves.append(LeafRecord(cell, lower))
        return self.made_cell(cell, name, data, [], lower)

    def same(self, cell):
        """The bound of an earlier leaf in other variables."""
        for _ in range(3):
            if not self.leaves:
                return None
            number = self.rng.randrange(len(self.leaves))
            width = self.leaves[number].cell.width
            permutation = self.rng.sample(range(width), width)
            if self.draw.careless():
                permutation = self.rng.choices(range(cell.width), k=width)
            data = {"leaf": number, "permutation": permutation}
            try:
                lower = rules_about(RuleScope.END)["same"](cell, data, self.leaves)
            except REFUSALS:
                continue
            return self.made_cell(cell, "same", data, [], lower)
        return None

    def family(self, cell):
        """A bound of the germs of a cell with parameters."""
        family = tree.family_of_cell(cell)
        for name in self.rng.sample(("fix", "open"), 2):
            try:
                if name == "open" or not family.free:
                    made = self.uniform(family, ["open"])
                else:
                    inner = []

                    def solve_child(child, inner=inner):
                        inner.append(self.uniform(child, ["monomial", "forget", "hull"]))
                        return inner[0].bounds

                    lower, upper = rules_about(RuleScope.FAMILY)["fix"](family, {}, solve_child)
                    step = with_bounds(node("fix", None, inner[0].step), lower, upper)
                    made = Made(step, (lower, upper))
            except REFUSALS:
                continue
            self.leaves.append(LeafRecord(cell, made.bounds[0]))
            return made
        return None

    def uniform(self, family, names):
        """A bound of a family by one of some rules."""
        for name in names:
            children = []

            def solve_child(child, children=children):
                children.append(self.germ(child))
                return children[0].bounds

            data = None
            try:
                if name in ("monomial", "hull"):
                    exponents = {m[: family.locals] for g in family.generators for m in g}
                    data = programme(exponents, family.prior)
                rule = rules_about(RuleScope.FAMILY)[name]
                bounds = rule(family, data or {}, solve_child)
            except REFUSALS:
                continue
            steps = [made.step for made in children]
            return Made(with_bounds(node(name, data, *steps), *bounds), bounds)
        raise OutOfFuelError

    def cell_rules(self, cell, depth, before):
        """Rules in a random order; what ends a tree comes first with growing depth."""
        rng = self.rng
        ends = []
        if self.leaves:
            ends.append("same")
        if len(cell.zeros) == cell.width:
            ends.append("point")
        if cell.nonzero or any((0,) * cell.width in g for g in cell.generators):
            ends.append("absent")
        if rng.random() < 0.1:
            ends.append("fields")
        if rng.random() < 0.4:
            ends.append("independent")
        rng.shuffle(ends)
        weights = {name: weight for name, (_, weight) in INNER.items()}
        order = sorted(weights, key=lambda name: rng.random() ** (1 / weights[name]), reverse=True)
        order = order[:4]
        if depth >= DEEPEST:
            order = [name for name in ("solve", "branch") if depth < DEEPEST + 6]
        elif before and rng.random() < 0.6:
            order = [*rng.choices(FOLLOWING[before], k=2), *order]
        elif rng.random() < 0.3:
            order = [*rng.sample(SELDOM, len(SELDOM)), *order]
        if rng.random() < (0.9 if depth >= DEEPEST else 0.25 + 0.05 * depth):
            return [*ends, *order, "independent", "open"]
        return [*order, *ends, "independent", "open"]


class Made:
    """A step with its bounds."""

    __slots__ = ("bounds", "step")

    def __init__(self, step, bounds):
        self.step, self.bounds = step, bounds


def _simplify(draw, state):
    operations = []
    for k, g in enumerate(state.generators):
        split = without_unit(g)
        if split and len(split[1]) > 1:
            operations.append({"divide": k, "by": written(split[1])})
    operation = drawn_subtraction(draw, state.generators)
    if operation and (not operations or draw.rng.random() < 0.5):
        operations.insert(0, operation)
        operations = operations[:1]
    return {"operations": operations} if operations else None


def _crossings(draw, state):
    (g,) = state.generators
    common, rest = without_unit(g) or _common(g)
    factors = [
        [written({unit_vector(i, state.width): Fraction(1)}), e] for i, e in enumerate(common) if e
    ]
    one = {(0,) * state.width: Fraction(1)}
    if (0,) * state.width in rest:
        return {"factors": factors, "unit": written(rest)}
    return {"factors": [*factors, [written(rest), 1]], "unit": written(one)}


def _common(g):
    common = tuple(min(column) for column in zip(*g, strict=True))
    return common, {tuple(a - b for a, b in zip(m, common, strict=True)): c for m, c in g.items()}


def _eliminate(draw, state):
    options = [
        (k, i)
        for k, g in enumerate(state.generators)
        for i in range(state.width)
        if unit_vector(i, state.width) in g and max(m[i] for m in g) == 1 and not state.prior[i]
    ]
    if not options:
        return None
    k, i = draw.rng.choice(options)
    return {"generator": k, "variable": i}


def _sum(draw, state):
    groups = []
    for g in state.generators:
        used = {i for m in g for i, e in enumerate(m) if e}
        joined = [group for group in groups if group & used]
        groups = [group for group in groups if not group & used]
        groups.append(used.union(*joined))
    return {"groups": [sorted(group) for group in groups]} if len(groups) > 1 else None


def _product(draw, state):
    common = tuple(min(m[i] for g in state.generators for m in g) for i in range(state.width))
    group = [i for i, e in enumerate(common) if e]
    others = [i for i in range(state.width) if i not in group]
    if not group or not others:
        return None
    return {"factor": written({common: Fraction(1)}), "groups": [group, others]}


def _coordinate(draw, state):
    width = state.width
    i = draw.rng.randrange(width)
    if width < 2 or state.prior[i]:
        return None
    m = [0] * width
    others = [k for k in range(width) if k != i]
    for _ in range(draw.rng.choice((1, 1, 2))):
        m[draw.rng.choice(others)] += 1
    shift = {tuple(m): draw.rng.choice(SMALL)}
    return {"variable": i, "scale": written({(0,) * width: Fraction(1)}), "shift": written(shift)}


def _independent(draw, state):
    cell = FibreCell(state.generators, state.prior, (), Fraction(0))
    whole = UnitCell(state.prior, frozenset(range(state.width)))
    return independent(draw, cell, whole)


def _monomial(draw, state):
    return programme({m for g in state.generators for m in g}, state.prior)


GERM_DATA = {
    "modulus": lambda draw, state: {},
    "smooth": lambda draw, state: {},
    "positive": lambda draw, state: {},
    "monomial": _monomial,
    "hull": _monomial,
    "crossings": _crossings,
    "independent": _independent,
    "simplify": _simplify,
    "eliminate": _eliminate,
    "sum": _sum,
    "product": _product,
    "coordinate": _coordinate,
}


# Documents


def box_of(known):
    """The question as the checker has it."""
    return plane_box.Box(known.generators, known.prior, known.sides, known.is_ideal)


def drawn_walls(rng, known):
    """Which ends are counted in: mostly none."""
    if rng.random() < 0.75:
        return ["" for _ in known.prior]
    return [rng.choice(("", "low", "high")) for _ in known.prior]


def everywhere_step(grower, box, known, uppers):
    """The tree of all zeros, and what bounds the least pair from above."""
    walls = drawn_walls(grower.rng, known)
    grower.leaves, grower.plan = [], []
    if grower.focus and grower.rng.random() < FOCUSED:
        start = grower.rng.choices(LETTERS, k=grower.rng.choice((0, 1)))
        grower.plan = [*start, *NEEDED.get(grower.focus, ()), *[grower.focus] * 4]
    elif grower.rng.random() < PLANNED:
        grower.plan = grower.rng.choices(LETTERS, k=grower.rng.choice((4, 8, 12)))
        grower.fuel += 20
    cell, before = everywhere.cell_over(box, walls), len(grower.nodes)
    made = grower.cell(cell)
    if not uppers or any(walls) or cell.prior != box.prior:
        del grower.nodes[before:]  # its points are not those of the question
    scale = Fraction(1) if box.is_ideal else Fraction(1, 2)
    data, children, pairs = {"walls": walls}, [], []
    for way in uppers:
        entries, steps, pair = way(grower, box, known, walls)
        if pair is not None:
            data |= entries
            children += steps
            pairs.append(pair)
    lower = made.bounds[0] / scale
    upper = min(pairs) if pairs else None
    step = node("everywhere", data, made.step, *children)
    return Made(with_bounds(step, lower, upper), (lower, upper))


def proved(made):
    """Give back the bounds of steps that were grown before."""
    bounds = {id(item.step): item.bounds for item in made}
    return lambda state, child: bounds[id(child)]


def germs_at(grower, box, known, most):
    """Some zeros as a document gives them, with proofs of the germs there."""
    items, made = [], []
    for zero in grower.rng.sample(known.zeros, min(len(known.zeros), most)):
        try:
            made.append(grower.germ(plane_box.statement_at(box, zero.point, None)))
        except (OutOfFuelError, *REFUSALS):
            continue
        items.append({"at": [str(x) for x in zero.point]})
    return items, made


def points(grower, box, known, walls):
    """Zeros in the box, with proofs of the question's own germ there."""
    if not known.zeros or grower.rng.random() < 0.5:
        return {}, [], None
    items, made = germs_at(grower, box, known, grower.rng.choice((1, 1, 2)))
    pairs = [item.bounds[1] for item in made if item.bounds[1] is not None]
    return {"points": items}, [item.step for item in made], min(pairs) if pairs else None


def points_data(grower, box, known):
    """The degree from below, and points from above."""
    items, made = germs_at(grower, box, known, 2)
    return ({"points": items}, made) if items else (None, [])


def factors_data(grower, box, known):
    """Factors in one variable each."""
    items = []
    for p, e in known.factors:
        used = {i for m in p for i, x in enumerate(m) if x}
        if len(used) > 1:
            return None, []
        items.append({"variable": used.pop(), "factor": written(p), "exponent": e})
    return ({"factors": items}, []) if items else (None, [])


def cells_data(grower, box, known):
    """A target that may be too high, factors, points, and zeros that may be smooth."""
    rng = grower.rng
    if len(box.sides) > 2 or not (known.factors or box.is_ideal):
        return None, []
    items, made = germs_at(grower, box, known, 3)
    lam, theta = known.least
    lam *= rng.choice((1, 1, 1, 1, Fraction(1, 2), 2)) * (1 if box.is_ideal else 2)
    target = [str(lam), max(1, theta - rng.choice((0, 0, 0, 1, -1)))]
    data = {"target": target, "points": items}
    if known.factors and rng.random() < 0.9:
        data["factors"] = [[written(p), e] for p, e in known.factors]
        data["smooth"] = [smooth_data(rng, known)] if rng.random() < 0.4 else []
    return data, made


def smooth_data(rng, known):
    """A cell about a zero in which a factor may change its sign."""
    zero = rng.choice(known.zeros)
    cell = [[str(x - Fraction(1, 8)), str(x + Fraction(1, 8))] for x in zero.point]
    i = rng.randrange(len(zero.point))
    ends = [[str(x + (k == i) * h) for k, x in enumerate(zero.point)] for h in SHIFTS]
    return {"factor": rng.randrange(len(known.factors)), "cell": cell, "points": ends}


def plane_data(grower, box, known):
    """Factors, points, orders, and points between which a factor may change its sign."""
    rng = grower.rng
    if len(box.sides) != 2:
        return None, []
    items, made = germs_at(grower, box, known, 5)
    data = {"factors": [[written(p), e] for p, e in known.factors], "points": items}
    if rng.random() < 0.5:
        data["order"] = rng.choice((1, 2, 3, 4, 6))
    if not known.factors:
        size = len(box.generators)
        data["combinations"] = [[rng.choice((1, 0, 2, -1)) for _ in range(size)] for _ in "ab"]
    elif rng.random() < 0.5:
        item = smooth_data(rng, known)
        data["crossed"] = [[item["factor"], item["points"]]]
    return data, made


#: Rules of boxes that go to no other box.
BOX_DATA = {
    "points": points_data,
    "univariate-factors": factors_data,
    "cells": cells_data,
    "plane": plane_data,
}


def box_step(grower, box, known, uppers, depth=0):
    """A step for a box by a random rule."""
    name = grower.rng.choice(BOX_NAMES if depth < 3 else ["everywhere"])
    try:
        if name in BOX_DATA and uppers:
            data, made = BOX_DATA[name](grower, box, known)
            step = node(name, data, *(item.step for item in made))
            bounds = data and rules_about(RuleScope.BOX)[name](box, step, proved(made))
            if data:
                return Made(with_bounds(step, *bounds), bounds)
        elif name not in (*BOX_DATA, "everywhere"):
            return parts_step(grower, box, known, uppers, depth, name)
    except REFUSALS:
        pass
    return everywhere_step(grower, box, known, uppers)


def parts_step(grower, box, known, uppers, depth, name):
    """A step for a box that leads to others, or to a germ."""
    rng, data, children = grower.rng, None, [{}]
    if name == "enclose":
        children = [{} for _ in range(rng.choice((1, 2)))]
    elif name == "split-terms":
        size = len(box.generators)
        data = {"generators": sorted(rng.sample(range(size), rng.randint(1, size)))}
    elif name == "sum":
        data = GERM_DATA["sum"](grower.draw, Statement(box.generators, box.prior, True))
        children = [{} for _ in data["groups"]] if data else []
    elif name == "squares":
        data = {"squares": [[str(c), written(g)] for c, g in known.squares]}
    elif name == "product":
        data = product_data(known)
        children = [{} for _ in data["groups"]]

    def replay_child(inner, child):
        same = isinstance(inner, plane_box.Box) and name not in ("sum", "product")
        if not isinstance(inner, plane_box.Box):
            made = grower.germ(inner)
        else:
            made = box_step(grower, inner, known, uppers if same else [], depth + 1)
        child.update(made.step)
        return made.bounds

    step = node(name, data, *children)
    if name == "enclose":
        box_bounds = [replay_child(box, child) for child in children]
        bounds = rules_about(RuleScope.BOX)[name](box_bounds)
    else:
        bounds = rules_about(RuleScope.BOX)[name](box, step, replay_child)
    return Made(with_bounds(step, *bounds), bounds)


def product_data(known):
    """Factors by the variable that they have alone."""
    parts = {}
    for p, e in known.factors:
        i, *others = {i for m in p for i, x in enumerate(m) if x}
        if others:
            raise ValueError("a factor in two variables")
        for _ in range(e):
            parts[i] = times(parts[i], p) if i in parts else p
    groups = sorted(parts)
    return {"factors": [written(parts[i]) for i in groups], "groups": [[i] for i in groups]}


def derivation(grower, known, uppers=(points,), fuel=FUEL):
    """A document with the claim that its own proof gives; None if the tree does not close."""
    grower.fuel, grower.nodes = fuel, []
    grower.draw.hints = known.hints
    try:
        made = box_step(grower, box_of(known), known, uppers)
    except (OutOfFuelError, *REFUSALS):
        return None
    return known.document(made.step, claim(*made.bounds)), made.bounds


def falsehood(known, bounds):
    """What is false of a claim, by what is known; None if nothing is."""
    scale = 1 if known.is_ideal or known.squares else 2
    lower, upper = bounds
    for zero in known.zeros:
        lam, theta = zero.pair
        if key((lower.lam, lower.theta)) > key((lam * scale, theta)):
            return f"lower {lower} at {zero.point}, where the pair is {lam * scale, theta}"
    if upper is not None:
        lam, theta = known.least
        if key((upper.lam, upper.theta)) < key((lam * scale, theta)):
            return f"upper {upper}, and the least pair is {lam * scale, theta}"
    return None


def derivations(seed, uppers=(points,), noise=NOISE, focus=None, start=0):
    """Accepted derivations without end, each with its question and what grew it.

    With a rule in `focus` most of them use it, and only its evidence is noisy.  Question k and all
    that is derived from it depend on the seed and on k alone.
    """
    for k in itertools.count(start):
        rng = Random(f"{seed}:{k}")
        known = drawn(rng)
        grower = Grower(rng, noise, focus)
        for _ in range(OF_ONE_QUESTION):
            with cost.budget():
                found = derivation(grower, known, uppers)
            if found is not None:
                yield k, known, grower, *found
