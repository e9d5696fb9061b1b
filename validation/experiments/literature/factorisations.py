"""Bayesian factorisations with more components than the truth: topics, and non-negative matrices.

n·E G of the Bayes predictive distribution over simulated data sets, beside λ. Both posteriors are
drawn by data augmentation: counts are divided among the components, and then everything is
Dirichlet or Gamma.

- *Topics* (Hayashi 2021): four words, four documents of 500 words, four topics where the truth has
  two; uniform Dirichlet priors. λ = 11/2; two topics would have 4, and four free distributions 6,
  which the same data sets give beside it.
- *Non-negative matrices* (Hayashi 2020): 500 matrices 4 × 4 of Poisson counts with means
  UV of rank 1, two components; Gamma priors of shape ¼ for U and ¾ for V, for which λ is at most
  4, and of shape 1, for which it is 5 exactly, with θ = 2. The prior with its mass near 0 makes the
  spare component cheaper.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

import rlct
from rlct.sampling.targets.target import Floats
from validation.audit.row import exact
from validation.framework.claim import at_most, near
from validation.framework.estimate import estimate
from validation.framework.experiment import Data, Finding, Rows, experiment, suites

TABLE_SIZE = 4  # words, documents, rows and columns
PRIOR_SHAPES = {"spiked": (0.25, 0.75), "flat": (1.0, 1.0)}


def units(settings: Data) -> Iterable[Data]:
    """Some data sets of each model."""
    for part in range(settings["parts"]):
        for model in PRIOR_SHAPES:
            yield {"model": model, "part": part}
    for part in range(settings["topic_parts"]):
        yield {"model": "topics", "part": part}
        for words in settings["more_words"]:
            yield {"model": "topics", "part": part, "words": words}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """n·G of each data set, from all kept sweeps and from both halves of them."""
    if unit["model"] == "topics":
        return _topics(settings, unit.get("words", settings["words"]), rng)
    return _matrices(settings, *PRIOR_SHAPES[unit["model"]], rng)


def _dirichlet(weights: Floats, axis: int, rng: np.random.Generator) -> Floats:
    drawn = rng.standard_gamma(weights)
    return np.asarray(drawn / drawn.sum(axis=axis, keepdims=True))


def _topics(settings: Data, words: int, rng: np.random.Generator) -> Data:
    sets, topics = settings["data_sets"], settings["topics"]
    # Word probabilities of two topics, and how the documents mix them: away from the walls.
    true = np.array([[0.4, 0.1], [0.3, 0.2], [0.2, 0.3], [0.1, 0.4]])
    share = np.array([0.2, 0.4, 0.6, 0.8])
    right = true @ np.stack([share, 1 - share])
    counts = rng.multinomial(words, right.T, size=(sets, TABLE_SIZE)).swapaxes(
        1, 2
    )  # set, word, doc
    a = _dirichlet(np.ones((sets, TABLE_SIZE, topics)), 1, rng)
    b = _dirichlet(np.ones((sets, topics, TABLE_SIZE)), 1, rng)
    total = np.zeros((2, sets, TABLE_SIZE, TABLE_SIZE))
    for sweep in range(-settings["burnin"], settings["sweeps"]):
        joint = a[:, :, None, :] * b.swapaxes(1, 2)[:, None]  # set, word, doc, topic
        joint /= joint.sum(axis=3, keepdims=True)
        parts = rng.multinomial(counts, joint)
        a = _dirichlet(1.0 + parts.sum(axis=2), 1, rng)
        b = _dirichlet(1.0 + parts.sum(axis=1).swapaxes(1, 2), 1, rng)
        if sweep >= 0:
            total[2 * sweep // settings["sweeps"]] += a @ b

    def error(product: Floats) -> Floats:
        ratio = np.log(right / (product / product.sum(axis=1, keepdims=True)))
        return np.asarray(words * (right * ratio).sum(axis=(1, 2)))

    return {
        "scaled": error(total.sum(axis=0)),
        "halves": [error(half).mean() for half in total],
        "free": error(1.0 + counts),  # a distribution of its own for each document
    }


def _matrices(settings: Data, first: float, second: float, rng: np.random.Generator) -> Data:
    sets, n = settings["data_sets"], settings["matrices"]
    right = np.outer([1.0, 1.5, 2.0, 1.0], [1.0, 0.8, 1.2, 1.0])
    counts = rng.poisson(n * right, size=(sets, TABLE_SIZE, TABLE_SIZE))
    u = rng.standard_gamma(first, (sets, TABLE_SIZE, 2)) + 1e-300
    v = rng.standard_gamma(second, (sets, 2, TABLE_SIZE)) + 1e-300
    u[:, :, 0], v[:, 0] = [1.0, 1.5, 2.0, 1.0], [1.0, 0.8, 1.2, 1.0]
    half = settings["sweeps"] // 2
    sums = np.zeros(
        (2, 4, sets, TABLE_SIZE, TABLE_SIZE)
    )  # c, log c, its square, and the loss, over sweeps
    for sweep in range(-settings["burnin"], 2 * half):
        one = u[:, :, :1] * v[:, :1]
        part = rng.binomial(counts, one / (one + u[:, :, 1:] * v[:, 1:]))
        parts = np.stack([part, counts - part], axis=3)
        u = rng.standard_gamma(first + parts.sum(axis=2)) / (1 + n * v.sum(axis=2))[:, None]
        v = (
            rng.standard_gamma(second + parts.sum(axis=1).swapaxes(1, 2))
            / (1 + n * u.sum(axis=1))[:, :, None]
        )
        u, v = np.maximum(u, 1e-300), np.maximum(v, 1e-300)
        if sweep >= 0:
            mean = u @ v
            log = np.log(mean / right)
            sums[sweep // half] += [mean, log, log**2, mean - right - right * log]

    def error(own: Floats, number: int) -> Floats:
        """Loss less half of the posterior variance of log p(X|w): G to the order 1/n."""
        _, log, square, loss = own / number
        spread = right * (square - log**2)
        return np.asarray(n * (loss - 0.5 * spread).sum(axis=(1, 2)))

    return {
        "scaled": error(sums.sum(axis=0), 2 * half),
        "halves": [error(own, half).mean() for own in sums],
    }


def _mean(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Means over data sets beside λ."""
    yield _about_topics(settings, [r for r in rows if r["model"] == "topics"])
    yield _about_matrices(settings, rows)


