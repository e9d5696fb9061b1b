"""Values as JSON can hold them."""

import math
from collections.abc import Mapping
from typing import Any


def json_values(value: Any) -> Any:
    """Put None for what is no finite number, in lists and mappings, too.

    >>> json_values({"rhat": float("inf"), "interval": (0.5, 1.0)})
    {'rhat': None, 'interval': [0.5, 1.0]}
    """
    if isinstance(value, Mapping):
        return {name: json_values(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_values(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
