"""Rules that take a germ to simpler germs, or read its pair off coordinates.

modulus  from |K| to an ideal: squares, products, K² = g²
echelon  elimination among generators that are linear in common variables
positive  terms that cannot cancel: the monomials instead
split  sums in separate variables
factors  powers, and products in separate variables
eliminate  a generator as a coordinate, in one variable less
inner  generators that depend on a variable through one polynomial in it
arrangement  products of powers of linear forms and of definite forms
crossings  one generator that is a monomial in other coordinates
minors  all minors of one size of a matrix of variables
transverse  sums and products that other coordinates separate
flows  vector fields along which an ideal is constant, for transverse
unmix  combinations of generators that make sums visible, for transverse
hidden_coordinates  coordinates that show once the factor of a coefficient is one
discriminant  a lower bound by the discriminant with respect to one variable
linear  linear coordinates in which forms are sums
centre  matrices that commute with second derivatives, for linear
adapt  completing powers, again and again
smooth_form  Smooth lowest forms
"""
