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
statement  what a proof is about: generators, a prior, an ideal or |g|; sums and products
rules  the table of all rules for statements
reductions  rules that lead to smaller statements: squares, sum, product, power, eliminate, …
leaves  rules that end a proof, and the linear programme with its dual
arrangement  products of linear forms and of definite forms
minors  all minors of one size of a matrix of variables
discriminant  a lower bound by the discriminant with respect to one variable
newton  one Newton polyhedron, with all its compact faces
faces  the list of compact faces, and what initial forms do on each
identities  faces of dimension two and more: identities between polynomials
points  points of a toric blow-up of the plane
polyhedra  a Newton polyhedron for each generator: cells of weights
joint_forms  whether initial forms have independent differentials at common zeros
transverse  sums and products that vector fields show
linear_change  an invertible linear substitution
family  germs over a stratum of an exceptional divisor: what blow-ups lead to
resolution  charts of blow-ups, changes of coordinates, the table of rules for families
uniform  rules for families without free parameters
initial  a lower bound by initial monomials
strata  where a polynomial in the parameters vanishes, and where not
algebraic  parameters that are algebraic functions of others
box  least pairs over a box, and the table of their rules
plane_box  two variables: the critical points of the zero set
cells  any number: small cells on which derivatives decide
everywhere  any number: all points of a box, and more
fibre  all zeros at once: a tree of cells, its rules and its leaves
isolate  elimination and isolated real roots in the plane
linear_network  linear networks: rank patterns of partial products
ranks  models at a generic parameter: quadratic networks, factor analysis, latent classes
sign  whether a proof shows K ≥ 0 too
cited  theorems that rules take as known
arithmetic  polynomials as dictionaries
univariate  polynomials in one variable: common divisors and Sturm's theorem
linear  rank, scalar products, feasible weights
field  real algebraic numbers
"""
