"""Which candidate poles of a question are poles: monomials, and germs of two variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rlct.algebra.factoring import perfect_power
from rlct.algebra.polynomial import terms_of, to_fraction
from rlct.blowup.functional import residue_table
from rlct.blowup.plane_poles import ResolvedGerm, listed_candidates
from rlct.blowup.pole import Pole
from rlct.blowup.residue_ball import to_interval
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget, made_in_time


@dataclass(frozen=True)
class LocalZeta:
    """∫ K^z |x|^h φ for smooth φ with small support, where its poles can be decided.

    Near the point K is scale·|f|^power in signed coordinates.

    Parameters
    ----------
    prior : tuple of Fraction
        h, in signed coordinates.
    power, scale : Fraction
    monomial : tuple of int
        The exponents if f is one; empty if it is not.
    germ : ResolvedGerm or None
        f, if it has two variables.
    """

    prior: tuple[Fraction, ...]
    power: Fraction
    scale: Fraction
    monomial: tuple[int, ...]
    germ: ResolvedGerm | None

    @classmethod
    def of(cls, problem: Problem) -> LocalZeta | None:
        """None if K is neither a monomial nor a plane germ that is not degenerate over R."""
        generators = problem.local.generators
        if problem.field is not None or not generators:
            return None
        f, power, scale = generators[0], 1 + problem.is_ideal, Fraction(1)
        if len(generators) > 1:
            f, power = sum((g**2 for g in generators), start=f.ring.zero), 1
        elif root_power := perfect_power(f.monic()):
            scale = abs(to_fraction(f.LC)) ** power
            f, power = root_power[0], power * root_power[1]
        # A wall x ≥ 0 is x = y², where only even functions count; other substitutions are undone.
        walls = zip(problem.nonneg, problem.point, strict=True)
        sides = [1 + wall * (not at) for wall, at in walls]
        ratios = [Fraction(side, q) for side, q in zip(sides, problem.powers, strict=True)]
        f = f.ring.from_dict(
            {tuple(int(e * r) for e, r in zip(m, ratios, strict=True)): c for m, c in f.terms()}
        )
        prior = tuple(r * (1 + h) - 1 for r, h in zip(ratios, problem.local.prior, strict=True))
        terms = terms_of(f)
        germ = None
        if len(prior) == 2 and (0, 0) not in terms:
            germ = ResolvedGerm.of(f, (prior[0], prior[1]), (sides[0], sides[1]))
        monomial = next(iter(terms)) if len(terms) == 1 else ()
        if germ is None and not any(monomial):
            return None
        return cls(prior, Fraction(power), scale, monomial, germ)

    @property
    def candidates(self) -> list[Fraction]:
        """All that are listed, in z, decreasing."""
        progressions = (
            [(1 + h, Fraction(e)) for e, h in zip(self.monomial, self.prior, strict=True) if e]
            if self.germ is None
            else list(self.germ.progressions())
        )
        return [s / self.power for s in listed_candidates(progressions)]

    def decide(self, z: Fraction) -> Pole:
        """Decide one candidate."""
        s = z * self.power
        if self.germ is not None:
            return replace(self.germ.decide(s), z=z)
        # |x|^(e·s + h) has a pole at s iff −e·s − 1 − h is even and not negative.
        powers = [-e * s - 1 - h for e, h in zip(self.monomial, self.prior, strict=True)]
        order = sum(
            p >= 0 and p % 2 == 0 and e > 0 for p, e in zip(powers, self.monomial, strict=True)
        )
        return Pole(z, order, "pole" if order else "none", "monomial" if order else "odd rule")

    def with_functional(self, pole: Pole) -> Pole:
        """With the leading coefficient at z as a functional of φ, where it is known."""
        if self.germ is None or pole.status != "pole":
            return pole
        factor = to_interval(self.scale) ** to_interval(pole.z)
        factor /= to_interval(self.power**pole.order)
        table = residue_table(self.germ, replace(pole, z=pole.z * self.power), factor)
        return replace(pole, functional=table)


def decided_poles(
    problem: Problem, clock: Budget, *, functional: bool = False
) -> Sequence[Pole] | None:
    """Poles of ∫ K^z |x|^h φ at the point, for smooth φ on the side of the walls.

    Parameters
    ----------
    problem : Problem
    clock : Budget
        What is not decided when it is over is open.
    functional : bool
        With the tables of coefficients, as far as the time reaches.

    Returns
    -------
    sequence of Pole or None
        Decreasing; None if K is neither a monomial nor a germ of two variables that is not
        degenerate over R, or the time was over before that was seen.

    Notes
    -----
    ``theory/plane-poles.md`` has the rules and their proofs.

    Examples
    --------
    >>> found = decided_poles(Problem.ideal(["x**2 - y**3"]), Budget(None))
    >>> [(str(p.z), p.order) for p in found if p.status == "pole"][:4]
    [('-5/12', 1), ('-1/2', 1), ('-7/12', 1), ('-11/12', 1)]
    >>> [(str(p.z), p.why) for p in found if p.status == "none"][:2]
    [('-2/3', 'odd rule'), ('-3/4', 'exact form')]
    """
    candidates: list[Fraction] = []
    poles: list[Pole] = []

    def decide_all() -> None:
        zeta = LocalZeta.of(problem)
        if zeta is None:
            return
        candidates.extend(zeta.candidates)
        for z in candidates:
            poles.append(zeta.decide(z))
        for k, pole in enumerate(poles if functional else ()):
            poles[k] = zeta.with_functional(pole)

    made_in_time(decide_all, clock)
    undecided = candidates[len(poles) :]
    order = len(problem.variables)
    return [*poles, *(Pole(z, order, "open", "out of time") for z in undecided)] or None
