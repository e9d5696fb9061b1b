"""Questions at points with irrational coordinates: germs over a real number field.

``theory/points.md`` says what holds over such a field, and why.  Read in this order:

over_field  the order of the rules over a field
straighten_point  an irrational coordinate replaced by its minimal polynomial
signed_squares  sums of squares with positive numbers of the field
vanishing  whether polynomials are 0 at a point, as far as enclosures show

`over_field` moves the point to 0, takes minimal polynomials as coordinates (`straighten_point`),
and calls the rules of `rlct.engine` that work over any field, blow-ups included; what turns out
to be rational goes back to `rlct.engine.strategy`.  `signed_squares` serves the strata of
`rlct.engine.resolution` too, and `vanishing` the boxes in the plane.
"""
