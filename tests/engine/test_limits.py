"""Each cost limit of the engine has the value that it had in the module that uses it."""

import ast
from pathlib import Path

import pytest

from rlct.engine import limits

ENGINE = Path(limits.__file__).parent
#: Module, name that the limit had there, name in `limits`, value.
MOVED = """
strategy _MOST_CHANGES MOST_COORDINATE_CHANGES 3
strategy _MOST_SUBIDEALS MOST_SUBIDEALS 8
strategy _MOST_BITS MOST_GERM_BITS 4000
strategy _HIGHEST_DEGREE HIGHEST_GERM_DEGREE 2000
strategy _DEEPEST DEEPEST_PROOF 180
germs.initial _TRIES MOST_WEIGHT_TRIES 160
germs.initial _LARGEST_WEIGHT LARGEST_WEIGHT 60
germs.initial _MOST_TERMS MOST_INITIAL_TERMS 2000
germs.initial _MOST_VARIABLES MOST_INITIAL_VARIABLES 24
germs.initial _MOST_PASSES MOST_INITIAL_PASSES 6
newton_polyhedra.joint_bounds _TILTS JOINT_TILTS 16
newton_polyhedra.division MOST_NODES MOST_DIVISION_CELLS 6000
newton_polyhedra.division _MOST_TERMS MOST_DIVISION_TERMS 60
newton_polyhedra.division _MOST_GENERATORS MOST_DIVISION_GENERATORS 7
newton_polyhedra.division _MOST_SAMPLES MOST_CELL_WEIGHTS 12
newton_polyhedra.newton_over_field _MOST_FACES MOST_FACES_OVER_FIELD 500
newton_polyhedra.newton_over_field _LARGEST MOST_NEWTON_TERMS_OVER_FIELD 200
newton_polyhedra.polyhedra _MOST_VARIABLES MOST_POLYHEDRA_VARIABLES 7
newton_polyhedra.polyhedra _MOST_CHANGES MOST_POLYHEDRA_CHANGES 6
newton_polyhedra.polyhedra _MOST_NODES MOST_POLYHEDRA_CELLS 9000
newton_polyhedra.polyhedra _MOST_TRIALS MOST_POLYHEDRA_TRIALS 6
newton_polyhedra.polyhedra _MOST_OPEN MOST_OPEN_CELLS 40
newton_polyhedra.polyhedra _LARGEST MOST_POLYHEDRA_TERMS 60
newton_polyhedra.newton _MOST_FACES MOST_FACES 2000
newton_polyhedra.newton _LARGEST MOST_NEWTON_TERMS 400
newton_polyhedra.joint_zeros _MOST_FREE MOST_FREE_TERMS 2
newton_polyhedra.independent - MOST_TIES 200
newton_polyhedra.joint_zeros _HIGHEST HIGHEST_RELATION 200
plane_curves.plane_newton _LARGEST_FIELD LARGEST_PLANE_FIELD 24
plane_curves.plane_newton _HIGHEST_DEGREE HIGHEST_CHART_DEGREE 2000
plane_curves.plane_newton _MOST_TERMS MOST_EXPANDED_TERMS 100000
plane_curves.plane_newton _MOST_BITS MOST_PLANE_BITS 20000
plane_curves.plane_newton _DEEPEST DEEPEST_PLANE_PROOF 150
germs.simplify _MOST_GENERATORS MOST_SIMPLIFIED_GENERATORS 60
germs.simplify _MOST_PASSES MOST_SIMPLIFY_PASSES 20
germs.monomials _LARGEST MOST_MONOMIALS_TERMS 80
germs.monomials _MOST_COORDINATES MOST_COORDINATES 8
reductions.crossings _LARGEST MOST_CROSSINGS_TERMS 400
reductions.crossings _SMALL FEW_CROSSINGS_TERMS 80
reductions.arrangement - MOST_ARRANGEMENT_TERMS 10000
reductions.arrangement - MOST_FLATS 1000
reductions.minors - MOST_MINOR_TERMS 10000
reductions.positive _LARGEST MOST_POSITIVE_EXPONENTS 20000
reductions.flows _MOST_UNKNOWNS MOST_FLOW_UNKNOWNS 240
reductions.flows _MOST_TERMS MOST_FLOW_TERMS 600
reductions.flows _HIGHEST HIGHEST_FLOW_DEGREE 3
reductions.flows _EXTRA EXTRA_FLOW_EQUATIONS 8
reductions.echelon _MOST_GENERATORS MOST_ECHELON_GENERATORS 20
reductions.echelon _LARGEST MOST_ECHELON_TERMS 2000
reductions.echelon _LEAST_PIVOTS LEAST_ECHELON_PIVOTS 2
reductions.transverse _LARGEST MOST_TRANSVERSE_TERMS 1200
reductions.transverse _SMALL FEW_TRANSVERSE_TERMS 250
reductions.transverse _MOST_PARTS MOST_TRANSVERSE_PARTS 8
reductions.transverse _LONG MANY_TRANSVERSE_TERMS 80
reductions.modulus _LARGEST MOST_MODULUS_TERMS 200
reductions.eliminate _LARGEST MOST_ELIMINATE_TERMS 2000
reductions.factors _LARGEST MOST_FACTORS_TERMS 200
reductions.factors _SMALL FEW_FACTORS_TERMS 80
reductions.centre _MOST_ELEMENTS MOST_CENTRE_ELEMENTS 24
reductions.centre _EXTRA EXTRA_CENTRE_EQUATIONS 6
reductions.adapt _MOST_CHANGES MOST_ADAPT_CHANGES 12
reductions.adapt _MOST_CANDIDATES MOST_ADAPT_CANDIDATES 12
reductions.adapt _MOST_HEADS MOST_ADAPT_HEADS 12
reductions.adapt _LARGEST MOST_ADAPT_TERMS 400
reductions.adapt _SLACK ADAPT_GROWTH 60
reductions.adapt _LONGEST MOST_SHIFT_TERMS 12
reductions.adapt _MOST_BITS MOST_ADAPT_BITS 120
reductions.linear _MOST_TERMS MOST_LINEAR_TERMS 900
reductions.linear _LARGEST_FORM MOST_FORM_TERMS 120
reductions.linear _MOST_VARIABLES MOST_LINEAR_VARIABLES 7
reductions.linear _LARGEST_ENTRY LARGEST_MATRIX_ENTRY 1000000000000000000000000000000
reductions.unmix _MOST_GENERATORS MOST_UNMIX_GENERATORS 4
reductions.unmix _MOST_VARIABLES MOST_UNMIX_VARIABLES 6
reductions.unmix _LARGEST LARGEST_MULTIPLIER 1000
germs.symmetry _LARGEST MOST_SYMMETRY_TERMS 400
germs.symmetry _MOST_TRIES MOST_SYMMETRY_TRIES 60
resolution.adjoin _HIGHEST HIGHEST_ADJOINED_DEGREE 8
resolution.adjoin _LARGEST MOST_ADJOINED_TERMS 400
resolution.resolve _DEEPEST DEEPEST_RESOLUTION 28
resolution.resolve _BLOW_UP BLOW_UP_DEPTH 4
resolution.resolve _MOST_NODES MOST_FAMILIES 4000
resolution.resolve _OVER_A_FIELD FIELD_WORK 20
germs.function_field _LARGEST_NORM MOST_NORM_TERMS 4000
resolution.witness _MOST_POINTS MOST_WITNESS_POINTS 3000
resolution.witness _MOST_LINES MOST_WITNESS_LINES 40
germs.compose _LARGEST MOST_COMPOSE_TERMS 60
germs.compose _MOST_CANDIDATES MOST_COMPOSE_CANDIDATES 24
germs.coordinate _LARGEST MOST_COORDINATE_TERMS 200
germs.coordinate _MOST_CANDIDATES MOST_COORDINATE_CANDIDATES 24
reductions.discriminant - MOST_DISCRIMINANTS 1
reductions.discriminant - MOST_DISCRIMINANT_TERMS 300
strategy - DISCRIMINANT_SECONDS 8.0
germs.coordinate - MOST_SHARED_SUMS 3
germs.coordinate _GROWTH MOST_CHANGED_TERMS 2000
germs.uniform _LARGEST MOST_UNIFORM_TERMS 80
germs.uniform _SHORT MOST_UNIT_TERMS 30
germs.uniform _MOST_PASSES MOST_UNIFORM_PASSES 12
germs.algebraic _LARGEST_FACTORED MOST_ALGEBRAIC_TERMS 80
resolution.strata _LARGEST MOST_STRATA_TERMS 80
resolution.charts _MOST_CENTRES MOST_CENTRES 4
field.over_field _LARGEST_FACTORED LARGEST_FACTORED_FIELD 6
field.over_field _HIGHEST_FACTORED HIGHEST_FACTORED_DEGREE 24
field.over_field _HIGHEST HIGHEST_FIELD_DEGREE 200
field.over_field _MOST_TERMS MOST_FIELD_TERMS 2000
germs.signed_squares _LARGEST MOST_SIGNED_SQUARES_TERMS 200
zeros.vanishing _PRECISIONS VANISHING_PRECISIONS (53,200)
zeros.vanishing _HIGHEST_ORDER HIGHEST_VANISHING_ORDER 200
boxes.box _GRACE BOX_GRACE_SECONDS 0.5
boxes.exact_points _LARGEST LARGEST_POINT_FIELD 24
boxes.plane_box _HIGHEST HIGHEST_PLANE_BOX_DEGREE 24
boxes.plane_box _HIGHEST_EXPANDED HIGHEST_EXPANDED_DEGREE 120
boxes.plane_box _MOST_FACTORS MOST_PLANE_BOX_FACTORS 12
boxes.plane_box _MOST_CANDIDATES MOST_PLANE_BOX_CANDIDATES 4000
boxes.plane_box _TRIES MOST_COFACTOR_TRIES 60
boxes.cells _MOST_CELLS MOST_BOX_CELLS 1000
boxes.cells _MOST_TARGETS MOST_CELL_TARGETS 3
boxes.cells _LARGEST MOST_CELL_TERMS 200
boxes.cells _TRIES MOST_CELL_TRIES 200
boxes.cells _MOST_HALVINGS MOST_HALVINGS 40
boxes.cells _WIDEST MOST_HESSIAN_VARIABLES 5
boxes.cells _BITS INTERVAL_BITS 80
boxes.box_points _MOST_CANDIDATES MOST_BOX_CANDIDATES 20000
boxes.box_points _MOST_POINTS MOST_BOX_POINTS 12
boxes.box_points _MOST_OTHERS MOST_OTHER_POINTS 100
boxes.box_points _SECONDS POINT_PROOF_SECONDS 1.0
boxes.box_points _MOST_ON_SLICES MOST_SLICE_POINTS 20
boxes.box_points _MOST_PROVED MOST_PROVED_POINTS 3
boxes.box_points _MOST_ON_A_SLICE MOST_POINTS_OF_A_SLICE 2
boxes.box_points _MOST_SLICES MOST_SLICES 6
boxes.box_points _ROUNDING POINT_ROUNDING 1e-09
boxes.box_points _LARGEST_FLOAT LARGEST_FLOAT 1e+300
boxes.separate_box _LARGEST MOST_SEPARATE_TERMS 200
zeros.axis_roots _MOST_KNOWN MOST_STORED_ROOTS 10000
boxes.everywhere _LARGEST MOST_EVERYWHERE_TERMS 200
boxes.everywhere _MOST_TRIES MOST_EVERYWHERE_TRIES 6
boxes.everywhere _MOST MOST_EVERYWHERE_FAMILIES 300
boxes.everywhere _FEW MOST_WALL_FAMILIES 40
boxes.everywhere - MOST_AXES 4
boxes.everywhere - MOST_FIBRE_TERMS 1000
boxes.everywhere - LEAF_POINT_SECONDS 10.0
boxes.everywhere - TREE_SHARE 0.7
boxes.sparse_zeros - MOST_SPARSE_PLACES 800
boxes.box_points - MOST_SPARSE_PROOFS 8
boxes.box_points - SPARSE_SECONDS 6.0
boxes.box_points - SPARSE_SHARE 0.35
fibre.search - LEAF_SECONDS 100.0
fibre.search - MOST_FIBRE_CELLS 2000
fibre.search - MOST_FIBRE_POINTS 20000
fibre.slide - MOST_SLIDE_ENTRIES 200
fibre.fields - MOST_FIELD_UNKNOWNS 600
"""
ROWS = [line.split() for line in MOVED.split("\n") if line]


@pytest.mark.parametrize(("module", "_old", "name", "value"), ROWS)
def test_a_limit_keeps_its_value_and_is_used_where_it_was(module, _old, name, value):
    assert getattr(limits, name) == ast.literal_eval(value)
    tree = ast.parse((ENGINE / f"{module.replace('.', '/')}.py").read_text("utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert name in used


def test_the_table_names_every_limit_once():
    names = [name for _, _, name, _ in ROWS]
    assert sorted(names) == sorted(name for name in vars(limits) if name.isupper())


def test_no_other_module_of_the_engine_holds_a_bare_limit():
    """Numbers that stay are constants of mathematics, seeds and samples, with a comment."""
    for path in ENGINE.rglob("*.py"):
        lines = path.read_text("utf-8").splitlines()
        for node in ast.parse("\n".join(lines)).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Constant, ast.BinOp)):
                if not isinstance(getattr(node.value, "value", 0), (int, float)):
                    continue
                assert "  # " in lines[node.lineno - 1], f"{path.name}:{node.lineno}"
