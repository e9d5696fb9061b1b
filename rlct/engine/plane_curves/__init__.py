"""Ideals in two variables over a real number field: always exact, within the limits.

plane_newton  the Newton polygon, and the germs at zeros on its edges
plane  ideals at infinitely near points: factors, crossings, bounds
curve  polynomials in two variables, blown up, moved and multiplied
"""
