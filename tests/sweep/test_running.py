"""Sweeps that resume, share answers, and survive Ctrl-C, signal 9 and dying workers."""

import csv
import ctypes
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

from rlct.cli.asking import CommandAsker
from rlct.cli.main import main
from rlct.errors import InputError
from rlct.sweep.grid import read_grid
from rlct.sweep.pools import LocalProcesses
from rlct.sweep.running import run_sweep
from rlct.sweep.store import Store, StoredAnswer

ROOT = Path(__file__).parents[2]
CUSPS = 'ask = \'poly "(x**{p} - y**{q})**2"\'\n[grid]\np = "1..3"\nq = [2, 3]\n'
SLOW = 'ask = \'check poly "x**{p}*y**2" --seed {seed}\'\n[grid]\np = [2, 4]\nseed = "1..50"\n'
NETS = 'ask = "net linear 5 {h} 5 --rank {r}"\n[grid]\nh = "1..4"\nr = "0..2"\n'


class Counting(CommandAsker):
    """Remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def answer(self, words):
        self.asked.append(" ".join(words))
        return super().answer(words)


class Deadly(CommandAsker):
    """One of its questions ends the process that answers it."""

    def answer(self, words):
        if words[1].startswith("(x**2 - y**3)"):
            os._exit(9)
        return super().answer(words)


class Cluster(CommandAsker):
    """Takes its time, so that a worker can be killed meanwhile, and says who answered."""

    def answer(self, words):
        time.sleep(0.2)
        found = super().answer(words)
        return StoredAnswer(found.status, found.lam, found.theta, message=str(os.getpid()))


@pytest.fixture
def call(capsys):
    def invoke(*arguments):
        try:
            code = main(["sweep", *map(str, arguments)])
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        return code, out, [line for line in err.splitlines() if not line.startswith("sweep ")]

    return invoke


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as opened:
        yield opened


def statuses(store, text):
    grid = read_grid(text)
    return [row[1] for row in store.rows(store.sweep(grid.identity, grid.count))]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("ask", "values"),
    [("poly x**{k}", "2, 4, 2, 4, 6"), ("net linear 5 {k} 5 --rank 1", "3, 3, 2, 1, 3")],
)
def test_what_is_asked_twice_is_not_called_there_before(ask, values, jobs, tmp_path, capsys):
    path = tmp_path / "twice.toml"
    path.write_text(f'ask = "{ask}"\n[grid]\nk = [{values}]\n', encoding="utf-8")
    assert main(["sweep", str(path), "--jobs", str(jobs)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "5 questions: 5 exact"
    assert said[1].startswith("3 new answers, 2 the same as these, 0 from ")
    assert main(["sweep", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answered"], found["repeated"], found["questions"]) == (0, 0, 5)


def test_a_sweep_asks_each_question_once(store):
    asker = Counting()
    assert run_sweep(read_grid(CUSPS), store, asker).answered == 6
    assert run_sweep(read_grid(CUSPS), store, asker).answered == 0
    assert len(asker.asked) == 6
    larger = CUSPS.replace("[2, 3]", "[3, 4, 2]").replace("x**", "x^")
    assert run_sweep(read_grid(larger), store, asker).answered == 3
    assert asker.asked[6:] == [f"poly (x^{p} - y**4)**2" for p in (1, 2, 3)]
    assert statuses(store, larger) == ["exact"] * 9


@pytest.mark.slow
def test_equal_questions_of_one_sweep_are_asked_once(store):
    asker = Counting()
    text = 'ask = \'poly "{f}"\'\n[grid]\nf = ["x**2*y**2", "y^2*x^2", "x**2*y**2 ", "x +"]'
    assert (
        run_sweep(read_grid(text), store, asker).answered == 2
    )  # the last is answered by refusing it
    assert asker.asked == ["poly x**2*y**2"]
    assert statuses(store, text) == ["exact", "exact", "exact", "refused"]
    with LocalProcesses(1) as pool:
        larger = text.replace("x**2", "x**4").replace("x^2", "x^4")
        assert run_sweep(read_grid(larger), store, CommandAsker(), pool).answered == 2
    keys = "SELECT count(*) FROM answers WHERE status = 'exact'"
    assert store._db.execute(keys).fetchone() == (2,)


def test_bounds_make_room_for_a_longer_time_limit_only(store):
    class Bounds(Counting):
        def answer(self, words):
            self.asked.append(words)
            timeout = float(words[-1]) if "--timeout" in words else None
            return StoredAnswer("bounds" if timeout else "exact", "1", None, timeout=timeout)

    asker = Bounds()
    for option, asked in (("5", 1), ("2", 1), ("9", 2), ("7", 2)):
        text = f"ask = 'poly {{f}} --timeout {option}'\n[grid]\nf = 'x**2'"
        run_sweep(read_grid(text), store, asker)
        assert len(asker.asked) == asked
    for _ in range(2):
        run_sweep(read_grid("ask = 'poly {f}'\n[grid]\nf = 'x**2'"), store, asker)
        assert len(asker.asked) == 3


def test_failures_are_tried_again(store):
    class Broken(Counting):
        def answer(self, words):
            self.asked.append(words)
            return StoredAnswer("failed", message="broken")

    broken = Broken()
    run_sweep(read_grid(CUSPS), store, broken)
    assert statuses(store, CUSPS) == ["failed"] * 6
    assert run_sweep(read_grid(CUSPS), store, CommandAsker()).answered == 6
    assert statuses(store, CUSPS) == ["exact"] * 6


def test_a_question_that_breaks_the_program_does_not_end_a_sweep(store, monkeypatch):
    import rlct.cli.asking

    monkeypatch.setattr(rlct.cli.asking, "_of_document", lambda document: 1 / 0)
    assert run_sweep(read_grid(CUSPS), store, CommandAsker()).answered == 6
    assert statuses(store, CUSPS) == ["failed"] * 6


@pytest.mark.slow
def test_a_question_that_kills_its_process_is_found_out(store):
    with LocalProcesses(2) as pool:
        run_sweep(read_grid(CUSPS), store, Deadly(), pool)
    assert statuses(store, CUSPS) == ["exact", "exact", "exact", "failed", "exact", "exact"]
    assert run_sweep(read_grid(CUSPS), store, CommandAsker()).answered == 1
    assert statuses(store, CUSPS) == ["exact"] * 6


def test_a_cluster_that_is_gone_ends_a_sweep_in_one_line(store):
    class Gone:
        width = 2

        def submit(self, work, words):
            future = Future()
            if "**2 - y**3" in words[1]:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_result(work(words))
            return future

    with pytest.raises(InputError, match="the scheduler gave up; finished answers are saved"):
        run_sweep(read_grid(CUSPS), store, CommandAsker(), Gone())
    assert "exact" in statuses(store, CUSPS)
    assert run_sweep(read_grid(CUSPS), store, CommandAsker()).answered < 6


@pytest.mark.slow
def test_one_process_and_several_give_the_same_table(call, tmp_path):
    file = tmp_path / "cusps.toml"
    file.write_text(CUSPS, encoding="utf-8")
    code, out, err = call(file)
    assert (code, err) == (0, [])
    assert out.splitlines()[0] == "6 questions: 6 exact"
    assert out.splitlines()[1].startswith("6 new answers, 0 from ")
    two = tmp_path / "two.sqlite"
    assert call(file, "--jobs", "2", "--store", two)[0] == 0
    tables = []
    for place in (tmp_path / "cusps.sqlite", two):
        code, out, err = call("export", file, "--store", place)
        rows = list(csv.DictReader(out.splitlines()))
        tables.append([{k: v for k, v in row.items() if k != "seconds"} for row in rows])
    assert tables[0] == tables[1]
    row = tables[0][3]
    assert (row["p"], row["q"], row["lambda"], row["theta"]) == ("2", "3", "5/12", "1")
    assert float(row["value"]) == pytest.approx(5 / 12)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "cusps.sqlite",
        "cusps.toml",
        "two.sqlite",
    ]


def test_csv_and_parquet_are_the_same_table(call, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "nets.toml"
    text = NETS + '[zip]\nb = ["", "--bias"]\nstatus = [1, 2.5]\n'
    file.write_text(text.replace("{r}", "{r} {b} --seed {status}"), encoding="utf-8")
    file.write_text(file.read_text().replace(" --seed {status}", "", 1).replace("status =", "#"))
    assert call(file)[0] == 0
    code, out, _ = call("export", file)
    assert code == 0
    target = tmp_path / "t.parquet"
    assert call("export", file, "--out", target) == (0, "", [])
    table = parquet.read_table(target)
    assert [str(t) for t in table.schema.types[:3]] == ["int64", "int64", "string"]
    rows = list(csv.DictReader(out.splitlines()))
    read = table.to_pylist()
    assert len(read) == len(rows) == 24
    for one, other in zip(read, rows, strict=True):
        assert {k: "" if v is None else str(v) for k, v in one.items()} == other


def test_status_and_codes(call, tmp_path):
    file = tmp_path / "nets.toml"
    file.write_text(NETS, encoding="utf-8")
    assert call("status", file)[0] == 2
    assert not (tmp_path / "nets.sqlite").exists()
    code, out, _ = call(file)
    assert code == 0
    assert out.startswith("12 questions: 11 exact, 1 refused\nthe first refused: rank 2 exceeds")
    assert call("status", file)[:2] == (0, "\n".join(out.splitlines()[:2]) + "\n")
    file.write_text(NETS.replace("0..2", "2..9").replace("1..4", "1..3"), encoding="utf-8")
    assert call("status", file)[1] == "24 questions: 24 not yet asked\n"
    assert call("export", file)[0] == 2
    file.write_text(NETS.replace("0..2", "9..9"), encoding="utf-8")
    assert call(file)[0] == 2  # no network has such a rank
    file.write_text("ask = 'check poly \"x**4\" --claim {c}'\n[grid]\nc = ['1/4', '1/2']")
    code, out, _ = call(file)
    assert (code, out.splitlines()[0]) == (1, "2 questions: 1 agrees, 1 refuted")


@pytest.mark.parametrize("text", [CUSPS, NETS])
def test_an_answer_that_was_changed_is_not_read(text, call, forge, tmp_path):
    file, store = tmp_path / "s.toml", tmp_path / "s.sqlite"
    file.write_text(text, encoding="utf-8")
    call(file)
    code, table, _ = call("export", file)
    forge(store, "lambda = '1/3' WHERE id = 2", seal=False)
    for action in ("status", "export"):
        code, out, err = call(action, file)
        assert (code, out, len(err)) == (2, "", 1)
        assert err[0].startswith(f"rlct: error: {store}: the answer to '")
        assert err[0].endswith(
            f"' was changed after it was written: 'rlct sweep {file}' asks it anew"
        )
    code, out, err = call(file)
    assert err == [f"rlct: warning: 1 answer was changed in {store} after writing, and asked anew"]
    assert "1 new answer," in out
    assert without_seconds(call("export", file)[1]) == without_seconds(table)


def without_seconds(table):
    return [row | {"seconds": None} for row in csv.DictReader(table.splitlines())]


def test_an_answer_to_another_question_is_not_read(call, tmp_path):
    file, store = tmp_path / "s.toml", tmp_path / "s.sqlite"
    file.write_text(CUSPS, encoding="utf-8")
    call(file)
    code, table, err = call("export", file)
    assert (code, err) == (0, [])
    with sqlite3.connect(store) as database:
        database.execute("UPDATE points SET answer = 2 WHERE number = 0")
    assert call("export", file)[0] == 2
    assert call(file)[0] == 0
    assert without_seconds(call("export", file)[1]) == without_seconds(table)
    with sqlite3.connect(store) as database:
        database.execute("DELETE FROM points WHERE number = 0")
    database.close()
    code, shorter, err = call("export", file)
    assert (code, len(shorter.splitlines())) == (0, len(table.splitlines()) - 1)
    assert len(err) == 1
    assert "rlct: 1 of " in err[0]
    assert f"'rlct sweep {file}' asks them" in err[0]


def test_a_store_on_a_read_only_medium_is_read(tmp_path):
    """Without the right of root to write everywhere, which cannot be had back."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "s.toml").write_text(CUSPS, encoding="utf-8")
        asked = ["poly", "(x**2 - y**3)**2", "--cache", str(folder / "s.sqlite")]

        def run(*words, **who):
            command = [sys.executable, "-m", "rlct", *words]
            return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **who)

        assert run("sweep", str(folder / "s.toml")).returncode == 0
        table = run("sweep", "export", str(folder / "s.toml")).stdout
        for path in (*folder.iterdir(), folder):
            path.chmod(0o555)
        guest = {"preexec_fn": lambda: ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)}
        code = "import os, sys; sys.exit(os.access(sys.argv[1], os.W_OK))"
        if subprocess.run([sys.executable, "-c", code, name], **guest).returncode:
            pytest.skip("this user may write everywhere")
        try:
            found = run("sweep", "export", str(folder / "s.toml"), **guest)
            assert (found.stdout, found.stderr) == (table, "")
            assert run("sweep", "status", str(folder / "s.toml"), **guest).returncode == 0
            cached = run(*asked, **guest)
            assert (cached.returncode, "its certificate verified anew" in cached.stdout) == (
                0,
                True,
            )
            asked[1] = "x**2"  # not there, and cannot be written
            assert run(*asked, **guest).stdout.startswith("λ = 1/2")
            refused = run("sweep", str(folder / "s.toml"), **guest)
            assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
            assert f"cannot write beside {folder / 's.sqlite'}: " in refused.stderr
            (folder / "s.sqlite-wal").write_bytes(b"answers that are not in the store yet")
            assert run("sweep", "status", str(folder / "s.toml"), **guest).returncode == 2
        finally:
            folder.chmod(0o755)


