"""Least pairs over a box.

box  the question, and rules for any number of variables
plane_box  two variables: the critical points of the zero set
cells  any number: small cells on which derivatives decide
everywhere  any number: all points of a box, and more
"""
