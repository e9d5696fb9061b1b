"""Simulation: targets, samplers, ladders, diagnostics, comparison with theory."""
