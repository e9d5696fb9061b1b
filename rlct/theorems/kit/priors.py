"""Counterexamples whose prior vanishes at the truth."""

from fractions import Fraction
from typing import Any

from rlct.pair import Pair
from rlct.theorems.base import Counterexample


def squared_prior(arguments: Any, hypothesis: str, coordinates: str) -> Counterexample:
    """Deny a hypothesis where K is a sum of squares, by a prior u² in the first coordinate."""
    names = tuple(coordinates.split())
    return Counterexample.against(
        hypothesis, arguments, Pair(Fraction(len(names) + 2, 2), 1), names, prior=f"{names[0]}**2"
    )


def squared_product(arguments: Any, hypothesis: str, product: str) -> Counterexample:
    """Deny a hypothesis where K is the square of a product such as a*b, by a prior like K."""
    names = product.split("*")
    return Counterexample.against(
        hypothesis,
        arguments,
        Pair(Fraction(3, 2), len(names)),
        (product,),
        prior="*".join(f"{name}**2" for name in names),
    )
