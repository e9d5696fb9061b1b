"""Networks of the table: ranks known by hand, by other theorems, and defects of secants."""

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import rlct
from rlct.cli.main import main
from rlct.errors import InputError
from rlct.models.generic.architectures import POLYNOMIAL_NETWORKS, network_coefficients
from rlct.models.generic.generic_map import GenericMap
from rlct.models.generic.symmetric_factors import SymmetricFactors
from rlct.models.generic.symmetries import symmetry_dimension
from rlct.pair import Pair
from rlct.theorems.arguments import Truth


def rank(name, *sizes):
    found = GenericMap(f"{name}:{','.join(map(str, sizes))}").rank
    assert found.lower == found.upper, found
    return found.upper


@pytest.mark.parametrize(
    ("name", "sizes", "expected"),
    [
        ("powers", (3, 5, 4), 14),  # Clebsch
        ("powers", (4, 9, 4), 34),
        ("powers", (5, 7, 3), 34),
        ("powers", (3, 4, 4), 12),
        ("powers", (3, 4, 3), 10),
        ("tensor", (2, 2, 2, 3), 8),
        ("tensor", (3, 3, 3, 4), 26),
        ("tensor", (2, 2, 4, 3), 15),
        ("tensor", (3, 4, 4, 5), 44),
        ("tensor", (2, 3, 3, 2), 12),
        ("four-mode-tensor", (2, 2, 2, 2, 3), 14),
        ("four-mode-tensor", (2, 2, 2, 2, 2), 10),
        ("scores", (4, 1), 7),
        ("lora", (4, 2, 3), 10),
        ("ppca", (4, 1), 5),
    ],
)
def test_ranks_of_the_literature(name, sizes, expected):
    assert rank(name, *sizes) == expected


@pytest.mark.parametrize("name", POLYNOMIAL_NETWORKS)
def test_the_weights_are_counted_without_writing_them(name):
    network = POLYNOMIAL_NETWORKS[name]
    own = [int(size) for size in network.example.split()]
    for sizes in (own, [size + 1 for size in own]):
        written = " ".join(network_coefficients(name, sizes))
        assert network.weights(*sizes) == len(set(re.findall(r"[a-z]\w*", written)))
        if network.sizes[-1] == "steps":  # at the function 0 the first ones are enough
            sizes = [*sizes[:-1], min(sizes[0], sizes[-1])]
        assert network.coefficients(*sizes) == len(network_coefficients(name, sizes))


def test_what_is_too_large_has_the_bound_of_its_weights(capsys):
    assert main(["net", "glu", "100", "100", "100"]) == 3
    shown = capsys.readouterr().out
    assert shown.startswith("0 ≤ λ ≤ 15000   (bounds")
    assert "'rlct net glu 3 2 2' is small enough" in shown
    for name, network in POLYNOMIAL_NETWORKS.items():
        for truth in () if network.of_rank else ("generic", "zero"):
            assert main(["net", name, *["99"] * len(network.sizes), "--truth", truth]) == 3
            assert capsys.readouterr().out.startswith("0 ≤ λ ≤ "), name


@pytest.mark.parametrize(
    ("network", "upper"),
    [
        ("glu 100 100 100", "5000"),  # one block of k n, of three
        ("glu 3 99999 1", "3"),  # six quadratic forms
        ("powers 3 9999 999", "1111/74"),  # 3 · 9999 weights of degree 999
        ("state-space 9 5 3 9999", "27/2"),  # C alone
        ("four-mode-tensor 2 2 2 2 3 --timeout 0.1", "3"),  # the engine has none by then
    ],
)
def test_the_function_0_has_less_than_half_of_the_weights(network, upper, capsys):
    assert main(["net", *network.split(), "--truth", "zero"]) == 3
    assert f"λ ≤ {upper} " in capsys.readouterr().out.partition("\n")[0]


SMALL = [
    ("attention", (2, 1, 2, 1)),
    ("circulant", (3, 2)),
    ("diagonal-state-space", (2, 2, 1, 2)),
    ("four-mode-tensor", (2, 1, 2, 2, 2)),
    ("glu", (2, 1, 1)),
    ("glu", (1, 3, 2)),
    ("linear-experts", (2, 1, 2)),
    ("powers", (1, 2, 3)),
    ("powers", (2, 1, 3)),
    ("scores", (2, 1)),
    ("state-space", (2, 1, 1, 2)),
    ("tensor", (2, 1, 3, 2)),
]


@pytest.mark.parametrize(("name", "sizes"), SMALL)
def test_the_engine_is_below_the_bound_at_the_function_0(name, sizes):
    count, order = POLYNOMIAL_NETWORKS[name].smooth_order(*sizes)
    found = rlct.ideal(GenericMap(f"{name}:{','.join(map(str, sizes))}").written(), timeout=5)
    assert found.lower <= Fraction(count, 2 * order)


