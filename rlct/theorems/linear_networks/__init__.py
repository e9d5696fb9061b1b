"""Theorems on networks of linear layers.

Of any depth: deep_linear, a first example of a theorem; rank_paths by another route; what both
share is in linear_network.  Of two layers: reduced_rank_regression, square_reduced_rank, multitask,
two_layer.  At given weights: linear_point, linear_point_bound.  Other shapes: linear_convolution,
linear_attention, normalised_layer, concept_bottleneck, partial_concept_bottleneck.
"""
