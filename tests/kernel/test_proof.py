"""The proof in Coq holds, with the axioms of real numbers alone, and decides as Python does."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from witnesses import ask_binary, edited, exported, random_certificates

from rlct.kernel.verdict import judge

FOLDER = Path(__file__).parents[2] / "validation" / "kernel"
NEEDED = ("coqc", "ocamlfind")


@pytest.fixture(scope="module", name="build")
def fixture_build(tmp_path_factory):
    """What the build prints, and its folder."""
    if missing := [name for name in NEEDED if shutil.which(name) is None]:
        pytest.skip(f"{missing[0]} is not installed")
    folder = tmp_path_factory.mktemp("kernel")
    done = subprocess.run([FOLDER / "build.sh", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, folder


@pytest.mark.slow
def test_the_proof_has_no_axioms_but_those_of_real_numbers(build):
    assert "its axioms are the two of Coq's real numbers" in build[0]


@pytest.mark.slow
def test_nothing_is_admitted():
    for path in FOLDER.glob("*.v"):
        text = path.read_text("utf-8")
        assert not any(word in text for word in ("Admitted", "admit.", "Axiom ", "Parameter "))


@pytest.mark.slow
def test_the_proved_checker_says_what_the_kernel_says(build):
    generator = random.Random(1)
    documents = list(exported(random_certificates(40, 1)))
    documents += [edited(generator.choice(documents), generator) for _ in range(400)]
    ours = [judge(document).word for document in documents]
    assert ask_binary(build[1] / "rlct-kernel", documents) == ours
    assert {"exact", "refused"} <= set(ours)


def test_without_coq_the_build_says_so(tmp_path):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    (tmp_path / "bin").mkdir()
    for name in ("dirname", "pwd"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    done = subprocess.run(
        [bash, FOLDER / "build.sh", tmp_path / "out"],
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert done.stdout == "kernel: coq is not installed, the proof was not checked\n"
