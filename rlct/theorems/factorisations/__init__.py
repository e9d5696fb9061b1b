"""Theorems on factors of matrices and tensors.

Tensors: cp_zero, cp_independent, cp_bound, tucker_full_rank, tucker_bound.  Matrices: nmf_zero,
nmf_positive, nmf_bound, symmetric_factorisation.
"""
