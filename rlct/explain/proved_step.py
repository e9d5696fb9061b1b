"""A step of a proof as the wordings see it: its germ, evidence and children as short texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rlct.blowup.replay import Node
from rlct.blowup.writing import polynomial_text, power_text
from rlct.certificate.boxes.plane_box import Box
from rlct.certificate.family import GermFamily
from rlct.certificate.numbers.arithmetic import Poly, read_polynomial
from rlct.certificate.statement import Statement
from rlct.pair import Pair

_LONGEST_SUM = 120  # characters of a polynomial
_LONGEST_LIST = 240  # of several
_MOST_ITEMS = 8  # items of a list


@dataclass(frozen=True)
class Words:
    """What is said about one step."""

    title: str
    #: Sentences with formulas between backticks, before the steps that it leads to.
    text: tuple[str, ...]
    #: Sentences after them.
    then: tuple[str, ...] = ()
    #: Page of ``theory`` with the proof of the rule, if not the one that its docstring names.
    page: str = ""
    sources: tuple[str, ...] = ("watanabe2009",)
    #: Why the rule holds, for the first step that uses it.
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProofBranch:
    """A node of a proof, of a germ, of a box or of the zeros in a cell."""

    node: Node
    box: Box | None = None
    children: tuple[ProofBranch, ...] = field(default=())
    left_out: bool = False
    literals: tuple[str, ...] | None = None  # of a cell, on which the equations are not all 0
    equations: tuple[str, ...] = ()
    same_as: int | None = None  # the sibling whose argument is this one's
    definition: tuple[str, str] | None = None  # the name of a new coordinate, and what it is

    @property
    def size(self) -> int:
        """Number of steps, this one included."""
        return 1 + sum(child.size for child in self.children)

    @property
    def shown_steps(self) -> int:
        """Number of steps that are shown."""
        if self.left_out or self.same_as is not None:
            return 0 if self.left_out else 1
        return 1 + sum(child.shown_steps for child in self.children)


def end_cells(branch: ProofBranch) -> Iterator[ProofBranch]:
    """Cells that lead to no other cell, from the first on."""
    if branch.literals is not None and all(child.literals is None for child in branch.children):
        yield branch
    for child in branch.children:
        yield from end_cells(child)


@dataclass(frozen=True)
class ProvedStep:
    """A step with the labels of the steps that it leads to."""

    branch: ProofBranch
    labels: tuple[str, ...]

    @property
    def node(self) -> Node:
        """The step of the proof."""
        return self.branch.node

    @property
    def data(self) -> Mapping[str, Any]:
        """Its evidence."""
        return self.node.data

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return self.node.names

    @property
    def locals(self) -> int:
        """Number of variables that vanish at the points in question."""
        statement = self.node.statement
        return statement.locals if isinstance(statement, GermFamily) else len(self.names)

    @property
    def generators(self) -> tuple[Poly, ...]:
        """Polynomials of the step."""
        if self.branch.box is not None:
            return self.branch.box.generators
        return () if self.node.statement is None else self.node.statement.generators

    @property
    def children(self) -> tuple[Node, ...]:
        """The steps that it leads to."""
        return tuple(child.node for child in self.branch.children)

    def read(self, data: Any) -> Poly:
        """Polynomial of the evidence."""
        statement = self.node.statement
        if isinstance(statement, Statement | GermFamily):
            return statement.polynomial(data)
        return read_polynomial(data, len(self.names))

    def poly(self, data: Any) -> str:
        """Polynomial of the evidence as text."""
        return shortened_polynomial(self.read(data), self.names)

    def list(self, polynomials: Iterable[Poly]) -> str:
        """Polynomials as a list of formulas."""
        return joined_items(f"`{shortened_polynomial(p, self.names)}`" for p in polynomials)

    def child(self, index: int = 0) -> str:
        """The ideal of a child."""
        node, box = self.children[index], self.branch.children[index].box
        if box is not None:
            return f"`({polynomials_text(box.generators, node.names)})`"
        if node.statement is None:
            return "what is left"
        return f"`({polynomials_text(node.statement.generators, node.names)})`"

    def pair(self, index: int) -> str:
        """Pair or bounds of a child."""
        return bounds_formula(self.children[index].lower, self.children[index].upper)

    @property
    def prior(self) -> tuple[Fraction, ...]:
        """Exponents h of the prior, one for each variable."""
        return self.branch.box.prior if self.branch.box is not None else self.node.prior

    @property
    def result(self) -> str:
        """Pair or bounds of the step."""
        return bounds_formula(self.node.lower, self.node.upper)

    def combined(self, sign: str) -> str:
        """The numbers of the children put together, as an equation for λ."""
        lams = [child.lower.lam for child in self.children]
        lam_sum = f" {sign} ".join(map(str, lams))
        return f"`λ = {lam_sum}`" if len(lams) == 1 else f"`λ = {lam_sum} = {self.node.lower.lam}`"

    @property
    def settled(self) -> bool:
        """Whether the step and all its children determine their pairs."""
        return self.node.exact and all(child.exact for child in self.children)


def shortened_polynomial(polynomial: Poly, names: Sequence[str]) -> str:
    """A polynomial, cut after a whole term if it is long.

    >>> shortened_polynomial({(1, 0): Fraction(2), (0, 3): Fraction(-1)}, ["x", "y"])
    '2*x - y^3'
    """
    full_text = polynomial_text(polynomial, names)
    if len(full_text) <= _LONGEST_SUM:
        return full_text
    cut = max(full_text.rfind(sign, 0, _LONGEST_SUM) for sign in (" + ", " - "))
    return f"{full_text[: cut if cut > 0 else _LONGEST_SUM]} + …"


def polynomials_text(polynomials: Sequence[Poly], names: Sequence[str]) -> str:
    """Polynomials as a list; the last are left out if it is long.

    >>> polynomials_text([{(1,): Fraction(1)}, {(2,): Fraction(3)}], ["x"])
    'x, 3*x^2'
    """
    texts: list[str] = []
    for polynomial in polynomials:
        text = shortened_polynomial(polynomial, names)
        if texts and len(", ".join([*texts, text])) > _LONGEST_LIST:
            return ", ".join([*texts, "…"])
        texts.append(text)
    return ", ".join(texts)


def prior_text(names: Sequence[str], exponents: Sequence[Fraction]) -> str:
    """A prior with its preposition, nothing if it is constant.

    >>> prior_text(["x", "y"], [Fraction(2), Fraction(1, 2)])
    ' with prior `|x|^2*|y|^(1/2)`'
    """
    factors = [
        f"|{n}|" if h == 1 else f"|{n}|^{h if h.denominator == 1 else f'({h})'}"
        for n, h in zip(names, exponents, strict=True)
        if h
    ]
    return f" with prior `{'*'.join(factors)}`" if factors else ""


def quoted_names(names: Iterable[str]) -> str:
    """Names as formulas.

    >>> quoted_names(["x", "y"])
    '`x` and `y`'
    """
    return joined_items(f"`{name}`" for name in names)


def joined_items(items: Iterable[str], most: int = _MOST_ITEMS) -> str:
    """Join items as in a sentence; of many only the first are named.

    >>> joined_items(["a", "b", "c"]), joined_items("abcd", 2)
    ('a, b and c', 'a, b and 2 more')
    """
    texts = list(items)
    if len(texts) > most:
        return f"{', '.join(texts[:most])} and {len(texts) - most} more"
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def tuple_text(values: Iterable[object], most: int = 24) -> str:
    """A tuple as text.

    >>> tuple_text([Fraction(1, 2), 3])
    '(1/2, 3)'
    """
    texts = [str(v) for v in values]
    return f"({', '.join(texts[:most] + ['…'] * (len(texts) > most))})"


def pair_formula(pair: Pair) -> str:
    """A pair as a formula."""
    return f"`λ = {pair.lam}`, `θ = {pair.theta}`"


def bounds_formula(lower: Pair, upper: Pair | None) -> str:
    """A pair or bounds as formulas.

    >>> bounds_formula(Pair.of(1, 3), Pair.of(1, 2)), bounds_formula(Pair.of(1, 2), None)
    ('`λ = 1`, `2 ≤ θ ≤ 3`', '`λ ≥ 1`')
    """
    if lower == upper:
        return pair_formula(lower)
    if upper is None:
        return f"`λ ≥ {lower.lam}`"
    if lower.lam == upper.lam:
        if not upper.theta:
            return f"`λ = {lower.lam}`, no `θ`"
        return f"`λ = {lower.lam}`, `{upper.theta} ≤ θ ≤ {lower.theta}`"
    return f"`{lower.lam} ≤ λ ≤ {upper.lam}`"


def monomial_text(exponents: Sequence[int], names: Sequence[str]) -> str:
    """A monomial as text."""
    powers = [power_text(n, e) for n, e in zip(names, exponents, strict=True) if e]
    return "*".join(powers) or "1"


StepWording = Callable[[ProvedStep], Words]

#: Wordings by the name of their rule, and whether it is one for questions over a box.
RULE_WORDINGS: dict[tuple[str, bool], StepWording] = {}


def words_for(rule: str, *, box: bool = False) -> Callable[[StepWording], StepWording]:
    """Tell the steps of a rule by a function, for words that need more than a few numbers."""

    def kept(wording: StepWording) -> StepWording:
        return RULE_WORDINGS.setdefault((rule, box), wording)

    return kept
