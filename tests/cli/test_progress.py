"""Progress stays in one line of the terminal that shows it, however narrow."""

import io
import os
import time

import pytest

import rlct
from rlct.system import progress
from rlct.system.progress import progress_bar, work_counter

pty = pytest.importorskip("pty", reason="terminals of Unix")


class Screen(io.StringIO):
    """A terminal that is asked for its width."""

    def __init__(self, columns):
        super().__init__()
        self.columns = columns
        self.master, self.slave = pty.openpty()
        self.resize(columns)

    def resize(self, columns):
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def isatty(self):
        return True

    def fileno(self):
        return self.slave

    def shown(self):
        """What was written from column 1 on, and what is left there in the end."""
        written = self.getvalue().split("\r")
        left = ""
        for line in written:
            left = line + left[len(line) :]
        return written, left


@pytest.fixture
def screen(monkeypatch):
    opened = []

    def make(columns):
        opened.append(Screen(columns))
        monkeypatch.setattr("sys.stderr", opened[-1])
        return opened[-1]

    monkeypatch.setattr(progress, "_UPDATE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_SILENT_SECONDS", -1.0)
    yield make
    for one in opened:
        os.close(one.master)
        os.close(one.slave)


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("title", ["sweep", "simulation"])
def test_a_bar_fits_the_terminal(columns, title, screen):
    shown = screen(columns)
    with progress_bar(title) as show:
        for k in range(11):
            show(k / 10, "a long text about what is under way now, in words " * 2)
    written, left = shown.shown()
    assert len(written) > 11
    assert max(map(len, written)) < columns
    assert left.strip() == ""
    bars = [line for line in written if line.startswith(title[:15])]
    assert len(bars) == 11
    assert all("%" in line for line in bars) or columns < 40
    if columns >= 80:
        assert all("a long text about what is under way" in line for line in bars)


@pytest.mark.parametrize("columns", [20, 80])
def test_a_counter_fits_the_terminal(columns, screen):
    shown = screen(columns)
    with work_counter("germs over exceptional divisors looked at by the engine so far") as show:
        show(2)
        time.sleep(0.1)
    written, left = shown.shown()
    assert max(map(len, written)) < columns
    assert any(line.startswith("2 germs") for line in written)
    assert left.strip() == ""


def test_a_shorter_line_leaves_nothing_of_a_longer_one(screen):
    shown = screen(80)
    with progress_bar("sweep") as show:
        show(0.1, "a text of some length")
        show(0.2, "short")
        _, left = shown.shown()
    assert left.rstrip().endswith("20% short")


def test_a_terminal_without_a_size_has_80_columns(screen, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("os.get_terminal_size", lambda *_: os.terminal_size((0, 0)))
    shown = screen(0)
    with progress_bar("sweep") as show:
        show(0.5, "t" * 100)
    assert 60 < max(map(len, shown.shown()[0])) < 80


class OutStream(io.StringIO):
    """What a notebook has as standard error: no terminal, but a line can be written over."""


@pytest.mark.parametrize("module", ["ipykernel.iostream", "elsewhere"])
def test_a_notebook_shows_one_line(module, monkeypatch):
    monkeypatch.setattr(OutStream, "__module__", module)
    monkeypatch.setattr(progress, "_UPDATE_SECONDS", 0.0)
    shown = OutStream()
    monkeypatch.setattr("sys.stderr", shown)
    with progress_bar("simulation") as show:
        for k in range(11):
            show(k / 10, "step")
    if module == "elsewhere":
        assert shown.getvalue().count("\n") == 5
    else:
        assert "\n" not in shown.getvalue()
        assert shown.getvalue().count("\rsimulation [") == 11


CALLS = {
    "llc": lambda **said: rlct.llc(rlct.poly("x**2*y**4"), n_beta=10.0, num_draws=8, **said),
    "check": lambda **said: rlct.check(rlct.poly("x**2*y**4"), **said),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_long_calls_in_python_say_how_far_they_are(name, monkeypatch, capsys):
    call = CALLS[name]
    call()
    assert capsys.readouterr().err == ""  # a short one
    monkeypatch.setattr(progress, "_UNASKED_SECONDS", 0.0)
    call()
    assert capsys.readouterr().err.startswith("simulation ")
    call(progress=False)
    told = []
    call(progress=lambda fraction, text: told.append(fraction))
    assert told
    assert capsys.readouterr().err == ""
