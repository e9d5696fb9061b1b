"""Minors of matrices of variables: the rule beside blow-ups, and where it must not apply."""

import copy
from itertools import combinations

import pytest
from sympy import Matrix, expand, symbols

import rlct
from rlct.engine import limits
from rlct.errors import CertificateError
from rlct.pair import Pair


def entry(kind, i, j):
    """A variable for each place, or for each pair of places that mirror each other."""
    if kind == "general":
        return symbols(f"x{i}{j}")
    sign = 0 if kind == "skew" and i == j else -1 if kind == "skew" and i > j else 1
    return sign * symbols(f"x{min(i, j)}{max(i, j)}")


def pfaffian(matrix, rows):
    if not rows:
        return 1
    first, *rest = rows
    return sum(
        (-1) ** k * matrix[first, j] * pfaffian(matrix, rest[:k] + rest[k + 1 :])
        for k, j in enumerate(rest)
    )


def minors(kind, rows, columns, size):
    """All that are different, as text."""
    matrix = Matrix(rows, columns, lambda i, j: entry(kind, i, j))
    if kind == "skew":
        found = [pfaffian(matrix, list(some)) for some in combinations(range(rows), 2 * size)]
    else:
        found = [
            matrix.extract(list(left), list(right)).det(method="berkowitz")
            for left in combinations(range(rows), size)
            for right in combinations(range(columns), size)
        ]
    return [str(g) for g in dict.fromkeys(map(expand, found))]


@pytest.mark.parametrize(
    "case",
    [
        ("general", 2, 3, 2),
        ("general", 3, 3, 2),
        ("general", 3, 3, 3),
        ("general", 3, 4, 2),
        ("symmetric", 3, 3, 2),
        ("symmetric", 3, 3, 3),
        ("skew", 5, 5, 2),
    ],
)
def test_blow_ups_agree(case, monkeypatch):
    """Two ways, of which one knows nothing of matrices."""
    answer = rlct.ideal(minors(*case))
    assert answer.method == "engine: minors"
    assert rlct.verify(answer.certificate)
    monkeypatch.setattr(limits, "MOST_MINOR_TERMS", 0)
    other = rlct.ideal(minors(*case), timeout=60)
    assert "minors" not in other.method
    assert other.pair == answer.pair


@pytest.mark.parametrize(
    ("case", "lam", "theta"),
    [
        (("general", 4, 4, 4), "1/2", 1),
        (("general", 5, 5, 5), "1/2", 1),
        (("skew", 6, 6, 3), "1/2", 1),
        (("symmetric", 4, 4, 3), "3/2", 2),  # codimension 3, and 6/4 at rank 1
        (("general", 4, 4, 2), "4", 1),  # 16/4 at 0, and codimension 9
    ],
)
def test_large_ones(case, lam, theta):
    answer = rlct.ideal(minors(*case))
    assert answer.pair == Pair.of(lam, theta)
    assert rlct.verify(answer.certificate)


def test_signs_order_and_factors_do_not_matter():
    answer = rlct.ideal(["3*b*f-3*c*e", "a*f+c*d", "a*e+b*d", "5*a*e+5*b*d"])
    assert answer.pair == Pair.of(1)
    assert answer.certificate["proof"]["rule"] == "minors"


@pytest.mark.parametrize(
    ("generators", "prior", "pair"),
    [
        # No signs of the entries give these: the pair is another.
        (["a*e-b*d", "a*f-c*d", "b*f+c*e"], None, Pair.of("3/2", 4)),
        (["a*e-b*d", "a*f-c*d"], None, Pair.of(1, 2)),  # a minor is missing
        (["a*e-2*b*d", "a*f-c*d", "b*f-c*e"], None, None),
        (["a*c-b**2", "a*d-b*c", "b*d-c**2"], None, None),  # a Hankel matrix
        (minors("symmetric", 3, 3, 2), "x00**2", Pair.of("3/2", 1)),  # (6 + 2)/4 at 0
    ],
)
def test_it_does_not_apply(generators, prior, pair):
    answer = rlct.ideal(generators, prior=prior, timeout=30)
    assert "minors" not in answer.method
    assert answer.pair == pair or pair is None


@pytest.fixture(scope="module")
def document():
    return rlct.ideal(minors("general", 2, 3, 2)).certificate


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"kind": "symmetric"}, "not square"),
        ({"kind": "magic"}, "no such kind"),
        ({"size": 3}, "too large"),
        ({"size": 1}, "other generators"),
        ({"size": 0}, "not positive"),
        ({"entries": [[1, 2, 3], [4, 5, 5]]}, "two places"),
        ({"entries": [[1, 2, 3], [4, 5, -6]]}, "other generators"),
        ({"entries": [[1, 2, 3], [4, 5, 7]]}, "no such variable"),
        ({"entries": [[1, 2, 3], [4, 5, 0]]}, "no such variable"),
        ({"entries": [[1, 2, 3], [4, 5]]}, "different lengths"),
        ({"entries": []}, "no matrix"),
    ],
)
def test_forged(document, evidence, message):
    forged = copy.deepcopy(document)
    forged["proof"]["data"].update(evidence)
    with pytest.raises(CertificateError, match=message):
        rlct.verify(forged)


def test_another_value_is_forged(document):
    forged = copy.deepcopy(document)
    forged["claim"].update({"lambda": "3/2", "lower": "3/2", "upper": "3/2"})
    forged["proof"].update({"lower": ["3/2", 1], "upper": ["3/2", 1]})
    with pytest.raises(CertificateError):
        rlct.verify(forged)


def test_a_mirror_with_other_variables_is_forged():
    forged = copy.deepcopy(rlct.ideal(minors("symmetric", 3, 3, 2)).certificate)
    forged["proof"]["data"]["entries"][0][1] = 6
    with pytest.raises(CertificateError, match="not symmetric"):
        rlct.verify(forged)
