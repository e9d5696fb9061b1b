"""Theorems on polynomials and ideals, and on minima of any loss.

Monomials and their like: normal_crossing, monomial_ideal (vertices by dual_polyhedron),
brieskorn_pham, sum_of_powers, semi_regular, multiaffine.  Forms: hyperplane_arrangement,
determinantal, polynomial_discriminant.  Parts: additive_rule, product_rule.  Losses: regular,
minimally_singular, landscape_line, landscape_plane, reparametrisation, coefficient_norm,
generic_truth.
"""
