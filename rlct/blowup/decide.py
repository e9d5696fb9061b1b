"""Which candidate poles of a question are poles: monomials, and germs of two variables."""

from dataclasses import replace
from fractions import Fraction

from rlct.algebra.factoring import perfect_power
from rlct.algebra.polynomial import terms_of
from rlct.blowup.plane_poles import Pole, ResolvedGerm, listed_candidates
from rlct.questions.problem import Problem


def decided_poles(problem: Problem) -> list[Pole] | None:
    """Poles of ∫ K^z |x|^h φ at the point, for smooth φ on the side of the walls.

    Returns
    -------
    list of Pole or None
        Decreasing; None if K is neither a monomial nor a germ of two variables that is not
        degenerate over R.

    Notes
    -----
    ``theory/plane-poles.md`` has the rules and their proofs.

    Examples
    --------
    >>> found = decided_poles(Problem.ideal(["x**2 - y**3"]))
    >>> [(str(p.z), p.order) for p in found if p.status == "pole"][:4]
    [('-5/12', 1), ('-1/2', 1), ('-7/12', 1), ('-11/12', 1)]
    >>> [(str(p.z), p.why) for p in found if p.status == "none"][:2]
    [('-2/3', 'odd rule'), ('-3/4', 'exact form')]
    """
    generators = problem.local.generators
    if problem.field is not None or not generators:
        return None
    if len(generators) > 1:
        f, power = sum((g**2 for g in generators), start=generators[0].ring.zero), 1
    else:
        f, power = generators[0], 1 + problem.is_ideal
        root, exponent = perfect_power(f.monic()) or (f, 1)
        f, power = root, power * exponent
    # A wall x ≥ 0 is x = y², where only even functions count; other substitutions are undone.
    sides = [1 + wall * (not at) for wall, at in zip(problem.nonneg, problem.point, strict=True)]
    ratios = [Fraction(side, q) for side, q in zip(sides, problem.powers, strict=True)]
    ring = f.ring
    f = ring.from_dict(
        {tuple(int(e * r) for e, r in zip(m, ratios, strict=True)): c for m, c in f.terms()}
    )
    prior = [r * (1 + h) - 1 for r, h in zip(ratios, problem.local.prior, strict=True)]
    terms = terms_of(f)
    if len(terms) == 1 and ring.ngens != 2:
        poles = _monomial(next(iter(terms)), prior)
    elif ring.ngens == 2 and (0, 0) not in terms:
        germ = ResolvedGerm.of(f, (prior[0], prior[1]), (sides[0], sides[1]))
        if germ is None:
            return None
        poles = germ.poles()
    else:
        return None
    return [replace(pole, z=pole.z / power) for pole in poles]


def _monomial(exponents: tuple[int, ...], prior: list[Fraction]) -> list[Pole]:
    """|x|^(e·s + h) has a pole at s iff −e·s − 1 − h is even and not negative."""
    axes = [(1 + h, Fraction(e)) for e, h in zip(exponents, prior, strict=True) if e]
    poles = []
    for s in listed_candidates(axes):
        powers = [-e * s - start for start, e in axes]
        order = sum(power >= 0 and power % 2 == 0 for power in powers)
        status = "pole" if order else "none"
        poles.append(Pole(s, order, status, "monomial" if order else "odd rule"))
    return poles
