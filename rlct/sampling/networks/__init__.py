"""What runs on networks are asked for beside λ̂: what single samples and tokens say.

sample_losses  losses of samples at draws: influences, susceptibilities, ν and WAIC
chain_covariances  the covariances that these are made of, with their errors
full_susceptibility  that of some of the weights in another convention
"""
