"""The command group ``rlct evidence``: what λ means for model choice and for prediction."""

import argparse
from typing import Any

from rlct.cli import common, files
from rlct.cli.model_choice import arguments, evidence_posteriors
from rlct.errors import InputError

_CURVE_EXAMPLES = (
    "rlct evidence curve 1/2,2 --n 100,1000,10000",
    'rlct evidence curve "linear 5 3 5 --rank 1" --n 1000',
    "rlct evidence curve 1/4 --nu 0.18 --n 100 --json",
)
_TRANSITION_EXAMPLES = (
    "rlct evidence transition 0.01,1/2 0,4",
    'rlct evidence transition "0.05,linear 5 3 5 --rank 0" "0.001,linear 5 3 5 --rank 2"',
    "rlct evidence transition -- -0.3,1/2 -0.31,4",
)
_SBIC_EXAMPLES = (
    'rlct evidence sbic "linear 5 {model} 4 --rank {truth}" --sizes 0..3 --null '
    "--log-likelihood=-1310.2,-1240.7,-1236.1,-1235.8 --n 300",
)


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "evidence",
        help="WAIC, LOO, WBIC, free energies, sBIC, phase transitions and learning curves",
        description="Criteria of singular learning theory, from log-likelihoods in files or from "
        "λ and θ.",
        examples=[_CURVE_EXAMPLES[1], "rlct evidence waic log_likelihood.npy"],
    )
    commands = group.add_subparsers(metavar="COMMAND", required=True)
    _add_files(commands)
    evidence_posteriors.add_posteriors(commands)
    _add_curve(commands)
    _add_transition(commands)
    _add_sbic(commands)


def _add_files(commands: Any) -> None:
    for name, title in (
        ("waic", "widely applicable information criterion"),
        ("loo", "leave-one-out cross-validation"),
        ("wbic", "widely applicable Bayesian information criterion"),
        ("fluctuation", "singular fluctuation"),
    ):
        parser = commands.add_parser(
            name,
            help=f"{title}, from log-likelihoods in a file",
            description=f"{title[0].upper()}{title[1:]}. FILE holds log p(X_i|w), one row for "
            "each posterior draw w and one column for each observation i: .csv, .npy or .npz, "
            "which may have a first axis for chains. Of Stan's columns only "
            "log_lik.1 or log_lik[1] and so on are read; else every column is an observation.",
            examples=[f"rlct evidence {name} log_likelihood.npy"],
        )
        parser.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            help="log p(X_i|w): .npy, .npz, .csv (also of Stan) or .nc; several are chains",
        )
        default = "1/log n; below 2/log n" if name == "wbic" else "1"
        parser.add_argument(
            "--beta",
            type=arguments.read_number,
            metavar="B",
            help=f"inverse temperature of the draws (default {default})",
        )
        if name == "loo":
            evidence_posteriors.add_method(parser)
        if name == "wbic":
            parser.add_argument(
                "--baseline",
                type=arguments.read_number,
                metavar="L",
                help="nL_n(w0), for an estimate of λ",
            )
        if name == "fluctuation":
            parser.add_argument(
                "--observations",
                type=int,
                metavar="N",
                help="of the data, if FILE has a random part of them",
            )
        common.add_json(parser)
        parser.set_defaults(run=_run_file, statistic=name)


def _add_curve(commands: Any) -> None:
    parser = commands.add_parser(
        "curve",
        help="expected generalisation and training errors at n observations",
        description="Expected Bayes generalisation error λ/n, and with --nu also training and "
        "Gibbs errors. QUESTION is L or L,T (λ and θ), or what follows 'rlct' or 'rlct net'.",
        epilog="Where θ > 1, with_logarithm is the generalisation error with λ - (θ-1)/log n for "
        "λ, two terms of the expansion for large n; it is left out where n is so small that it is "
        "not positive. In the other columns the second term changes λ alike.",
        examples=_CURVE_EXAMPLES,
    )
    parser.add_argument("question", metavar="QUESTION")
    parser.add_argument(
        "--n",
        type=arguments.read_integers,
        required=True,
        metavar="N,N,…",
        help="numbers of observations",
    )
    parser.add_argument("--nu", metavar="V", help="singular fluctuation")
    parser.add_argument(
        "--beta", type=arguments.read_number, default=1.0, metavar="B", help="default 1"
    )
    common.add_timeout(parser)
    common.add_json(parser)
    parser.set_defaults(run=_run_curve)


def _add_transition(commands: Any) -> None:
    parser = commands.add_parser(
        "transition",
        help="numbers of observations at which another basin becomes preferred",
        description="Compare the free energies nL + λ log n - (θ-1) log log n of basins. Each "
        "BASIN is LOSS,QUESTION: the loss per observation of its best parameter, and L or L,T "
        "(λ and θ), or what follows 'rlct' or 'rlct net'.",
        epilog="The O(1) terms of the free energies are taken to be equal.",
        examples=_TRANSITION_EXAMPLES,
    )
    parser.add_argument("basins", nargs="+", metavar="BASIN")
    common.add_plot(parser, "draw the free energies, and λ of the preferred basin, over n")
    common.add_timeout(parser)
    common.add_json(parser)
    parser.set_defaults(run=_run_transition)


