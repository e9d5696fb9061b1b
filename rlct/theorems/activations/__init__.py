"""Theorems on networks with tanh, power and softmax activations, and on networks of any.

tanh and its like: vandermonde, two_units, three_units, tanh_network, tanh_biases,
three_layer_bound; three_layer is what they share.  Powers: power_activation, plane_network.
Softmax: softmax_network, softmax_attention, softmax_experts.  Any: parameter_count_bound.
"""
