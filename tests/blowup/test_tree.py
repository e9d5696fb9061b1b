"""The tree: germs at every step, charts, pictures, and rules that are not known."""

import itertools
import json
from fractions import Fraction
from types import SimpleNamespace

import networkx as nx
import pytest
import sympy

import rlct
from rlct.answers.blow_up import BlowUp
from rlct.blowup.coordinates import plane_chart
from rlct.blowup.replay import replay_proof
from rlct.blowup.tree import graph_of
from rlct.blowup.writing import polynomial_text
from rlct.cli.main import main
from rlct.errors import NegativeError
from rlct.pair import Pair
from rlct.report import newton, newton_plot, tree_plot
from rlct.report.picture import new_figure
from rlct.report.tree import tree_text
from rlct.serve.unfolding import charts_html

EXPRESSIONS = [
    ["(x**2-y**3)**2"],
    ["x*y*z-w**2", "(x-y)**2"],
    ["(y-x**2)**2-x**5"],
    ["x**2*y+y**4", "z**3"],
    ["(x+y)**2+z**3", "z*(x+y)", "x**4"],
]


@pytest.mark.parametrize("generators", EXPRESSIONS, ids=str)
def test_graph(generators):
    found = rlct.blow_up(generators)
    graph = found.graph
    assert nx.is_arborescence(graph)
    assert next(iter(graph)) == 0
    rules = [graph.nodes[n]["rule"] for n in graph]
    assert set(rules) == set(found.result.method.removeprefix("engine: ").split(", "))
    root = graph.nodes[0]
    assert root["lower"][0] == str(found.result.lower)
    for n in graph:
        node = graph.nodes[n]
        assert node["germ"], "every step of today's engine is replayed"
        assert len(node["variables"]) == len(node["prior"])
    json.dumps(found.to_dict(), allow_nan=False)
    assert all(rule in tree_text(found) for rule in rules)


def test_the_germ_at_a_point_of_a_blow_up():
    """y − x² is an A₄ after x = u, y = u²(1 + v): u⁴(v² − u), Jacobian u²."""
    graph = rlct.blow_up(["(y-x**2)**2-x**5"]).graph
    child = graph.nodes[1]
    assert child["chart"] == "x = u1, y = u1^2*(1 + u2)"
    assert child["germ"] == ["-u1^5 + u1^4*u2^2"]
    assert child["prior"] == ["2", "0"]
    assert child["attained"] == [[2, 1]]
    assert graph.nodes[0]["attained"] == [], "3/8 of its own divisors is not λ"


def pulled_back(node, child):
    """Generators of a node in the coordinates of its child, by the substitution that is shown."""
    names = {n: sympy.Symbol(n) for n in [*node.names, *child.names]}

    def read(text):
        return sympy.sympify(text.replace("^", "**"), locals=names)

    equations = [part.split(" = ") for part in child.chart.split(", ")]
    chart = {names[left]: read(right) for left, right in equations}
    moved = {sympy.expand(read(g).subs(chart, simultaneous=True)) for g in node.generators}
    return moved, {sympy.expand(read(g)) for g in child.generators}


def below(node):
    yield node
    for child in node.children:
        yield from below(child)


@pytest.mark.parametrize(
    ("generators", "rule", "charts"),
    [
        (["((y+x**2)**2+x**5)*(x+z)", "w**3+x*y"], "blowup", 3),
        (["(x**2+y**2-3*z**2)**2+x**5"], "blowup", 4),
        (["-2*x*y*z**2+3*x**2*y**2", "3*y**2-2*x**2*z"], "blowup", 2),
        (["a*e+b*g", "a*f+b*h", "c*e+d*g", "c*f+d*h"], "blowup", 1),
        (["x**2+x*y+y**2+x*z+2*z**2"], "linear", 1),
    ],
    ids=str,
)
def test_the_substitution_that_is_shown_leads_to_the_child(generators, rule, charts):
    """Also where weights differ, or one chart stands for those of its symmetries."""
    root = rlct.blow_up(generators).root
    pairs = [(n, c) for n in below(root) if n.rule == rule for c in n.children]
    assert len(pairs) >= charts
    for node, child in pairs:
        moved, found = pulled_back(node, child)
        assert moved - {0} == found, child.chart