@pytest.mark.parametrize(("name", "sizes"), SMALL)
def test_no_weights_are_better_than_one_block(name, sizes):
    """The linear programme over all weights and terms, without the blocks."""
    terms = [term for f in network_coefficients(name, sizes) for term in f.split(" + ")]
    weights = sorted(set(re.findall(r"[a-z]\w*", " ".join(terms))))
    rows = np.zeros((len(terms), len(weights)))
    for row, term in zip(rows, terms, strict=True):
        for weight, power in re.findall(r"([a-z]\w*)(?:\*\*(\d+))?", term):
            row[weights.index(weight)] += int(power or 1)
    least = linprog(np.ones(len(weights)), A_ub=-rows, b_ub=-np.ones(len(terms))).fun
    blocks = POLYNOMIAL_NETWORKS[name].blocks(*sizes)
    assert least == pytest.approx(min(count / degree for count, degree in blocks if degree))


@pytest.mark.parametrize(("n", "layers"), [(1, 3), (2, 2), (3, 2), (4, 2), (3, 3), (5, 2)])
def test_convolutions_on_a_circle_add_up_over_frequencies(n, layers):
    """Each frequency is a product of numbers; for two layers the sums themselves say the same."""
    found = rlct.ideal(GenericMap(f"circulant:{n},{layers}").written(), timeout=20)
    assert found.pair == Pair.of(Fraction(n, 2), 1 + (layers - 1) * (n // 2 + 1))
    assert rank("circulant", n, layers) == n
    if n <= 3 and layers == 2:
        sums = [" + ".join(f"a{i}*b{(k - i) % n}" for i in range(n)) for k in range(n)]
        assert rlct.ideal(sums, timeout=20).pair == found.pair


@pytest.mark.parametrize(("n", "k", "c"), [(4, 2, 3), (3, 1, 2), (4, 1, 1), (5, 2, 3)])
def test_a_bilinear_layer_that_fills_nothing(n, k, c):
    assert rank("glu", n, k, c) == k * (2 * n + c - 2)


@pytest.mark.parametrize(("d", "a", "p"), [(2, 1, 1), (3, 2, 2), (4, 2, 1), (3, 1, 3)])
def test_one_head_of_attention(d, a, p):
    """Queries and keys give matrices of rank a; one scale goes from them to the values."""
    assert rank("attention", d, a, p, 1) == 2 * a * d - a**2 + d * p - 1


@pytest.mark.parametrize(
    ("name", "states", "inputs", "outputs", "steps", "expected"),
    [
        *(
            (f"{kind}state-space", h, n, c, 2 * h, h * (n + c))
            for kind, h, n, c in product(("", "diagonal-"), (1, 2), (1, 2), (1, 3))
        ),
        ("state-space", 3, 1, 1, 6, 6),
        ("state-space", 2, 3, 3, 1, 8),  # matrices of rank 2
        ("state-space", 4, 1, 2, 3, 6),  # all
        ("state-space", 3, 2, 2, 3, 11),  # a determinant
        ("state-space", 1, 1, 1, 3, 2),  # c a^k b
        ("state-space", 2, 2, 2, 4000, 8),  # as of four steps
        ("diagonal-state-space", 4, 2, 2, 8, 16),
    ],
)
def test_state_spaces(name, states, inputs, outputs, steps, expected):
    assert rank(name, states, inputs, outputs, steps) == expected


@pytest.mark.parametrize(("n", "experts", "c"), [(4, 1, 2), (4, 2, 3), (5, 2, 2), (5, 3, 2)])
def test_linear_experts_that_fill_nothing(n, experts, c):
    """GL of the experts, and W_e + v g_k, W_k − v g_e, which cancel."""
    symmetries = experts**2 + c * experts * (experts - 1) // 2
    assert rank("linear-experts", n, experts, c) == experts * n * (c + 1) - symmetries


@pytest.mark.parametrize(("n", "k", "degree"), [(3, 2, 2), (4, 2, 2), (4, 5, 2)])
def test_squares_are_quadratic_networks(n, k, degree):
    assert Fraction(rank("powers", n, k, degree), 2) == rlct.quadratic(n, k, 1).lam


def test_symmetric_factors_of_full_rank_have_a_generic_truth():
    for n, k in product(range(1, 4), repeat=2):
        generic = rlct.theorem("generic-truth", coefficients=f"gram:{n},{k}").pair
        model = SymmetricFactors(n, k, min(n, k))
        assert rlct.solve(model).pair == generic
        if k < n:
            generic = rlct.theorem("generic-truth", coefficients=f"ppca:{n},{k}").pair
            assert rlct.solve(SymmetricFactors(n, k, k, noise=True)).pair == generic


def test_the_engine_agrees_at_a_point_of_the_generic_fibre():
    for text in ("glu:1,1,2", "gram:2,1", "a*c;a*d;b*c;b*d"):
        asked = GenericMap(text)
        assert rlct.solve(asked.problem()).pair == rlct.solve(asked).pair


def test_fields_that_no_identity_gives_are_not_found():
    """The symmetry of ab is a ∂a − b ∂b; ab and a + b have none."""
    one = Fraction(1)
    assert symmetry_dimension([{(1, 1): one}], [2, 3]) == 1
    assert symmetry_dimension([{(1, 1): one}, {(1, 0): one, (0, 1): one}], [2, 3]) == 0
    # (a + b)² moves along a ∂a, and not along ∂a − ∂b.
    assert symmetry_dimension([{(2, 0): one, (1, 1): 2 * one, (0, 2): one}], [2, 3]) == 1


def test_an_open_rank_gives_bounds():
    """Σ v (w·x)² has quadratic fields, of which the polynomials alone do not tell."""
    text = ";".join(f.replace(" ", "") for f in GenericMap("powers:4,2,2").written())
    found = rlct.solve(GenericMap(text))
    assert found.status == "bounds"
    assert [end.lam for end in found.bounds] == [Fraction(7, 2), 4]
    assert rlct.solve(GenericMap("powers:4,2,2")).pair == rlct.Pair(Fraction(7, 2), 1)


def test_special_truths_have_other_values():
    """A smaller one at the zero function, a larger one at the least value of a sum of squares."""
    zero = rlct.ideal(GenericMap("glu:2,1,1").written())
    assert zero.lam < rlct.solve(GenericMap("glu:2,1,1")).lam
    square = "a**2+b**2+c**2"
    assert rlct.ideal([square]).lam > rlct.solve(GenericMap(square)).lam
    arguments = {"coefficients": square, "generic": Truth.OPEN}
    lower, upper = rlct.theorem("generic-truth", **arguments).bounds
    assert lower is None
    assert upper.lam == Fraction(3, 2)


@pytest.mark.slow
def test_a_wrong_value_is_refuted_by_simulation():
    """Half of the parameters, of which one does not move the product."""
    assert rlct.check(GenericMap("a*b").problem(), claim=1, seed=3).verdict == "refuted"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("glue:1,1,1", "no network 'glue'"),
        ("glu:1,1", "sizes of glu are positive: INPUTS UNITS OUTPUTS, as in 'rlct net glu 3 2 2'"),
        ("glu:1,0,1", "sizes of glu are positive"),
        ("glu:900,900,900", "too many"),
        ("", "there are no coefficients"),
        ("3", "K is a constant"),
        ("a/b", "polynomial"),
    ],
)
def test_bad_coefficients(text, reason):
    with pytest.raises(InputError, match=reason):
        GenericMap(text)


