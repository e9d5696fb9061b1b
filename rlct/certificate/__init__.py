"""The independent checker: whether a certificate proves its claim.

True says that the claim holds for the polynomials, or the network, in the question.  A refusal
does not say that the claim is false: a step is missing or wrong, or too large to be checked.
That the polynomials are those of a model is the business of the model's theory page.

A document is replayed so: its entries (`entries`) → the question at the origin (`question`) →
rules, each of which derives the statements of its children (`rules`) → the bounds of each step,
compared with the recorded ones, and the claim (`verify`) → all of it within a budget (`cost`).
Every rule opens with what it bounds and under which condition, and names the page in theory/
that proves it; ``theory/certificates.md`` describes the document.

The room imports errors, pair and the standard library.  It shares no code with what finds
answers, so that no mistake of one is a mistake of both.  Its modules, in reading order:

verify  from the document to True or a refusal that names its step
cost  the budget: what every primitive states before it computes
entries  objects that remember which of their entries were read
question  the question, moved to the origin and free of constraints
walls  linear inequalities of a question, and coordinates in which these are at 0
statement  what a proof is about: generators, a prior, an ideal or |g|; sums and products
family  germs over a stratum of an exceptional divisor: what blow-ups lead to
rules  what a rule is, how those of the folders are found, and what they take as known
germs/  rules for germs at a point
families/  rules for families of germs
boxes/  least pairs over a box
fibre/  all zeros at once: a tree of cells, its rules and its leaves
ranks/  models at a generic parameter, and linear networks: rank patterns of partial products
torus/  zeros of initial forms, and points of toric blow-ups
numbers/  polynomials, real algebraic numbers, linear algebra
poles  a table of candidate poles beside the proof
sign  whether a proof shows K ≥ 0 too
"""
