"""What docs/selection.md says of the study and of the R package sBIC, recomputed."""

import importlib.util
import json
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rlct.pair import Pair
from rlct.selection.families import get_family

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "validation" / "selection"
GUIDE = (ROOT / "docs" / "selection.md").read_text("utf-8")


def study_module(name: str):
    """A script of the folder, which imports its neighbours."""
    pytest.importorskip("sklearn")
    sys.path.insert(0, str(STUDY))
    try:
        spec = importlib.util.spec_from_file_location(name, STUDY / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(STUDY))
    return module


def shares() -> dict[tuple[str, int], dict[str, tuple[float, float]]]:
    rows = json.loads((STUDY / "results.json").read_text("utf-8"))["rows"]
    return {
        (row["family"], row["n"]): {name: tuple(x[:2]) for name, x in row["shares"].items()}
        for row in rows
    }


def test_the_table_of_the_guide_is_that_of_the_results() -> None:
    rows = json.loads((STUDY / "results.json").read_text("utf-8"))["rows"]
    assert study_module("run").table(rows) in GUIDE


def test_what_the_guide_claims_of_the_criteria_is_in_the_table() -> None:
    found = shares()
    worse = {place for place, share in found.items() if share["BIC"][0] >= share["sBIC"][0]}
    assert worse == {("reduced-rank", 500)}
    better = {place for place, share in found.items() if share["AIC"][0] > share["sBIC"][0]}
    assert better - {("binomial-mixture", 200)} == {("reduced-rank", 50), ("reduced-rank", 100)}
    mixtures = {place for place in found if "mixture" in place[0]}
    for place in {("factor-analysis", 50)} | {place for place in mixtures if place[1] > 50}:
        (a, first), (b, second) = found[place]["AIC"], found[place]["sBIC"]
        assert abs(a - b) < 2 * np.hypot(first, second)
    for place in mixtures:
        share = found[place]
        assert (share["sBIC"][0] > share["proxy"][0]) == (place[1] < 500)
    assert found["binomial-mixture", 500]["WBIC"][0] < found["binomial-mixture", 200]["WBIC"][0]


def test_evidences_prefer_more_components_than_the_truth_has() -> None:
    """Five or six in all of 20 data sets; WBIC differs from the ladder by up to 5."""
    kept = json.loads((STUDY / "evidences.json").read_text("utf-8"))
    evidence, wbic = np.array(kept["log_evidence"]), np.array(kept["wbic"])
    exact = np.array(kept["exact"])
    assert (evidence[:, 4:].max(axis=1) > evidence[:, :4].max(axis=1)).all()
    assert np.bincount(evidence.argmax(axis=1) + 1, minlength=7).tolist() == [0] * 5 + [1, 19]
    assert round(float((evidence[:, 4] - evidence[:, 3]).mean()), 1) == 0.8
    assert np.abs(evidence[:, :2] - exact).max() <= 0.3 + 1e-9
    assert np.abs(wbic + evidence)[:, 3:].max() < 5
    assert int((wbic.argmin(axis=1) + 1 >= 5).sum()) == 18


@pytest.mark.slow
def test_the_ladder_of_temperatures_finds_the_evidence() -> None:
    """One and two components of 200 observations, by an integral; 0.5 is 4 standard errors."""
    module = study_module("evidences")
    at = next(
        k for k, study in enumerate(module.FAMILY_STUDIES) if study.family == "binomial-mixture"
    )
    rng = np.random.default_rng([0, 200, at])
    weights = module.mixture_data(module.FAMILY_STUDIES[at], 200, rng)[1][0]
    for size in (1, 2):
        right = module.exactly(weights, size)
        assert abs(module.by_ladder(weights, size, np.random.default_rng(size)) - right) < 0.5
    assert abs(module.exactly(weights, 2) - module.exactly(weights, 1)) > 300


# The R package sBIC


def by_theorem(inputs: int, outputs: int, h: int, r: int) -> tuple[Fraction, int]:
    """Aoyagi and Watanabe (2005), λ and θ of rank h at rank r, as they are printed."""
    m, n = outputs, inputs
    if n + r <= m + h and m + r <= n + h and h + r <= m + n:
        twice = -((h + r) ** 2) - m**2 - n**2 + 2 * (h + r) * (m + n) + 2 * m * n
        odd = (m + h + n + r) % 2
        return Fraction(twice + odd, 8), 1 + odd
    if m + h < n + r:
        return Fraction(h * m - h * r + n * r, 2), 1
    if n + h < m + r:
        return Fraction(h * n - h * r + m * r, 2), 1
    return Fraction(m * n, 2), 1


def test_its_factor_analysis_is_right() -> None:
    family, cells = get_family("factor-analysis"), 0
    for p in range(3, 10):
        for i in range(p):
            if (p - i) ** 2 < p + i:
                break
            for j in range(i + 1):
                cell = family.cell({"variables": p}, i, j)
                assert cell.exact
                assert cell.lower == Pair(Fraction((i + 2) * p + j * (p - i + 1), 4), 1)
                cells += 1
    assert cells == 68


def test_its_ranks_are_those_of_another_model() -> None:
    family, cells, wrong = get_family("reduced-rank"), 0, 0
    for n in range(1, 9):
        for m in range(1, 9):
            for h in range(min(n, m) + 1):
                for r in range(h + 1):
                    cell = family.cell({"inputs": n, "outputs": m}, h, r)
                    ours = (Fraction(0), 1) if cell.lower is None else tuple(cell.lower)
                    assert ours == by_theorem(n, m, h, r)
                    cells += 1
                    wrong += by_theorem(n, m, h + 1, r + 1) != ours
    assert (cells, wrong) == (808, 786)


@pytest.mark.parametrize("name", ["binomial-mixture", "poisson-mixture"])
def test_its_mixtures_would_be_right_with_half_of_its_number(name: str) -> None:
    family = get_family(name)
    facts = {"trials": 30} if name == "binomial-mixture" else {}
    for i in range(1, 7):
        for j in range(1, i + 1):
            cell = family.cell({**facts, "concentration": 1}, i, j)
            assert cell.exact
            half, one = (
                min(2 * j - 1 + phi * (i - j), Fraction(i + j - 1)) / 2
                for phi in (Fraction(1, 2), Fraction(1))
            )
            assert cell.lower == Pair(half, 1)
            assert (one > cell.lower.lam) == (j < i)


def test_its_multiplicity_of_two_normal_components_is_not_1() -> None:
    family = get_family("gaussian-mixture")
    assert family.cell({"variables": 1}, 2, 1).lower == Pair(Fraction(3, 2), 3)
    assert family.proxy({"variables": 1}, 2, 1) == Pair(Fraction(3, 2), 1)
