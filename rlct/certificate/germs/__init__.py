"""Rules for germs at a point.

reductions  rules that lead to smaller statements: squares, sum, product, power, eliminate, …
leaves  rules that end a proof, and the linear programme with its dual
arrangement  products of linear forms and of definite forms
minors  all minors of one size of a matrix of variables
discriminant  a lower bound by the discriminant with respect to one variable
newton  one Newton polyhedron, with all its compact faces
polyhedra  a Newton polyhedron for each generator: cells of weights
independent  generators whose exponents differ by independent vectors
transverse  sums and products that vector fields show
linear_change  an invertible linear substitution, and a polynomial in one variable
smooth_form  Smooth lowest forms
"""
