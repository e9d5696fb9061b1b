"""What inputs see of a quadratic form: all of it, a dataset, modular arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from rlct.algebra.exact_rank import integer_rows, reduced_echelon, row_basis
from rlct.errors import InputError

Number = int | Fraction
_MOST_ENTRIES: Final = 2_000_000  # of the table of quadratic features
_LARGEST_WRITTEN: Final = 12  # modulus
_LARGEST_MODULUS: Final = 200  # modulus p; its data have p² rows


def monomial_pairs(dimension: int) -> list[tuple[int, int]]:
    """Positions (a, b), a ≤ b, of the coefficients of z_a z_b in a quadratic form."""
    return [(a, b) for a in range(dimension) for b in range(a, dimension)]


@dataclass(frozen=True)
class QuadraticFeatures:
    """The law of the inputs, as far as quadratic networks depend on it.

    A hidden unit sees x, or (x, 1) if it has a bias; that vector is R'z with z of full rank.
    Build it with `density`, `dataset` or `modular`.

    Parameters
    ----------
    inputs : int
        Length of x.
    bias : bool
        Whether units have a bias, and outputs one too.
    coordinates : tuple of tuple of Fraction, or None
        R, one row per coordinate of z, one column per entry of x (and the 1); None if z is x
        (and the 1) itself.
    forms : tuple of tuple of int, or None
        Independent linear functionals of the coefficients of a quadratic form in z (see
        `monomial_pairs`) that the inputs determine; None if they determine all of them.
    text : str
        The law in words.
    group : int
        P for modular arithmetic, else 0.
    centred : bool
        Whether outputs are compared after subtracting their mean.
    points : rows of Fraction, or None
        The dataset.
    unwritten : int
        Number of independent functionals if they are too many to be written out, else 0.
    """

    inputs: int
    bias: bool
    coordinates: tuple[tuple[Fraction, ...], ...] | None
    forms: tuple[tuple[int, ...], ...] | None
    text: str
    group: int = 0
    centred: bool = False
    points: tuple[tuple[Fraction, ...], ...] | None = None
    unwritten: int = 0

    @classmethod
    def density(cls, inputs: int, bias: bool = False) -> QuadraticFeatures:
        """Inputs that determine every quadratic function, as any density does."""
        if inputs < 1:
            raise InputError(f"the number of inputs must be positive, not {inputs}")
        return cls(inputs, bias, None, None, "inputs with a density")

    @classmethod
    def dataset(
        cls, rows: Sequence[Sequence[Number]], bias: bool = False, centred: bool = False
    ) -> QuadraticFeatures:
        """Read finitely many inputs, one row of exact numbers each, all with positive weight.

        ``centred`` outputs are compared after subtracting their mean over the dataset.  InputError
        if the rows are empty, of different lengths, zero, or too many.

        >>> law = QuadraticFeatures.dataset([[1, 0], [0, 1], [1, 1], [2, 2]])
        >>> law.dimension, law.count
        (2, 3)
        """
        points = given_rows = [tuple(Fraction(value) for value in row) for row in rows]
        if not points or not points[0] or len({len(row) for row in points}) != 1:
            raise InputError("the dataset must be a table of rows of the same length")
        inputs = len(points[0])
        if bias:
            points = [(*row, Fraction(1)) for row in points]
        basis, pivots = reduced_echelon(points)
        if not basis:
            raise InputError("all inputs of the dataset are zero")
        pairs = monomial_pairs(len(basis))
        if len(points) * len(pairs) > _MOST_ENTRIES:
            raise InputError(f"the dataset has too many quadratic features (over {_MOST_ENTRIES})")
        seen = [[row[c] for c in pivots] for row in points]
        features = [[z[a] * z[b] for a, b in pairs] for z in seen]
        if centred:
            features = _centre(features)
        forms = row_basis(features)
        if not forms:
            raise InputError(
                "after centring, the outputs on these data are 0: they determine no weights"
            )
        full = len(forms) == len(pairs)
        about = f"{len(points)} inputs" + ", centred outputs" * centred
        return cls(
            inputs,
            bias,
            tuple(map(tuple, basis)),
            None if full else tuple(map(tuple, forms)),
            about,
            centred=centred,
            points=tuple(given_rows),
        )

    @classmethod
    def modular(cls, group: int, bias: bool = False, centred: bool = False) -> QuadraticFeatures:
        """Read all pairs (e_a, e_b) of unit vectors, a and b modulo `group`.

        >>> law = QuadraticFeatures.modular(5)
        >>> law.inputs, law.dimension, law.count
        (10, 9, 25)
        """
        if not 2 <= group <= _LARGEST_MODULUS:
            raise InputError(f"the modulus must be from 2 to {_LARGEST_MODULUS}, not {group}")
        about_data = f"pairs modulo {group}" + ", centred outputs" * centred
        if group > _LARGEST_WRITTEN:
            # u_a + t_b: the first row of ones would be counted twice.
            basis, _ = reduced_echelon(
                [_pair(group, a, 0, bias) for a in range(group)]
                + [_pair(group, 0, b, bias) for b in range(1, group)]
            )
            table = tuple(map(tuple, basis))
            size = group * group - centred
            return cls(2 * group, bias, table, None, about_data, group, centred, unwritten=size)
        rows = [_pair(group, a, b, False) for a in range(group) for b in range(group)]
        found = cls.dataset(rows, bias, centred)
        return cls(found.inputs, bias, found.coordinates, found.forms, about_data, group, centred)

    @property
    def dimension(self) -> int:
        """Rank of the inputs, of (x, 1) if there are biases."""
        return self.inputs + self.bias if self.coordinates is None else len(self.coordinates)

    @property
    def count(self) -> int:
        """Dimension of the quadratic functions on the inputs."""
        if self.unwritten:
            return self.unwritten
        size = self.dimension
        return size * (size + 1) // 2 if self.forms is None else len(self.forms)

    @cached_property
    def constant(self) -> tuple[Number, ...]:
        """The output bias as a feature: values of `forms` at the function 1, empty if none."""
        if not self.bias:
            return ()
        # 1 = (t·z)² on the inputs, where t·z is the last entry of R'z.
        return tuple(self.features(square_terms(self.reduce([0] * self.inputs + [1]))))

    @property
    def constant_rank(self) -> int:
        """1 if output biases change what is compared, else 0."""
        return int(self.bias and not self.centred)

    def features(self, form: Sequence[Number]) -> list[Number]:
        """Values of `forms` at a quadratic form in z; InputError if too many to be written out."""
        if self.unwritten:
            raise InputError(f"{self.text}: too many quadratic features to write them out")
        if self.forms is None:
            return list(form)
        support = [(c, value) for c, value in enumerate(form) if value]
        return [sum(row[c] * value for c, value in support) for row in self.forms]

    def reduce(self, weights: Sequence[Number]) -> tuple[Number, ...]:
        """Weights on z that a unit's weights on x (and its bias) amount to."""
        if self.coordinates is None:
            return tuple(plain_number(Fraction(weight)) for weight in weights)
        return tuple(
            plain_number(sum((r * w for r, w in zip(row, weights, strict=True) if r), Fraction(0)))
            for row in self.coordinates
        )


def _pair(group: int, a: int, b: int, bias: bool) -> list[int]:
    """(e_a, e_b), and a 1 for the bias."""
    return [int(i == a) for i in range(group)] + [int(i == b) for i in range(group)] + [1] * bias


def plain_number(value: Fraction) -> Number:
    """Return a whole number as an int, which is faster to compute with."""
    return value.numerator if value.denominator == 1 else value


def square_terms(weights: Sequence[Number]) -> list[Number]:
    """Coefficients of (w·z)²."""
    return [(1 if a == b else 2) * weights[a] * weights[b] for a, b in monomial_pairs(len(weights))]


def _centre(features: list[list[Fraction]]) -> list[list[Fraction]]:
    whole = integer_rows([[value for row in features for value in row]])[0]
    width = len(features[0])
    rows = [whole[i : i + width] for i in range(0, len(whole), width)]
    totals = [sum(column) for column in zip(*rows, strict=True)]
    return [
        [Fraction(len(rows) * value - total) for value, total in zip(row, totals, strict=True)]
        for row in rows
    ]
