"""Draw ``hero.png``, the picture on the front page: ``python docs/pictures/hero.py``.

One question in three panels: the landscape of K, the Newton polygon that gives λ, and a sampled
ladder that meets the same λ.
"""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

import rlct
from rlct.report import plots

PICTURE = Path(__file__).with_name("hero.png")


def draw(path: Path, method: str = "tempering") -> None:
    """Write the picture of the cusp (x² − y³)² to a file."""
    answer = rlct.poly("(x**2 - y**3)**2")
    estimate = rlct.llc(answer, method=method, seed=0, progress=False)
    with mpl.rc_context({"font.size": 9}):
        figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.5))
        plots.landscape(answer, left, radius=0.5)
        plots.newton(rlct.ideal(["x**2 - y**3"]), middle)
        plots.ladder(estimate, right, truth=answer.pair)
        left.set_title("K = (x² − y³)², with its zeros")
        middle.set_title(f"The Newton polygon gives λ = {answer.lam}")
        right.set_title("A simulation meets it")
        figure.tight_layout()
        figure.savefig(path, dpi=160, metadata={"Software": None})
        plt.close(figure)


if __name__ == "__main__":
    draw(PICTURE)
