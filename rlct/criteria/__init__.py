"""Learning-theory quantities: free energy, WBIC, WAIC, LOO, fluctuation, sBIC, learning curves.

statistic  a number from posterior draws, with the errors of the draws and of the data
inputs  arrays, temperatures and counts, checked
reading  log-likelihoods from files
draws  pointwise log-likelihoods of a posterior, read in blocks
cumulants  posterior cumulants of log p
waic  training loss plus functional variance
loo  leave-one-out cross-validation, plain or Pareto-smoothed
fit_comparison  several fits of the same data side by side
wbic  the free energy by the mean loss at β = 1/log n
fluctuation  functional variance and singular fluctuation
minibatch  the same from the mini-batches of chains
state  the equation of state: λ from generalisation and training together
free_energy  −log ∫ exp(−nL_n) φ, from a ladder of posteriors and by its expansion
evidence_equations  evidences of nested models that share their submodels' truths
sbic  the singular BIC of nested models
learning_curve  expected losses as functions of n
transition  the n at which another basin is preferred

It imports `rlct.errors`, `rlct.pair` and `rlct.system`, and from `rlct.sampling` the
diagnostics of chains.
"""
