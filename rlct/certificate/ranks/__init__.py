"""Models at a generic parameter: ranks of derivatives, computed anew.

generic_rank  quadratic networks: a rank that meets its bound
factor_analysis  factor analysis: ranks along a chain of parameters
latent_class  latent classes: a rank that meets its bound
"""
