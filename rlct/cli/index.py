"""The module and the summary of each command.

``make index`` writes this file, and a test holds it to what it lists.
"""

from typing import Final

COMMAND_MODULES: Final[dict[str, tuple[str, str]]] = {
    "audit": (
        "checkout.audit",
        "every formula of the sources: confirmed, corrected, refuted or unverifiable",
    ),
    "blowup": (
        "exact.blowup",
        "the tree of germs and charts behind λ and θ, and the candidate poles of ζ",
    ),
    "check": ("simulation.check", "compare theory with simulation, or put a claimed λ on trial"),
    "sample": ("simulation.check", "estimate λ and θ by simulation"),
    "compare": ("exact.compare", "λ, θ and d/2 of several architectures"),
    "completion": (
        "completion",
        "a script that completes commands and options in bash, zsh or fish",
    ),
    "doctor": (
        "doctor",
        "versions, extras and programs found, and whether a first answer comes out right",
    ),
    "evidence": (
        "model_choice.evidence",
        "WAIC, LOO, WBIC, free energies, sBIC, phase transitions and learning curves",
    ),
    "model": ("exact.model", "λ and θ of a statistical model at a truth"),
    "net": ("exact.net", "λ and θ of an architecture at a true map"),
    "newton": (
        "exact.newton",
        "Newton polyhedron of K or of generators, its faces and what they prove",
    ),
    "plot": ("exact.plot", "any picture of a question, as SVG, PDF or PNG"),
    "poly": ("exact.poly", "λ and θ of a polynomial K >= 0 at a zero"),
    "ideal": ("exact.poly", "λ and θ of K = f1**2 + f2**2 + … at a common zero"),
    "predict": (
        "exact.predict",
        "E[nK] and log Z at finite n from the poles of ζ, beside quadrature",
    ),
    "reference": (
        "simulation.reference",
        "targets with known λ, θ and tempered means: score other samplers",
    ),
    "rule": ("checkout.rule", "write the files of a new rule for germs, in a checkout of rlct"),
    "sampler": ("checkout.sampler", "write the file of a new Markov kernel, in a checkout of rlct"),
    "select": (
        "model_choice.select",
        "how many factors, classes, components or ranks the data support",
    ),
    "serve": ("serve", "a web page to ask questions on, for this machine only"),
    "strata": (
        "exact.strata",
        "the cells of a fibre, where variables are 0 or not, and the pair on each",
    ),
    "sweep": ("sweeps.sweep", "a question over a grid, resumable, its answers in a file"),
    "atlas": ("sweeps.sweep", "a table of thousands of λ and θ, as CSV, JSON and pages"),
    "theorem": ("theorems.theorem", "closed forms: list, show or evaluate them"),
    "validate": (
        "checkout.validate",
        "rerun the experiments of the sources: theory beside simulation",
    ),
    "variational": (
        "model_choice.variational",
        "λ_VB, the coefficient of log n in a variational free energy",
    ),
    "verify": ("exact.verify", "replay a certificate with separate code"),
}
