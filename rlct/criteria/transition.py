"""Phase transitions: the numbers of observations at which another basin becomes preferred."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from rlct.criteria.free_energy import free_energy_expansion
from rlct.criteria.inputs import is_small
from rlct.errors import InputError

__all__ = ["Basin", "Phases", "critical_sizes", "phases"]

#: The expansion is used where log log n > 0.
SMALLEST_N = math.e
_LARGEST_LOG = 600.0  # log n; times a loss below _HUGE it can still be computed
_HUGE_LOSS = 1e40  # a loss


@dataclass(frozen=True)
class Basin:
    """A basin of the loss: free energy n·loss + λ log n − (θ−1) log log n + constant.

    Parameters
    ----------
    loss : float
        Loss per observation of its best parameter.
    lam : Fraction or float
    theta : int
    constant : float
        Limit of the other terms of the free energy, if known; such as minus the log of its share of
        the prior.
    name : str
    """

    loss: float
    lam: Fraction | float
    theta: int = 1
    constant: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no basin; numbers of NumPy become those of Python."""
        for name in ("loss", "lam", "theta", "constant"):
            value = getattr(self, name)
            if isinstance(value, np.generic):
                object.__setattr__(self, name, value.item())
        if not all(_is_finite(number) for number in (self.loss, self.constant)):
            raise InputError(f"the loss of a basin must be a finite number, not {self.loss!r}")
        if not (_is_finite(self.lam) and self.lam >= 0):
            raise InputError(f"λ of a basin must be a number from 0 on, not {self.lam!r}")
        if isinstance(self.theta, bool) or not isinstance(self.theta, int) or self.theta < 1:
            raise InputError(f"θ of a basin must be a positive integer, not {self.theta!r}")

    def free_energy(self, n: float) -> float:
        """Its expansion at n observations, n > e.

        Examples
        --------
        >>> round(Basin(0.5, 2).free_energy(100), 4)
        59.2103
        """
        return free_energy_expansion(n, self.loss, self.lam, self.theta) + self.constant


def _is_finite(number: Any) -> bool:
    return isinstance(number, (int, float, Fraction)) and -_HUGE_LOSS < number < _HUGE_LOSS


def critical_sizes(first_basin: Basin, second_basin: Basin) -> tuple[float, ...]:
    """All n > e at which the free energies of two basins are equal, in increasing order.

    Parameters
    ----------
    first, second : Basin

    Returns
    -------
    tuple of float
        At most three; those above e^600 ≈ 4·10²⁶⁰ are not among them. With equal θ and no
        constants they are the solutions of nΔL + Δλ log n = 0, n = exp(−W(ΔL/Δλ)) for both
        branches of Lambert's W.

    Raises
    ------
    InputError
        If the two basins have the same free energy at every n.

    Notes
    -----
    With t = log n the difference is g(t) = ΔL e^t + Δλ t − Δ(θ−1) log t + Δc. t·g′(t) is
    ΔL t e^t + Δλ t − Δ(θ−1), whose own derivative ΔL (1+t) e^t + Δλ vanishes at most once,
    where 1 + t = W(−e Δλ/ΔL). So t·g′ has at most two zeros and g at most three, each between
    neighbouring zeros of the derivative: none is missed.

    Examples
    --------
    The simpler basin is preferred up to n ≈ 647:

    >>> [round(n, 2) for n in critical_sizes(Basin(0.01, 1), Basin(0.0, 2))]
    [647.28]
    """
    loss = first_basin.loss - second_basin.loss
    lam = float(first_basin.lam) - float(second_basin.lam)
    theta = first_basin.theta - second_basin.theta
    constant = first_basin.constant - second_basin.constant
    if loss == lam == theta == constant == 0:
        raise InputError("the two basins have the same free energy at every n")

    def difference(t: float) -> float:
        found = loss * math.exp(t) + lam * t + constant
        return found - theta * math.log(t) if theta else found

    def slope(t: float) -> float:
        return loss * t * math.exp(t) + lam * t - theta

    start = math.log(SMALLEST_N)
    ends = [start, *_turn(loss, lam, start), _LARGEST_LOG]
    turning = sorted({start, *_zeros(slope, ends), _LARGEST_LOG})
    return tuple(math.exp(t) for t in _zeros(difference, turning) if start < t < _LARGEST_LOG)


