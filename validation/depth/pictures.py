"""λ against depth, width and rank, beside what the source documents say about it.

``python validation/depth/pictures.py`` writes the pictures and ``results.json`` into its folder;
``--check`` only compares the numbers with the committed ones.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np

from rlct import LinearNetwork, Table, compare, deep_linear_pairs
from rlct.models.activations.tanh import TanhNetwork
from rlct.report.lambda_plot import plot_against
from rlct.report.picture import INK_COLOR, new_figure, render_figure

DEPTH_FOLDER = Path(__file__).parent
HIDDEN_WIDTH = 10
Network = tuple[tuple[int, ...], int]  # widths and rank


def table(cases: list[tuple[dict[str, int], LinearNetwork]]) -> Table:
    """Answer networks with their coordinates."""
    names = [" ".join(map(str, net.widths)) for _, net in cases]
    return compare([net for _, net in cases], names=names, coordinates=[c for c, _ in cases])


def depth_table() -> Table:
    """Equal widths 10, true rank 0, 5, 8, one to twelve layers."""
    return table(
        [
            ({"layers": n, "rank": r}, LinearNetwork((HIDDEN_WIDTH,) * (n + 1), r))
            for r in (0, 5, 8)
            for n in range(1, 13)
        ]
    )


def width_table() -> Table:
    """Ten inputs, ten outputs, true rank 3, one to three hidden layers of 3 to 24 units."""
    return table(
        [
            (
                {"width": h, "hidden layers": n},
                LinearNetwork((HIDDEN_WIDTH, *[h] * n, HIDDEN_WIDTH), 3),
            )
            for n in (1, 2, 3)
            for h in range(3, 25)
        ]
    )


def rank_table() -> Table:
    """Width 10 throughout, every rank, one to four layers."""
    return table(
        [
            ({"rank": r, "layers": n}, LinearNetwork((HIDDEN_WIDTH,) * (n + 1), r))
            for n in (1, 2, 3, 4)
            for r in range(HIDDEN_WIDTH + 1)
        ]
    )


def example_table() -> Table:
    """The worked example: eight inputs, m hidden units, one output, rank 1, biases."""
    return table([({"width": m}, LinearNetwork((8, m, 1), 1, bias=True)) for m in range(1, 13)])


def units_table() -> Table:
    """One input, five tanh units, one output; zero to five of the units are true."""
    nets = [TanhNetwork(1, 5, 1, r) for r in range(6)]
    return compare(nets, coordinates=[{"true units": net.true_hidden} for net in nets])


TABLE_MAKERS = {
    "depth": depth_table,
    "width": width_table,
    "rank": rank_table,
    "example": example_table,
    "units": units_table,
}


def architectures(most: int, layers: int) -> Iterator[Network]:
    """All widths up to ``most`` with ``layers`` layers, and every rank."""
    for widths in product(range(1, most + 1), repeat=layers + 1):
        for rank in range(min(widths) + 1):
            yield widths, rank


def changes(batches: Iterable[list[tuple[Network, Network]]]) -> dict[str, int]:
    """Count what λ does from one network to another; those of a batch have the same depth."""
    counts = {"falls": 0, "stays": 0, "rises": 0}
    for pairs in batches:
        old, new = (
            deep_linear_pairs(*(np.array(part) for part in zip(*networks, strict=True)))[0]
            for networks in zip(*pairs, strict=True)
        )
        counts["falls"] += int((new < old).sum())
        counts["stays"] += int((new == old).sum())
        counts["rises"] += int((new > old).sum())
    return counts


def inserted() -> dict[str, int]:
    """Insert a layer of width r to 8 anywhere in all networks of widths ≤ 5, up to 4 layers."""
    return changes(
        [
            ((widths, rank), ((*widths[:place], new, *widths[place:]), rank))
            for widths, rank in architectures(5 if layers < 4 else 4, layers)
            for place in range(1, layers + 1)
            for new in range(max(rank, 1), 9)
        ]
        for layers in (1, 2, 3, 4)
    )


def widened() -> dict[str, int]:
    """One more unit in any hidden layer of all networks of widths ≤ 6, two to four layers."""
    return changes(
        [
            ((widths, rank), (tuple(w + (j == place) for j, w in enumerate(widths)), rank))
            for widths, rank in architectures(6 if layers < 4 else 5, layers)
            for place in range(1, layers)
        ]
        for layers in (2, 3, 4)
    )


def ranked() -> dict[str, int]:
    """A true map of one rank more, all networks of widths ≤ 8, one to four layers.

    λ does not depend on the order of the excess widths but for its first term, so sorted hidden
    widths are enough.
    """
    return changes(
        [
            (((first, *hidden, last), rank), ((first, *hidden, last), rank + 1))
            for first, last in product(range(1, 9), repeat=2)
            for hidden in combinations_with_replacement(range(1, 9), layers - 1)
            for rank in range(min(first, last, *hidden))
        ]
        for layers in (1, 2, 3, 4)
    )


def results() -> dict[str, Any]:
    """Everything that the page states, computed."""
    rows = {
        name: [
            {
                **row["case"],
                "parameters": row["parameters"],
                "lambda": row["lambda"],
                "theta": row["theta"],
            }
            for row in make().to_dict()["rows"]
        ]
        for name, make in TABLE_MAKERS.items()
    }
    kept = [
        LinearNetwork(widths, 0) for widths in ((4, 4, 4), (4, 4, 4, 4), (4, 4, 9, 4), (4, 8, 4))
    ]
    named = compare(kept, names=["4 4 4", "4 4 4 4", "4 4 9 4", "4 8 4"])
    return {
        "tables": rows,
        "a layer more": inserted(),
        "a hidden unit more": widened(),
        "a rank more": ranked(),
        "named": {row.architecture: row.to_dict()["lambda"] for row in named.rows},
    }


def draw(name: str) -> Any:
    """Draw one table; the worked example with its printed formula."""
    figure = new_figure(6.4, 4.4)
    axes = figure.add_subplot()
    rows = TABLE_MAKERS[name]()
    plot_against(
        axes, rows, {"depth": "layers", "rank": "rank", "units": "true units"}.get(name, "width")
    )
    if name == "example":
        places = [row.coordinates["width"] for row in rows.rows]
        printed = [8 / 2 + (m - 1) / 4 for m in places]
        axes.plot(
            places, printed, ":", color=INK_COLOR, linewidth=1.8, label="printed d/2 + (m − 1)/4"
        )
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def main() -> int:
    """Write everything, or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    target = DEPTH_FOLDER / "results.json"
    text = json.dumps(results(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    if parser.parse_args().check:
        same = target.read_text(encoding="utf-8") == text
        print("the same numbers" if same else "other numbers than results.json")
        return 0 if same else 1
    target.write_text(text, encoding="utf-8")
    for name in TABLE_MAKERS:
        (DEPTH_FOLDER / f"{name}.svg").write_bytes(
            render_figure(lambda name=name: draw(name), "svg")
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
