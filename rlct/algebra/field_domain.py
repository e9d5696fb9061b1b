"""Q(γ) as a domain of sympy in which division by a rational needs no inverse of a number."""

from functools import lru_cache
from typing import Any

from sympy import QQ, Poly, Symbol
from sympy.core.numbers import AlgebraicNumber
from sympy.polys.domains.algebraicfield import AlgebraicField
from sympy.polys.rootoftools import CRootOf


class _Field(AlgebraicField):  # type: ignore[misc]
    """Polynomial division divides by a leading coefficient, which mostly is 1."""

    def quo(self, a: Any, b: Any) -> Any:
        parts = b.to_list()
        if len(parts) == 1:
            return a if parts[0] == 1 else a.mul_ground(1 / parts[0])
        return a / b

    exquo = quo


@lru_cache(maxsize=64)
def field_domain(modulus: tuple[int, ...]) -> Any:
    """Q(γ) for a monic irreducible polynomial, from the constant term up.

    Sympy does not know which real root γ is: signs are asked elsewhere.
    """
    root = CRootOf(Poly(list(modulus[::-1]), Symbol("t"), domain="QQ"), 0)
    return _Field(QQ, AlgebraicNumber(root, alias="gamma"), alias="gamma")
