"""Loading this module answers a question, so that a process forked from here has all in memory."""

from __future__ import annotations

from rlct.serve.answer import parts
from rlct.serve.question import read_address

for _ in parts(read_address("kind=poly&K=x**2*y**4"), 5.0):
    pass
