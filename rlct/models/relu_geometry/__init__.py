"""Where a ReLU network is linear, in its inputs and in its weights.

relu_regions  pieces of a box of inputs, cut by the boundaries of the units
relu_chambers  pieces of the weights on which a network on data is a polynomial
relu_pattern  ranks of a network whose numbers were given as floats
relu_minimum  what questions of a least λ over many parameters share
"""
