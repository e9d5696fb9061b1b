"""Tuned numbers of the fits of ladders: what is assumed of an expansion before its ladder is seen.

Lengths L are in log nβ from the scale of the prior; gaps δ are to the next pole of ζ, mostly in
units of min(λ, 1).  Where each was tuned is said beside it: theory/sampling.md has the runs, and
the scripts lie in validation/coverage.  "Reference set" is run.py there.
"""

import numpy as np

# -- Both fits -------------------------------------------------------------------------------------

# χ² per degree of freedom beyond which no expansion fits; the reference set.
ALLOWED_MISFIT = 2.5
# Late logarithms, (L + b)^{θ−1} with b in units of (θ−1)/λ.  Where facets of a Newton polyhedron
# meet at the diagonal in a thin cone, only a share φ of the usual range of x makes the logarithm,
# and b is 1/(φλ): 5/λ for x²y², x⁵, y⁵.  φ is uniform: b has the density 1/b².  `close.py thin`.
THIN_CONES = (4.0, 6.0, 9.0, 14.0, 20.0, 30.0)

# -- The joint fit of a ladder with noise: joint_fit.py, leading.py --------------------------------

# Share of the ladder left out, where further poles count: with 0.35 the next pole but one biased
# [5,3,5] of rank 1 by 0.019, 1.4 root-mean-square z on 20 seeds; and the least L left out.
LEFT_OUT, LEAST_LEFT_OUT = 0.45, 3.0
# Least L of an interrupted ladder that has levels enough for a fit; the reference set.
SHORTEST_LADDER = 7.5
# Of a slope, for what the expansion leaves out where nothing scatters; a convention.
SLOPE_FLOOR = 1e-4
# δ/min(λ, 1) of the next pole.  On 38 polynomials whose resolution gives candidates it is 1/2 to
# 7/4 for half of them, at most 2, and below 1/5 for two (`poles.py`).
POLE_GAPS = (0.2, 0.25, 0.33, 0.5, 0.67, 1.0, 1.5, 2.0)
# Of L layers, in units of 1/L: λ less the slope is as large as λ at first, and not as λδ.  For ten
# layers of width 10, θ = 1, it is λe^{−δL} times 1 to 2, δ passing from 0.76/L to 0.95/L.
DEEP_POLE_GAPS = (0.75, 0.85, 1.0, 1.25)
# Up to 1/2, as for a third of 38 polynomials or fewer (`poles.py`), the next pole may be of any
# order m and weigh as much as the first: the prior odds of m against a pole that does not.  The
# powers 8, 7 and 6 have 1/8 and 1/7 (`close.py`).
CLOSE_GAPS = (0.14, 0.2, 0.25, 0.33, 0.5)
ORDER_ODDS = {1: 1 / 4, 2: 1 / 8, 3: 1 / 16}
# Of as many variables besides those of θ; eight products such as y⁸∏xᵢ⁶ with ten xᵢ.
HIGH_ORDER_ODDS = {6: 1 / 32, 12: 1 / 64, 24: 1 / 128}
# A part of a sum that shows late is a product of high powers, or has a small coefficient: its poles
# are a fraction of its own λ away.  x² + y² + z⁸u⁶ has 9/8 and 9/8 + 1/24.
CLOSER_GAPS = (0.05, 0.1)
# In a product of L layers: where L divides the width over rank, θ is 1, and poles of high order are
# as close as 1/L.  In units of that (`deep.py`):
DEEP_CLOSE_GAPS = (1.0, 1.5, 2.0, 3.0, 4.5, 7.0, 10.0)
DEEP_ORDER_ODDS = dict.fromkeys((2, 4, 8, 16, 24), 1.0)
# b in standard deviations from its value for θ equal coordinates (`LeadingTerm.shifts`): they are
# that share of the value, and so many log(1 + λ), as −2 to −9 of five linear networks want.
SHIFT_DEVIATIONS = np.linspace(-2.0, 2.0, 13)
SHIFT_SPREAD, LATE_SPREAD = 0.7, 2.5
# Prior probability of b from `THIN_CONES`; 30 ideals and twelve ladders of `close.py thin`.
THIN_CHANCE = 0.2
# A pole closer than these is not in the family, since few K have one, but in the error: at such a
# place, with a residue of normal distribution and this deviation, that of the first being 1.  Three
# tanh units have 9/10 after 5/6; parts of K that show late have closer ones.
UNSEEN_POLE, UNSEEN_LATE_POLE = (0.08, 0.5), (CLOSER_GAPS[0], 1.0)
# Parts of K that are small within the prior begin to show later than K, by 5 for a network of
# widths 6, 4, 6 and rank 2, and ρ is e^{5δ} times larger.  Ladders that end beyond SHORT_LADDER do
# not see it; in others any of LATER_PARTS is as likely.  Where slopes rise by more than this share
# of the last ones there, more than one pole is at work, and half of the rise is in the error.
SHORT_LADDER, LATER_PARTS, RISING_SHARE = 20.0, (0.0, 2.0, 4.0, 6.0), 0.2

