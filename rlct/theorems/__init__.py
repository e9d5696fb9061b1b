"""Closed forms: what is proved about λ and θ of a model, by formula.

A theorem is one file that defines ``THEOREM``: a formula with its hypotheses, sources, instances
that are known without it, and counterexamples where a hypothesis fails.  Adding one edits no
other file; ``rlct theorem new`` writes a first version.  Read in this order:

base  what a theorem is, and how it is applied to arguments
arguments  kinds of arguments, and how values and texts become them
evidence  bounds instead of a value, and how values are confirmed
working  the numbers on the way to a value
kit/  what theorems of several shelves share: hypotheses, questions, priors
index  the file of each theorem, and the kinds of questions that it may answer

The shelves; `linear_networks.deep_linear` is a first example, a formula of two sums:

polynomials/  polynomials and ideals, and minima of any loss
linear_networks/  layers that are linear, of any depth, and bottlenecks of concepts
quadratic_networks/  units that are squares
relu_networks/  ReLU units, at weights and over all parameters of a function
activations/  tanh, power and softmax; any network by its size
frozen_weights/  networks that train their outer weights alone
mixtures/  finite mixtures
latent_variables/  hidden variables: graphs, classes, sequences
factorisations/  factors of matrices and tensors

It imports from errors, pair, system, algebra, newton, questions, models and engine, never from
certificate; what checks a theorem by simulation lies above.
"""

import difflib
import importlib
import pkgutil
from functools import cache

from rlct.errors import InputError
from rlct.theorems.base import Theorem
from rlct.theorems.index import THEOREM_INDEX


@cache
def all_theorems() -> tuple[Theorem, ...]:
    """Return every theorem, ordered by id."""
    theorems_by_id: dict[str, Theorem] = {}
    for info in pkgutil.walk_packages(__path__, f"{__name__}."):
        if info.ispkg or info.name.startswith(f"{__name__}.kit.") or "._" in info.name:
            continue  # shelves, and helpers, which may load numpy
        theorem = getattr(importlib.import_module(info.name), "THEOREM", None)
        if theorem is None:
            continue
        if theorem.id in theorems_by_id:
            raise RuntimeError(f"two theorem files have the id {theorem.id}")
        theorems_by_id[theorem.id] = theorem
    return tuple(theorems_by_id[name] for name in sorted(theorems_by_id))


def _load(module: str) -> Theorem:
    theorem: Theorem = importlib.import_module(f"{__name__}.{module}").THEOREM
    return theorem


def get_theorem(name: str) -> Theorem:
    """Return the theorem with an id.

    InputError if there is none; the message names the nearest ids.

    >>> get_theorem("deep-linear").apply(widths=[784, 128, 64, 10], rank=10).pair
    Pair(3920, 1)
    """
    if name in THEOREM_INDEX:
        return _load(THEOREM_INDEX[name][0])
    theorems = {theorem.id: theorem for theorem in all_theorems()}
    if name in theorems:  # that is not in the table yet
        return theorems[name]
    name = str(name)
    near = difflib.get_close_matches(name, theorems, n=3, cutoff=0.4)
    shown = name if len(name) <= 40 else name[:40] + "…"
    which = "nearest" if near else "there are"
    raise InputError(f"no theorem {shown!r}; {which}: {', '.join(near or theorems)}")


def recognising_theorems(question: object) -> list[Theorem]:
    """Return the theorems that may answer a question, ordered by id; no other file is loaded.

    >>> from rlct.models.linear_networks.linear import LinearNetwork
    >>> [theorem.id for theorem in recognising_theorems(LinearNetwork((5, 3, 5), 1))]
    ['deep-linear', 'deep-linear-rank-paths', 'reduced-rank-regression']
    """
    kinds = {kind.__name__ for kind in type(question).__mro__}
    return [_load(module) for module, asked in THEOREM_INDEX.values() if kinds & {*asked}]
