"""``--resume``: a search goes on with bounds that were proved before, and only with those."""

import json

import pytest

import rlct
from rlct.cli.main import main
from rlct.engine import limits

OPEN = ["ideal", "(x**9-2*y**9)**2+z**19"]
WALL = ["poly", "((x-1)**2-y**3*(1+z))**2", "--over", "x=-1:1,y=-1:1,z=-1:1"]


@pytest.fixture
def call(capsys):
    def invoke(*arguments):
        code = main([*arguments, "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return invoke


@pytest.fixture
def earlier(call, tmp_path):
    """The certificate of a first search, with bounds."""
    path = tmp_path / "earlier.json"
    assert call(*OPEN, "--timeout", "2", "--certificate", str(path))[0] == 3
    return path


def changed(path, what):
    document = json.loads(path.read_text("utf-8"))
    what(document)
    path.write_text(json.dumps(document), "utf-8")


@pytest.mark.slow
def test_bounds_from_both_searches_are_kept(call, tmp_path, monkeypatch):
    first, second = str(tmp_path / "first.json"), str(tmp_path / "second.json")
    with monkeypatch.context() as patch:  # only points: a good upper bound
        for name in ("MOST_EVERYWHERE_TERMS", "MOST_FIBRE_TERMS", "MOST_CELL_TERMS"):
            patch.setattr(limits, name, 0)
        code, answer, _ = call(*WALL, "--certificate", first)
    assert (code, answer["lower"], answer["upper"]) == (3, "1/8", "5/12")
    for name in ("MOST_BOX_POINTS", "MOST_OTHER_POINTS", "MOST_FIBRE_POINTS", "MOST_AXES"):
        monkeypatch.setattr(limits, name, 0)  # only a tree: a good lower bound
    code, answer, _ = call(*WALL)
    assert (code, answer["lower"], answer["upper"]) == (3, "5/12", "1/2")
    code, answer, err = call(*WALL, "--resume", first, "--certificate", second)
    assert (code, answer["lambda"], answer["theta"], err) == (0, "5/12", 1, "")
    proof = json.loads((tmp_path / "second.json").read_text("utf-8"))
    assert proof["proof"]["rule"] == "enclose"
    assert rlct.verify(proof)
    code, answer, err = call(*WALL, "--resume", second)
    assert code == 2
    assert "proves the answer already, λ = 5/12, θ = 1" in err


def test_a_weaker_search_loses_nothing(call, tmp_path, monkeypatch):
    first, second = str(tmp_path / "first.json"), str(tmp_path / "second.json")
    question = ["ideal", "(x**2+y**2-2*z**2)**2+z**5", "x*z"]
    with monkeypatch.context() as patch:
        patch.setattr(limits, "MOST_FAMILIES", 0)
        patch.setattr(limits, "MOST_DIVISION_CELLS", 0)
        assert call(*question, "--certificate", first)[0] == 3
        known = json.loads((tmp_path / "first.json").read_text("utf-8"))["claim"]
        patch.setattr(limits, "MOST_INITIAL_TERMS", 0)
        weaker = call(*question)[1]
        assert weaker["lower"] != known["lower"]
        code, answer, _ = call(*question, "--resume", first, "--certificate", second)
    assert (code, answer["lower"], answer["upper"]) == (3, known["lower"], known["upper"])
    assert rlct.verify(json.loads((tmp_path / "second.json").read_text("utf-8")))


def test_in_python(earlier):
    problem = rlct.Problem.ideal(OPEN[1:])
    assert rlct.solve(problem, timeout=1, earlier=earlier).status == "bounds"
    with pytest.raises(rlct.InputError, match="only polynomials and ideals go on"):
        rlct.solve(rlct.LinearNetwork((5, 3, 5), 1, False, None), earlier=earlier)


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (lambda d: d.update(schema="rlct/0"), 2, "another version of rlct"),
        (lambda d: d.pop("kind"), 2, "it is no certificate"),
        (lambda d: d["question"].update(variables=["x", "y", "w"]), 2, "one of another question"),
        (lambda d: d["proof"].update(lower=["1/20", 1]), 1, "invalid certificate: proof"),
        (lambda d: d["proof"].update(rule="guess"), 1, "unknown rule 'guess'"),
        (lambda d: d.pop("claim"), 1, "an entry is missing"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(change, code, message, call, earlier):
    changed(earlier, change)
    got, answer, err = call(*OPEN, "--resume", str(earlier))
    assert (got, answer, err.count("\n")) == (code, None, 1)
    assert message in err


def test_what_is_no_file_to_go_on_with(call, tmp_path, capsys):
    answer = tmp_path / "answer.json"
    main([*OPEN, "--timeout", "1", "--json"])
    answer.write_text(capsys.readouterr().out, "utf-8")
    assert "it is no certificate: go on with a file" in call(*OPEN, "--resume", str(answer))[2]
    assert call(*OPEN, "--resume", str(tmp_path / "none"))[2].count("\n") == 1
    answer.write_text("{", "utf-8")
    assert "is not JSON" in call(*OPEN, "--resume", str(answer))[2]
