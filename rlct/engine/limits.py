"""Cost limits of the engine: where a rule stops looking, so that a question stays quick.

No limit decides whether an answer is right; a lower one leaves more questions with bounds.
Each has its unit and where it comes from.  "By hand" means: set by hand, no measurement kept.
"""

# Order of rules.
MOST_COORDINATE_CHANGES = 3  # changes of coordinates on one way down; by hand
MOST_SUBIDEALS = 8  # generators, each bounded alone; by hand
MOST_GERM_BITS = 4_000  # bits of a coefficient; by hand
HIGHEST_GERM_DEGREE = 2_000  # degree of a generator; by hand
DEEPEST_PROOF = 180  # steps after each other; the checker follows 200

# Newton polyhedra.
MOST_WEIGHT_TRIES = 160  # weights for one bound; by hand
LARGEST_WEIGHT = 60  # a weight, a whole number; by hand
MOST_INITIAL_TERMS = 2_000  # terms of all generators; by hand
MOST_INITIAL_VARIABLES = 24  # variables; by hand
MOST_INITIAL_PASSES = 6  # rounds of new weights; by hand
JOINT_TILTS = 16  # tilted costs that are tried for one cell; by hand
MOST_DIVISION_CELLS = 6_000  # cells of one search; by hand
MOST_DIVISION_TERMS = 60  # terms of all generators; by hand
MOST_DIVISION_GENERATORS = 7  # generators, whose subsets are looked at; by hand
MOST_CELL_WEIGHTS = 12  # weights of one cell that are compared; by hand
MOST_FACES_OVER_FIELD = 500  # faces; by hand
MOST_NEWTON_TERMS_OVER_FIELD = 200  # terms of all generators; by hand
MOST_POLYHEDRA_VARIABLES = 7  # variables; by hand
MOST_POLYHEDRA_CHANGES = 6  # changes of coordinates, counted as three steps each; by hand
MOST_POLYHEDRA_CELLS = 9_000  # cells of all searches for one germ; by hand
MOST_POLYHEDRA_TRIALS = 6  # changes of coordinates that are compared; by hand
MOST_OPEN_CELLS = 40  # cells that are looked at for factors; by hand
MOST_POLYHEDRA_TERMS = 60  # terms of all generators after a change; by hand
MOST_FACES = 2_000  # faces; by hand
MOST_FORM_MONOMIALS = 220  # monomials of a degree; the checker affords no more
MOST_NEWTON_TERMS = 400  # terms of all generators, for the list of faces; by hand
MOST_TIES = 200  # choices of two tied terms of each form; by hand
MOST_FREE_TERMS = 2  # terms that the critical equations leave free; the checker looks at no more
HIGHEST_RELATION = 200  # sum of exponents of a relation between monomials; as for the checker

# Two variables.
LARGEST_PLANE_FIELD = 24  # degree of a number field over Q; by hand
HIGHEST_CHART_DEGREE = 2_000  # degree in t of a generator in a chart; by hand
MOST_EXPANDED_TERMS = 100_000  # terms of an expanded generator, by its degrees; by hand
MOST_PLANE_BITS = 20_000  # bits of a coefficient; by hand
DEEPEST_PLANE_PROOF = 150  # steps after each other; the checker follows 200

