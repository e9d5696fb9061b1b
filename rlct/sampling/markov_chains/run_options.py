"""Options of a run at one nβ by name and type; nothing heavy is imported."""

from typing import TypedDict


class RunOptions(TypedDict, total=False):
    """What a run at one nβ of any target takes besides nβ, method, seed and level."""

    lr: float | None
    localization: float | None
    num_chains: int | None
    num_draws: int | None
    num_burnin: int | None
    batch_size: int | None
    errors: str | None
