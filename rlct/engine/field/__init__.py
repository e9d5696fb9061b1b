"""Questions at points with irrational coordinates: germs over a real number field.

``theory/points.md`` says what holds over such a field, and why.  Read in this order:

over_field  the order of the rules over a field
straighten_point  an irrational coordinate replaced by its minimal polynomial

`over_field` moves the point to 0, takes minimal polynomials as coordinates (`straighten_point`),
and calls the rules of `rlct.engine` that work over any field, blow-ups included; what turns out
to be rational goes back to `rlct.engine.strategy`.
"""
