"""MCMC in the last layers, Laplace and MAP: Tables 1, 3, 4, 5 and Figures 1, 3 to 9.

f = h(g(x)) from R³ to R³ with g a ReLU block of one or five hidden layers of five units and h =
BAx or B·ReLU(Ax), 3×3; y = f + N(0, I), or y = h(x) + N(0, I) where the truth is not realisable;
x ~ N(0, I). MAP is gradient descent on PyTorch's mean-squared error from PyTorch's
initialisation, 5000 epochs; the source gives no learning rate and no sizes n: here 0.01, with
which its MAP slopes come out about right, and n = 100 to 400. Mini-batches of 32 are trained for
a fifth of the epochs; at larger learning rates it is only counted in how many data sets MAP
diverges, or has probabilities that single precision takes for 0. Every data set has a truth of its
own drawn as PyTorch initialises, where the source has one.

- *MCMC (B)* draws from the posterior of the last layer, which is Gaussian: exactly.
- *MCMC (A, B)*: Hamiltonian trajectories from MAP, prior N(0, 1).
- *Laplace (B)* and *(A, B)*: the Gaussian at MAP with the inverse Hessian of the log posterior.
- *MAP*.

G(n) is the divergence from the truth, from outputs with their mirror images; its slope against
1/n is beside the exact λ of the head, which it must reach with features that do not depend on the
data: the rows *standard* have x̃ ~ N(0, I) and A, B of the truth ~ N(0, 1), and with ReLU more
data sets, to tell 15/2 from half of the 18 parameters.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rlct.sampling.targets.target import Floats
from validation.experiments.singular._heads import HEAD_SIZE, features, head, initial, train
from validation.experiments.singular._learning_curves import TABLE_PLACES, draw, judge
from validation.experiments.singular._predictive import (
    around,
    generalisation,
    laplace_both,
    last_layer,
    mcmc_both,
)
from validation.framework.experiment import Data, experiment, suites


def units(settings: Data) -> Iterable[Data]:
    """One for each table, architecture and n."""
    for n in settings["n"]:
        for relu in (False, True):
            standard = {"table": ["standard", "none"], "hidden": 0, "relu": relu, "n": n}
            yield standard
            for part in range(settings["standard_parts"] if relu else 0):
                yield {**standard, "part": part}
            for table in settings["tables"]:
                for hidden in settings["hidden"]:
                    yield {"table": table, "hidden": hidden, "relu": relu, "n": n}
    for n in settings["n"]:
        for part in range(settings["identity_parts"]):
            own = {"table": ["standard", "none"], "hidden": 0, "relu": False, "n": n}
            yield {**own, "part": part}
    for truth in ("realisable", "not"):
        for rate in settings["rates"]:
            yield {"table": [truth, "rates"], "hidden": 1, "relu": False, "n": 100, "rate": rate}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Mean generalisation error of the five methods over data sets, with paired differences."""
    truth, training = unit["table"]
    hidden, relu, n = unit["hidden"], unit["relu"], unit["n"]
    sets = settings["part_sets" if "part" in unit else "data_sets"]
    x = rng.standard_normal((sets, n, HEAD_SIZE))
    test = rng.standard_normal((sets, settings["test"], HEAD_SIZE))
    net = [] if truth == "standard" else initial(sets, hidden, rng)
    if truth == "standard":
        A, B = rng.standard_normal((2, sets, HEAD_SIZE, HEAD_SIZE))
    else:
        A, B = net[-2:]

    def right(inputs: Floats) -> Floats:
        return head(A, B, features(net, inputs) if truth == "realisable" else inputs, relu)

    y = right(x) + rng.standard_normal(x.shape)
    goal = right(test)
    if training == "rates":
        return _lost(settings, unit, x, y, test, goal, rng)
    if training == "none":
        layers: list[Floats] = [A, B]
        own, seen = x, test
    else:
        layers = train(
            initial(sets, hidden, rng),
            x,
            y,
            relu,
            epochs=settings["epochs" if training == "full" else "batch_epochs"],
            lr=settings["lr"],
            batch=None if training == "full" else settings["batch"],
            rng=rng,
        )
        own, seen = features(layers, x), features(layers, test)
    errors, notes = _errors(settings, layers[-2:], own, y, seen, goal, relu, rng)
    if training == "none":
        del errors["MAP"], errors["Laplace (A, B)"], errors["Laplace (B)"]  # not trained
    return {**_summary(errors), **notes, "signal": float(goal.var(axis=1).sum(axis=1).mean())}


