"""Polygons of the toy model of superposition: the loss itself, and its second derivative."""

from itertools import pairwise

import numpy as np
import pytest
from mpmath import iv, mp

from rlct.errors import InputError
from rlct.theorems import get_theorem

THEOREM = get_theorem("superposition-polygon")
STEP = mp.mpf(10) ** -9  # of differences; with 40 digits they are good to 8
GRID = 1000  # parts of (0, C), in each of which the equation or its derivative is not 0


def squared_error(wanted, slope, bias):
    """Integrate (wanted·x − (slope·x + bias)₊)² piece by piece."""
    cuts = [mp.mpf(0), mp.mpf(1)]
    if slope and 0 < -bias / slope < 1:
        cuts.insert(1, -bias / slope)
    total = mp.mpf(0)
    for low, high in pairwise(cuts):
        active = slope * (low + high) / 2 + bias > 0
        p, q = (wanted - slope, -bias) if active else (wanted, 0)
        total += p * p * (high**3 - low**3) / 3 + p * q * (high**2 - low**2) + q * q * (high - low)
    return total


def loss(point):
    """Sum over inputs and outputs; a point has the columns of W first, then b."""
    columns = len(point) // 3
    biases = point[2 * columns :]
    total = mp.mpf(0)
    for i in range(columns):
        for j in range(columns):
            slope = sum(point[2 * i + m] * point[2 * j + m] for m in (0, 1))
            total += squared_error(mp.mpf(i == j), slope, biases[j])
    return total


def equation(x, cosine):
    """Difference of the sides of the equation of the page."""
    plain, near = cosine * (1 - x) ** 2, 2 * (cosine - x) ** 2
    left = (1 + x) * (plain * (2 + x) + near * (2 * cosine + x))
    return left - 2 * (1 + x + x**2) * (plain + near)


def square_and_bias(x, cosine):
    """Return a and b."""
    a = (1 - x**2) / ((1 - x) ** 2 + 2 * (cosine - x) ** 2 / cosine)
    return a, -a * x


def polygon(corners, columns, positive=0):
    """Return the parameters of the point."""
    a, b = mp.mpf(1), mp.mpf(0)
    if corners > 4:
        cosine = mp.cos(2 * mp.pi / corners)
        ends = (0, cosine)
        x = mp.findroot(lambda x: equation(x, cosine), ends, solver="anderson")
        a, b = square_and_bias(x, cosine)
    angles = [2 * mp.pi * i / corners for i in range(corners)]
    weights = [mp.sqrt(a) * f(t) for t in angles for f in (mp.cos, mp.sin)]
    spare = columns - corners
    biases = [mp.mpf(1) / (2 * columns)] * positive + [mp.mpf(-1) / 3] * (spare - positive)
    return [*weights, *[mp.mpf(0)] * (2 * spare), *[b] * corners, *biases]


def second_derivative(point):
    """Gradient and Hessian by differences."""
    size, here = len(point), loss(point)

    def moved(*places):
        other = list(point)
        for place, sign in places:
            other[place] += sign * STEP
        return loss(other)

    ahead = [moved((i, 1)) for i in range(size)]
    behind = [moved((i, -1)) for i in range(size)]
    hessian = np.zeros((size, size))
    for i in range(size):
        hessian[i, i] = (ahead[i] + behind[i] - 2 * here) / STEP**2
        for j in range(i):
            both = moved((i, 1), (j, 1)) + here - ahead[i] - ahead[j]
            hessian[i, j] = hessian[j, i] = both / STEP**2
    gradient = [(p - q) / (2 * STEP) for p, q in zip(ahead, behind, strict=True)]
    return float(max(map(abs, gradient))), hessian


@pytest.mark.parametrize(
    ("columns", "corners", "positive"),
    [(6, 5, 0), (6, 6, 0), (6, 5, 1), (7, 5, 2)],
)
def test_twice_the_value_is_the_rank(columns, corners, positive):
    with mp.workdps(40):
        gradient, hessian = second_derivative(polygon(corners, columns, positive))
    values = np.linalg.eigvalsh(hessian)
    assert gradient < 1e-12
    assert values[0] > -1e-7
    pair = THEOREM.apply(columns=columns, corners=corners, positive=positive).pair
    assert np.sum(values > 1e-4) == 2 * pair.lam
    assert np.sum(values > 1e-7) == 2 * pair.lam


