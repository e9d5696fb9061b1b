"""What the grokking experiments compute by hand: gradients, ranks, and the walk without a loss."""

import numpy as np
import pytest

from validation.experiments.grokking import _follow, _llc, _modular, data, severity
from validation.framework.claim import combine


@pytest.fixture(scope="module")
def trained():
    """A task modulo 5 with a network of six units, before and after some training."""
    task = _modular.Task.split(5, 0.8, np.random.default_rng(0))
    settings = _modular.Training(
        p=5, units=6, lr=1e-2, weight_decay=0.0, epochs=40, batch=100, every=40
    )
    return task, list(_modular.train(settings, task))


def test_a_task_is_addition(trained):
    task, _ = trained
    assert ((task.a + task.b) % 5 == task.c).all()
    assert sorted([*task.train, *task.test]) == list(range(25))
    assert task.inputs(task.train).sum(axis=0).max() <= 5
    shuffled = task.shuffled(np.random.default_rng(1))
    assert sorted(shuffled.c) == sorted(task.c)
    assert (shuffled.c != task.c).any()


def test_the_loss_is_the_one_of_the_target(trained):
    """Two ways of computing it: by gathering rows, and by the sampling target."""
    task, (start, end) = trained
    target = _llc.target_at(task, start, np.float64)
    layers = [end.W.T, end.V]
    w = np.concatenate([m.reshape(-1) for m in layers]) - target.centre
    assert target.divergence(w[None])[0] == pytest.approx(
        end.train_loss - start.train_loss, abs=1e-6
    )
    assert end.train_loss < 0.5 * start.train_loss


def test_the_gradient_of_training(trained):
    """The first step of Adam is the rate times the sign of the gradient."""
    task, (start, _) = trained
    settings = _modular.Training(
        p=5, units=6, lr=1e-3, weight_decay=0.0, epochs=1, batch=100, every=1
    )
    before, after = _modular.train(settings, task)
    slope = _llc.target_at(task, start, np.float64).gradient(np.zeros((1, 90)))[0]
    moved = np.concatenate([(after.W - before.W).T.reshape(-1), (after.V - before.V).reshape(-1)])
    clear = np.abs(slope) > 1e-4
    assert clear.sum() > 60
    assert moved[clear] == pytest.approx(-1e-3 * np.sign(slope[clear]), rel=1e-2)


def test_the_centred_target(trained):
    """Its gradient, and that a constant added to an output changes nothing."""
    task, (start, _) = trained
    target = _llc.target_at(task, start, np.float64)
    rng = np.random.default_rng(2)
    w, v = 0.1 * rng.standard_normal((2, 1, target.dimension))
    found = float((target.gradient(w) * v).sum())
    difference = target.divergence(w + 1e-5 * v) - target.divergence(w - 1e-5 * v)
    assert found == pytest.approx(float(difference[0]) / 2e-5, rel=1e-6)
    gap = target._gap(rng.standard_normal((1, 5, 20)) + 7.0, np.zeros((5, 20)))
    assert gap.sum(axis=2) == pytest.approx(np.zeros((1, 5)), abs=1e-12)


def test_gauss_newton_is_the_spectrum_of_the_jacobian(trained):
    task, (_, end) = trained
    h = _llc.gauss_newton(task, end)
    x = task.inputs(task.train).astype(float)
    cut, size = end.W.size, end.W.size + end.V.size

    def outputs(w):
        made = (x @ w[:cut].reshape(end.W.shape)) ** 2 @ w[cut:].reshape(end.V.shape).T
        return (made - made.mean(axis=0)).reshape(-1)

    w = np.concatenate([end.W.reshape(-1), end.V.reshape(-1)]).astype(float)
    columns = [(outputs(w + e) - outputs(w - e)) / 2e-5 for e in 1e-5 * np.eye(size)]
    known = np.linalg.svd(np.array(columns), compute_uv=False) ** 2 / len(x)
    assert h[: len(known)] == pytest.approx(known, abs=1e-7)
    # Six generic units reach K(3p − 2) = 78 of 5·19 = 95; K(3p − 1) would be 84.
    assert (h > 1e-9 * h[0]).sum() == 78 == 2 * _llc.half_rank(6, 5, 0.8)


