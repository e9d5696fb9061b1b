"""Commands that work in a checkout alone.

root_folder  where the checkout is
audit  ``rlct audit``: claims of papers
validate  ``rlct validate``: experiments
sampler  ``rlct sampler new``: the file of a Markov kernel
"""
