"""Products of matrices and tensors: cp, tucker and nmf."""
