"""What the checker refuses is not called exact: proofs of long searches are replayed at once."""

import time
from collections.abc import Mapping
from typing import Any, Final

from rlct.errors import CertificateError, TooLargeError
from rlct.pair import text_of_bounds
from rlct.proof.tree import Proof
from rlct.system.time_limit import Budget

_SHORT_SEARCH: Final = 0.1  # seconds of the processor: proofs found in less are short
_REPLAY_SECONDS: Final = 3.0  # seconds that a replay takes at most: the budget of the checker


def refusal_reason(document: Mapping[str, Any], clock: Budget, search_start: float) -> str:
    """Why the checker refuses a certificate, or nothing.

    `search_start` is a time of the processor.  What comes so late that a
    replay would not end in time is not replayed.
    """
    short = time.process_time() - search_start < _SHORT_SEARCH
    if short or (clock.seconds_left is not None and clock.seconds_left < _REPLAY_SECONDS):
        return ""
    from rlct.certificate.verify import verify  # not loaded for short searches

    try:
        verify(document)
    except (CertificateError, TooLargeError) as error:
        return str(error)
    return ""


def refusal_note(proof: Proof, why: str) -> str:
    """Say what the refused proof is of."""
    shown = text_of_bounds(proof.lower, proof.upper)
    return f"the checker refuses the proof that the engine has of {shown}: {why}"
