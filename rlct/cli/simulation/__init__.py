"""Commands that simulate.

check  ``rlct check`` and ``rlct sample``
one_temperature  ``rlct sample … --n-beta``: chains at one nβ
reference  ``rlct reference``: targets to score samplers with
tempered  ``rlct reference mean``: what λ̂ is in the mean, at one nβ
"""
