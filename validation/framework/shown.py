"""What a report says of a claim, beside what was recorded."""

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

OF_FULL_RUN = "Of the full run:"
_NAMED_PARTS = 3  # parts that a sentence names; the list has them all


def _because(finding: Finding, parts: Sequence[Claim]) -> str:
    """Why a claim is undecided; nothing if it is not."""
    if finding.unfit or finding.verdict is not Verdict.UNDECIDED:
        return finding.unfit
    if not parts:
        return "no part of the claim is run at this size"
    weak = [part for part in parts if part.verdict is Verdict.UNDECIDED and not part.depends]
    bare = [part.text for part in weak if part.control is None]
    blunt = [part.text for part in weak if part.control is not None and not part.planted]
    edge = [part.text for part in weak if part.planted]
    depends = dict.fromkeys(f"it depends on {part.depends}" for part in parts if part.depends)
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
    changed_parts = recorded is not None and (
        [part.verdict for part in parts] != [word for _, word in recorded.parts]
    )
    extent["whole"] = whole or (extent["whole"] and not changed_parts)
    verdict, because = finding.verdict, _because(finding, parts)
    why = _turned(parts, recorded) if recorded and changed_parts else finding.why
    if recorded and not whole:
        if recorded.verdict is Verdict.UNDECIDED is not verdict:
            # A smaller run tries fewer choices and sees less: it decides nothing that is left open.
            verdict, because = Verdict.UNDECIDED, "the full run does not decide it"
        # Reasons are those of the full run: a smaller one has none of its own.
        why = why if extent["whole"] else _joined(why if changed_parts else "", recorded.why)
        if verdict is Verdict.UNDECIDED and because != recorded.unfit:
            because = _joined(because, recorded.unfit)
    return {
        "place": finding.place_id,
        "ran": extent,
        "verdict": verdict.value,
        "recorded": recorded and recorded.verdict.value,
        "reproduced": finding.holds and not against,
        "against": against,
        "ours": (_measured(parts, recorded) if recorded and changed_parts else "") or finding.ours,
        "more": finding.details,
        "why": why,
        "scale": finding.scale,
        "unfit": because,
        "planted": sum(part.planted for part in parts),
        "open": sum(not part.planted and part.verdict is Verdict.UNDECIDED for part in parts),
        "claims": [str(part) for part in parts],
        "parts": [(part.text, part.verdict.value) for part in parts],
        "facts": [_fact(part) for part in finding.facts],
        "failing": [_fact(part) for part in finding.facts if not part.holds],
        "estimates": [part.to_dict() for part in finding.checks if isinstance(part, Estimate)],
    }


def _joined(here: str, full: str) -> str:
    """What is said of a smaller run, and then what was said of the full one."""
    return " ".join(
        filter(None, [here and here.rstrip(".") + ".", full and f"{OF_FULL_RUN} {full}"])
    )


def _turned(parts: Sequence[Claim], recorded: Recorded) -> str:
    """Which parts are decided otherwise than recorded, in a sentence; of a smaller run they may."""
    sentences = [
        f"{one.text} ({one.verdict.value}, recorded: {before.value})"
        for one, before in otherwise(parts, recorded)
    ]
    rest_count = [f"{len(sentences) - _NAMED_PARTS} more"] if len(sentences) > _NAMED_PARTS else []
    listed = "; ".join([*sentences[:_NAMED_PARTS], *rest_count])
    return f"Parts come out otherwise than recorded: {listed}." if sentences else ""


def _measured(parts: Sequence[Claim], recorded: Recorded) -> str:
    """What parts came to: first what is not as recorded or does not hold, then how many hold."""
    earlier = {part.text: before for part, before in otherwise(parts, recorded)}
    weight = [Verdict.DIFFERS, Verdict.UNDECIDED, Verdict.CONFIRMED]
    listed = sorted(parts, key=lambda part: (part.text not in earlier, weight.index(part.verdict)))
    loose = [
        part for part in listed if part.text in earlier or part.verdict is not Verdict.CONFIRMED
    ]
    told = [_value(part, earlier.get(part.text)) for part in (loose or listed)[:_NAMED_PARTS]]
    rest = Counter(part.verdict for part in listed[len(told) :])
    words = zip(weight, ("differ", "undecided", "hold"), strict=True)
    return "; ".join(told + [f"{rest[kind]} more {word}" for kind, word in words if rest[kind]])


def _value(part: Claim, before: Verdict | None) -> str:
    """What a part came to, with its verdict if it does not hold, or did not."""
    held = part.verdict is Verdict.CONFIRMED and before is None
    also = f", recorded: {before.value}" if before else ""
    return f"{part.text}: {number(part.value)}" + ("" if held else f" ({part.verdict.value}{also})")


def _fact(fact: Fact) -> str:
    """Return a fact with the wrong value that it rejects, if one is planted."""
    told = fact.holds and fact.tolerance and fact.control is not None
    return f"{fact}; rejects {fact.control:.4g}" if told else str(fact)
