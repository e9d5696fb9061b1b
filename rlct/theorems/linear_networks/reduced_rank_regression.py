"""The 2005 formula for one hidden linear layer: a route independent of `deep_linear`."""

from fractions import Fraction

from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.linear_networks.linear_network import (
    LINEAR_MINIMUM,
    LINEAR_PARAMETERS,
    on_all_inputs,
    plain_statements,
)
from rlct.theorems.working import note_case, step

_GIVEN_PARAMETERS = tuple(p for p in LINEAR_PARAMETERS if p.kind is Kind.GIVEN)


def reduced_rank_pair(inputs: int, hidden_width: int, outputs: int, rank: int) -> Pair:
    """Evaluate the four cases of Aoyagi and Watanabe (2005).

    M, H and N are ``inputs``, ``hidden_width`` and ``outputs``; that 0 ≤ rank ≤ min(M, H, N) is not
    checked here.  The pair is that of K = ‖BA − B₀A₀‖² at its deepest zero.

    Aoyagi, M. and Watanabe, S. (2005), Neural Networks 18:924–933, main theorem.

    >>> reduced_rank_pair(3, 2, 5, 1), reduced_rank_pair(2, 1, 2, 0)
    (Pair(9/2, 1), Pair(1, 2))
    """
    M, H, N, r = inputs, hidden_width, outputs, rank
    # At most one of the three conditions holds: two of them together put a width below r.
    if N + r > M + H:
        note_case(f"M + H = {M + H} < N + r = {N + r}")
        lam = Fraction(H * M - H * r + N * r, 2)
        return Pair(step(f"λ = ({H}·{M} − {H}·{r} + {N}·{r})/2", lam), 1)
    if M + r > N + H:
        note_case(f"N + H = {N + H} < M + r = {M + r}")
        lam = Fraction(H * N - H * r + M * r, 2)
        return Pair(step(f"λ = ({H}·{N} − {H}·{r} + {M}·{r})/2", lam), 1)
    if H + r > M + N:
        note_case(f"M + N = {M + N} < H + r = {H + r}")
        return Pair(step(f"λ = {M}·{N}/2", Fraction(M * N, 2)), 1)
    odd = (M + H + N + r) % 2
    note_case("none of the three conditions holds")
    note_case(f"M + H + N + r = {M + H + N + r} is {'odd' if odd else 'even'}, ε = {odd}")
    lam = Fraction(2 * (H + r) * (M + N) - (M - N) ** 2 - (H + r) ** 2 + odd, 8)
    text = f"(2·({H} + {r})·({M} + {N}) − ({M} − {N})^2 − ({H} + {r})^2 + {odd})/8"
    return Pair(step(f"λ = {text}", lam), step("θ", 1 + odd))


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    widths = [arguments[name] for name in ("inputs", "hidden", "outputs")]
    rank, smallest = arguments["rank"], min(widths)
    return (
        Finding.of("the widths are positive", smallest >= 1, f"the smallest is {smallest}"),
        Finding.of(
            "the rank is between 0 and the smallest width",
            0 <= rank <= smallest,
            f"rank {rank}, smallest width {smallest}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    return reduced_rank_pair(
        arguments["inputs"], arguments["hidden"], arguments["outputs"], arguments["rank"]
    )


def _question(arguments: Arguments) -> object | None:
    widths = tuple(arguments[name] for name in ("inputs", "hidden", "outputs"))
    return LinearNetwork(widths, arguments["rank"])


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, LinearNetwork) or question.bias or len(question.widths) != 3:
        return None
    inputs, hidden, outputs = question.effective_widths
    return {"inputs": inputs, "hidden": hidden, "outputs": outputs, "rank": question.rank}


THEOREM = Theorem(
    id="reduced-rank-regression",
    title="Reduced-rank regression (2005)",
    model="y = B A x + Gaussian noise with one hidden layer",
    where=LINEAR_MINIMUM,
    cites=("aoyagi2005rrr",),
    parameters=(
        Parameter("inputs", Kind.INTEGER, "M, input width (rank of the inputs if they span less)"),
        Parameter("hidden", Kind.INTEGER, "H, hidden width"),
        Parameter("outputs", Kind.INTEGER, "N, output width"),
        Parameter("rank", Kind.INTEGER, "r, rank of the true map"),
        *_GIVEN_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=on_all_inputs(_value),
    statements=plain_statements,
    question=_question,
    recognise=_recognise,
    instances=(
        known_instance((3, 1, 5, 0), "3/2", 1),
        known_instance((3, 1, 5, 1), "7/2", 1),
        known_instance((3, 2, 5, 0), "3", 1),
        known_instance((3, 2, 5, 1), "9/2", 1),
        known_instance((3, 2, 5, 2), "6", 1),
        known_instance((3, 3, 5, 0), "9/2", 2),
        known_instance((3, 3, 5, 1), "11/2", 1),
        known_instance((3, 3, 5, 2), "13/2", 1),
        known_instance((3, 3, 5, 3), "15/2", 1),
        known_instance((2, 1, 2, 0), "1", 2),
        known_instance((2, 2, 2, 1), "2", 2, by_simulation()),
    ),
    counterexamples=(
        Counterexample.against("second_moment", (2, 2, 2, 0), ("1", 2), "a*x + b*y; c*x + d*y"),
        squared_product((1, 1, 1, 0), "interior", "a*b"),
    ),
)
