"""Answers: from a question to all routes to its pair, and to what is done with them.

exact  the questions of the Python interface: poly, ideal, linear, model, theorem, solve
routes  from a question to its answer: every route that applies
kinds  what is done with each kind of question, and the one way in which all ask the engine
polynomial_kinds  a polynomial or an ideal, at a point and over a box
renamed_ideal  the theorem of an ideal whose variables have other names
generic_kinds  models at a generic truth, where ranks decide
certified  which of several proofs is the certificate of an answer
plain_bounds  bounds that need no search: half the number of parameters, a rank
refused_proof  proofs of long searches, replayed at once
model_kinds  models at a truth: theorems answer, and the engine where it must
network_kinds  linear, quadratic and ReLU networks
result  the answer: the routes and their agreement
document  the certificate of an answer
proved_claim  whether a certificate is one of a question and its answer
resume  bounds proved before, in a certificate, to go on from
blow_up  an answer taken apart: tree, charts, candidate poles, leading coefficient
table  many architectures, one row each
quadratic  quadratic networks, generic or at given weights
relu  ReLU networks at given weights
rounded_weights  weights that were given as floats
variational  coefficients of variational free energies
estimate  the learning coefficient by simulation: llc
calibration  settings for it: calibrate
module_theory  λ of a torch module with squared error, where it is known
polynomial_module  of a module that is a polynomial, by the engine
module_question  a torch module of polynomial operations as the question: exact
module_ideal  its trace: the ideal of its coefficients in the inputs
targets  a question in the form that samplers take
check  theory against simulation
error_budget  the three errors of an estimate at one nβ
confirm_theorem  the known values of a theorem, confirmed without its formula

It imports what is below it, down from `rlct.criteria`; what draws and prints is above, and only
the methods in the table of ``tests/test_house.py`` call it.
"""
