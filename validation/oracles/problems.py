"""The problems on which rlct and its peers are timed, with their true λ and θ over R."""

from dataclasses import dataclass, field
from itertools import pairwise, product

import numpy as np


@dataclass(frozen=True)
class Task:
    """One problem: K = g² for a single generator, else K = Σ g²."""

    name: str
    generators: tuple[str, ...]
    variables: tuple[str, ...]
    truth: tuple[str, int] | None
    peers: tuple[str, ...]
    monomials: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    @property
    def K(self) -> str:  # noqa: N802 - the function of the question
        """The function itself."""
        return " + ".join(f"({g})**2" for g in self.generators)


HYPERSURFACE_WAYS = (
    *("singular bfct", "singular bfctAnn", "singular bernsteinBM", "singular resolve"),
    *("m2 globalBFunction", "m2 lct"),
)
IDEAL_WAYS = ("m2 lct", "singular bfctVarAnn", "singular bfctAnn")


def _entries(widths: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Entries of a product of matrices of variables, expanded, and the variables."""
    names: list[str] = []
    paths: dict[tuple[int, int], list[str]] = {}
    for layer, (columns, rows) in enumerate(pairwise(widths)):
        letter = "abcd"[layer]
        names += [f"{letter}{i}{j}" for i in range(1, rows + 1) for j in range(1, columns + 1)]
        old = paths
        paths = {}
        for i, j in product(range(1, rows + 1), range(1, columns + 1)):
            if not old:
                paths[i, j] = [f"{letter}{i}{j}"]
                continue
            for end in range(1, widths[0] + 1):
                extended = [f"{letter}{i}{j}*{p}" for p in old[j, end]]
                paths.setdefault((i, end), []).extend(extended)
    return tuple(" + ".join(p) for p in paths.values()), tuple(names)


def _matrices(widths: tuple[int, ...], truth: tuple[str, int], peers: tuple[str, ...]) -> Task:
    generators, names = _entries(widths)
    label = ",".join(map(str, widths))
    return Task(f"product of matrices ({label})", generators, names, truth, peers)


def _tanh(units: int, truth: tuple[str, int], peers: tuple[str, ...]) -> Task:
    index = range(1, units + 1)
    generators = tuple(
        " + ".join(f"a{i}*b{i}" + (f"**{2 * n + 1}" if n else "") for i in index)
        for n in range(units)
    )
    names = tuple(f"{x}{i}" for x in "ab" for i in index)
    return Task(f"{units} tanh units", generators, names, truth, peers)


def dense_monomials(variables: int, count: int, seed: int = 0) -> tuple[tuple[int, ...], ...]:
    """Exponents 0 to 10, drawn evenly."""
    rng = np.random.default_rng(seed)
    return tuple(tuple(map(int, row)) for row in rng.integers(0, 11, (count, variables)))


def _monomial_ideal(variables: int, count: int) -> Task:
    rows = dense_monomials(variables, count)
    names = tuple(f"x{i}" for i in range(1, variables + 1))
    generators = tuple(
        "*".join(f"{x}**{e}" for x, e in zip(names, row, strict=True) if e) for row in rows
    )
    peers = ("m2 MultiplierIdeals", "m2 lct") if variables < 5 else ("m2 MultiplierIdeals",)
    name = f"dense monomial ideal ({variables}, {count})"
    return Task(name, generators, names, None, peers, rows)


def _plane(name: str, text: str, truth: tuple[str, int]) -> Task:
    return Task(name, (text,), ("x", "y"), truth, HYPERSURFACE_WAYS)


def _space(name: str, text: str, truth: tuple[str, int]) -> Task:
    return Task(name, (text,), ("x", "y", "z"), truth, HYPERSURFACE_WAYS)


PEER_TASKS = (
    _plane("cusp", "x**2 - y**3", ("5/12", 1)),
    _plane("hidden A4", "(y - x**2)**2 - x**5", ("7/20", 1)),
    _plane("two cusps", "(x**2 + y**3)*(x**3 + y**2)", ("1/4", 2)),
    _plane("circle (real point)", "x**2 + y**2", ("1/2", 1)),
    _space("Whitney umbrella", "x**2 - y**2*z", ("1/2", 2)),
    _space("cone xy+yz+zx", "x*y + y*z + z*x", ("1/2", 1)),
    _space("sphere (real point)", "x**2 + y**2 + z**2", ("3/4", 1)),
    _matrices((2, 1, 2), ("1", 2), ("m2 lct", "singular bfctVarAnn", "singular bfct",
                                    "singular bfctAnn", "singular bernsteinBM",
                                    "singular resolve", "m2 globalBFunction")),
    _matrices((2, 2, 1), ("1", 2), ("m2 lct", "singular bfctVarAnn", "singular bfctAnn",
                                    "singular bernsteinBM", "singular resolve")),
    _matrices((2, 2, 2), ("3/2", 1), ("m2 lct", "singular bfctVarAnn", "singular bfct",
                                      "singular bfctAnn", "singular bernsteinBM",
                                      "singular resolve", "m2 globalBFunction")),
    _matrices((3, 2, 3), ("5/2", 1), IDEAL_WAYS),
    _matrices((2, 2, 2, 2), ("3/2", 3), IDEAL_WAYS),
    _matrices((3, 3, 3), ("7/2", 2), IDEAL_WAYS),
    _tanh(2, ("2/3", 1), (*IDEAL_WAYS, "singular bernsteinBM", "singular resolve")),
    _tanh(3, ("5/6", 1), (*IDEAL_WAYS, "singular bernsteinBM", "singular resolve")),
    _monomial_ideal(3, 5),
    _monomial_ideal(4, 8),
    _monomial_ideal(6, 12),
    _monomial_ideal(8, 20),
    _monomial_ideal(12, 40),
    _monomial_ideal(200, 5000),
)  # fmt: skip
