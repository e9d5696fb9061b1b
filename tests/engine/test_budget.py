"""Time limits: they end the work, and never leave a module half loaded."""

import gc
import importlib
import signal
import sys
import threading
import time
import weakref

import pytest

import rlct
from rlct.answers.routes import solve
from rlct.errors import OutOfTimeError
from rlct.pair import Pair
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget, _Watch, time_limit

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")


def work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_the_limit_ends_the_work_and_leaves_no_timer():
    began = time.monotonic()
    with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
        work(5)
    assert time.monotonic() - began < 2
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with time_limit(None, Budget(None)):
        work(0.01)


def test_the_limit_waits_for_an_import(tmp_path, monkeypatch):
    source = "import time\ntime.sleep(0.3)\nLOADED = True\n"
    (tmp_path / "takes_a_while.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def load():
        importlib.import_module("takes_a_while")
        work(5)

    with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
        load()
    assert sys.modules.pop("takes_a_while").LOADED


def test_budget():
    assert not Budget(None).spent
    assert Budget(0).spent
    budget = Budget(60)
    assert not budget.spent
    budget.stop()
    assert budget.spent


def test_the_limit_waits_for_the_garbage_collector():
    """An exception in a callback of the collector is lost, and pytest takes it for an error."""
    ended = []

    def callback(phase, info):
        work(0.15)
        ended.append(phase)

    def collect():
        gc.collect()
        work(5)

    gc.callbacks.append(callback)
    try:
        with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
            collect()
    finally:
        gc.callbacks.remove(callback)
    assert ended[:2] == ["start", "stop"]


def test_the_limit_waits_for_finalisers():
    """An exception in ``__del__`` is only printed, and pytest takes it for an error."""
    ended = []

    class Slow:
        def __del__(self):
            work(0.15)
            ended.append("gone")

    def drop():
        Slow()
        work(5)

    with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
        drop()
    assert ended == ["gone"]


def test_the_limit_waits_for_weak_references():
    """An exception in their callbacks is only printed, whoever made them."""
    kept = weakref.WeakKeyDictionary()
    ended = []

    class Key:
        pass

    class Slow(dict):
        def __delitem__(self, key):
            work(0.15)
            ended.append("removed")
            super().__delitem__(key)

    kept.data = Slow()
    key = Key()
    kept[key] = 1
    other = Key()
    watched = weakref.ref(other, lambda _: (work(0.15), ended.append("forgotten")))

    def drop():
        nonlocal key
        key = None
        work(5)

    def forget():
        nonlocal other
        other = None
        work(5)

    for act in (drop, forget):
        with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
            act()
    assert ended == ["removed", "forgotten"]
    assert watched() is None


def test_a_limit_inside_a_limit_keeps_the_outer_one():
    def twice():
        inner = Budget(0.05)
        try:
            with time_limit(0.05, inner):
                work(5)
        except OutOfTimeError:
            inner.stop()
        ended.append(time.monotonic() - began)
        work(5)

    ended = []
    began = time.monotonic()
    with pytest.raises(OutOfTimeError), time_limit(0.3, Budget(None)):
        twice()
    assert 0.3 <= time.monotonic() - began < 3
    assert ended[0] < 2
    # An inner limit that is later than the outer one does not put it off.
    began = time.monotonic()
    with (
        pytest.raises(OutOfTimeError),
        time_limit(0.05, Budget(None)),
        time_limit(60, Budget(None)),
    ):
        work(5)
    assert time.monotonic() - began < 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_limit_ends_what_an_inner_one_does_after_its_end():
    """A search that has heard that its time is over may still be at work long after."""
    inner = Budget(0.05)

    def search():
        try:
            work(5)
        except OutOfTimeError:
            inner.stop()
        work(5)

    began = time.monotonic()
    with pytest.raises(OutOfTimeError), time_limit(0.3, Budget(None)), time_limit(0.05, inner):
        search()
    assert 0.3 <= time.monotonic() - began < 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_after_its_end_only_processor_time_of_the_block_counts():
    """On a busy machine the last second of a search is one of its own work."""
    with time_limit(0.05, Budget(None), grace_seconds=0.3):
        time.sleep(0.6)  # other processes run
        work(0.01)
    began = time.process_time()
    with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None), grace_seconds=0.3):
        work(20)
    assert 0.3 <= time.process_time() - began < 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_block_that_hears_no_interrupts_is_left_in_peace():
    """Ctrl-C ends the search inside, whose bounds are then the answer."""
    inner = Budget(None)
    with time_limit(60, Budget(60), hears_interrupts=False):
        with time_limit(60, inner):
            try:
                signal.raise_signal(signal.SIGINT)
                work(5)
            except KeyboardInterrupt:
                inner.stop()
        work(0.05)


