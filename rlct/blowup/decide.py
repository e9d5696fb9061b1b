"""Which candidate poles of a question are poles: monomials, and germs of two variables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from rlct.algebra.factoring import perfect_power
from rlct.algebra.polynomial import terms_of, to_fraction
from rlct.blowup.functional import residue_table
from rlct.blowup.plane_poles import ResolvedGerm, listed_candidates, meets_power
from rlct.blowup.pole import Pole
from rlct.blowup.residue_ball import to_interval
from rlct.questions.problem import Problem


@dataclass(frozen=True)
class LocalZeta:
    """∫ K^z |x|^h φ for smooth φ with small support, K = scale·|f|^power in signed coordinates.

    `monomial` has the exponents if f is one, `germ` is f if it has two variables.
    """

    prior: tuple[Fraction, ...]
    power: Fraction
    scale: Fraction
    monomial: tuple[int, ...]
    germ: ResolvedGerm | None

    @classmethod
    def of(cls, problem: Problem, mild: Fraction | None = None) -> LocalZeta | None:
        """None if K is neither a monomial nor a plane germ as `ResolvedGerm.of` takes it."""
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
            exponent = mild and mild * power
            germ = ResolvedGerm.of(f, (prior[0], prior[1]), (sides[0], sides[1]), exponent)
        monomial = next(iter(terms)) if len(terms) == 1 else ()
        if germ is None and not any(monomial):
            return None
        return cls(prior, Fraction(power), scale, monomial, germ)

    @property
    def candidates(self) -> list[Fraction]:
        """All that are listed, in z, decreasing."""
        axes = [(1 + h, Fraction(e)) for e, h in zip(self.monomial, self.prior, strict=False) if e]
        progressions = axes if self.germ is None else list(self.germ.progressions())
        return [s / self.power for s in listed_candidates(progressions)]

    def decide(self, z: Fraction) -> Pole:
        """Decide one candidate."""
        s = z * self.power
        if self.germ is not None:
            return replace(self.germ.decide(s), z=z)
        axes = zip(self.monomial, self.prior, strict=True)
        order = sum(meets_power(s, e, h) for e, h in axes if e)
        return Pole(z, order, "pole" if order else "none", "monomial" if order else "odd rule")

    def with_functional(self, pole: Pole, degree: float = inf) -> Pole:
        """With the leading coefficient at z as a functional of φ of this degree, where known."""
        if self.germ is None or pole.status != "pole":
            return pole
        factor = to_interval(self.scale) ** to_interval(pole.z)
        factor /= to_interval(self.power**pole.order)
        table = residue_table(self.germ, replace(pole, z=pole.z * self.power), factor, degree)
        return replace(pole, functional=table)
