"""Commands that work in a checkout alone.

root_folder  where the checkout is
new_files  files of something new that work, by templates of the folder scaffold
rule  ``rlct rule new``
audit  ``rlct audit``: claims of papers
validate  ``rlct validate``: experiments
sampler  ``rlct sampler new``: the file of a Markov kernel
"""
