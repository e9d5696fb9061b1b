"""What several theorem files share, from the general to the particular.

arguments  kinds of arguments, and how values and texts become them
given  hypotheses that users vouch for, and what is left without them
evidence  bounds instead of a value, and how values are confirmed
working  the numbers on the way to a value
sizes  hypotheses on sizes, the question of a model, known instances
polynomial_question  monomials that K is comparable with
dual_polyhedron  vertices of the dual Newton polyhedron

The others serve one family each: linear_network, linear_question, deep_linear_arrays, two_layer,
mixture, quadratic, single_output, relu, smaller_relu, three_layer, row_products, general_truth,
smaller_network.
"""
