"""The module, group and title of each model.

``make index`` writes this file, and a test holds it to what it lists.
"""

from typing import Final

__all__ = ["MODELS"]

MODELS: Final[dict[str, tuple[str, str, str]]] = {
    "bayesian-network": ("bayesian_network", "model", "Bayesian network, some nodes hidden"),
    "binary-tree": ("binary_tree", "model", "binary latent tree, independent leaves"),
    "concept-bottleneck": ("concept_bottleneck", "model", "linear concept bottleneck model"),
    "convolution": ("linear_convolution", "net", "linear convolutional network, one channel"),
    "cp": ("cp", "model", "CP tensor decomposition"),
    "deep-relu": ("deep_relu", "net", "ReLU network of any depth, function of a smaller one"),
    "experts": ("softmax_experts", "net", "mixture of linear experts with softmax gates"),
    "factor-analysis": ("factor_analysis", "model", "factor analysis"),
    "forest": ("forest", "model", "Gaussian latent forest"),
    "grammar": ("grammar", "model", "stochastic context-free grammar"),
    "hidden-markov": ("hidden_markov", "model", "hidden Markov model"),
    "latent-class": ("latent_class", "model", "latent class model, categorical features"),
    "lda": ("lda", "model", "latent Dirichlet allocation"),
    "markov": ("markov", "model", "observed Markov chain"),
    "markov-mixture": ("markov_mixture", "model", "mixture of Markov chains"),
    "mixture": ("mixture", "model", "finite mixture"),
    "naive-bayes": ("naive_bayes", "model", "naive Bayes, two classes, binary features"),
    "network": ("network_size", "net", "any other network, by its number of parameters"),
    "nmf": ("nmf", "model", "non-negative matrix factorisation"),
    "norm": ("normalised_layer", "net", "linear layer before RMSNorm or LayerNorm"),
    "partial-concept-bottleneck": (
        "partial_concept_bottleneck",
        "model",
        "linear concept bottleneck model with tacit concepts",
    ),
    "power": ("power", "net", "three-layer network with activation t^m, one input"),
    "rbm": ("rbm", "model", "restricted Boltzmann machine"),
    "relu-convolution": (
        "relu_convolution",
        "net",
        "convolutional ReLU network, function of a smaller one",
    ),
    "softmax": ("softmax", "net", "linear network with softmax output"),
    "softmax-attention": ("softmax_attention", "net", "softmax attention of one layer"),
    "tanh": ("tanh", "net", "three-layer tanh network"),
    "tanh-bias": ("tanh_bias", "net", "tanh network with biases"),
    "tucker": ("tucker", "model", "Tucker tensor decomposition"),
}
