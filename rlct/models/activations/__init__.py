"""Networks with tanh, power and softmax activations, and networks of any by their size.

tanh, tanh_bias  three layers, without and with biases
power  three layers with activation t^m
softmax, softmax_attention, softmax_experts  softmax output, attention, gates
network_size  any network of which only the number of parameters is known
"""
