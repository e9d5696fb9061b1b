"""Models with hidden variables.

naive_bayes  a short model file, as an example of all others
bayesian_network, binary_tree, forest, factor_analysis, rbm  graphs
mixture, latent_class, lda  classes
markov, markov_mixture, hidden_markov, grammar  sequences
"""
