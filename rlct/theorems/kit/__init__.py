"""What theorems of several shelves share, from the general to the particular.

given  hypotheses that users vouch for, and what is left without them
sizes  hypotheses on sizes, the question of a model, known instances
priors  counterexamples whose prior vanishes at the truth
polynomial_question  polynomials posed as questions; monomials that K is comparable with
general_truth  models whose parameters of the truth all have the same rank
mixture  weights on the simplex
quadratic  quadratic networks: arguments, findings, counterexamples
deep_linear_arrays  Aoyagi's formula over arrays of architectures
single_output  quadratic networks with one output
"""
