"""What several model files share.

expressions  sums, products and matrices as texts
positive  positive factors of a given rank, and the same product with more inner columns
layers  layers of a smaller network within those of a larger one
quadratic_pattern  ranks that rounded numbers seem to have
quadratic_reading  weights and datasets as Python values or JSON text
scaling  an upper bound by scaling all units of a cluster together
dichotomies  sets of points that a hyperplane through 0 cuts off
network_graph  graphs of Bayesian networks and tables of their truths, as they are typed
smaller_relu  ReLU networks whose true function is that of a smaller one

It imports `rlct.models` and what that may import; no model is defined here.
"""
