"""The zeros of an ideal in all of space: a tree of cells, and the germs at its leaves.

``theory/fibres.md`` states and proves the rules.  A cell holds the points where some variables
are 0 and some others are not; a rule leads to one or two cells that bound it.  Read in this order:

cells  a cell, and the family of its germs
torus  scalings and changes of sign that keep the ideal
subtract  shorter generators
contract  variables that a scaling takes to 0
normalise  variables that a scaling takes to ±1
slide  variables that a unipotent group takes to 0
rotate  variables that a rotation takes to 0
solve  variables that are roots of a polynomial
branch  a variable is 0 or not, and cells without zeros
cover  parts where some of several functions is not 0
change  generators as coordinates, and products completed to squares
unit_terms  a bound of a whole cell by independent exponents
fields  a bound of all zeros by vector fields
match  leaves that are alike
leaf_germ  the germ at the point of a leaf, by rules of germs
search  the order of the rules, points to be tried, and the proofs at the leaves

May import what `rlct.engine` may.
"""
