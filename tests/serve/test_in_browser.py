"""The page in a browser alone: what is answered where numpy does not load."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import json, sys
for name in ("numpy", "scipy", "networkx", "matplotlib", "flint", "resource"):
    sys.modules[name] = None  # as if it were not installed
from rlct.serve.in_browser import browser_reply
texts = [json.loads(browser_reply("/", query))[1] for query in sys.argv[1:]]
print(json.dumps([texts, "sympy" in sys.modules]))
"""


def replies(*queries):
    """Pages without numpy, and whether sympy was loaded."""
    command = [sys.executable, "-W", "error", "-c", CODE, *queries]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_theorems_answer_at_once():
    pages, loads_sympy = replies(
        "kind=linear&widths=5+3+5&rank=1",
        "kind=linear&widths=2+1+2&rank=1",
        "kind=tanh&inputs=1&hidden=4&outputs=1&true_hidden=1",
    )
    assert not loads_sympy  # which takes a browser some seconds
    for page, title in zip(
        pages, ("λ = 8, θ = 1", "λ = 3/2, θ = 1", "λ = 5/3, θ = 1"), strict=True
    ):
        assert f"<title>{title} · " in page
        assert '<span class="badge">exact</span>' in page
        assert 'id="argument"' in page
    assert all("verified by separate code" in page for page in pages[:2])
    assert "the engine was not asked: numpy does not load here" in pages[2]


@pytest.mark.slow
def test_polynomials_are_answered_by_theorems_alone():
    (known, unknown), _ = replies("K=(x^2-y^3)^2", "K=x^2*y^2-x^5*y%2Bx^8")
    assert "<title>λ = 5/12, θ = 1 · " in known
    assert "Proved by</dt><dd>theorem " in known
    assert "<title>No answer · " in unknown
    assert "this question needs numpy, which does not load here: ask on the command line" in unknown
    assert "rlct poly &#x27;x^2*y^2-x^5*y+x^8&#x27;" in unknown


@pytest.mark.parametrize("path", ["models", "theory/newton"])
def test_its_other_pages(path):
    from rlct.serve.in_browser import browser_reply

    kind, text = json.loads(browser_reply(f"/{path}", ""))
    assert kind == "text/html; charset=utf-8"
    assert "No answer" not in text


@pytest.mark.slow
def test_a_folder_of_something_else_is_not_emptied(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.touch()
    names = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    for name in (*names, "pyodide-lock.json"):
        (runtime / name).touch()
    script = Path(__file__).parents[2] / "static" / "build.py"
    command = [sys.executable, str(script), str(tmp_path), "--pyodide", str(runtime)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        f"static: {tmp_path} is there and holds no such page: name a folder that is not\n"
    )
    assert kept.exists()
