"""Germs, and what every rule of the engine does with them; it imports no other folder of it.

rule  what a rule is, and what it says of its steps
step  what a reduction returns, and how bounds pass through it
bounds  bounds that need no search, and the better of two
generators  the ideal of other generators, fewer variables
simplify  shorter generators of the same ideal
monomials  several generators that are monomials in other coordinates
leaves  monomials, smooth ideals, and bounds by terms alone
initial  a lower bound by the least monomials for some weights
family  families of germs over a stratum, their units, and what is done with their polynomials
function_field  polynomials over Q(t)(α): identities, division, gcd, factors
uniform  rules for families without free parameters: sum, product, monomials, simpler generators
coordinate  a factor a·x_i + r as a coordinate
compose  a coordinate that is not linear in the variable that it replaces
wanted  which coefficient has to be decided before the search goes on
symmetry  permutations of variables that leave a family as it is
algebraic  units, factors and quotients where relations of algebraic functions hold
signed_squares  sums of squares with positive numbers of a real field
"""