def _turn(loss: float, lam: float, start: float) -> Iterator[float]:
    """Where the derivative of t·g′(t) vanishes."""
    if loss == 0 or -lam / loss <= 0:
        return
    from scipy.special import lambertw

    t = float(lambertw(-math.e * lam / loss).real) - 1.0
    if start < t < _LARGEST_LOG:
        yield t


def _zeros(function: Any, ends: Sequence[float]) -> list[float]:
    """Zeros of a function that is monotone between neighbouring ends."""
    from scipy.optimize import brentq

    zero_list = []
    for low, high in pairwise(ends):
        low_value, high_value = function(low), function(high)
        if low_value == 0:
            zero_list.append(low)
        elif high_value != 0 and (low_value < 0) != (high_value < 0):
            zero_list.append(float(brentq(function, low, high, xtol=1e-14, rtol=1e-14)))
    if function(ends[-1]) == 0:
        zero_list.append(ends[-1])
    return zero_list


@dataclass(frozen=True)
class Phases:
    """Which basin is preferred at which n.

    Parameters
    ----------
    basins : tuple of str
        Preferred basins, one after the other as n grows.
    critical : tuple of float
        The n at which one replaces the next, one fewer.
    warnings : tuple of str
        Critical n that are too small for the expansion.
    """

    basins: tuple[str, ...]
    critical: tuple[float, ...]
    warnings: tuple[str, ...] = ()

    def at(self, n: float) -> str:
        """Name of the preferred basin at n observations."""
        return self.basins[sum(n > c for c in self.critical)]

    def to_dict(self) -> dict[str, Any]:
        """Fields ready for JSON."""
        return {
            "schema": "rlct/1",
            "kind": "transition",
            "phases": list(self.basins),
            "critical": list(self.critical),
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        ends = ["", *(f"{c:.6g}" for c in self.critical), ""]
        lines = []
        for name, (low, high) in zip(self.basins, pairwise(ends), strict=True):
            if low and high:
                range_text = f"{low} < n < {high}"
            else:
                range_text = f"n > {low}" if low else f"n < {high}" if high else "every n"
            lines.append(f"{range_text}: {name}")
        return "\n".join(lines)


def phases(basins: Sequence[Basin]) -> Phases:
    """Basins of least free energy as n grows from e.

    Parameters
    ----------
    basins : sequence of Basin
        Two or more; a name that is missing becomes the position, from 1.

    Returns
    -------
    Phases

    Raises
    ------
    InputError
        If there are fewer than two, or two have the same free energy at every n.

    Examples
    --------
    >>> print(phases([Basin(0.1, 1, name="a"), Basin(0.01, 2, name="b"), Basin(0.0, 4, name="c")]))
    n < 41.3587: a
    41.3587 < n < 1456.8: b
    n > 1456.8: c
    """
    if len(basins) < 2:
        raise InputError("a transition needs two basins or more")
    names = [basin.name or str(k) for k, basin in enumerate(basins, 1)]
    crossings = sorted(
        n for one, other in combinations(basins, 2) for n in critical_sizes(one, other)
    )
    edges = [SMALLEST_N, *crossings, 4.0 * max(crossings, default=SMALLEST_N)]
    # A common loss would hide the tiny differences that decide at large n.
    common = min(basin.loss for basin in basins)
    apart = [replace(basin, loss=basin.loss - common) for basin in basins]
    preferred_basins: list[int] = []
    change_sizes: list[float] = []
    for low, high in pairwise(edges):
        n = math.sqrt(low) * math.sqrt(high)  # the root of the product overflows from 1e154 on
        now = min(range(len(basins)), key=lambda k: apart[k].free_energy(n))
        if not preferred_basins or now != preferred_basins[-1]:
            if preferred_basins:
                change_sizes.append(low)
            preferred_basins.append(now)
    meeting = zip(change_sizes, pairwise(preferred_basins), strict=True)
    small_sizes = [
        f"{n:.6g}"
        for n, pair in meeting
        if any(is_small(n, basins[k].lam, basins[k].theta) for k in pair)
    ]
    warnings = (
        f"n = {', '.join(small_sizes)}: too small for the expansion of the free energy, whose term "
        "(θ − 1) log log n changes there at half the rate of λ log n or more",
    )
    return Phases(
        tuple(names[k] for k in preferred_basins),
        tuple(change_sizes),
        warnings if small_sizes else (),
    )
