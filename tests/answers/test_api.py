"""The public interface: names, light import, the fields of a result, time limits."""

import inspect
import json
import os
import pickle
import pkgutil
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import pytest

import rlct
from rlct.answers.result import Result, Route
from rlct.errors import InputError
from rlct.pair import Pair

PUBLIC = {
    "BlowUp",
    "CertificateError",
    "DivergedError",
    "InputError",
    "LinearNetwork",
    "LinearPoint",
    "Pair",
    "Problem",
    "QuadraticArchitecture",
    "QuadraticFeatures",
    "QuadraticNetwork",
    "ReluNetwork",
    "Result",
    "Selection",
    "RoutesDisagreeError",
    "Strata",
    "__version__",
    "Table",
    "blow_up",
    "compare",
    "calibrate",
    "check",
    "deep_linear_pairs",
    "error_budget",
    "exact",
    "ideal",
    "learning_curve",
    "linear",
    "llc",
    "llc_trajectory",
    "loo",
    "model",
    "poly",
    "quadratic",
    "relu",
    "sbic",
    "select",
    "solve",
    "strata",
    "theorem",
    "variational",
    "verify",
    "waic",
    "wbic",
}
HEAVY = {"sympy", "numpy", "scipy", "networkx", "torch", "matplotlib", "arviz_stats", "mpmath"}


def slow_question():
    """Minutes of work: squares of polynomials with many terms in eight variables."""
    rng = random.Random(1)
    names = "abcdefgh"

    def term():
        powers = "*".join(f"{name}**{rng.randint(0, 3)}" for name in names)
        return f"{rng.randint(1, 9)}*{powers}*{rng.choice(names)}"

    return "+".join(f"({'+'.join(term() for _ in range(16))})**2" for _ in range(3))


SLOW = slow_question()


def run_python(code):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    ).stdout


def test_public_names():
    assert set(rlct.__all__) == PUBLIC
    assert set(dir(rlct)) == PUBLIC
    for name in PUBLIC:
        assert getattr(rlct, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rlct.nothing


def test_no_public_name_is_also_a_module():
    """Importing the module would replace the function."""
    modules = {info.name for info in pkgutil.iter_modules(rlct.__path__)}
    assert "answers" in modules
    assert not modules & PUBLIC


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        ("poly", ["K", "at", "prior", "nonneg", "over", "timeout"]),
        ("ideal", ["generators", "at", "prior", "nonneg", "over", "timeout"]),
        ("blow_up", ["question", "at", "prior", "nonneg", "timeout"]),
        ("strata", ["question", "timeout"]),
        ("linear", ["widths", "rank", "bias", "input_rank", "weights", "tolerance", "timeout"]),
        (
            "quadratic",
            [
                "inputs",
                "units",
                "outputs",
                "bias",
                "data",
                "centred",
                "weights",
                "tolerance",
                "timeout",
            ],
        ),
        ("model", ["id", "timeout", "sizes"]),
        (
            "relu",
            [
                *("weights", "data", "density", "output_bias", "example"),
                *("fibre", "units", "tolerance", "timeout"),
            ],
        ),
        ("theorem", ["id", "arguments"]),
        ("compare", ["questions", "names", "coordinates", "sort", "timeout", "progress"]),
        ("verify", ["certificate"]),
        ("waic", ["log_likelihood", "beta", "log_masses"]),
        ("loo", ["log_likelihood", "beta", "method", "log_masses"]),
        ("wbic", ["log_likelihood", "beta", "observations", "baseline", "log_masses"]),
        ("sbic", ["log_likelihood", "coefficients", "n", "prior", "names"]),
        ("learning_curve", ["lam", "n", "beta", "nu"]),
    ],
)
def test_signatures(function, parameters):
    assert list(inspect.signature(getattr(rlct, function)).parameters) == parameters


def test_import_is_light():
    code = "import sys, json, rlct; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.partition(".")[0] for name in json.loads(run_python(code))}
    assert not loaded & HEAVY
    names = "import sys, rlct; rlct.Pair, rlct.InputError, rlct.verify; print(len(sys.modules))"
    assert int(run_python(names)) < 250


def children_time():
    """Processor seconds of all subprocesses so far."""
    return os.times().children_user + os.times().children_system


def test_import_is_fast():
    """Best of five, less the start of the interpreter; the bound is loose on purpose."""

    def best(code):
        times = []
        for _ in range(5):
            began = children_time()
            run_python(code)
            times.append(children_time() - began)
        return min(times)

    assert best("import rlct") - best("pass") < 0.5


