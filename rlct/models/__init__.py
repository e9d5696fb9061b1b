"""Architectures and statistical models, each turned into a question.

A module of this package that defines ``MODEL`` is a model of the command line and of
`rlct.model`; adding one edits no other file, and `index` lists them with their titles.  The
networks that have public classes of their own come beside.  Read in this order:

base  what a model is: sizes and a truth, turned into the polynomials of its question
index  module, group and title of each model, so that one is loaded without all others
kit/  what several model files share
generic/  networks of today at a generic truth

The shelves; `latent_variables.naive_bayes` is a short model file, as an example of all others:

linear_networks/  linear layers, and bottlenecks of concepts
quadratic_networks/  units that are squares
relu_networks/  ReLU units, at weights and over all parameters of a function
activations/  tanh, power and softmax; any network by its size
latent_variables/  hidden variables: graphs, classes, sequences
factorisations/  factors of matrices and tensors

It imports `rlct.algebra`, `rlct.questions`, `rlct.pair` and `rlct.errors`.
"""

import difflib
import importlib
import pkgutil
from functools import cache

from rlct.errors import InputError
from rlct.models.base import Model
from rlct.models.index import MODEL_INDEX


@cache
def all_models() -> tuple[type[Model], ...]:
    """Return every model class, ordered by id."""
    models: dict[str, type[Model]] = {}
    for info in pkgutil.walk_packages(__path__, f"{__name__}."):
        if info.ispkg or info.name.split(".")[2] in ("kit", "generic") or "._" in info.name:
            continue  # shelves, and helpers, which may load sympy
        model = getattr(importlib.import_module(info.name), "MODEL", None)
        if model is None:
            continue
        if model.id in models:
            raise RuntimeError(f"two model files have the id {model.id}")
        models[model.id] = model
    return tuple(models[name] for name in sorted(models))


#: What people call models for short.
SHORT_NAMES = {
    "fa": "factor-analysis",
    "gmm": "mixture",
    "hmm": "hidden-markov",
    "lca": "latent-class",
}


def _load(module: str) -> type[Model]:
    found: type[Model] = importlib.import_module(f"{__name__}.{module}").MODEL
    return found


def get_model(name: str) -> type[Model]:
    """Return the model class with an id.

    InputError if there is none; the message names the nearest ids.

    >>> get_model("rbm").title
    'restricted Boltzmann machine'
    """
    if name in MODEL_INDEX:
        return _load(MODEL_INDEX[name][0])
    models = {model.id: model for model in all_models()}
    if name in models:  # that is not in the table yet
        return models[name]
    name = str(name)
    near = difflib.get_close_matches(SHORT_NAMES.get(name, name), models, n=3, cutoff=0.4)
    shown = name if len(name) <= 40 else name[:40] + "…"
    which = "nearest" if near else "there are"
    raise InputError(f"no model {shown!r}; {which}: {', '.join(near or models)}")
