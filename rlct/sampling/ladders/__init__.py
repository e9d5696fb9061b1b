"""Ladders."""
