"""What several commands share and no other part needs.

ranges  ranges of sizes, ``1..4``
widths  sizes by position, ``2 3 1``
"""
