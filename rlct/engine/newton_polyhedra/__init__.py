"""Germs of three variables and more whose pair, or bounds, their terms show.

newton  one polyhedron, all of whose compact faces are decided
factor_polyhedra  one polyhedron for each factor of one generator
newton_over_field  the same with coefficients in a number field
polyhedra  one polyhedron for each generator, in several coordinates
independent  one programme where exponents differ by independent vectors
division  weights divided into cells on which initial forms are constant, for polyhedra
joint_bounds  the bound of one cell
joint_zeros  whether differentials of forms are independent at common zeros
"""
