"""Theorems on networks that train their outer weights alone.

linearised  models that are linear in their parameters
linear_question  their question for the engine
frozen_features, random_features, modular_features, power_features  features that stay
"""
