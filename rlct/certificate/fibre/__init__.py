"""The checker on all zeros at once: a tree of cells; ``theory/fibres.md`` has the statements.

cell  variables that are 0, or not, and the generators there
group_rules  rules that move a cell by a linear group
cell_rules  other rules that lead from one cell to others
fields  vector fields that bound the rank at every zero
tree  bounds at all zeros, and the germs at the leaves
"""
