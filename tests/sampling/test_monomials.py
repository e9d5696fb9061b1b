"""Monomials of all degrees at many points."""

from __future__ import annotations

import numpy as np
import pytest

from rlct.sampling.targets.monomials import Monomials


@pytest.mark.parametrize("most", [4, 40, 400])
def test_monomials_are_products_of_powers(most: int) -> None:
    rng = np.random.default_rng(most)
    exponents = np.unique(rng.integers(0, most + 1, size=(12, 3)), axis=0)
    w = rng.uniform(0.8, 1.2, size=(9, 3)) * rng.choice([-1.0, 1.0], size=(9, 3))
    table = Monomials(exponents)(w)
    plain = np.prod(w[None] ** exponents[:, None], axis=-1)
    assert np.abs(table / plain - 1).max() < 1e-15 * (10 + 4 * most)


def test_a_high_power_takes_few_products() -> None:
    assert len(Monomials(np.array([[400, 400]]))._products) < 50
