"""Boxes: the least pair over the zeros of K in a box, exact or between bounds.

``theory/points.md`` states and proves the rules.  Read in this order:

box  the order of the rules, one variable or separate factors, bounds where no rule decides
separate_box  squares, sums and products in separate variables
positive_box  terms that cannot cancel: one point has the least pair
plane_box  two variables: the critical points of the zero set
exact_points  points of the plane in one number field
sparse_zeros  zeros with few coordinates that are not 0
box_points  zeros at simple places, each with the proof of its pair
cells  any number of variables: small cells on which derivatives decide
everywhere  all zeros at once, as one family of germs

`box` tries these rules, the cheapest first; parts in fewer variables come back to it.  The pair at
a point is that of `rlct.engine.strategy`.  `plane_box` finds candidates with `zeros.axis_roots`,
excludes them with `zeros.intervals`, and makes the others exact with `exact_points`.  `cells` and
`everywhere` get their bounds from above from `box_points`.
"""