def test_blow_ups_in_three_and_more_variables():
    """Charts, strata and changes of coordinates are named as the checker makes them."""
    graph = rlct.blow_up(["x*y*z-w**2", "(x-y**2)**2"]).graph
    charts = {graph.nodes[n]["chart"] for n in graph}
    assert "x_ = x - y^2" in charts
    assert "w = u3^2*u1, x_ = u3^2*u2, y = u3, z = u3*u4" in charts
    families = [graph.nodes[n] for n in graph if graph.nodes[n]["parameters"]]
    assert families
    for node in (graph.nodes[n] for n in graph):
        assert len(node["variables"]) == len(node["prior"])
        assert len(set(node["variables"])) == len(node["variables"])
        assert set(node["parameters"]) <= set(node["variables"])


def test_a_chart_of_a_blow_up_is_what_the_checker_expands():
    """Substituting the printed map into the parent's germ gives the child's."""
    graph = rlct.blow_up(["x*y*z-w**2", "(x-y)**2"]).graph
    checked = 0
    for parent, child in graph.edges:
        node, below = graph.nodes[parent], graph.nodes[child]
        if node["rule"] != "blowup":
            continue
        pairs = [text.split(" = ") for text in below["chart"].split(", ")]
        images = {sympy.Symbol(name): sympy.sympify(image) for name, image in pairs}
        expected = [sympy.sympify(g).subs(images, simultaneous=True) for g in node["germ"]]
        found = [sympy.sympify(g) for g in below["germ"]]
        assert [sympy.expand(a - b) for a, b in zip(expected, found, strict=True)] == [0] * len(
            found
        )
        checked += 1
    assert checked >= 3


def test_coordinates_of_the_root():
    found = rlct.blow_up(["(x-1)**2", "y"], at={"x": 1}, nonneg=["y"])
    assert found.coordinates == "x = 1 + x_, y = y_^2"
    assert "coordinates  x = 1 + x_" in str(found)


def test_numbers_of_a_field_are_written():
    point = {
        "chart": [[1, 2], [0, 1]],
        "root": ["0", "1"],
        "field": {"minimal": [-2, 0, 1], "interval": ["1", "2"]},
    }
    text = plane_chart(["x", "y"], ["s", "t"], point)
    assert text == "x = s, y = s^2*(γ + t), -2 + γ^2 = 0 with 1 < γ < 2"
    half = SimpleNamespace(top=(1, 1), bottom=2)
    assert polynomial_text({(2, 0): half, (0, 1): -1}, ["s", "t"]) == "-t + (1/2 + 1/2*γ)*s^2"


def unknown_proof():
    leaf = {"rule": "monomial", "lower": ["1/2", 1], "upper": ["1/2", 1], "data": {}}
    root = [["-1", [0, 1]], ["1", [3, 0]]]
    data = {"weights": [1, 2], "chart": 0, "root": root, "way": "x" * 200}
    return {"rule": "new", "lower": ["1/2", 1], "upper": None, "data": data, "children": [leaf]}


def test_an_unknown_rule_is_drawn_with_its_evidence():
    base = rlct.blow_up(["x", "y**2"])
    root = replay_proof(unknown_proof(), base.root.statement, base.root.names)
    found = BlowUp(base.result, root)
    graph = graph_of(root)
    assert set(graph.nodes[0]["evidence"]) == {"root", "way"}
    assert graph.nodes[0]["evidence"]["root"] == "-y + x^3"
    assert len(graph.nodes[0]["evidence"]["way"]) < 70
    assert graph.nodes[1]["germ"] == []
    text = tree_text(found)
    assert "new: (x, y^2); 1/2 ≤ λ" in text
    assert "root -y + x^3" in text
    assert "chart 0" not in text
    assert found.candidates is None
    assert tree_plot.draw_tree(found).axes


def test_the_picture_has_the_charts_of_inner_nodes():
    found = rlct.blow_up(["(y-x**2)**2-x**5"])
    node = found.graph.nodes[0]
    assert list(found.graph.successors(0))
    # λ = 7/20 is the child's; the charts of the root itself give 3/8 or more.
    assert sorted(chart["lambda"] for chart in node["charts"]) == ["1/2", "3/8", "3/8"]
    drawn = [text.get_text() for text in tree_plot.draw_tree(found).axes[0].texts]
    start, end = (at for at, text in enumerate(drawn) if text == "newton")
    root = drawn[start + 1 : end]
    assert root[0] == r"$(y^{2}$ $-\ 2\,x^{2}\,y$ $+\ x^{4}$ $-\ x^{5})$"
    maps = {
        "x = u1, y = u1^2*u2": r"chart $x = u_{1}$, $y = u_{1}^{2}\,u_{2}$",
        "x = u1*u2, y = u1^2*u2": r"chart $x = u_{1}\,u_{2}$, $y = u_{1}^{2}\,u_{2}$",
        "x = u1*u2, y = u2": r"chart $x = u_{1}\,u_{2}$, $y = u_{2}$",
    }
    assert set(maps) == {chart["map"] for chart in node["charts"]}
    for chart in node["charts"]:
        assert (maps[chart["map"]] in root) == (chart["lambda"] == "3/8")
    assert r"$k = (4,\ 2)$, $h = (2,\ 1)$, $(1+h)/2k:$ $3/8,\ 1/2$" in root
    assert root[-1] == "and 1 more, $(1+h)/2k$ no smaller"


