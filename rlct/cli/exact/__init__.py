"""Commands that ask for exact answers, and what they print.

poly  ``rlct poly`` and ``rlct ideal``
net  ``rlct net``: architectures
model  ``rlct model``: statistical models
open_networks  ``rlct net mlp``, ``cnn`` and ``transformer``: bounds, and how to estimate
polynomial_networks  ``rlct net glu`` and the like: networks with polynomial coefficients
torch_module  ``rlct net torch``: a torch module of polynomial operations
compare  ``rlct compare``: several architectures
newton  ``rlct newton``: the polyhedron of a question
blowup  ``rlct blowup``: an answer taken apart
predict  ``rlct predict``: free energies at finite n from the poles of ζ
strata  ``rlct strata``: the cells of a fibre
plot  ``rlct plot``: any picture of a question
verify  ``rlct verify``: certificates, without the engine
reporting  what commands on models print
tables  tables of architectures
explaining  ``--explain`` and ``--cite``
caching  ``--cache``: exact answers in a file
"""
