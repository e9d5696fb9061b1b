"""Networks of today at a generic truth: their coefficients as polynomials in the weights.

symmetries  linear vector fields along which no coefficient moves
generic_map  the question: the rank of the derivative between two proved bounds
architectures  a table of networks, each with its coefficients
rank_ends  bounds of their ranks at every weight
symmetric_factors  symmetric factors of a matrix of known rank
"""
