"""An index of the evidence is an integer from 0 on: Python itself also takes −1, and True for 1."""

import corpus
import pytest
from test_tampering import edited, leaves

import rlct
from rlct.errors import CertificateError

#: Names under which the evidence has indices: alone, in lists, or first in pairs.
ALONE = {"divide", "multiply", "reduce", "from", "subtract", "generator", "variable", "adjoin"}
ALONE |= {"index", "split", "solve", "parameter", "compare"}
LISTS = {"kept", "outer", "groups", "symmetries", "permutation", "zeros"}
PAIRS = {"crossed", "generators", "positive", "zero"}
_MOST = 4  # of one name in one certificate


def indices_of(proof):
    """Paths of indices, a few for every name."""
    count = {}
    for path, value in leaves(proof):
        if type(value) is not int:
            continue
        names = [key for key in path if isinstance(key, str)]
        name, last = names[-1], path[-1]
        found = last == name and (name in ALONE or name == "factor")
        found |= last != name and name in LISTS
        # Terms of a polynomial have their coefficient first, which is a text.
        found |= name in PAIRS and last == 0
        if found and count.setdefault(name, 0) < _MOST:
            count[name] += 1
            yield path, name, value


@pytest.mark.slow
def test_the_corpus_has_most_kinds_of_indices():
    proofs = [corpus.certificate(name)["proof"] for name in corpus.QUESTIONS]
    found = {name for proof in proofs for _, name, _ in indices_of(proof)}
    rare = {"multiply", "split", "index", "permutation"}
    assert found >= {*ALONE, *LISTS, *PAIRS} - rare


@pytest.mark.study
@pytest.mark.parametrize("name", corpus.QUESTIONS)
def test_no_index_is_negative_or_of_another_type(name):
    original = corpus.certificate(name)
    assert rlct.verify(original)
    for path, _, value in indices_of(original["proof"]):
        others = [value - k for k in range(value + 1, value + 13)] + [float(value)]
        others += [bool(value)] if value in (0, 1) else []
        for other in others:
            with pytest.raises(CertificateError):  # else: this one verifies
                rlct.verify(edited(original, ("proof", *path), other))
