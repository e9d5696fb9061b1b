"""Chains at one nβ or several: kernels, settings, and what their draws say.

kernel  what moves chains, whose files are in rlct.sampling.kernels, and settings of a run;
    kernel_loop has the steps
metropolis  the base of kernels with a test: places, the test, steps that adapt
posterior  the tempered posterior that they sample
chains  a run: recording (traces), interruption, resumption (checkpoint)
langevin_step  a step of sgld, which the loop of torch networks shares
gibbs  exact conditional draws
moves  moves of populations, at all scales at once; cooling has a level of one
tuning  steps; spectrum has curvatures of the loss at w₀, and directions not entered
settings  what may be asked; run_options are its names and types
diagnostics  effective size, R-hat and warnings
"""