# -- The fit of a ladder without noise: expansion.py -----------------------------------------------

# Shares of the ladder left out, one for each window; the reference set, as all to the end of these.
EXACT_LEFT_OUT = (0.3, 0.4, 0.5)
WINDOW_MARGIN = 2.0  # the error, in moves of λ̂ from window to window
GAP_STARTS, LEAST_GAP, MOST_GAP = (0.08, 0.25, 0.6), 0.03, 3.0  # of δ where it is fitted, absolute
# Deviations of ρ, b and v: weak priors that keep directions the data do not see from running away.
RESIDUE_SPREAD, EXACT_SHIFT_SPREAD, BEND_SPREAD = 5.0, 6.0, 20.0
INDEPENDENT_SLOPES = 4.0  # that the slopes are worth, whose errors share their nodes
# Distances of further poles from λ, in units of λ, and shifts of the logarithm, that are averaged
# over; the floor, of slopes, stands for what the linearised expansion leaves out.
EXACT_POLE_GAPS = (0.1, 0.125, 0.15, 0.2, 0.25, 0.33, 0.45, 0.6, 0.8, 1.1, 1.5, 2.2, 3.2)
EXACT_SHIFTS = (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)
WIDEST_SHIFT = 2.0  # times THIN_CONES[-1], where b is fitted
EXACT_FLOOR = 1e-4  # of slopes, for what the linearised expansion leaves out
# Residual of a fit by one further pole up to which that expansion is taken for complete.  A late
# logarithm is much like a close pole: with b beyond LATE_SHIFT times its usual value the residual
# must be smaller (x³y⁴, x⁸, y⁸ with θ = 2: 6e-6; right ones have 2e-6 at most).
SHARP_RESIDUAL, SHARPER_RESIDUAL, LATE_SHIFT = 1e-5, 3e-6, 1.5

# -- How long a ladder is, and what is tried: attempts.py, quadrature.py, tempering.py -------------

LAST_EFFORT = 4.0  # the largest share of the usual draws
FAR_TOP = 1e30  # last nβ of tempering with the last effort, if rounding does not hide K before
MOST_THETAS = 64  # that are tried: from 1 on, and no more than there are parameters
SHALLOW_THETA = 8  # the largest that is tried on linear networks of few layers, where it is 3
# A ladder that ends before λ̂ log nβ is as large is run once more to there, if rounding does not
# hide K before: poles at 1.2 λ still weigh e^(−0.2 · 12) then, and whole ones without doubt.
WANTED_TURNS = 12.0
# θ coordinates alike make −log K a Gamma variable of order θ, whose scale must be passed some times
# before a large θ differs from a small one with a smaller λ: ladders of 14 turns on x₁²⋯x₁₂² (1/2)
# gave 0.38 to 0.42.
TURNS_BY_THETA = 4.0
LONGEST_LADDER, LONGEST_QUADRATURE = 450.0, 60.0  # L
LADDER_ROOM = 20.0  # L to spare: K in a small box, or of high powers, shows late
COUNTED_LENGTH = 15.0  # L that a fit needs beyond where it counts from
USUAL_GAP = 7.0  # L between parts of K that coefficients of one size leave

# -- When an answer is doubted: ladder_report.py, check.py, closer.py ------------------------------

# λ̂ log nβ at the end of a ladder.  Of products of high powers, expanded, whose poles are close to
# each other, half of the intervals miss λ where that of λ is below 2, and that of λ̂ 2.2 to 3.6.
FEW_TURNS = 4.0
# Of x₁²⋯x₁₂² (θ = 12) those of 14 miss λ, those of 47 hold it; beyond so many θ.
FEW_TURNS_BY_THETA, FEW_THETAS = 2.0, 3
PLAUSIBLE_THETA = 0.01  # least chance of a θ that a claim about λ alone may appeal to
# Chance of a θ beside the likeliest, at the claimed λ, below which it is rejected.  Chosen on the
# theorems' polynomials; on the reference set the true θ had less in none of 278 (`thetas.py`).
REJECTED_ODDS = 0.2
BOX_SHRINK = 4.0  # from one box to the next; `boxes.py`, as for all of a box
LEAST_BOX = 5e-4  # radius below which powers of the variables underflow too soon
BOX_INSIDE = 0.5  # of the radius on which a zero may lie: on a wall it would still count
MORE_BOXES = 3  # after the first comparison, if that finds another zero
BOX_EFFORT = 0.5  # of the comparison, so that it costs less than the estimate itself
BOX_CRITICAL = 4.0  # standard errors
BOX_RELATIVE = 0.01  # of λ: candidates (h + 1)/2k lie further apart
