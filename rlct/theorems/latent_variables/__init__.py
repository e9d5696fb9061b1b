"""Theorems on models with hidden variables.

Graphs: bayesian_network_bound with smaller_network, binary_tree_bound, naive_bayes,
gaussian_latent_forest, factor_analysis, rbm.  Classes: latent_class_bound,
latent_class_generic, latent_dirichlet.  Sequences: markov_chain, markov_mixture,
hidden_markov_bound, grammar_bound.
"""
