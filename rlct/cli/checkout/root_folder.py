"""The checkout of rlct, which holds what the wheel leaves out."""

import sys
from pathlib import Path

import rlct
from rlct.errors import InputError

#: The checkout that rlct runs from, if it does.
CHECKOUT_ROOT = Path(rlct.__file__).parents[1]

_ROOT_FILES = ("__init__.py", "places.toml")


def enter_checkout(command: str) -> Path:
    """Make the package ``validation`` importable, and return its folder.

    That of the present directory counts before that of the checkout which rlct runs from.
    InputError if there is none: the wheel does not hold it.
    """
    for above in (Path.cwd(), CHECKOUT_ROOT):
        root = above / "validation"
        if all((root / part).is_file() for part in _ROOT_FILES):
            if str(above) not in sys.path:
                sys.path.insert(0, str(above))
            return root
    raise InputError(
        f"rlct {command} works in a checkout of rlct or its unpacked source, not here; get it with "
        f"'pip download --no-deps --no-binary :all: rlct=={rlct.__version__}'"
    )
