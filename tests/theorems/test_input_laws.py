"""What the law of the inputs must be is given where K is that of coefficients, and only there."""

import json

import numpy as np
import pytest

import rlct
from rlct.cli.main import main
from rlct.models.generic.architectures import POLYNOMIAL_NETWORKS
from rlct.models.generic.generic_map import GenericMap
from rlct.questions.reading import read_polynomials
from rlct.theorems import get_theorem

QUADRATIC = "the inputs determine every quadratic form and have finite moments of order 4"
SECOND = "the second moment of the inputs is positive definite"
TOKENS = "the tokens, two or more, have a joint density and finite moments of order 6"
FREQUENCIES = "the inputs have second moments, not 0 at any frequency"
CUBIC = "the inputs determine every form of degree 3 and have finite moments of order 6"
SPANNING = "the inputs have second moments and span"
LAWS = {
    "glu 2 2 2": QUADRATIC,
    "glu 2 1 1 --truth zero": QUADRATIC,
    "glu 90 90 90": QUADRATIC,
    "linear-experts 2 2 2": QUADRATIC,
    "scores 3 2": QUADRATIC,
    "scores 2 1 --truth zero": QUADRATIC,
    "powers 3 2 3": CUBIC,
    "powers 2 2 2": QUADRATIC,
    "attention 2 2 2 2": TOKENS,
    "attention 2 1 1 1 --truth zero": TOKENS,
    "attention 2 2 2 2 --truth zero --timeout 0.5": TOKENS,
    "state-space 2 3 1 4": SECOND,
    "diagonal-state-space 2 1 1 4": SECOND,
    "circulant 3 2": FREQUENCIES,
    "lora 3 2 3": SPANNING,
    "ppca 4 2": "the true noise s is positive",
    "relu 2 3 1": "the inputs have second moments",
    "deep-relu 2 8 1 --true-widths 2,3,1": "the inputs are bounded",
}
#: All that is observed is the tensor itself, or finitely many inputs, all of them with weight.
WITHOUT = (
    "tensor 2 2 2 2",
    "tensor 2 1 1 1 --truth zero",
    "four-mode-tensor 2 2 2 2 2",
    "gram 3 2 --rank 1",
    "power 1 2 1 --degree 3",
    "quadratic --units 4 --data modular:3",
)


def answer_of(words, capsys):
    assert main(["net", *words.split(), "--json"]) in (0, 3)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(("words", "law"), LAWS.items())
def test_the_line_and_the_document_say_the_law(words, law, capsys):
    document = answer_of(words, capsys)
    assert any(text.startswith(law) for text in document["assumptions"])
    for route in document["routes"]:
        if route["hypotheses"] and "zero" not in words:
            statements = {h["statement"]: h["truth"] for h in route["hypotheses"]}
            assert any(s.startswith(law) and t == "given" for s, t in statements.items())
    main(["net", *words.split()])
    head = capsys.readouterr().out.splitlines()[0]
    assert f"{document['status']} if: " in head
    assert law in head


@pytest.mark.parametrize("words", WITHOUT)
def test_what_is_observed_whole_needs_no_law(words, capsys):
    document = answer_of(words, capsys)
    assert document["status"] == "exact"
    assert document["assumptions"] == []
    assert "inputs" not in {word for h in document["hypotheses"] for word in h["statement"].split()}


def test_every_network_of_the_table_has_a_law_or_no_inputs():
    without = {name for name, network in POLYNOMIAL_NETWORKS.items() if not law_of(network)}
    assert without == {"tensor", "four-mode-tensor", "gram", "lora", "ppca"}


def law_of(network):
    return network.comparable_if(*map(int, network.example.split()))


def moments(features):
    """Second moments of the functions of the inputs that stand with the coefficients."""
    return np.linalg.matrix_rank(features.T @ features / len(features))


