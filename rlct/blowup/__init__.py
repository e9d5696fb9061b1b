"""Blow-ups: toric charts, candidate poles, leading coefficients and the tree of a proof."""
