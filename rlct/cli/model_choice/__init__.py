"""Commands on data and posteriors.

evidence  ``rlct evidence``: model choice and prediction
evidence_posteriors  its commands on several posteriors
arguments  questions and numbers inside its arguments
variational  ``rlct variational``: coefficients of variational free energies
select  ``rlct select``: how many factors, classes or components
"""
