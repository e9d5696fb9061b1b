"""What a theorem is: a formula with hypotheses, sources, instances and counterexamples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.system.bibliography import full_citation
from rlct.theorems.arguments import (
    Arguments,
    Kind,
    Parameter,
    Truth,
    bind_arguments,
    first_sentence,
    parse_arguments,
    text_of,
)
from rlct.theorems.evidence import (
    BY_ENGINE,
    TheoremBounds,
    ValueConfirmation,
    sharper_bounds,
    status_text,
)
from rlct.theorems.working import recorded_steps

__all__ = [
    "AppliedTheorem",
    "Arguments",
    "Counterexample",
    "Finding",
    "Instance",
    "Theorem",
    "TheoremBounds",
]


@dataclass(frozen=True)
class Finding:
    """A hypothesis, whether it holds here, and why we think so."""

    statement: str
    truth: Truth
    evidence: str

    @classmethod
    def of(cls, statement: str, holds: bool, evidence: str) -> Finding:
        """Build a finding that was decided by computation."""
        return cls(statement, Truth.TRUE if holds else Truth.FALSE, evidence)

    def to_dict(self) -> dict[str, str]:
        """Return the JSON form."""
        return {"statement": self.statement, "truth": self.truth.value, "evidence": self.evidence}


@dataclass(frozen=True)
class Instance:
    """A value known independently of the formula; the page of the theorem says from where."""

    #: By name; a theorem names values that are given in the order of its parameters.
    arguments: Any
    #: The true pair.  None, where only bounds are claimed, if nobody knows it.
    pair: Pair | None
    #: How a program confirms the true pair.
    confirmed: tuple[ValueConfirmation, ...] = (BY_ENGINE,)
    #: What a theorem of kind ``"bound"`` must answer here.
    bounds: TheoremBounds | None = None


@dataclass(frozen=True)
class Counterexample:
    """A question where one hypothesis fails and the formula is wrong.

    The page of the theorem proves ``truth``, in the row of its table that has these arguments.
    """

    #: Name of the false `Parameter`, or part of the statement that `hypotheses` finds false.
    hypothesis: str
    #: What the formula was given, as for an `Instance`; that a `Parameter` is false is added.
    arguments: Any
    #: The right answer, or proved bounds that exclude the formula's.
    truth: Pair | TheoremBounds
    #: The true question, K = Σ g² at the origin, so that another route can recompute it; none if it
    #: is the theorem's own question at these arguments, or no polynomial.
    generators: tuple[str, ...] = ()
    nonneg: tuple[str, ...] = ()
    prior: str | None = None
    #: As for an `Instance`.
    confirmed: tuple[ValueConfirmation, ...] = (BY_ENGINE,)

    @classmethod
    def against(
        cls,
        hypothesis: str,
        arguments: Any,
        truth: str | tuple[str, int] | Pair | TheoremBounds,
        generators: str | tuple[str, ...] = (),
        **further: Any,
    ) -> Counterexample:
        """Deny a hypothesis; the truth may be λ or (λ, θ), and ``;`` parts generators."""
        if isinstance(truth, (str, tuple)):
            truth = Pair.of(truth) if isinstance(truth, str) else Pair.of(*truth)
        if isinstance(generators, str):
            generators = tuple(generators.split("; "))
        return cls(hypothesis, arguments, truth, generators, **further)


@dataclass(frozen=True)
class AppliedTheorem:
    """A theorem applied to arguments."""

    theorem: Theorem
    arguments: Arguments
    findings: tuple[Finding, ...]
    #: The exact value; None if the theorem is a bound or a hypothesis is undecided.
    pair: Pair | None
    #: What is proved instead, if anything.
    bounds: TheoremBounds | None = None
    #: Numbers on the way to it, for explanations; see `rlct.theorems.working.step`.
    working: tuple[str, ...] = ()
    #: What the formula says if what the user was to vouch for, and did not, is true.
    conditional: Pair | TheoremBounds | None = None

    @property
    def lost(self) -> str:
        """Why no bound is left, if there is none."""
        open_parameters = [
            parameter
            for parameter in self.theorem.parameters
            if self.arguments[parameter.name] is Truth.OPEN
        ]
        for parameter in open_parameters:
            if parameter.fallback_text.startswith("nothing: "):
                return parameter.fallback_text.removeprefix("nothing: ")
        below = " and ".join(p.name for p in open_parameters if not p.lower)
        above = " and ".join(p.name for p in open_parameters if not p.upper)
        # What keeps one side of a value keeps nothing if the theorem has none on that side.
        return ", ".join(
            f"none from {side}" + (f" without {names}" if names else "")
            for side, names in (("below", below), ("above", above))
        )

    @property
    def exact(self) -> bool:
        """Whether the value is proved."""
        return self.pair is not None

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the value rests on that is neither computed nor said by the question itself."""
        return self.theorem.assumptions_of(self.arguments)

    @property
    def standing(self) -> str:
        """Its status with what it assumes."""
        return status_text("exact" if self.exact else "bounds", self.assumptions)

    def of_polynomial(self) -> AppliedTheorem:
        """The same of a question that is K with its prior: it says all that others vouch for."""
        arguments = {n: Truth.TRUE if v is Truth.GIVEN else v for n, v in self.arguments.items()}
        findings = tuple(
            replace(finding, truth=Truth.TRUE, evidence="K and its prior are the question")
            if finding.truth is Truth.GIVEN
            else finding
            for finding in self.findings
        )
        return replace(self, arguments=arguments, findings=findings)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: the answer, how it was found and what it rests on."""
        lower = self.bounds.lower if self.bounds else self.pair
        upper = self.bounds.upper if self.bounds else self.pair
        known = lower is not None and upper is not None and lower.lam == upper.lam
        return {
            "status": "exact" if self.exact else "bounds",
            "lambda": str(lower.lam) if known and lower is not None else None,
            "theta": None if self.pair is None else self.pair.theta,
            "lower": "0" if lower is None else str(lower.lam),
            "upper": None if upper is None else str(upper.lam),
            "rule": self.bounds.rule if self.bounds else None,
            "conditional": None if self.conditional is None else str(self.conditional),
            "method": f"theorem {self.theorem.id}",
            "sources": list(self.theorem.sources),
            "hypotheses": [finding.to_dict() for finding in self.findings],
            "assumptions": list(self.assumptions),
            "where": self.theorem.where,
            "arguments": {name: text_of(value) for name, value in self.arguments.items()},
        }


def _settled(value: Pair | TheoremBounds) -> Pair | TheoremBounds:
    """Bounds that meet are a value."""
    if isinstance(value, TheoremBounds) and value.lower is not None and value.lower == value.upper:
        return value.lower
    return value


@dataclass(frozen=True)
class Theorem:
    """A closed form with everything needed to state, check and doubt it.

    A theorem file defines one as ``THEOREM``; nothing else needs editing.
    """

    #: Names the page ``theory/<id>.md``, which states the theorem.
    id: str
    title: str
    model: str
    #: At which parameter the value holds.
    where: str
    #: Keys of ``theory/references.bib``, each with the place in the work or a remark after it.
    cites: tuple[str, ...]
    #: The arguments; those of kind ``GIVEN`` are hypotheses by themselves.
    parameters: tuple[Parameter, ...]
    #: Bound arguments → the hypotheses that can be decided by computation.
    hypotheses: Callable[[Arguments], tuple[Finding, ...]]
    #: Bound arguments → the pair, or the `TheoremBounds`.  Only called by `apply` when no finding
    #: is false.  It passes the numbers on its way to `rlct.theorems.working.step`.
    value: Callable[[Arguments], Pair | TheoremBounds]
    #: At least three.
    instances: tuple[Instance, ...]
    #: At least one.
    counterexamples: tuple[Counterexample, ...]
    #: Bound arguments → the polynomial question that the engine can answer, or None.
    question: Callable[[Arguments], object | None] = field(default=lambda arguments: None)
    #: A question → arguments of this theorem, or None if it does not apply.
    recognise: Callable[[object], Arguments | None] = field(default=lambda question: None)
    #: ``"exact"`` or ``"bound"``.
    kind: str = "exact"
    #: Bound arguments → what is still proved if a hypothesis is undecided, or None, beside what
    #: `Parameter.lower` and `Parameter.upper` say.  It may rest only on given hypotheses that the
    #: arguments say are true, and on none that computation can leave open.
    fallback: Callable[[Arguments], TheoremBounds | None] = field(default=lambda arguments: None)
    #: Bound arguments → those of the given hypotheses that they prove, with the evidence; who
    #: denies one or leaves it open is not overruled.
    decided: Callable[[Arguments], Mapping[str, str]] = field(default=lambda arguments: {})
    #: Bound arguments → what given hypotheses say there, if it is less than `Parameter.help`.
    statements: Callable[[Arguments], Mapping[str, str]] = field(default=lambda arguments: {})
    #: Bound arguments → exact rank of the Jacobian at the parameter in question, computed without
    #: the formula, or None.
    rank: Callable[[Arguments], int | None] = field(default=lambda arguments: None)

    def __post_init__(self) -> None:
        names = [parameter.name for parameter in self.parameters]

        def named(case: Any) -> Any:
            arguments, denied = case.arguments, getattr(case, "hypothesis", None)
            if isinstance(arguments, tuple):
                arguments = dict(zip(names[: len(arguments)], arguments, strict=True))
            falsehood = {denied: Truth.FALSE} if denied in names else {}
            return replace(case, arguments={**arguments, **falsehood})

        object.__setattr__(self, "instances", tuple(map(named, self.instances)))
        object.__setattr__(self, "counterexamples", tuple(map(named, self.counterexamples)))

    def assumptions_of(self, arguments: Arguments) -> tuple[str, ...]:
        """The hypotheses that neither computation nor the question says, if none is open."""
        stated = self.statements(arguments)
        return tuple(
            first_sentence(stated.get(parameter.name, parameter.help))
            for parameter in self.parameters
            if parameter.kind is Kind.GIVEN and not parameter.posed
            if arguments.get(parameter.name, Truth.GIVEN) is Truth.GIVEN
        )

    @property
    def sources(self) -> tuple[str, ...]:
        """Full citations."""
        return tuple(map(full_citation, self.cites))

    def parse(self, texts: Iterable[str]) -> dict[str, Any]:
        """Read ``name=value`` texts into arguments of `apply`."""
        return parse_arguments(self.parameters, texts)

    def bind(self, arguments: Arguments) -> dict[str, Any]:
        """Check the names and kinds of arguments and fill in the defaults."""
        return bind_arguments(self.parameters, arguments)

    def findings(self, **arguments: Any) -> tuple[Finding, ...]:
        """Check every hypothesis, without refusing those that fail."""
        bound = self.bind(arguments)
        decided_findings = self.hypotheses(bound)
        return (*decided_findings, *self._vouched(bound, decided_findings)[1])

    def _vouched(
        self, bound_arguments: dict[str, Any], decided_findings: Sequence[Finding]
    ) -> tuple[dict[str, Any], tuple[Finding, ...]]:
        """What the arguments say of the hypotheses that not every argument decides."""
        asked = all(finding.truth is not Truth.FALSE for finding in decided_findings)
        proved_names = {
            name: evidence
            for name, evidence in (self.decided(bound_arguments) if asked else {}).items()
            if bound_arguments[name] is Truth.GIVEN
        }
        settled = {**bound_arguments, **dict.fromkeys(proved_names, Truth.TRUE)}
        stated = self.statements(bound_arguments) if asked else {}
        return settled, tuple(
            Finding(
                stated.get(parameter.name, parameter.help),
                settled[name],
                proved_names.get(name) or name + "=false" * (settled[name] is Truth.FALSE),
            )
            for parameter in self.parameters
            if parameter.kind is Kind.GIVEN
            for name in (parameter.name,)
        )

    def apply(self, **arguments: Any) -> AppliedTheorem:
        """Check the hypotheses and evaluate the formula.

        ``pair`` is None if a hypothesis is undecided or only a bound is claimed.  InputError if a
        hypothesis is false: then the formula has nothing to say about the question.
        """
        bound_arguments = self.bind(arguments)
        decided_findings = self.hypotheses(bound_arguments)
        bound_arguments, vouched_findings = self._vouched(bound_arguments, decided_findings)
        findings = (*decided_findings, *vouched_findings)
        for finding in findings:
            if finding.truth is Truth.FALSE:
                raise InputError(
                    f"{self.id} does not apply: it needs that {finding.statement} "
                    f"({finding.evidence})"
                )
        if not all(finding.truth.held for finding in findings):
            with recorded_steps() as lines:
                rest = self.fallback(bound_arguments)
                settled = all(finding.truth is Truth.TRUE for finding in decided_findings)
                would = _settled(self.value(bound_arguments)) if settled else None
            left = sharper_bounds(rest, self._left(bound_arguments, would))
            return AppliedTheorem(self, bound_arguments, findings, None, left, tuple(lines), would)
        with recorded_steps() as lines:
            value = self.value(bound_arguments)
        if isinstance(value, Pair):
            return AppliedTheorem(self, bound_arguments, findings, value, None, tuple(lines))
        exact = _settled(value)
        pair = exact if isinstance(exact, Pair) else None
        return AppliedTheorem(self, bound_arguments, findings, pair, value, tuple(lines))

    def _left(self, bound: Arguments, would: Pair | TheoremBounds | None) -> TheoremBounds | None:
        """Keep the sides of the value that what was left open cannot move."""
        if would is None:
            return None
        value = TheoremBounds("", would, would) if isinstance(would, Pair) else would
        open_parameters = [p for p in self.parameters if bound[p.name] is Truth.OPEN]
        low = high = None
        if value.lower is not None and all(parameter.lower for parameter in open_parameters):
            rule = " and ".join(dict.fromkeys(parameter.lower for parameter in open_parameters))
            low = TheoremBounds(rule, lower=value.lower)
        if value.upper is not None and all(parameter.upper for parameter in open_parameters):
            rule = " and ".join(dict.fromkeys(parameter.upper for parameter in open_parameters))
            high = TheoremBounds(rule, upper=value.upper)
        return sharper_bounds(low, high)

    def formula(self, **arguments: Any) -> Pair | TheoremBounds:
        """Evaluate the formula without asking whether it applies (for counterexamples)."""
        return self.value(self.bind(arguments))

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of the list of theorems."""
        return {
            "id": self.id,
            "title": self.title,
            "model": self.model,
            "kind": self.kind,
            "sources": list(self.sources),
        }
