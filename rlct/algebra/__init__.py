"""Exact polynomials and numbers: what text means, how it factors, where it is positive.

From text, or a sympy expression, to a polynomial over Q or over a real number field.  Read in
this order:

expression  expressions as trees before anything is expanded, and the sizes that are refused
names  names of variables: which are refused, and which may stand for a product
parse  text and sympy expressions to such trees, by a whitelist
notation  what a text in the notation of paper or LaTeX may stand for
polynomial  trees to polynomials in sympy's sparse ring, at a bounded cost
factoring  irreducible and square-free factors, powers, common divisors
division  division that leaves nothing
modular_images  what images modulo primes show without factoring
exact_rank  rank, kernel and echelon form of rational matrices
flats  intersections of linear subspaces, and chains among them
number_field  real number fields Q(γ): elements as integers, exact signs
field_domain  Q(γ) as a domain of sympy
real_algebraic  real algebraic numbers of one field as coordinates of points
positivity/  sums of squares, monomials comparable with K, curves on which K is negative

It imports `rlct.errors`, sympy, numpy and scipy, and no other room.
"""
