"""The argument behind an answer in words: every step with its rule and its source.

From a `Result` with its certificate to sentences.  Read in this order:

explanation  the whole explanation: question, routes, notes and sources
argument  from a certificate to the tree of its steps
stratum  a cell of a fibre, read from the tree of a certificate
strata  the cells of a fibre, and the pair on each
numbered_steps  the steps in the order in which they are shown, with numbers
proved_step  what the wording of a rule sees of a step, and how its parts are written
words  the words of a rule: a function of the modules below, or what the rule itself says
reductions  rules that lead from a germ to simpler ones
blowups  blow-ups, and families over exceptional divisors
polyhedra  rules that read a pair off Newton polyhedra
leaves  rules that end a branch
networks  what certificates of networks prove
boxes  rules for questions over a box
fibres  rules for the zeros in a cell
programme  a linear programme with the numbers that prove its optimum
theorems  what a theorem says, with which numbers, and why it is true
pages  the proof on the page of a theorem in ``theory``
cite  the bibliography
render  the explanation as text, Markdown, LaTeX and HTML
prose  where formulas begin and end in a string of the code

It imports anything but `rlct.sweep`, `rlct.serve` and `rlct.cli`.
"""