def _settled(name: str, rows: Rows, error: float) -> Any:
    first, second = np.mean([r["halves"] for r in rows], axis=0)
    what = f"{name}: halves of the chains differ by 2 errors of the mean at most"
    return exact(what, bool(abs(second - first) < 2 * error), True)


def _about_topics(settings: Data, rows: Rows) -> Finding:
    bound = rlct.model("lda", words=4, topics=4, documents=4, true_topics=2, timeout=0.3)
    assert bound.lam is not None
    lam = float(bound.lam)
    checks, sentences, short = [], [], ""
    sizes = [settings["words"], *settings["more_words"]]
    nearest = float("inf")
    for words in sizes:
        own = [r for r in rows if r.get("words", settings["words"]) == words]
        scaled, free = (np.concatenate([r[key] for r in own]) for key in ("scaled", "free"))
        mean, error = _mean(scaled)
        # Free distributions on the same data have λ = 6, which takes most of the scatter away.
        gap, its_error = _mean(free - scaled)
        near_six = 6 - gap
        # What finite n takes: at most 6 % with 5000 words, a tenth with 500.
        allowance = 0.06 if words > settings["words"] else 0.12
        fewer, lower = ("three", 5.0) if words > settings["words"] else ("two", 4.0)
        text = f"{words} words: 6 less what four topics gain over free distributions (planted: "
        tolerance = 4 * its_error + allowance * lam
        checks += [
            near(f"{text}{fewer} topics)", near_six, lam, tolerance, lower, its_error),
            at_most(f"{text}no gain)", near_six, 6 - 4 * its_error, control=6.0),
            # With 500 words a tenth is missing, and how much, theory does not say.
            estimate(
                f"{words} words: the same",
                near_six,
                lam,
                its_error,
                allowed=allowance * lam,
                sees=settings.get("sees", 0.15 if words > settings["words"] else 0.3),
            ),
            exact(
                f"{words} words: not above λ, to 4 errors, nor more below it than n explains",
                lam - tolerance <= near_six <= lam + 4 * its_error,
                True,
            ),
            _settled(f"{words} words", own, error),
        ]
        if words > settings["words"]:
            checks.append(exact("more words, nearer to λ", abs(near_six - lam) < nearest, True))
        nearest = abs(near_six - lam)
        short = f"{near_six:.2f} ± {its_error:.2f} at {words} words"
        sentences.append(
            f"{words} words a document: n·E G = {mean:.2f} ± {error:.2f}, and {near_six:.2f} ± "
            f"{its_error:.2f} beside free distributions, which have 6 (here {free.mean():.2f})"
        )
    return Finding(
        "lit-topics",
        f"n·E G comes to {short} a document, where λ = {bound.lam}, two topics have 4 and free "
        "distributions 6",
        checks,
        "Two spare topics cost 3/2, more than none and less than their twelve parameters. n·E G "
        "comes to λ from below, slowly: at the source's 500 words it is still a tenth short.",
        "; ".join(sentences) + ".",
        f"{settings['sweeps']} sweeps in the place of 50 000; no published average was to be had.",
    )


