"""What a report says of a claim, beside what was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from validation.audit.row import Fact
from validation.framework.against import Recorded, contradictions, otherwise
from validation.framework.claim import Claim, Verdict, number
from validation.framework.estimate import Estimate
from validation.framework.experiment import Finding
from validation.framework.extent import judged

__all__ = ["shown"]

FULL = "Of the full run:"
_NAMED = 3  # parts that a sentence names; the list has them all


def _because(finding: Finding, parts: Sequence[Claim]) -> str:
    """Why a claim is undecided; nothing if it is not."""
    if finding.unfit or finding.verdict is not Verdict.UNDECIDED:
        return finding.unfit
    if not parts:
        return "no part of the claim is run at this size"
    weak = [one for one in parts if one.verdict is Verdict.UNDECIDED and not one.depends]
    bare = [one.what for one in weak if one.control is None]
    blunt = [one.what for one in weak if one.control is not None and not one.planted]
    edge = [one.what for one in weak if one.planted]
    depends = dict.fromkeys(f"it depends on {one.depends}" for one in parts if one.depends)
    reasons = [
        (["; ".join(depends)] if depends else [], ""),
        (blunt, "what is planted passes as well: "),
        (edge, "outside of the range by less than the margin: "),
        (bare, "nothing wrong is planted that could fail: "),
    ]
    return ". ".join(f"{text}{_first(list(held))}" for held, text in reasons if held)


def _first(held: Sequence[str]) -> str:
    """The first, and how many more there are."""
    return held[0] + f" ({len(held) - 1} more)" * (len(held) > 1)


def shown(
    finding: Finding, whole: bool, recorded: Recorded | None, full: Finding | None = None
) -> dict[str, Any]:
    """Return what is said of a finding; ``full`` is that of the recorded rows, by today's judge."""
    parts, extent = finding.parts, judged(finding, full, whole)
    against = contradictions(finding, parts, whole, recorded) if recorded else []
    # The sentences were written beside the recorded parts: if others hold they may be untrue.
    other = recorded is not None and (
        [one.verdict for one in parts] != [word for _, word in recorded.parts]
    )
    extent["whole"] = whole or (extent["whole"] and not other)
    verdict, because = finding.verdict, _because(finding, parts)
    why = _turned(parts, recorded) if recorded and other else finding.why
    if recorded and not whole:
        if recorded.verdict is Verdict.UNDECIDED is not verdict:
            # A smaller run tries fewer choices and sees less: it decides nothing that is left open.
            verdict, because = Verdict.UNDECIDED, "the full run does not decide it"
        # Reasons are those of the full run: a smaller one has none of its own.
        why = why if extent["whole"] else _joined(why if other else "", recorded.why)
        if verdict is Verdict.UNDECIDED and because != recorded.unfit:
            because = _joined(because, recorded.unfit)
    return {
        "place": finding.place,
        "ran": extent,
        "verdict": verdict.value,
        "recorded": recorded and recorded.verdict.value,
        "reproduced": finding.holds and not against,
        "against": against,
        "ours": (_measured(parts, recorded) if recorded and other else "") or finding.ours,
        "more": finding.more,
        "why": why,
        "scale": finding.scale,
        "unfit": because,
        "planted": sum(one.planted for one in parts),
        "open": sum(not one.planted and one.verdict is Verdict.UNDECIDED for one in parts),
        "claims": [str(one) for one in parts],
        "parts": [(one.what, one.verdict.value) for one in parts],
        "facts": [_fact(one) for one in finding.facts],
        "failing": [_fact(one) for one in finding.facts if not one.holds],
        "estimates": [one.to_dict() for one in finding.checks if isinstance(one, Estimate)],
    }


def _joined(here: str, full: str) -> str:
    """What is said of a smaller run, and then what was said of the full one."""
    return " ".join(filter(None, [here and here.rstrip(".") + ".", full and f"{FULL} {full}"]))


def _turned(parts: Sequence[Claim], recorded: Recorded) -> str:
    """Which parts are decided otherwise than recorded, in a sentence; of a smaller run they may."""
    told = [
        f"{one.what} ({one.verdict.value}, recorded: {before.value})"
        for one, before in otherwise(parts, recorded)
    ]
    more = [f"{len(told) - _NAMED} more"] if len(told) > _NAMED else []
    listed = "; ".join([*told[:_NAMED], *more])
    return f"Parts come out otherwise than recorded: {listed}." if told else ""


def _measured(parts: Sequence[Claim], recorded: Recorded) -> str:
    """What parts came to: first what is not as recorded or does not hold, then how many hold."""
    known = {one.what: before for one, before in otherwise(parts, recorded)}
    weight = [Verdict.DIFFERS, Verdict.UNDECIDED, Verdict.CONFIRMED]
    listed = sorted(parts, key=lambda one: (one.what not in known, weight.index(one.verdict)))
    loose = [one for one in listed if one.what in known or one.verdict is not Verdict.CONFIRMED]
    told = [_value(one, known.get(one.what)) for one in (loose or listed)[:_NAMED]]
    rest = Counter(one.verdict for one in listed[len(told) :])
    words = zip(weight, ("differ", "undecided", "hold"), strict=True)
    return "; ".join(told + [f"{rest[kind]} more {word}" for kind, word in words if rest[kind]])


def _value(one: Claim, before: Verdict | None) -> str:
    """What a part came to, with its verdict if it does not hold, or did not."""
    held = one.verdict is Verdict.CONFIRMED and before is None
    also = f", recorded: {before.value}" if before else ""
    return f"{one.what}: {number(one.found)}" + ("" if held else f" ({one.verdict.value}{also})")


def _fact(fact: Fact) -> str:
    """Return a fact with the wrong value that it rejects, if one is planted."""
    told = fact.holds and fact.tolerance and fact.control is not None
    return f"{fact}; rejects {fact.control:.4g}" if told else str(fact)
