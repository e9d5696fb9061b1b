"""Forms that are positive off the origin, by a Gram matrix that is positive definite.

F = mᵀ G m with G positive definite and m all monomials of half the degree is positive wherever
m ≠ 0, that is off the origin.  A search in floating point finds G, which is rounded; that the
rounded matrix has the right entries and is positive definite is checked in exact arithmetic, so
that nothing rests on the search.  By a theorem of Reznick some |x|^(2N) F of every positive form
has such a matrix; small N are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Monomial = tuple[int, ...]
Form = Mapping[Monomial, Fraction]
Matrix = list[list[Fraction]]
_NORM_POWERS: Final = (0, 1, 2)  # N of |x|^(2N) F
_MOST_MONOMIALS: Final = 28  # rows of a Gram matrix; beyond, the search takes seconds
_SEARCH_ROUNDS: Final = 40  # values of s, from one that is positive definite downwards
_NEWTON_STEPS: Final = 8  # towards the centre, for each s
_LEAST_CHANGE: Final = 1e-9  # change of the smallest eigenvalue that another round needs
_DENOMINATORS_TRIED: Final = (100, 10**4, 10**8)


def is_positive_definite(matrix: list[list[Any]]) -> bool:
    """Whether elimination without exchanges meets only positive pivots.

    >>> is_positive_definite([[2, 1], [1, 1]]), is_positive_definite([[1, 1], [1, 1]])
    (True, False)
    """
    rows = [list(row) for row in matrix]
    for k, pivot in enumerate(rows):
        if pivot[k] <= 0:
            return False
        for row in rows[k + 1 :]:
            if row[k]:
                factor = row[k] / pivot[k]
                row[k:] = [a - factor * b for a, b in zip(row[k:], pivot[k:], strict=True)]
    return True


def positive_off_origin(form: Form) -> bool:
    """Whether a form is proved to be positive off the origin; False proves nothing.

    The form has coefficients by exponents, all of one even degree, in two or more variables.

    >>> one = Fraction(1)
    >>> positive_off_origin({(4, 0, 0): one, (2, 2, 0): -one, (0, 4, 0): one, (0, 0, 4): one})
    True
    >>> positive_off_origin({(4, 0): one, (2, 2): -2 * one, (0, 4): one})
    False
    """
    scale = max(map(abs, form.values()))
    form = {e: c / scale for e, c in form.items()}
    for power in _NORM_POWERS:
        if power:
            form = _times_square(form)
        monomials = _monomials(len(next(iter(form))), sum(next(iter(form))) // 2)
        if len(monomials) > _MOST_MONOMIALS:
            return False
        if any(is_positive_definite(gram) for gram in _grams(form, monomials)):
            return True
    return False


def _monomials(variables: int, degree: int) -> list[Monomial]:
    chosen = combinations_with_replacement(range(variables), degree)
    return [tuple(map(pick.count, range(variables))) for pick in chosen]


def _times_square(form: Form) -> dict[Monomial, Fraction]:
    """Multiply by the sum of the squares of the variables."""
    product: dict[Monomial, Fraction] = {}
    for exponents, c in form.items():
        for k in range(len(exponents)):
            moved = tuple(e + 2 * (i == k) for i, e in enumerate(exponents))
            product[moved] = product.get(moved, Fraction(0)) + c
    return product


def _grams(form: Form, monomials: list[Monomial]) -> Iterator[Matrix]:
    """Yield exact Gram matrices of the form near one that the search takes for positive."""
    import numpy as np

    places: dict[Monomial, list[tuple[int, int]]] = {}
    for i, a in enumerate(monomials):
        for j, b in enumerate(monomials[i:], start=i):
            places.setdefault(tuple(x + y for x, y in zip(a, b, strict=True)), []).append((i, j))
    start = [[Fraction(0)] * len(monomials) for _ in monomials]
    # From one entry to the first of the same monomial, and how much more often that counts.
    entry_shifts = []
    for exponents, pairs in places.items():
        share = form.get(exponents, Fraction(0)) / sum(_times(pair) for pair in pairs)
        for i, j in pairs:
            start[i][j] = start[j][i] = share
        entry_shifts += [
            (pair, pairs[0], Fraction(_times(pair), _times(pairs[0]))) for pair in pairs[1:]
        ]
    kernel = np.zeros((len(entry_shifts), len(monomials), len(monomials)))
    for matrix, ((i, j), (k, m), scale) in zip(kernel, entry_shifts, strict=True):
        matrix[i, j] = matrix[j, i] = -1
        matrix[k, m] = matrix[m, k] = scale
    solution = _search(np.array(start, dtype=np.float64), kernel)
    if solution is None:
        return
    for denominator in _DENOMINATORS_TRIED:
        gram = [list(row) for row in start]
        for value, ((i, j), (k, m), scale) in zip(solution, entry_shifts, strict=True):
            moved = Fraction(float(value)).limit_denominator(denominator)
            gram[i][j] -= moved
            gram[k][m] += moved * scale
            gram[j][i], gram[m][k] = gram[i][j], gram[k][m]
        yield gram


def _times(pair: tuple[int, int]) -> int:
    """How often an entry of a symmetric matrix stands in it."""
    return 1 if pair[0] == pair[1] else 2


def _search(start: Floats, kernel: Floats) -> Floats | None:
    """Look for y with start + Σ y_i kernel_i positive definite, along centres of start + s."""
    import numpy as np

    y = np.zeros(len(kernel))
    unit = np.eye(len(start))
    s = 1 - float(np.linalg.eigvalsh(start)[0])
    for _ in range(_SEARCH_ROUNDS):
        for _ in range(_NEWTON_STEPS if len(kernel) else 0):
            inverse = np.linalg.inv(start + np.tensordot(y, kernel, 1) + s * unit)
            products = kernel @ inverse
            gradient = np.trace(products, axis1=1, axis2=2)
            flat = products.reshape(len(y), -1)
            hessian = flat @ products.transpose(0, 2, 1).reshape(len(y), -1).T
            step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
            decrement = float(np.sqrt(max(gradient @ step, 0.0)))
            y = y + step / (1 + decrement)
            if decrement < 0.1:
                break
        room = float(np.linalg.eigvalsh(start + np.tensordot(y, kernel, 1) + s * unit)[0])
        if s < 0 and room > 0:
            return y
        if room < _LEAST_CHANGE:
            return None
        s -= 0.9 * room
    return None
