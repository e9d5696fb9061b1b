"""Steps of each weight's own size, and planted weights, against exact means and spectra."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.sampling.local.spikes import SpikedRun, run_spikes  # noqa: E402
from rlct.sampling.modules.network_loss import NetworkLoss  # noqa: E402
from rlct.sampling.networks.start_point import hessian_density  # noqa: E402
from validation.llc.verdicts.targets import targets  # noqa: E402

nn = torch.nn
UNEVEN = targets()["uneven"]
PLAIN_RUN = SpikedRun(100.0, 1.0, 1.0, 4e-3, 500, 1000, 1.0, "float32", 0)


def test_uneven_curvature_is_met_by_steps_of_each_weights_own_size() -> None:
    """A right program is off by 5 % with probability below 1e-6: its scatter is 0.7 %."""
    options = UNEVEN.options | {"method": "sgld", "seed": 1}
    found = rlct.llc(UNEVEN.network, UNEVEN.data, **options)
    assert "each weight has steps of its own size" in str(found)
    assert found.verdict == "usable"
    assert abs(found.lam / UNEVEN.exact_mean(1.0) - 1) < 0.05
    options |= {"num_draws": 1000}
    plain = rlct.llc(UNEVEN.network, UNEVEN.data, precondition=False, **options)
    assert plain.verdict == "too short", "control: plain steps do not get there"
    assert not plain.remark


def test_even_curvature_keeps_plain_steps() -> None:
    x = torch.randn(500, 4, generator=torch.Generator().manual_seed(0))
    net = nn.Linear(4, 2)
    found = rlct.llc(net, (x, net(x).detach()), method="sgld", num_draws=400)
    assert not found.remark
    named = rlct.llc(UNEVEN.network, UNEVEN.data, method="sgld", lr=1e-5, num_draws=50)
    assert not named.remark, "whoever names lr has plain steps"


@pytest.mark.parametrize("pull", [0.0, 0.3])
def test_lanczos_sees_the_curvatures_that_scaled_steps_see(pull) -> None:
    """Of A = √s(H + γ)√s and B = √sH√s the mean over starts of Σ τf(θ) is tr B f(A)."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 12)) * np.logspace(0, -1.5, 12)
    net = nn.Linear(12, 1, bias=False).double()
    data = torch.as_tensor(x), net(torch.as_tensor(x)).detach()
    loss = NetworkLoss(net, data, "gaussian")
    scales = rng.uniform(0.2, 5.0, 12)
    bends = np.sqrt(np.outer(scales, scales)) * (x.T @ x / 300)
    values, axes = np.linalg.eigh(bends + pull * np.diag(scales))
    along = np.einsum("ij,ik,kj->j", axes, bends, axes)
    seen = [
        hessian_density(loss, data, 1e9, 300, seed=seed, scaling=torch.as_tensor(scales), pull=pull)
        for seed in range(20)
    ]
    assert max(part.sharpest for part in seen) == pytest.approx(values[-1], rel=1e-3)
    for function in (lambda a: 1 / a, lambda a: np.exp(-3 * a) / a):
        exact = (along * function(values)).sum()
        found = [(part.trace_parts * function(part.values)).sum() for part in seen]
        error = np.std(found) / np.sqrt(len(found))
        assert abs(np.mean(found) - exact) < 4 * error + 1e-3 * exact  # once in 15 000
        assert abs(np.mean(found) - 1.2 * exact) > 4 * error, "control"


def test_planted_weights_are_recovered_by_steps_that_suffice() -> None:
    assert set(run_spikes(PLAIN_RUN).states) == {"recovered"}
    assert len(run_spikes(PLAIN_RUN).states) == 64


@pytest.mark.parametrize(
    ("change", "word", "where"),
    [
        ({"step_size": 4e-5}, "not filled", slice(20)),  # relaxes in 25 000 steps
        ({"step_size": 0.06, "sharpest": 1.0}, "too hot", slice(31, 32)),  # ε·nβh = 6 > 4
        ({"weight_size": 1e7}, "rounded away", slice(32)),  # steps of 0.03 beside 1e7
        ({"weight_size": 1e7, "dtype": "float64"}, "recovered", slice(32)),
        ({"sharpest": 0.0}, "recovered", slice(64)),  # of a loss that is constant nearby
    ],
)
def test_planted_weights_show_what_steps_do_wrong(change, word, where) -> None:
    assert set(run_spikes(PLAIN_RUN._replace(**change)).states[where]) == {word}


