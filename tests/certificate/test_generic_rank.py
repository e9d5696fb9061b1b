"""Certificates of quadratic networks at a generic parameter."""

from __future__ import annotations

import copy
import itertools
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from forging import with_entries

import rlct
from rlct.errors import CertificateError, TooLargeError
from rlct.report.question import in_words

DATA = [[1, 0], ["1/2", 1], [3, 1], [2, 5], [0, 0]]
KNOWN: list[tuple[dict[str, Any], str]] = [
    ({"inputs": 2, "units": 2, "outputs": 1}, "3/2"),  # the symmetric matrices
    ({"inputs": 4, "units": 5, "outputs": 3}, "29/2"),  # Ottaviani (2007)
    ({"inputs": 6, "units": 8, "outputs": 3}, "31"),
    ({"inputs": 4, "units": 6, "outputs": 5}, "47/2"),  # Abo and Brambilla (2009)
    ({"inputs": 3, "units": 2, "outputs": 1, "bias": True}, "4"),  # rank 2 and the image: 8 of 10
    ({"inputs": 3, "units": 5, "outputs": 4, "bias": True}, "19"),  # one less than 5·7 + 4
    ({"inputs": 1, "units": 1, "outputs": 1, "bias": True}, "3/2"),  # any quadratic function
    ({"inputs": 2, "units": 9, "outputs": 2, "data": DATA[:2]}, "2"),  # two inputs, two outputs
    ({"inputs": 2, "units": 9, "outputs": 1, "data": DATA, "centred": True}, "3/2"),  # all forms
    ({"inputs": 2, "units": 9, "outputs": 1, "data": DATA, "bias": True}, "5/2"),  # five values
    ({"units": 4, "data": "modular:5"}, "26"),  # K(3P − 2)/2
    ({"units": 4, "data": "modular:5", "centred": True}, "26"),
]


@pytest.mark.parametrize(("sizes", "lam"), KNOWN)
def test_known_ranks_are_certified(sizes: dict[str, Any], lam: str) -> None:
    result = rlct.quadratic(**sizes)
    assert result.lam == Fraction(lam)
    assert result.certificate["question"]["kind"] == "quadratic-network"
    assert rlct.verify(result.certificate)
    assert "quadratic network" in in_words(result.certificate["question"])


@pytest.mark.study
def test_the_checker_agrees_with_the_theorem_on_all_small_networks() -> None:
    for d, p, K, bias in itertools.product((1, 2, 3), (1, 2, 3), (1, 2, 3, 4), (False, True)):
        result = rlct.quadratic(inputs=d, units=K, outputs=p, bias=bias)
        assert (result.certificate is not None) is (result.status == "exact")
        assert result.certificate is None or rlct.verify(result.certificate)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lam": "30/2"}, "lower is"),
        ({"units": 6}, "not 6 rows"),
        ({"outputs": 2}, "not 2 rows"),
        ({"bias": True}, "rows of 5"),
        ({"centred": True}, "only outputs on data"),
        ({"inputs": 0}, "positive integers"),
        ({"units": 5.0}, "positive integers"),
        ({"bias": 1}, "booleans"),
        ({"data": [["1", "0", "0", "0"]]}, "the rank at the weights is 3|lower is"),
        ({"data": [["1", "0"]]}, "every input has 4 numbers"),
        ({"data": []}, "every input"),
        ({"data": 3}, "2P inputs"),
        ({"evidence": {"hidden": [[0] * 4] * 5}}, "the rank at the weights is 0"),
        ({"evidence": {"hidden": [[1, 0, 0, 0]] * 5}}, "the bound 29"),
        ({"evidence": {"hidden": [[0.5] * 4] * 5}}, "are integers"),
        ({"evidence": {"outer": [[1] * 5]}}, "not 3 rows"),
    ],
)
def test_forgeries_are_refused(changes: dict[str, Any], message: str) -> None:
    certificate = rlct.quadratic(inputs=4, units=5, outputs=3).certificate
    with pytest.raises(CertificateError, match=message):
        rlct.verify(with_entries(certificate, **changes))


@pytest.mark.slow
def test_networks_without_a_value_are_refused() -> None:
    """No claim of rank 0, no other rule, and nothing that takes for ever."""
    certificate = rlct.quadratic(inputs=1, units=1, outputs=1).certificate
    zero = with_entries(certificate, data=[["0"]])
    with pytest.raises(CertificateError, match="does not depend"):
        rlct.verify(zero)
    other = copy.deepcopy(certificate)
    other["proof"]["rule"] = "theorem"
    with pytest.raises(CertificateError, match="the rule is one for linear-network"):
        rlct.verify(other)
    for sizes in ({"units": 10**9}, {"inputs": 10**9}):
        with pytest.raises(TooLargeError, match="too large"):
            rlct.verify(with_entries(certificate, **sizes))
    with pytest.raises(TooLargeError, match="too large"):
        rlct.verify(with_entries(certificate, inputs=60, data=30, evidence={"hidden": [[1] * 60]}))


def test_only_the_checker_is_imported() -> None:
    code = (
        "import sys, json, rlct.certificate.ranks.generic_rank;"
        "print(*(m for m in sys.modules if m.startswith(('rlct.models', 'rlct.algebra.exact_rank', "
        "'rlct.theorems', 'numpy', 'sympy'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
