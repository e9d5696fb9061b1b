"""Newton polyhedra: λ and θ of a monomial ideal, the faces, and where a face degenerates.

Everything is exact; floats only propose.  Read in this order:

exponents  exponent vectors and prior exponents: what is accepted, and which vectors matter
linear_program  λ and θ of a monomial ideal as a linear programme with a certificate
optimal_face  the optimal face of this programme from a vertex, and its proof
cone  dimension and an interior point of a polyhedral cone
cone_programme  linear programmes in a cone of weights, with multipliers that prove the value
simplex  the simplex method with integer dictionaries
warm_start  a float solution of a large programme turned into an exact one
padic  square integer systems by p-adic lifting
rational  products, rank and kernel of integer matrices
polyhedron  vertices and all compact faces of conv(A) + R^d_≥0
double_description  the facets
face_search  the compact faces, through the facets or without them
lattice  dimension of a face, and the lattice that it spans
polygon  the plane case: compact edges, and sums of polygons
nondegeneracy  zeros of the initial forms of a face in the real torus
cofactors  identities which prove that there is no zero in the complex torus
edges  real zeros of the initial forms of an edge
univariate  polynomials in one variable over a number field: gcd, orders, Sturm's theorem
real_roots  their real roots, each in a field of its own

It imports `rlct.algebra`, `rlct.proof`, `rlct.pair` and `rlct.errors`.
"""
