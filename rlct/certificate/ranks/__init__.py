"""Models by ranks, computed anew: of derivatives, or of partial products.

generic_rank  quadratic networks: a rank that meets its bound
factor_analysis  factor analysis: ranks along a chain of parameters
latent_class  latent classes: a rank that meets its bound
linear_network  linear networks: rank patterns of the partial products
"""