@pytest.mark.parametrize(("seen", "rank"), [("all", 3), ("line", 1), ("circle", 3), ("axes", 2)])
def test_quadratic_forms_are_determined_or_not(seen, rank):
    """A law with no density may do, as on a circle; inputs on the axes do not see x₁x₂."""
    x = np.random.default_rng(0).standard_normal((200, 2))
    x = {
        "all": x,
        "line": x[:, :1] * np.array([1.0, 2.0]),
        "circle": x / np.linalg.norm(x, axis=1, keepdims=True),
        "axes": np.concatenate([x * [1, 0], x * [0, 1]]),
    }[seen]
    features = np.stack([x[:, 0] ** 2, x[:, 0] * x[:, 1], x[:, 1] ** 2], axis=1)
    assert moments(features) == rank


def test_one_token_alone_does_not_determine_the_coefficients_of_attention():
    """x_i x_j x_m has 4 values in two dimensions; with another token there are 6 coefficients."""
    generator = np.random.default_rng(1)
    for tokens, rank in ((1, 4), (2, 6)):
        x = generator.standard_normal((400, tokens, 2))
        pairs = np.einsum("nsi,nsj->nij", x, x)[:, [0, 0, 1], [0, 1, 1]]
        features = np.einsum("nti,nf->ntif", x, pairs).reshape(-1, 6)
        assert moments(features) == rank
    assert len(read_polynomials(GenericMap("attention:2,1,1,1").written())[1]) == 6


def test_an_input_on_the_axes_has_another_value_than_the_condition_grants():
    """Denied, the value is wrong: x.QKᵀx on the axes sees two of three coefficients."""
    asked = GenericMap("scores:2,2")
    assert rlct.solve(asked).lam * 2 == 3
    seen = [text for k, text in enumerate(asked.written()) if k != 1]
    assert rlct.solve(GenericMap(";".join(seen))).lam * 2 == 2


def test_polynomials_that_are_the_question_assume_nothing():
    assert rlct.solve(GenericMap("a*c;a*d;b*c;b*d")).assumptions == ()


def test_an_explanation_says_the_law_before_the_steps(capsys):
    assert main(["net", "scores", "2", "1", "--truth", "zero", "--explain"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"It needs that {QUADRATIC}: taken as given." in out
    assert main(["net", "tensor", "2", "1", "1", "1", "--truth", "zero", "--explain"]) == 0
    assert "taken as given" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sizes", "zeros"),
    [
        (
            (3, 2),
            "positive and continuous at the zeros of z, and at most a constant times "
            "(1 + |x|)^(−6)",
        ),
        ((4, 3), "at most a constant times (1 + |x|)^(−7)"),
    ],
)
def test_of_a_norm_only_the_half_is_said_that_applies(sizes, zeros):
    applied = get_theorem("normalised-layer").apply(
        **dict(zip(("inputs", "units"), sizes, strict=True))
    )
    assert applied.assumptions == (
        "the inputs have a density",
        f"the density of the inputs is {zeros}",
    )
    whole = get_theorem("normalised-layer").apply(inputs=3, units=3)
    assert "z has no zero but x = 0" in [finding.statement for finding in whole.findings]


@pytest.mark.parametrize(("order", "power"), [(1, "the squared"), (2, "the power 4 of the")])
def test_a_count_of_parameters_prints_its_numbers(order, power):
    applied = get_theorem("parameter-count-bound").apply(parameters=7, order=order)
    assert applied.assumptions == (
        f"near the parameter K is at most a constant times {power} distance from it in 7 "
        "coordinates",
    )


def test_heavy_tails_keep_the_biases_of_the_outputs_alone():
    theorem = get_theorem("deep-relu-bound")
    left = theorem.apply(widths=(1, 2, 1), true_widths=(1, 1, 1), bounded="open").bounds
    assert (str(left.lower.lam), left.upper) == ("1/2", None)


def test_a_spare_unit_sees_heavy_tails():
    """With a density like |x|^(−5), a unit of weight s and bias −1 adds s⁴ to K, not 0."""
    x = np.linspace(0, 1, 400_001)[1:] ** -1.0  # 1/x: integrate over 1/u, density u³ du
    weights = x**-5 * x**2 / 400_000
    means = [(np.maximum(s * x - 1, 0) ** 2 * weights).sum() for s in (0.1, 0.01)]
    assert np.log10(means[0] / means[1]) == pytest.approx(4, abs=0.05)
