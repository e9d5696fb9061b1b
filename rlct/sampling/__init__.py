"""Simulation: λ and θ estimated from samples, with an error, where no proof is at hand.

Everything here draws at random; no answer of the exact routes depends on it.  Read in this order:

arrays  operations and random draws for samplers, on NumPy and on torch; batches of samples
checks  of numbers that are asked for by name
targets/  what is sampled: K or a loss, its gradient, its prior
modules/  torch modules with a loss and data as targets
markov_chains/  chains at one nβ or several: the posterior, settings, diagnostics
kernels/  what moves chains, a file each, which are discovered
estimate  the answer: an estimate with its errors and warnings
run_summary  what draws at one nβ say; verdict judges it
ladders/  many temperatures: λ and θ by a fit over a ladder of nβ
local/  one temperature: the local learning coefficient
networks/  the same of torch networks, with all that is kept of a run
comparison  theory against an estimate, beside a planted wrong value

It imports from errors, pair, system, algebra, questions, models and theorems, not from the rooms
after it: what asks for an estimate is in answers, and estimates draw their tables by report.
"""