def test_a_damaged_store_is_not_called_one_of_another_version(call, tmp_path):
    file, store = tmp_path / "s.toml", tmp_path / "s.sqlite"
    file.write_text('ask = "poly x**{p}"\n[grid]\np = [2, 4]\n', encoding="utf-8")
    call(file)
    table = call("export", file)[1]
    whole = store.read_bytes()
    with sqlite3.connect(store) as database:
        database.execute("UPDATE meta SET value = 3")
        database.execute("PRAGMA user_version = 3")
    database.close()
    assert "was written by another version" in call("export", file)[2][0]
    random = Random(0)
    said = set()
    places = [*range(100), *(k for k, byte in enumerate(whole) if byte and k >= 100)]
    for place in [*random.sample(places, 150), *range(60, 64), whole.find(b"rlct-store")]:
        flipped = bytearray(whole)
        flipped[place] ^= 1 << random.randrange(8)
        store.write_bytes(flipped)
        code, out, err = call("export", file)
        # A row that nothing leads to is one that was not asked.
        assert code == 0 or (code, out, len(err)) == (2, "", 1), place
        assert set(out.splitlines()) <= set(table.splitlines()), place
        assert "version" not in "".join(err), place
        said.update(err)
    assert f"rlct: error: {store} is damaged: choose a new file" in said


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["gone.toml"], "cannot read gone.toml: No such file or directory"),
        (["status"], "which sweep? rlct sweep status FILE.toml"),
        (
            ["statsu", "cusps.toml"],
            "'statsu cusps.toml' is one word too many: did you mean 'status'?",
        ),
        (["cusps.toml", "b"], "is one word too many: rlct sweep [status|export] FILE.toml"),
        (["cusps.toml", "--jobs", "0"], "'0' is neither 'all' nor from 1 to 1024"),
        (["cusps.toml", "--out", "x.csv"], "--out belongs to 'rlct sweep export'"),
        (["export", "cusps.toml", "--out", "x.xls"], "'x.xls' does not end in .csv or .parquet"),
        (["export", "cusps.toml"], "there is no cusps.sqlite: run"),
        (["cusps.toml", "--store", "cusps.toml"], "cannot use cusps.toml as a store of answers"),
        (["cusps.toml", "--store", "other.sqlite"], "other.sqlite is a database of something else"),
        (["cusps.toml", "--store", "no/s.sqlite"], "cannot use no/s.sqlite as a store"),
        (["wrong.toml"], "wrong.toml: 'poly x**': "),
        (["cusps.toml", "--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler at"),
    ],
)
def test_bad_input(arguments, expected, call, tmp_path, monkeypatch):
    if "--scheduler" in arguments:
        pytest.importorskip("distributed")
        monkeypatch.setattr("rlct.sweep.pools.ANSWER_PATIENCE", 1)
    monkeypatch.chdir(tmp_path)
    Path("cusps.toml").write_text(CUSPS, encoding="utf-8")
    Path("wrong.toml").write_text("ask = 'poly x**'", encoding="utf-8")
    other = sqlite3.connect("other.sqlite")
    other.execute("CREATE TABLE t (x)")
    other.close()
    code, out, err = call(*arguments)
    assert (code, out, len(err)) == (2, "", 1)
    assert expected in err[0]
    assert not Path("x.csv").exists()


