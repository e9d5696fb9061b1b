"""Coefficients of variational free energies, beside mean-field coordinate ascent.

ascent  free energies of simulated data
rates  the study: slopes in log n; writes results.json
"""
