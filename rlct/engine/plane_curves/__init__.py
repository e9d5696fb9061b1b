"""Plane curves."""