def test_spikes_are_of_steps_on_batches_alone() -> None:
    x = torch.randn(100, 2, generator=torch.Generator().manual_seed(0))
    net = nn.Linear(2, 1)
    found = rlct.llc(net, (x, net(x).detach()), method="sgld", num_draws=200)
    assert len(found.spikes.exact) == 64
    assert "½hv²" in str(found.spikes)
    found.plot()
    by_trajectories = rlct.llc(net, (x, net(x).detach()), method="hmc", num_draws=20)
    with pytest.raises(InputError, match="spikes are of a torch module by method='sgld'"):
        _ = by_trajectories.spikes


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_digits_in_half_precision_agree_with_single(dtype) -> None:
    """Within four of their common errors, which chance exceeds once in 1000 (Student's t)."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    x = torch.tensor(digits.data / 16, dtype=torch.float32)
    y = torch.tensor(digits.target)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 10))
    descent = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(400):
        descent.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        descent.step()
    single, half = (rlct.llc(net, (x, y), method="sgld", dtype=kind) for kind in (None, dtype))
    error = np.hypot(single.error, half.error)
    assert abs(single.lam - half.lam) < 4 * error
    assert error < 0.05 * single.lam, "control: errors that excuse all"


@pytest.mark.slow
def test_covariances_of_losses_at_the_usual_draws_follow_the_closed_form() -> None:
    """Cov(ℓ_i, ℓ_j) = q·½(x_i'A⁻¹x_j)² at a residual of 0, A = nβX'X/n + γ, for q outputs.

    Over 4 seeds correlations were 0.971 to 0.974 and 0.945 to 0.967; looks at 25 draws of plain
    steps gave 0.78 and 0.75.
    """
    regression = targets()["regression"]
    found = rlct.llc(
        regression.network, regression.data, loss="gaussian", method="sgld", num_draws=1000
    )
    looks = found.sample_losses
    x = regression.data[0].double().numpy()
    n_beta = len(x) / np.log(len(x))
    shared = x @ np.linalg.inv(n_beta * x.T @ x / len(x) + np.eye(x.shape[1])) @ x.T
    exact = 10 * shared[np.ix_(looks.rows, looks.rows)] ** 2
    assert np.corrcoef(looks.covariance().ravel(), exact.ravel())[0, 1] > 0.95
    response = -(exact.mean(axis=1) - exact.mean())
    assert np.corrcoef(np.ravel(looks.susceptibility()), response)[0, 1] > 0.92
    shuffled = np.random.default_rng(0).permutation(response)
    assert abs(np.corrcoef(np.ravel(looks.susceptibility()), shuffled)[0, 1]) < 0.3, "control"


def test_the_sharpest_curvature_of_few_rows_is_that_of_all() -> None:
    """64 rows of 400 independent inputs of variance 1 have an eigenvalue of 12 of their own."""
    torch.manual_seed(7)
    x, net = torch.randn(4000, 400), nn.Linear(400, 1, bias=False)
    loss = NetworkLoss(net, (x, net(x).detach()), "gaussian")
    rows = loss.samples.take(torch.arange(64))
    own = float(torch.linalg.eigvalsh(rows[0].T @ rows[0] / 64).max())
    assert own > 10
    for seed in range(5):
        # 1.5 times the largest of eight means of 8 squares: above 5 once in 10⁵ runs.
        assert 0.9 < hessian_density(loss, rows, 64 * 40, 1024, seed=seed).sharpest < 5
    # All rows: by Lanczos.
    every = loss.samples.take(torch.arange(4000))
    whole = float(torch.linalg.eigvalsh(x.T @ x / 4000).max())
    assert abs(hessian_density(loss, every, 4000 * 120, 1024, seed=0).sharpest / whole - 1) < 0.05
