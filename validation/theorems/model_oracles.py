"""K of models, written from their definitions: no polynomial of a proof is used.

An oracle takes the values of the variables in which a model writes its question, arrays of shape
``(n,)`` by name, and gives K, shape ``(n,)``: the Kullback–Leibler divergence from the truth, or
half the mean squared gap of a regression function.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats: TypeAlias = NDArray[np.floating[Any]]
Values: TypeAlias = Mapping[str, Floats]
Oracle: TypeAlias = Callable[[Values], Floats]

SERIES_BELOW = 1e-3  # below it φ is r²/2 − r³/3 + r⁴/4 − r⁵/5, its rest below 10⁻¹² of φ
HERMITE_NODES = np.polynomial.hermite_e.hermegauss(40)[0]
NODE_PAIRS = np.stack(np.meshgrid(HERMITE_NODES[::2], HERMITE_NODES[::2]), axis=-1).reshape(-1, 2)
ONE_THIRDS = np.full(3, 1 / 3)
TOKEN_ROWS = np.random.default_rng(5).standard_normal((12, 3))  # sequences of three numbers


def phi(r: Floats) -> Floats:
    """Give r − log(1 + r), precise at 0."""
    with np.errstate(all="ignore"):  # proposals outside the box are refused by the prior
        series = r * r * (1 / 2 - r * (1 / 3 - r * (1 / 4 - r / 5)))
        return np.where(np.abs(r) < SERIES_BELOW, series, r - np.log1p(r))


def divergence_of_cells(gaps: Floats, truth: Floats) -> Floats:
    """Σ q φ(p/q − 1) of gaps p − q, shape ``(n, cells)``."""
    return phi(gaps / truth) @ truth


def gaussian_divergence(error: Floats) -> Floats:
    """Of a normal law with covariance I + E from the standard one, E of shape ``(n, p, p)``."""
    with np.errstate(all="ignore"):
        values = np.linalg.eigvalsh(error)
        return phi(-values / (1 + values)).sum(axis=1) / 2


def regression(
    function: Callable[[Values, Floats], Floats], inputs: Floats = HERMITE_NODES
) -> Oracle:
    """Half the mean squared gap between a function and a truth, given as one difference."""
    return lambda v: (function(v, inputs) ** 2).mean(axis=1) / 2


def tanh_zero(
    activation: Callable[[Floats], Floats], units: int, inputs: int = 1, outputs: int = 1
) -> Oracle:
    """Σ a_h s(b_h x), the truth being 0."""
    nodes = HERMITE_NODES[:, None] if inputs == 1 else NODE_PAIRS

    def gap(v: Values, x: Floats) -> Floats:
        hidden = [
            activation(sum(v[f"b{i + 1}_{h + 1}"][:, None] * x[:, i] for i in range(inputs)))
            for h in range(units)
        ]
        rows = (
            sum(v[f"a{k + 1}_{h + 1}"][:, None] * hidden[h] for h in range(units))
            for k in range(outputs)
        )
        return np.concatenate(list(rows), axis=1)

    return regression(gap, nodes / 4)


def mixture(
    truth: tuple[Floats, Floats],
    ratio: Callable[..., Floats],
    names: tuple[str, str] = ("b1_1", "b1_2"),
    weight: str = "a2",
) -> Oracle:
    """Two laws beside the true one at nodes x with chances q; log ratios by their parameters.

    ``names`` are parameters of the first law, then of the second; none of the first is the truth.
    """
    nodes, chances = truth

    def oracle(v: Values) -> Floats:
        first, second = (
            np.expm1(ratio(nodes, *(v[name][:, None] for name in part.split()))) for part in names
        )
        a = v[weight][:, None]
        return phi((1 - a) * first + a * second) @ chances

    return oracle


def tanh_beside(v: Values, x: Floats) -> Floats:
    """Two units beside one true unit tanh(x): d is the distance of b from 1."""
    units = ((v[f"a1_{h}"][:, None], v[f"d1_{h}"][:, None]) for h in (1, 2))
    return sum(a * np.tanh((1 + d) * x) for a, d in units) - np.tanh(x)


def tanh_bias_beside(v: Values, x: Floats) -> Floats:
    """Two units with biases beside one true unit tanh(x + 1/2)."""
    units = ((v[f"a{h}"][:, None], v[f"u{h}_1"][:, None], v[f"u{h}_2"][:, None]) for h in (1, 2))
    return sum(a * np.tanh((1 + b) * x + c + 0.5) for a, b, c in units) - np.tanh(x + 0.5)


def softmax_classes(v: Values) -> Floats:
    """Two classes, both alike in truth, by softmax(B A x) with two inputs and one hidden unit."""
    slopes = np.stack([v["b1_1"] * v[f"a1_{j}"] - v["b2_1"] * v[f"a1_{j}"] for j in (1, 2)], axis=1)
    half = np.tanh(slopes @ NODE_PAIRS.T / 2) / 2  # p − 1/2
    return -np.log1p(-4 * half**2).mean(axis=1) / 2


def softmax_attention(v: Values) -> Floats:
    """One head on three tokens: Σ_t softmax_t(x_0 q k x_t) o w x_t, where q k = o w = 1."""

    def outputs(score: Floats, value: Floats) -> Floats:
        weights = np.exp(score[:, None, None] * TOKEN_ROWS[:, :1] * TOKEN_ROWS)
        return value[:, None] * (weights * TOKEN_ROWS).sum(axis=2) / weights.sum(axis=2)

    unit = np.ones(1)
    gap = outputs(v["q1_1_1"] * v["k1_1_1"], v["o1_1_1"] * v["w1_1_1"]) - outputs(unit, unit)
    return (gap**2).mean(axis=1) / 2


def two_classes(weight: str, first: str, second: str) -> Oracle:
    """Two independent features ± 1/2, given one of two classes; the truth is uniform."""

    def oracle(v: Values) -> Floats:
        a = v[weight]
        cells = []
        for signs in product((1, -1), repeat=2):
            gaps = [
                np.prod([0.5 + s * v[name.format(i)] for i, s in enumerate(signs, 1)], axis=0)
                for name in (first, second)
            ]
            cells.append(a * (gaps[0] - 0.25) + (1 - a) * (gaps[1] - 0.25))
        return divergence_of_cells(np.stack(cells, axis=1), np.full(4, 0.25))

    return oracle


def boltzmann_machine(v: Values) -> Floats:
    """Two visible units ± 1 and a hidden one: p(x) is as cosh(a_1 x_1 + a_2 x_2)."""
    a, b = v["a1_1"], v["a2_1"]
    # cosh(a ± b) = cosh a cosh b (1 ± tanh a tanh b): p − 1/4 is ± tanh a tanh b / 4.
    cosh = np.stack([np.cosh(a + b), np.cosh(a - b)], axis=1)
    gap = (cosh / cosh.sum(axis=1, keepdims=True)) / 2 - 0.25
    exact = np.sinh(a) * np.sinh(b) / (2 * cosh.sum(axis=1))  # the same without cancellation
    gap = np.where(np.abs(gap) < SERIES_BELOW, np.stack([exact, -exact], axis=1), gap)
    return divergence_of_cells(np.concatenate([gap, gap], axis=1), np.full(4, 0.25))


def factor_model(v: Values) -> Floats:
    """Three variables of variance 1 + d and one factor; the truth is I."""
    a = np.stack([v[f"a{i}_1"] for i in (1, 2, 3)], axis=1)
    error = a[:, :, None] * a[:, None, :]
    for i in range(3):
        error[:, i, i] += v[f"d{i + 1}"]
    return gaussian_divergence(error)


def star_tree(v: Values) -> Floats:
    """Three leaves of variance 1 + v at one hidden node; the truth is I."""
    error = np.empty((len(v["v1"]), 3, 3))
    for i, j in product(range(3), repeat=2):
        scale = np.sqrt(np.abs((1 + v[f"v{i + 1}"]) * (1 + v[f"v{j + 1}"])))
        error[:, i, j] = v[f"v{i + 1}"] if i == j else scale * v[f"r{i + 1}_4"] * v[f"r{j + 1}_4"]
    return gaussian_divergence(error)


def topics(v: Values) -> Floats:
    """Two documents of two topics over three words, all true frequencies 1/3."""
    total = 0.0
    for j in (1, 2):
        b = v[f"b1_{j}"]
        gaps = [v[f"a{i}_1"] * b + v[f"a{i}_2"] * (1 - b) - 1 / 3 for i in (1, 2)]
        total = total + divergence_of_cells(
            np.stack([*gaps, -gaps[0] - gaps[1]], axis=1), ONE_THIRDS
        )
    return total / 2


def hidden_markov(v: Values) -> Floats:
    """Words of two letters and length 3 from two states; a true one that gives 1/2 each."""
    stay = [[1 - v["a1_2"], v["a1_2"]], [1 - v["a2_2"], v["a2_2"]]]
    letters = [[v["b1_1"], 1 - v["b1_1"]], [v["b2_1"], 1 - v["b2_1"]]]
    cells = []
    for word in product((0, 1), repeat=3):
        forward = [letters[0][word[0]], 0.0]
        for letter in word[1:]:
            forward = [
                (forward[0] * stay[0][j] + forward[1] * stay[1][j]) * letters[j][letter]
                for j in (0, 1)
            ]
        cells.append(forward[0] + forward[1] - 0.125)
    return divergence_of_cells(np.stack(cells, axis=1), np.full(8, 0.125))


def chains(v: Values) -> Floats:
    """Four transitions from state 0 of two mixed chains on two states; the truth is uniform."""
    cells = []
    for word in product((0, 1), repeat=4):
        terms = []
        for h in (1, 2):
            steps = pairwise((0, *word))
            gaps = [v[f"p{h}_{i + 1}_1"] * (1 - 2 * j) for i, j in steps]
            terms.append(np.prod([0.5 + gap for gap in gaps], axis=0) - 1 / 16)
        cells.append((1 - v["a2"]) * terms[0] + v["a2"] * terms[1])
    return divergence_of_cells(np.stack(cells, axis=1), np.full(16, 1 / 16))


NORMAL_NODES, NORMAL_CHANCES = np.polynomial.hermite_e.hermegauss(80)
NORMAL_LAW = (NORMAL_NODES, NORMAL_CHANCES / NORMAL_CHANCES.sum())
OUTCOME_COUNTS = np.arange(61)
CATEGORY_PAIRS = np.array(list(product(range(3), repeat=2)))  # two draws of three categories
MODEL_ORACLES: dict[str, Oracle] = {
    "binomial-mixture components=2 true=1 trials=2 concentration=1": mixture(
        (OUTCOME_COUNTS[:3], np.array([0.36, 0.48, 0.16])),
        lambda k, b: k * np.log1p(b / 0.4) + (2 - k) * np.log1p(-b / 0.6),
    ),
    "poisson-mixture components=2 true=1 concentration=1": mixture(
        (OUTCOME_COUNTS, np.exp(-1 - gammaln(OUTCOME_COUNTS + 1))), lambda k, b: k * np.log1p(b) - b
    ),
    "exponential-mixture components=2 true=1 concentration=1": mixture(
        np.polynomial.laguerre.laggauss(30), lambda x, b: x * b / (1 + b) - np.log1p(b)
    ),
    "gaussian-mixture components=2 true=1 dimension=1 concentration=1": mixture(
        NORMAL_LAW, lambda x, b: b * x - b * b / 2
    ),
    "contaminated-mixture dimension=1 concentration=1": mixture(
        NORMAL_LAW, lambda x, b=0.0: b * x - b * b / 2, ("", "b1"), "a"
    ),
    "location-scale-mixture concentration=1": mixture(
        NORMAL_LAW,
        lambda x, m, v: (x * x - (x - m) ** 2 / (1 + v) - np.log1p(v)) / 2,
        ("m v", "n w"),
        "a",
    ),
    "multinomial-mixture components=2 true=1 categories=3 trials=2 concentration=1": mixture(
        (CATEGORY_PAIRS, np.full(9, 1 / 9)),
        lambda x, b, c: np.log1p(3 * np.stack([b, c, -b - c], axis=-1)[:, 0, x]).sum(axis=-1),
        ("b1_1 b2_1", "b1_2 b2_2"),
    ),
    "two-hidden-units inputs=2 outputs=2 step=1": tanh_zero(np.expm1, 2, 2, 2),
    "three-hidden-units inputs=2 outputs=1 step=1": tanh_zero(np.expm1, 3, 2),
    "net tanh 1 1 1": tanh_zero(np.tanh, 1),
    "net tanh 1 2 1": tanh_zero(np.tanh, 2),
    "net tanh 1 2 1 --step 1": tanh_zero(np.expm1, 2),
    "net tanh 1 2 1 --true-hidden 1": regression(tanh_beside),
    "net tanh-bias 1 2 --true-hidden 1": regression(tanh_bias_beside),
    "net softmax 2 1 2": softmax_classes,
    "net softmax-attention 1 1 1 --values 1": softmax_attention,
    "model naive-bayes --features 2": two_classes("a", "u{}", "v{}"),
    "model binary-tree --leaves 2 --edges 1-3,2-3 --root 3": two_classes("t", "u{}_1", "u{}_0"),
    "model latent-class --classes 2 --true 1 --categories 2,2": two_classes(
        "a2", "f2_{}_1", "f1_{}_1"
    ),
    "model rbm --visible 2 --hidden 1": boltzmann_machine,
    "model factor-analysis --variables 3 --factors 1": factor_model,
    "model forest --leaves 3 --edges 1-4,2-4,3-4": star_tree,
    "model lda --words 3 --topics 2 --documents 2 --true-topics 1": topics,
    "model hidden-markov --states 2 --symbols 2 --true 1 --length 3": hidden_markov,
    "model markov-mixture --components 2 --true 1 --states 2 --transitions 4": chains,
}
