"""Certificates of factor analysis at a generic truth."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from forging import with_entries

import rlct
from rlct.errors import CertificateError, TooLargeError
from rlct.pair import Pair
from rlct.report.question import in_words

NAMES = ("variables", "factors", "true_factors")


def answer(*sizes: int) -> rlct.Result:
    return rlct.model("factor-analysis", **dict(zip(NAMES, sizes, strict=True)))


@pytest.mark.parametrize(
    ("sizes", "lam", "theta"),
    [
        ((4, 2, 1), "19/4", 1),  # eight coordinates and the germ of three products, (3/4, 1)
        ((5, 3, 1), "7", 1),  # ten, and the engine's (2, 1) for four vectors of the plane
        ((6, 3, 2), "19/2", 1),  # 17 and four quadrics in R^4
        ((6, 4, 2), "21/2", 2),  # both poles
        ((4, 3, 0), "5", 4),
        ((3, 7, 5), "3", 1),
    ],
)
def test_values_are_certified(sizes: tuple[int, ...], lam: str, theta: int) -> None:
    found = answer(*sizes)
    assert found.pair == Pair.of(lam, theta)
    assert rlct.verify(found.certificate)


def test_the_checker_agrees_with_the_theorem_on_all_small_sizes() -> None:
    """Ranks along a chain of parameters on one side, a closed formula on the other."""
    for p in range(2, 9):
        for k in range(p + 2):
            for r in range(1, k + 1):
                found = answer(p, k, r)
                assert found.status == "exact"
                assert rlct.verify(found.certificate), (p, k, r)


GERMS = [(3, 1, 1), (3, 1, 2), (4, 1, 1), (4, 1, 2), (4, 1, 3), (3, 2, 1), (4, 1, 4)]


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "true"), GERMS)
def test_the_germ_by_the_engine(rows: int, columns: int, true: int) -> None:
    """Quadrics through p points of which `rows` are unit vectors, in each column alike."""
    import sympy

    rng = np.random.default_rng(3)
    pairs = list(combinations(range(rows), 2))
    points = rng.integers(1, 9, size=(true, rows))
    conditions = sympy.Matrix([[w[i] * w[j] for i, j in pairs] for w in points.tolist()])
    quadrics = []
    for form in conditions.nullspace():
        products = (
            f"({value})*a{i}_{c}*a{j}_{c}"
            for value, (i, j) in zip(form, pairs, strict=True)
            for c in range(columns)
        )
        quadrics.append("+".join(products))
    germ = rlct.ideal(quadrics)
    p = rows + true
    missed = len(quadrics)
    expected = answer(p, columns + true, true).pair
    assert germ.pair == Pair(expected.lam - Fraction(p * (p + 1) // 2 - missed, 2), expected.theta)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lam": "10"}, "lower is"),
        ({"factors": 4}, "lower is"),
        ({"factors": 1}, "sizes are not possible"),
        ({"variables": 6.0}, "sizes are not possible"),
        ({"variables": 7}, "not 7 rows"),
        ({"true_factors": 1}, "not 1 integers"),
        ({"evidence": {"loadings": [[1, 1]] * 6}}, "the rank at 0 unit loadings"),
        ({"evidence": {"loadings": [[1, i] for i in (1, 2, 3, 4, 4, 4)]}}, "unit loadings"),
        ({"evidence": {"loadings": [[1, 0.5]] * 6}}, "not 2 integers"),
    ],
)
def test_changed_certificates_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        rlct.verify(with_entries(answer(6, 3, 2).certificate, **changes))


def test_another_proof_is_refused() -> None:
    document = with_entries(answer(6, 3, 2).certificate)
    document["proof"]["rule"] = "theorem"
    with pytest.raises(CertificateError, match="the rule is one for"):
        rlct.verify(document)


def test_large_sizes_have_no_certificate_and_are_refused() -> None:
    assert answer(60, 30, 20).certificate is None
    rows = [[i + j for j in range(20)] for i in range(60)]
    large = with_entries(answer(6, 3, 2).certificate, variables=60, factors=30, true_factors=20)
    large["proof"]["data"]["loadings"] = rows
    with pytest.raises(TooLargeError):
        rlct.verify(large)


def test_the_question_in_words() -> None:
    expected = "factor analysis of 6 variables and 3 factors, 2 generic ones in the truth"
    assert in_words(answer(6, 3, 2).certificate["question"]) == expected


def test_the_checker_needs_no_theorem() -> None:
    code = (
        "import sys, rlct.certificate.ranks.factor_analysis;"
        "print([m for m in sys.modules if m.startswith(('rlct.theorems', 'rlct.engine'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