@pytest.fixture
def server():
    """A server that is no scheduler: it says something, or nothing at all."""
    opened, taken = [], []

    def serve(greeting):
        listening = socket.create_server(("127.0.0.1", 0))
        opened.append(listening)

        def answer():
            with suppress(OSError):
                while True:
                    taken.append(listening.accept()[0])
                    taken[-1].sendall(greeting)

        threading.Thread(target=answer, daemon=True).start()
        return f"tcp://127.0.0.1:{listening.getsockname()[1]}"

    yield serve
    for one in [*opened, *taken]:
        one.close()


@pytest.mark.parametrize(
    "greeting", [b"", b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", b"HTTP/1.1 400 Bad"]
)
def test_a_server_that_is_no_scheduler(greeting, server, call, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("rlct.sweep.pools.ANSWER_PATIENCE", 2)
    monkeypatch.setattr("rlct.sweep.pools._SILENT_SECONDS", 0.5)
    file = tmp_path / "cusps.toml"
    file.write_text(CUSPS, encoding="utf-8")
    place = server(greeting)
    began = time.monotonic()
    code, out, err = call(file, "--scheduler", place)
    assert time.monotonic() - began < 20
    assert (code, out) == (2, "")
    assert err[-1].startswith(f"rlct: error: no Dask scheduler at '{place}': ")
    waited = [f"rlct: waiting for the Dask scheduler at {place}"]
    assert err[:-1] == waited or (greeting and err[:-1] == [])


def test_a_cluster_without_workers_is_not_waited_for_in_silence(call, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("rlct.sweep.pools.WORKER_PATIENCE", 1)
    monkeypatch.setattr("rlct.sweep.running._ROUND_SECONDS", 0.3)
    file = tmp_path / "cusps.toml"
    file.write_text(CUSPS, encoding="utf-8")
    options = {"n_workers": 0, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options, local_directory=str(tmp_path)) as cluster:
        address = cluster.scheduler_address
        code, out, err = call(file, "--scheduler", address)
    assert (code, out, len(err)) == (2, "", 2)
    assert err[0].startswith(
        f"rlct: no worker is at {address}: waiting 1 s; 'dask worker {address}'"
    )
    saved = "finished answers are saved; run the same command again to resume"
    assert err[1] == f"rlct: error: no worker came to {address} in 1 s; {saved}"


def test_the_file_that_help_shows(call, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["sweep", "--help"])
    shown = capsys.readouterr().out
    text = shown[shown.index("  ask = ") : shown.index("Anything with")]
    file = tmp_path / "shown.toml"
    file.write_text(text, encoding="utf-8")
    code, out, _ = call(file)
    assert (code, out.splitlines()[0]) == (0, "36 questions: 34 exact, 2 refused")


@pytest.mark.slow
def test_one_sweep_at_a_time(tmp_path):
    file = tmp_path / "slow.toml"
    file.write_text(SLOW, encoding="utf-8")
    command = [sys.executable, "-m", "rlct", "sweep", str(file)]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    store = tmp_path / "slow.sqlite"
    wait_for(lambda: answered(store) >= 1)
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 2
    assert second.stderr == f"rlct: error: another sweep is writing to {store}: let it finish\n"
    first.send_signal(signal.SIGINT)
    out, err = first.communicate(timeout=60)
    kept = answered(store)
    assert first.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == (
        f"rlct: interrupted; {kept} of 100 answers are in {store}; run the same command again to "
        "resume"
    )
    assert 1 <= kept < 100
    with Store(store) as opened:
        assert set(statuses(opened, SLOW)) == {"agrees"}


@pytest.mark.slow
def test_ctrl_c_with_several_processes(tmp_path):
    file = tmp_path / "slow.toml"
    file.write_text(SLOW, encoding="utf-8")
    command = [sys.executable, "-m", "rlct", "sweep", str(file), "--jobs", "2"]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    run = subprocess.Popen(command, start_new_session=True, **options)
    wait_for(lambda: answered(tmp_path / "slow.sqlite") >= 1)
    os.killpg(run.pid, signal.SIGINT)  # a terminal sends it to all of them
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert err.splitlines()[-1].endswith("run the same command again to resume")
    wait_for(lambda: not left(run.pid))


def left(group):
    """Whether a process of a group is still there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def answered(store):
    if not store.exists():
        return 0
    database = sqlite3.connect(store, timeout=10)
    try:
        return database.execute("SELECT count(*) FROM points").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        database.close()


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_killed_with_signal_9(tmp_path):
    # validation/sweep/kill.json has ten kills with two processes.
    path = ROOT / "validation" / "sweep" / "kill.py"
    spec = spec_from_file_location("kill", path)
    kill = module_from_spec(spec)
    spec.loader.exec_module(kill)
    found = kill.trial(tmp_path, kills=2, seed=1, jobs=2, last=10)
    assert (found["changed"], found["repeated"], found["survivors"]) == (0, 0, 0)
    assert max(found["unwritten"]) <= 2 * 4  # questions under way
    assert found["same_table"]
    assert (found["exit_code"], found["questions"]) == (0, 96)
    assert found["stored_after_each_kill"][-1] > 0


@pytest.mark.slow
def test_a_worker_of_a_cluster_is_killed_half_way(store, tmp_path):
    distributed = pytest.importorskip("distributed")
    from rlct.sweep.pools import DaskCluster as Pool

    text = CUSPS.replace("1..3", "1..12")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    place = {"local_directory": str(tmp_path), "silence_logs": 50}
    with distributed.LocalCluster(**options, **place) as cluster:
        seen, killed = [], []

        def kill(done, count):
            seen.append(done)
            if done == count // 2:
                worker = next(iter(cluster.workers.values()))
                killed.append(worker.process.pid)
                os.kill(killed[0], signal.SIGKILL)

        with Pool(cluster.scheduler_address) as pool:
            assert run_sweep(read_grid(text), store, Cluster(), pool, kill).answered == 24
    assert statuses(store, text) == ["exact"] * 24
    assert seen == list(range(1, 25))
    # Eight questions were under way, four of them there: others had to answer.
    answered_by = {int(row[-1]) for row in store.rows(1)}
    assert len(killed) == 1
    assert answered_by - set(killed)
