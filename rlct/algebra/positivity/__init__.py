"""Whether a polynomial is K ≥ 0, and what shows it.

squares  K = Σ c·g² read off the text or the terms, by the cheapest of six ways
gram  squares of an expanded K whose Gram matrix its terms do not determine
definite  forms that are positive off the origin, by a positive definite Gram matrix
comparable  monomials that Σ g² is comparable with, by the signs of the terms
negative_curves  curves on which a polynomial is negative: it is no K

It imports `rlct.algebra` alone.
"""
