"""λ and θ from many levels: slopes of −log Z or −log V over a ladder, and a fit to them.

ladder  the slopes at the levels of a ladder, and what a fit says
tempering  a population cooled along nβ (levels)
splitting  volumes of K < t, level by level
gibbs_ladder  chains of exact draws at each nβ; rungs has chains of kernels
quadrature  exact means in up to three variables
joint_fit  the fit of λ and θ to noisy slopes; expansion fits exact ones, leading is its prior
priors  the tuned numbers of the fits, each with unit and provenance
run  chooses a sampler and reports (attempts, closer, ladder_report)
check  a claimed pair against simulation; theta_trial puts its θ beside planted ones
"""