@pytest.mark.parametrize("corners", [5, 6])
def test_spare_columns_with_biases_of_both_signs_are_a_saddle(corners):
    """One that costs nothing moves, and one with a positive bias the other way."""
    with mp.workdps(40):
        point = polygon(corners, corners + 2, positive=1)
        other = list(point)
        other[2 * corners] -= mp.mpf("2e-5")
        other[2 * corners + 2] += mp.mpf("1e-3")
        assert loss(other) < loss(point) - mp.mpf("1e-10")
    with pytest.raises(InputError, match="does not apply"):
        THEOREM.apply(columns=corners + 2, corners=corners, positive=1)


def test_more_corners_are_refused():
    with pytest.raises(InputError, match="from 3 to 9 corners"):
        THEOREM.apply(columns=10, corners=10)


@pytest.mark.parametrize(("columns", "corners"), [(3, 3), (5, 3), (4, 4), (6, 4)])
def test_the_loss_with_kinks_is_comparable_with_squares(columns, corners):
    """In coordinates that the loss sees K/|y|² has the same positive limits at all sizes."""
    rng = np.random.default_rng(corners * columns)
    point = polygon(corners, columns)
    seen = 2 * corners + 3 * (corners > 3) + 2 * (columns - corners)
    assert seen == 2 * THEOREM.apply(columns=columns, corners=corners).pair.lam
    for _ in range(60):
        y = rng.normal(size=3 * columns)
        y /= np.linalg.norm(y)
        y[2 * columns + corners :] = 0
        ratios = []
        for size in (1e-3, 1e-4):
            other = [mp.mpf(v) for v in point]
            squares = 0.0
            turns = y[1 : 2 * corners : 2] * size
            for i in range(corners):
                length, angle = 1 + size * y[2 * i], 2 * np.pi * i / corners + turns[i]
                other[2 * i : 2 * i + 2] = length * np.cos(angle), length * np.sin(angle)
                squares += (size * y[2 * i]) ** 2
                if corners == 4:
                    squares += (turns[i] - turns[(i + 1) % 4]) ** 2
            for place in range(2 * corners, 2 * columns + corners):
                other[place] += size * y[place]
                squares += (size * y[place]) ** 2
            ratios.append(float((loss(other) - loss(point)) / squares))
        assert min(ratios) > 0.005
        assert ratios[0] == pytest.approx(ratios[1], rel=0.1)


def blocks(x, corners, frequency, field):
    """Entries of M_f from the derivatives in closed form, in floating point or in intervals."""
    turn = 2 * field.pi / corners
    cosine, sine = field.cos(turn), field.sin(turn)
    a, b = square_and_bias(x, cosine)
    d, e = a * cosine, a * sine
    # Derivatives of (a⁴ + 3a³b − 2a³ + 3a²b² − 3a²b + a² + ab³ + b³)/(3a²).
    d_a = (2 * a + 3 * b - 2 - b**3 / a**2 - 2 * b**3 / a**3) / 3
    d_aa = (2 + 2 * b**3 / a**3 + 6 * b**3 / a**4) / 3
    d_ab = 1 - b**2 / a**2 - 2 * b**2 / a**3
    d_bb = 2 + 2 * b / a + 2 * b / a**2
    # Derivatives of (d + b)³/(3d).
    n_d = (d + b) ** 2 * (2 * d - b) / (3 * d**2)
    n_dd = (2 * d + 2 * b**3 / d**2) / (3 * d)
    n_db = (d + b) * (d - b) / d**2
    n_bb = 2 * (d + b) / d
    c, s = field.cos(turn * frequency), field.sin(turn * frequency)
    lengths = 4 * a**2 * d_aa + 2 * a * d_a + 4 * d**2 * n_dd * (1 + c) + 4 * d * n_d * c
    angles = 2 * a * d_a + 4 * e**2 * n_dd * (1 - c) + 4 * d * n_d * c
    both = 4 * e * s * (d * n_dd + n_d)
    lengths_bias = 2 * a * d_ab + 2 * d * n_db * (1 + c)
    angles_bias = 2 * e * s * n_db
    return [
        [lengths, both, lengths_bias],
        [both, angles, angles_bias],
        [lengths_bias, angles_bias, d_bb + 2 * n_bb],
    ]


def minor(m, *rows):
    """Determinant of the rows and columns of these numbers."""
    if len(rows) == 1:
        return m[rows[0]][rows[0]]
    if len(rows) == 2:
        i, j = rows
        return m[i][i] * m[j][j] - m[i][j] ** 2
    first = m[0][0] * (m[1][1] * m[2][2] - m[1][2] ** 2)
    return (
        first
        - m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2])
        + m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2])
    )


