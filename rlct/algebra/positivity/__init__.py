"""Positivity."""
