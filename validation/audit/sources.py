"""The documents that are audited, and which version of each was read."""

from rlct.system.bibliography import versioned_number

__all__ = ["AUDITED_SOURCES"]

#: Citation by number.
AUDITED_SOURCES = {
    "000": "Seyoum, N. (2025). Singular Learning Theory: Generalization in Deep Networks. Survey "
    "of Watanabe (2010), Murfet et al. (2020) and Aoyagi (2025), dated 2 May 2025.",
    "001": "Murfet, D., Wei, S., Gong, M., Li, H., Gell-Redman, J., Quella, T. (2020). Deep "
    f"Learning is Singular, and That's Good. arXiv:{versioned_number('2010.11560')}.",
    "002": "Cullen, B., Estan-Ruiz, S., Danait, R., Li, J. (2026). Grokking as a Phase Transition "
    f"between Competing Basins: a Singular Learning Theory Approach. "
    f"arXiv:{versioned_number('2603.01192')} (1 March 2026). Of v3 (7 May 2026, under another "
    "title) the abstract was read and what a public card of excerpts quotes of it "
    "(github.com/kraidiky/grokking-conceptual-review_en); rows say what is known to have changed.",
    "003": "Corlouer, G., Macé, N. (2024). Degeneracies are sticky for SGD. AI Alignment Forum. "
    "Read in a copy of no recorded date whose formulas are lost; they are rebuilt from the text "
    "around them.",
    "004": "Summary of Lau, E., Furman, Z., Wang, G., Murfet, D., Wei, S. The Local Learning "
    f"Coefficient: A Singularity-Aware Complexity Measure. arXiv:{versioned_number('2308.12108')}.",
    "005": "Shirodkar, T. P. (2026). Dead Directions: Geometric Singular Learning. "
    f"arXiv:{versioned_number('2606.05957')}, as the ledger of "
    "github.com/DeadDirections/DeadDirections restates them, and the abstract of v1. The paper "
    "itself was not at hand.",
}
