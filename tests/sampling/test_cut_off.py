"""Ctrl-C in the report of work that is done: λ̂ is told, and marked; a second one ends the run."""

import json

import pytest

import rlct
from rlct.cli.main import main
from rlct.sampling.ladders.run import estimate
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget

NETWORK = LinearNetworkTarget([2, 1, 2], 1)
RUNS = {
    "moves": lambda: estimate_llc(NETWORK, n_beta=1e3),
    "hmc": lambda: estimate_llc(
        PolynomialTarget([{(1,): 1}], squared=True), n_beta=1e3, method="hmc"
    ),
    "data": lambda: estimate_llc(
        RegressionTarget([2, 1], 1, samples=60), num_draws=40, errors="data"
    ),
    "sgld": lambda: estimate_llc(NETWORK, n_beta=1e2, method="sgld", num_draws=100),
    "gibbs": lambda: estimate(NETWORK, theta=1),
    "quadrature": lambda: estimate(PolynomialTarget([{(1, 2): 1}], squared=True)),
}
PLACES = {
    **dict.fromkeys(("moves", "hmc", "data", "sgld"), "rlct.sampling.local.llc.report_llc"),
    "gibbs": "rlct.sampling.ladders.attempts.report",
    "quadrature": "rlct.sampling.ladders.attempts.report",
}


@pytest.fixture
def strike(monkeypatch):
    """Make a function raise KeyboardInterrupt the first few times that it is called."""

    def at(place, times=1):
        module, _, name = place.rpartition(".")
        owner = __import__(module, fromlist=[name])
        whole, calls = getattr(owner, name), []

        def struck(*arguments, **options):
            calls.append(place)
            if len(calls) <= times:
                raise KeyboardInterrupt
            return whole(*arguments, **options)

        monkeypatch.setattr(owner, name, struck)
        return calls

    return at


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_the_report_is_made_once_more(strike, name):
    whole = RUNS[name]()
    assert not whole.interrupted
    calls = strike(PLACES[name])
    found = RUNS[name]()
    assert found.interrupted
    assert len(calls) == 2
    if name == "data":  # descents on halves of the data are not made again
        assert set(found.errors) == {"chains"}
    else:
        assert found.interval == whole.interval
    assert found.lam == whole.lam


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_second_one_ends_it(strike, name):
    strike(PLACES[name], times=2)
    with pytest.raises(KeyboardInterrupt):
        RUNS[name]()


@pytest.mark.parametrize("name", ["judge_chains"])
def test_before_the_report_draws_are_kept(strike, name):
    strike(f"rlct.sampling.local.llc.{name}")
    found = RUNS["hmc"]()
    assert found.interrupted
    assert found.chains.draws.shape[2] == 120
    assert found.verdict is not None


def test_a_run_that_was_stopped_is_not_told_twice(strike, monkeypatch):
    """The first Ctrl-C stops the chains, the second strikes their report."""

    def stop(fraction, text):
        if fraction > 0.8:
            raise KeyboardInterrupt

    calls = strike("rlct.sampling.local.llc.report_llc")
    with pytest.raises(KeyboardInterrupt):
        estimate_llc(NETWORK, n_beta=1e3, progress=stop)
    assert len(calls) == 1


def test_the_report_of_chains_that_were_stopped_takes_no_descents():
    """They took 16 s, and who struck Ctrl-C again lost the draws."""

    def stop(fraction, text):
        if fraction > 0.8:
            raise KeyboardInterrupt

    data = RegressionTarget([2, 1], 1, samples=60)
    found = estimate_llc(data, num_draws=40, progress=stop, errors="data")
    assert found.chains.interrupted
    assert set(found.errors) == {"chains"}


@pytest.mark.slow
def test_between_two_boxes_the_first_is_kept(monkeypatch):
    question = rlct.poly("x**2*y**4")
    whole = rlct.llc(question)

    def cut(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(PolynomialTarget, "reach", cut)
    found = rlct.llc(question)
    assert found.lam == whole.lam
    assert found.warnings[-1].startswith("interrupted: smaller boxes")


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (["--n-beta", "1e3"], "rlct.sampling.local.llc.report_llc"),
        ([], "rlct.sampling.ladders.attempts.fit"),
    ],
)
def test_the_command_says_so_by_its_exit_code(strike, capsys, options, place):
    strike(place)
    code = main(["sample", "linear", "2", "1", "2", "--rank", "1", *options, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code == 3
    assert 1 < told["lambda"] < 2
    assert any(words.startswith("interrupted") for words in told["warnings"])


def test_what_comes_after_the_draws_is_shown():
    said = []
    estimate_llc(
        NETWORK, n_beta=1e3, num_draws=50, progress=lambda part, text: said.append((part, text))
    )
    assert said[-1][0] == 1.0
    assert "computing their errors" in said[-1][1]
    assert all(part < 1.0 for part, _ in said[:-1])