def _about_matrices(settings: Data, rows: Rows) -> Finding:
    held = {model: [r for r in rows if r["model"] == model] for model in PRIOR_SHAPES}
    scaled = [np.concatenate([r["scaled"] for r in own]) for own in held.values()]
    spiked, flat = (_mean(values) for values in scaled)
    exactly = rlct.model("nmf", rows=4, inner=2, columns=4, true=1, timeout=0.3)
    assert exactly.lam is not None
    return Finding(
        "lit-nmf",
        f"n·E G = {spiked[0]:.2f} ± {spiked[1]:.2f} with shapes ¼ and ¾, where λ ≤ 4; "
        f"{flat[0]:.2f} ± {flat[1]:.2f} with shape 1, where λ = {exactly.lam}",
        [
            at_most("n·E G with shapes ¼ and ¾, to 4 errors (planted: with shape 1)", spiked[0],
                    4 + 4 * spiked[1], control=flat[0]),
            exact("it is 7/2 or more, half the rank, to 4 errors",
                  spiked[0] > 3.5 - 4 * spiked[1], True),
            estimate("shape 1, less for the logarithm", flat[0],
                     float(exactly.lam) - 1 / np.log(settings["matrices"]), flat[1], allowed=0.1,
                     per=exactly.lam, sees=settings.get("sees", 0.15)),
            _settled("spiked", held["spiked"], spiked[1]),
            _settled("flat", held["flat"], flat[1]),
        ],
        "The prior with its mass near 0 makes the spare component cheap; the bound is reached, "
        "within the error.",
        scale=f"{len(scaled[0])} data sets; the published averages were not to be had.",
    )  # fmt: skip


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """n·G of the data sets, with means and λ."""
    panels = figure.subplots(1, 3)
    known = {"topics": (5.5, "four topics, two true"), "spiked": (4.0, "shapes ¼, ¾: λ ≤ 4"),
             "flat": (5.0, "shape 1: λ = 5")}  # fmt: skip
    for axes, (model, (lam, title)) in zip(panels, known.items(), strict=True):
        own = [r for r in rows if r["model"] == model and "words" not in r]
        values = np.concatenate([r["scaled"] for r in own])
        axes.hist(values, 24, color="0.8")
        axes.axvline(values.mean(), color="C0", label=f"mean {values.mean():.2f}")
        axes.axvline(lam, color="k", linestyle=":", label=f"{lam:g}")
        axes.set(xlabel="n·G", title=title)
        axes.legend(frameon=False, fontsize=8)


EXPERIMENT = experiment(
    __name__,
    title="Topics and non-negative matrices with spare components",
    places=("lit-topics", "lit-nmf"),
    **suites(
        parts=(1, 3),
        topic_parts=(1, 2),
        more_words=([], [5000]),
        data_sets=(200, 100),
        topics=4,
        words=500,
        matrices=500,
        burnin=(200, 2000),
        sweeps=(600, 12000),
        sees=(0.4, None),
    ),
    size=(9.0, 3.4),
    seed=3,
)
