"""Tempered means of the SiLU network of section 6 along what is a scaling for ReLU."""

from typing import Any

import numpy as np

from validation.experiments.singular._star import star
from validation.framework.experiment import Data

__all__ = ["along_scalings"]


def _scaled(points: Any, m: int) -> Any:
    """Offsets of weights: by unit a scale, a turn, a shift and a factor, and the constant."""
    scale, turn, shift, factor = np.moveaxis(points[:, :-1].reshape(len(points), m, 4), 2, 0)
    angle = 2 * np.pi * (np.arange(m) + 0.5) / m
    grown = np.exp(scale)
    hidden = np.stack(
        [
            grown * (np.cos(angle) - turn * np.sin(angle)) - np.cos(angle),
            grown * (np.sin(angle) + turn * np.cos(angle)) - np.sin(angle),
            grown * (shift - 1 / 3) + 1 / 3,
        ],
        axis=2,
    )
    outer = np.concatenate([(1 + factor) / grown - 1, points[:, -1:]], axis=1)
    return np.concatenate([hidden.reshape(len(points), -1), outer], axis=1)


def along_scalings(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Mean of nβK at s_m where nβ shows the scalings, along which steps go: prior N(0, 1) there.

    Metropolis steps in the coordinates of `_scaled`, as wide as the posterior in each direction;
    in the weights themselves the orbits of the scalings are curved, and chains stand still.
    """
    m, n = unit["m"], settings["weak_inputs"]
    target = star(m, "silu", rng, units=m, n=n, noise=0.0, sigma=1.0)
    moves = 1e-6 * np.eye(target.dimension)
    derivative = target.outputs(_scaled(moves, m)) - target.outputs(_scaled(-moves, m))
    fisher = derivative @ derivative.T / 4e-12 / n
    shape = (settings["weak_chains"], target.dimension)
    means, errors, shares = [], [], []
    for n_beta in settings["weak_n_beta"]:
        spread = np.linalg.cholesky(np.linalg.inv(n_beta * fisher + np.eye(shape[1])))

        def total(points: Any, n_beta: float = n_beta) -> tuple[Any, Any]:
            energy = n_beta * target.divergence(_scaled(points, m))
            return energy, energy + 0.5 * (points**2).sum(axis=1)

        p = rng.standard_normal(shape) @ spread.T
        energy, whole = total(p)
        draws, taken = [], []
        for step in range(settings["weak_draws"]):
            there = p + 0.45 * rng.standard_normal(shape) @ spread.T
            own, other = total(there)
            yes = np.log(rng.random(shape[0])) < whole - other
            p[yes], energy[yes], whole[yes] = there[yes], own[yes], other[yes]
            taken.append(yes.mean())
            if step >= settings["weak_draws"] // 5:
                draws.append(energy.copy())
        by_chain = np.mean(draws, axis=0)
        means.append(float(by_chain.mean()))
        errors.append(float(by_chain.std(ddof=1) / np.sqrt(shape[0])))
        shares.append(float(np.mean(taken)))
    return {
        "means": means,
        "errors": errors,
        "n_beta": settings["weak_n_beta"],
        "acceptance": shares,
        "weakest": float(np.linalg.eigvalsh(fisher)[0]),
    }
