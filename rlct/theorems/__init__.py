"""Closed forms, one per file, with hypotheses that code checks."""
