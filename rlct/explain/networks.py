"""Wordings of what certificates of networks and models prove."""

from fractions import Fraction

from rlct.explain.proved_step import ProvedStep, Words, tuple_text, words_for


@words_for("theorem")
def rank_paths(step: ProvedStep) -> Words:
    """A linear network by rank patterns of partial products."""
    data = step.data
    rank = data["rank"]
    widths = [data["input_rank"], *data["widths"][1:]]
    excess = [width - rank for width in widths]
    regular = Fraction(rank * (widths[0] + widths[-1] - rank), 2)
    bias = Fraction(data["widths"][-1], 2) if data["bias"] else Fraction(0)
    least_codimension = 2 * (step.node.lower.lam - regular - bias)
    text = [
        f"The certificate proves the number by another route than the formula. Near the deepest "
        f"parameter the layers split into a regular part of rank `r = {rank}`, which gives "
        f"`r(H_in + H_out - r)/2 = {regular}`, and a product of matrices with the widths "
        f"`h = {tuple_text(excess)}`, the widths less the rank, near 0.",
        "The zeros of that product are divided by the ranks `k_j` of its partial products, "
        "`h_0 = k_0 ≥ k_1 ≥ … ≥ k_L = 0`; such a stratum has codimension "
        f"`Σ (h_j - k_j)(k_{{j-1}} - k_j)`, at least `{least_codimension}`, and half of the "
        f"least one is the threshold: `{least_codimension / 2}`.",
        f"The longest chain of strata of least codimension gives `θ = {step.node.lower.theta}`.",
    ]
    if bias:
        text.append(f"The biases add half the number of outputs, `{bias}`.")
    text.append(f"Together {step.result}.")
    return Words(
        "Rank patterns of partial products",
        tuple(text),
        sources=("lehalleur2024", "abeasis1985"),
    )


@words_for("generic-rank")
def generic_rank(step: ProvedStep) -> Words:
    """A quadratic network by the rank of its derivative."""
    data = step.data
    rank = 2 * step.node.lower.lam
    sizes = (("unit", len(data["hidden"])), ("output", len(data["outer"])))
    units, outputs = (f"{count} {name}{'s' * (count > 1)}" for name, count in sizes)
    arguments = "by the weights" + " and by the biases of units and outputs" * data["bias"]
    witness_text = "integer weights" + " and biases" * data["bias"]
    return Words(
        "Rank of the derivative at a generic parameter",
        (
            "At a generic parameter the true functions form a manifold whose dimension is the "
            f"largest rank of the derivative of the outputs {arguments}, and `λ` is half of it.",
            f"The certificate holds {witness_text} of {units} and {outputs} at which the rank "
            f"modulo the prime `2^61 - 1` is {rank}: a minor is not 0, so the largest rank is at "
            f"least {rank}.",
            f"A theorem bounds the rank at every parameter by {rank} as well. So {step.result}.",
        ),
        sources=("abo2009", "ottaviani2007"),
    )


@words_for("heywood-ranks")
def heywood_ranks(step: ProvedStep) -> Words:
    """Factor analysis by ranks along a chain of parameters."""
    p, k, r = (step.data[name] for name in ("variables", "factors", "true_factors"))
    return Words(
        "Ranks along a chain of Heywood parameters",
        (
            f"The parameters of a generic truth with `r = {r}` factors are `L = (L*, 0)` up to "
            f"rotations, next to it those with `m` more columns `√t e_i`, and others at which the "
            f"`{p * (p + 1) // 2}` covariances are coordinates.",
            "With `m` such columns the spare loadings are a matrix of `p - r - m` rows and "
            f"`k - r - m` columns, `p = {p}`, `k = {k}`. Blowing them up gives the candidate "
            "`rank/2 + (p - r - m)(k - r - m)/4`, and the rank alone where it is full; "
            "by the product rule the least is `λ`, and `θ` counts how often it is met.",
            "The certificate holds loadings at which the derivative has the largest possible rank "
            f"for each `m`, modulo the prime `2^61 - 1`. So {step.result}.",
        ),
        sources=("drton2017sbic", "drton2025"),
    )


@words_for("class-rank")
def class_rank(step: ProvedStep) -> Words:
    """Latent classes by the rank of the derivative."""
    rank = 2 * step.node.lower.lam
    return Words(
        "Rank of the derivative at generic classes",
        (
            "Every parameter of a generic truth has the largest rank that the derivative of the "
            "table by weights and probabilities can have, and `λ` is half of it.",
            f"The certificate holds integer vectors of the classes at which the rank modulo the "
            f"prime `2^61 - 1` is {rank}, and a theorem bounds it by {rank} everywhere. So "
            f"{step.result}.",
        ),
        sources=("abo2009segre", "strassen1983"),
    )
