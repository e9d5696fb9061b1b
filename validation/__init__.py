"""What shows that rlct is right, and stays in the checkout: the wheel holds ``rlct`` alone.

`validation.audit` judges every printed formula of the sources (``rlct audit``),
`validation.framework` runs the experiments in ``experiments/`` (``rlct validate``). The other
folders hold studies, each with a README and its committed results; no code of rlct imports them.
``validation`` may import ``rlct``; of ``rlct`` only those two commands import ``validation``, when
they run.
"""
