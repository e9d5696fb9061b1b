"""The atlas: grids of many families in one file, and the table of their answers."""

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.resources import files
from io import StringIO
from typing import Any, Final

import rlct
from rlct.errors import InputError
from rlct.sweep.grid import Grid, grid_of, read_toml

#: Columns of the table; those that `rlct sweep export` has too have the same names.
ATLAS_COLUMNS: Final = (
    "family",
    "question",
    "python",
    "status",
    "lambda",
    "theta",
    "lower",
    "upper",
    "half_parameters",
    "method",
    "verified",
)
_FILE_SHAPE: Final = 'title = "…" and [[NAME.grids]] with ask = "…" and grid = {…}'


@dataclass(frozen=True)
class AtlasFamily:
    """One page of the atlas."""

    id: str
    title: str
    grids: tuple[Grid, ...]


@dataclass(frozen=True)
class AtlasRow:
    """One question and its answer, all as text that is empty where nothing is known."""

    family: str
    #: What asks it on the command line, after ``rlct``, and in Python.
    question: str
    python: str
    status: str
    lam: str
    theta: str
    lower: str
    upper: str
    #: d/2, which λ would be if the model were regular.
    half_parameters: str
    #: Theorem, or rules of the engine.
    method: str
    #: ``true``, ``in part``, ``false`` or ``no certificate``.
    verified: str

    def to_dict(self) -> dict[str, str]:
        """Return the cells by `ATLAS_COLUMNS`."""
        return dict(zip(ATLAS_COLUMNS, asdict(self).values(), strict=True))


def default_grids() -> str:
    """Return the text of the grids that come with the program."""
    return files("rlct.sweep").joinpath("atlas.toml").read_text(encoding="utf-8")


def read_families(text: str) -> tuple[AtlasFamily, ...]:
    r"""Read the grids of an atlas.

    >>> nets = '[nets]\ntitle = "Networks"\n[[nets.grids]]\nask = "net linear 5 {h} 5 --rank 1"\n'
    >>> read_families(nets + 'grid = {h = "1..3"}')[0].grids[0].count
    3
    """
    families = []
    for name, table in read_toml(text).items():
        parts = table.get("grids") if isinstance(table, dict) and len(table) == 2 else None
        shaped = isinstance(parts, list) and all(isinstance(part, dict) for part in parts)
        if not parts or not shaped or "title" not in table:
            raise InputError(f"{name} is no family: write [{name}] with {_FILE_SHAPE}")
        if not name.replace("-", "").isalnum() or not name.isascii() or not name.islower():
            raise InputError(f"{name[:40]!r} names a page: use small letters, digits and -")
        try:
            grids = tuple(map(grid_of, parts))
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        families.append(AtlasFamily(name, str(table["title"]), grids))
    if not families:
        raise InputError(f"there is no family: write [NAME] with {_FILE_SHAPE}")
    return tuple(families)


def csv_text(rows: Iterable[AtlasRow]) -> str:
    """Write rows as comma-separated values, empty where nothing is known."""
    text = StringIO()
    writer = csv.DictWriter(text, ATLAS_COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.to_dict() for row in rows)
    return text.getvalue()


def json_text(rows: Iterable[AtlasRow]) -> str:
    """Write rows as one object, with the version of the program; a row a line."""
    head = {"schema": "rlct/1", "kind": "atlas", "version": rlct.__version__}
    lines = (json.dumps(_typed(row), ensure_ascii=False) for row in rows)
    return json.dumps(head)[:-1] + ', "rows": [\n' + ",\n".join(lines) + "\n]}\n"


def _typed(row: AtlasRow) -> dict[str, Any]:
    """Return a row with null where nothing is known and θ as a number."""
    cells: dict[str, Any] = {name: cell or None for name, cell in row.to_dict().items()}
    cells["theta"] = int(row.theta) if row.theta else None
    return cells
