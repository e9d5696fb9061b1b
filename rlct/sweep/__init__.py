"""Sweeps: one question over a grid, its answers in a file that survives whatever happens.

grid  the question, its parameters and their values, read from TOML
running  the loop: what is not yet answered is asked, and written as soon as it is
pools  where questions are asked: this process, processes of this machine, or a Dask cluster
linear  linear networks of a whole grid at once, by the closed form
atlas  a grid of many families in one file, and the table of its answers
store  answers in an SQLite file, under a key of their question
export  the table of a sweep as CSV or Parquet

It imports any room but `rlct.serve` and `rlct.cli`; the command ``rlct sweep`` brings the asker.
"""
