"""The checker's own arithmetic, with a cost stated before each operation.

arithmetic  polynomials as dictionaries
univariate  polynomials in one variable: common divisors and Sturm's theorem
field  real algebraic numbers
linear  rank, scalar products, feasible weights
isolate  elimination and isolated real roots in the plane
"""
