"""ReLU networks.

relu  one hidden layer at given weights
relu_regions  pieces of a box of inputs, cut by the boundaries of the units
relu_chambers  pieces of the weights on which a network on data is a polynomial
relu_pattern  ranks of a network whose numbers were given as floats
relu_minimum  what questions of a least λ over many parameters share
relu_fibre  all parameters with the same function on a box
relu_data_fibre  all parameters with the same values on data
smaller_relu  networks whose true function is that of a smaller one
deep_relu, relu_convolution  such networks of any depth, and with convolutions
"""
