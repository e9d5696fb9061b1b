"""Witnesses for the kernel, made from certificates.  Nothing here has to be trusted.

export  from a certificate to a document: squares, separate variables, shears
polyhedra  Newton polyhedra: comparisons of weights, and identities at the leaves
faces  identities that show where initial forms have zeros
programme  programmes of terms
terms  polynomials as JSON, linear equations

It imports `rlct.kernel`, which checks what these modules write, `rlct.newton` and `rlct.algebra`.
"""
