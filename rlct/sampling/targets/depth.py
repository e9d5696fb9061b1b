"""What many layers ask of a ladder on a linear network."""

from typing import NamedTuple

SHALLOW_LAYERS = 3  # layers: theory/sampling.md, products of four layers or more
# Of nβ for each layer: as many as Gram matrices allow four layers, and as few as 11 of width 4
# with θ = 25 had when intervals held λ; with 1.2 they did not.
WANTED_DECADES, LEAST_DECADES = 3.25, 1.5
HIGHEST_N_BETA = (
    1e60  # nβ of exact draws, if rounding does not hide K before: rungs are always as many
)


class Depth(NamedTuple):
    """Number of layers, beside how far rounding lets a ladder go.

    >>> Depth(3, 1e26, 1e13).far, Depth(7, 1e22, 1e9).far, Depth(19, 1e18, 1e5).close
    (10000000000000.0, 1e+22, True)
    """

    layers: int
    #: nβ from which rounding hides K or spoils draws.
    resolution: float
    #: nβ up to which Gram matrices, which are faster than singular vectors, are fine enough.
    gram_resolution: float

    @property
    def deep(self) -> bool:
        """Whether poles are close, about 1/layers apart, and θ may be large."""
        return self.layers > SHALLOW_LAYERS

    @property
    def far(self) -> float:
        """Last nβ of a ladder: close poles stand apart late, and else little is gained."""
        wanted = min(self.resolution, 10 ** (WANTED_DECADES * self.layers)) if self.deep else 0.0
        return min(max(self.gram_resolution, wanted), HIGHEST_N_BETA)

    @property
    def close(self) -> bool:
        """Whether poles are too close for all that the resolution leaves of a ladder."""
        return self.resolution < 10 ** (LEAST_DECADES * self.layers)

    @property
    def highest_theta(self) -> int:
        """Largest θ of any network of so many layers.

        Aoyagi (2024), Neural Networks 172: θ = a(ℓ − a) + 1, where ℓ is at most the number of
        layers.
        """
        return self.layers**2 // 4 + 1
