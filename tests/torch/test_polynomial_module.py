"""What is known exactly of a module is of the polynomial that it is, and of nothing else."""

import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.answers.module_theory import module_theory  # noqa: E402
from rlct.answers.polynomial_module import polynomial_module_theory  # noqa: E402

nn = torch.nn


@pytest.fixture(autouse=True)
def patient(monkeypatch) -> None:
    """A busy machine must not end the engine before its answer."""
    monkeypatch.setattr("rlct.answers.polynomial_module.ENGINE_SECONDS", 60.0)


class Weights(nn.Module):
    """A function of a vector of weights and of inputs."""

    def __init__(self, values, function) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.tensor(values))
        self.function = function

    def forward(self, x):
        return self.function(self.w, x)


@pytest.mark.parametrize(
    ("function", "values", "ideal"),
    [
        (lambda w, x: w[0] * w[1] * x, [0.0, 0.0], ["a*b"]),
        (lambda w, x: w[0] * w[1] * x, [1.0, 0.0], ["a*b"]),
        (lambda w, x: (w[0] ** 2 - w[1] ** 3) * x, [0.0, 0.0], ["a**2-b**3"]),
        (lambda w, x: w[0] * x + (w[1] * x) ** 2, [0.0, 0.0], ["a", "b**2"]),
        (lambda w, x: torch.square(w[0] - 0.5) * x + w[1], [0.5, 0.25], ["(a-1/2)**2", "b-1/4"]),
    ],
)
def test_the_pair_is_that_of_the_ideal_by_hand(function, values, ideal) -> None:
    at = dict(zip("ab", map(str, values), strict=True))
    exact = rlct.ideal(ideal, at=at)
    said = polynomial_module_theory(Weights(values, function), 1, 100.0)
    assert said.startswith(f"engine: λ = {exact.lam}, θ = {exact.theta} ")
    assert ("lowers the mean at this nβ below λ, by some 0.22" in said) == (exact.theta == 2)


def squares(hidden, outer, how) -> nn.Module:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.below = nn.Linear(len(hidden[0]), len(hidden), bias=False)
            self.above = nn.Linear(len(hidden), len(outer), bias=False)

        def forward(self, x):
            return self.above(how(self.below(x)))

    net = Net()
    for layer, values in ((net.below, hidden), (net.above, outer)):
        layer.weight.data = torch.tensor(values)
    return net


def test_a_layer_of_squares_is_the_quadratic_network() -> None:
    hidden, outer = [[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]
    exact = rlct.quadratic(weights={"hidden": hidden, "outer": outer})
    for how in (lambda h: h * h, lambda h: h**2, torch.square):
        said = polynomial_module_theory(squares(hidden, outer, how), 2, 100.0)
        assert f"λ = {exact.lam}, θ = {exact.theta}" in said
        assert "at these weights of a quadratic" in said
    cubes = polynomial_module_theory(squares(hidden, outer, lambda h: h**3), 2, 100.0)
    assert "quadratic" not in cubes


def test_every_multiple_of_the_squared_error_has_the_same_pair() -> None:
    product = Weights([0.0, 0.0], lambda w, x: torch.prod(w) * x)
    x = torch.randn(5, 1, generator=torch.Generator().manual_seed(0))
    for loss in (None, "gaussian", "mse", nn.MSELoss(), nn.functional.mse_loss):
        assert "λ = 1/2, θ = 2" in module_theory(product, (x, x), loss, 100.0)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_random_layers_have_the_pair_of_full_rank_in_the_limit(depth) -> None:
    """What they are at this nβ is open: some singular values are neither seen nor unseen."""
    torch.manual_seed(0)
    net = nn.Sequential(*(nn.Linear(6, 6, bias=False) for _ in range(depth)))
    x = torch.randn(9, 6)
    said = module_theory(net, (x, net(x).detach()), "mse", 80.0)
    assert "λ = 18, θ = 1 for the linear network" in said
    assert said.endswith(
        "in the limit of large n: at this nβ some singular values are seen in part"
    )
    for layer in net:
        layer.weight.data *= 100.0
    assert "limit" not in module_theory(net, (x, net(x).detach()), "mse", 80.0)


def test_of_others_nothing_is_said() -> None:
    product = Weights([0.0, 0.0], lambda w, x: w[0] * w[1] * x)
    x = torch.zeros(5, 1)
    assert "λ = 1/2" in module_theory(product, (x, x), None, 100.0)
    assert module_theory(product, (x, torch.zeros(5).long()), None, 100.0) == ""  # classes
    assert module_theory(product, (x, x), torch.nn.HuberLoss(), 100.0) == ""
    for other in (
        Weights([0.1, 0.0], lambda w, x: w[0] * w[1] * x),  # as training leaves weights
        Weights([0.0, 0.0], lambda w, x: torch.tanh(w[0] * w[1] * x)),
        Weights([0.0] * 9, lambda w, x: w.sum() * x),
        Weights([0.0, 0.0], lambda w, x: w[0] * x if float(w[0]) > 0 else w[1] * x),
    ):
        assert polynomial_module_theory(other, 1, 100.0) == ""
    product.w.requires_grad_(False)
    assert polynomial_module_theory(product, 1, 100.0) == ""


def test_it_stands_beside_an_estimate() -> None:
    product = Weights([0.0, 0.0], lambda w, x: w[0] * w[1] * x)
    x = torch.randn(200, 1, generator=torch.Generator().manual_seed(0))
    found = rlct.llc(product, (x, 0 * x), method="sgld", num_draws=50, progress=False)
    assert found.theory.startswith("engine: λ = 1/2, θ = 2")
