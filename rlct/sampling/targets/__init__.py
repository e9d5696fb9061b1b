"""What is sampled: a K or a loss with its gradient, its prior and its support.

target  what samplers need to know about a loss
polynomial  K as a polynomial; monomials, products and remainders compute it
linear  deep linear networks with exact draws: layer_law, exchange and depth serve them
regression  linear networks on data
network  networks with data; activations, passes and affine serve them
mixture  mixtures of Gaussians with data
relu  ReLU networks whose one input has a density
function  any function of weights, at a generic truth
batches  mini-batches
localized  a target pulled towards w₀

The others help samplers: lines and line_draws integrate and draw along lines, scalings finds
directions for moves, visibility finds terms that do not show at some nβ.
"""
