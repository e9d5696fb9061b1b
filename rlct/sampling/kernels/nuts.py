"""Trajectories that stop where they turn back (NUTS), by the library mici (extra ``nuts``)."""

from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array, value_and_gradient
from rlct.sampling.markov_chains.metropolis import MetropolisKernel
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import Units
from rlct.sampling.targets.target import Floats

MOST_DOUBLINGS = 8  # between mirrors nothing turns back where the loss is flat
_STEP_KEYS = ("iter", "smoothed_log_step_size", "adapt_stat_error", "log_step_size_reg_target")


def _import_mici() -> Any:
    try:
        import mici
    except ImportError:
        raise InputError("nuts needs the extra: pip install 'rlct[nuts]'") from None
    return mici


class Nuts(MetropolisKernel):
    """One transition of the No-U-Turn sampler for each chain, with a step size of its own.

    Unlike the other kernels it moves chain after chain: each has another number of steps.  With
    ``spread`` chains start from the prior, shrunk at random; else all start at w₀.  Without
    ``units``, of momenta and steps, they have those of w.  InputError if mici is not installed, or
    finds no step size.

    Hoffman, Gelman (2014), Journal of Machine Learning Research 15; Betancourt (2017),
    arXiv:1701.02434.
    """

    name = "nuts"
    usual_draws, usual_chains, gradients_per_draw = 120, 4, 64
    # With 0.8 the steps do not fit the narrow end of a cusp: nβK was 8 % too small (z = −4.7, with
    # 0.9 −0.2) at the same work.
    wanted_acceptance = 0.9
    fastest = 4.0**MOST_DOUBLINGS / 8
    spread_start = False

    def __init__(
        self, posterior: TemperedPosterior, *, spread: bool = True, units: Units | None = None
    ) -> None:
        mici = _import_mici()
        super().__init__(posterior, spread=spread, units=units)
        self._states, self._moves, self._adapted = [], [], []
        self._adapter = mici.adapters.DualAveragingStepSizeAdapter(self.wanted_acceptance)
        self._depths = self._transitions = 0
        self._number = 0
        self._nudge = 1e-6 * posterior.target.scale  # tells a mirror image from the original
        metric = None
        if units is not None:
            sizes, basis = np.linalg.eigh(units.root)
            metric = basis / sizes**2 @ basis.T
        for row, w in enumerate(self.arrays.numpy(self.w).astype(float)):
            mici_system = mici.systems.EuclideanMetricSystem(
                lambda w, row=row: self._energy(w, row)[1],
                grad_neg_log_dens=lambda w, row=row: self._energy(w, row),
                metric=metric,
            )
            tree_transition = mici.transitions.MultinomialDynamicIntegrationTransition(
                mici_system,
                mici.integrators.LeapfrogIntegrator(mici_system),
                max_tree_depth=MOST_DOUBLINGS,
            )
            state = mici.states.ChainState(pos=w, mom=None, dir=1)
            state.mom = mici_system.sample_momentum(state, self.arrays.rng)
            try:
                self._adapted.append(self._adapter.initialize(state, tree_transition))
            except mici.errors.Error as problem:
                raise InputError(f"nuts finds no step size: {problem}") from None
            self._states.append(state)
            self._moves.append(tree_transition)

    def _energy(self, position: Floats, row: int) -> tuple[Floats, float]:
        """Gradient and value of minus the log density, mirrored at the walls of the support.

        A trajectory that meets a wall goes on in the mirror image: a wall that only refused would
        end it there, and the step size would shrink until walls are met seldom.
        """
        on, target = self.arrays, self.posterior.target
        n_beta, gamma = float(self.posterior.strength[row]), self.posterior.localization
        nearby = on.numpy(target.reflect(on.asarray(np.stack([position, position + self._nudge]))))
        w, side = nearby[0], np.sign(nearby[1] - nearby[0])
        point = on.asarray(w[None])
        k, slope = value_and_gradient(target, point)
        prior = on.numpy(target.log_prior(point))[0]
        loss = float(on.numpy(k)[0])
        value = n_beta * loss - float(prior) + 0.5 * gamma * float(w @ w)
        force = n_beta * slope - target.log_prior_gradient(point)
        gradient = on.numpy(force)[0].astype(float) + gamma * w
        if np.isnan(loss):
            self.undefined.note(on, point, self.w, self._number)
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            return np.zeros_like(w), np.inf  # outside the support, or far outside
        return side * gradient, value

    def _gather(self) -> None:
        """Places of the states, mirrored into the support."""
        places = self.arrays.asarray(np.array([state.pos for state in self._states]))
        self.w = self.posterior.target.reflect(places)
        for state, w in zip(self._states, self.arrays.numpy(self.w), strict=True):
            state.pos = w.astype(float)
        self._place(self.w)

    def step(self, number: int, in_burnin: bool) -> Array:
        """One transition of every chain; how probable its points were beside the start."""
        rng, accept_stats, steps = self.arrays.rng, [], 0
        self._number = number
        for row, (state, move) in enumerate(zip(self._states, self._moves, strict=True)):
            state.mom = move.system.sample_momentum(state, rng)
            self._states[row], move_facts = move.sample(state, rng)
            if in_burnin:
                self._adapter.update(self._adapted[row], self._states[row], move_facts, move)
            accept_stats.append(float(move_facts["accept_stat"]))
            steps += int(move_facts["n_step"])
            self._depths += int(move_facts["tree_depth"])
        self._transitions += len(accept_stats)
        self.posterior.gradients += -(-steps // len(accept_stats))
        self._gather()
        return self.arrays.asarray(np.array(accept_stats))

    def settle(self) -> None:
        """Freeze each step size at its average."""
        for adapted, move in zip(self._adapted, self._moves, strict=True):
            if adapted["iter"]:
                move.integrator.step_size = float(np.exp(adapted["smoothed_log_step_size"]))

    def sizes(self) -> Floats:
        """Leapfrog step per row."""
        return np.array([move.integrator.step_size for move in self._moves])

    def notes(self) -> dict[str, Any]:
        """Mean number of doublings of a trajectory."""
        return {"tree_depth": self._depths / max(1, self._transitions)}

    def state(self) -> dict[str, Floats]:
        """All that changes from step to step."""
        return super().state() | {
            "w": np.array([state.pos for state in self._states]),
            "sizes": self.sizes(),
            "adapted": np.array([[a[name] for name in _STEP_KEYS] for a in self._adapted]),
            "counts": np.array([self._depths, self._transitions], dtype=float),
        }

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        for row, w in enumerate(state["w"]):
            self._states[row].pos = w
            self._moves[row].integrator.step_size = float(state["sizes"][row])
            self._adapted[row] = dict(zip(_STEP_KEYS, state["adapted"][row].tolist(), strict=True))
        self._depths, self._transitions = (int(count) for count in state["counts"])
        super().restore(state)
        self._gather()


KERNEL = Nuts
