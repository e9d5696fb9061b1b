"""The command ``rlct select``: which size of a family of models the data support."""

import argparse
import re
from typing import Any

from rlct.cli import common, files
from rlct.cli.model_choice import arguments
from rlct.errors import InputError

_SELECT_EXAMPLES = (
    "rlct select --family factor-analysis --variables 6 --sizes 0..3 --n 143 "
    "--log-likelihood=-1214.439,-977.050,-855.399,-854.377",
    "rlct select scores.csv --family factor-analysis --sizes 0..4",
    "rlct select --family latent-class --categories 2,2,2,2,2 --sizes 1..3 --n 1000 "
    "--log-likelihood=-2493.437,-2467.406,-2464.651 --json",
)


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    from rlct.selection.families import MODEL_FAMILIES
    from rlct.selection.fitters import FAMILY_FITTERS

    parser = subparsers.add_parser(
        "select",
        help="how many factors, classes, components or ranks the data support",
        description="Which size of a family of models the data support: AIC, BIC and the singular "
        "BIC with the exact λ of each model at each smaller truth, from data or from maximised "
        "log-likelihoods. Where a λ is only bounded, probabilities are intervals.",
        examples=_SELECT_EXAMPLES,
    )
    parser.add_argument(
        "data",
        nargs="?",
        metavar="DATA.csv",
        help="names in the first line, an observation in each other one, to be fitted: "
        f"{', '.join(FAMILY_FITTERS)}; or a covariance matrix with --n",
    )
    families = f"{', '.join(MODEL_FAMILIES)}; fa, pca, rrr, lca, gmm, hmm for short"
    parser.add_argument("--family", required=True, metavar="NAME", help=families)
    parser.add_argument("--sizes", required=True, metavar="A..B", help="or A,B,C")
    parser.add_argument(
        "--log-likelihood",
        metavar="X,X,…",
        help="instead of data: maximised log-likelihood of each size (put = before the first if it "
        "is negative)",
    )
    parser.add_argument("--use", metavar="NAME,…", help="columns of the data, in their order")
    parser.add_argument("--counts", metavar="NAME", help="column: how often each row was seen")
    parser.add_argument("--prior", metavar="P,P,…", help="prior of the sizes (default equal)")
    parser.add_argument("--n", type=int, metavar="N", help="observations, if no rows show them")
    parser.add_argument("--drop-missing", action="store_true", help="leave out rows with gaps")
    parser.add_argument(
        "--restarts", type=int, default=10, metavar="R", help="starts of each fit (default 10)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the starts (default 0)")
    parser.add_argument(
        "--proxies",
        choices=["drton-plummer"],
        help="numbers that are not proved in place of bounds, for mixtures and latent classes",
    )
    parser.add_argument(
        "--truth",
        action="append",
        default=[],
        metavar="I|J=L[,T]",
        help="λ (and θ, else 1) of size I at a truth of size J, found elsewhere; repeatable",
    )
    common.add_plot(parser, "draw criteria, probabilities and penalties by size")
    common.add_sampling_timeout(parser, "no more sizes are fitted")
    common.add_json(parser)
    group = parser.add_argument_group("what all sizes share")
    facts = sorted({name for family in MODEL_FAMILIES.values() for name in family.facts})
    for name in facts:
        owners = [family.id for family in MODEL_FAMILIES.values() if name in family.facts]
        group.add_argument(
            f"--{name.replace('_', '-')}", metavar="N", help=f"of {', '.join(owners)}"
        )
    parser.set_defaults(run=_run, facts=facts)


def _run(options: argparse.Namespace) -> int:
    from rlct.selection.size_choice import select
    from rlct.system.progress import progress_bar

    sizes = arguments.read_sizes(options.sizes)
    prior = None if options.prior is None else arguments.read_numbers(options.prior, "--prior")
    facts = {
        name: _fact(name, getattr(options, name))
        for name in options.facts
        if getattr(options, name) is not None
    }
    if (options.data is None) == (options.log_likelihood is None):
        raise InputError("give either DATA.csv or --log-likelihood=X,X,… with --n N")
    given_fits: Any
    if options.data is not None:
        given_fits = options.data
    else:
        if options.use or options.counts or options.drop_missing:
            raise InputError("--use, --counts and --drop-missing are of data: leave them out")
        log_likelihoods = arguments.read_fits(options.log_likelihood, sizes)
        given_fits = dict(zip(sizes, log_likelihoods, strict=True))
    files.check_plot(options.plot)
    given = {
        name: getattr(options, name)
        for name in ("n", "proxies", "use", "drop_missing", "counts", "restarts", "seed")
    }
    truths = dict(map(_truth, options.truth))
    with progress_bar("fit") as progress:
        selection = select(
            given_fits,
            options.family,
            sizes,
            prior=prior,
            truths=truths,
            progress=progress,
            **given,
            **facts,
        )
    files.write_plot(options.plot, selection.plot)
    common.print_answer(options, selection)
    cut_off = any(words.startswith("interrupted") for words in selection.warnings)
    return 0 if selection.best is not None and not cut_off else 3


def _truth(text: str) -> tuple[tuple[int, int], str]:
    """Read ``3|1=7/2``."""
    parts = re.fullmatch(r"\s*(\d+)\s*\|\s*(\d+)\s*=(.+)", text)
    if parts is None:
        raise InputError(f"--truth {text[:40]!r} is not of the form 3|1=7/2 or 3|1=7/2,2")
    return (int(parts[1]), int(parts[2])), parts[3]


def _fact(name: str, text: str) -> Any:
    """An integer, a list of them, or a fraction, which the model reads."""
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        return text
    return tuple(numbers) if name == "categories" or len(numbers) > 1 else numbers[0]
