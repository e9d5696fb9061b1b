"""Theorems on finite mixtures.

Any components: mixture, contaminated_mixture.  One family each: gaussian_mixture,
gaussian_mixture_bound, location_scale_mixture, poisson_mixture, exponential_mixture,
binomial_mixture, multinomial_mixture, multinomial_generic.  Weights of any sign: signed_mixture.
"""
