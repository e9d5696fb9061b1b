"""Chains at one nβ or several: kernels, settings, and what their draws say.

kernel  what moves chains, and what observes their draws
posterior  the tempered posterior that they sample
chains  running a kernel: recording, interruption, resumption (checkpoint)
sgld  stochastic-gradient Langevin steps, without a Metropolis test: langevin_step, which the lean
    loop of torch networks shares
metropolis  what mala and hmc share
nuts  trajectories that stop where they turn back, by mici
gibbs  exact conditional draws
walkers  a few walkers a chain, by the moves of populations (moves)
kernel_choice  the kernel of a method, with settings from length, tuning and effort
settings  what may be asked
diagnostics  effective size, R-hat and warnings
"""
