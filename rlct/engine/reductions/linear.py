"""Linear coordinates in which polynomials are sums in separate variables."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from sympy import QQ, Poly, symbols
from sympy.polys.matrices import DomainMatrix

from rlct.algebra.polynomial import Polynomial, content_and_factors, to_fraction, total_degree
from rlct.engine import limits
from rlct.engine.germs import simplify
from rlct.engine.germs.family import weighted_initial_form
from rlct.engine.germs.generators import with_generators
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.engine.reductions.centre import Matrix, centre_elements
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.questions.problem import Germ


@germ_rule("linear", "independent", RuleTrait.OUTERMOST | RuleTrait.MOVES, keeps=SignTrait.CHANGES)
def linear_coordinates(germ: Germ) -> Step | None:
    """(g(M·y)) has the pair of (g(x)) for M invertible over Q; M is to separate variables.

    Condition: M keeps the variables of the prior; ``theory/flows.md`` proves how M is found.

    The matrices A with H·A symmetric for the Hessian H of every polynomial of a list are its
    centre.  An idempotent in it writes all of them as sums in separate variables, and
    conversely.  The lists are the generators, their lowest forms and the factors of those.
    The change is made if the generators, or at least their lowest forms, become shorter.
    """
    terms = sum(map(len, germ.generators))
    only_squares = germ.ring.ngens > limits.MOST_LINEAR_VARIABLES
    if germ.ring.ngens < 3 or terms > limits.MOST_LINEAR_TERMS:
        return None
    if only_squares and len(germ.generators) > 1:
        return None
    size_before = _size(germ)
    for polynomials in _lists(germ):
        # An orthogonal basis of one quadratic form needs no centre, which takes long.
        if only_squares and [total_degree(p) for p in polynomials] != [2]:
            continue
        matrix = _matrix(polynomials, germ)
        if matrix is None:
            continue
        child = with_generators(germ, substitute_linear(germ.generators, matrix))
        if _size(child) < size_before:
            rows = [encode_numbers(map(to_fraction, row)) for row in matrix]
            return Step("linear", (child,), same_bounds, {"matrix": rows})
    return None


def _lists(germ: Germ) -> Iterator[list[Polynomial]]:
    yield [g for g in germ.generators if len(g) > 1]
    ones = (Fraction(1),) * germ.ring.ngens
    for weight in (ones, _optimum(germ).weight):
        forms = [weighted_initial_form(g, weight) for g in germ.generators]
        yield forms
        form_factors = []
        for form in forms:
            if len(form) <= limits.MOST_FORM_TERMS:
                # A linear factor is to be a coordinate: its square says so to Hessians.
                form_factors += [
                    f**2 if total_degree(f) == 1 else f for f, _ in content_and_factors(form)[1]
                ]
        if form_factors:
            yield list(dict.fromkeys(form_factors))
        if all(w == weight[0] for w in weight):
            break


def _size(germ: Germ) -> tuple[Pair, int, int, int]:
    """Upper bound of the exponents; terms of lowest forms and of generators, simplified."""
    following = simplify.simplify_generators(germ)
    if following is not None:
        (child,) = following.children
        assert isinstance(child, Germ)
        germ = child
    ones = (Fraction(1),) * germ.ring.ngens
    optimum = _optimum(germ)
    lengths = [
        sum(len(weighted_initial_form(g, w)) for g in germ.generators)
        for w in (ones, optimum.weight)
    ]
    return optimum.pair, lengths[0], lengths[1], sum(map(len, germ.generators))


def _optimum(germ: Germ) -> MonomialOptimum:
    exponents = sorted({m for g in germ.generators for m in g.itermonoms()})
    return monomial_optimum(exponents, germ.prior)


def _matrix(polynomials: Sequence[Polynomial], germ: Germ) -> Matrix | None:
    """Coordinates that split as far as rational idempotents go; None if nothing splits."""
    size = germ.ring.ngens
    prior_variables = [i for i, h in enumerate(germ.prior) if h]
    coordinate_matrix: Matrix = [[QQ(int(i == k)) for k in range(size)] for i in range(size)]
    waiting_blocks, done = [list(range(size))], 0
    has_split = False
    while waiting_blocks:
        block = waiting_blocks.pop()
        moved = [_within(p, block) for p in substitute_linear(polynomials, coordinate_matrix)]
        block_split = _split([p for p in moved if p], block, prior_variables)
        if block_split is None:
            done += len(block)
            continue
        parts, columns = block_split
        coordinate_matrix = _product(coordinate_matrix, columns)
        has_split = True
        waiting_blocks += [part for part in parts if len(part) > 1]
    if not has_split:
        return None
    # The new coordinates are the rows of the inverse: integers without a common factor.
    inverse = DomainMatrix(coordinate_matrix, (size, size), QQ).inv().to_list()
    for j in range(size):
        if j not in prior_variables:
            scale = lcm(*(int(c.denominator) for c in inverse[j]))
            content = QQ(gcd(*(int(c * scale) for c in inverse[j])), scale)
            for row in coordinate_matrix:
                row[j] = row[j] * content
    large = max(
        max(abs(int(c.numerator)), int(c.denominator)) for row in coordinate_matrix for c in row
    )
    return coordinate_matrix if large <= limits.LARGEST_MATRIX_ENTRY else None


def _within(p: Polynomial, block: Sequence[int]) -> Polynomial:
    """P with the other variables 0, without linear terms."""
    inside = set(block)
    return p.ring.from_dict(
        {
            m: c
            for m, c in p.terms()
            if sum(m) > 1 and all(i in inside for i, e in enumerate(m) if e)
        }
    )


def _split(
    polynomials: Sequence[Polynomial], block_variables: list[int], prior_variables: Sequence[int]
) -> tuple[list[list[int]], Matrix] | None:
    """A decomposition of the space of the block, as groups of new variables and columns."""
    if not polynomials or len(block_variables) < 2:
        return None
    best_kernels: tuple[list[Matrix], int] | None = None
    for matrix in centre_elements(polynomials, block_variables, prior_variables):
        kernels = _kernels(matrix)
        count = len(kernels)
        if count > 1 and (best_kernels is None or count > best_kernels[1]):
            best_kernels = kernels, count
        if count == len(block_variables):
            break
    if best_kernels is None:
        return None
    size = polynomials[0].ring.ngens
    coordinate_matrix: Matrix = [[QQ(int(i == k)) for k in range(size)] for i in range(size)]
    free_variables = list(block_variables)
    vectors: list[tuple[int, list[Any]]] = []
    for number, kernel in enumerate(best_kernels[0]):
        vectors += [(number, vector) for vector in kernel]
    groups: dict[int, list[int]] = {}
    # Variables of the prior keep their places; others go where they have an entry.
    vectors.sort(
        key=lambda item: (_wall(item[1], block_variables, prior_variables) is None, item[0])
    )
    for number, vector in vectors:
        wall = _wall(vector, block_variables, prior_variables)
        places = (
            [wall]
            if wall is not None
            else [i for i in free_variables if vector[block_variables.index(i)]] or free_variables
        )
        chosen_variable = places[0]
        free_variables.remove(chosen_variable)
        scale = vector[block_variables.index(chosen_variable)] if wall is not None else QQ.one
        for row, i in enumerate(block_variables):
            coordinate_matrix[i][chosen_variable] = vector[row] / scale
        groups.setdefault(number, []).append(chosen_variable)
    return [sorted(group) for group in groups.values()], coordinate_matrix


def _wall(
    vector: Sequence[Any], block: Sequence[int], prior_variables: Sequence[int]
) -> int | None:
    entries = [i for i, v in zip(block, vector, strict=True) if v]
    return entries[0] if len(entries) == 1 and entries[0] in prior_variables else None


def _kernels(matrix: Matrix) -> list[Matrix]:
    """Kernels of the powers of the irreducible factors of the characteristic polynomial."""
    size = len(matrix)
    A = DomainMatrix(matrix, (size, size), QQ)
    x = symbols("x")
    factors = Poly(A.charpoly(), x, domain=QQ).factor_list()[1]
    if len(factors) < 2:
        return [matrix]
    factor_kernels = []
    for factor, multiplicity in factors:
        value = DomainMatrix.zeros((size, size), QQ)
        for c in factor.rep.to_list():
            value = value * A + DomainMatrix.eye(size, QQ) * c
        power = value
        for _ in range(multiplicity - 1):
            power = power * value
        factor_kernels.append(power.to_field().to_dense().nullspace().to_list())
    return factor_kernels


def _product(first: Matrix, second: Matrix) -> Matrix:
    columns = list(zip(*second, strict=True))
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), QQ.zero) for column in columns]
        for row in first
    ]


def substitute_linear(generators: Sequence[Polynomial], matrix: Matrix) -> list[Polynomial]:
    """Polynomials with x = M·y, one elementary substitution after the other."""
    generator_terms = [dict(g.terms()) for g in generators]
    matrix_rows = [list(row) for row in matrix]
    size = len(matrix_rows)

    def everywhere(i: int, k: int, c: Any) -> None:
        for index, terms in enumerate(generator_terms):
            generator_terms[index] = _sheared(terms, i, k, c)

    for k in range(size):
        pivot = next(i for i in range(k, size) if matrix_rows[i][k])
        if pivot != k:
            matrix_rows[k], matrix_rows[pivot] = matrix_rows[pivot], matrix_rows[k]
            for index, terms in enumerate(generator_terms):
                generator_terms[index] = {_exchanged(m, k, pivot): c for m, c in terms.items()}
        if matrix_rows[k][k] != 1:
            c = matrix_rows[k][k]
            matrix_rows[k] = [a / c for a in matrix_rows[k]]
            for index, terms in enumerate(generator_terms):
                generator_terms[index] = {m: a * c ** m[k] for m, a in terms.items()}
        for i in range(size):
            if i != k and matrix_rows[i][k]:
                c = matrix_rows[i][k]
                matrix_rows[i] = [
                    a - c * b for a, b in zip(matrix_rows[i], matrix_rows[k], strict=True)
                ]
                everywhere(i, k, c)
    return [g.ring.from_dict(terms) for g, terms in zip(generators, generator_terms, strict=True)]


def _exchanged(m: tuple[int, ...], i: int, k: int) -> tuple[int, ...]:
    moved = list(m)
    moved[i], moved[k] = m[k], m[i]
    return tuple(moved)


def _sheared(terms: dict[tuple[int, ...], Any], i: int, k: int, c: Any) -> dict[Any, Any]:
    """Terms with x_i + c·x_k in place of x_i."""
    total: dict[tuple[int, ...], Any] = {}
    for m, a in terms.items():
        value, binomial = a, 1
        for e in range(m[i], -1, -1):
            moved = list(m)
            moved[i], moved[k] = e, m[k] + m[i] - e
            key = tuple(moved)
            total[key] = total.get(key, QQ.zero) + value * binomial
            binomial = binomial * e // (m[i] - e + 1)
            value = value * c
    return {m: a for m, a in total.items() if a}
