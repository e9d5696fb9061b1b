"""Architectures, each turned into a Problem."""
