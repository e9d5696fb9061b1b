"""What several model files share.

expressions  sums, products and matrices as texts
positive  positive factors of a given rank, and the same product with more inner columns
layers  layers of a smaller network within those of a larger one
dichotomies  sets of points that a hyperplane through 0 cuts off
table_rank  rank of the derivative of a table, from some of its cells
tensor_dimension  Dimensions that hold all sums of a number of tensors of rank one
derivative_rank  Rank of the derivative of functions with exponentials and roots, modulo a prime
tempered_mean  what λ̂ of linear layers and monomials is in the mean, at one nβ
network_graph  graphs of Bayesian networks and tables of their truths, as they are typed

It imports `rlct.models` and what that may import; no model is defined here.
"""
