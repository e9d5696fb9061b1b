"""Proofs as the engine writes them: the tree of steps and its JSON alphabet."""
