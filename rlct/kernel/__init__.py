"""The kernel: a checker of witnesses that one reads in an hour, and whose rules are proved.

It does not search.  A witness holds whatever a computation would have to find: cofactors,
inverses, multipliers, trees of comparisons.  ``docs/kernel.md`` has a sentence for each rule,
``validation/kernel`` the proof in Coq, ``theory/kernel.md`` the facts of analysis that it uses.

verdict  from a document to "exact" or less: the question, its germ, the claim
rules  what each rule asks of a germ and its witness, and the ends that it gives
algebra  polynomials and matrices over Q, and how they are read

It imports the standard library alone, and nothing of rlct.
"""
