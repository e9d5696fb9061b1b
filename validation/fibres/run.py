"""λ over whole fibres: 26 cases with derivations by hand, and what the program says today.

    python validation/fibres/run.py [--only ID …] [--timeout SECONDS]

``cases.json`` holds for each case the command, λ, θ and the derivation; all were derived by hand
and with small programmes of their own, not with this one.  A row is the case, its pair, what is
answered, seconds of the whole command, and whether ``rlct verify`` accepts the certificate.  An
answer that contradicts a proved case ends the command with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

CASES = Path(__file__).with_name("cases.json")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], metavar="ID")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of a case")
    options = parser.parse_args()
    wrong = 0
    print("| case | λ, θ | answer | seconds | certificate |\n|---|---|---|---|---|")
    for case in json.loads(CASES.read_text("utf-8")):
        if not options.only or case["id"] in options.only:
            answer, seconds, verified = ask(case["command"], options.timeout)
            wrong += contradicts(case, answer)
            expected = f"{case['lambda']}, {case['theta'] or '?'}"
            print(f"| {case['id']} | {expected} | {shown(answer)} | {seconds:.1f} | {verified} |")
    return 1 if wrong else 0


def ask(command: str, timeout: float) -> tuple[dict[str, Any], float, str]:
    """The answer, its seconds, and what the checker says of its certificate."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        options = ["--json", "--timeout", str(timeout), "--certificate", str(path)]
        began = time.monotonic()
        done = rlct([*shlex.split(command), *options])
        seconds = time.monotonic() - began
        if not path.exists():
            # The answer rests on a theorem alone, or there is none.
            done = rlct([*shlex.split(command), *options[:3]])
            return json.loads(done.stdout), seconds, "none"
        checked = rlct(["verify", str(path)])
        first = (checked.stdout or checked.stderr).splitlines()[0]
        return json.loads(done.stdout), seconds, first


def rlct(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rlct", *arguments], capture_output=True, text=True, check=False
    )


def shown(answer: dict[str, Any]) -> str:
    """The pair, or bounds."""
    if answer["status"] == "exact":
        return f"{answer['lambda']}, {answer['theta']}"
    return f"{answer['lower']} ≤ λ ≤ {answer['upper']}"


def contradicts(case: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether an answer and a proved case cannot both be true."""
    lam = Fraction(case["lambda"])
    upper = answer["upper"]
    outside = lam < Fraction(answer["lower"]) or (upper is not None and lam > Fraction(upper))
    theta = answer["status"] == "exact" and case["theta"] not in (None, answer["theta"])
    return case["status"] == "proved" and (outside or theta)


if __name__ == "__main__":
    sys.exit(main())
