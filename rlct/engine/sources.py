"""Whom an answer of the engine cites."""

from rlct.proof.tree import Proof

_LIN_THESIS = (
    "Lin, Algebraic Methods for Evaluating Integrals in Bayesian Statistics, Berkeley (2011)"
)
_SOURCE_TABLE = {
    "monomial": (
        "Howald, Multiplier ideals of monomial ideals, Trans. AMS 353 (2001)",
        _LIN_THESIS,
    ),
    "newton": (
        "Varchenko, Newton polyhedra and estimation of oscillating integrals, FAA 10 (1976)",
        _LIN_THESIS,
    ),
    "hull": (_LIN_THESIS,),
    "polyhedra": (
        "Khovanskii, Newton polyhedra and toroidal varieties, FAA 11 (1977)",
        "Kapranov, A characterization of A-discriminantal hypersurfaces in terms of the "
        "logarithmic Gauss map, Math. Ann. 290 (1991)",
    ),
    "initial": (
        "Demailly, Kollár, Semi-continuity of complex singularity exponents and "
        "Kähler–Einstein metrics on Fano orbifolds, ENS 34 (2001)",
        "Howald, Multiplier ideals of monomial ideals, Trans. AMS 353 (2001)",
    ),
}
_WATANABE_BOOK = "Watanabe, Algebraic Geometry and Statistical Learning Theory, CUP (2009)"


def sources_of(proof: Proof) -> tuple[str, ...]:
    """Citations for the rules of a proof; every rule is also proved in the theory pages."""
    found = [source for rule in proof.rules() for source in _SOURCE_TABLE.get(rule, ())]
    return tuple(dict.fromkeys([*found, _WATANABE_BOOK]))
