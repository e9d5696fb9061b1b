"""Newton polyhedra."""