def _add_sbic(commands: Any) -> None:
    parser = commands.add_parser(
        "sbic",
        help="singular BIC of nested models",
        description="Singular BIC of models of growing size, each contained in the next. "
        "TEMPLATE is what follows 'rlct net' or 'rlct', with {model} and {truth} for the size "
        "of the model and of the truth in it; every λ and θ must come out exact.",
        examples=_SBIC_EXAMPLES,
    )
    parser.add_argument("template", metavar="TEMPLATE")
    parser.add_argument("--sizes", required=True, metavar="A..B", help="or A,B,C")
    parser.add_argument(
        "--log-likelihood",
        required=True,
        metavar="X,X,…",
        help="maximised log-likelihood of each model (put = before the first if it is negative)",
    )
    parser.add_argument("--n", type=int, required=True, metavar="N", help="observations")
    parser.add_argument(
        "--null", action="store_true", help="the first model has no free parameters: λ = 0"
    )
    parser.add_argument("--prior", metavar="P,P,…", help="prior of the models (default equal)")
    common.add_timeout(parser)
    common.add_json(parser)
    parser.set_defaults(run=_run_sbic)


def _run_file(options: argparse.Namespace) -> int:
    from rlct.criteria.fluctuation import singular_fluctuation
    from rlct.criteria.loo import loo
    from rlct.criteria.reading import read_chains
    from rlct.criteria.waic import waic
    from rlct.criteria.wbic import wbic

    table = read_chains(options.files)
    given = {} if options.beta is None else {"beta": options.beta}
    if options.statistic == "wbic":
        statistic = wbic(table, baseline=options.baseline, **given)
    elif options.statistic == "loo":
        statistic = loo(table, method=options.method, **given)
    elif options.statistic == "waic":
        statistic = waic(table, **given)
    else:
        statistic = singular_fluctuation(table, observations=options.observations, **given)
    return evidence_posteriors.print_statistic(statistic, options)


def _run_curve(options: argparse.Namespace) -> int:
    from rlct.criteria.learning_curve import learning_curve

    pair = arguments.pair(options.question)
    nu = None if options.nu is None else arguments.read_fraction(options.nu)
    curve = learning_curve(pair, options.n, beta=options.beta, nu=nu)
    common.print_answer(options, curve, f"{pair}\n{curve}")
    return 0


def _run_transition(options: argparse.Namespace) -> int:
    from rlct.criteria.transition import Basin, phases

    if len(options.basins) < 2:
        raise InputError("a transition needs two basins or more")
    files.check_plot(options.plot)
    basins = []
    for text in options.basins:
        loss, comma, question = text.partition(",")
        if not comma:
            raise InputError(f"basin {text[:60]!r} is not LOSS,QUESTION such as 0.1,3/2")
        try:
            value = float(loss)
        except ValueError:
            raise InputError(f"the loss of a basin is a number, not {loss[:40]!r}") from None
        pair = arguments.pair(question)
        basins.append(Basin(value, pair.lam, pair.theta, name=f"loss {loss.strip()}, {pair}"))
    found = phases(basins)
    common.print_answer(options, found)
    if options.plot is not None:
        from rlct.report.phases_plot import draw_phases

        files.write_plot(options.plot, lambda: draw_phases(basins))
    return 0


def _run_sbic(options: argparse.Namespace) -> int:
    from rlct.criteria.sbic import sbic

    sizes = arguments.read_sizes(options.sizes)
    max_likelihoods = arguments.read_fits(options.log_likelihood, sizes)
    if "{model}" not in options.template or "{truth}" not in options.template:
        raise InputError("the template needs {model} and {truth}")
    rows: list[list[Any]] = []
    for i, model in enumerate(sizes):
        if i == 0 and options.null:
            rows.append([None])
            continue
        texts = [
            options.template.replace("{model}", str(model)).replace("{truth}", str(truth))
            for truth in sizes[: i + 1]
        ]
        rows.append([arguments.pair(text) for text in texts])
    prior = None if options.prior is None else arguments.read_numbers(options.prior, "--prior")
    coefficients = [[pair or (0, 1) for pair in row] for row in rows]
    names = [str(size) for size in sizes]
    model_choice = sbic(max_likelihoods, coefficients, options.n, prior=prior, names=names)
    if options.json:
        from rlct.selection.outcome import pair_document

        documents = [[pair_document(pair) for pair in row] for row in rows]
        common.print_json({**model_choice.to_dict(), "coefficients": documents})
        return 0
    common.print_text(model_choice)
    common.print_warnings(model_choice.warnings)
    return 0
