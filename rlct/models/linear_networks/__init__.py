"""Networks of linear layers, and bottlenecks of concepts.

linear  any depth at the deepest parameter
linear_point  given weights: ranks of partial products, codimension of the fibre
linear_convolution  one channel: products of polynomials
normalised_layer  a layer before RMSNorm or LayerNorm
concept_bottleneck, partial_concept_bottleneck  outputs from concepts, all or some observed
"""
