"""Kernels: what moves chains, a file each.

A kernel is one file that defines ``KERNEL``, a `~rlct.sampling.markov_chains.kernel.Kernel` whose
name is that of the file.  Adding one edits no other file: ``method=`` takes it, the command line
lists it, and the trial of kernels puts it on targets whose tempered means are known.

hmc  leapfrog trajectories; mala and barker propose single steps
nuts  trajectories that stop where they turn back, by mici
sgld  stochastic-gradient Langevin steps, without a Metropolis test
moves  a few walkers a chain, by the moves of populations
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.system.options import brief_repr

if TYPE_CHECKING:
    from rlct.sampling.markov_chains.kernel import Kernel


def kernel_names() -> tuple[str, ...]:
    """Names of all kernels, which are not imported.

    >>> {"hmc", "sgld"} <= set(kernel_names())
    True
    """
    return tuple(sorted(info.name for info in pkgutil.iter_modules(__path__)))


def kernel_class(method: Any) -> type[Kernel]:
    """The kernel of this name; a class is its own.

    >>> kernel_class("hmc").name
    'hmc'
    >>> kernel_class("gibs")
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: unknown method 'gibs': choose barker, hmc, mala, moves, nuts, sgld
    """
    if isinstance(method, str) and method in kernel_names():
        kernel: type[Kernel] = import_module(f"{__name__}.{method}").KERNEL
        return kernel
    if isinstance(method, type):
        from rlct.sampling.markov_chains.kernel import Kernel

        if issubclass(method, Kernel) and hasattr(method, "name"):
            return method
        raise InputError(f"{method.__name__} is no kernel: derive it from MetropolisKernel")
    named = ", ".join(kernel_names())
    raise InputError(f"unknown method {brief_repr(method)}: choose {named}")
