"""The estimator on residual and attention networks whose λ is known.

The source announces ResNet image models and transformer language models, without numbers. Their
two building blocks stand in for them, linear and at a true parameter, as torch modules.

*Residual.* Π(1 + B_l A_l) at the identity map: with the blocks side by side, C = (B_1 … B_L) and D
of the A_l, the product is 1 + C·U·D with U unit triangular, so that λ is that of one product of two
matrices with as many hidden units as all blocks together; the engine is asked the polynomials of a
small case. *Attention.* (xᵀQx)·v at 0.

λ̂ by Hamiltonian trajectories with a Metropolis test at a large nβ and a small pull γ (*far*) is
compared with λ where its chains agree, which those of the residual network do not: given all other
blocks each of its matrices is Gaussian, and *conditional* draws, which need no step, find the
tempered mean of the population. SGLD on batches is compared with trajectories at another nβ and a
larger γ (*near*): with a small pull chains wander along the zeros to where the loss is so steep
that no step of SGLD suits both places. At these points the curvature is 0, from which no step
follows; it is given.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

import rlct
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.target import Floats
from validation.audit.row import Fact, close, exact
from validation.framework.claim import alike, near, span
from validation.framework.estimate import estimate
from validation.framework.experiment import Data, Finding, Rows, experiment, suites
from validation.framework.fact_table import Case

SETTLED_RHAT = 1.1  # of R̂, above which chains disagree
NETWORK_NAMES = {"residual": "linear residual network", "attention": "linear attention"}


def units(settings: Data) -> Iterable[Data]:
    """A network, a method, and how far chains may go."""
    for name in settings["networks"]:
        for at in ("far", "near"):
            yield {"network": name, "method": "hmc", "at": at, "lr": None}
        for lr in settings["steps"]:
            yield {"network": name, "method": "sgld", "at": "near", "lr": lr}
    if "residual" in settings["networks"]:
        yield {"network": "residual", "method": "conditional", "at": "far", "lr": None}


def _network(name: str, size: Data) -> Any:
    """A network with all its parameters 0."""
    import torch
    from torch import nn

    class Residual(nn.Module):
        """x + B_l A_l x, layer after layer."""

        def __init__(self) -> None:
            super().__init__()
            shape = (size["blocks"], size["hidden"], size["width"])
            self.inner = nn.Parameter(torch.zeros(shape, dtype=torch.float64))
            self.outer = nn.Parameter(torch.zeros(shape, dtype=torch.float64))

        def forward(self, x: Any) -> Any:
            for a, b in zip(self.inner, self.outer, strict=True):
                x = x + x @ a.T @ b
            return x

    class Attention(nn.Module):
        """(xᵀQx)·v."""

        def __init__(self) -> None:
            super().__init__()
            width = size["width"]
            self.scores = nn.Parameter(torch.zeros(width, width, dtype=torch.float64))
            self.values = nn.Parameter(torch.zeros(width, dtype=torch.float64))

        def forward(self, x: Any) -> Any:
            return ((x @ self.scores) * x).sum(dim=-1, keepdim=True) * self.values

    return {"residual": Residual, "attention": Attention}[name]()


def _right(name: str, size: Data) -> Any:
    width = size["width"]
    if name == "attention":
        return rlct.theorem("linear-attention", inputs=width, outputs=width)
    return rlct.linear([width, size["blocks"] * size["hidden"], width], rank=0)


def theory(settings: Data, row: Data) -> Data:
    """λ and θ; of the conditional draws the row of the same network has them."""
    if row["method"] == "conditional":
        return {}
    right = _right(row["network"], settings[row["network"]])
    return {"lambda": str(right.lam), "theta": right.theta}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """λ̂ of one network by one method, beside λ."""
    if unit["method"] == "conditional":
        return conditional(
            settings["residual"], *settings[unit["at"]], **settings["gibbs"], rng=rng
        )
    import torch

    from rlct.sampling.modules.module import ModuleTarget

    torch.set_num_threads(1)
    name, seed = unit["network"], int(rng.integers(2**31))
    size = settings[name]
    net = _network(name, size)
    draws = np.random.default_rng(0).standard_normal((settings["samples"], size["width"]))
    x = torch.as_tensor(draws)
    with torch.no_grad():
        y = net(x)
    n_beta, gamma = settings[unit["at"]]
    options: dict[str, Any] = {"num_draws": settings["draws"][unit["at"]]}
    if unit["lr"] is not None:  # as long a walk at every step
        options = {"lr": unit["lr"], "num_draws": round(settings["length"] / unit["lr"])}
    target = ModuleTarget(net, (x, y), "gaussian")
    sampled = estimate_llc(
        target,
        n_beta=n_beta,
        localization=gamma,
        method=unit["method"],
        num_chains=4,
        seed=seed,
        **options,
    )
    return {
        **theory(settings, unit),
        "parameters": target.dimension,
        "estimate": sampled.lam,
        "error": sampled.errors["chains"],
        "sampler": sampled.errors.get("sampler", 0.0),
        "rhat": sampled.rhat,
        "warnings": list(sampled.warnings),
    }


def conditional(
    size: Data, n_beta: float, gamma: float, *, chains: int, sweeps: int, rng: np.random.Generator
) -> Data:
    """E[nβK] of the residual network at the identity, K = ½|Π(1 + B_l A_l) − 1|², by Gibbs."""
    width, blocks, eye = size["width"], size["blocks"], np.eye(size["width"])
    a = 0.3 * rng.standard_normal((blocks, chains, size["hidden"], width))
    b = 0.3 * rng.standard_normal((blocks, chains, width, size["hidden"]))

    def product(some: Iterable[int]) -> Floats:
        whole = np.broadcast_to(eye, (chains, width, width))
        for k in some:
            whole = (eye + b[k] @ a[k]) @ whole
        return whole

    def draw(above_factor: Floats, below_factor: Floats, gap: Floats) -> Floats:
        """W of exp(−nβ|gap + left·W·right|²/2 − γ|W|²/2)."""
        p, q = np.linalg.eigh(above_factor.mT @ above_factor)
        t, v = np.linalg.eigh(below_factor @ below_factor.mT)
        precision = n_beta * np.maximum(p[:, :, None] * t[:, None, :], 0.0) + gamma
        mean = -n_beta * (q.mT @ (above_factor.mT @ gap @ below_factor.mT) @ v) / precision
        noise = rng.standard_normal(precision.shape) / np.sqrt(precision)
        return np.asarray(q @ (mean + noise) @ v.mT)

    kept = []
    for sweep in range(-sweeps // 4, sweeps):
        for k in range(blocks):
            above, below = product(range(k + 1, blocks)), product(range(k))
            gap = above @ below - eye
            a[k] = draw(above @ b[k], below, gap)
            b[k] = draw(above, a[k] @ below, gap)
        if sweep >= 0:
            kept.append(0.5 * n_beta * ((product(range(blocks)) - eye) ** 2).sum(axis=(1, 2)))
    means = np.mean(kept, axis=0)
    halves = [np.mean(half) for half in np.array_split(kept, 2)]
    return {"estimate": means.mean(), "error": means.std(ddof=1) / chains**0.5, "halves": halves}


def _error(row: Data) -> float:
    return float(np.hypot(row["error"], row.get("sampler", 0.0)))


def _shown(row: Data) -> str:
    return f"{row['estimate']:.2f} ± {_error(row):.2f}"


def _engine() -> str:
    """λ and θ of (1 + b₁a₁ᵀ)(1 + b₂a₂ᵀ) = 1 in two dimensions."""
    import sympy

    a, b, c, d = (sympy.Matrix(sympy.symbols(f"{v}1:3")) for v in "abcd")
    gap = (sympy.eye(2) + a * b.T) * (sympy.eye(2) + c * d.T) - sympy.eye(2)
    found = rlct.ideal([str(sympy.expand(entry)) for entry in gap])
    return f"{found.lam} {found.theta}"


def _by_hand(name: str, size: Data) -> str:
    """λ and θ by hand: |q|²|v|², q of the form xᵀQx; H hidden units between N and N, H ≤ 2N."""
    width = size["width"]
    if name == "attention":
        return f"{Fraction(width, 2)} 1"
    units = size["blocks"] * size["hidden"]
    return f"{Fraction(units * (4 * width - units) + units % 2, 8)} {1 + units % 2}"


def _larger(name: str, size: Data) -> Data:
    """The next larger network of the kind, which an estimate must not be taken for."""
    grows = "blocks" if name == "residual" else "width"
    return {**size, grows: size[grows] + 1}


def _nearest(name: str, size: Data) -> float:
    return float(_right(name, _larger(name, size)).lam)


def _against(settings: Data, case: Case) -> Iterable[Fact]:
    """λ by hand; draws and trajectories of a network against it, and SGLD against trajectories."""
    name, far, lam = NETWORK_NAMES[case.name], case.far, float(case.right)
    own = settings[case.name]
    for kind, size in (("", own), (", larger", _larger(case.name, own))):
        asked = _right(case.name, size)
        yield exact(f"{name}{kind}: λ and θ, by hand", f"{asked.lam} {asked.theta}",
                    _by_hand(case.name, size))  # fmt: skip
    n_beta, gamma = settings["far"]
    # K is of degree four, so that the pull makes nβ/γ² of nβ.
    short = (far["theta"] - 1) / float(np.log(n_beta / gamma**2))
    hidden = (far["theta"] - 1) / float(np.log(n_beta))
    for row in case.drawn:
        yield estimate(f"{name}: conditional draws, λ = {case.right}", row["estimate"],
                       lam - hidden, row["error"], allowed=0.5 * hidden, per=lam)  # fmt: skip
    if case.settled:
        yield estimate(f"{name}: λ̂ with a small pull, λ = {case.right}", far["estimate"],
                       lam - short, _error(far), allowed=short / 2, per=lam,
                       sees=settings.get("sees", 0.2))  # fmt: skip
    for row, ratio in zip(case.walks, case.ratios, strict=True):
        if row["lr"] == min(settings["steps"]):
            parts = (_error(each) / each["estimate"] for each in (row, case.hmc))
            yield close(f"{name}: SGLD with step {row['lr']:g} over trajectories", ratio, 1,
                        4 * ratio * float(np.hypot(*parts)), control=1.5)  # fmt: skip


def _case(settings: Data, name: str, rows: Rows) -> Case:
    """What was run with a network."""
    drawn = [row for row in rows if (row["network"], row["method"]) == (name, "conditional")]
    far, hmc, *walks = (r for r in rows if r["network"] == name and r not in drawn)
    case = Case(name=name, drawn=drawn, far=far, hmc=hmc, walks=walks)
    case.right, case.settled = _right(name, settings[name]).lam, far["rhat"] < SETTLED_RHAT
    case.ratios = [row["estimate"] / hmc["estimate"] for row in walks]
    case.shares = [row["estimate"] / float(case.right) for row in (hmc, *walks)]
    case.sentence = (
        f"{NETWORK_NAMES[name]}: {_shown(far)} for λ = {far['lambda']}"
        + ("" if case.settled else f" from chains that disagree (R̂ = {far['rhat']:.2f})")
        + "".join(f", {_shown(row)} by conditional draws" for row in drawn)
        + f"; with a larger pull trajectories {_shown(hmc)}, SGLD "
        + ", ".join(f"{_shown(row)} with step {row['lr']:g}" for row in walks)
    )
    return case


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """λ̂ against λ, and one sampler against the other."""
    cases = [_case(settings, name, rows) for name in settings["networks"]]
    two = rlct.linear([2, 2, 2], rank=0)
    what = "two blocks of one unit, width 2, by the engine"
    facts: list[Fact] = [exact(what, _engine(), f"{two.lam} {two.theta}")]
    facts += [fact for case in cases for fact in _against(settings, case)]
    claims = alike(
        "the network, its training and the accuracy",
        {
            NETWORK_NAMES[case.name]: near(
                "estimate over λ, the farthest (planted: the next larger network)",
                max(case.shares, key=lambda share: abs(share - 1)), 1.0, 0.15,
                _nearest(case.name, settings[case.name]) / float(case.right), 0.05)
            for case in cases
        },
    )  # fmt: skip
    off = span([share - 1 for case in cases for share in case.shares], "+.0%")
    above = ", ".join(
        f"{ratio - 1:+.0%} ({case.name}, step {row['lr']:g})"
        for case in cases
        for row, ratio in zip(case.walks, case.ratios, strict=True)
    )
    yield Finding(
        "004-architectures",
        f"estimates are off λ by {off} in linear residual and attention networks",
        [*claims, *facts],
        "Skip connections and attention are no obstacle as such, but the estimator works within "
        f"limits: under a pull that keeps chains together estimates are off λ by {off}; under a "
        "small one chains may disagree for long. SGLD is above trajectories at the same nβ and γ, "
        f"by {above}: the bias of its step.",
        ". ".join(case.sentence for case in cases) + ".",
        "No ResNet and no language model: linear blocks of twelve to eighteen parameters at a true "
        "parameter. A small transformer is in the experiment on Figure 13 of 002. The summary that "
        "was read gives no numbers to compare with.",
    )


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Estimates and λ, over half the number of parameters."""
    axes = figure.add_subplot()
    for k, name in enumerate(settings["networks"]):
        own = [row for row in rows if row["network"] == name]
        for j, (row, style) in enumerate(zip(own, ("C2^", "C0s", "C1o", "C3o"), strict=False)):
            half, position = row["parameters"] / 2, k + 0.2 * (j - 1.5)
            kind = [row["method"], row["at"]] + ([f"step {row['lr']:g}"] if row["lr"] else [])
            axes.errorbar(position, row["estimate"] / half, 4 * _error(row) / half, fmt=style,
                          markersize=5, label=", ".join(kind) if k == 0 else None)  # fmt: skip
            axes.plot(position, float(Fraction(row["lambda"])) / half, "k_", markersize=20)
    names = [NETWORK_NAMES[name].replace(" ", "\n") for name in settings["networks"]]
    axes.set_xticks(range(len(names)), names, fontsize=8)
    axes.set(ylim=(0, 1), ylabel="λ̂ over half the number of parameters")
    axes.legend(title="lines: λ; bars: 4 errors", fontsize=8, title_fontsize=8, frameon=False)


_SHARED_SETTINGS = {"samples": 100, "far": [1e5, 1.0], "near": [1e3, 10.0]}

EXPERIMENT = experiment(
    __name__,
    title="Residual and attention networks",
    places=("004-architectures",),
    **suites(
        **_SHARED_SETTINGS,
        networks=(["attention"], ["residual", "attention"]),
        residual=(None, {"width": 3, "hidden": 1, "blocks": 3}),
        attention=({"width": 2}, {"width": 3}),
        steps=([4e-4], [1e-3, 2e-4]),
        draws=({"far": 60, "near": 250}, {"far": 1200, "near": 1200}),
        gibbs=(None, {"chains": 100, "sweeps": 1500}),
        length=(1.0, 3.0),
    ),
    size=(6.0, 4.2),
    needs=("torch",),
)
