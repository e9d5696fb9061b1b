"""λ at one nβ, from chains that begin at w₀: the local learning coefficient.

llc  the estimate: llc_settings, preparation, chains, llc_report
observables  running moments of the draws; fluctuation takes ν from them
facts  what is known of a run; run_facts collects it
spectrum  curvatures of the loss at w₀, which filling compares with distances
run_warnings  sentences on a run; target_warnings are on a target
calibration  settings tried on a network whose λ is known; finite_n gives its mean
data_error  the scatter over data sets; retraining takes new weights, too
temperature_regression  λ by regressions over several nβ
"""
