"""Faults to plant: an upper bound that a leaf passes on, and a condition that a rule leaves out.

`leaf_upper` is a rule that the checker had once: the pair at a leaf that is a point is that of the
question at a point which the steps to the leaf give back.  It is right if at that point every
prior that `solve` dropped is a unit, and every variable along which a `slide` went is not 0.
"""

import ast
import inspect
import time
from contextlib import contextmanager
from fractions import Fraction

from carried_zeros import false_nodes
from cell_steps import ENDS, INNER
from derivations import REFUSALS, derivations, falsehood
from known_pairs import value

from rlct.certificate.boxes import box, everywhere
from rlct.certificate.boxes.plane_box import substitution_exponent
from rlct.certificate.fibre import cell_rules, fields, group_rules, tree
from rlct.certificate.numbers.arithmetic import read_polynomial
from rlct.certificate.rules import CheckedRule, RuleScope, rules_about


def leaf_upper(*faults):
    """Upper bounds from leaves; with a fault `prior` or `along` a test is left out or changed."""

    def way_of_bounding(grower, box, known, walls):
        if any(walls):
            return {}, [], None
        scale = Fraction(1) if box.is_ideal else Fraction(1, 2)
        pairs = [
            leaf.upper / scale
            for leaf in grower.leaves
            if leaf.upper is not None and is_attained(box, leaf, faults)
        ]
        return {}, [], min(pairs) if pairs else None

    return way_of_bounding


def is_attained(box, leaf, faults):
    """Whether the germ of a leaf is that of a point inside the box."""
    place, stands, along = [Fraction(0)] * leaf.cell.width, True, []
    for step in reversed(leaf.way):
        data, cell = step.data, step.cell
        try:
            place = before(place, step)
        except (ZeroDivisionError, *REFUSALS):
            return False
        if step.rule == "solve":
            i = data["variable"]
            stands &= "prior" in faults or not cell.prior[i] or not dropped(step) or place[i] != 0
        if step.rule == "slide":
            if "along" in faults:
                along.append(cell.origin[data["along"]])
            else:
                stands &= place[data["along"]] != 0
    stands &= all(place[i] != 0 for i in along)
    for u, h, (low, high) in zip(place, box.prior, box.sides, strict=True):
        stands &= low < u ** substitution_exponent(h, wall=False) < high
    return stands


def solved(step):
    """The root at which a child of `solve` is."""
    roots = [Fraction(a) for a in step.data["roots"]]
    if step.data["variable"] in step.cell.nonzero:
        roots = [a for a in roots if a]
    return roots[step.child]


def dropped(step):
    """Whether a child of `solve` has no prior in its variable."""
    return solved(step) != 0


def before(place, step):
    """The point as it was given before a step."""
    data, place = step.data, list(place)
    if step.rule == "solve":
        place[data["variable"]] += solved(step)
    elif step.rule == "normalise":
        place.insert(data["variable"], Fraction(-1 if step.child else 1))
    elif step.rule == "slide":
        place.insert(data["variable"], Fraction(0))
    elif step.rule == "change":
        i, width = data["variable"], step.cell.width
        scale, shift = (read_polynomial(data[name], width) for name in ("scale", "shift"))
        place[i] = (place[i] - value(shift, place)) / value(scale, place)
    return place


# Conditions left out

MODULES = (group_rules, cell_rules, fields, tree, everywhere)
SCOPES = (RuleScope.CELL, RuleScope.LEAF, RuleScope.END, RuleScope.BOX)


def conditions():
    """All calls of `need` in the rules of cells: the module, which of them, function and words."""
    for module in MODULES:
        code = ast.parse(inspect.getsource(module))
        n = 0
        for function in ast.walk(code):
            if isinstance(function, ast.FunctionDef):
                for call in calls_of_need(function):
                    yield module, n, function.name, words_of(call.args[1])
                    n += 1


