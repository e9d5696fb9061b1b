"""Whether the steps that the checker charges are the time that it takes.

Run as a program it prints, for each primitive of `rlct.certificate`, the steps that it states
and the CPU that passes until another one states its own, on the certificates of the corpus, the
large ones and those that are refused.  A step stands for 0.1 µs.
"""

import json
import sys
import time
from collections import Counter

import corpus
import hostile

import rlct
from rlct.certificate import cost
from rlct.certificate.verify import load_text, verify
from rlct.errors import CertificateError, TooLargeError

SECONDS_PER_STEP = 1e-7
#: Seconds below which a primitive says nothing.
LEAST = 0.05


def in_a_plane(size):
    """The options of a question over a square."""
    return {"over": {"x": (-size, size), "y": (-size, size)}}


#: Answers of the program with the longest checks; the engine takes up to 10 seconds for one.
LARGE = {
    "a curve of degree 9": (
        "(x**9+y**9-3*x**3*y**2+5*x*y-1/3*x**2-1/5*y**4+x**6*y**3)**2",
        in_a_plane(2),
    ),
    "a quartic and a cubic": ("((x**4+y**4-3*x**2*y-1/3)*(x**3-y**2+x/5-1/9))**2", in_a_plane(2)),
    "a quintic and a cubic": (
        "(x**5+y**5-3*x**2*y-1/3)**2*(x**3-y**2+x/5-1/9)**2",
        in_a_plane(1),
    ),
    "a form of degree 30": (
        "+".join(f"{(7 * i * i + 3 * i) % 11 + 1}*x**{i}*y**{30 - i}" for i in range(31)).join(
            ["(", ")**2"]
        ),
        {},
    ),
    "two powers of sums": ("((x+y)**34-(x-y)**45)**2", {}),
}


def large_certificate(name):
    """A certificate that the program writes."""
    K, options = LARGE[name]
    return rlct.poly(K, **options).certificate


def measure(text, steps, seconds):
    """Check a certificate; add steps and seconds of CPU by primitive."""
    charge, last = cost.charge, ["the document", time.process_time()]

    def count(number, what):
        now = time.process_time()
        seconds[last[0]] += now - last[1]
        caller = sys._getframe(1).f_code
        last[0] = f"{caller.co_filename.rsplit('/', 1)[-1][:-3]}.{caller.co_name}"
        charge(number, what)  # what is refused takes no time
        steps[last[0]] += number
        last[1] = time.process_time()

    cost.charge = count
    try:
        verify(load_text(text))
    except (CertificateError, TooLargeError):
        pass
    finally:
        cost.charge = charge


def main():
    """Print a table, and the spread of its last column."""
    steps, seconds = Counter(), Counter()
    documents = [corpus.certificate(name) for name in corpus.QUESTIONS]
    documents += [large_certificate(name) for name in LARGE]
    documents += [make() for make in hostile.DOCUMENTS.values()]
    for document in documents:
        measure(json.dumps(document), steps, seconds)
    print(f"{'primitive':40}{'steps':>13}{'seconds':>9}{'charged / taken':>17}")
    rates = []
    for name, taken in seconds.most_common():
        if taken >= LEAST and steps[name]:  # not the reading of JSON
            rates.append(steps[name] * SECONDS_PER_STEP / taken)
            print(f"{name:40}{steps[name]:13,}{taken:9.2f}{rates[-1]:17.2f}")
    total = sum(steps.values()) * SECONDS_PER_STEP / sum(seconds.values())
    print(f"all together {total:.2f}; from {min(rates):.2f} to {max(rates):.2f}")


if __name__ == "__main__":
    main()
