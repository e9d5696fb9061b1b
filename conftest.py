"""Doctests that need an extra are collected where it is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["rlct/sampling/module.py"]
