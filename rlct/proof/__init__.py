"""Proofs as the engine writes them; the checker in `rlct.certificate` reads them by itself.

tree  a step of a proof: rule, bounds, evidence, proofs of the statements it reduces to
encode  polynomials, points and number fields as JSON: the alphabet of certificates

It imports `rlct.algebra` and `rlct.pair`.
"""
