"""Zeros of initial forms on the torus, and points of toric blow-ups.

identities  faces of dimension two and more: identities between polynomials
points  points of a toric blow-up of the plane
faces  the list of compact faces, and what initial forms do on each
joint_forms  whether initial forms have independent differentials at common zeros
"""
