"""What shows that rlct is right, and stays in the checkout: the wheel holds ``rlct`` alone.

`validation.audit` judges every printed formula of the sources (``rlct audit``),
`validation.framework` runs the experiments in ``experiments/`` (``rlct validate``). The other
folders hold studies with their committed results, which `validation.records` reads and writes;
README.md tells what each shows. ``validation``
imports ``rlct``; of ``rlct`` those two commands alone import ``validation``, when they run.
"""
