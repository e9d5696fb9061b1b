"""Witnesses for the kernel, made from certificates.  Nothing here has to be trusted.

export  from a certificate to a document: comparisons, coordinates, separate variables
polyhedra  Newton polyhedra: comparisons of weights, and points of charts
faces  identities that show where initial forms have zeros
reductions  programmes of terms, and steps from one ideal to another
terms  polynomials as JSON, quotients, linear equations

It imports `rlct.kernel`, which checks what these modules write, `rlct.newton` and `rlct.algebra`.
"""
