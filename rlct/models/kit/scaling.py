"""What scaling all units of a cluster together gives: an upper bound that depends on the depth."""

from fractions import Fraction

from rlct.pair import Pair


def scaling_value(units: int, outputs: int, step: int) -> Pair:
    """Least value over the weights (a: 0 or more, b: s) of the moments Σ a_h b_h^(1 + step·n).

    With b = s·d the n-th moment is s^(1+step·n) times a coordinate in the weights, as long as there
    are not more moments than units: 2λ ≤ H s + M Σ_{n<H} (1 − (1 + step·n) s)⁺.  It is convex in s
    and piecewise linear, so the least value is at a corner, or on the whole segment between two:
    then θ = 2.  H and M are ``units`` and ``outputs``; ``step`` is the distance of the orders of
    the activation (2 for tanh at zero).

    >>> scaling_value(3, 1, 2), scaling_value(4, 1, 1)
    (Pair(5/6, 1), Pair(7/6, 1))
    """
    if units == outputs == 1:
        return Pair(Fraction(1, 2), 2)  # s + (1 − s)
    best_value, theta = Fraction(outputs * units), 1  # s = 0
    covered = 0  # sum of the orders that contribute
    before = None
    for count in range(1, units + 1):
        covered += 1 + step * (count - 1)
        corner = Fraction(1, 1 + step * (count - 1))
        value = units * corner + outputs * (count - covered * corner)
        if before is not None and value > before:
            break
        before = value
        theta = theta + 1 if value == best_value and count > 1 else 1
        best_value = value
    return Pair(best_value / 2, theta)
