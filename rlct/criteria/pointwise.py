"""The log-likelihoods among what other programs keep: data sets, trees of groups, named columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from rlct.errors import InputError

_LOSS_GROUP = "log_likelihood"
_LOSS_NAME = re.compile(r"log_?lik(elihood)?([.\[_]?\d[\d.,_]*\]?)?", re.IGNORECASE)


def is_log_likelihood(name: object) -> bool:
    """Whether a variable or column of this name holds log p(X_i|w), as in Stan and PyMC.

    >>> [is_log_likelihood(name) for name in ("log_lik[3]", "log_lik.1.2", "log_likelihood", "mu")]
    [True, True, True, False]
    """
    return _LOSS_NAME.fullmatch(str(name)) is not None


def log_likelihood_of(values: Any) -> Any:
    """The array, shape (chains, draws, n), of a DataTree, InferenceData or Dataset.

    Of a tree it is the group ``log_likelihood`` with all its variables, one after another; of a
    data set the variables of that name, or the only one.  Anything else is returned as it is.
    InputError if there is no such group or variable, or a variable has no axes ``chain`` and
    ``draw``.
    """
    groups = values.groups() if callable(getattr(values, "groups", None)) else ()
    groups = [*groups, *getattr(values, "children", ())]
    of_one_kind = getattr(values, "name", None) == _LOSS_GROUP
    if _LOSS_GROUP in groups:
        values, of_one_kind = values[_LOSS_GROUP], True
    elif groups and not getattr(values, "data_vars", ()):
        raise InputError(f"there is no group {_LOSS_GROUP}: there are {_brief(groups)}")
    if not hasattr(values, "data_vars"):
        return _flat(values, "it") if len(getattr(values, "dims", ())) > 3 else values
    variables = [*values.data_vars]
    chosen = [name for name in variables if of_one_kind or is_log_likelihood(name)]
    if len(variables) == 1:
        chosen = variables
    if not chosen:
        raise InputError(
            f"there is no variable {_LOSS_GROUP}: "
            f"give one of {_brief(variables)}, or the whole tree"
        )
    return np.concatenate([_flat(values[name], name) for name in chosen], axis=-1)


def _flat(variable: Any, name: object) -> Any:
    if not {"chain", "draw"} <= {*variable.dims}:
        raise InputError(f"{name} has the axes {_brief(variable.dims)}: chain and draw are needed")
    array = np.asarray(variable.transpose("chain", "draw", ...))
    return array.reshape(*array.shape[:2], -1)


def _brief(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))[:100]
