"""What is asked: a function K ≥ 0 or an ideal, at a point or over a box, with a prior.

From the arguments of `rlct.poly` and `rlct.ideal` to a question for the engine.  Read in
this order:

problem  the question at a point, and its germ at the origin
box_problem  the question over a box
reading  polynomials, points and priors as a user writes them
walls  linear inequalities, and coordinates in which these are walls at 0
portable  coefficients in a number field, and questions that pickle
points  exact coordinates: rationals, roots of polynomials, arithmetic with them
arguments  points and boxes as options of the command line

It imports `rlct.algebra`, `rlct.newton`, `rlct.system` and `rlct.errors`.
"""
