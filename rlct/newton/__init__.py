"""Newton polyhedra: linear programme, faces, non-degeneracy."""
