"""A table of networks, each as polynomials: its coefficients in the inputs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from math import factorial, prod
from typing import Final

from rlct.errors import InputError
from rlct.models.generic import rank_ends
from rlct.models.kit.expressions import check_term_count


@dataclass(frozen=True)
class PolynomialNetwork:
    """A network of the table."""

    #: What it is, and the map.
    title: str
    formula: str
    #: Names of its sizes, in their order.
    sizes: tuple[str, ...]
    #: Sizes that are answered at once.
    example: str
    #: Sizes to blocks of weights: how many, and their degree in each term, 0 if it varies.
    blocks: Callable[..., Iterable[tuple[int, int]]]
    #: Sizes to a number of coefficients in whose ideal all others are at the function 0.
    coefficients: Callable[..., int]
    #: Sizes to coefficients, each a list of products: names of weights with a number before.
    build: Callable[..., Iterator[list[str]]]
    #: Sizes to bounds of the rank at every weight that neither counting nor symmetries give.
    upper: Callable[..., Iterator[tuple[int, str]]] = lambda *sizes: iter(())
    #: Whether its command asks about a truth that is a matrix of any rank.
    of_rank: bool = False
    #: Sizes to what the law of the inputs must be, so that the squared error is comparable with the
    #: squared distance of the coefficients; nothing if there are no inputs.
    comparable_if: Callable[..., str] = lambda *sizes: ""

    def weights(self, *sizes: int) -> int:
        """Count the weights."""
        return sum(count for count, _ in self.blocks(*sizes))

    def smooth_order(self, *sizes: int) -> tuple[int, int]:
        """Numbers d and m with K ≤ C|y|^(2m) in d coordinates y at zeros of the network.

        The least d/m of the theory page ``parameter-count-bound``: one block of degree m vanishes,
        or the coefficients do, which are linear in a block.

        >>> POLYNOMIAL_NETWORKS["glu"].smooth_order(100, 100, 100)
        (10000, 1)
        """
        found = [(count, degree) for count, degree in self.blocks(*sizes) if degree]
        if any(degree == 1 for _, degree in found):
            found.append((self.coefficients(*sizes), 1))
        return min(found, key=lambda one: Fraction(*one))


def _determined(degree: int) -> str:
    """What the inputs of forms of a degree must be."""
    form = {1: "linear form", 2: "quadratic form"}.get(degree, f"form of degree {degree}")
    return f"the inputs determine every {form} and have finite moments of order {2 * degree}"


def _second_moment(*sizes: int) -> str:
    return "the second moment of the inputs is positive definite"


def _pairs(n: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(n), 2))


def _orders(places: tuple[int, ...]) -> list[tuple[int, ...]]:
    return sorted({places, places[::-1]})


def _glu(n: int, k: int, c: int) -> Iterator[list[str]]:
    for o, places in product(range(c), _pairs(n)):
        yield [f"v{o}_{h}*u{h}_{i}*g{h}_{j}" for h in range(k) for i, j in _orders(places)]


def _attention(n: int, k: int, c: int, heads: int) -> Iterator[list[str]]:
    for o, i, places in product(range(c), range(n), _pairs(n)):
        yield [
            f"q{h}_{i}_{a}*k{h}_{j}_{a}*v{h}_{m}_{o}"
            for h, a in product(range(heads), range(k))
            for j, m in _orders(places)
        ]


def _scores(n: int, k: int) -> Iterator[list[str]]:
    for places in _pairs(n):
        yield [f"q{i}_{a}*k{j}_{a}" for a in range(k) for i, j in _orders(places)]


def _power(n: int, k: int, degree: int) -> Iterator[list[str]]:
    for places in combinations_with_replacement(range(n), degree):
        powers = Counter(places)
        ways = factorial(degree) // prod(map(factorial, powers.values()))
        yield [
            f"{ways}*v{h}*" + "*".join(f"w{h}_{i}**{e}" for i, e in powers.items())
            for h in range(k)
        ]


def _tensor(*sizes: int) -> Iterator[list[str]]:
    *dims, k = sizes
    for cell in product(*map(range, dims)):
        yield ["*".join(f"{'abcd'[m]}{x}_{h}" for m, x in enumerate(cell)) for h in range(k)]


def _state_space(states: int, n: int, c: int, steps: int) -> Iterator[list[str]]:
    check_term_count(n * c * states**steps)
    for k, o, i in product(range(steps), range(c), range(n)):
        yield [
            "*".join(
                [f"c{o}_{path[0]}", *(f"a{x}_{y}" for x, y in pairwise(path)), f"b{path[-1]}_{i}"]
            )
            for path in product(range(states), repeat=k + 1)
        ]


def _diagonal(states: int, n: int, c: int, steps: int) -> Iterator[list[str]]:
    for k, o, i in product(range(steps), range(c), range(n)):
        yield [f"c{o}_{s}*b{s}_{i}" + f"*a{s}**{k}" * (k > 0) for s in range(states)]


def _experts(n: int, k: int, c: int) -> Iterator[list[str]]:
    for o, places in product(range(c), _pairs(n)):
        yield [f"g{h}_{i}*w{h}_{o}_{j}" for h in range(k) for i, j in _orders(places)]


def _circulant(n: int, layers: int) -> Iterator[list[str]]:
    """Real and imaginary parts of the product at each frequency: a change of coordinates."""
    check_term_count(n * 2**layers)
    for f in range(n // 2 + 1):
        if 2 * f in (0, n):  # these coefficients are real
            yield ["*".join(f"x{m}_{f}" for m in range(layers))]
            continue
        products: dict[int, list[str]] = {0: [], 1: []}
        for parts in product("xy", repeat=layers):
            imaginary = parts.count("y")
            weights = (f"{part}{m}_{f}" for m, part in enumerate(parts))
            products[imaginary % 2].append("*".join([f"{(-1) ** (imaginary // 2)}", *weights]))
        yield from products.values()


def _gram(n: int, k: int) -> Iterator[list[str]]:
    for i, j in _pairs(n):
        yield [f"u{i}_{h}*u{j}_{h}" for h in range(k)]


def _lora(n: int, k: int, c: int) -> Iterator[list[str]]:
    for o, i in product(range(c), range(n)):
        yield [f"b{o}_{h}*a{h}_{i}" for h in range(k)]


def _ppca(n: int, k: int) -> Iterator[list[str]]:
    for (i, j), products in zip(_pairs(n), _gram(n, k), strict=True):
        yield [*products, *(["s"] if i == j else [])]


#: By the names of their commands.
POLYNOMIAL_NETWORKS: Final[dict[str, PolynomialNetwork]] = {
    "attention": PolynomialNetwork(
        "linear attention of one layer, tokens with a density",
        "output at token t: sum over heads h and tokens s of (x_t.Q_h K_h^T x_s) V_h^T x_s",
        ("inputs", "keys", "outputs", "heads"),
        "3 2 2 1",
        lambda n, k, c, heads: 2 * [(heads * n * k, 1)] + [(heads * n * c, 1)],
        lambda n, k, c, heads: c * n * rank_ends.count_forms(n),
        _attention,
        comparable_if=lambda *sizes: (
            "the tokens, two or more, have a joint density and finite moments of order 6"
        ),
    ),
    "circulant": PolynomialNetwork(
        "linear convolutions on a circle, one channel",
        "the circular convolution of all layers, filters of as many weights as places",
        ("places", "layers"),
        "3 2",
        lambda n, layers: layers * [(n, 1)],
        lambda n, layers: n,
        _circulant,
        comparable_if=lambda *sizes: "the inputs have second moments, not 0 at any frequency",
    ),
    "diagonal-state-space": PolynomialNetwork(
        "linear state-space layer with a diagonal matrix",
        "outputs C A^k B x, k steps after an input x, k < steps; A is diagonal",
        ("states", "inputs", "outputs", "steps"),
        "4 2 2 4",
        lambda states, n, c, steps: [(states * c, 1), (states * n, 1), (states * (steps > 1), 0)],
        lambda states, n, c, steps: n * c * min(steps, states),
        _diagonal,
        rank_ends.states_upper,
        comparable_if=_second_moment,
    ),
    "glu": PolynomialNetwork(
        "bilinear layer: gated linear units without activation",
        "f_o(x) = sum_h v_oh (u_h.x)(g_h.x)",
        ("inputs", "units", "outputs"),
        "3 2 2",
        lambda n, k, c: 2 * [(k * n, 1)] + [(k * c, 1)],
        lambda n, k, c: c * rank_ends.count_forms(n),
        _glu,
        rank_ends.glu_upper,
        comparable_if=lambda *sizes: _determined(2),
    ),
    "four-mode-tensor": PolynomialNetwork(
        "sum of tensors of rank one with four modes",
        "sum_h a_h x b_h x c_h x d_h",
        ("first", "second", "third", "fourth", "terms"),
        "2 2 2 2 3",
        lambda *sizes: [(sizes[-1] * size, 1) for size in sizes[:-1]],
        lambda *sizes: prod(sizes[:-1]),
        _tensor,
        rank_ends.tensor_upper,
    ),
    "gram": PolynomialNetwork(
        "symmetric factorisation",
        "the matrix U U^T of n x k factors U",
        ("rows", "factors"),
        "3 2",
        lambda n, k: [(n * k, 2)],
        lambda n, k: rank_ends.count_forms(n),
        _gram,
        of_rank=True,
    ),
    "linear-experts": PolynomialNetwork(
        "mixture of linear experts with linear gates",
        "f(x) = sum_e (g_e.x) W_e x",
        ("inputs", "experts", "outputs"),
        "4 2 3",
        lambda n, k, c: [(k * n, 1), (k * n * c, 1)],
        lambda n, k, c: c * rank_ends.count_forms(n),
        _experts,
        comparable_if=lambda *sizes: _determined(2),
    ),
    "lora": PolynomialNetwork(
        "low-rank adapter or linear residual block",
        "W0 + B A, with A k x n and B m x k, or x + B A x; the rank is that of the true B A",
        ("inputs", "units", "outputs"),
        "8 2 8",
        lambda n, k, c: [(k * n, 1), (k * c, 1)],
        lambda n, k, c: n * c,
        _lora,
        rank_ends.lora_upper,
        of_rank=True,
    ),
    "powers": PolynomialNetwork(
        "polynomial network with one output",
        "f(x) = sum_h v_h (w_h.x)^degree",
        ("inputs", "units", "degree"),
        "3 4 3",
        lambda n, k, degree: [(k, 1), (k * n, degree)],
        lambda n, k, degree: rank_ends.count_forms(n, degree),
        _power,
        rank_ends.power_upper,
        comparable_if=lambda n, k, degree: _determined(degree),
    ),
    "ppca": PolynomialNetwork(
        "probabilistic principal components, known mean",
        "the covariance U U^T + s I of n x k factors U",
        ("rows", "factors"),
        "3 1",
        lambda n, k: [(n * k, 0), (1, 0)],
        lambda n, k: rank_ends.count_forms(n),
        _ppca,
        of_rank=True,
    ),
    "scores": PolynomialNetwork(
        "quadratic form of queries and keys",
        "f(x) = x.Q K^T x",
        ("inputs", "keys"),
        "4 2",
        lambda n, k: 2 * [(n * k, 1)],
        lambda n, k: rank_ends.count_forms(n),
        _scores,
        comparable_if=lambda *sizes: _determined(2),
    ),
    "state-space": PolynomialNetwork(
        "linear state-space layer",
        "outputs C A^k B x, k steps after an input x, k < steps",
        ("states", "inputs", "outputs", "steps"),
        "2 2 2 4",
        lambda states, n, c, steps: [
            *((states * c, 1), (states * n, 1)),
            (states**2 * (steps > 1), 0),
        ],
        lambda states, n, c, steps: n * c * min(steps, states),
        _state_space,
        rank_ends.states_upper,
        comparable_if=_second_moment,
    ),
    "tensor": PolynomialNetwork(
        "sum of tensors of rank one with three modes",
        "T = sum_h a_h x b_h x c_h",
        ("first", "second", "third", "terms"),
        "2 3 3 2",
        lambda *sizes: [(sizes[-1] * size, 1) for size in sizes[:-1]],
        lambda *sizes: prod(sizes[:-1]),
        _tensor,
        rank_ends.tensor_upper,
    ),
}


def named_network(coefficients: str) -> tuple[str, list[int]] | None:
    """A network and its sizes, if this is what a text says, as ``glu:2,1,1``; None otherwise.

    InputError if there is no such network, or its sizes are other ones.
    """
    name, colon, text = coefficients.strip().partition(":")
    if not colon:
        return None
    if name not in POLYNOMIAL_NETWORKS:
        raise InputError(f"no network {name[:40]!r}: there are {', '.join(POLYNOMIAL_NETWORKS)}")
    network = POLYNOMIAL_NETWORKS[name]
    sizes = [int(size) if size.isdecimal() and len(size) < 9 else 0 for size in text.split(",")]
    if len(sizes) != len(network.sizes) or min(sizes) < 1:
        shown = " ".join(network.sizes).upper()
        raise InputError(
            f"sizes of {name} are positive: {shown}, as in 'rlct net {name} {network.example}'"
        )
    if network.sizes[-1] == "steps":  # Cayley and Hamilton: later ones follow from the first
        sizes[-1] = min(sizes[-1], 2 * sizes[0])
    check_term_count(prod(sizes) * max(sizes))
    return name, sizes


def network_coefficients(name: str, sizes: Sequence[int]) -> list[str]:
    """Polynomials in the weights, one for each coefficient of the network in its inputs.

    >>> network_coefficients("gram", [2, 1])
    ['u0_0*u0_0', 'u0_0*u1_0', 'u1_0*u1_0']
    """
    return [" + ".join(terms) for terms in POLYNOMIAL_NETWORKS[name].build(*sizes)]
