"""λ at one nβ, from chains that begin at w₀: the local learning coefficient.

llc  the estimate: llc_settings, local_run, llc_report
local_run  the chains, with what was seen around w₀ and losses of samples at some of the draws;
    fluctuation takes ν from sums of such
facts  what is known of a run besides its draws
spectrum  curvatures of the loss at w₀, and which directions chains have not entered
misled_chains  targets on which gradients mislead
calibration  settings tried on a network whose λ is known; finite_n gives its mean
limit_fit  λ from λ̂ at a few nβ
data_scatter  the scatter over data sets, where it is asked for
"""
