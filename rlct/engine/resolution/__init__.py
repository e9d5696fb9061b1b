"""Resolution by blow-ups: bounds of a germ that no other rule finishes.

A chart of a weighted blow-up leads to a family of germs, with locals, free and fixed parameters;
its bounds are proved by rules that lead to smaller families.  ``theory/blowups.md`` states and
proves them.  Read in this order:

resolve  the search: which rule comes when, strata, blow-ups, what ends a branch
charts  charts of a weighted blow-up, and the weights worth trying
strata  where a polynomial in the parameters vanishes: as a graph, nowhere, smoothly
adjoin  a parameter as an algebraic function of the others
witness  evidence that a stratum has real points

`resolve` calls all others.  Families and what is done with them are in `rlct.engine.germs`: for a
family without free parameters it tries the rules of `uniform`, changes coordinates (`coordinate`,
`compose`), asks `wanted`, and blows up (`charts`, `symmetry`).  Free parameters become fixed, with
a point of `witness`; where `wanted` misses a unit g, the family is split into g ≠ 0 and g = 0
(`strata`, `adjoin`, with the relations of `algebraic`).
"""
