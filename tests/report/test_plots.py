"""Pictures as functions: into axes of one's own, with the numbers that they are of."""

import math
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial import Delaunay

import rlct
from rlct.cli.main import main
from rlct.report import newton_face, newton_plot, picture, plots
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.regression import RegressionTarget

pytest.importorskip("matplotlib", reason="the extra plot")
from matplotlib.backends.backend_agg import FigureCanvasAgg


def axes(**options):
    return picture.new_figure(4, 3).add_subplot(**options)


@pytest.fixture(scope="module")
def volumes():
    return rlct.llc(rlct.poly("x**2*y**4"), method="splitting", seed=1)


@pytest.fixture(scope="module")
def slopes():
    return rlct.llc(rlct.poly("x**2*y**2"), seed=1)


def curves(found):
    return {line.get_label(): line.get_xydata() for line in found.lines}


# Style


def lightness(colour):
    """Luma of a colour, from 0 to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return float(np.dot(parts, [0.299, 0.587, 0.114]))


def test_colours_are_told_apart_in_grey():
    shades = [
        picture.INK_COLOR,
        picture.ACCENT_COLOR,
        picture.SECOND_COLOR,
        picture.FAINT_COLOR,
        picture.PALE_COLOR,
    ]
    grey = sorted(map(lightness, shades))
    assert min(b - a for a, b in pairwise(grey)) > 0.08
    # The palette before had two of one lightness, which this notices.
    assert abs(lightness("#c8452f") - lightness("#2f6fa8")) < 0.08


def test_lines_of_one_picture_differ_in_more_than_colour():
    assert len({mark for _, mark, _ in picture.SERIES_STYLES}) == len(picture.SERIES_STYLES)


# Each picture


@pytest.mark.parametrize(
    ("K", "title"),
    [
        # Of the square that is seen; a face has zeros.
        ("(x**2 - y**3)**2", "$K = f^{2}$, unless terms cancel"),
        ("x**4 + x**2*y**3 + y**6", "$K$"),
    ],
)
def test_newton_of_K_itself_has_its_lambda(K, title):
    mine = plots.newton(rlct.poly(K))
    assert mine.get_title().endswith(f"for {title}")
    assert "5/12" in mine.get_title()
    assert any("5/12" in text.get_text() for text in mine.texts)


@pytest.mark.parametrize(
    ("generators", "subject"), [(["x**2 - y**3"], "$K = f^{2}$"), (["x**2", "y**3"], "Σ")]
)
def test_titles_of_generators_say_of_which_K_they_are(generators, subject):
    """And those of K itself, of the same λ, do not."""
    ideal = rlct.ideal(generators)
    K = rlct.poly("+".join(f"({f})**2" for f in generators))
    subject = subject.replace("Σ", r"$K = \sum f^{2}$")
    newton = plots.newton(ideal).get_title().removesuffix(", unless terms cancel")
    assert newton.endswith(f"for {subject}")
    assert plots.landscape(ideal).get_title().endswith(f"for {subject}")
    assert "for" not in plots.landscape(K).get_title()
    titles = [plots.tree(asked).texts[0].get_text() for asked in (ideal, K)]
    assert titles[0].endswith(f"for {subject}")
    assert "for" not in titles[1]


def test_an_expression_is_K_in_pictures_of_simulations(tmp_path):
    out = ["--out", str(tmp_path / "v.svg")]
    assert main(["plot", "ladder", "x**2", "--method", "quadrature", *out]) == 0
    assert main(["plot", "ladder", "poly", "x**2", "--method", "quadrature", *out]) == 0
    with pytest.raises(SystemExit):  # a word is a kind of question, and no K
        main(["plot", "ladder", "linar", "2", "2", *out])


def test_newton_into_axes():
    mine = axes()
    assert plots.newton(rlct.ideal(["x**2-y**3"]), mine) is mine
    assert mine.texts[0].get_text() == r"$t = 6/5$, $\lambda = 1/(2t) = 5/12$"
    assert list(mine.texts[0].xy) == pytest.approx([1.2, 1.2])
    assert plots.newton(rlct.ideal(["x", "y", "z"])).name == "3d"
    with pytest.raises(rlct.InputError, match="projection"):
        plots.newton(rlct.ideal(["x", "y", "z"]), axes())
    with pytest.raises(rlct.InputError, match="at a point"):
        plots.newton(rlct.linear([2, 2, 2], rank=1))


@pytest.mark.parametrize(
    ("generators", "corners"),
    [
        # x/2 + z/3 = 1, whatever y is; two vertices, and two where the picture ends.
        (["x**2*y", "x**4", "z**3"], {(0, 0, 3), (2, 1, 0)}),
        # x = 2: both directions in it are free.
        (["x**2*y", "x**2*z", "x**9"], {(2, 0, 1), (2, 1, 0)}),
        (["x**2", "y**3", "z**5"], {(2, 0, 0), (0, 3, 0), (0, 0, 5)}),
    ],
)
def test_the_crossing_lies_on_a_face_that_is_drawn(generators, corners, monkeypatch):
    surfaces, deciding = [], []
    monkeypatch.setattr(newton_plot, "_surface", lambda _, points, color: surfaces.append(points))
    monkeypatch.setattr(newton_plot, "_highlight", lambda _, points: deciding.append(points))
    mine = plots.newton(rlct.ideal(generators))
    (crossing,) = (line for line in mine.lines if line.get_color() == "white")
    point = np.array(crossing.get_data_3d()).ravel()
    top = mine.get_xlim()[1]

    def holds(face):
        plane = np.linalg.svd(face - face.mean(axis=0))[2]
        flat = (face - point) @ plane.T
        level = np.abs(flat[:, 2]).max() < 1e-9
        return level and Delaunay(flat[:, :2]).find_simplex([0.0, 0.0]) >= 0

    (face,) = filter(holds, surfaces)
    found = set(map(tuple, face.tolist()))
    assert corners == {corner for corner in found if max(corner) < top}
    assert len(found) > len(corners) or len(generators) == len(corners)
    assert set(map(tuple, deciding[0].tolist())) == found


def test_the_region_is_drawn_as_a_solid():
    """Faces are seen from the origin, none is behind another, and together they close it."""
    vertices = np.array([[3, 0, 0], [0, 4, 0], [0, 0, 2], [1, 1, 1]], dtype=float)
    faces = newton_face.outer_faces(vertices, 6.0)
    assert all(normal.max() < 1e-9 for normal, _ in faces)
    # Three walls; x/3 + y/4 + z/2 = 1, behind which (1, 1, 1) lies.
    assert sorted(len(corners) for _, corners in faces) == [3, 5, 5, 5]
    (slope,) = (corners for normal, corners in faces if normal.max() < -0.1)
    assert set(map(tuple, slope.tolist())) == {(3, 0, 0), (0, 4, 0), (0, 0, 2)}
    # Divergence theorem: what the faces and the ends of the box enclose is 6³ less a corner.
    flux = sum(
        normal @ corners[0] * np.linalg.norm(sum(np.cross(a, b) for a, b in cyclic(corners))) / 2
        for normal, corners in faces
    )
    ends = 3 * 6.0 * 36
    assert (ends + flux) / 3 == pytest.approx(216 - 3 * 4 * 2 / 6)


def cyclic(corners):
    return zip(corners, np.roll(corners, -1, axis=0), strict=True)


def test_a_vertex_on_the_ray_needs_no_face(monkeypatch):
    surfaces = []
    monkeypatch.setattr(newton_plot, "_surface", lambda *found: surfaces.append(found[2]))
    plots.newton(rlct.ideal(["x*y*z"]))
    # The ray meets an edge that has no end: a line of its own.
    mine = plots.newton(rlct.ideal(["x**2*y**2*z"]))
    assert set(surfaces) == {picture.PALE_COLOR}, "walls, and no face on the ray"
    (edge,) = (line for line in mine.lines if line.get_linewidth() == 4 and len(line.get_xdata()))
    assert np.array(edge.get_data_3d()).T[0].tolist() == [2, 2, 1]


def test_the_tree_says_k_and_h():
    found = rlct.blow_up(["(y-x**2)**2-x**5"])
    whole = plots.tree(found)
    said = "\n".join(text.get_text() for text in whole.texts)
    # The germ u^4·(v² − u) with Jacobian u²: (1 + 2)/(2·4), and 7/20 further up.
    assert r"$u_{1}$: $k = 4,\ h = 2,\ (1+h)/2k = 3/8$" in said
    assert r"$k = (10,\ 4)$, $h = (6,\ 2)$, $(1+h)/2k:$ $7/20,\ 3/8$" in said
    small = plots.tree(found, axes())
    assert {t.get_text() for t in small.texts} == {t.get_text() for t in whole.texts}
    assert max(t.get_fontsize() for t in small.texts) < 12


def test_no_divisor_is_worse_than_the_pair():
    """Parameters along a divisor are no divisors: (1+h)/2k of each is at least λ."""
    from fractions import Fraction

    counted = 0
    for generators in (["(x**2+y**2-3*z**2)**2+x**5"], ["z**3-2*x**2", "3*x*y-x**2*y**2"]):
        graph = rlct.blow_up(generators).graph
        for node in (graph.nodes[n] for n in graph):
            for divisor in node["divisors"]:
                counted += 1
                ratio = (1 + Fraction(divisor["h"])) / (2 * divisor["k"])
                assert ratio >= Fraction(node["lower"][0]), (node["rule"], divisor)
    assert counted > 20


@pytest.mark.slow
def test_the_tree_fits_its_axes():
    mine = plots.tree(rlct.ideal(["3*y**2+2*x*z**2", "y**2*z+3*x*y**2"]), axes())
    canvas = FigureCanvasAgg(mine.figure)
    canvas.draw()
    boxes = [t.get_window_extent(canvas.get_renderer()) for t in mine.texts]
    window = mine.get_window_extent()
    for box in boxes:
        assert window.x0 - 1 <= box.x0 <= box.x1 <= window.x1 + 1
        assert window.y0 - 1 <= box.y0 <= box.y1 <= window.y1 + 1


def test_the_ladder_shows_points_fit_and_truth(slopes):
    mine = plots.ladder(slopes, axes(), truth=rlct.Pair(rlct.poly("x**2*y**2").lam, 2))
    drawn = curves(mine)
    assert list(drawn[r"$\lambda = 1/2$"][:, 1]) == [0.5, 0.5]
    points = np.concatenate([drawn["before the fit"], drawn["fitted"]])
    assert sorted(points[:, 1]) == pytest.approx(sorted(slopes.ladder.slope))
    curve = drawn["expansion, θ = 2"]
    # λ − 1/L on the fitted points, which are exact here.
    fitted = drawn["fitted"]
    between = np.interp(fitted[:, 0], curve[:, 0], curve[:, 1])
    assert np.abs(between - fitted[:, 1]).max() < 1e-3
    assert curve[-1, 1] < 0.48 < 0.5, "the limit is not yet reached"


def test_filled_points_are_those_of_the_fit(slopes):
    """The fit without noise leaves the first 40 % of the ladder out."""
    drawn = curves(plots.ladder(slopes, axes()))
    before, fitted = drawn["before the fit"][:, 0], drawn["fitted"][:, 0]
    assert before.max() < fitted.min()
    unit = np.log10(slopes.ladder.unit)
    assert fitted.min() - unit == pytest.approx(0.4 * (fitted.max() - unit), abs=0.25)


def test_a_guessed_order_is_called_one(slopes):
    assert slopes.theta == 2
    chances = {1: 0.25, 2: 0.62, 3: 0.13}
    doubtful = replace(slopes, theta=None, fit=replace(slopes.fit, thetas=chances))
    assert "expansion, likeliest θ = 2 (62%)" in curves(plots.ladder(doubtful, axes()))


@pytest.mark.slow
def test_volumes_follow_the_power(volumes):
    mine = plots.volume(volumes, axes(), truth=rlct.Pair.of("1/4"))
    drawn = curves(mine)
    (points,) = (xy for name, xy in drawn.items() if name == "splitting")
    assert points[0, 1] == pytest.approx(0.5)
    (line,) = (xy for name, xy in drawn.items() if "1/4" in name)
    rise = np.diff(np.log(line[:, 1])) / np.diff(np.log(line[:, 0]))
    assert rise == pytest.approx(np.full(len(rise), 0.25))
    # Where it is measured the volume is within a few per cent, and 1/2 would not be.
    measured = np.polyfit(*np.log(points[len(points) // 2 :]).T, 1)[0]
    assert abs(measured - 0.25) < 0.04
    assert mine.get_xscale() == mine.get_yscale() == "log"


def test_volumes_need_splitting(slopes):
    with pytest.raises(rlct.InputError, match="splitting"):
        plots.volume(slopes)


def test_chains_are_no_ladder():
    run = rlct.llc(rlct.LinearNetwork((1, 1), 0), n_beta=100, num_draws=200, num_chains=2)
    with pytest.raises(rlct.InputError, match="no ladder"):
        plots.ladder(run)


def test_an_estimate_draws_its_ladder(volumes, slopes):
    assert len(volumes.plot().axes) == 3
    assert len(slopes.plot().axes) == 2


def bars(run):
    """Heights of the bars in the panels of a run, by the first words of their titles."""
    panels = [mine for part in run.plot().subfigs for mine in part.axes]
    assert len(panels) > 3, "traces of loss, λ̂ and distance come first"
    return {
        " ".join(mine.get_title().split()[:2]): [bar.get_height() for bar in mine.patches]
        for mine in panels[3:]
    }


def test_a_run_shows_acceptance_beside_effective_draws():
    run = rlct.llc(rlct.poly("x**2"), n_beta=100, method="mala", num_draws=300, num_chains=3)
    shown = bars(run)
    assert list(shown) == ["acceptance by", "effective draws"]
    assert shown["acceptance by"] == list(run.chains.acceptance[0])
    rows = [line.split() for line in run.table().splitlines()[1:4]]
    assert [f"{height:.0f}" for height in shown["effective draws"]] == [row[3] for row in rows]


@pytest.mark.parametrize("lr", [None, 1e-3])
def test_what_steps_add_is_taken_off_each_chain_and_said(lr):
    data = RegressionTarget([2, 2], 1, samples=400, seed=1)
    run = estimate_llc(data, method="sgld", batch_size=16, num_draws=100, num_chains=4, lr=lr)
    lines = run.table().splitlines()
    rows = [line.split() for line in lines[1:5]]
    assert f"larger by {run.run.excess:.2g}, which the step" in lines[6]
    assert run.lam == pytest.approx(np.mean([float(row[1]) for row in rows]), rel=1e-3)
    assert run.draws.mean() == pytest.approx(run.lam + run.run.excess)
    assert [f"{height:.0f}" for height in bars(run)["effective draws"]] == [row[3] for row in rows]
    assert len({row[-2] for row in rows}) == 1


@pytest.mark.parametrize("text", ["(x**2-y**3)**2", "x**2*y**4", "(y-1)**2*(x**2+y**2-1)**2"])
def test_the_zero_set_is_where_K_vanishes(text):
    import sympy

    x, y = sympy.symbols("x y")
    at = {"x": 0, "y": 1} if "y-1" in text else {}
    mine = plots.landscape(rlct.poly(text, at=at), axes())
    K = sympy.lambdify((x, y), sympy.sympify(text))
    lines = [c for c in mine.collections if c.get_zorder() == 2]
    points = np.concatenate([p.vertices for c in lines for p in c.get_paths() if len(p.vertices)])
    assert len(points) > 100
    assert max(K(*point) for point in points) < 1e-6
    assert K(0.5, 0.4) > 1e-4, "and it is no zero elsewhere"


def test_isolated_zeros_have_no_line():
    mine = plots.landscape(rlct.ideal(["x", "y**2"]), axes(), radius=0.5)
    assert "zeros of K" not in curves(mine)
    assert curves(mine)["the point"].tolist() == [[0, 0]]
    assert mine.get_xlim() == (-0.5, 0.5)


def test_the_legend_lies_below_the_landscape():
    mine = plots.landscape(rlct.poly("(x**2-y**3)**2"))
    mine.figure.canvas.draw()
    legend = mine.figure.legends[0].get_window_extent()
    assert legend.y1 <= mine.get_window_extent().y0
    assert not legend.overlaps(mine.xaxis.label.get_window_extent())
    whole = mine.figure.bbox
    assert (whole.x0, whole.y0) <= (legend.x0, legend.y0)
    assert legend.x1 <= whole.x1
    assert legend.y0 >= whole.y0


def test_legends_lie_in_axes_of_yours(volumes, slopes):
    grid = picture.new_figure(9, 8, by_hand=True).subplots(2, 2).ravel()
    plots.landscape(rlct.poly("(x**2-y**3)**2"), grid[0])
    plots.newton(rlct.ideal(["x**2", "y**3"]), grid[1])
    plots.ladder(slopes, grid[2])
    plots.volume(volumes, grid[3])
    grid[0].figure.canvas.draw()
    for mine in grid:
        legend = mine.get_legend()
        if legend is not None:
            box, window = legend.get_window_extent(), mine.get_window_extent()
            assert window.x0 <= box.x0 <= box.x1 <= window.x1
            assert window.y0 <= box.y0 <= box.y1 <= window.y1
    assert grid[0].get_legend().get_frame().get_alpha() > 0.5, "to be read over the shades"


@pytest.mark.parametrize("draw", [plots.sizes, plots.ladder, plots.volume])
@pytest.mark.parametrize("what", [3, None, "x", rlct.poly("x**2*y**2")], ids=str)
def test_what_is_no_picture_is_refused(draw, what):
    with pytest.raises(rlct.InputError):
        draw(what)


@pytest.mark.parametrize("radius", [1e300, 1e-300, 1e-20, math.inf, math.nan, 0, -1, "1"])
@pytest.mark.filterwarnings("error")
def test_a_radius_that_shows_nothing_is_refused(radius):
    K = rlct.poly("(x-1)**2*(y-1)**4", at={"x": 1, "y": 1})
    with pytest.raises(rlct.InputError, match=r"radius|landscape within"):
        plots.landscape(K, axes(), radius=radius)


def test_a_volume_has_its_interval(volumes):
    low, high = volumes.interval
    assert f"[{low:.4g}, {high:.4g}]" in plots.volume(volumes, axes()).get_title()


def test_a_landscape_at_an_irrational_point():
    mine = plots.landscape(rlct.poly("(x**2-2)**2*y**2", at={"x": "sqrt(2)"}), axes())
    assert curves(mine)["the point"][0] == pytest.approx([math.sqrt(2), 0])


@pytest.mark.parametrize("question", [rlct.poly("x**2"), rlct.linear([2, 2], rank=1)], ids=str)
def test_a_landscape_needs_two_variables(question):
    with pytest.raises(rlct.InputError, match="two variables"):
        plots.landscape(question)


def test_sizes():
    nets = [rlct.LinearNetwork((5, h, 5), 0) for h in (1, 2, 3)]
    table = rlct.compare(nets, coordinates=[{"width": h} for h in (1, 2, 3)])
    drawn = curves(plots.sizes(table, axes()))
    assert drawn["$\\lambda$"].tolist() == [[1, 2.5], [2, 4.5], [3, 6.5]]


# Files


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_commands_write_them(kind, tmp_path, capsys):
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind]
    for command in (["poly", "x**2*y**4"], ["sample", "poly", "x**2*y**2"]):
        path = tmp_path / f"{command[0]}.{kind}"
        assert main([*command, "--plot", str(path)]) == 0
        content = path.read_bytes()
        assert content.startswith(start)
        if command[0] == "poly":
            main([*command, "--plot", str(path)])
            assert path.read_bytes() == content, "the same picture is the same file"


@pytest.mark.slow
def test_a_check_draws_the_claim(tmp_path, capsys):
    path = tmp_path / "check.svg"
    assert main(["check", "poly", "x**2*y**2", "--claim", "3/4", "--plot", str(path)]) == 1
    text = path.read_text("utf-8")
    # What is shown, for those who cannot see it.
    (title,) = re.findall("<title>(.*)</title>", text)
    assert title.startswith("Slopes of the free energy against nβ lead to λ̂ = 0.5 [0.49")
    assert title.endswith("refuted: claim λ = 3/4 with any θ, z = -217.84")


def test_a_check_shows_the_way_from_draws_to_its_interval():
    found = rlct.check(rlct.poly("x**2*y**2"), progress=False)
    ladder, limit = found.plot().axes
    estimate = found.estimate
    way = curves(ladder)["extrapolated"]
    assert way[0, 1] == pytest.approx(curves(ladder)["expansion, θ = 2"][-1, 1])
    assert way[-1, 1] == pytest.approx(estimate.lam, abs=1e-4)
    assert [label.get_text() for label in ladder.get_xticklabels()][-1] == "∞"
    for mine in (ladder, limit):
        (bar,) = mine.containers[-1].lines[2]
        assert bar.get_segments()[0][:, 1] == pytest.approx(estimate.interval)
    # The interval takes a third of the panel that enlarges it.
    low, high = limit.get_ylim()
    assert 0.3 < (estimate.interval[1] - estimate.interval[0]) / (high - low) < 0.7


def test_phases_show_energies_and_the_preferred_lambda():
    from rlct.criteria.transition import Basin

    basins = [Basin(0.01, rlct.Pair(1, 1).lam, name="small"), Basin(0.0, 2, name="large")]
    upper = plots.phase_diagram(basins)
    drawn = curves(upper)
    small, large = drawn[r"small: $\lambda = 1$"], drawn[r"large: $\lambda = 2$"]
    # They meet at n ≈ 647.28, where log n = n / 100; the preferred one is at 0.
    assert small[small[:, 0] < 640, 1] == pytest.approx(0)
    assert large[large[:, 0] > 650, 1] == pytest.approx(0)
    at = np.searchsorted(large[:, 0], 100)
    n = large[at, 0]
    assert large[at, 1] == pytest.approx(np.log(n) - 0.01 * n)
    assert [text.get_text() for text in upper.texts] == [" n = 647"]
    lower = upper.figure.axes[1]
    levels = [line.get_xydata()[:, 1].tolist() for line in lower.lines[:2]]
    assert levels == [[1, 1], [2, 2]]
    with pytest.raises(rlct.InputError, match="at most 8"):
        plots.phase_diagram([Basin(0.1 / k, k) for k in range(1, 10)])


@pytest.mark.parametrize("count", [2, 5])
def test_chains_have_few_colours_and_a_legend(count):
    run = rlct.llc(rlct.poly("x**2"), n_beta=100, method="mala", num_draws=200, num_chains=count)
    figure = run.plot()
    loss = figure.axes[0]
    assert len({line.get_color() for line in loss.lines}) == min(count, 3)
    (legend,) = figure.subfigs[0].legends
    named = [text.get_text() for text in legend.get_texts()]
    if count == 2:
        assert named == ["chain 1", "chain 2"]
    else:
        fewest = 1 + int(np.argmin([mine.get_height() for mine in figure.axes[4].patches]))
        assert f"chain {fewest}, fewest effective draws" in named
        assert "other chains" in named


QUESTIONS = {
    "landscape": ["x**2*y**4"],
    "newton": ["x**2", "y**3"],
    "tree": ["poly", "(x**2-y**3)**2"],
    "sizes": ["linear", "3x2..4", "--rank", "1"],
    "phases": ["0.01,1", "0,2"],
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_one_command_draws_all_of_them(name, tmp_path, capsys):
    """The same file as by ``--plot`` of the command that has the answer."""
    path, other = tmp_path / "a.svg", tmp_path / "b.svg"
    assert main(["plot", name, *QUESTIONS[name], "--out", str(path)]) == 0
    answer = capsys.readouterr().out
    commands = {
        "landscape": ["poly", *QUESTIONS[name]],
        "newton": ["newton", "x**2", "y**3"],
        "tree": ["blowup", "(x**2-y**3)**2"],
        "sizes": ["net", *QUESTIONS[name]],
        "phases": ["evidence", "transition", *QUESTIONS[name]],
    }
    assert main([*commands[name], "--plot", str(other)]) == 0
    assert path.read_bytes() == other.read_bytes()
    seconds = re.compile(r"\d+\.\d s\b")
    assert seconds.sub("", answer) == seconds.sub("", capsys.readouterr().out)
    assert "<title>" in path.read_text("utf-8")


@pytest.mark.parametrize("name", ["tree", "chains", "select"])
def test_every_picture_has_help(name, capsys):
    for option in ("-h", "--help"):
        with pytest.raises(SystemExit, match="0"):
            main(["plot", name, option])
        assert capsys.readouterr().out.startswith("usage: rlct ")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["newton", "blowup"])
def test_a_picture_takes_what_the_command_takes(name, tmp_path, capsys):
    """Generators by the word ``ideal``, K by ``poly`` or without it."""
    picture = {"newton": "newton", "blowup": "tree"}[name]
    out = ["--out", str(tmp_path / "a.svg")]
    printed = []
    for words in (
        ["plot", picture, "(x**2-y**3)**2", *out],
        ["plot", picture, "poly", "(x**2-y**3)**2", *out],
        [name, "(x**2-y**3)**2"],
        ["plot", picture, "ideal", "(x**2-y**3)**2", *out],
    ):
        assert main(words) == 0
        printed.append(capsys.readouterr().out)
    assert len({*printed[:3]}) == 1
    assert "λ = 5/12, θ = 1" in printed[0]
    assert "λ = 5/24, θ = 1" in printed[3]
    assert "for K = f²" in printed[3]


@pytest.mark.parametrize(
    "words",
    [
        ["ladder", "--method", "quadrature"],
        ["check", "--claim", "1/2"],
        ["chains", "--n-beta", "100", "--method", "mala", "--num-draws", "60"],
    ],
)
def test_a_picture_of_a_simulation_says_which_k_generators_give(words, tmp_path):
    picture, *options = words
    for kind, said in (("ideal", True), ("poly", False)):
        file = tmp_path / f"{kind}.svg"
        assert main(["plot", picture, kind, "x**2", *options, "--out", str(file)]) in (0, 1, 3)
        assert ("for K = f²" in file.read_text("utf-8")) == said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["newtn", "x"], "did you mean 'newton'?"),
        (["newton"], "the question is missing: rlct plot newton 'x**3' 'y**4'"),
        (["newton", "x*y"], "add --out newton.svg"),
        (["newton", "x*y", "--out", "a.svg"], "rlct plot newton ideal 'x*y' --out a.svg"),
        (["newton", "x*y", "--out", "a.txt"], "does not end in"),
        (["chains", "poly", "x**2", "--out", "a.svg"], "add --n-beta 1000"),
        (["newton", "poly", "x", "y", "--out", "a.svg"], "several generators are an ideal"),
    ],
)
def test_a_picture_without_its_words_is_refused(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["plot", *arguments])
    except SystemExit as stop:
        code = stop.code
    shown = capsys.readouterr()
    assert (code, shown.out, shown.err.count("\n")) == (2, "", 1)
    assert message in shown.err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_where_there_is_no_picture(tmp_path, capsys):
    path = tmp_path / "line.png"
    assert main(["poly", "x**2", "--plot", str(path)]) == 2
    assert "two variables" in capsys.readouterr().err
    assert not path.exists()
