"""The command ``rlct sampler new``: a kernel that works, to be changed into another."""

import argparse
from typing import Any

from rlct.cli.checkout import new_files

_NEXT_STEPS = (
    ("rlct sample poly 'x**2' --n-beta 100 --method <<module>>", "what it gives"),
    (
        "python -m pytest -m '' tests/sampling/test_kernels_on_trial.py "
        "tests/torch/test_every_kernel.py -k <<module>>",
        "",
    ),
)


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
    new_files.add_name(parser, "walk")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.sampling.kernels import kernel_names
    from rlct.sampling.ladders.run import ladder_methods

    title = new_files.checked_title(options, {*kernel_names(), *ladder_methods()})
    root, module = new_files.checkout_here(), options.id.replace("-", "_")
    new_files.write_new(
        root, {"kernel.py": f"rlct/sampling/kernels/{module}.py"}, options.id, title
    )
    guide = "rlct/sampling/kernels/__init__.py"
    new_files.insert_line(root / guide, '"""', f"{module}  {title}")
    print(f"added a line to {guide}")
    print("It is a random walk, which passes its trial. Change it into yours, then:\n")
    new_files.print_steps(_NEXT_STEPS, options.id)
    print("\ndocs/sampler.md says more.")
    return 0
