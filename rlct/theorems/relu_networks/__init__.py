"""Theorems on ReLU networks.

What they share: relu_units, smaller_relu.  At given weights: relu_bound, relu_data, relu_density,
relu_distinct, relu_zero, relu_scaling, superposition_polygon.  Over all parameters of a function:
relu_fibre, relu_data_fibre, deep_relu_bound, relu_convolution_bound.
"""
