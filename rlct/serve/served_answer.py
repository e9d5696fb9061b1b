"""What came back for a question, wherever it was answered."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class ServedAnswer:
    """What came back."""

    #: By name, as `rlct.serve.answer.parts` yields them.
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)
    error: str | None = None
    #: Whether that is the program's fault.
    fault: bool = False
    #: Whether the process ended, or was killed, before all parts were there.
    cut: bool = False
    #: Whether there is no answer because of the limits.
    limited: bool = False
    seconds: float = 0.0
    size: int = 0

    @property
    def refusal(self) -> str:
        """Why there is no answer, in one line."""
        return self.error or "the question was not answered"

    def add(self, name: str, part: dict[str, Any]) -> None:
        """Take a part, or the message that there is none, as `send_parts` sends them.

        >>> found = ServedAnswer()
        >>> found.add("limit", {"message": "too large"})
        >>> found.error, found.limited
        ('too large', True)
        """
        if name in ("error", "fault", "limit"):
            self.error = self.error or part["message"]
            self.fault = self.fault or name == "fault"
            self.limited = self.limited or name == "limit"
        else:
            self.parts[name] = part
