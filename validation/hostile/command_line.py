"""Hostile input to the command line: no crash, no hang, no file touched, memory bounded.

Run ``python validation/hostile/command_line.py --seed 1 --count 10000 --report FILE``.  Every
case is drawn from its own seed, ``--case N`` repeats one.  The commands run in a process that
is watched (an audit hook notes files written, programs run and connections made), and every
two-hundredth again as a process of its own, as people start it.  A case fails for anything but an
answer or one line ``rlct: error: …`` with exit code 2, for more processor time than its limit,
and for a file that was touched.
"""

import contextlib
import faulthandler
import functools
import io
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "validation" / "fuzz")]

from strings import draw  # noqa: E402
from study import conduct, options_of  # noqa: E402
from watch import Guard  # noqa: E402

ASKED_SECONDS = 0.2  # --timeout of commands that have it
CASE_SECONDS = 15  # processor seconds of one case; reading and checking come on top of --timeout
CASE_MEMORY = 2048  # MiB a case may allocate
BATCH_SIZE = 1000  # cases of one process
PROGRESS_LINE = re.compile(r"\d+ [a-z ]+, \d+ s; Ctrl-C .*|simulation +\d+% .*")
PLAIN_SUM = "x**2*y**2 + z**4"


def words(text: str, rng: random.Random) -> tuple[list[str], str]:
    """Make a command with the text somewhere in it, and what its standard input holds."""
    t = ["--timeout", str(ASKED_SECONDS)]
    generators = [line for line in text.split("\n") if line][:50] or [""]
    row = rng.randrange(30)
    if row < 7:
        return ["poly", *t, *(["--json"] if row % 2 else []), "--", text], ""
    if row < 10:
        return ["ideal", *t, "--", *generators], ""
    given: list[tuple[list[str], str]] = [
        (["ideal", *t, "-"], text),
        (["poly", *t, "-"], text),
        (["poly", *t, PLAIN_SUM, f"--at={text}"], ""),
        (["poly", *t, PLAIN_SUM, f"--prior={text}"], ""),
        (["poly", *t, PLAIN_SUM, f"--nonneg={text}"], ""),
        (["poly", *t, PLAIN_SUM, f"--over={text}"], ""),
        (["blowup", *t, "--", *generators], ""),
        (["newton", *t, "--", *generators], ""),
        (["net", "linear", *t, "--rank", "1", "--", *text.split()[:200]], ""),
        (["net", "linear", *t, "5", "3", "5", f"--rank={text}"], ""),
        (["net", "quadratic", *t, "--weights", "-"], text),
        (["net", "relu", *t, "--weights", "-", f"--density={text}"], '{"hidden": [[1]]}'),
        (["net", "relu", *t, f"--example={text}"], ""),
        (["model", "mixture", *t, f"--components={text}", "--true", "1"], ""),
        (["model", "forest", *t, "--leaves", "3", f"--edges={text}"], ""),
        (["theorem", "show", "--", text], ""),
        (["theorem", "eval", "deep-linear", f"widths={text}", "rank=1"], ""),
        (["verify", *t, "--", text], ""),
        (["verify", *t, "-"], text),
        (["compare", "--", text], ""),
    ]
    return given[row - 10] if row < 29 else ([text], "")


def judge(code: Any, errors: str) -> str:
    """What is wrong with an exit code and standard error; empty if nothing is."""
    lines = [line for line in errors.splitlines() if not PROGRESS_LINE.fullmatch(line.strip())]
    if "Traceback" in errors:
        return "traceback"
    if code == 2:
        # A line of its own: what only a terminal takes for a line end counts as well.
        return "" if len(lines) == 1 and lines[0].startswith("rlct: error: ") else "not one line"
    if code == 1:
        return "" if len(lines) <= 1 else "not one line"
    return "" if code in (0, 3) and not lines else f"exit code {code} and {lines[:1]!r:.200}"


def one(seed: int, number: int, guard: Guard | None, out: Any, err: Any) -> dict[str, Any]:
    """Run a case in this process."""
    from rlct.cli.main import main

    kind, text, rng = draw(seed, number)
    arguments, typed = words(text, rng)
    for stream in (out, err):
        stream.seek(0)
        stream.truncate()
    kept = sys.stdin, sys.stdout, sys.stderr
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass") as stdin:
        stdin.write(typed)
        stdin.seek(0)
        sys.stdin, sys.stdout, sys.stderr = stdin, out, err
        began = time.process_time()
        failure, code = "", None
        if guard is not None:
            guard.awake = True
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code
        except BaseException as error:  # whatever it is, it is what this looks for
            frame = traceback.extract_tb(error.__traceback__)[-1]
            failure = f"{type(error).__name__}: {error} ({frame.filename}:{frame.lineno})"[:400]
        finally:
            if guard is not None:
                guard.awake = False
            sys.stdin, sys.stdout, sys.stderr = kept
    seconds = time.process_time() - began
    err.flush()
    err.seek(0)
    failure = failure or judge(code, err.read())
    if guard is not None and (touched := guard.take()):
        failure = failure or "; ".join(touched)
    return {
        "case": number,
        "kind": kind,
        "command": " ".join(arguments[:2])[:30] if len(arguments) > 1 else "",
        "code": code,
        "seconds": round(seconds, 3),
        "failure": failure,
    }


