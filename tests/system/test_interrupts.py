"""Ctrl-C waits for what must not be cut off, and is not lost."""

import signal

import pytest

from rlct.system.interrupts import deferred_interrupt, hold_interrupt


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def guarded(done: list[str], times: int) -> None:
    with hold_interrupt():
        for _ in range(times):
            interrupt()
        done.append("block")
    done.append("after")


@pytest.mark.parametrize(("times", "expected"), [(1, ["block"]), (2, [])])
def test_the_first_one_waits_for_the_block_and_a_second_does_not(times, expected) -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        guarded(done, times)
    assert done == expected


def test_inside_a_run_it_is_noted_by_the_run() -> None:
    with deferred_interrupt() as asked:
        with hold_interrupt():
            interrupt()
            assert not asked
        assert asked == [signal.SIGINT]


def test_the_handler_is_as_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ZeroDivisionError), hold_interrupt():
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGINT) is before


def test_an_import_is_whole(tmp_path, monkeypatch) -> None:
    (tmp_path / "slow_module.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\nready = True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(KeyboardInterrupt), hold_interrupt():
        import slow_module
    assert slow_module.ready