@pytest.mark.parametrize("name", POLYNOMIAL_NETWORKS)
def test_every_network_has_a_command(name, capsys):
    example = POLYNOMIAL_NETWORKS[name].example.split()
    if POLYNOMIAL_NETWORKS[name].of_rank:
        assert main(["net", name, *example, "--rank", "1"]) == 0
        where = "A_j = diag(I_r, 0)" if name == "lora" else "orbit of rotations"
        assert where in capsys.readouterr().out
        return
    assert main(["net", name, *example]) == 0
    shown = capsys.readouterr().out
    assert f"λ = {Fraction(rank(name, *map(int, example)), 2)}, θ = 1   (exact" in shown
    assert "least over the fibre of a generic truth" in shown


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ("tensor 2 2 2 2 3", "four-mode-tensor 2 2 2 2 3"),
        ("tensor 2 2 2 2 1..3", "four-mode-tensor 2 2 2 2 3"),
        ("four-mode-tensor 2 2 2 3", "tensor 2 3 3 2"),
        ("tensor 2 2", "tensor 2 3 3 2"),
    ],
)
def test_the_other_number_of_modes_is_named(given, command, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["net", *given.split()])
    assert f"'rlct net {command}'" in capsys.readouterr().err


@pytest.mark.parametrize("page", ["theory/generic-truth.md", "docs/commands.md", "docs/network.md"])
def test_every_network_is_on_the_page(page):
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    names = set(re.findall(r"[a-z-]+", text))
    assert set(POLYNOMIAL_NETWORKS) <= names


def test_commands_of_a_given_rank(capsys):
    assert main(["net", "lora", "8", "2", "8", "--rank", "1", "--json"]) == 0
    assert f'"lambda": "{rlct.linear([8, 2, 8], rank=1).lam}"' in capsys.readouterr().out
    assert main(["net", "glu", "2", "1", "1", "--truth", "zero"]) == 0
    assert "λ = 1/2, θ = 1" in capsys.readouterr().out
    assert main(["net", "gram", "2", "2", "--rank", "5"]) == 2
    assert "rank at most 2" in capsys.readouterr().err
    assert main(["net", "ppca", "2", "2"]) == 2
    assert "fewer factors than rows" in capsys.readouterr().err


def test_a_denominator_may_be_the_prime():
    """a/p + b is a + p b without denominators, which has a rank modulo p."""
    assert rlct.theorem("generic-truth", coefficients="a/2147483647+b;c/3").lam == 1
