"""The answer: every route to the pair, and their agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlct.answers.document import claim
from rlct.errors import RoutesDisagreeError
from rlct.pair import Pair, text_of_bounds
from rlct.system.options import seconds
from rlct.system.time_limit import Budget
from rlct.theorems.arguments import text_of
from rlct.theorems.base import AppliedTheorem
from rlct.theorems.evidence import status_text

if TYPE_CHECKING:
    from rlct.blowup.pole import Pole

_POLYNOMIAL_QUESTIONS = ("Problem", "BoxProblem")  # names of classes that import sympy


@dataclass(frozen=True)
class Route:
    """One way to the pair, independent of the others."""

    #: For example ``"theorem deep-linear"`` or ``"engine: squares, monomial"``.
    method: str
    #: What it proves; equal when it is exact.
    lower: Pair | None
    upper: Pair | None
    #: Citations.
    sources: tuple[str, ...] = ()
    #: ``statement``, ``truth`` and ``evidence`` of each hypothesis that was checked.
    hypotheses: tuple[Mapping[str, str], ...] = field(default=(), hash=False)
    #: Name of the theorem, if it is one.
    title: str = ""
    #: What the theorem was given.
    arguments: Mapping[str, str] = field(default_factory=dict, hash=False)
    #: Numbers on the way to its value.
    working: tuple[str, ...] = ()
    #: What it rests on that is neither computed nor said by the question.
    assumptions: tuple[str, ...] = ()
    #: The parameter at which it holds, if the question is about others too.
    where: str = ""
    #: JSON-able proof of what it says, if the answer rests on another one.
    certificate: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def excess(self) -> Fraction:
        """How much larger λ is for the equations of its certificate than for what is asked."""
        if self.certificate is None or self.lower is None:
            return Fraction(0)
        return Fraction(self.certificate["proof"]["lower"][0]) - self.lower.lam

    @property
    def exact(self) -> bool:
        """Whether this route determines the pair."""
        return self.lower is not None and self.lower == self.upper

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "method": self.method,
            **claim(self.lower, self.upper),
            "sources": list(self.sources),
            "hypotheses": [dict(h) for h in self.hypotheses],
        }


@dataclass(frozen=True)
class Result:
    """λ and θ of a question, exactly or between bounds.

    Answers compare, hash, pickle and copy, so that they may be keys, be stored, and come back from
    other processes.

    Attributes
    ----------
    routes : tuple of Route
        All that was proved; the first is the one reported as ``method``.
    where : str
        Which question it answers: the value at a point, over a fibre or over a set.
    certificate : mapping or None
        JSON-able proof for `rlct.verify`; a copy, so that who edits it does not edit the answer.
    asked : object or callable
        The `Problem` or model asked about, or what makes it, which may take long.
    notes : tuple of str
        What a careful reader should know.
    """

    routes: tuple[Route, ...]
    where: str
    _document: Mapping[str, Any] | None = field(hash=False)
    asked: Any = field(hash=False)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse routes that contradict each other: one of them has a bug."""
        for below in self.routes:
            for above in self.routes:
                if below.lower and above.upper and below.lower > above.upper:
                    raise RoutesDisagreeError(
                        f"{below.method} proves {below.lower} as a lower bound, "
                        f"{above.method} proves {above.upper} as an upper bound; please report it"
                    )

    @classmethod
    def of(
        cls,
        routes: Sequence[Route],
        where: str,
        certificate: Mapping[str, Any] | None,
        asked: Any,
        notes: Sequence[str] = (),
    ) -> Result:
        """Order the routes, exact ones first, and check that they agree."""
        ordered = tuple(sorted(routes, key=lambda route: not route.exact))
        return cls(ordered, where, certificate, asked, tuple(notes))

    @property
    def certificate(self) -> Mapping[str, Any] | None:
        """JSON-able proof for `rlct.verify`."""
        return None if self._document is None else _copied(self._document)

    @cached_property
    def question(self) -> Any:
        """The `Problem` or model asked about, or None."""
        return self.asked() if callable(self.asked) else self.asked

    @cached_property
    def bounds(self) -> tuple[Pair | None, Pair | None]:
        """The best lower and upper pair that the routes prove; equal if exact."""
        return best_bounds(self.routes)

    @property
    def status(self) -> str:
        """``"exact"`` (λ and θ proved) or ``"bounds"``."""
        return "bounds" if self.pair is None else "exact"

    @property
    def lam(self) -> Fraction | None:
        """λ, if it is determined (θ may still be open)."""
        lower, upper = self.bounds
        return lower.lam if lower and upper and lower.lam == upper.lam else None

    @property
    def theta(self) -> int | None:
        """θ, if it is determined."""
        return self.pair.theta if self.pair else None

    @property
    def pair(self) -> Pair | None:
        """Both, if exact."""
        lower, upper = self.bounds
        return lower if lower == upper else None

    @property
    def lower(self) -> Fraction:
        """Proved lower bound of λ, 0 if there is none."""
        lower = self.bounds[0]
        return Fraction(0) if lower is None else lower.lam

    @property
    def low_end(self) -> str:
        """What the line of the answer says before λ: of a polynomial that is not 0, λ > 0."""
        if self.bounds[0] is not None:
            return f"{self.lower} ≤"
        return "0 <" if type(self.asked).__name__ in _POLYNOMIAL_QUESTIONS else "0 ≤"

    @property
    def upper(self) -> Fraction | None:
        """Proved upper bound of λ, None if there is none."""
        upper = self.bounds[1]
        return None if upper is None else upper.lam

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Hypotheses of a model that who asks vouches for, beyond what the question says."""
        # The engine on the polynomials of a model assumes of its inputs what the theorem does.
        return next((route.assumptions for route in self.routes if route.hypotheses), ())

    def assuming(self, statement: str) -> Result:
        """The same where K of a model is comparable with the polynomials only if this is so."""
        reason = "so that K is comparable with the polynomials"
        given = {"statement": statement, "truth": "given", "evidence": reason}
        routes = (
            replace(
                route,
                hypotheses=(*route.hypotheses, given),
                assumptions=(*route.assumptions, statement),
            )
            for route in self.routes
        )
        return replace(self, routes=tuple(routes)) if statement else self

    @property
    def standing(self) -> str:
        """The status with what it rests on: ``"exact"``, or "exact if: …"."""
        return status_text(self.status, self.assumptions)

    @property
    def method(self) -> str:
        """The route reported first."""
        return self.routes[0].method

    @property
    def sources(self) -> tuple[str, ...]:
        """Citations of all routes, each once."""
        return tuple(dict.fromkeys(s for route in self.routes for s in route.sources))

    def poles(self, timeout: float | None = None) -> tuple[Pole, ...]:
        """Decide the candidate poles of ∫ K^z φ at the point: those above −2, and twenty at least.

        Parameters
        ----------
        timeout : float, optional
            Seconds after which what is not decided is left open.

        Returns
        -------
        tuple of Pole
            Each has ``z``, ``order``, ``status`` ("pole" for some smooth φ, "none", "open"),
            ``why``, and the ``functional`` of φ if it is one of φ at the point.

        Examples
        --------
        >>> import rlct
        >>> first, *_ = rlct.ideal(["x**2 - y**3"]).poles()
        >>> str(first.z), first.order, first.status, round(first.value[0], 6)
        ('-5/12', 1, 'pole', 3.317598)
        """
        from rlct.blowup.pole_table import pole_table, proof_root

        clock = Budget(seconds(timeout))
        root = proof_root(self.question, self.certificate)
        return pole_table(self.question, self.pair, root, clock, functional=True)

    def explain(self, format: str = "text", *, most: int = 40, width: int = 88) -> str:
        """Tell the argument step by step, each step with its rule and its source.

        Parameters
        ----------
        format : str
            ``"text"``, ``"markdown"``, ``"latex"`` (the body of a document) or ``"html"`` (an
            article without scripts).
        most : int
            Steps of the proof that are shown; branches that do not decide the answer go first.
        width : int
            Characters of a line of text.

        Raises
        ------
        InputError
            If there is no such format.

        Examples
        --------
        >>> import rlct
        >>> print(rlct.poly("x**2*y**4").explain().splitlines()[0])
        λ = 1/4, θ = 1
        """
        from rlct.explain.render import explain_result

        return explain_result(self, format, most=most, width=width)

    def cite(self) -> str:
        """BibTeX of everything that the answer rests on.

        Examples
        --------
        >>> import rlct
        >>> print(rlct.poly("x**2*y**4").cite().splitlines()[0])
        @article{howald2001,
        """
        from rlct.explain.cite import bibtex
        from rlct.explain.explanation import Explanation

        return bibtex(Explanation.of(self).sources)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as in ``rlct … --json``."""
        return {
            "schema": "rlct/1",
            **claim(*self.bounds),
            "method": self.method,
            "sources": list(self.sources),
            "assumptions": list(self.assumptions),
            "where": self.where,
            "hypotheses": [dict(h) for h in self.routes[0].hypotheses],
            "routes": [route.to_dict() for route in self.routes],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        answer_text = text_of_bounds(*self.bounds, f"{self.low_end} ")
        return f"{answer_text} ({self.standing}; {self.where}; {self.method})"

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        """The answer as a formula, for notebooks and documents."""
        from rlct.explain.explanation import answer_of
        from rlct.report.mathematics import latex

        return latex(answer_of(self)).replace("$, $", r",\; ")

    def _repr_html_(self) -> str:
        """Rich form for notebooks: the answer, a table of the routes, and the argument to open."""
        from rlct.report.page import result_html

        return result_html(self)


def best_bounds(routes: Sequence[Route]) -> tuple[Pair | None, Pair | None]:
    """The best lower and upper pair of some routes."""
    lowers = [route.lower for route in routes if route.lower is not None]
    uppers = [route.upper for route in routes if route.upper is not None]
    return max(lowers, default=None), min(uppers, default=None)


def _copied(value: Any) -> Any:
    """Copy objects and lists of a JSON document; `copy.deepcopy` takes ten times as long."""
    if isinstance(value, Mapping):
        return {name: _copied(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_copied(part) for part in value)
    return value


def theorem_route(application: AppliedTheorem) -> Route:
    """Turn an applied theorem into a route."""
    bounds = application.bounds
    return Route(
        f"theorem {application.theorem.id}" + (f" ({bounds.rule})" if bounds else ""),
        bounds.lower if bounds else application.pair,
        bounds.upper if bounds else application.pair,
        application.theorem.sources,
        tuple(finding.to_dict() for finding in application.findings),
        application.theorem.title,
        {name: text_of(value) for name, value in application.arguments.items()},
        application.working,
        application.assumptions,
    )
