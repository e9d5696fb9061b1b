"""Words that the pages of the experiments use, explained for who reads one alone."""

__all__ = ["GLOSSARY_TERMS"]

#: Term and meaning, in the order of a first reading.
GLOSSARY_TERMS: tuple[tuple[str, str], ...] = (
    ("K", "how much worse a parameter w is than the best one: the mean divergence from the truth, "
     "or the loss less its minimum, as a function of w."),
    ("λ", "the learning coefficient, or real log canonical threshold: the share of parameters with "
     "K < ε falls as ε^λ (times a power of log 1/ε). It is half the number d of parameters, d/2, "
     "where the model is regular, and less where it is singular; the Bayes generalisation error "
     "falls as λ/n and the free energy rises as λ log n. λ̂ is an estimate of it."),
    ("θ", "the multiplicity of λ: that share falls as ε^λ (log 1/ε)^(θ−1). Where θ > 1 estimates "
     "come slowly to λ."),
    ("ν", "the singular fluctuation: half the sum over the data of the variance of the log "
     "likelihood under the posterior, times β, in the mean over data sets as n grows."),
    ("n, β, nβ", "the number of data, the inverse temperature, and their product, by which K is "
     "multiplied in the exponent of the posterior. A chain at a larger nβ stays nearer to the "
     "minimum."),
    ("γ", "the pull towards w*, exp(−γ|w − w*|²/2), that keeps a chain near the point at which λ "
     "is asked for."),
    ("LLC", "the local learning coefficient: λ of the loss near one parameter w*. Its usual "
     "estimate is nβ(E L(w) − L(w*)) over draws near w*."),
    ("½ rank", "half the rank of the derivative of the outputs, or of the Hessian of K: a lower "
     "bound of λ, and λ itself where K is a sum of as many squares."),
    ("SGLD, NUTS, MAP", "Langevin steps on batches, and trajectories whose length chooses "
     "itself, which draw from the posterior; and its maximum."),
    ("WAIC, LOO, WBIC, BIC, sBIC", "estimates from the data alone: of the generalisation error "
     "(WAIC, leave-one-out cross-validation), and of the free energy: a posterior mean at "
     "β = 1/log n (WBIC), the maximum likelihood and (d/2) log n (BIC), or λ log n (sBIC)."),
    ("Bg, Bt, Cv", "the Bayes generalisation error, the Bayes training error and the error of "
     "leave-one-out cross-validation, each less that of the truth."),
    ("R²", "the share of the variance that a straight line explains."),
    ("grokking, GSM", "a network groks if it is right on the training pairs long before it is on "
     "the others. The grokking severity metric is the mean over epochs of the distance between "
     "both accuracies, and 0 if the network never generalises."),
    ("planted", "a value, or a run, of which it is known that the claim is wrong there. If the "
     "same check does not reject it, the check confirms nothing."),
    ("shuffled answers", "a planted run: the same network trained on permuted answers, of which "
     "nothing can be learned but by heart."),
    ("blind walk", "a planted chain: the same steps with the loss left out of them. What it shows "
     "as well is not of the loss."),
    ("polishing", "training on without weight decay to where the loss is 0: λ is of a minimum, "
     "and a checkpoint is none."),
    ("piece of work", "what is computed and kept on its own, such as one network, or one cell of a "
     "table. A quick run has fewer of them, or smaller ones, than the full run."),
    ("part", "what of a claim is judged on its own: one measured value and the range that the "
     "source's words allow. A quick run judges some of them, or all with less work."),
)  # fmt: skip
