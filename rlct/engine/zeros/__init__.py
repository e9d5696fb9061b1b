"""Where polynomials vanish, by enclosures.

intervals  interval arithmetic in integers
axis_roots  real roots on an axis, with intervals that can be narrowed
vanishing  whether polynomials are 0 at a point, as far as enclosures show
"""
