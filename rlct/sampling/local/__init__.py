"""λ at one nβ, from chains that begin at w₀: the local learning coefficient.

llc  the estimate: llc_settings, local_run, llc_report
local_run  the chains, with what was seen around w₀ and losses of samples at some of the draws
length  which method, how many chains and draws
sample_losses  losses of samples at draws: influences, susceptibilities, ν and WAIC, made of
    chain_covariances; fluctuation takes ν from sums of such
facts  what is known of a run besides its draws
spikes  planted weights of known mean, under the steps of a run
misled_chains  targets on which gradients mislead
calibration  settings tried on a network whose λ is known; finite_n gives its mean
limit_fit  λ from λ̂ at a few nβ
data_scatter  the scatter over data sets, where it is asked for
"""
