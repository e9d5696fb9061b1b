"""ReLU networks with inputs on boundaries: pieces of the weights, and the least pair of them."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import rlct
from rlct.algebra.exact_rank import matrix_rank
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_chambers import chambers, simplicial_cones
from rlct.pair import Pair


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_cones_tile_space(width) -> None:
    """Almost every direction is in exactly one cone, and no hyperplane cuts a cone."""
    rng = np.random.default_rng(width)
    for count in (1, 2, 4, 6):
        normals = [tuple(map(Fraction, map(int, rng.integers(-2, 3, width)))) for _ in "x" * count]
        normals = [n for n in normals if any(n)] or [(Fraction(1),) * width]
        inside = np.zeros(500, dtype=int)
        directions = rng.normal(size=(500, width))
        walls = np.array(normals, float)
        seen = directions @ np.linalg.pinv(walls) @ walls  # modulo what lies in all hyperplanes
        for cone in simplicial_cones(normals):
            assert len(cone) == matrix_rank(cone) == matrix_rank(normals)
            rays = np.array(cone, float)
            inside += (np.linalg.lstsq(rays.T, seen.T, rcond=None)[0] > 0).all(axis=0)
            for n in normals:
                values = [_dot(ray, n) for ray in cone]
                assert min(values) >= 0 or max(values) <= 0
        assert (inside == 1).all()


def _value(hidden, outer, z) -> list[Fraction]:
    active = [max(sum(a * b for a, b in zip(w, z, strict=True)), Fraction(0)) for w in hidden]
    return [sum(v * a for v, a in zip(row, active, strict=True)) for row in outer]


def test_pieces_are_the_network() -> None:
    """Generators at a random point of each piece are the values that move, one by one."""
    rng = random.Random(4)
    met = 0
    for _ in range(25):
        units, width, outputs = rng.randint(1, 2), rng.randint(1, 3), rng.randint(1, 2)
        hidden = [[rng.randint(-1, 1) for _ in range(width)] for _ in range(units)]
        outer = [[rng.randint(-1, 1) for _ in range(units)] for _ in range(outputs)]
        data = [[rng.randint(-1, 1) for _ in range(width)] for _ in range(rng.randint(1, 4))]
        network = ReluNetwork(hidden, outer, data, bias=False)
        walls = [[z for z in network.inputs if any(z) and not _dot(w, z)] for w in network.hidden]
        cones = [simplicial_cones(found) for found in walls]
        if not network.on_boundary or np.prod([len(c) for c in cones]) > 64:
            continue
        choices = [(one, two) for one in cones[0] for two in (cones[1] if units > 1 else [()])]
        for piece, chosen in zip(chambers(network), choices, strict=True):
            t = {
                f"t{j + 1}_{i + 1}": Fraction(rng.randint(1, 9), 999)
                for j in (0, 1)
                for i in range(3)
            }
            v = [[x + Fraction(rng.randint(-9, 9), 99) for x in row] for row in network.outer]
            moved = [
                [
                    a + sum(t[f"t{j + 1}_{i + 1}"] * ray[c] for i, ray in enumerate(chosen[j]))
                    for c, a in enumerate(w)
                ]
                for j, w in enumerate(network.hidden)
            ]
            true = [x for z in network.inputs for x in _value(network.hidden, network.outer, z)]
            new = [x for z in network.inputs for x in _value(moved, v, z)]
            gaps = sorted({a - b for a, b in zip(new, true, strict=True)} | {Fraction(0)})
            if piece is None:
                assert gaps == [0]
                continue
            names = {f"v{k + 1}_{j + 1}": x for k, row in enumerate(v) for j, x in enumerate(row)}
            at = [{**t, **names}.get(name, Fraction(0)) for name in piece.variables]
            found = {
                Fraction(
                    str(
                        g.ring.domain.to_sympy(
                            g.evaluate(
                                list(zip(g.ring.gens, map(g.ring.domain.convert, at), strict=True))
                            )
                        )
                    )
                )
                for g in piece.generators
            }
            assert sorted(found | {Fraction(0)}) == gaps
            met += 1
    assert met > 60


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize(
    ("weights", "data", "pair"),
    [
        # For b < 0 the input 0 sees nothing, and the input 1 one value.
        ({"hidden": [[1]], "bias": [0], "outer": [[1]]}, [[0], [1]], (Fraction(1, 2), 1)),
        # Two units share the boundary 0, on which an input lies: K ≍ u² + v² + t².
        (
            {"hidden": [[1], [1]], "bias": [0, 0], "outer": [["1/2", "1/2"]]},
            [[-1], [0], ["1/2"], [1]],
            (Fraction(3, 2), 1),
        ),
        # A unit at 0 that sees inputs on both sides: (1 + v)²w², and v²w².
        ({"hidden": [[0]], "outer": [[1]]}, [[1], [-1]], (Fraction(1, 2), 1)),
        ({"hidden": [[0]], "outer": [[0]]}, [[1], [-1]], (Fraction(1, 2), 2)),
        # f = max(0, w·x) in the plane: (1, 0) sees ±w₂ on either side, and (1, 0) itself sees w₁.
        ({"hidden": [[1, 0]], "outer": [[1]]}, [[0, 1], [0, -1], [1, 0]], (Fraction(1), 1)),
    ],
)
def test_known_values(weights, data, pair) -> None:
    found = rlct.relu(weights, data=data)
    assert found.pair == Pair(*pair)
    assert "piece by piece" in found.notes[0]


def test_pieces_agree_with_volumes() -> None:
    """The share of weights with K < t, by plain Monte Carlo, has the slope of the pair."""
    weights = {"hidden": [[1], [-1]], "bias": [0, 0], "outer": [[1, 1]]}
    assert rlct.relu(weights, data=[[-1], [0], [1]]).pair == Pair(1, 1)
    rng = np.random.default_rng(11)
    level, ratio = 4.0**-8, 16  # the pieces of the pair 3/2 still add a share of order √level
    counts = np.zeros(2)
    for _ in range(20):
        w, b, v = (rng.uniform(-0.1, 0.1, (200_000, 2)) for _ in range(3))
        w += [1, -1]
        units = [(1 + v) * np.maximum(w * x + b, 0) for x in (-1, 0, 1)]
        K = sum((f.sum(axis=1) - abs(x)) ** 2 for f, x in zip(units, (-1, 0, 1), strict=True))
        counts += [np.sum(K / scale < level) for scale in (1, ratio)]
    slope = np.log(counts[1] / counts[0]) / np.log(ratio)
    error = np.sqrt((1 / counts).sum()) / np.log(ratio)
    assert abs(slope - 3 / 2) > 10 * error  # another pair is seen to be wrong
    assert abs(slope - 1) < 5 * error + 0.03


def test_no_pair_where_a_piece_sees_nothing() -> None:
    with pytest.raises(rlct.InputError, match="0 on an open set"):
        rlct.relu({"hidden": [[0]], "outer": [[1]]}, data=[[1]])


def test_too_many_pieces_leave_bounds() -> None:
    hidden = [[0, 0, 0]] * 3
    data = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]]
    found = rlct.relu({"hidden": hidden, "outer": [[1, 1, 1]]}, data=data)
    assert found.status == "bounds"
    assert "pieces: only bounds" in found.notes[0]
