"""Reductions and the strategy that orders them."""
