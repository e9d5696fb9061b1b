"""The documents that are audited."""

from __future__ import annotations

__all__ = ["SOURCES"]

#: Citation by number.
SOURCES = {
    "000": "Seyoum, N. (2025). Singular Learning Theory: Generalization in Deep Networks. Survey "
    "of Watanabe (2010), Murfet et al. (arXiv:2010.11560) and Aoyagi (arXiv:2501.12747).",
    "001": "Murfet, D., Wei, S., Gong, M., Li, H., Gell-Redman, J., Quella, T. (2020). Deep "
    "Learning is Singular, and That's Good. arXiv:2010.11560.",
    "002": "Cullen, B., Estan-Ruiz, S., Danait, R., Li, J. (2026). Grokking as a Phase Transition "
    "between Competing Basins: a Singular Learning Theory Approach. arXiv:2603.01192.",
    "003": "Corlouer, G., Macé, N. (2024). Degeneracies are sticky for SGD. AI Alignment Forum. "
    "Read in a copy whose formulas are lost; they are rebuilt from the text around them.",
    "004": "Summary of Lau, E., Furman, Z., Wang, G., Murfet, D., Wei, S. The Local Learning "
    "Coefficient: A Singularity-Aware Complexity Measure. arXiv:2308.12108.",
}
