"""Loading this module answers a question, so that a process forked from here has all in memory."""

from rlct.serve.answer import parts
from rlct.serve.question import read_address

#: On a busy machine, the end of a time limit would end the process that all answers come from.
_NO_HURRY = 86_400.0  # seconds

for _ in parts(read_address("kind=poly&K=x**2*y**4"), _NO_HURRY):
    pass