@pytest.mark.parametrize(
    "generators",
    [
        ["(y-x**2)**2-x**5"],
        ["z**3-2*x**2", "3*x*y-x**2*y**2"],
        ["x**2+7/13*x**9*y**11-22/7*y**23"],
    ],
)
def test_no_number_is_broken_over_lines(generators):
    """Each line is typeset, fits into its box and has whole formulas."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    found = rlct.blow_up(generators)
    figure = tree_plot.draw_tree(found)
    renderer = FigureCanvasAgg(figure).get_renderer()
    (axes,) = figure.axes
    boxes = [patch.get_window_extent() for patch in axes.patches]
    lines = [text for text in axes.texts if "$" in text.get_text()]
    assert len(lines) > len(found.graph)
    for text in lines:
        assert text.get_text().count("$") % 2 == 0
        extent = text.get_window_extent(renderer)
        near = [box for box in boxes if box.y0 <= extent.y0 and extent.y1 <= box.y1]
        if near:
            assert any(box.x0 <= extent.x0 and extent.x1 <= box.x1 for box in near), text


def test_many_charts_are_not_listed():
    found = rlct.blow_up(["x**7", "y**5", "z**11"])
    node = found.graph.nodes[0]
    assert node["charts"] == []
    assert "more than 24 charts" in str(found)


def test_an_expression_is_K_and_a_list_has_generators():
    """K = (x² − y³)² has λ = 5/12, and the square of this K half of it."""
    x, y = sympy.symbols("x y")
    for K in ("(x**2 - y**3)**2", (x**2 - y**3) ** 2):
        assert rlct.blow_up(K).result.pair == rlct.poly(K).pair == Pair.of("5/12", 1)
        assert rlct.blow_up([K]).result.pair == rlct.ideal([K]).pair == Pair.of("5/24", 1)
    assert rlct.blow_up(sympy.Matrix([x, y**2])).result.pair == Pair.of("3/4", 1)
    with pytest.raises(NegativeError, match="generators of K = Σ f² stand in a list"):
        rlct.blow_up("x**2 - y**3")


@pytest.mark.parametrize(
    ("asked", "head"),
    [
        ("(x**2-y**3)**2", "tree for K, where (f, …) stands for Σ f²"),
        (["x**2-y**3"], "tree for K = f²"),
        (["x", "y**2"], "tree for K = Σ f²"),
    ],
)
def test_a_tree_says_what_it_is_of(asked, head):
    found = rlct.blow_up(asked)
    assert tree_text(found).splitlines()[1] == head
    assert f"<p>{head.removeprefix('tree ')}</p>" in found._repr_html_()
    assert charts_html(found).startswith(f"<p>For {head.removeprefix('tree for ')}.</p>")


def test_evidence_is_text():
    text = str(rlct.blow_up(["(x**2-y**3)**2"]))
    assert "exponent 2, root -x^2 + y^3" in text
    assert "[[" not in text


def test_questions_that_have_no_tree():
    for wrong in (rlct.linear([2, 2, 2], rank=1), rlct.LinearNetwork((2, 2, 2), 1, False, None)):
        with pytest.raises(rlct.InputError, match="at a point"):
            rlct.blow_up(wrong)
    with pytest.raises(rlct.InputError, match="at a point"):
        rlct.blow_up(rlct.poly("x**2", over={"x": (-1, 1)}))
    with pytest.raises(rlct.InputError, match="already has"):
        rlct.blow_up(rlct.poly("x**2"), at={"x": 0})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
@pytest.mark.parametrize("command", ["newton", "blowup"])
def test_pictures(command, kind, tmp_path, capsys):
    path = tmp_path / f"picture.{kind}"
    assert main([command, "x**2-y**3", "x*y**2", "--plot", str(path)]) == 0
    content = path.read_bytes()
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind]
    assert content.startswith(start)
    assert capsys.readouterr().out
    main([command, "x**2-y**3", "x*y**2", "--plot", str(path)])
    assert path.read_bytes() == content, "the same picture is the same file"


def test_what_the_picture_of_a_polyhedron_marks():
    description = newton.describe_polyhedron(rlct.Problem.ideal(["x**2-y**3"], prior="y"))
    axes = newton_plot.draw_polyhedron(description).axes[0]
    # 7/12 = (3 + 4)/12: the ray t(1, 2) meets 3a + 2b = 6 at t = 6/7.
    (crossing,) = axes.texts
    assert crossing.get_text() == r"$t = 6/7$, $\lambda = 1/(2t) = 7/12$"
    assert list(crossing.xy) == pytest.approx([6 / 7, 12 / 7])
    assert any(
        line.get_xydata().tolist() == [pytest.approx([6 / 7, 12 / 7])] for line in axes.lines
    )


def test_three_variables_are_drawn():
    description = newton.describe_polyhedron(rlct.Problem.ideal(["x**4+y**3*z+z**5+x**2*y**2"]))
    axes = newton_plot.draw_polyhedron(description).axes[0]
    assert axes.name == "3d"
    assert r"\lambda = 1/(2t) = " in axes.texts[-1].get_text()
    with pytest.raises(rlct.InputError, match="projection"):
        newton_plot.plot_polyhedron(new_figure(2, 2).add_subplot(), description)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["blowup", "ideal", "x**2-y", "--plot", "a.txt"], "does not end in"),
        (["newton", "x**2", "--plot", "a.png"], "2 or 3 variables, not 1"),
        (["newton", "x**2*y**2", "--plot", "missing/a.png"], "cannot write"),
        (["blowup", "x+1"], "not 0"),
        (["blowup", "x", "--over", "x=0:1"], "unrecognized"),
    ],
)
def test_bad_input_writes_nothing(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    path = tmp_path / "a.png"
    assert main(["newton", "ideal", "x*y", "--plot", str(path)]) == 2
    assert "pip install 'rlct[plot]'" in capsys.readouterr().err
    assert not path.exists()


def test_exit_codes(capsys):
    assert main(["blowup", "ideal", "x**2-y**3"]) == 0
    assert main(["blowup", "ideal", "x**9999+y**7777+x**5000*y**3000"]) == 3
    answer = capsys.readouterr().out
    assert "5/12, order 1: " in answer


@pytest.mark.parametrize(
    ("f", "above"),
    [("x**2-z*y**2", 2), ("x*y-z**3", 7), ("x**2-y**3", 2), ("x**3+y**3+z**3", 0)],
)
def test_charts_that_give_the_pair_at_a_zero(f, above):
    """F = u^k·g: where g = 0 on the divisors the pair is theirs with one more ratio 1/2."""
    found = rlct.blow_up([f])
    ((_, node),) = found.graph.nodes(data=True)
    names = node["variables"]
    polynomial = sympy.sympify(f)
    reaching = 0
    for chart in node["charts"]:
        us = sympy.symbols(f"u1:{len(names) + 1}")
        moved = {
            name: sympy.prod(u**e for u, e in zip(us, row, strict=True))
            for name, row in zip(names, chart["matrix"], strict=True)
        }
        monomial = sympy.prod(u**e for u, e in zip(us, chart["k"], strict=True))
        g = sympy.expand(sympy.expand(polynomial.subs(moved, simultaneous=True)) / monomial)
        pairs = []
        for size in range(1, len(us) + 1):
            for chosen in itertools.combinations(range(len(us)), size):
                # Over the origin, off the other divisors.
                if any(all(not row[j] for j in chosen) for row in chart["matrix"]):
                    continue
                part = g.subs({us[j]: 0 for j in chosen})
                if not {1, -1} <= {
                    sympy.sign(part.subs(dict(zip(us, values, strict=True))))
                    for values in itertools.product([-2, -1, 1, 2], repeat=len(us))
                }:
                    continue
                ratios = [Fraction(1, 2)]
                ratios += [Fraction(t) for j in chosen if (t := chart["thresholds"][j])]
                pairs.append((min(ratios), -ratios.count(min(ratios))))
        expected = [str(min(pairs)[0]), -min(pairs)[1]] if pairs else None
        assert chart["at_zeros"] == expected
        reaching += node["lower"] in ([chart["lambda"], chart["theta"]], expected)
    assert len(node["charts"]) - reaching == above
    assert str(found).count("<-") == reaching
    shown = [text.get_text() for text in tree_plot.draw_tree(found).axes[0].texts]
    assert ("chart" in "".join(shown)) == (reaching > 0)
