"""Blow-ups: toric charts, poles of the zeta function, leading coefficients.

What `rlct.blow_up` shows of an answer.  It proves no λ; it redraws what a proof did.  Read in
this order:

toric  the toric blow-up of a Newton polyhedron, chart by chart
fan  the normal fan, cut into simplicial cones
regular  its subdivision into unimodular cones
check  charts checked by substitution, and that they cover everything
replay  the statement at every step of a proof, rebuilt by the rules of the checker
coordinates  names of coordinates below a step, and the substitution that makes them
tree  the tree of a proof as a graph, with charts where it ends in a polyhedron
poles  candidate poles as arithmetic progressions, and how they meet
face_residue  the residue along an edge of a Newton polygon, and its exact forms
residue_ball  enclosures of its integrals
pole  a candidate pole and what was decided of it
plane_poles  which candidates of a germ of two variables are poles
functional  the leading coefficient at a pole, by the derivatives of φ
decide  the same for a question, and for monomials
tree_poles  candidate poles read off the tree of a proof
pole_table  the candidate poles of an answer, each decided or open
leading  the leading coefficient of ζ at −λ, where a chart gives it
writing  polynomials, numbers and names of coordinates as text

It imports `rlct.system`, `rlct.algebra`, `rlct.newton`, `rlct.questions`, `rlct.certificate`,
`rlct.pair` and `rlct.errors`.
"""
