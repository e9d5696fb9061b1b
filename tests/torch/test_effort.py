"""What layers of torch compute for a sample, and what is afforded by default for it."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rlct.sampling.kernels import kernel_class  # noqa: E402
from rlct.sampling.local import llc  # noqa: E402
from rlct.sampling.local.length import (  # noqa: E402
    FEW_SAMPLES,
    LEAST_BATCH,
    MOST_WORK,
    USUAL_BATCH,
    recommended_batch,
    recommended_chains,
    recommended_draws,
    recommended_method,
)
from rlct.sampling.local.llc import estimate_llc  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402
from rlct.sampling.modules.torch_work import counted_work  # noqa: E402
from rlct.sampling.targets.effort import GRADIENT_PASSES, RESULT_PRODUCTS, data_work  # noqa: E402
from rlct.sampling.targets.network import NetworkTarget  # noqa: E402

nn = torch.nn


class Attention(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.mix = nn.MultiheadAttention(width, 1, batch_first=True)
        self.read = nn.Linear(width, 1)

    def forward(self, x):
        return self.read(self.mix(x, x, x, need_weights=False)[0].mean(1))


def target(module, *shape: int, samples: int = 60) -> ModuleTarget:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(samples, *shape, generator=generator)
    y = torch.randn(samples, 1, generator=generator)
    return ModuleTarget(module, (x, y))


@pytest.mark.parametrize("inner", [1, 7])
def test_products_of_matrices_and_numbers_of_results_are_counted(inner) -> None:
    a, b = torch.ones(3, inner), torch.ones(inner, 5)
    assert counted_work(lambda: a @ b) == (15 * inner + RESULT_PRODUCTS * 15, 1)
    assert counted_work(lambda: a.mT[1:]) == (0, 0)  # views are free


def test_a_convolution_uses_its_parameters_at_every_place() -> None:
    """16 places of 9 products of a kernel, against a dense layer of as many parameters."""
    dense = target(nn.Linear(9, 1, bias=False), 9)
    shared = target(
        nn.Sequential(nn.Conv2d(1, 1, 3, bias=False), nn.Flatten(), nn.AvgPool1d(16)), 1, 6, 6
    )
    assert dense.dimension == shared.dimension == 9
    assert shared.sample_work - dense.sample_work >= (16 - 1) * 9 + (16 - 1) * RESULT_PRODUCTS


def test_attention_grows_with_the_square_of_its_length() -> None:
    """Second differences over lengths, which lose what grows with the length."""
    short, middle, long = (target(Attention(), length, 4).sample_work for length in (8, 16, 24))
    bend = long - 2 * middle + short
    assert bend >= 2 * 8 * 8 * (2 * 4)  # products of q and k, and with v, for each pair of places


def test_work_is_that_of_one_sample_however_many_there_are() -> None:
    few, many = (target(Attention(), 8, 4, samples=n) for n in (16, 600))
    assert few.sample_work == many.sample_work
    assert data_work(many) == 600 * many.sample_work
    one = target(nn.Linear(3, 1), 3, samples=1)  # nothing to compare
    assert one.sample_work >= GRADIENT_PASSES * one.dimension


def test_slow_layers_have_fewer_chains_than_quick_ones_of_more_parameters() -> None:
    quick, slow = target(nn.Linear(200, 1), 200), target(Attention(), 24, 4)
    assert slow.dimension < quick.dimension
    assert recommended_chains("hmc", quick) == 64
    assert 8 <= recommended_chains("hmc", slow) < 16


def test_a_convolution_on_a_thousand_images_goes_by_batches() -> None:
    """By samples times parameters, 4e5, it would go by trajectories on all data, for minutes."""
    layers = nn.Sequential(
        nn.Conv2d(1, 8, 3),
        nn.ReLU(),
        nn.Conv2d(8, 4, 3),
        nn.ReLU(),
        nn.Flatten(),
        nn.AvgPool1d(400),
    )
    images = target(layers, 1, 14, 14, samples=1000)
    assert images.dimension < 400
    assert recommended_method(images, 8) == "sgld"
    dense = target(nn.Linear(400, 1), 400, samples=1000)
    assert recommended_method(dense, 8) == "hmc"


def test_few_samples_go_by_trajectories_if_some_minutes_allow() -> None:
    """They fill flat directions sooner; of many samples mini-batches do."""
    few, many = (target(Attention(), 14, 4, samples=n) for n in (FEW_SAMPLES, FEW_SAMPLES + 1))
    usual = kernel_class("hmc").usual_draws
    assert recommended_draws("hmc", few, 8) < usual  # control: they are not cheap
    assert (recommended_method(few, 8), recommended_method(many, 8)) == ("hmc", "sgld")
    for samples, method in ((200, "hmc"), (400, "sgld")):
        assert recommended_method(target(Attention(), 64, 4, samples=samples), 8) == method


def test_dear_gradients_leave_smaller_batches_and_fewer_draws() -> None:
    """A transformer of 9515 parameters took nine minutes; control: cheap ones leave all."""
    few, some, dear = (target(Attention(), length, 4, samples=400) for length in (4, 25, 300))
    assert recommended_batch(few, 16) == USUAL_BATCH
    assert LEAST_BATCH < recommended_batch(some, 16) < USUAL_BATCH
    assert recommended_batch(dear, 16) == LEAST_BATCH
    for one, batch in ((some, recommended_batch(some, 16)), (dear, LEAST_BATCH)):
        draws = recommended_draws("sgld", one, 16)
        work = 2 * draws * 16 * batch * one.sample_work
        assert work <= MOST_WORK or draws == kernel_class("sgld").usual_draws // 4
        assert work > 0.9 * MOST_WORK
    assert recommended_draws("sgld", few, 16) == kernel_class("sgld").usual_draws
    assert recommended_draws("hmc", dear, 8) == kernel_class("hmc").usual_draws // 4
    assert recommended_draws("hmc", few, 8) == kernel_class("hmc").usual_draws


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU])
def test_chains_that_run_one_after_another_are_few(kind) -> None:
    """sixty of an LSTM took an hour; control: a layer of as many parameters."""

    class Last(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.steps, self.read = kind(2, 4, batch_first=True), nn.Linear(4, 1)

        def forward(self, x):
            return self.read(self.steps(x)[0][:, -1])

    recurrent = target(Last(), 10, 2)
    assert recommended_chains("hmc", recurrent) == 8
    dense = target(nn.Linear(recurrent.dimension, 1), recurrent.dimension)
    assert recommended_chains("hmc", dense) > 8


def test_networks_in_numpy_count_alike() -> None:
    """Within a factor of three of torch, which counts operations one by one."""
    layers = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
    weights = [layers[k].weight.detach().double().numpy() for k in (0, 2)]
    ours = NetworkTarget(weights, np.zeros((60, 5)), np.zeros((60, 1)), "tanh")
    ratio = ours.sample_work / target(layers, 5).sample_work
    assert 1 / 3 < ratio < 3


def test_draws_are_not_doubled_beyond_a_few_minutes(monkeypatch) -> None:
    """Control: with time for it they are, as chains of two gradients are never as precise."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(60, 1))
    data = NetworkTarget([np.ones((1, 1)), np.ones((1, 1))], x, x, "linear")
    monkeypatch.setattr(kernel_class("hmc"), "usual_draws", 4)
    longer_run = estimate_llc(data, num_chains=4, num_burnin=8)
    assert longer_run.draws.shape[-1] > 4
    assert "times as many steps as usual were taken" in longer_run.remark
    named_run = estimate_llc(data, num_chains=4, num_burnin=8, num_draws=4)
    assert (named_run.draws.shape[-1], named_run.remark) == (4, "")
    monkeypatch.setattr(llc, "DOUBLED_WORK", 0.0)
    short_run = estimate_llc(data, num_chains=4, num_burnin=8)
    assert short_run.draws.shape[-1] <= 4
    assert not short_run.remark