def child(seed: int, numbers: range, pipe: int, guard: bool) -> None:
    """Run cases, telling each as it begins and as it ends."""
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/statm", encoding="ascii") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + CASE_MEMORY * 2**20,) * 2)
    watching = Guard() if guard else None
    streams = [
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        for _ in range(3)
    ]
    faulthandler.enable(streams[2])
    with contextlib.suppress(AttributeError):
        faulthandler.register(signal.SIGPROF, streams[2], chain=True)

    def tell(row: dict[str, Any]) -> None:
        os.write(pipe, (json.dumps(row) + "\n").encode())

    for number in numbers:
        tell({"case": number})
        signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
        row = one(seed, number, watching, *streams[:2])
        signal.setitimer(signal.ITIMER_PROF, 0)
        row["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        tell(row)


def warm() -> None:
    """Load what commands need and build the parser once, before the forks."""
    from rlct.cli import commands
    from rlct.cli import main as entry

    commands.build_parser = functools.cache(commands.build_parser)
    with contextlib.redirect_stdout(io.StringIO()):
        for asked in ("poly x**2*y**2", "net linear 5 3 5 --rank 1", "newton x*y", "blowup x*y"):
            entry.main(asked.split())


def run(seed: int, numbers: range, *, guard: bool = True) -> Iterator[dict[str, Any]]:
    """Run cases in processes that are replaced when they die; yield a row for each."""
    start = numbers.start
    while start < numbers.stop:
        batch = range(start, min(start + BATCH_SIZE, numbers.stop))
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            try:
                child(seed, batch, writer, guard)
            except BaseException:
                traceback.print_exc()
                os._exit(70)
            os._exit(0)
        os.close(writer)
        begun: int | None = None
        with os.fdopen(reader, encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if "kind" in row:
                    begun = None
                    start = row["case"] + 1
                    yield row
                else:
                    begun = row["case"]
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if begun is not None:
            kind, text, rng = draw(seed, begun)
            name = signal.Signals(-status).name if status < 0 else f"code {status}"
            died = "hangs" if name == "SIGPROF" else f"died: {name}"
            command = " ".join(words(text, rng)[0][:2])[:30]
            yield {"case": begun, "kind": kind, "command": command, "failure": died}
            start = begun + 1
        elif status:
            raise RuntimeError(f"a batch ended with {status}")


def as_process(seed: int, number: int, folder: str) -> str:
    """Run a case as a process of its own; what is wrong with it."""
    _, text, rng = draw(seed, number)
    arguments, typed = words(text, rng)
    try:
        encoded = [os.fsencode(a) for a in arguments]
    except UnicodeEncodeError:
        return ""  # no shell could pass it on
    if any(b"\0" in a for a in encoded) or sum(map(len, encoded)) > 100_000:
        return ""
    try:
        done = subprocess.run(
            [os.fsencode(sys.executable), b"-m", b"rlct", *encoded],
            input=typed.encode("utf-8", "surrogatepass"),
            capture_output=True,
            timeout=10 * CASE_SECONDS,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired:
        return "hangs"
    return judge(done.returncode, done.stderr.decode("utf-8", "replace"))


def cases(seed: int, numbers: range, every: int) -> Iterator[dict[str, Any]]:
    """All cases in processes that are watched, some of them again as processes of their own."""
    folder = os.getcwd()
    warm()
    for row in run(seed, numbers):
        row["alone"] = row["case"] % every == 0 and not row["failure"]
        if row["alone"]:
            row["failure"] = as_process(seed, row["case"], folder)
        yield row


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Entries of the report about exit codes and processes."""
    return {
        "as processes": sum(row["alone"] for row in rows),
        "exit codes": dict(sorted(Counter(str(row.get("code")) for row in rows).items())),
        "limits": {
            "processor seconds": CASE_SECONDS,
            "MiB": CASE_MEMORY,
            "--timeout": ASKED_SECONDS,
        },
        "largest_MiB": max(row.get("memory", 0) for row in rows),
    }


def main() -> None:
    """Run the study."""
    parser = options_of(__doc__)
    parser.add_argument("--every", type=int, default=200, help="which are run as a process too")
    options = parser.parse_args()
    if options.case is not None:
        kind, text, rng = draw(options.seed, options.case)
        arguments, typed = words(text, rng)
        print(kind, ascii(arguments)[:2000], ascii(typed)[:500])
        from rlct.cli.main import main as rlct

        sys.exit(rlct(arguments))
    seed, every = options.seed, options.every
    sys.exit(conduct(lambda numbers: cases(seed, numbers, every), options, summary))


if __name__ == "__main__":
    main()