def root(corners):
    """Enclose the only root between 0 and C: elsewhere one sign, and next to it one slope."""
    cosine = iv.cos(2 * iv.pi / corners)
    signs = []
    for part in range(GRID):
        x = cosine * iv.mpf([part, part + 1]) / GRID
        value = equation(x, cosine)
        signs.append((value.a > 0) - (value.b < 0))
        if not signs[-1]:
            near, far = (1 - x) ** 2, (cosine - x) ** 2
            left = cosine * near * (2 + x) + 2 * far * (2 * cosine + x)
            slope = cosine * (near - 2 * (1 - x) * (2 + x))
            slope += 2 * far - 4 * (cosine - x) * (2 * cosine + x)
            right = (2 + 4 * x) * (cosine * near + 2 * far)
            right -= 4 * (1 + x + x**2) * (cosine * (1 - x) + 2 * (cosine - x))
            assert (left + (1 + x) * slope - right).a > 0
    assert signs == sorted(signs)
    with mp.workdps(40):
        low, high = (c * mp.cos(2 * mp.pi / corners) / GRID for c in (signs.count(-1), GRID))
        middle = mp.findroot(
            lambda x: equation(x, mp.cos(2 * mp.pi / corners)), (low, high), solver="anderson"
        )
        ends = [middle - mp.mpf(10) ** -20, middle + mp.mpf(10) ** -20]
        at_ends = [equation(iv.mpf(end), cosine) for end in ends]
        assert at_ends[0].b < 0 < at_ends[1].a
        return iv.mpf(ends), cosine


@pytest.mark.parametrize("corners", range(5, 11))
def test_the_second_derivative_in_intervals(corners):
    """Proof of the page for 5 to 9 corners, and that 10 are a saddle."""
    iv.dps = 30
    x, cosine = root(corners)
    assert x.a > iv.cos(4 * iv.pi / corners).b  # only neighbours are active
    assert x.b < cosine.a
    still = blocks(x, corners, 0, iv)
    assert minor(still, 0).a > 0
    assert minor(still, 0, 2).a > 0
    others = [blocks(x, corners, f, iv) for f in range(1, corners // 2 + 1)]
    if corners == 10:
        assert minor(others[0], 0, 1, 2).b < 0
        return
    for matrix in others:
        assert all(minor(matrix, *range(size)).a > 0 for size in (1, 2, 3))
    m = others[0]
    # gᵀM⁻¹g by the adjugate, for g = (1, 1, 0).
    adjugate = minor(m, 1, 2) + minor(m, 0, 2) - 2 * (m[0][1] * m[2][2] - m[0][2] * m[1][2])
    a, _ = square_and_bias(x, cosine)
    kappa = minor(m, 0, 1, 2) / (a * corners * adjugate)
    assert (corners * a).a > 4
    assert (8 * kappa * (corners + 1) * (corners * a - 1) / 3).a > 1


@pytest.mark.parametrize("corners", [5, 6])
def test_the_matrices_are_the_second_derivative(corners):
    """The values of all M_f are those of the Hessian in ρ, t and b, and κ is its Schur value."""
    with mp.workdps(40):
        point = polygon(corners, corners)
        _, hessian = second_derivative(point)
        x = -point[2 * corners] / (point[0] ** 2)
        matrices = [np.array(blocks(x, corners, f, mp), dtype=float) for f in range(corners)]
    weights = np.array(point[: 2 * corners], dtype=float).reshape(-1, 2)
    change = np.eye(3 * corners)
    for i, (u, v) in enumerate(weights):
        change[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[u, -v], [v, u]]
    values = np.linalg.eigvalsh(change.T @ hessian @ change)
    expected = np.sort(np.concatenate([np.linalg.eigvalsh(m) for m in matrices]))
    assert values == pytest.approx(expected, abs=1e-6)
    g = np.array([1, 1, 0])
    kappa = 1 / (float(point[0]) ** 2 * corners * (g @ np.linalg.solve(matrices[1], g)))
    total = np.zeros((2, 3 * corners))
    total[0, 0 : 2 * corners : 2] = total[1, 1 : 2 * corners : 2] = 1
    schur = np.linalg.inv(total @ np.linalg.pinv(hessian, rcond=1e-9) @ total.T) / 2
    assert schur == pytest.approx(kappa * np.eye(2), abs=1e-6)
