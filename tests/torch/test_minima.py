"""Training and the Hessian in the experiments with networks."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from validation.experiments.local_coefficient import _minima, minima  # noqa: E402


def data():
    rng = np.random.default_rng(0)
    x = rng.random((60, 4))
    return _minima.tensors(x, (x.sum(axis=1) > 2).astype(int))


OPTIONS = {"steps": 200, "lr": 0.1, "batch": 20, "inner": 10, "scope": 0.03, "noise": 0.01}


def test_both_ways_descend_from_the_same_start() -> None:
    x, y = data()
    start, _ = _minima.losses(_minima.network([4, 6, 2], 3), x, y)
    ends = []
    for method in ("sgd", "entropy-sgd"):
        net = _minima.trained(method, [4, 6, 2], x, y, OPTIONS, 3)
        again = _minima.trained(method, [4, 6, 2], x, y, OPTIONS, 3)
        assert _minima.losses(net, x, y) == _minima.losses(again, x, y)
        ends.append(_minima.losses(net, x, y)[0])
    assert max(ends) < 0.7 * start
    assert ends[0] != ends[1]


def test_spectrum_of_a_logistic_regression() -> None:
    """Against X̃ᵀ diag(p(1−p)) X̃, which has each eigenvalue for both outputs."""
    x, y = data()
    net = _minima.network([4, 2], 1)
    with torch.no_grad():
        p = torch.softmax(net(x), dim=1)[:, 0].double()
    wide = torch.cat([x.double(), torch.ones(len(x), 1, dtype=torch.float64)], dim=1)
    own = wide.T @ (wide * (p * (1 - p))[:, None]) / len(x)
    right = np.concatenate([np.zeros(5), 2 * np.linalg.eigvalsh(own.numpy())])
    found = minima.spectrum(net, x, y)
    np.testing.assert_allclose(found, np.sort(right), atol=1e-7)
    assert found[-1] > 0.1


def test_pairs_of_seeds() -> None:
    rows = [
        {"method": m, "seed": s, "llc": s + (1.0 if m == "entropy-sgd" else 0.0)}
        for m in ("sgd", "entropy-sgd")
        for s in range(4)
    ]
    assert _minima.paired(rows, "llc") == (1.0, 0.0, 4)
