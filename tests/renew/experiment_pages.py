"""Verdicts, pages and table of the experiments, from their committed results."""

from pathlib import Path

from validation.framework import catalogue, record

ROOT = Path(__file__).parents[2] / "validation"


def renew():
    for entry in catalogue.all_entries(ROOT).values():
        if (results := record.read(entry)) is not None:
            record.keep(entry, results)
    record.renew(ROOT)
