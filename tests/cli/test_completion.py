"""The scripts of ``rlct completion``, loaded into the shells themselves."""

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import time

import pytest

from rlct.cli.main import main

pytest.importorskip("shtab", reason="the extra completion")

#: What is typed, and what it can become; files of the folder are grid.toml and statistics.toml.
TYPED = {
    "rlct net li": {"linear", "linear-experts"},
    "rlct net linear --ra": {"--rank"},
    "rlct theo": {"theorem"},
    "rlct sweep s": {"status", "statistics.toml"},
    "rlct sweep status g": {"grid.toml"},
    "rlct theorem show deep-l": {"deep-linear", "deep-linear-rank-paths"},
    "rlct poly --ce": {"--certificate"},
    "rlct poly x^2 --ce": {"--certificate"},
    "rlct theorem eval rbm wid": set(),
    "rlct verify g": {"grid.toml"},
    "rlct net linear 5 3 5 --certificate g": {"grid.toml"},
}


@pytest.fixture
def script(request, tmp_path, capsys, monkeypatch):
    """The script for a shell that is there, in a folder with two files."""
    shell = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    assert main(["completion", shell]) == 0
    found = tmp_path / "scripts" / "_rlct"
    found.parent.mkdir()
    found.write_text(capsys.readouterr().out, encoding="utf-8")
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("grid.toml", "statistics.toml"):
        (folder / name).touch()
    monkeypatch.chdir(folder)
    return found


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash(script):
    ask = (
        f"source {shlex.quote(str(script))};"
        "f=$(complete -p rlct | sed 's/.*-F \\([^ ]*\\).*/\\1/');"
        'try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); $f;'
        ' echo "${COMPREPLY[@]}"; };'
    ) + "".join(f"try {words};" for words in TYPED)
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    offered = [set(line.split()) for line in done.stdout.splitlines()]
    assert dict(zip(TYPED, offered, strict=True)) == TYPED


@pytest.mark.parametrize("script", ["fish"], indirect=True)
def test_fish(script, tmp_path):
    ask = f"source {shlex.quote(str(script))}; for words in {shlex.join(TYPED)}; "
    ask += 'complete -C "$words"; echo ---; end'
    done = subprocess.run(
        ["fish", "-N", "-c", ask],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"HOME": str(tmp_path), "LANG": "C.UTF-8"},
    )
    assert done.stderr == ""
    offered = [
        {line.partition("\t")[0] for line in block.splitlines() if line}
        for block in done.stdout.split("---\n")[:-1]
    ]
    assert dict(zip(TYPED, offered, strict=True)) == TYPED


@pytest.mark.parametrize("script", ["zsh"], indirect=True)
def test_zsh(script, tmp_path):
    """Typed at a terminal: Tab, and what stands on the line then."""
    with Terminal(["zsh", "-f", "-i"], tmp_path) as shell:
        shell.type(f"fpath=({shlex.quote(str(script.parent))} $fpath)\n")
        shell.type("unsetopt beep; setopt list_ambiguous no_auto_menu; autoload -U compinit\n")
        shell.type(f"compinit -u -d {shlex.quote(str(tmp_path / 'dump'))}; echo rea''dy\n")
        shell.wait("ready")
        for words, offered in TYPED.items():
            # Ctrl-A and echo show the line instead of running it.
            shell.type(f"{words}\t\x01echo '<'\x05'>'\n")
            line = shell.wait(r"<rlct ([^<>\n]*)>").split()
            start = words.split()[1:]
            assert line[: len(start) - 1] == start[:-1]
            common = os.path.commonprefix(sorted(offered))  # noqa: RUF071 - it is of letters
            assert line[-1] == (common or start[-1]), words


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, words, home):
        self.words = words
        self.home = home
        self.said = ""

    def __enter__(self):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            settings = {"HOME": str(self.home), "TERM": "dumb", "PS1": "", "LANG": "C.UTF-8"}
            os.execvpe(self.words[0], self.words, os.environ | settings)
        return self

    def __exit__(self, *_):
        os.close(self.end)
        os.waitpid(self.pid, 0)

    def type(self, text):
        os.write(self.end, text.encode())

    def wait(self, pattern):
        """What comes until a line matches, in half a minute."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if select.select([self.end], [], [], 0.5)[0]:
                self.said += os.read(self.end, 65536).decode("utf-8", "replace")
            plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\a]", "", self.said)
            found = re.search(rf"^{pattern}\s*$", plain, re.MULTILINE)
            if found:
                self.said = plain[found.end() :]
                return found[found.lastindex or 0]
        raise AssertionError(self.said)
