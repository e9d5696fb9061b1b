"""Numbers of weights of quadratic networks, and upper bounds of the rank of their derivative."""

from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures


def weight_count(units: int, outputs: int, law: QuadraticFeatures) -> int:
    """Count the weights and biases of a network, whether the inputs see them or not.

    >>> weight_count(5, 3, QuadraticFeatures.density(4))
    35
    """
    return units * (law.inputs + law.bias + outputs) + outputs * law.bias


def secant_dimension(inputs: int, outputs: int, units: int) -> tuple[int, str]:
    """Largest rank that Φ(W, V) = (Σ_j v_kj w_j w_jᵀ)_k can have, as far as theory bounds it.

    It is an upper bound of the dimension of the cone over the secant variety of K-secant (K −
    1)-planes of the Segre–Veronese variety P^(p−1) × P^(d−1) in O(1, 2).  d, p and K are
    ``inputs``, ``outputs`` and ``units``.  The rule that gives the bound comes with it.

    Abo, H. and Brambilla, M. C. (2009), Experimental Mathematics 18:369–384.
    Ottaviani, G. (2007), in: Vector Bundles and Low Codimensional Subvarieties.

    >>> secant_dimension(2, 1, 2)[0], secant_dimension(3, 2, 5)[0], secant_dimension(4, 3, 5)[0]
    (3, 12, 29)
    """
    d, p, K = inputs, outputs, units
    form_count = d * (d + 1) // 2
    if p == 1:
        k = min(K, d)
        return k * (2 * d - k + 1) // 2, f"symmetric {d} × {d} matrices of rank at most {k}"
    bounds = [
        (K * (d + p - 1), f"{K} units of {d} + {p} − 1 directions"),
        (p * form_count, f"{p} quadratic forms in {d} variables"),
    ]
    if min(p, form_count) >= K:
        bounds.append(
            (K * (p + form_count - K), f"{p} × {form_count} matrices of rank at most {K}")
        )
    best, rule = min(bounds)
    half = d // 2
    if p == 3 and d == 2 * half and half >= 2 and 3 * half - 1 == K:
        return best - 1, f"{rule}, one less (Ottaviani's defective family)"
    if (d, p, K) == (4, 5, 6):
        return best - 1, f"{rule}, one less (the defective case of Abo and Brambilla)"
    return best, rule


def largest_rank(units: int, outputs: int, law: QuadraticFeatures) -> tuple[int, str]:
    """Upper bound of the rank at any parameter, and its rule."""
    p, K = outputs, units
    constant_rank = law.constant_rank
    count = law.count - constant_rank  # features modulo the constant
    full_count = law.dimension * (law.dimension + 1) // 2
    bounds = [
        (
            K * (law.dimension + p - 1) + p * constant_rank,
            f"{K} units of {law.dimension} + {p} − 1",
        ),
        (p * (count + constant_rank), f"{p} functions of {count + constant_rank} features"),
    ]
    if min(p, count) >= K:
        shape = f"{p} × {count} matrices of rank at most {K}"
        bounds.append((K * (p + count - K) + p * constant_rank, shape))
    # What the inputs determine is a linear image of the whole map.
    dimension, rule = secant_dimension(law.dimension, p, K)
    bounds.append((dimension + p * constant_rank, rule))
    if p == 1 and constant_rank and law.count == full_count:
        # r lies in the column space of Q as long as K < d.
        k, d = min(K, law.dimension - 1), law.dimension - 1
        bounds.append((k * (2 * d - k + 1) // 2 + k + 1, f"rank of Q at most {k}, r within"))
    if constant_rank and (law.dimension, p, K) == (4, 4, 5):
        bounds.append((K * (law.dimension + p - 1) + p - 1, "rational curves through the bias"))
    best, rule = min(bounds)
    return best, rule + (
        " and the output biases" if constant_rank and best != p * law.count else ""
    )