def words_of(message):
    """What a condition says where it does not hold."""
    return message.value if isinstance(message, ast.Constant) else ast.unparse(message)[2:-1]


def calls_of_need(function):
    """Calls of `need` in a function, in their order."""
    calls = [
        part
        for part in ast.walk(function)
        if isinstance(part, ast.Call) and getattr(part.func, "id", "") == "need"
    ]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


@contextmanager
def without_condition(module, number):
    """The checker without one of these conditions."""
    code = ast.parse(inspect.getsource(module))
    calls = [
        call
        for function in ast.walk(code)
        if isinstance(function, ast.FunctionDef)
        for call in calls_of_need(function)
    ]
    calls[number].func = ast.Name("bool", ast.Load())
    calls[number].args = [calls[number].args[0]]
    space = dict(vars(module))
    exec(compile(ast.fix_missing_locations(code), module.__file__, "exec"), space)
    with swapped(module, space):
        yield


@contextmanager
def swapped(module, space):
    """Put the functions of another version of a module in its place, wherever they are used."""
    made = {
        id(getattr(module, name)): thing
        for name, thing in space.items()
        if hasattr(module, name)
        and (isinstance(thing, CheckedRule) or getattr(thing, "__module__", "") == module.__name__)
    }
    kept = []
    for home in (*MODULES, box):
        for name, thing in list(vars(home).items()):
            if callable(thing) and id(thing) in made:
                kept.append((vars(home), name, thing))
    for table, name, thing in kept:
        table[name] = made[id(thing)]
    for table in map(rules_about, SCOPES):
        for name, rule in list(table.items()):
            if id(rule) in made:
                kept.append((table, name, rule))
                table[name] = made[id(rule)]
    try:
        yield
    finally:
        for table, name, thing in kept:
            table[name] = thing


def focus_of(function):
    """The rule of a function of the checker, for which evidence is to be drawn carelessly."""
    names = {"_weights": "contract", "_stays": "slide", "check_symmetry": "same"}
    names |= {"bound_of_fields": "fields"}
    name = names.get(function, function.removeprefix("_"))
    return name if name in {*INNER, *ENDS, "same", "point"} else None


@contextmanager
def loose_signs(loosened):
    """The checker with another test of whether the terms of a polynomial may cancel."""
    kept = cell_rules.is_one_signed, tree.is_one_signed
    cell_rules.is_one_signed = tree.is_one_signed = loosened
    try:
        yield
    finally:
        cell_rules.is_one_signed, tree.is_one_signed = kept


def of_one_sign_for_positive_x(p):
    """A test that forgets x < 0."""
    return len({c > 0 for c in p.values()}) == 1


def of_one_parity(p):
    """A test that forgets the signs of the coefficients."""
    return len({tuple(e % 2 for e in m) for m in p}) == 1


def first_false(seed, most, limit=None, claims_only=True, **options):
    """How many derivations until a claim is false, and until a bound of a cell is; None if never.

    Also the words that say what is false.  `limit` is in processor seconds.
    """
    claim_at = cell_at = words = None
    began = time.process_time()
    for n, (_, known, grower, _, bounds) in enumerate(derivations(seed, **options), 1):
        reason = falsehood(known, bounds)
        complaints = [] if cell_at else false_nodes(known, grower.nodes)[1]
        if complaints:
            cell_at, words = n, words or complaints[0]
        if reason:
            claim_at, words = n, reason
        is_late = limit and time.process_time() - began > limit
        if claim_at or (cell_at and not claims_only) or n >= most or is_late:
            return claim_at, cell_at, words
    return None


#: Conditions of the checker, by their words, each of which is missed within some hundred trees.
SEEN_SOON = (
    "contract: a variable grows without bound",
    "normalise: the variable is not moved",
    "slide: the variable is not moved",
    "slide: the ideal is not kept_variables",
    "rotate: an entry of the field",
    "rotate: the ideal moves",
)
