"""Expected losses of Bayesian learning as functions of the number of observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.criteria.inputs import count_of, is_small, positive_number, second_share, temperature
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.system.options import explain_options

__all__ = ["LearningCurve", "learning_curve"]


@dataclass(frozen=True)
class LearningCurve:
    """Leading terms of expected errors: each is a coefficient divided by n.

    Errors are losses less that of the best parameter, E[−log p(X|w₀)] or its empirical
    counterpart; for a realisable truth the first is a Kullback–Leibler divergence.

    Parameters
    ----------
    lam : Fraction or float
    theta : int
    nu : Fraction or float or None
        Singular fluctuation ν(β).
    beta : float
    n : tuple of int
    generalisation, training : number or None
        Coefficients of the Bayes errors, (λ−ν)/β ± ν; None where ν is needed and not known.
        WAIC and leave-one-out have the expectation of the first.
    gibbs_generalisation, gibbs_training : number or None
        λ/β ± ν.
    """

    lam: Fraction | float
    theta: int
    nu: Fraction | float | None
    beta: float
    n: tuple[int, ...]
    generalisation: Fraction | float
    training: Fraction | float | None
    gibbs_generalisation: Fraction | float | None
    gibbs_training: Fraction | float | None

    def size_for(self, error: float) -> float:
        """Return the n at which the expected Bayes generalisation error falls to this."""
        return float(self.generalisation) / positive_number(error, "the error")

    def with_logarithm(self, n: int) -> float:
        """Bayes generalisation error with λ − (θ−1)/log n in the place of λ.

        At β = 1 the expected generalisation error is E F(n+1) − E F(n) less the entropy. That
        its expansion may be differenced term by term is not a theorem; where θ > 1 it is closer
        than λ/n, which needs log n to be large. At other β the part (λ−ν)/β of it is what the
        derivative of the free energy by β leaves, with the same term.

        Raises
        ------
        InputError
            If n is so small that this is no positive number.
        """
        increase = self._next(n)
        if increase <= 0:
            raise InputError(
                f"n = {n} is too small: the expansion needs log n > (θ − 1)/λ, and more to be close"
            )
        return increase / n

    def _next(self, n: int) -> float:
        """The coefficient of 1/n with the second term."""
        return (
            float(self.generalisation)
            - float(self.lam) * second_share(n, self.lam, self.theta) / self.beta
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Numbers of observations that are too small for the expansion."""
        small = [n for n in self.n if is_small(n, self.lam, self.theta) or self._next(n) <= 0]
        if self.theta == 1 or not small:
            return ()
        text = ", ".join(map(str, small))
        return (
            f"n = {text}: too small for the expansion, whose second term, (θ − 1)/(βn log n), "
            "is not small beside the others",
        )

    def _columns(self) -> dict[str, Fraction | float]:
        columns = {
            "generalisation": self.generalisation,
            "training": self.training,
            "gibbs_generalisation": self.gibbs_generalisation,
            "gibbs_training": self.gibbs_training,
        }
        return {name: value for name, value in columns.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """Coefficients and one row for each n, ready for JSON."""
        columns = self._columns()
        return {
            "schema": "rlct/1",
            "kind": "learning-curve",
            "lambda": str(self.lam),
            "theta": self.theta,
            "nu": None if self.nu is None else str(self.nu),
            "beta": self.beta,
            "coefficients": {name: str(value) for name, value in columns.items()},
            "rows": [self._row(n) for n in self.n],
            "warnings": list(self.warnings),
        }

    def _row(self, n: int) -> dict[str, float]:
        row = {"n": n} | {name: float(value) / n for name, value in self._columns().items()}
        if self.theta > 1 and (later := self._next(n)) > 0:
            row["with_logarithm"] = later / n
        return row

    def __str__(self) -> str:
        rows = [self._row(n) for n in self.n]
        names = list(dict.fromkeys(name for row in rows for name in row))
        lines = ["  ".join(name.rjust(12) for name in names)]
        for row in rows:
            cells = (f"{row[name]:.6g}" if name in row else "" for name in names)
            sizes = (max(12, len(name)) for name in names)
            lines.append("  ".join(c.rjust(k) for c, k in zip(cells, sizes, strict=True)))
        return "\n".join(lines)


@explain_options
def learning_curve(
    lam: Pair | Fraction | float,
    n: Sequence[int] | int,
    *,
    beta: float = 1.0,
    nu: Fraction | float | None = None,
) -> LearningCurve:
    """Expected Bayes generalisation error λ/n and its companions.

    Parameters
    ----------
    lam : Pair, Fraction or float
        Learning coefficient; of a pair θ is used too.
    n : int or sequence of int
        Numbers of observations.
    beta : float
        Inverse temperature; other values than 1 need ν(β).
    nu : Fraction or float, optional
        Singular fluctuation; equal to λ in a regular model that contains the truth.

    Returns
    -------
    LearningCurve

    Raises
    ------
    InputError
        If λ, ν or β are no positive numbers, an n is not, or β ≠ 1 and ν is missing.

    Notes
    -----
    Watanabe, S. (2010), Journal of Machine Learning Research 11:3571–3594. If θ > 1
    the next term is of relative order 1/log n.

    Examples
    --------
    >>> curve = learning_curve(Fraction(1, 4), [100, 1000], nu=Fraction(1, 8))
    >>> curve.generalisation, curve.training, curve.size_for(1e-3)
    (Fraction(1, 4), Fraction(0, 1), 250.0)
    """
    theta = lam.theta if isinstance(lam, Pair) else 1
    lam = lam.lam if isinstance(lam, Pair) else _read(lam, "λ")
    beta = temperature(beta)
    given = n if isinstance(n, Iterable) else (n,)
    sizes = tuple(count_of(m, "a number of observations") for m in given)
    if not sizes:
        raise InputError("a learning curve needs a number of observations")
    if nu is None:
        if beta != 1:
            raise InputError("at β other than 1 every coefficient needs ν")
        return LearningCurve(lam, theta, None, beta, sizes, lam, None, None, None)
    nu = _read(nu, "ν")
    # Exact while everything is.
    b: Any = 1 if beta == 1 else beta
    base = (lam - nu) / b
    return LearningCurve(
        lam, theta, nu, beta, sizes, base + nu, base - nu, lam / b + nu, lam / b - nu
    )


def _read(number: Any, label: str) -> Any:
    """Read a positive number, exactly if it is an integer, a fraction or text such as 1/2."""
    if isinstance(number, (int, str, Fraction)) and not isinstance(number, bool):
        try:
            exact = Fraction(number)
        except (ValueError, ZeroDivisionError):
            exact = Fraction(0)
        if 0 < exact < 10**300:
            return exact
        raise InputError(f"{label} must be a positive number, not {str(number)[:40]!r}")
    return positive_number(number, label)