def _lost(
    settings: Data,
    unit: Data,
    x: Floats,
    y: Floats,
    test: Floats,
    goal: Floats,
    rng: np.random.Generator,
) -> Data:
    """Data sets in which MAP is infinite or, not realisable, probabilities of outputs underflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        trained = train(
            initial(len(x), unit["hidden"], rng),
            x,
            y,
            unit["relu"],
            epochs=settings["rate_epochs"],
            lr=unit["rate"],
            batch=settings["batch"],
            rng=rng,
        )
        error = 0.5 * (
            (head(*trained[-2:], features(trained, test), unit["relu"]) - goal) ** 2
        ).sum(2)
    least = np.inf if unit["table"][0] == "realisable" else -np.log(np.finfo(np.float32).tiny)
    return {"lost": int((~(error < least)).any(axis=1).sum())}


def _errors(
    settings: Data,
    heads: list[Floats],
    own: Floats,
    y: Floats,
    seen: Floats,
    goal: Floats,
    relu: bool,
    rng: np.random.Generator,
) -> tuple[dict[str, Floats], dict[str, Any]]:
    A, B = heads
    count = settings["chains"] * settings["draws"]
    inner, outer = (f @ A.transpose(0, 2, 1) for f in (own, seen))
    if relu:
        inner, outer = np.maximum(inner, 0), np.maximum(outer, 0)
    posterior, _, root = last_layer(inner, y, outer, count, rng)
    both, notes = mcmc_both(
        A,
        B,
        own,
        y,
        seen,
        relu,
        chains=settings["chains"],
        draws=settings["draws"],
        burnin=settings["burnin"],
        rng=rng,
    )
    gaussian, smallest = laplace_both(A, B, own, y, seen, relu, count, rng)
    values = np.linalg.eigvalsh(inner.transpose(0, 2, 1) @ inner)
    notes["effective"] = float(0.5 * HEAD_SIZE * (values / (values + 1)).sum(axis=1).mean())
    notes["indefinite"] = int((smallest <= 0).sum())
    notes["smallest"] = float(np.median(smallest))
    with np.errstate(invalid="ignore"):
        errors = {
            "MCMC (A, B)": generalisation(both, goal, rng),
            "MCMC (B)": generalisation(posterior, goal, rng),
            "Laplace (A, B)": generalisation(gaussian, goal, rng),
            "Laplace (B)": generalisation(around(B, root, outer, count, rng), goal, rng),
            "MAP": 0.5 * ((head(A, B, seen, relu) - goal) ** 2).sum(axis=2).mean(axis=1),
        }
    return errors, notes


def _summary(errors: dict[str, Floats]) -> dict[str, Any]:
    """Means, standard errors, and differences from MCMC (B), data set by data set."""
    base = errors["MCMC (B)"]
    held: dict[str, Any] = {}
    for name, values in errors.items():
        fine = np.isfinite(values)
        if fine.sum() < 2:
            held[name] = {"mean": None, "error": None, "above": None, "above_error": None}
            continue
        gap = (values - base)[fine]
        held[name] = {
            "mean": float(values[fine].mean()),
            "error": float(values[fine].std(ddof=1) / np.sqrt(fine.sum())),
            "above": float(gap.mean()),
            "above_error": float(gap.std(ddof=1) / np.sqrt(fine.sum())),
            "finite": int(fine.sum()),
        }
    return {"methods": held}


EXPERIMENT = experiment(
    __name__,
    judge=judge,
    draw=draw,
    title="Bayes in the last layers, Laplace and MAP",
    places=(*(place for places in TABLE_PLACES.values() for place in places), "001-printed-slopes"),
    **suites(
        tables=([["realisable", "full"]], [list(key) for key in TABLE_PLACES]),
        hidden=([1], [1, 5]),
        n=([100, 200], [100, 200, 400]),
        data_sets=(12, 16),
        standard_parts=(0, 8),
        identity_parts=(0, 8),
        part_sets=(None, 32),
        epochs=(600, 5000),
        batch_epochs=(None, 1000),
        batch=(None, 32),
        rates=([], [0.1, 0.3, 1.0]),
        rate_epochs=(None, 200),
        lr=(0.05, 0.01),
        test=(300, 500),
        chains=2,
        draws=(40, 60),
        burnin=(60, 120),
        sees=(1.5, None),
    ),
    size=(8.5, 8.0),
)
