"""Pictures of tables hold the numbers of the table."""

import math

import pytest

import rlct
from rlct.answers.table import Row, Table, compare
from rlct.report.lambda_plot import draw_table, plot_against, plot_rows
from rlct.report.picture import new_figure

pytest.importorskip("matplotlib", reason="the extra plot")


def axes():
    return new_figure(4, 3).add_subplot()


def curves(found):
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in found}


def over(places):
    nets = [rlct.LinearNetwork((5, p["width"], 5), p.get("rank", 0)) for p in places]
    return compare(nets, coordinates=places)


def test_one_line_and_half_the_parameters():
    found = axes()
    plot_against(found, over([{"width": h} for h in (3, 1, 2)]))
    drawn = curves(found.lines)
    assert drawn["$\\lambda$"] == ([1, 2, 3], [2.5, 4.5, 6.5])
    assert drawn["d/2"] == ([1, 2, 3], [5, 10, 15])
    assert found.get_xlabel() == "width"
    assert found.get_ylabel() == "$\\lambda$ and d/2"


def test_a_line_for_each_rank_and_one_for_the_parameters():
    found = axes()
    places = [{"width": h, "rank": r} for h in range(2, 6) for r in (0, 1)]
    plot_against(found, over(places))
    assert set(curves(found.lines)) == {"$\\lambda$, rank 0", "$\\lambda$, rank 1", "d/2"}
    other = axes()
    plot_against(other, over(places), "rank")
    assert curves(other.lines)["$\\lambda$, width 2"][0] == [0, 1]
    # Each width has its own number of parameters.
    assert curves(other.lines)["d/2, width 5"][1] == [25, 25]


def test_the_line_breaks_at_bounds():
    rows = [
        Row("n", {"units": k}, 4, rlct.Pair(1, 1), rlct.Pair(1 + (k == 2), 1), "m", "w")
        for k in (1, 2, 3)
    ]
    found = axes()
    plot_against(found, Table(tuple(rows)))
    heights = curves(found.lines)["$\\lambda$"][1]
    assert heights[0] == heights[2] == 1
    assert math.isnan(heights[1])
    bars = [line for line in found.lines if list(line.get_xdata()) == [2, 2]]
    assert [list(bar.get_ydata()) for bar in bars] == [[1, 2]]


def test_rows():
    nets = [rlct.LinearNetwork((5, h, 5), 1) for h in (3, 5)]
    found = axes()
    plot_rows(found, compare(nets, names=["a", "b"]))
    assert curves(found.lines)["$\\lambda$"][0] == [8, 10.5]
    assert curves(found.lines)["d/2"][0] == [15, 25]
    assert [text.get_text() for text in found.get_yticklabels()] == ["a", "b"]
    assert found.get_xlabel() == "$\\lambda$ and d/2"


def test_too_much_for_a_picture():
    with pytest.raises(rlct.InputError, match="at most 8"):
        draw_table(over([{"width": h, "rank": r} for h in range(9, 19) for r in range(5)]), "rank")
    with pytest.raises(rlct.InputError, match="against width, not 'depth'"):
        draw_table(over([{"width": 1}]), "depth")
    with pytest.raises(rlct.InputError, match="at most 40"):
        draw_table(compare([rlct.LinearNetwork((1, 1), 0)] * 41))


def test_table_plots_into_axes():
    found = axes()
    assert over([{"width": 1}]).plot(found) is found.figure
    assert found.lines