# Reductions.
MOST_SIMPLIFIED_GENERATORS = 60  # generators; by hand
MOST_SIMPLIFY_PASSES = 20  # rounds over all generators; by hand
MOST_MONOMIALS_TERMS = 80  # terms of a generator; by hand
MOST_COORDINATES = 8  # generators that serve as coordinates; by hand
MOST_CROSSINGS_TERMS = 400  # terms; by hand
FEW_CROSSINGS_TERMS = 80  # terms, up to which factoring costs little; by hand
MOST_ARRANGEMENT_TERMS = 10_000  # terms of a product of linear forms; by hand
MOST_FLATS = 1_000  # intersections of hyperplanes, about a millisecond each; by hand
MOST_MINOR_TERMS = 10_000  # terms of all minors of a matrix; by hand
MOST_POSITIVE_EXPONENTS = 20_000  # exponents of all terms together; by hand
MOST_FLOW_UNKNOWNS = 240  # unknown coefficients of a vector field; by hand
MOST_FLOW_TERMS = 600  # terms of all generators; by hand
HIGHEST_FLOW_DEGREE = 3  # degree of a vector field; by hand
EXTRA_FLOW_EQUATIONS = 8  # equations beyond the number of unknowns; by hand
MOST_ECHELON_GENERATORS = 20  # generators; by hand
MOST_ECHELON_TERMS = 2_000  # terms of all generators; by hand
LEAST_ECHELON_PIVOTS = 2  # pivots; a single one is only another way to write the same
MOST_TRANSVERSE_TERMS = 1_200  # terms of a generator that is factored; by hand
FEW_TRANSVERSE_TERMS = 250  # terms of a polynomial that is factored completely; by hand
MOST_TRANSVERSE_PARTS = 8  # factors of a product; by hand
MANY_TRANSVERSE_TERMS = 80  # terms of a generator that takes long to simplify; by hand
MOST_MODULUS_TERMS = 200  # terms, above which factoring is not worth its cost; by hand
MOST_ELIMINATE_TERMS = 2_000  # terms of the result; by hand
MOST_FACTORS_TERMS = 200  # terms; by hand
FEW_FACTORS_TERMS = 80  # terms, up to which factoring costs little; by hand
MOST_CENTRE_ELEMENTS = 24  # elements of a basis; by hand
EXTRA_CENTRE_EQUATIONS = 6  # equations beyond the number of unknowns; by hand
MOST_ADAPT_CHANGES = 12  # changes of coordinates after each other; by hand
MOST_ADAPT_CANDIDATES = 12  # changes that are compared at a time; by hand
MOST_ADAPT_HEADS = 12  # terms of the lowest forms of a generator; by hand
MOST_ADAPT_TERMS = 400  # terms of a generator whose powers are completed; by hand
ADAPT_GROWTH = 60  # terms more than three times as many as before, which end the search; by hand
MOST_SHIFT_TERMS = 12  # terms of a shift; by hand
MOST_ADAPT_BITS = 120  # bits of a coefficient after a change; by hand
MOST_LINEAR_TERMS = 900  # terms of all generators; by hand
MOST_FORM_TERMS = 120  # terms of an initial form that is factored; by hand
MOST_LINEAR_VARIABLES = 7  # variables; by hand
LARGEST_MATRIX_ENTRY = 10**30  # numerator or denominator of an entry of a matrix; by hand
MOST_UNMIX_GENERATORS = 4  # generators; by hand
MOST_UNMIX_VARIABLES = 6  # variables; by hand
LARGEST_MULTIPLIER = 1_000  # numerator or denominator of a multiplier; by hand

# Blow-ups and families.
MOST_SYMMETRY_TERMS = 400  # terms of all generators; by hand
MOST_SYMMETRY_TRIES = 60  # choices in one search; by hand
HIGHEST_ADJOINED_DEGREE = 8  # degree of a relation; by hand
MOST_ADJOINED_TERMS = 400  # terms of the generators after the substitution; by hand
DEEPEST_RESOLUTION = 28  # a blow-up counts four, a change of coordinates one; by hand
BLOW_UP_DEPTH = 4  # depth of one blow-up, in changes of coordinates; by hand
MOST_FAMILIES = 4_000  # families of one resolution; by hand
FIELD_WORK = 20  # times the work of a family over Q, at least; by hand
MOST_NORM_TERMS = 4_000  # terms of a norm; by hand
MOST_WITNESS_POINTS = 3_000  # points; by hand
MOST_WITNESS_LINES = 40  # lines; by hand
MOST_COMPOSE_TERMS = 60  # terms of a generator that is looked at; by hand
MOST_COMPOSE_CANDIDATES = 24  # candidates; by hand
MOST_COORDINATE_TERMS = 200  # terms of a generator that is looked at; by hand
MOST_COORDINATE_CANDIDATES = 24  # candidates; by hand
MOST_DISCRIMINANTS = 1  # discriminants, those with fewest terms; by hand
MOST_DISCRIMINANT_TERMS = 300  # terms; by hand
DISCRIMINANT_SECONDS = 8.0  # seconds for the bound of one discriminant; by hand
MOST_SHARED_SUMS = 3  # candidates; by hand
MOST_CHANGED_TERMS = 2_000  # terms of all generators after the change; by hand
MOST_UNIFORM_TERMS = 80  # terms of a generator that is factored; by hand
MOST_UNIT_TERMS = 30  # terms of a generator that is factored only to find units; by hand
MOST_UNIFORM_PASSES = 12  # rounds; by hand
MOST_ALGEBRAIC_TERMS = 80  # terms of a generator whose factors are reduced one by one; by hand
MOST_STRATA_TERMS = 80  # terms of a generator that is factored; by hand
MOST_CENTRES = 4  # centres; by hand

