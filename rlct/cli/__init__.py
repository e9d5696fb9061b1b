"""Command line, one file per command group.

main  the entry point: a command's module is loaded when it is typed
commands  the parser of all commands
index  the module and the summary of each command
parser  help with examples, errors in one line
suggest  what was meant by a command or an option that does not exist
failing  errors in one line on standard error
colour  colours on a terminal
common  options and printing shared by the commands
files  files that commands read and write
asking  questions as words: their canonical form and their answer
kit/  sizes and ranges of them
exact/  poly, ideal, net, model, compare, newton, blowup, predict, strata, plot, verify
simulation/  check, sample, reference
model_choice/  evidence, variational, select
theorems/  theorem
sweeps/  sweep, atlas
checkout/  audit, validate, rule, sampler
serve  ``rlct serve``: a page in the browser
completion  ``rlct completion``: a script for the shell
doctor  ``rlct doctor``: what is installed and works

It may import every room, and does so inside functions, so that a command loads only its own.
"""
