"""An experiment for the tests: each unit notes that it was begun, waits, and squares a number."""

import os
import signal
import time
from pathlib import Path

from validation.audit.row import close, exact
from validation.framework.claim import near
from validation.framework.experiment import AbsentError, Experiment, Finding

CLAIM = float(os.environ.get("TOY_CLAIM", "14"))
PRINTED = float(os.environ.get("TOY_PRINTED", "20"))


def units(settings):
    return [{"number": n} for n in range(1, settings["count"] + 1)]


def run(settings, unit, rng):
    if notes := os.environ.get("TOY_NOTES"):
        with Path(notes).open("a", encoding="utf-8") as file:
            file.write(f"{unit['number']} {os.getpid()}\n")
    time.sleep(settings["wait"])
    if unit["number"] == int(os.environ.get("TOY_KILLED", "0")):
        os.kill(os.getpid(), signal.SIGKILL)
    if unit["number"] == int(os.environ.get("TOY_FAILS", "0")):
        raise ValueError("this one fails")
    if unit["number"] == int(os.environ.get("TOY_ABSENT", "0")):
        raise AbsentError("no such file: fetch it")
    if unit["number"] == int(os.environ.get("TOY_NAN", "0")):
        return {"square": float("nan")}
    return {"square": unit["number"] ** 2, "draw": rng.random()}


def judge(settings, rows):
    total = sum(row["square"] for row in rows)
    yield Finding(
        "000-figure-1",
        f"the sum is {total} <not 15>",
        [
            near("sum of squares", total, PRINTED, 0.5, control=25),
            close("sum of squares by theory", total, CLAIM, 0.5),
            exact("units", len(rows), int(os.environ.get("TOY_COUNT", "3"))),
        ],
        why="toys count",
    )


def draw(settings, rows, figure):
    if os.environ.get("TOY_BLIND"):
        raise ZeroDivisionError("nothing to draw")
    figure.add_subplot().plot([row["square"] for row in rows])


EXPERIMENT = Experiment(
    id="toy",
    source="000",
    title="A toy & its <sum>",
    places=("000-figure-1", *filter(None, [os.environ.get("TOY_SILENT")])),
    quick={"count": int(os.environ.get("TOY_QUICK", "3")), "wait": 0.0},
    full={"count": 3, "wait": 0.6},
    units=units,
    run=run,
    judge=judge,
    draw=draw if "TOY_DRAWS" in os.environ else None,  # matplotlib is most of the time
    needs=tuple(filter(None, [os.environ.get("TOY_NEEDS")])),
    partial="TOY_COUNT" in os.environ,
)
