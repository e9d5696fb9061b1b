"""Tables of checks: a row says what is measured and what it is held against; one runner judges."""

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from validation.audit.row import Fact
from validation.framework.claim import Claim

__all__ = ["Case", "Check", "judged", "mean_error"]

#: What was measured of one row, or of several together, by name.
Case = SimpleNamespace


class Check:
    """A row of a table of checks.

    Parameters
    ----------
    text : str
        What is measured; names of values of a case stand in braces.
    compare : callable
        How: `near`, `at_least`, `at_most`, `exact`, `close`, `estimate`, which takes the text.
    values : callable
        From a case what ``compare`` takes after the text: the measured value first.
    where : callable, optional
        Whether a case is judged; all of them by default.
    **options
        Of ``compare``, such as ``control``: constants, or functions of a case.
    """

    def __init__(
        self,
        text: str,
        compare: Callable[..., Claim | Fact],
        values: Callable[[Case], tuple[Any, ...]],
        where: Callable[[Case], bool] | None = None,
        **options: Any,
    ) -> None:
        self.text, self.compare, self.values, self.where = text, compare, values, where
        self.options = options

    def of(self, case: Case) -> Claim | Fact:
        """Return the check of a case."""
        options = {
            name: option(case) if callable(option) else option
            for name, option in self.options.items()
        }
        return self.compare(self.text.format(**vars(case)), *self.values(case), **options)


def judged(table: Sequence[Check], cases: Iterable[Case]) -> list[Any]:
    r"""Return every check of a table, case by case.

    Examples
    --------
    >>> from validation.framework.claim import near
    >>> table = [Check("{name}: slope", near, lambda case: (case.slope, 1, 0.1), control=2)]
    >>> print(*judged(table, [Case(name="a", slope=1.02), Case(name="b", slope=1.3)]), sep="\n")
    a: slope: 1.02, claimed: 0.9 to 1.1; planted 2: rejected; holds
    b: slope: 1.3, claimed: 0.9 to 1.1; planted 2: fails as well; fails, outside by more than 0.1
    """
    return [row.of(case) for case in cases for row in table if row.where is None or row.where(case)]


def mean_error(values: Iterable[float]) -> tuple[float, float]:
    """Return the mean of independent values, and its standard error.

    Examples
    --------
    >>> mean_error([1, 2, 3, 4, 5])[0], round(mean_error([1, 2, 3, 4, 5])[1], 3)
    (3.0, 0.707)
    """
    held = np.array(list(values))
    return float(held.mean()), float(held.std(ddof=1) / np.sqrt(len(held)))