@pytest.mark.slow
def test_an_engine_that_does_not_end_leaves_what_theorems_prove(monkeypatch):
    calls = []

    def careless(question, by_theorems, effort):
        for _ in range(100):
            calls.append(effort)
            try:
                work(60)
            except OutOfTimeError:
                if len(calls) > 2:
                    raise
        raise AssertionError

    monkeypatch.setattr("rlct.answers.routes.routes", careless)
    began = time.monotonic()
    result = rlct.model("naive-bayes", features=3, timeout=0.2)
    assert time.monotonic() - began < 20
    assert result.pair == Pair.of(2)
    assert "stopped after 0.2 s, before the engine had a bound" in result.notes
    result = rlct.solve(Problem.ideal(["x*y-z**3", "z**2*x-y**3"]), timeout=0.2)
    assert (result.status, result.bounds) == ("bounds", (None, Pair.of("3/4")))  # by the order


def test_a_theorem_that_does_not_end_is_left_out(monkeypatch):
    class Slow:
        def recognise(self, question):
            return {}

        def apply(self):
            work(60)

    monkeypatch.setattr("rlct.answers.routes.recognising_theorems", lambda question: [Slow()])
    began = time.monotonic()
    assert rlct.solve(Problem.poly("x**2*y**4"), timeout=4).pair == Pair.of("1/4")
    assert time.monotonic() - began < 20


def in_thread(act):
    """Do something in a thread; what came out of it, and its seconds of the processor."""
    outcome = []

    def run():
        began = time.thread_time()
        try:
            result = act()
        except BaseException as error:
            result = error
        outcome.extend((result, time.thread_time() - began))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return outcome


def test_threads_keep_the_limit(monkeypatch):
    """Nothing here looks at the clock, and no signal comes."""

    def spin():
        with time_limit(0.1, Budget(None)):
            work(20)

    error, used = in_thread(spin)
    assert isinstance(error, OutOfTimeError)
    assert used < 3
    rlct.ideal(["x*y", "y**2"])  # imports
    monkeypatch.setattr("rlct.engine.strategy._first", lambda *_: work(60))
    answer, used = in_thread(lambda: rlct.ideal(["x*y-z**3", "z**2*x-y**3"], timeout=0.3))
    assert answer.status == "bounds"
    assert used < 1.2 * 0.3 + 1.5


@pytest.mark.parametrize("platform", ["emscripten", "linux"])
def test_where_no_thread_can_start_blocks_run(platform, monkeypatch):
    """As in Python of a browser, where only what looks at the clock ends in time."""
    watch, started = _Watch(), []
    monkeypatch.setattr(watch, "_run", lambda: started.append(True))
    monkeypatch.setattr("rlct.system.time_limit._CLOCK_WATCH", watch)
    monkeypatch.setattr(sys, "platform", platform)

    def ask():
        with time_limit(5, Budget(None)):
            return rlct.ideal(["x*y"], timeout=5).pair

    answer, _ = in_thread(ask)
    assert answer == Pair.of("1/2", 2)
    assert bool(started) == (platform == "linux")


