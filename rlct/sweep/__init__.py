"""Sweeps: one question over a grid, its answers in a file that survives whatever happens."""
