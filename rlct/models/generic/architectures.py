"""A table of networks, each as polynomials: its coefficients in the inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Final

from rlct.errors import InputError
from rlct.models.kit.expressions import check_term_count
from rlct.models.kit.tensor_dimension import tensor_bounds

__all__ = ["POLYNOMIAL_NETWORKS", "PolynomialNetwork", "named_network", "network_coefficients"]


@dataclass(frozen=True)
class PolynomialNetwork:
    """A network of the table.

    Parameters
    ----------
    title, formula : str
        What it is, and the map.
    sizes : tuple of str
        Names of its sizes, in their order.
    example : str
        Sizes that are answered at once.
    build : callable
        Sizes to coefficients, each a list of products: names of weights with a number before.
    upper : callable
        Sizes to bounds of the rank at every weight that neither counting nor symmetries give.
    """

    title: str
    formula: str
    sizes: tuple[str, ...]
    example: str
    build: Callable[..., Iterator[list[str]]]
    upper: Callable[..., Iterator[tuple[int, str]]] = lambda *sizes: iter(())


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


def _tensor(a: int, b: int, c: int, k: int) -> Iterator[list[str]]:
    for x, y, z in product(range(a), range(b), range(c)):
        yield [f"a{x}_{h}*b{y}_{h}*c{z}_{h}" for h in range(k)]


def _gram(n: int, k: int) -> Iterator[list[str]]:
    for i, j in _pairs(n):
        yield [f"u{i}_{h}*u{j}_{h}" for h in range(k)]


def _ppca(n: int, k: int) -> Iterator[list[str]]:
    for (i, j), products in zip(_pairs(n), _gram(n, k), strict=True):
        yield [*products, *(["s"] if i == j else [])]


def _forms_of_rank(n: int, k: int) -> tuple[int, str]:
    k = min(n, k)
    return k * (2 * n - k + 1) // 2, f"quadratic forms in {n} variables of rank at most {k}"


def _glu_upper(n: int, k: int, c: int) -> Iterator[tuple[int, str]]:
    forms = n * (n + 1) // 2
    if c == 1:
        yield _forms_of_rank(n, 2 * k)
    if k <= min(c, forms):
        yield k * (c + forms - k), f"{c} x {forms} matrices of rank at most {k}"


def _power_upper(n: int, k: int, degree: int) -> Iterator[tuple[int, str]]:
    if degree == 2:
        yield _forms_of_rank(n, k)
    if (n, k, degree) in _DEFECTIVE:
        forms = comb(n + degree - 1, degree)
        yield forms - 1, f"{forms} forms, one less (a defective case of Alexander and Hirschowitz)"


def _tensor_upper(a: int, b: int, c: int, k: int) -> Iterator[tuple[int, str]]:
    if min(a, b, c) >= 2:
        yield from tensor_bounds(k, (a, b, c))


#: Inputs, units and degree at which sums of powers do not fill the forms that they are expected to.
_DEFECTIVE: Final = {(3, 5, 4), (4, 9, 4), (5, 14, 4), (5, 7, 3)}

#: By the names of their commands.
POLYNOMIAL_NETWORKS: Final[dict[str, PolynomialNetwork]] = {
    "attention": PolynomialNetwork(
        "linear attention of one layer, tokens with a density",
        "output at token t: sum over heads h and tokens s of (x_t.Q_h K_h^T x_s) V_h^T x_s",
        ("inputs", "keys", "outputs", "heads"),
        "3 2 2 1",
        _attention,
    ),
    "glu": PolynomialNetwork(
        "bilinear layer: gated linear units without activation",
        "f_o(x) = sum_h v_oh (u_h.x)(g_h.x)",
        ("inputs", "units", "outputs"),
        "3 2 2",
        _glu,
        _glu_upper,
    ),
    "gram": PolynomialNetwork(
        "symmetric factorisation",
        "the matrix U U^T of n x k factors U",
        ("rows", "factors"),
        "3 2",
        _gram,
    ),
    "powers": PolynomialNetwork(
        "polynomial network with one output",
        "f(x) = sum_h v_h (w_h.x)^degree",
        ("inputs", "units", "degree"),
        "3 4 3",
        _power,
        _power_upper,
    ),
    "ppca": PolynomialNetwork(
        "probabilistic principal components: covariance",
        "the matrix U U^T + s I of n x k factors U",
        ("rows", "factors"),
        "3 1",
        _ppca,
    ),
    "scores": PolynomialNetwork(
        "quadratic form of queries and keys",
        "f(x) = x.Q K^T x",
        ("inputs", "keys"),
        "4 2",
        _scores,
    ),
    "tensor": PolynomialNetwork(
        "sum of tensors of rank one with three modes",
        "T = sum_h a_h x b_h x c_h",
        ("first", "second", "third", "terms"),
        "2 3 3 2",
        _tensor,
        _tensor_upper,
    ),
}


def named_network(coefficients: str) -> tuple[str, list[int]] | None:
    """A network and its sizes, if this is what a text says, as ``glu:2,1,1``; None otherwise.

    Raises
    ------
    InputError
        If there is no such network, or its sizes are other ones.
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
        example = network.example.replace(" ", ",")
        raise InputError(f"sizes of {name} are positive: {shown}, as in {name}:{example}")
    check_term_count(prod(sizes) * max(sizes))
    return name, sizes


def network_coefficients(name: str, sizes: Sequence[int]) -> list[str]:
    """Polynomials in the weights, one for each coefficient of the network in its inputs.

    Examples
    --------
    >>> network_coefficients("gram", [2, 1])
    ['u0_0*u0_0', 'u0_0*u1_0', 'u1_0*u1_0']
    """
    return [" + ".join(terms) for terms in POLYNOMIAL_NETWORKS[name].build(*sizes)]
