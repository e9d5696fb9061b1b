"""Old module paths that documents named import still, and warn where they are imported."""

import importlib
import re
import sys

import pytest

from rlct.system.moved_modules import NEW_PATHS, add_old_paths


@pytest.mark.parametrize("old", [*NEW_PATHS, "rlct.evidence.waic"])
def test_an_old_path_leads_to_the_new_module(old):
    sys.modules.pop(old, None)
    # The first warning may be of the room above it.
    with pytest.warns(DeprecationWarning, match=r"is rlct\.\w+") as seen:
        found = importlib.import_module(old)
    assert re.match(rf"{old} is rlct\.\w+", str(seen[-1].message))
    new = importlib.import_module(str(seen[-1].message).split()[2])
    public = getattr(new, "__all__", [])
    assert all(getattr(found, name) is getattr(new, name) for name in public)


def test_a_path_that_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        importlib.import_module("rlct.no_such_module")


def test_announcing_twice_adds_one_finder():
    before = len(sys.meta_path)
    add_old_paths()
    assert len(sys.meta_path) == before
