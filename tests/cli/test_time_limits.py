"""Hard questions of several kinds end soon after ``--timeout``, with bounds or an answer."""

import json
import random
import time

import pytest

QUESTIONS = [
    "model tucker --dims 4,4,4 --core 3,3,3 --true 2",
    "model cp --dims 4,4,4 --terms 5 --true 2",
    "model binary-tree --leaves 6 --edges 1-7,2-7,7-8,3-8,8-9,4-9,5-9,6-9 --root 7",
    "net tanh --inputs 3 --hidden 4 --outputs 2 --true-hidden 1",
    "poly ((x**5-y**2*z)**2-(w**3-x*y)**3)**2+(z**2-x*w)**2 --over x=-1:1,y=-1:1,z=-1:1,w=-1:1",
    "newton (x+y+z+w+v)**14-3*x**5*y**2 (x-y*z+v)**9+w**13",
    "net linear --weights linear.json",
    "net quadratic --weights quadratic.json",
]


@pytest.fixture(scope="module", name="folder")
def fixture_folder(tmp_path_factory):
    """Weights of 53 bits, of full rank and not."""
    folder, rng = tmp_path_factory.mktemp("weights"), random.Random(1)
    square = [[rng.gauss(0, 1) for _ in range(16)] for _ in range(16)]
    thin = [[a * b for b in square[0]] for a in square[1]]
    (folder / "linear.json").write_text(json.dumps([square, thin]), "utf-8")
    hidden, outer = ([row[:8] for row in square[k : k + 8]] for k in (0, 8))
    hidden[1] = [x + y for x, y in zip(hidden[0], hidden[2], strict=True)]
    weights = {"hidden": hidden, "outer": outer}
    (folder / "quadratic.json").write_text(json.dumps(weights), "utf-8")
    return folder


@pytest.mark.parametrize("question", QUESTIONS)
def test_they_end_soon_after_the_limit(question, call, folder, monkeypatch):
    """The bound is far above the limit, for slow machines; without limits they take minutes."""
    monkeypatch.chdir(folder)
    began = time.monotonic()
    code, out, err = call(*question.split(), "--timeout", "0.5")
    assert code in (0, 3), err
    assert out
    assert time.monotonic() - began < 15
