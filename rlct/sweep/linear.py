"""Linear networks of a whole grid at once, by the closed form over arrays."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rlct.errors import InputError
from rlct.sweep.grid import Grid
from rlct.sweep.store import StoredAnswer, key_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_THEOREM_METHOD: Final = "theorem deep-linear"
_LARGEST_WIDTH: Final = 10_000_000  # 4λ of up to 100 layers then stays below 2⁵³
_MOST_WIDTHS: Final = 20  # of one network


def linear_question(
    widths: Sequence[int], rank: int, bias: bool = False, input_rank: int | None = None
) -> str:
    """Return the canonical form of a question on a linear network.

    >>> linear_question([5, 3, 5], 1, bias=True)
    'net linear 5 3 5 --rank 1 --bias'
    """
    text = f"net linear {' '.join(map(str, widths))} --rank {rank}"
    if bias:
        text += " --bias"
    return text if input_rank is None else f"{text} --input-rank {input_rank}"


@dataclass(frozen=True)
class LinearBatch:
    """A grid of linear networks; sizes are numbers, or names of parameters with whole numbers."""

    grid: Grid
    widths: tuple[int | str, ...]
    rank: int | str
    bias: bool
    input_rank: int | str | None

    def answers(self, numbers: Sequence[int]) -> list[tuple[int, bytes, str, tuple[Any, ...]]]:
        """Answer the questions of the grid with these numbers, ready for `Store.record`."""
        import numpy as np

        from rlct.theorems.kit.deep_linear_arrays import deep_linear_pairs

        start_time = time.perf_counter()
        index = np.asarray(numbers, dtype=np.int64)
        values = self._columns(index)

        def take(word: int | str) -> NDArray[np.int64]:
            return values[word] if isinstance(word, str) else np.full(len(index), word)

        widths = np.column_stack([take(width) for width in self.widths])
        rank = take(self.rank)
        input_ranks = widths[:, 0] if self.input_rank is None else take(self.input_rank)
        inside = np.column_stack([input_ranks, widths[:, 1:]])
        good = (widths > 0).all(axis=1) & (rank >= 0) & (rank <= inside.min(axis=1))
        good &= (input_ranks >= 1) & (input_ranks <= widths[:, 0])
        lam, theta = deep_linear_pairs(inside[good], rank[good], bias=self.bias)
        quarter_counts = iter(np.rint(4 * lam).astype(np.int64).tolist())
        orders = iter(theta.tolist())
        seconds = (time.perf_counter() - start_time) / max(len(index), 1)
        given_ranks = (None,) * len(index) if self.input_rank is None else input_ranks.tolist()
        answered_rows = []
        rows = zip(numbers, widths.tolist(), rank.tolist(), given_ranks, good.tolist(), strict=True)
        for number, sizes, r, inputs, possible in rows:
            question = linear_question(sizes, r, self.bias, inputs)
            if possible:
                text, order = _quarters(next(quarter_counts)), next(orders)
                short = ("exact", text, order, text, text, _THEOREM_METHOD, None, seconds)
                columns: tuple[Any, ...] = (*short, None, None, None)
            else:
                columns = _refused(sizes, r, self.bias, inputs)
            answered_rows.append((number, key_of(question), question, columns))
        return answered_rows

    def _columns(self, index: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """Return the values of every parameter at some questions, as arrays."""
        import numpy as np

        columns: dict[str, NDArray[np.int64]] = {}
        for axis in reversed(self.grid.axes):
            index, rows = np.divmod(index, len(axis.rows))
            for k, name in enumerate(axis.names):
                columns[name] = np.array([row[k] for row in axis.rows], dtype=np.int64)[rows]
        return columns


def linear_batch(grid: Grid) -> LinearBatch | None:
    """Return the batch that answers a grid; None if it asks something else."""
    numbers = {
        name: [row[k] for row in axis.rows]
        for axis in grid.axes
        for k, name in enumerate(axis.names)
    }

    def number(word: str) -> int | str | None:
        if word.isascii() and word.isdigit():
            return int(word) if int(word) <= _LARGEST_WIDTH else None
        name = word[1:-1]
        values = numbers.get(name, ("",))
        small = all(isinstance(value, int) and abs(value) <= _LARGEST_WIDTH for value in values)
        return name if small and word == f"{{{name}}}" else None

    widths: list[int | str] = []
    options: dict[str, int | str] = {}
    bias = False
    if grid.ask[:2] != ("net", "linear"):
        return None
    words = iter(grid.ask[2:])
    for word in words:
        if word == "--bias":
            bias = True
            continue
        option = word if word in ("--rank", "--input-rank") else None
        value = number(next(words, "") if option else word)
        if value is None or option in options:
            return None
        if option:
            options[option] = value
        else:
            widths.append(value)
    if "--rank" not in options or not 2 <= len(widths) <= _MOST_WIDTHS:
        return None
    rank, input_rank = options["--rank"], options.get("--input-rank")
    return LinearBatch(grid, tuple(widths), rank, bias, input_rank)


def _quarters(count: int) -> str:
    """Write count/4 in lowest terms."""
    if count % 4 == 0:
        return str(count // 4)
    return f"{count // 2}/2" if count % 2 == 0 else f"{count}/4"


def _refused(sizes: list[int], rank: int, bias: bool, seen: int | None) -> tuple[Any, ...]:
    from rlct.models.linear_networks.linear import LinearNetwork

    try:
        LinearNetwork(tuple(sizes), rank, bias, seen)
    except InputError as error:
        return StoredAnswer("refused", message=str(error)).row()
    raise AssertionError(f"{sizes} at rank {rank} is possible after all")