# Points and coefficients in a number field.
LARGEST_FACTORED_FIELD = 6  # degree of the field, for factoring; by hand
HIGHEST_FACTORED_DEGREE = 24  # degree of a generator, for factoring; by hand
HIGHEST_FIELD_DEGREE = 200  # degree of a generator; by hand
MOST_FIELD_TERMS = 2_000  # terms; by hand
MOST_SIGNED_SQUARES_TERMS = 200  # terms; by hand
VANISHING_PRECISIONS = (53, 200)  # bits of a float and of a second look; by hand
HIGHEST_VANISHING_ORDER = 200  # order of a zero; by hand

# Boxes.
BOX_GRACE_SECONDS = 0.5  # seconds for bounds after the time limit; by hand
LARGEST_POINT_FIELD = 24  # degree of a number field; by hand
HIGHEST_PLANE_BOX_DEGREE = 24  # degree of all different factors, and of what they leave; by hand
HIGHEST_EXPANDED_DEGREE = 120  # degree of a generator; by hand
MOST_PLANE_BOX_FACTORS = 12  # factors; by hand
MOST_PLANE_BOX_CANDIDATES = 4_000  # points; by hand
MOST_COFACTOR_TRIES = 60  # linear combinations of cofactors; by hand
MOST_BOX_CELLS = 1_000  # cells; by hand
MOST_CORNER_CELLS = 64  # cells on which the proved zeros may be the worst; by hand
MOST_CELL_TARGETS = 3  # values of λ that are tried as a bound; by hand
MOST_CELL_TERMS = 200  # terms of the generators; by hand
MOST_CELL_TRIES = 200  # random lines that are searched for a zero of one factor; by hand
MOST_HALVINGS = 40  # halvings of the unit cell around a zero; by hand
MOST_HESSIAN_VARIABLES = 5  # variables of a Hessian matrix; by hand
INTERVAL_BITS = 80  # bits of an end of an interval; by hand
MOST_BOX_CANDIDATES = 20_000  # points; by hand
MOST_BOX_POINTS = 12  # zeros that are proved first; by hand
MOST_OTHER_POINTS = 100  # zeros in all, with those that are proved later; by hand
SPARSE_SECONDS = 6.0  # seconds for the proof at a zero with few coordinates; by hand
SPARSE_SHARE = 0.35  # of the time that is left, for one such proof; by hand
MOST_SPARSE_PROOFS = 8  # such zeros that are proved; by hand
MOST_SPARSE_PLACES = 800  # places that are looked at for a zero; by hand
POINT_PROOF_SECONDS = 1.0  # seconds for the proof at one point; by hand
MOST_SLICE_POINTS = 20  # zeros on all planes together; by hand
MOST_PROVED_POINTS = 3  # zeros on planes that are proved; by hand
MOST_POINTS_OF_A_SLICE = 2  # zeros on one plane; by hand
MOST_SLICES = 6  # pairs of variables, and planes for each pair; by hand
POINT_ROUNDING = 1e-9  # relative; floats only choose where K is evaluated exactly; by hand
LARGEST_FLOAT = 1e300  # absolute value, some way below the largest double of 1.8e308
MOST_SEPARATE_TERMS = 200  # terms; by hand
MOST_STORED_ROOTS = 10_000  # roots that are stored; by hand
MOST_EVERYWHERE_TERMS = 200  # terms of the generators; by hand
MOST_EVERYWHERE_TRIES = 6  # choices of walls; by hand
MOST_EVERYWHERE_FAMILIES = 300  # families that are looked at; by hand
MOST_WALL_FAMILIES = 40  # families that are looked at for each choice of walls; by hand
TREE_SHARE = 0.7  # of the time that is left, for one tree; by hand
LEAF_SECONDS = 100.0  # seconds for the proof at a leaf, if the user sets no limit; by hand
LEAF_POINT_SECONDS = 10.0  # seconds for the proof at a zero on a leaf; by hand
MOST_AXES = 4  # variables, each of which is 0 or not on a cell; by hand
MOST_FIBRE_TERMS = 1_000  # terms of the generators, if a scaling keeps them; by hand
MOST_FIBRE_CELLS = 2_000  # cells of one tree; by hand
MOST_FIELD_UNKNOWNS = 600  # unknown numbers of fields of one weight; by hand
MOST_SLIDE_ENTRIES = 200  # unknown entries of a nilpotent field; by hand
MOST_FIBRE_POINTS = 20_000  # values of parameters that are tried for a zero on a leaf; by hand
