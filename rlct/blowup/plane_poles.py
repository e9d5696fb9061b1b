"""Which candidate poles of ∫|f|^s φ are poles: f of two variables, non-degenerate over R."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

from rlct.algebra.factoring import squarefree_factors
from rlct.algebra.polynomial import Polynomial, Terms, terms_of
from rlct.blowup.face_residue import FaceResidue, Form, PlaneEdge
from rlct.blowup.pole import Pole
from rlct.blowup.residue_ball import curve_part, finite_part, real_zeros
from rlct.newton.polygon import lower_hull

_FEWEST_LISTED = 20  # candidates; what a reader takes in
_LAST_LISTED = Fraction(-2)  # all above are listed
_MOST_LISTED = 200  # candidates; by hand
_HIGHEST_EXPONENT = 200  # of a germ whose curves are looked at
_LARGEST_ORDER = 120  # m of a face whose curves meet it
_MOST_INTERVALS = 4  # coefficients of one residue that are enclosed
Prior = tuple[Fraction, Fraction]
Sides = tuple[int, int]


@dataclass(frozen=True)
class ResolvedGerm:
    """f = Π g^μ at the origin, with the prior |x|^h₁|y|^h₂, in signed coordinates."""

    terms: Terms
    prior: Prior
    #: Compact edges from left to right.
    edges: tuple[PlaneEdge, ...]
    #: For each edge the orders of its real curves.
    edge_curves: tuple[frozenset[int], ...]
    #: By which exponents of x and y are multiplied: 2 at a wall, x = u².
    sides: Sides = (1, 1)

    @classmethod
    def of(
        cls, f: Polynomial, prior: Prior, sides: Sides = (1, 1), mild: Fraction | None = None
    ) -> ResolvedGerm | None:
        """None if f is degenerate, unless at −mild alone, where zeros of initial parts are mild."""
        terms = terms_of(f)
        if len(terms) > 1 and max(map(max, terms)) > _HIGHEST_EXPONENT:
            return None
        edges = tuple(
            PlaneEdge.between(a, b, terms) for a, b in pairwise(lower_hull(_plane(terms)))
        )
        factors = squarefree_factors(f)
        edge_curves = []
        for edge in edges:
            curve_orders: list[int] = []
            for g, curve_order in factors:
                a, b = edge.weight
                weights = {m: a * m[0] + b * m[1] for m in terms_of(g)}
                part = _plane(m for m, w in weights.items() if w == min(weights.values()))
                if len(part) == 1:
                    continue
                low, high = max(part), min(part)
                own = PlaneEdge.between(high, low, terms_of(g))
                orders = [order for _, order in real_zeros(own.initial)]
                for order in orders:
                    if order > 1 and (mild is None or order * curve_order * mild >= 1):
                        return None
                curve_orders += [order * curve_order for order in orders]
            if len(curve_orders) != len(real_zeros(edge.initial)):
                return None
            edge_curves.append(frozenset(curve_orders))
        return cls(terms, prior, edges, tuple(edge_curves), sides)

    @property
    def vertices(self) -> list[tuple[int, int]]:
        """From left to right."""
        return lower_hull(_plane(self.terms))

    def progressions(self) -> Iterator[tuple[Fraction, Fraction]]:
        """The numbers −(start + k)/divisor of axes, edges and curves."""
        for order, h in self._axes():
            yield 1 + h, Fraction(order)
        for edge, curve_orders in zip(self.edges, self.edge_curves, strict=True):
            yield -edge.order_at(Fraction(0), self.prior), Fraction(edge.least)
            for curve_order in curve_orders:
                yield Fraction(1), Fraction(curve_order)

    def _axes(self) -> list[tuple[int, Fraction]]:
        """Orders of f along x = 0 and y = 0, where positive, with h."""
        orders = (self.vertices[0][0], self.vertices[-1][1])
        return [(n, h) for n, h in zip(orders, self.prior, strict=True) if n]

    def decide(self, s: Fraction) -> Pole:
        """Decide one candidate."""
        along = {-s * n for orders in self.edge_curves for n in orders if -s * n % 2 == 1}
        open_order = Pole(s, 2, "open", "a pole; whether of order 1 or 2 is open")
        for k in self.crossings(s):
            # Curves add nothing negative where |δ|^−1 is their own power, not an expansion's.
            if along - {1}:
                return open_order
            vertex = self.exponents(*self.vertices[k])
            return Pole(s, 2, "pole", f"vertex rule, at ({', '.join(vertex)})")
        double = self._curves_meet(s)
        if double:
            return Pole(s, 2, "pole", "curve rule, where a real curve meets its face")
        if not self.is_off_origin(s):
            return self.on_faces(s)
        name = "a real zero curve" if along else "an axis"
        return Pole(s, 1, "pole", f"curve rule, along {name}") if double is False else open_order

    def crossings(self, s: Fraction) -> list[int]:
        """The vertices where both exponents give a pole, by their numbers."""
        return [
            k
            for k, vertex in enumerate(self.vertices)
            if all(n and meets_power(s, n, h) for n, h in zip(vertex, self.prior, strict=True))
        ]

    def even_faces(self, s: Fraction) -> list[tuple[FaceResidue, frozenset[int]]]:
        """The edges whose order at s is even, with the orders of their curves."""
        faces = []
        for edge, curve_orders in zip(self.edges, self.edge_curves, strict=True):
            order = edge.order_at(s, self.prior)
            if order >= 0 and order % 2 == 0:
                face = FaceResidue(edge, self.terms, self.prior, s, int(order))
                faces.append((face, curve_orders))
        return faces

    def is_off_origin(self, s: Fraction) -> bool:
        """Whether a curve or an axis gives a pole."""
        return any(meets_power(s, n, h) for n, h in self._axes()) or any(
            -s * n % 2 == 1 for curve_orders in self.edge_curves for n in curve_orders
        )

    def _curves_meet(self, s: Fraction) -> bool | None:
        """Whether a curve and its face give order 2; None: not known."""
        meeting = self._meeting_curves(s)
        if all(-s * curve_order == 1 for _, curve_order in meeting) and any(
            i % 2 == j % 2 == 0 and all(face.excess(i, j) <= 0 for face, _ in meeting)
            for own, _ in meeting
            for i, j in own.highest
        ):
            return True
        if not meeting or any(face.order > _LARGEST_ORDER for face, _ in meeting):
            return None if meeting else False
        sums = self.curve_sums(s, _MOST_INTERVALS)
        return any(len(meeting) == 1 and 0 not in total for total in sums.values()) or None

    def _meeting_curves(self, s: Fraction) -> list[tuple[FaceResidue, int]]:
        return [(f, n) for f, orders in self.even_faces(s) for n in orders if -s * n % 2 == 1]

    def curve_sums(self, s: Fraction, most: int | None) -> dict[tuple[int, int], Any]:
        """Sums over real curves for the first coefficients: a quarter of those of order 2."""
        sums: dict[tuple[int, int], Any] = {}
        for face, curve_order in self._meeting_curves(s):
            for taylor_index, form in islice(face.forms(), most):
                part = curve_part(face, form, curve_order) / face.edge.least
                sums[taylor_index] = sums.get(taylor_index, 0) + part
        return sums

    def on_faces(self, s: Fraction) -> Pole:
        """A residue at the origin alone: sums of the coefficients of the faces."""
        face_residues = [(face, max(orders, default=0)) for face, orders in self.even_faces(s)]
        if not face_residues:
            return Pole(s, 0, "none", "odd rule")
        if len(face_residues) == 1:
            # Coefficients of the highest derivatives see the initial part alone.
            face_residue, largest_order = face_residues[0]
            pole = self._decided(s, [(face_residue.homogeneous, largest_order)])
            if pole.status == "pole" or face_residue.homogeneous == face_residue:
                return pole
        if any(face_residue.is_long for face_residue, _ in face_residues):
            return Pole(s, 1, "open", "its residue has too many terms")
        return self._decided(s, face_residues)

    def _decided(self, s: Fraction, face_residues: Sequence[tuple[FaceResidue, int]]) -> Pole:
        forms: dict[tuple[int, int], list[tuple[FaceResidue, Form, int]]] = {}
        for face_residue, largest_order in face_residues:
            for taylor_index, form in face_residue.forms():
                forms.setdefault(taylor_index, []).append((face_residue, form, largest_order))
        if not forms:
            return Pole(s, 0, "none", "no monomial of this weight, or odd on the face")
        open_coefficients, zero_reasons = [], set[str]()
        for taylor_index, parts in forms.items():
            name = f"coefficient of φ_{','.join(self.exponents(*taylor_index))}"
            reasons = [zero_reason(face, form) for face, form, _ in parts]
            zero_reasons.update(filter(None, reasons))
            nonzero_parts = [p for p, reason in zip(parts, reasons, strict=True) if not reason]
            if not nonzero_parts:
                continue
            if all(
                face_residue.has_positive(taylor_index, largest_order)
                for face_residue, _, largest_order in nonzero_parts
            ):
                return Pole(s, 1, "pole", f"positive integral, {name}")
            if len(nonzero_parts) == 1 and _gamma_product(*nonzero_parts[0][:2]):
                return Pole(s, 1, "pole", f"product of gamma functions, {name}")
            open_coefficients.append((name, nonzero_parts))
        for name, nonzero_parts in open_coefficients[:_MOST_INTERVALS]:
            integrals = [(face, finite_part(face, form)) for face, form, _ in nonzero_parts]
            if any(part is None for _, part in integrals):
                continue
            total = sum(part / face.edge.least for face, part in integrals)
            if 0 not in total:
                return Pole(s, 1, "pole", f"integral {float(total.mid):.6g}, {name}")
        if open_coefficients:
            return Pole(s, 1, "open", "its integrals are not told from 0")
        return Pole(s, 0, "none", " and ".join(sorted(zero_reasons)))

    def exponents(self, i: int, j: int) -> tuple[str, str]:
        """Exponents of x and y in the question."""
        return str(Fraction(i, self.sides[0])), str(Fraction(j, self.sides[1]))


def _plane(exponents: Iterable[tuple[int, ...]]) -> list[tuple[int, int]]:
    return [(i, j) for i, j in exponents]


def listed_candidates(progressions: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
    """Numbers −(start + k)/divisor, k ≥ 0: those above −2 and at least twenty, decreasing."""
    numbers = {
        -(start + k) / divisor
        for start, divisor in progressions
        for k in range(min(int(-_LAST_LISTED * divisor) + _FEWEST_LISTED, _MOST_LISTED))
    }
    return [
        s
        for position, s in enumerate(sorted(numbers, reverse=True)[:_MOST_LISTED])
        if s > _LAST_LISTED or position < _FEWEST_LISTED
    ]


def meets_power(s: Fraction, order: int, h: Fraction) -> bool:
    """Whether |x|^(order·s + h) has a pole at s, over both signs of x."""
    power = -order * s - 1 - h
    return power >= 0 and power % 2 == 0


def zero_reason(face_residue: FaceResidue, form: Form) -> str:
    """Why the integral of a form is 0; empty if that is not seen."""
    if face_residue.primitive(form) is not None:
        return "exact form"
    e = face_residue.exponent
    orders = [order for _, order in real_zeros(face_residue.edge.initial)]
    if (
        face_residue.s % 2 == 0
        and e.denominator == 1
        and (int(e) + face_residue.sign) % 2 == 0
        and sum(orders) == face_residue.degree
    ):
        return "rational with real poles alone"
    averaged = face_residue.averaged(form)
    if averaged != form and (not averaged or face_residue.primitive(averaged) is not None):
        return "exact form, averaged over rotations"
    return "product of gamma functions" if _gamma_product(face_residue, form) is False else ""


def _gamma_product(face_residue: FaceResidue, form: Form) -> bool | None:
    """Whether the integral along a face of two terms is not 0; None if that is not seen."""
    n, edge_terms = face_residue.degree, face_residue.edge.initial
    if any(edge_terms[1:-1]):
        return None
    s, poles, sign = face_residue.s, face_residue.poles, face_residue.sign
    shape, class_values = (n, edge_terms[0] * edge_terms[-1] > 0, poles), []
    for rest in {k % n for k in form}:
        part = {k: c for k, c in form.items() if k % n == rest}
        if face_residue.primitive(part) is not None:
            continue
        first = min(part)
        if len(part) > 1 and face_residue.primitive(part, {first: Fraction(1)}) is None:
            return None
        a, even_integrand = (face_residue.exponent + first + 1) / n, (sign + first) % 2 == 0
        class_values.append(_gamma_factors(a, s - poles + 1, shape, even_integrand))
    if None in class_values or class_values.count(True) > 1:
        return None
    return True in class_values


def _gamma_factors(
    a: Fraction, b: Fraction, shape: tuple[int, bool, int], even_integrand: bool
) -> bool | None:
    """Whether Γ(A)Γ(B)Γ(C) times its sines and cosines is not 0, where A + B + C = 1."""
    n, one_sign, poles = shape
    c = 1 - a - b
    if n % 2:
        names = {(0, True): "ccc", (0, False): "scs", (1, True): "css", (1, False): "ssc"}
        values = [
            _gamma_order(x, name)
            for x, name in zip((a, b, c), names[poles % 2, even_integrand], strict=True)
        ]
    elif not even_integrand:
        return False
    else:
        values = [_gamma_order(a, ""), _gamma_order(c, "")]
        if one_sign:
            values.append(_gamma_order(b, "cs"))
        else:
            values.append(_gamma_order(b, "s" if poles % 2 else "c"))
            values.append(int((a - c) % 2 == (0 if poles % 2 else 1)))
    if min(values) < 0:
        return None
    return not any(values)


def _gamma_order(x: Fraction, names: str) -> int:
    """Order of the zero of Γ(x) times cos(πx/2) or sin(πx/2)."""
    if x.denominator > 1:
        return 0
    return sum(x % 2 == (name == "c") for name in names) - (x <= 0)
