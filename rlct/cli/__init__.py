"""Command line, one file per command group.

main  the entry point: a command's module is loaded when it is typed
index  the module and the summary of each command
parser  help with examples, errors in one line
suggest  what was meant by a command or an option that does not exist
failing  errors in one line on standard error
colour  colours on a terminal
common  options and printing shared by the commands
files  files that commands read and write
poly  ``rlct poly`` and ``rlct ideal``
net  ``rlct net``: architectures
model  ``rlct model``: statistical models
networks/  commands of ``rlct net`` beside the models: open networks, torch modules
reporting  what commands on models print
tables  tables of architectures
compare  ``rlct compare``: several architectures
explaining  ``--explain`` and ``--cite``
caching  ``--cache``: exact answers in a file
verify  ``rlct verify``: certificates, without the engine
check  ``rlct check`` and ``rlct sample``: simulation
one_temperature  ``rlct sample … --n-beta``: chains at one nβ
newton  ``rlct newton``: the polyhedron of a question
blowup  ``rlct blowup``: an answer taken apart
strata  ``rlct strata``: the cells of a fibre
theorem  ``rlct theorem list``, ``show`` and ``eval``
theorem_check  ``rlct theorem check``
theorem_new  ``rlct theorem new``
evidence  ``rlct evidence``: model choice and prediction
evidence_posteriors  its commands on several posteriors
variational  ``rlct variational``: coefficients of variational free energies
arguments  questions and numbers inside its arguments
reference  ``rlct reference``: targets to score samplers with
sweep  ``rlct sweep``: a question over a grid
asking  questions as words: their canonical form and their answer
serve  ``rlct serve``: a page in the browser
completion  ``rlct completion``: a script for the shell
doctor  ``rlct doctor``: what is installed and works
kit/  what several commands share
select  ``rlct select``: how many factors, classes or components
audit  ``rlct audit``: claims of papers, from a checkout
validate  ``rlct validate``: experiments, from a checkout

It may import every room, and does so inside functions, so that a command loads only its own.
"""