def test_result_of_an_exact_answer():
    result = rlct.poly("x**4+y**6")
    assert isinstance(result, Result)
    assert result.lam == Fraction(5, 12)
    assert isinstance(result.lam, Fraction)
    assert result.theta == 1
    assert result.status == "exact"
    assert result.lower == result.upper == Fraction(5, 12)
    assert result.pair == Pair.of("5/12")
    assert result.method
    assert result.sources
    assert result.where == "at the origin"
    assert result.notes == ()
    assert str(result) == repr(result)
    assert str(result).startswith("λ = 5/12, θ = 1 (exact; at the origin; ")
    assert "\n" not in str(result)
    assert "<strong>λ = 5/12, θ = 1</strong>" in result._repr_html_()
    assert result._repr_latex_() == r"$\lambda = \frac{5}{12},\; \theta = 1$"


class Outline(HTMLParser):
    """Text of a fragment, by tag; what is opened is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self.open[-1], data.strip(), self.open.count("ul")))

    def of(self, tag):
        return [text for open_, text, _ in self.texts if open_ == tag]


def test_a_pair_in_a_notebook():
    assert rlct.linear([5, 3, 5], rank=1).pair._repr_latex_() == r"$\lambda = 8,\; \theta = 1$"
    result = rlct.poly("x**2*y**2")
    assert result.pair._repr_latex_() == result._repr_latex_()


def test_a_table_in_a_notebook():
    nets = [rlct.LinearNetwork((5, h, 5), 0) for h in (1, 2)]
    table = rlct.compare(nets, coordinates=[{"width <h>": h} for h in (1, 2)])
    shown = Outline(table._repr_html_())
    assert shown.of("th") == ["width <h>", "parameters", "d/2", "λ", "θ"]
    # With one unit both maps may vanish: θ = 2.
    assert shown.of("td") == ["1", "10", "5", "5/2", "2", "2", "20", "10", "9/2", "1"]
    assert set(" ".join(shown.of("p")).split()) <= set(str(table).split())
    assert "by theorem deep-linear" in shown.of("p")


def test_a_tree_in_a_notebook():
    found = rlct.blow_up(rlct.ideal(["(y - x**2)**2 - x**5"]))
    shown = Outline(found._repr_html_())
    assert shown.of("strong")[0] == str(found.result.pair)
    assert shown.of("strong")[1:] == [found.graph.nodes[n]["rule"] for n in found.graph]
    depth = {0: 1}
    for a, b in found.graph.edges:
        depth[b] = depth[a] + 1
    items = [level for tag, _, level in shown.texts if tag == "strong"][1:]
    assert items == [depth[n] for n in found.graph]
    assert any(text.startswith(f"poles {-found.result.lam}, order 1") for text in shown.of("p"))


def test_an_estimate_in_a_notebook():
    found = rlct.llc(rlct.poly("x**2*y**2"), seed=1)
    found = replace(found, warnings=("<b>doubt</b> it",))
    shown = Outline(found._repr_html_())
    assert shown.of("strong") == [found.headline]
    numbers = dict(zip(shown.of("th"), shown.of("td"), strict=True))
    assert numbers["interval"] == "[{:.4g}, {:.4g}] at 95%".format(*found.interval)
    assert numbers["seed"] == "1"
    assert shown.of("p") == ["warning: <b>doubt</b> it"]


def test_a_verdict_in_a_notebook():
    found = rlct.check(rlct.poly("x**2*y**2"), claim="3/4", progress=False)
    shown = Outline(replace(found, reason="<i>so</i>")._repr_html_())
    assert shown.of("strong") == ["refuted"]
    assert any("<i>so</i>" in text for text in shown.of("p"))
    numbers = dict(zip(shown.of("th"), shown.of("td"), strict=True))
    assert numbers["claim"] == f"λ = 3/4 with any θ, z = {found.z:+.2f}"
    assert numbers["planted wrong value"].startswith(f"{found.control.lam:.4g}, z = ")
    assert numbers["seed"] == "0"
    assert repr(found).startswith("refuted: claim λ = 3/4 with any θ; λ ≈ 0.5")


def test_cells_in_a_notebook():
    found = rlct.strata(rlct.model("hidden-markov", states=2, symbols=2))
    shown = Outline(found._repr_html_())
    assert shown.of("strong") == ["λ = 1, θ = 2"]
    rows = shown.of("td")
    assert len(rows) == 5 * len(found.ends)
    assert [text for text in rows if text.endswith("deepest")] == ["λ ≥ 1/2, deepest"] * 2
    assert rows[1] == "a2 = 0; c2_2 = 0; d2_1 = 0"


def test_a_table_becomes_a_data_frame(monkeypatch):
    pytest.importorskip("pandas", reason="the extra arviz")
    nets = [rlct.LinearNetwork((5, h, 5), 1) for h in (3, 5)]
    table = rlct.compare(nets, names=["5-3-5", "5-5-5"], coordinates=[{"width": h} for h in (3, 5)])
    frame = table.to_pandas()
    assert list(frame.columns) == table.to_csv().partition("\n")[0].split(",")
    assert frame["lambda"].tolist() == [8, Fraction(21, 2)]
    assert frame["width"].tolist() == [3, 5]
    assert frame["half_parameters"].tolist() == [15, 25]
    assert frame["lambda"].astype(float).mean() == 9.25
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(rlct.InputError, match="pip install pandas"):
        table.to_pandas()


def test_a_data_frame_keeps_what_is_not_known():
    pytest.importorskip("pandas", reason="the extra arviz")
    frame = rlct.compare([bounds_result(), rlct.poly("x**2")], names=["a", "b"]).to_pandas()
    assert frame["lambda"].tolist() == [None, Fraction(1, 2)]
    assert frame["status"].tolist() == ["bounds", "exact"]
    assert frame["lower"][0] == bounds_result().lower


def bounds_result():
    # The engine adjoins no ninth roots.
    return rlct.ideal(["(x**9-2*y**9)**2+z**19"])


def test_result_of_bounds():
    result = bounds_result()
    assert result.status == "bounds"
    assert result.lam is None
    assert result.theta is None
    assert result.pair is None
    assert result.lower < result.upper
    assert str(result).startswith(f"{result.lower} ≤ λ ≤ {result.upper} (bounds; ")
    assert "[" in result._repr_html_()
    assert r"\leq \lambda \leq" in result._repr_latex_()


FIELDS = {
    "schema",
    "assumptions",
    "status",
    "lambda",
    "theta",
    "lower",
    "upper",
    "method",
    "sources",
    "where",
    "hypotheses",
    "routes",
    "notes",
}


@pytest.mark.parametrize(
    "result",
    [rlct.poly("x**2*y**4"), rlct.linear([5, 3, 5], 1), bounds_result()],
    ids=["poly", "linear", "bounds"],
)
def test_schema(result):
    answer = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert set(answer) == FIELDS
    assert answer["schema"] == "rlct/1"
    assert answer["status"] in ("exact", "bounds")
    for key in ("lambda", "lower", "upper"):
        value = answer[key]
        assert value is None or str(Fraction(value)) == value
    if answer["status"] == "exact":
        assert answer["lambda"] == answer["lower"] == answer["upper"]
        assert isinstance(answer["theta"], int)
    else:
        assert answer["theta"] is None
    assert answer["sources"]
    assert all(isinstance(source, str) for source in answer["sources"])
    for route in answer["routes"]:
        assert {"method", "status", "lambda", "theta", "lower", "upper", "sources"} <= set(route)


def route(low, high=None):
    return Route("test", low, low if high is None else high)


def test_routes_that_contradict_each_other_are_refused():
    half, third = Pair.of("1/2"), Pair.of("1/3")
    with pytest.raises(rlct.RoutesDisagreeError, match="please report"):
        Result.of([route(half), route(third)], "", None, None)
    with pytest.raises(rlct.RoutesDisagreeError):
        Result.of([route(half), route(Pair.of("1/2", 2))], "", None, None)
    with pytest.raises(rlct.RoutesDisagreeError):
        Result.of([route(half), route(third, Pair.of("5/12"))], "", None, None)


def test_routes_combine_to_the_best_bounds():
    wide, high = route(Pair.of("1/4"), Pair.of(1)), route(Pair.of("1/3"), Pair.of("3/2"))
    result = Result.of([wide, high], "", None, None)
    assert (result.lower, result.upper, result.status) == (Fraction(1, 3), 1, "bounds")
    assert Result.of([wide, route(Pair.of("1/2", 2))], "", None, None).pair == Pair.of("1/2", 2)
    theta = Result.of([route(Pair.of("1/2", 3), Pair.of("1/2"))], "", None, None)
    assert (theta.lam, theta.theta, theta.status) == (Fraction(1, 2), None, "bounds")
    assert str(theta).startswith("λ = 1/2, 1 ≤ θ ≤ 3 (bounds")
    open_above = Result.of([Route("test", Pair.of("1/2"), None)], "", None, None)
    assert open_above.upper is None
    assert str(open_above).startswith("1/2 ≤ λ (bounds")


def test_theorems_and_networks():
    assert rlct.theorem("deep-linear", widths=[5, 3, 5], rank=1).pair == Pair(8, 1)
    assert rlct.linear([5, 3, 5], rank=1).pair == Pair(8, 1)
    assert rlct.linear([5, 3, 5], rank=1, bias=True).lam == 8 + Fraction(5, 2)
    assert rlct.solve(rlct.LinearNetwork((5, 3, 5), 1, False, None)).pair == Pair(8, 1)
    for wrong in ([3, 2, 4], [3]):
        with pytest.raises(rlct.InputError):
            rlct.linear(wrong, rank=3)
    with pytest.raises(rlct.InputError):
        rlct.theorem("no-such-theorem")


def test_claims():
    result = rlct.poly("x**2*y**4")
    for text in ("1e1000000000", "x", "", "1/0", "nan", "inf", "1/4,0", "1/4,x", "-1/4", "1/4,1,1"):
        with pytest.raises(rlct.InputError) as caught:
            rlct.check(result, claim=text)
        assert "\n" not in str(caught.value)
    with pytest.raises(rlct.InputError, match="only bounds"):
        rlct.check(bounds_result())
    for claim, verdict in (((Fraction(1, 4), 1), "agrees"), (("1/4", 2), "refuted")):
        assert rlct.check(result, claim=claim).verdict == verdict


@pytest.mark.parametrize("seconds", [0.2, 1.0])
def test_a_time_limit_gives_bounds(seconds):
    began = time.process_time()
    result = rlct.poly(SLOW, timeout=seconds)
    assert time.process_time() - began < seconds + 5
    assert result.status == "bounds"
    assert result.lower < result.upper
    assert rlct.verify(result.certificate)


def test_a_time_limit_does_not_change_a_fast_answer():
    assert rlct.poly("(x**2-y**3)**2", timeout=20).pair == Pair.of("5/12")
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_a_time_limit_outside_the_main_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(rlct.poly("x**2*y**2", timeout=5)))
    thread.start()
    thread.join(20)
    assert found[0].pair == Pair.of("1/2", 2)


@pytest.mark.slow
def test_an_interrupt_gives_bounds():
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        result = rlct.poly(SLOW)
    finally:
        timer.cancel()
    assert result.status == "bounds"
    assert rlct.verify(result.certificate)


MOTZKIN = "x**4*y**2+x**2*y**4-3*x**2*y**2*z**2+z**6"  # K ≥ 0, but no sum of squares
GENERATORS = "if K is a sum of squares, its generators, given to rlct ideal, may tell more"


@pytest.mark.slow
def test_open_questions_say_what_may_help():
    found = rlct.poly(f"{MOTZKIN}+w**4*x**2*z**2", timeout=1)
    assert found.status == "bounds"
    assert found.notes == (
        "K ≥ 0 near the point was not proved; the answer is that of |K|",
        GENERATORS,
        "stopped after 1 s: more time may give sharper bounds",
    )
    over = rlct.poly(f"{MOTZKIN}+x**8", over=dict.fromkeys("xyz", (-1, 1)), timeout=1)
    assert over.status == "bounds"
    assert GENERATORS in over.notes
    # An exact answer, one of generators, and squares that are seen need no help.
    assert GENERATORS not in rlct.poly("x**4+y**6").notes
    assert GENERATORS not in rlct.ideal([MOTZKIN, "w*x*z"], timeout=1).notes


@pytest.mark.parametrize("K", ["x**2*y**2", "(x**2+y**3)**4*(x**9+y**13)**2", "x**2+2*y**4*z**6"])
def test_squares_in_the_text_are_nonnegative_however_short_the_time(K):
    notes = rlct.poly(K, timeout=0.01).notes
    assert not {"K ≥ 0 near the point was not proved; the answer is that of |K|", GENERATORS} & {
        *notes
    }


def test_a_certificate_that_is_less_than_the_theorem_is_called_so():
    said = "the certificate proves only the bounds of the engine, not the theorem"
    for timeout in (0.001, None):
        found = rlct.poly("x**2*y**2", timeout=timeout)
        assert found.pair == Pair.of("1/2", 2)
        assert (said in found.notes) == (found.certificate["claim"]["status"] == "bounds")
    assert said not in found.notes


def test_a_closed_form_writes_no_polynomials():
    found = rlct.theorem("semi-regular", rank=20001, forms="x^2")
    assert found.pair == Pair.of("40003/4")
    with pytest.raises(InputError, match="20002 generators"):
        _ = found.question
    one, same = (rlct.theorem("cp-bound", dims=[2, 2], terms=2) for _ in range(2))
    assert one == same == pickle.loads(pickle.dumps(one))
    assert one.question == same.question


def test_a_certificate_that_is_edited_is_a_copy():
    found = rlct.poly("x**2*y**4")
    found.certificate["claim"] = 1
    found.certificate["proof"]["children"].append(1)
    found.certificate["question"]["variables"][0] = "z"
    assert rlct.verify(found.certificate)
    assert found.certificate == rlct.poly("x**2*y**4").certificate
    assert found.certificate is not found.certificate
    edited = found.certificate
    edited["claim"] = 1
    with pytest.raises(rlct.CertificateError):
        rlct.verify(edited)
