"""The command ``rlct sampler new``: a kernel that works, to be changed into another."""

from __future__ import annotations

import argparse
import keyword
import re
from typing import Any

from rlct.cli.checkout.root_folder import source_root
from rlct.cli.files import write_text
from rlct.errors import InputError

__all__ = ["register"]

_KERNEL = '''"""{title}: say here in one line how chains move."""

from __future__ import annotations

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.metropolis import MetropolisKernel

__all__ = ["{cls}"]


class {cls}(MetropolisKernel):
    """w′ = w + √ε ξ with a Metropolis test, a random walk.

    References
    ----------
    Roberts, Gelman, Gilks (1997), Annals of Applied Probability 7, on the acceptance.
    """

    name = "{name}"
    wanted_acceptance = 0.234  # best in many dimensions

    def step(self, number: int, in_burnin: bool) -> Array:
        """One proposal for every chain."""
        on, xp = self.arrays, self.arrays.xp
        moved = xp.sqrt(self._variances()) * on.normal(tuple(self.w.shape))
        proposal = self.w + self._turned(moved)
        k, log, force = self._evaluate(proposal, number)
        # Proposals back and forth have one density; else its log ratio is added to the change.
        accepted, chance = self._decide(log - self._log, proposal, k, log, force)
        if in_burnin:
            self._adapt(chance, number)
        return accepted


KERNEL = {cls}
'''

_WRITTEN = """wrote {module}
It is a random walk, which passes its trial. Change it into yours, then:

  name it in rlct/sampling/kernels/__init__.py
  rlct sample poly "x**2" --n-beta 100 --method {name}
  python -m pytest -m "" tests/sampling/test_kernels_on_trial.py tests/torch/test_every_kernel.py -k {name}

docs/sampler.md says more."""  # noqa: E501 (a command is a line)


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "sampler",
        help="write the file of a new Markov kernel, in a checkout of rlct",
        description="Markov kernels, which --method takes.",
        examples=["rlct sampler new walk"],
    )
    commands = group.add_subparsers(metavar="COMMAND", required=True)
    parser = commands.add_parser(
        "new",
        help="write the file of a new kernel, in a checkout of rlct",
        description="Write the file of a kernel. It holds a random walk that passes the trial of "
        "kernels, for you to change into yours.",
        examples=["rlct sampler new walk"],
    )
    parser.add_argument("name", help="a lower-case word, by which --method takes it")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.sampling.kernels import kernel_names

    name = options.name
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or keyword.iskeyword(name):
        raise InputError(f"{name[:60]!r} is no name of a file: write a lower-case word")
    root = source_root("samplers", "rlct/sampling/kernels", "docs/sampler.md")
    module = root / "rlct" / "sampling" / "kernels" / f"{name}.py"
    if module.exists() or name in kernel_names():
        raise InputError(f"there is a kernel {name} already: choose another name")
    title = name.replace("_", " ").capitalize()
    cls = f"{title.title().replace(' ', '')}Kernel"
    write_text(str(module), _KERNEL.format(title=title, cls=cls, name=name))
    print(_WRITTEN.format(module=module.relative_to(root), name=name))
    return 0
