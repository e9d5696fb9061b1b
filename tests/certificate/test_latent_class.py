"""Certificates of latent classes at a generic truth."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import prod
from typing import Any

import pytest
from forging import with_entries

import rlct
from rlct.errors import CertificateError, TooLargeError
from rlct.report.question import in_words


def answer(classes: int, *categories: int) -> rlct.Result:
    return rlct.model("latent-class", classes=classes, true=classes, categories=categories)


@pytest.mark.parametrize(
    ("sizes", "rank"),
    [
        ((3, 2, 2, 2, 2), 13),  # defective: 14 parameters, 15 free cells
        ((4, 3, 3, 3), 25),  # Strassen: 26 free cells
        ((5, 3, 4, 4), 43),  # Abo, Ottaviani and Peterson: 44 parameters
        ((5, 2, 2, 3, 3), 33),
        ((2, 5, 4, 3), 19),  # as many as parameters
        ((2, 3, 3), 7),
    ],
)
def test_known_ranks_are_certified(sizes: tuple[int, ...], rank: int) -> None:
    found = answer(*sizes)
    assert (found.lam, found.theta) == (Fraction(rank, 2), 1)
    assert found.certificate["proof"]["rule"] == "class-rank"
    assert rlct.verify(found.certificate)


def test_the_checker_agrees_with_the_theorem_on_small_sizes() -> None:
    for count in range(1, 5):
        for sizes in combinations_with_replacement(range(2, 5), count):
            for classes in range(2, 6 if prod(sizes) <= 24 else 0):
                assert rlct.verify(answer(classes, *sizes).certificate), (classes, sizes)


@pytest.mark.parametrize(
    ("classes", "categories", "is_checked"),
    [
        (19, (2,) * 8, True),
        (20, (2,) * 8, False),
        (6, (4,) * 5, True),
        (4, (2,) * 11, False),
        (2, (3,) * 8, False),
        (2, (2,) * 20, False),
    ],
)
def test_what_the_checker_cannot_hold_has_no_certificate(classes, categories, is_checked) -> None:
    found = answer(classes, *categories)
    assert found.pair is not None
    assert (found.certificate is not None) == is_checked
    assert not is_checked or rlct.verify(found.certificate)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lam": "7"}, "lower is"),
        ({"classes": 4}, "the bound 15"),
        ({"true": 2}, "other sizes"),
        ({"true": 4}, "not possible"),
        ({"classes": 3.0}, "are integers"),
        ({"categories": [2, 2, 4]}, "other sizes"),
        ({"categories": [2, 2, 2, 1]}, "two categories"),
        ({"categories": []}, "1 to 16 features"),
        ({"evidence": {"vectors": [[[1, 2]] * 4] * 3}}, "the rank at the vectors is 4"),
        ({"evidence": {"vectors": [[[1, 0.5]] * 4] * 3}}, "are integers"),
    ],
)
def test_changed_certificates_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        rlct.verify(with_entries(answer(3, 2, 2, 2, 2).certificate, **changes))


def test_another_proof_is_refused() -> None:
    document = with_entries(answer(3, 2, 2, 2, 2).certificate)
    document["proof"]["rule"] = "generic-rank"
    with pytest.raises(CertificateError, match="the rule is one for"):
        rlct.verify(document)


def test_what_is_too_large_is_refused() -> None:
    vectors = [[[h, h + i] for i in range(14)] for h in range(2)]
    with pytest.raises(TooLargeError):
        rlct.verify(
            with_entries(
                answer(3, 2, 2, 2, 2).certificate,
                classes=2,
                true=2,
                categories=[2] * 14,
                evidence={"vectors": vectors},
            )
        )


def test_the_question_in_words() -> None:
    expected = "3 latent classes, 3 generic ones true, features of 2, 2, 2, 2 categories"
    assert in_words(answer(3, 2, 2, 2, 2).certificate["question"]) == expected
