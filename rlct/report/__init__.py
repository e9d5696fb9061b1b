"""Answers, tables, estimates and blow-ups as text, pictures and HTML.

Everything here shows what another room has computed.  Read in this order:

text  results and comparisons with simulation, for a terminal
question  the question of a certificate in words
words  nouns beside a number
mathematics  formulas in sentences as text, Markdown, LaTeX and HTML
plain_formula  LaTeX of the theory pages as text
formulas  a formula as pieces
symbols  signs of formulas
width  long lines, broken at the width of the terminal
table  tables of architectures
tree  a blow-up, with its charts and poles
prediction  tempered means at finite n, as a table and as a figure
newton  a Newton polyhedron, described for people and for scripts
run  the chains at one nβ, as a table and as a figure
trajectory  λ̂ over checkpoints, as a table and as a figure
ladder_table  the levels of a ladder, and what the fit says
plots  the pictures that users draw, each into axes of theirs or into a new figure: what they
    take and when they refuse is told there
picture  the style of every picture, and how one becomes a file
landscape_plot  log K around the point, with its zeros
newton_plot  the polyhedron with the ray that decides λ
newton_face  corners of the faces that are drawn
tree_plot  the tree of a proof
lambda_plot  λ beside d/2 against width, depth or rank
phases_plot  free energies of competing models over n
selection  sizes of a family of models side by side
ladder_plot  the slopes of a ladder with the expansion that is fitted
page  a result as HTML
notebook  tables, trees and estimates as HTML
datatree  estimates as xarray DataTrees

It imports what is below it: no `rlct.explain`, `rlct.sweep`, `rlct.serve` or `rlct.cli`.
"""
