"""From the fits of a family of models to a size of it.

families, family_kinds, network_families  which models a family has, and λ of each at the truths
    that are smaller
cell_table  λ and θ of all sizes at all smaller truths, the user's among them
open_cells  what remains possible where a λ is only bounded
spare_parts  where noise alone may make a larger size look better
observations  tables as they come, and covariance matrices
fitters, fitting  log-likelihoods of all sizes, from data or from fitted objects
fit_readers  what fitted objects of other libraries tell
draw_criteria  WAIC, leave-one-out and WBIC of draws of every size
outcome  criteria and probabilities of each size, as a table and as JSON
size_choice  select: criteria and posterior probabilities of each size

It imports `rlct.answers`, `rlct.criteria` and what is below these.
"""
