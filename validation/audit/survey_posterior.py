"""Seyoum's survey: posteriors, losses, and the cross-validation identity."""

from fractions import Fraction
from itertools import product
from math import prod

from validation.audit._posterior import limit
from validation.audit.row import Facts, close, exact, row

# A model with three parameters and two outcomes, in which everything is a rational number.
_PRIOR_MASSES = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
_P = [{0: 1 - a, 1: a} for a in (Fraction(1, 5), Fraction(1, 2), Fraction(3, 4))]


def _posterior(data: tuple[int, ...], beta: int) -> list[Fraction]:
    weights = [f * prod(p[x] ** beta for x in data) for f, p in zip(_PRIOR_MASSES, _P, strict=True)]
    return [w / sum(weights) for w in weights]


def _mean(posterior: list[Fraction], values: list[Fraction]) -> Fraction:
    return sum((w * v for w, v in zip(posterior, values, strict=True)), Fraction(0))


@row("000-posterior")
def posterior() -> Facts:
    data = (1, 0, 1, 1)
    uniform = [Fraction(1, 3)] * 3
    yield exact("posterior at β = 0", _posterior(data, 0), _PRIOR_MASSES, printed=uniform)
    late = _posterior(data, 200)[2]
    yield close("posterior mass of the best parameter, β = 200", late, 1, 1e-6, control=0.5)


@row("000-marginal-likelihood")
def marginal_likelihood() -> Facts:
    for beta, right in ((1, Fraction(1)), (2, None)):
        total = sum(
            (
                f * prod(p[x] ** beta for x in data)
                for data in product((0, 1), repeat=3)
                for f, p in zip(_PRIOR_MASSES, _P, strict=True)
            ),
            Fraction(0),
        )
        if right is not None:
            yield exact("sum over data at β = 1", total, right)
        else:
            expected = sum(
                (f * (p[0] ** 2 + p[1] ** 2) ** 3 for f, p in zip(_PRIOR_MASSES, _P, strict=True)),
                Fraction(0),
            )
            yield exact("sum over data at β = 2", total, expected, printed=Fraction(1))


@row("000-predictive")
def predictive() -> Facts:
    data = (1, 0, 1)
    post = _posterior(data, 1)
    probabilities = [_mean(post, [p[x] for p in _P]) for x in (0, 1)]
    yield exact("sum of the predictive density", sum(probabilities), 1)

    def evidence(sample: tuple[int, ...]) -> Fraction:
        return _mean(_PRIOR_MASSES, [prod((p[x] for x in sample), start=Fraction(1)) for p in _P])

    ratio = evidence((*data, 1)) / evidence(data)
    yield exact("p*(1)", probabilities[1], ratio, control=_mean(_PRIOR_MASSES, [p[1] for p in _P]))


@row("000-bayes-generalisation-loss")
def generalisation_loss() -> Facts:
    found = limit(2, 1.0)
    yield close("n·Bayes error, β = 1", found.bayes_generalisation, 0.25, 1e-9, control=0.26)
    nu = found.variance / 2
    yield close("n·Gibbs error, β = 1", found.gibbs_generalisation, 0.25 + nu, 1e-9, printed=0.25)


@row("000-bayes-training-loss")
def training_loss() -> Facts:
    limits = limit(2, 1.0)
    nu = limits.variance / 2
    yield close("n·Bayes training error", limits.bayes_training, 0.25 - 2 * nu, 1e-9)
    yield close(
        "n·(1/n) Σ E_w f, error", limits.gibbs_training, 0.25 - nu, 1e-9, printed=0.25 - 2 * nu
    )


@row("000-functional-variance")
def functional_variance() -> Facts:
    for beta in (0.5, 1.0, 2.0):
        found = limit(2, beta)
        gap = found.gibbs_generalisation - found.gibbs_training
        value = beta * found.variance
        yield close(f"β·E V at β = {beta}", value, gap, 1e-9, control=1.1 * gap)


@row("000-cvl")
def cross_validation() -> Facts:
    def evidence(*sample: int) -> Fraction:
        return _mean(_PRIOR_MASSES, [prod((p[x] for x in sample), start=Fraction(1)) for p in _P])

    product = Fraction(1)
    for kept, held_out in ((0, 1), (1, 0)):
        product *= _mean(_posterior((kept,), 1), [p[held_out] for p in _P])
    yield exact(
        "product of leave-one-out predictions",
        product,
        evidence(0, 1) ** 2 / (evidence(0) * evidence(1)),
        control=evidence(0, 1),
    )


@row("000-importance-identity")
def importance() -> Facts:
    data = (1, 0, 1, 1, 0)
    for beta in (1, 2, 3):
        full = _posterior(data, beta)
        for i, x in enumerate(data[:2]):
            left = _mean(_posterior(data[:i] + data[i + 1 :], beta), [p[x] for p in _P])
            top = _mean(full, [p[x] ** (1 - beta) for p in _P])
            bottom = _mean(full, [p[x] ** (-beta) for p in _P])
            yield exact(f"β = {beta}, i = {i + 1}", top / bottom, left, control=1 / bottom**2)