def test_threads_wait_for_an_import(tmp_path, monkeypatch):
    source = "import time\ntime.sleep(0.3)\nLOADED = True\n"
    (tmp_path / "takes_a_while_too.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def load():
        with time_limit(0.05, Budget(None)):
            importlib.import_module("takes_a_while_too")
            work(20)

    error, _ = in_thread(load)
    assert isinstance(error, OutOfTimeError)
    assert sys.modules.pop("takes_a_while_too").LOADED


def test_nothing_is_raised_in_a_thread_after_its_blocks():
    """The end of a block and its time over are at the same moment, many times."""

    def many():
        ends = 0
        for k in range(200):
            budget = Budget(None)
            try:
                with time_limit(0.001 * (k % 30), budget):
                    work(0.001 * (k % 7) + 0.019)
            except OutOfTimeError:
                ends += 1
            work(0.0005)
        work(0.3)
        return ends

    ends, _ = in_thread(many)
    assert 0 < ends < 200


def test_a_budget_has_no_more_than_the_blocks_around_it():
    with time_limit(50, Budget(50)):
        assert 40 < Budget(None).seconds_left <= 50
        assert 40 < Budget(100).seconds_left <= 50
        assert (Budget(None).seconds, Budget(100).seconds) == (50, 50)
        assert Budget(3).seconds_left <= 3
        assert Budget(3).seconds == 3
    assert Budget(None).seconds_left is None
    heard = Budget(0)
    with time_limit(None, heard):
        heard.stop()
        assert Budget(None).seconds_left is None


def test_nothing_but_its_handler_catches_the_end_of_the_time():
    def careless():
        try:
            work(5)
        except Exception:
            work(5)

    began = time.monotonic()
    with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
        careless()
    assert time.monotonic() - began < 3


SLOW_BOXES = [
    ("((x**7-3*x*y**2-1)**2+(y**5-x**3-z)**2)*((x*z-y)**2+w**2)", 2),
    ("((x**5-y**2*z)**2-(w**3-x*y)**3)**2+(z**2-x*w)**2", 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(("K", "seconds"), SLOW_BOXES)
def test_boxes_keep_the_limit_and_say_that_they_stopped(K, seconds):
    over = dict.fromkeys("xyzw", (-1, 1))
    rlct.poly("x**2*y**2*z**2", over=dict.fromkeys("xyz", (-1, 1)))  # imports
    began = time.process_time()
    result = rlct.poly(K, over=over, timeout=seconds)
    assert time.process_time() - began < seconds + 1.5
    assert result.status == "bounds"
    assert rlct.verify(result.certificate)
    assert f"stopped after {seconds} s: more time may give sharper bounds" in result.notes


@pytest.mark.slow
@pytest.mark.parametrize("K", [K for K, _ in SLOW_BOXES])
def test_boxes_stopped_after_their_first_points_have_an_upper_bound(K, processor_time):
    result = rlct.poly(K, over=dict.fromkeys("xyzw", (-1, 1)), timeout=4)
    assert result.status == "bounds"
    assert result.upper is not None


def test_boxes_that_are_done_in_time_do_not_say_so():
    result = rlct.poly("(x-1)**2*y**2", over={"x": (-1, 2), "y": (-1, 1)}, timeout=60)
    assert result.status == "exact"
    assert not result.notes


def test_an_interrupt_that_is_lost_comes_again():
    """A first KeyboardInterrupt that something swallows must not let the work go on for ever."""
    swallowed = []

    def stubborn():
        try:
            signal.raise_signal(signal.SIGINT)
            work(5)
        except KeyboardInterrupt:
            swallowed.append(True)  # as Python does in a weak reference's callback
        work(5)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), time_limit(None, Budget(None)):
        stubborn()
    assert swallowed
    assert time.monotonic() - began < 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_interrupt_is_not_repeated_once_it_was_heard():
    budget = Budget(None)
    with time_limit(None, budget):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            budget.stop()
        work(0.5)


def test_an_interrupt_in_a_limit_inside_others_ends_them_all():
    """Each block hears of it once; before, only the innermost did."""
    heard = []

    def nested(depth):
        budget = Budget(None)
        try:
            with time_limit(30 if depth % 2 else None, budget):
                if depth:
                    nested(depth - 1)
                else:
                    signal.raise_signal(signal.SIGINT)
                work(5)
        except (OutOfTimeError, KeyboardInterrupt) as error:
            budget.stop()
            heard.append((depth, type(error)))

    began = time.monotonic()
    nested(3)
    assert [depth for depth, _ in heard] == list(range(4))
    assert all(issubclass(kind, KeyboardInterrupt) for _, kind in heard)
    assert time.monotonic() - began < 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_interrupt_while_an_inner_limit_winds_down_ends_the_outer_one():
    def stopped():
        inner = Budget(None)
        with time_limit(None, inner):
            inner.stop()
            signal.raise_signal(signal.SIGINT)
            work(5)

    def careless():
        try:
            stopped()
        except KeyboardInterrupt:
            work(5)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), time_limit(None, Budget(None)):
        careless()
    assert time.monotonic() - began < 2


OFF_DIAGONAL = [
    " + ".join(f"a{i}{k}*a{j}{k}" for k in range(4)) for i in range(5) for j in range(i)
]
BOX = dict.fromkeys("xyz", (-1, 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    "ask",
    [
        lambda: rlct.poly(SLOW_BOXES[0][0], over=dict.fromkeys("xyzw", (-1, 1))),
        lambda: solve(Problem.ideal(OFF_DIAGONAL), resolution=True),
        lambda: rlct.ideal(OFF_DIAGONAL),
    ],
    ids=["over a box", "with the resolution", "at a point"],
)
def test_one_interrupt_gives_the_bounds_so_far(ask):
    rlct.poly("x**2*y**2*z**2", over=BOX)  # imports
    pressed = []

    def press():
        pressed.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(2, press)
    timer.start()
    try:
        result = ask()
        answered = time.process_time()
    finally:
        timer.cancel()
    assert pressed, "answered before"
    assert answered - pressed[0] < 4
    assert result.status == "bounds"
    assert rlct.verify(result.certificate)
