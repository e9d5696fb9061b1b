"""λ̂ of torch networks at one nβ, by any kernel, from the weights of a module.

network_llc  the estimate: network_settings, preparation, network_run
settings_sweep  λ̂ over nβ and γ, its plateau, and λ as nβ grows
memory_plan  how many chains and samples share a call, by measured bytes
step_choice  the step that a run begins with, by curvatures at w*
start_point  curvature and descent at w*, on a few samples
chain_ranks  chains over several processes
langevin_loop  Langevin steps on mini-batches
trajectory  λ̂ over checkpoints; trajectory_run samples it, from checkpoint_states, into
    trajectory_file
observed_samples  other data whose losses are looked at, and a file of losses
full_susceptibility  susceptibility of some of the weights in another convention
"""
