"""The checkout of rlct, which holds what the wheel leaves out."""

from __future__ import annotations

import sys
from pathlib import Path

import rlct
from rlct.errors import InputError

__all__ = ["CHECKOUT_ROOT", "enter_checkout", "source_root"]

#: The checkout that rlct runs from, if it does.
CHECKOUT_ROOT = Path(rlct.__file__).parents[1]

_PARTS = ("__init__.py", "places.toml")


def enter_checkout(command: str) -> Path:
    """Make the package ``validation`` importable, and return its folder.

    That of the present directory counts before that of the checkout which rlct runs from.

    Parameters
    ----------
    command : str
        Which needs it.

    Raises
    ------
    InputError
        If there is none: the wheel does not hold it.
    """
    for above in (Path.cwd(), CHECKOUT_ROOT):
        root = above / "validation"
        if all((root / part).is_file() for part in _PARTS):
            if str(above) not in sys.path:
                sys.path.insert(0, str(above))
            return root
    raise InputError(
        f"rlct {command} works in a checkout of rlct or its unpacked source, not here; get it with "
        f"'pip download --no-deps --no-binary :all: rlct=={rlct.__version__}'"
    )


def source_root(added: str, folder: str, file: str) -> Path:
    """The checkout in or above the present directory, known by a folder and a file of it.

    Parameters
    ----------
    added : str
        What is to be written there, in the plural.
    folder, file : str

    Raises
    ------
    InputError
        If there is none.
    """

    def is_checkout(root: Path) -> bool:
        return (root / folder).is_dir() and (root / file).is_file()

    for above in (Path.cwd(), *Path.cwd().parents):
        if is_checkout(above):
            return above
    place = f", such as {CHECKOUT_ROOT}" if is_checkout(CHECKOUT_ROOT) else ""
    raise InputError(
        f"no folders {folder} and {Path(file).parts[0]} here: {added} are added to the source, not "
        f"to the installed package; run this in a checkout of rlct{place}"
    )
