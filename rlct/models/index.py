"""The module, group and title of each model.

``make index`` writes this file, and a test holds it to what it lists.
"""

from typing import Final

MODEL_INDEX: Final[dict[str, tuple[str, str, str]]] = {
    "bayesian-network": (
        "latent_variables.bayesian_network",
        "model",
        "Bayesian network, some nodes hidden",
    ),
    "binary-tree": (
        "latent_variables.binary_tree",
        "model",
        "binary latent tree, independent leaves",
    ),
    "concept-bottleneck": (
        "linear_networks.concept_bottleneck",
        "model",
        "linear concept bottleneck model",
    ),
    "convolution": (
        "linear_networks.linear_convolution",
        "net",
        "linear convolutional network, one channel",
    ),
    "cp": ("factorisations.cp", "model", "CP tensor decomposition"),
    "deep-relu": (
        "relu_networks.deep_relu",
        "net",
        "ReLU network of any depth, function of a smaller one",
    ),
    "experts": (
        "activations.softmax_experts",
        "net",
        "mixture of linear experts with softmax gates",
    ),
    "factor-analysis": ("latent_variables.factor_analysis", "model", "factor analysis"),
    "forest": ("latent_variables.forest", "model", "Gaussian latent forest"),
    "grammar": ("latent_variables.grammar", "model", "stochastic context-free grammar"),
    "hidden-markov": ("latent_variables.hidden_markov", "model", "hidden Markov model"),
    "latent-class": (
        "latent_variables.latent_class",
        "model",
        "latent class model, categorical features",
    ),
    "lda": ("latent_variables.lda", "model", "latent Dirichlet allocation"),
    "markov": ("latent_variables.markov", "model", "observed Markov chain"),
    "markov-mixture": ("latent_variables.markov_mixture", "model", "mixture of Markov chains"),
    "mixture": ("latent_variables.mixture", "model", "finite mixture"),
    "naive-bayes": (
        "latent_variables.naive_bayes",
        "model",
        "naive Bayes, two classes, binary features",
    ),
    "network": (
        "activations.network_size",
        "net",
        "any other network, by its number of parameters",
    ),
    "nmf": ("factorisations.nmf", "model", "non-negative matrix factorisation"),
    "norm": ("linear_networks.normalised_layer", "net", "linear layer before RMSNorm or LayerNorm"),
    "partial-concept-bottleneck": (
        "linear_networks.partial_concept_bottleneck",
        "model",
        "linear concept bottleneck model with tacit concepts",
    ),
    "power": ("activations.power", "net", "three-layer network with activation t^m, one input"),
    "rbm": ("latent_variables.rbm", "model", "restricted Boltzmann machine"),
    "relu-convolution": (
        "relu_networks.relu_convolution",
        "net",
        "convolutional ReLU network, function of a smaller one",
    ),
    "softmax": ("activations.softmax", "net", "linear network with softmax output"),
    "softmax-attention": ("activations.softmax_attention", "net", "softmax attention of one layer"),
    "tanh": ("activations.tanh", "net", "three-layer tanh network"),
    "tanh-bias": ("activations.tanh_bias", "net", "tanh network with biases"),
    "tucker": ("factorisations.tucker", "model", "Tucker tensor decomposition"),
}
