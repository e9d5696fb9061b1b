"""The pair of a polynomial or an ideal at a point, or over a box: exact, or bounds, with a proof.

A question goes to `strategy`.  It tries the rules in turn, cheap ones first; a rule gives a
proof, or a step to simpler germs, which are asked again.  What no rule ends is blown up, and
what no blow-up ends is enclosed by bounds.  A better rule makes more answers exact; whether a
proof holds is for `rlct.certificate` to say, which shares nothing with this room: here nothing
is checked by it, but ``rlct verify`` and the tests replay what is found.

In reading order:

strategy  which rule is tried when, and what remains when none ends
germs/  what a rule returns, bounds without search, and operations that all rules share
reductions/  simpler ideals: sums, products, powers, other coordinates
newton_polyhedra/  germs whose terms decide: monomials, faces, divisions of weights
plane_curves/  two variables: edges, and repeated blow-ups at their zeros
resolution/  three variables and more: blow-ups, and families with parameters
field/  points whose coordinates lie in a number field
fibre/  all zeros at once: a tree of cells
boxes/  the least pair at all points of a box
zeros/  where polynomials vanish, by enclosures
nonnegative  what a proof says about K ≥ 0
rules  all rules, and what their steps say of the sign of K and of sources
limits  where a rule stops, each number with its unit

May import errors, pair, system, algebra, proof, newton, questions and models; never certificate.
"""
