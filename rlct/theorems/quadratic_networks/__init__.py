"""Theorems on networks whose units are squares.

At given weights: quadratic_point, which answers most of the others; quadratic_injective,
quadratic_inactive, quadratic_spanning, quadratic_single, quadratic_single_spanning,
quadratic_fixed, quadratic_sphere.  Over all parameters: quadratic_generic,
quadratic_modular, quadratic_truth.
"""
