"""Estimates of questions by simulation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

from rlct.answers.exact import Question
from rlct.answers.result import Result
from rlct.answers.targets import BOX_RADIUS, scaled_target, target_of
from rlct.errors import InputError
from rlct.sampling.markov_chains.run_options import RunOptions
from rlct.system.options import brief_repr, name_of, no_option, path_of
from rlct.system.progress import own_or_late

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate
    from rlct.sampling.markov_chains.kernel import Kernel
    from rlct.sampling.targets.polynomial import PolynomialTarget
    from rlct.sampling.targets.target import Target

_OTHER_NAMES = {  # of options, as other packages call them
    "gamma": "localization",
    "localisation": "localization",
    "num_samples": "num_draws",
    "draws": "num_draws",
    "num_steps": "num_draws",
    "chains": "num_chains",
    "n_chains": "num_chains",
    "burnin": "num_burnin",
    "num_burnin_steps": "num_burnin",
    "learning_rate": "lr",
    "step_size": "lr",
    "epsilon": "lr",
    "beta": "n_beta",
    "sampler": "method",
    "sampling_method": "method",
    "criterion": "loss",
}


class OtherNames(TypedDict, total=False):
    """Options that have a second name."""

    nbeta: float | None


class OneTemperature(OtherNames, RunOptions, total=False):
    """Options of `llc` at one nβ: of `rlct.sampling.local.llc.estimate_llc`, and of networks."""

    weights: Any
    precondition: bool | None
    weight_decay: float | None
    init_loss: float | None
    memory: float | None
    observed: Any
    traces: str | Path | None
    tokens: bool
    dtype: Any
    device: Any


def llc(
    question: Question | Result | Target | Any,
    data: Any = None,
    *,
    loss: Any = None,
    n_beta: float | None = None,
    seed: int = 0,
    method: str | type[Kernel] | None = None,
    level: float = 0.95,
    accuracy: float | None = None,
    top: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[float, str], object] | bool | None = None,
    **options: Unpack[OneTemperature],
) -> Estimate:
    """Estimate the learning coefficient by simulation, near the point of the question.

    A polynomial, a network of the catalogue, or another question without data: without
    ``n_beta`` a whole ladder is run and λ estimated, with θ where it shows, and for a polynomial
    once more on a smaller box, which shows worse zeros than the point; with ``n_beta`` the
    tempered mean at this one nβ, for a polynomial within 1/2 of the point, is returned.  A torch
    module with ``data``: the tempered mean
    near its present weights, at nβ = n / log n by default.  A tempered mean depends
    on nβ and is not λ.

    Parameters
    ----------
    question : Problem, LinearNetwork, Model, Result, Target or torch.nn.Module
        A sampling target may hold data, see `rlct.sampling.targets.network.NetworkTarget`.
    data : (inputs, targets), optional
        Tensors or arrays of equal length for a module, a Dataset, a DataLoader, or inputs by name,
        see `rlct.sampling.modules.datasets.open_data`.
    loss : str or callable, optional
        Of a module: ``"cross_entropy"``, ``"mse"``, ``"gaussian"``, a loss module of torch or a
        function, see `rlct.sampling.modules.module.ModuleTarget`; the default is
        cross_entropy for integer targets, gaussian otherwise.
    n_beta : float, optional
        One temperature instead of a ladder, of K as it was asked; ``nbeta`` is understood.
    seed : int
    method : str or class, optional
        ``"quadrature"``, ``"tempering"``, ``"gibbs"`` (linear networks), ``"splitting"`` or
        a kernel that runs on ladders, mala or sgld; at one nβ a kernel of `rlct.sampling.kernels`
        by name, moves, hmc, mala, barker, nuts (extra ``nuts``) or sgld, or a class of your own.
    level : float
        Probability of the interval.
    accuracy : float, optional
        Half-width of the interval of a ladder that is wanted, as a fraction of λ̂, for example
        0.02.  Without it a fixed amount of work is done, and with up to ten parameters and no
        checkpoint five times as much where the interval is wider than 0.02.
    top : float, optional
        Last nβ of a ladder by tempering; without it 10¹⁵, or 10³⁰ where more work is done, or,
        without a checkpoint, where λ̂ log nβ is 12.  A larger one takes longer in proportion to
        its logarithm, and narrows what θ leaves open about λ.
    checkpoint : path, optional
        File (.npz) with the progress of the run; if it exists the run resumes from it, and gives
        the answer of one that was never stopped.  It holds one ladder, and no second is run.
        Quadrature writes no file, and warns.
    progress : callable or False, optional
        Called as ``progress(fraction, text)``; without one a run of more than ten seconds says on
        standard error how far it is, and with False nothing does.
    **options
        At one nβ: lr, localization, num_chains, num_draws, num_burnin, batch_size and errors
        (``"chains"``, ``"batches"`` or ``"data"``: what the interval holds), see
        `rlct.sampling.local.llc.estimate_llc`.  A torch network, of which ``"sgld"`` is the
        default from 10⁶ weights times samples, takes weights (which move),
        weight_decay (the precision of a normal prior around 0), init_loss, memory, observed
        (other data, whose losses are kept), traces (a file of losses), tokens (of single tokens),
        dtype, device and, of ``"sgld"``, precondition, too, see
        `rlct.sampling.networks.network_llc.estimate_network`.

    Returns
    -------
    Estimate

    Raises
    ------
    InputError
        For options that do not exist or do not fit the method.
    DivergedError
        Where a step without a Metropolis test is too long, or the loss has no minimum.

    Examples
    --------
    >>> from rlct.questions.problem import Problem
    >>> found = llc(Problem.poly("x**2*y**4"), seed=1)
    >>> found.interval[0] <= 0.25 <= found.interval[1]
    True
    >>> from rlct.models.linear_networks.linear import LinearNetwork
    >>> llc(LinearNetwork((1, 1), 0), n_beta=100, num_draws=500).method
    'moves'
    """
    if not isinstance(method, type):
        name_of(method, "method")
    path_of(checkpoint, "checkpoint")
    n_beta = inverse_temperature(n_beta, options)
    shared_options: dict[str, Any] = {"method": method, "seed": seed, "level": level}
    shared_options["checkpoint"] = checkpoint
    ladder = {"accuracy": accuracy, "top": top}
    with own_or_late("simulation", progress) as show_progress:
        shared_options["progress"] = show_progress
        check_question(question, data, loss)
        if is_module(question):
            _no_ladder(ladder)
            for name in options:
                if name not in OneTemperature.__annotations__:
                    raise wrong_option(llc, name, set(OneTemperature.__annotations__))
            from rlct.sampling.networks.network_llc import estimate_network

            module = cast("Any", question)
            run_options = {"n_beta": n_beta, **shared_options, **options}
            estimate = estimate_network(module, data, loss, **run_options)
            return _with_theory(estimate, module, data, loss, run_options)
        _check_options(options)
        if n_beta is None:
            target, factor = target_of(question), 1.0
        else:
            target, factor = scaled_target(question, as_typed=True)
        if n_beta is None and not _has_data(target):
            if options:
                raise InputError(f"{', '.join(options)} need n_beta: they tune one temperature")
            return _ladder_estimate(question, target, ladder | shared_options)
        _no_ladder(ladder)
        return _single_estimate(target, n_beta, factor, {**shared_options, **options})


def _no_ladder(ladder: Mapping[str, float | None]) -> None:
    for name, value in ladder.items():
        if value is not None:
            raise InputError(f"{name} is of a ladder: a run at one nβ has none")


def _has_data(target: Target) -> bool:
    from rlct.sampling.targets.target import DataTarget

    return isinstance(target, DataTarget)


def _check_options(options: OneTemperature) -> None:
    """One line for what is no option of a run at one nβ, or no number."""
    option_names = RunOptions.__annotations__
    for name, value in options.items():
        if name in OneTemperature.__annotations__ and name not in option_names:
            raise InputError(f"{name} is an option of torch networks alone")
        if name not in option_names:
            raise wrong_option(llc, name, option_names)
        if value is not None and name != "errors" and not isinstance(value, Real):
            raise InputError(f"{name} must be a number, not {brief_repr(value)}")


def _ladder_estimate(question: Any, target: Target, run_options: dict[str, Any]) -> Estimate:
    """λ by a ladder, of a polynomial once more on a smaller box."""
    from rlct.sampling.ladders.closer import estimate_near
    from rlct.sampling.ladders.run import estimate
    from rlct.sampling.targets.polynomial import PolynomialTarget

    if not isinstance(target, PolynomialTarget) or target is question:
        ladder = estimate(target, **run_options)
    else:
        ladder = estimate_near(partial(_on_box, question), BOX_RADIUS, **run_options)
    if ladder.interval[1] - ladder.interval[0] > max(ladder.lam, 0.0):
        return ladder.warn("the interval is wider than λ̂: the ladder does not settle λ")
    return ladder


def _single_estimate(
    target: Target, n_beta: float | None, factor: float, run_options: dict[str, Any]
) -> Estimate:
    """The tempered mean at one nβ; ``factor`` is that of `scaled_target`."""
    from rlct.sampling.local.llc import estimate_llc
    from rlct.sampling.markov_chains.settings import check_n_beta

    if n_beta is None or factor == 1.0:
        return estimate_llc(target, n_beta=n_beta, **run_options)
    check_n_beta(n_beta, target, factor)
    return estimate_llc(target, n_beta=float(n_beta) / factor, **run_options).at(float(n_beta))


def _with_theory(
    estimate: Estimate, module: Any, data: Any, loss: Any, given: dict[str, Any]
) -> Estimate:
    """The same beside λ as it is known exactly, where it is."""
    from rlct.answers.module_theory import module_theory

    if given.get("weights") is not None or estimate.run is None:
        return estimate
    n_beta, pull = estimate.run.n_beta, estimate.run.localization
    unlike_formula = given.get("weight_decay") or given.get("init_loss") is not None
    theory = module_theory(module, data, loss, n_beta, None if unlike_formula else pull)
    return replace(estimate, theory=theory)


def inverse_temperature(n_beta: float | None, options: OtherNames) -> float | None:
    """Read nβ by its name, or by that of other packages, which is taken out of the options."""
    also: float | None = options.pop("nbeta", None)
    if also is not None and n_beta is not None:
        raise InputError("n_beta and nbeta are two names of one option: leave one out")
    return also if n_beta is None else n_beta


def wrong_option(call: Callable[..., Any], name: str, accepted: Iterable[str] = ()) -> InputError:
    """One line for an option that there is not, by the name that other packages give it, too."""
    if "bounding" in name:
        return InputError(
            f"{name}: there is no bounding box, as chains that walls keep in have a λ̂ that is one "
            "of the walls; localization keeps them near w*"
        )
    own = (p.name for p in signature(call).parameters.values() if p.default is not p.empty)
    return no_option(call, name, (*sorted(accepted), *own), _OTHER_NAMES)


def _on_box(question: Question | Result | Any, radius: float) -> PolynomialTarget:
    target = target_of(question, radius=radius)
    return cast("PolynomialTarget", target)


def is_module(question: Any) -> bool:
    """Whether this is a torch module; whoever has one has imported torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(question, torch.nn.Module)


def check_question(question: Any, data: Any, loss: Any) -> None:
    """Raise InputError, one line, where a module has no data, or data no module."""
    if isinstance(question, type):
        name = question.__name__
        raise InputError(f"{name} is a class: give an instance, {name}(…)")
    if is_module(question) and data is None:
        raise InputError("a module needs data: llc(module, (inputs, targets))")
    if not is_module(question) and (data is not None or loss is not None):
        raise InputError(
            "data and loss belong to a torch module, which comes first: "
            "llc(module, (inputs, targets))"
        )
