"""Linear changes of coordinates, and a polynomial in one variable as a coordinate."""

from collections.abc import Iterator
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import (
    Poly,
    binomial_expansion,
    poly_product,
    poly_sum,
    read_fraction,
    total_degree,
)
from rlct.certificate.rules import ChildTrait, checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    ideal_of,
    need,
    read_index,
)

#: (i, k, c): x_i stands for x_i + c·x_k, or for c·x_i if i = k; (i, k, 0) exchanges them.
Step = tuple[int, int, Fraction]


@checked_rule(
    "linear",
    "{matrix: [[rational]]}",
    wording="Linear change of coordinates [harrison1975, watanabe2009]\n"
    "Substitute `{chart}`: an invertible linear change that leaves the variables of the "
    "prior alone. It multiplies volumes by a constant, so the pair stays.\n"
    "The ideal becomes {child}.",
    child=ChildTrait.EQUAL,
)
def linear_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """The pair in x is the pair in y with x = M·y.

    If M is invertible, and x_i = y_i for every variable with a prior (``theory/flows.md``).
    """
    need(statement.field is None, "linear: over Q only")
    width = statement.width
    matrix = [[read_fraction(c) for c in row] for row in data["matrix"]]
    need(len(matrix) == width and all(len(row) == width for row in matrix), "linear: the shape")
    # The factor |x_i|^h stays as it is, and the Jacobian is a number.
    for i, h in enumerate(statement.prior):
        unit = [Fraction(int(k == i)) for k in range(width)]
        need(not h or matrix[i] == unit, "linear: a variable with a prior is moved")
    cost.charge(cost.of_table(width, width, 25), "a matrix")
    generators = list(statement.generators)
    for step in _elementary(matrix):
        generators = [_substituted(g, *step) for g in generators]
    return solve_child(Statement(tuple(generators), statement.prior, statement.is_ideal))


def _elementary(matrix: list[list[Fraction]]) -> Iterator[Step]:
    """Substitutions that do the same one after the other."""
    reduced_matrix = [list(row) for row in matrix]
    size = len(reduced_matrix)
    for k in range(size):
        pivot = next((i for i in range(k, size) if reduced_matrix[i][k]), None)
        # A pivot in every column: the matrix is invertible.
        need(pivot is not None, "linear: the matrix is not invertible")
        assert pivot is not None
        if pivot != k:
            reduced_matrix[k], reduced_matrix[pivot] = reduced_matrix[pivot], reduced_matrix[k]
            yield k, pivot, Fraction(0)
        if reduced_matrix[k][k] != 1:
            c = reduced_matrix[k][k]
            bits = 2 * cost.bits_in(reduced_matrix[k])
            cost.charge(size * cost.of_rational(bits), "an elimination")
            reduced_matrix[k] = [a / c for a in reduced_matrix[k]]
            yield k, k, c
        for i in range(size):
            if i != k and reduced_matrix[i][k]:
                c = reduced_matrix[i][k]
                bits = (
                    cost.bits_in(reduced_matrix[i])
                    + cost.bits_in(reduced_matrix[k])
                    + cost.bits_in([c])
                )
                cost.charge(2 * size * cost.of_rational(bits), "an elimination")
                reduced_matrix[i] = [
                    a - c * b for a, b in zip(reduced_matrix[i], reduced_matrix[k], strict=True)
                ]
                yield i, k, c


def _substituted(p: Poly, i: int, k: int, c: Fraction) -> Poly:
    if not c:
        cost.charge(len(p) * (20 + 2 * len(next(iter(p), ()))), "a change of coordinates")
        return {tuple(m[_other(j, i, k)] for j in range(len(m))): a for m, a in p.items()}
    if i == k:
        bits = cost.bits_in(p.values()) + max(m[i] for m in p) * cost.bits_in([c])
        cost.charge(len(p) * cost.of_rational(bits), "a change of coordinates")
        return {m: a * c ** m[i] for m, a in p.items()}

    def place(m: tuple[int, ...], e: int) -> tuple[int, ...]:
        """x_i^e x_k^(n − e) of (x_i + c·x_k)^n."""
        placed = list(m)
        placed[i] = e
        placed[k] += m[i] - e
        return tuple(placed)

    return binomial_expansion(p, i, c, place)


def _other(j: int, i: int, k: int) -> int:
    return k if j == i else i if j == k else j


@checked_rule(
    "inner",
    "{inner: polynomial, outer: [polynomial], variable: index}",
    wording="A coordinate\n"
    "The generators depend on `{variable}` through `{inner}` alone, which is `{variable}` "
    "times a unit: it is a coordinate, and is called `{variable}` from here on. The pair "
    "is that of {child}.",
)
def inner(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """(g_k(x, h(y))) has the pair of (g_k(x, y)).

    If h(0) = 0 and h′(0) ≠ 0: then h(y) is a coordinate in place of y, and y times a unit, so that
    the prior |y|^p is |h(y)|^p times a positive function (``theory/certificates.md``).
    """
    need(statement.is_ideal, "inner: not an ideal")
    y = read_index(data["variable"], statement.width, "inner: no such variable")
    h = statement.polynomial(data["inner"])
    need(
        all(set(m) - {m[y]} <= {0} and sum(m) == m[y] > 0 for m in h) and any(m[y] == 1 for m in h),
        "inner: not a coordinate",
    )
    outer_polynomials = [statement.polynomial(g) for g in data["outer"]]
    need(len(outer_polynomials) == len(statement.generators), "inner: the number of generators")
    highest = max((m[y] for g in outer_polynomials for m in g), default=0)
    powers: list[Poly] = [{(0,) * statement.width: Fraction(1)}]
    # A power of higher degree is in no generator: this bounds what it costs.
    most = max(m[y] for g in statement.generators for m in g)
    need(highest * total_degree(h) <= most, "inner: the degree is too high")
    for _ in range(highest):
        powers.append(poly_product(powers[-1], h))
    for g, whole in zip(outer_polynomials, statement.generators, strict=True):
        parts = []
        for k in sorted({m[y] for m in g}):
            digit = {(*m[:y], 0, *m[y + 1 :]): c for m, c in g.items() if m[y] == k}
            parts.append(poly_product(digit, powers[k]))
        need(poly_sum(*parts) == whole, "inner: another generator")
    return solve_child(ideal_of(statement, outer_polynomials))