def test_the_blind_walk(trained):
    """Without the loss the chain is an autoregression, simulated here step by step."""
    task, (_, end) = trained
    rng = np.random.default_rng(3)
    target = _llc.target_at(task, end)
    w = np.zeros((400, target.dimension), dtype=np.float32)
    seen = []
    for step in range(1, _llc.BURNIN_DRAWS + _llc.KEPT_DRAWS + 1):
        w += -0.5 * 1e-3 * 5.0 * w + np.sqrt(1e-3) * rng.standard_normal(w.shape, dtype=np.float32)
        if step >= _llc.BURNIN_DRAWS and step % 100 == 0:
            seen.append(target.divergence(w).mean())
    direct = _llc.N_BETA * float(np.mean(seen))
    own = [_llc.blind_walk(task, end, rng, lr=1e-3, times=50) for _ in range(8)]
    error = float(np.std(own, ddof=1)) / np.sqrt(8)
    # Student's t with seven degrees of freedom: 6 has a chance of 1 in 2000.
    assert abs(np.mean(own) - direct) < 6 * error + 0.03 * direct
    assert abs(np.mean(own) - 1.5 * direct) > 6 * error + 0.03 * direct


def test_thresholds_and_powers():
    rows = [
        {"p": M, "N": round(share * M * M), "test_accuracy": [float(share * M > 3)]}
        for M in (20, 40, 80)
        for share in np.geomspace(0.01, 0.9, 400)
    ]
    found = data.thresholds(rows, 0)
    slope, error = data.power(found)
    assert slope == pytest.approx(1, abs=0.05)
    assert error < 0.05


def test_fits_of_the_severity():
    lr = np.geomspace(1e-3, 1e-1, 9)
    gsm = 0.01 * lr**-0.6
    assert severity.fit(np.log(lr), np.log(gsm)) == (pytest.approx(1), pytest.approx(-0.6))
    assert severity.fit(lr, np.log(gsm))[0] < 0.9
    assert severity.falls(lr, gsm)[0] == -1


def test_whether_the_llc_follows_the_test_loss():
    """A ratio that falls with the test loss; what shuffled answers do, too, is no sign of it."""
    loss = [0.9, 1.0, 0.95, 0.8, 0.6, 0.4, 0.3, 0.2]
    control = {
        "epoch": list(range(8)),
        "train_accuracy": [1.0] * 8,
        "test_accuracy": [0.0] * 8,
        "test_loss": [1.0] * 8,
        "llc": [10.0 - 0.1 * epoch for epoch in range(8)],
        "half_rank": [5.0] * 7 + [4.0],
        "blind": [1.0] * 8,
    }
    falling = [one * other for one, other in zip(loss, control["llc"], strict=True)]
    own = control | {"test_accuracy": [0.0] * 5 + [1.0] * 3, "test_loss": loss, "llc": falling}
    own["blind"] = [1.0, 1.2] * 4

    def verdict(**changes):
        return combine(_follow.follows("", own | changes, control)).value

    assert verdict() == "confirmed"
    assert combine(_follow.follows("", own)).value == "undecided"
    assert verdict(blind=falling) == "undecided"  # what does not see the loss passes as well
    same = [llc * (1 + 0.01 * one) for llc, one in zip(control["llc"], loss, strict=True)]
    assert verdict(llc=same) == "differs"  # follows, but is hardly lower than with shuffled answers
    assert verdict(llc=[*falling[:5], 10.0, *falling[6:]]) == "differs"  # largest when all is over
    assert verdict(llc=[*falling[:7], 9.0]) == "differs"  # risen again at the end
    assert _follow.turn(own, "llc") == 0.0
    assert _follow.turn(own, "half_rank") == pytest.approx(0.875)
    assert _follow.wavers(own, control) == []
    assert _follow.wavers(own | {"llc": [*falling[:7], 9.0]}, control) == [7]


def test_chance_of_a_rank_correlation():
    rng = np.random.default_rng(5)
    orders = np.array([rng.permutation(9) for _ in range(4000)])
    found = 1 - 6 * ((orders - np.arange(9)) ** 2).sum(axis=1) / (9 * 80)
    # 5 %, to four standard errors and the steps that a rank correlation of nine pairs takes.
    assert (found >= _follow.rare(9)).mean() == pytest.approx(0.05, abs=0.02)
