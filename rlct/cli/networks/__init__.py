"""Commands of ``rlct net`` that are neither a model nor a form of their own.

open_networks  ``rlct net mlp``, ``cnn`` and ``transformer``: bounds, and how to estimate
polynomial_networks  ``rlct net glu`` and the like: networks with polynomial coefficients
torch_module  ``rlct net torch``: a torch module of polynomial operations
"""
