"""Loading this module answers a question, so that a process forked from here has all in memory."""

from __future__ import annotations

from rlct.serve.answer import parts
from rlct.serve.question import read

for _ in parts(read("kind=poly&K=x**2*y**4"), 5.0):
    pass
