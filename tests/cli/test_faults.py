"""What goes wrong around the program: one line, and nothing lost or half written."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from rlct.system.files import write_whole

CUSP = ("poly", "(x**2-y**3)**2")


def run(*words, folder, stdout=subprocess.PIPE, most_bytes=None, closed=False):
    """The command as a process: files of at most so many bytes, or without an output at all."""

    def prepare():
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
        if closed:
            os.close(1)

    done = subprocess.run(
        [sys.executable, "-m", "rlct", *words],
        cwd=folder,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # half of it would stay for all others
        preexec_fn=prepare,
        timeout=60,
    )
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "file"), [("--certificate", "proof.json"), ("--plot", "cusp.png")]
)
def test_a_full_disk_leaves_no_half_of_a_file(option, file, tmp_path):
    if option == "--plot":
        pytest.importorskip("matplotlib")
    code, err = run(*CUSP, option, file, folder=tmp_path, most_bytes=300)
    assert (code, err) == (2, f"rlct: error: cannot write {file}: File too large\n")
    assert not any(tmp_path.iterdir())


def test_a_full_disk_keeps_the_file_that_was_there(tmp_path):
    (tmp_path / "proof.json").write_text("earlier")
    assert run(*CUSP, "--certificate", "proof.json", folder=tmp_path, most_bytes=300)[0] == 2
    assert (tmp_path / "proof.json").read_text() == "earlier"
    assert len([*tmp_path.iterdir()]) == 1


def test_a_full_disk_under_a_store_is_one_line_and_the_sweep_goes_on_later(tmp_path):
    (tmp_path / "s.toml").write_text('ask = "net linear 5 {h} 5 --rank 1"\n[grid]\nh = "1..30"\n')
    code, err = run("sweep", "s.toml", folder=tmp_path, most_bytes=8192)
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot use s.sqlite as a store of answers" in err
    assert run("sweep", "s.toml", folder=tmp_path)[0] == 0


def test_an_output_that_is_full_or_closed_is_one_line(tmp_path):
    with open("/dev/full", "w") as full:
        code, err = run("poly", "x**2", folder=tmp_path, stdout=full)
    assert (code, err) == (2, "rlct: error: cannot write the answer: No space left on device\n")
    code, err = run("poly", "x**2", folder=tmp_path, closed=True)
    assert (code, err) == (2, "rlct: error: cannot write the answer: the output is closed\n")


def test_devices_are_written_to_and_links_followed(tmp_path):
    with pytest.raises(OSError, match="No space left"):
        write_whole(Path("/dev/full"), b"x" * 10)
    assert Path("/dev/full").is_char_device()  # it was once replaced by a file
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()
