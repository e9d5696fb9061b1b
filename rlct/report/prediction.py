"""A prediction at finite n, as text and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Any

from rlct.report.picture import FAINT_COLOR, INK_COLOR, SERIES_STYLES, new_figure, tidy_axes
from rlct.report.table import aligned_text


def prediction_text(prediction: Mapping[str, Any], lam: float) -> str:
    """Columns for E[nK] and −log Z, and the coefficients below."""
    counts = sorted({1, 2, 3, len(prediction["terms"])})[: len(prediction["terms"])]
    heads = ["n", "E[nK]", "λ", *(f"{k} of ζ" for k in counts), "-log Z", "λ log n", "of ζ", "±"]
    rows = []
    for row in prediction["rows"]:
        predicted = row["predicted_log_z"][-1]
        numbers = [row["mean"], lam, *(row["predicted_mean"][k - 1] for k in counts)]
        numbers += [-row["log_z"], lam * log(row["n"]), predicted and -predicted, row["last_term"]]
        rows.append([f"{row['n']:g}", *("-" if x is None else f"{x:.5f}" for x in numbers)])
    notes = ["φ is normal around the point, times the prior; E[nK]/n is the generalisation error."]
    for term in prediction["terms"]:
        double = f", C₂ = {term['c2']:.7g}" if term["c2"] else ""
        source = "from quadrature at n ≥ 100000" if term["fitted"] else "from its functional"
        notes.append(f"z = {-term['w']:.6g}: C₁ = {term['c1']:.7g}{double} ({source})")
    return aligned_text(heads, rows, notes)


def draw_prediction(prediction: Mapping[str, Any], lam: float) -> Any:
    """E[nK] by quadrature, sums of terms, and λ."""
    figure = new_figure(6.4, 4.2, alt="E[nK] by quadrature and from the poles of ζ")
    axes, rows = figure.add_subplot(), prediction["rows"]
    n, means = [row["n"] for row in rows], [row["mean"] for row in rows]
    axes.axhline(lam, color=FAINT_COLOR, linestyle=(0, (5, 3)), label=f"λ = {lam:.5g}")
    for k, (color, _, dashes) in enumerate(SERIES_STYLES[: len(prediction["terms"])], start=1):
        values = [row["predicted_mean"][k - 1] for row in rows]
        axes.plot(n, [x or float("nan") for x in values], color=color, ls=dashes, label=f"{k} of ζ")
    axes.plot(n, means, "o", color=INK_COLOR, label="quadrature")
    axes.set_ylim(min(means) - 0.2 * lam, max(lam, *means) + 0.2 * lam)
    axes.set(xscale="log", xlabel="n", ylabel="E[nK]")
    tidy_axes(axes)
    figure.legend(loc="outside lower center", ncols=3)
    return figure
