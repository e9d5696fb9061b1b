"""Real log canonical thresholds, exactly, with certificates and sampled checks.

>>> import rlct
>>> rlct.linear([5, 3, 5], rank=1).lam
Fraction(8, 1)
"""

__version__ = "0.1.0"

# The public names and their modules are those of the stub that type checkers read.  A module
# loads when its name is first used, so that ``import rlct`` loads neither sympy nor numpy.
_STUB_TEXT = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()
_STUB_LINES = [line.split() for line in _STUB_TEXT.splitlines() if line.startswith("from ")]
_NAME_HOMES = {name: home for _, home, _, name, *_ in _STUB_LINES}

__all__ = ["__version__", *sorted(_NAME_HOMES)]


def __getattr__(name):
    if name not in _NAME_HOMES:
        raise AttributeError(f"module 'rlct' has no attribute {name!r}")
    # Names that are imported here would be offered by every completion of ``rlct.``.
    from importlib import import_module

    value = getattr(import_module(_NAME_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return __all__
