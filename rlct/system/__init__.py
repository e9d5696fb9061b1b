"""What the program needs of the machine and of its callers, whatever is computed.

options  arguments of the Python interface, checked before any work
files  files that are written whole or not at all, and read up to a size
plain  values as JSON can hold them
progress  a progress bar on standard error
interrupts  when Ctrl-C takes effect
time_limit  a time limit that turns a long computation into bounds
bibliography  the works that are cited, and which version of each was read
workers  processes that end with this one

It imports `rlct.errors` and `rlct.pair` alone, so that every room may import it.
"""
