"""Models themselves: targets whose K is that of the model, no polynomial of a proof between.

Rows are commands of `rlct net` and `rlct model`, a theorem with arguments, or a ReLU network;
`model_oracles.py` has K of those that `rlct check` does not sample themselves.

Of the toy model of superposition K is the loss, integrated in closed form with all its kinks, less
that at a polygon: at the square, with four columns, the theorem says λ = 11/2.
"""

import shlex
from functools import cache

import numpy as np

import rlct
from rlct.answers.exact import solve
from rlct.answers.targets import sampled_question, target_of
from rlct.cli import common
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.sampling.targets.target import BoxTarget
from rlct.theorems import get_theorem
from validation.theorems.model_oracles import MODEL_ORACLES

SQUARE_POLYGON = "superposition-polygon columns=4 corners=4"
#: Those that `rlct check` samples themselves, as they have no polynomials, or integrates.
SAMPLED_COMMANDS = (
    "net experts 2 2 1",
    "net norm 3 4",
    "net norm 2 4 --gains --centred",
    "net norm 3 3 --gains --shifts --bias",
)
RELU_NETWORKS = {
    "ReLU units ±x, inputs -1, 0, 1, 2": ReluNetwork(
        ((1, 0), (-1, 0)), ((1, 1),), data=((-1,), (0,), (1,), (2,))
    ),
    "two ReLU units of one boundary, density on a square": ReluNetwork(
        ((1, 0), (1, 0)), (("1/2", "1/2"),), box=((-1, 1), (-1, 1)), bias=False
    ),
}
SIMULATED_MODELS = (SQUARE_POLYGON, *MODEL_ORACLES, *SAMPLED_COMMANDS, *RELU_NETWORKS)


class ModelTarget(BoxTarget):
    """A model in the variables of its question, with their prior and walls, and K by an oracle."""

    resolution = 1e20

    def __init__(self, problem, oracle, radius=0.2):
        """The box lies around the point of the question."""
        super().__init__(len(problem.variables), radius)
        self.names, self.oracle = problem.variables, oracle
        self.point = np.array([float(value) for value in problem.point])
        self.powers = np.array([float(h) for h in problem.prior]) * (self.point == 0)
        self.walls = np.array(problem.nonneg) & (self.point == 0)

    def divergence(self, w):
        """K at each point; huge outside of the box, where a model may be none."""
        with np.errstate(all="ignore"):
            k = self.oracle(dict(zip(self.names, (self.point + w).T, strict=True)))
        return np.where(np.isfinite(k), np.maximum(k, 0.0), 1e30)

    def log_prior(self, w):
        """Of Π|w|^h in the box, on one side of each wall."""
        with np.errstate(all="ignore"):
            powers = np.where(self.powers != 0, self.powers * np.log(np.abs(w)), 0.0).sum(axis=1)
        inside = (w[:, self.walls] >= 0).all(axis=1)
        return np.where(inside, super().log_prior(w) + powers, -np.inf)

    def sample_prior(self, count, rng):
        """Draws by the inverse distribution function of |w|^h."""
        sizes = rng.random((count, self.dimension)) ** (1 / (1 + self.powers))
        signs = np.where(self.walls, 1.0, rng.choice([-1.0, 1.0], sizes.shape))
        return self.radius * sizes * signs


@cache
def proved(name):
    """What theory says of a row."""
    if name in RELU_NETWORKS:
        return solve(RELU_NETWORKS[name], timeout=5.0)
    if name.startswith(("net ", "model ")):
        options = common.question_options(shlex.split(name), "check")
        return solve(options.ask(options), timeout=5.0)
    theorem, *values = name.split()
    return rlct.theorem(theorem, **get_theorem(theorem).parse(values))


def model_target(name):
    """Target of a row."""
    if name == SQUARE_POLYGON:
        return Polygon(4, 4, 1.0, 0.0)
    oracle, asked = MODEL_ORACLES.get(name), proved(name).question
    return target_of(asked) if oracle is None else ModelTarget(sampled_question(asked), oracle)


def squared_error(wanted, slope, bias):
    """∫ (wanted·x − (slope·x + bias)₊)² over 0 ≤ x ≤ 1, elementwise."""
    with np.errstate(all="ignore"):
        kink = np.clip(-bias / slope, 0, 1)
    low = np.where(bias > 0, 0, np.where(slope + bias > 0, kink, 1))
    high = np.where(slope + bias > 0, 1, np.where(bias > 0, kink, low))
    power = [(high**n - low**n) / n for n in (1, 2, 3)]
    relu = slope**2 * power[2] + 2 * slope * bias * power[1] + bias**2 * power[0]
    return wanted / 3 - 2 * wanted * (slope * power[2] + bias * power[1]) + relu


class Polygon(BoxTarget):
    """Loss of ReLU(WᵀWx + b), one input active, less that at a regular polygon."""

    resolution = 1e9  # rounding of a loss of size 1

    def __init__(self, columns, corners, square, bias, spare=-0.3):
        """Squared length of the columns at the corners, their bias, and that of the others."""
        angles = 2 * np.pi * np.arange(corners) / corners
        weights = np.zeros((columns, 2))
        weights[:corners] = np.sqrt(square) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        biases = np.where(np.arange(columns) < corners, bias, spare)
        super().__init__(3 * columns, 0.1)
        self.columns = columns
        self.point = np.concatenate([weights.ravel(), biases])
        self.least = self.loss(self.point[None])

    def loss(self, point):
        """Sum over inputs and outputs."""
        weights = point[:, : 2 * self.columns].reshape(-1, self.columns, 2)
        slopes = weights @ weights.transpose(0, 2, 1)
        biases = np.broadcast_to(point[:, None, 2 * self.columns :], slopes.shape)
        return squared_error(np.eye(self.columns), slopes, biases).sum(axis=(1, 2))

    def divergence(self, w):
        """K at each point; the loss is least at 0 in the box, so what is below 0 is rounding."""
        return np.maximum(self.loss(self.point + w) - self.least, 0.0)
