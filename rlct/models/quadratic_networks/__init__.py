"""Networks whose units are squares.

quadratic_features  what inputs see of a quadratic form: a density, a dataset, modular pairs
rank_bounds  numbers of weights, and upper bounds of the rank of the derivative
quadratic  a network at a parameter
generic  at a generic parameter
quadratic_reading  weights and datasets as Python values or JSON text
quadratic_pattern  ranks that rounded numbers seem to have
"""
