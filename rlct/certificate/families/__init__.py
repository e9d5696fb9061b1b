"""Rules for families of germs, which blow-ups lead to.

resolution  charts of blow-ups, changes of coordinates
uniform  rules for families without free parameters
initial  a lower bound by initial monomials
strata  where a polynomial in the parameters vanishes, and where not
algebraic  parameters that are algebraic functions of others
"""
