"""What is published: learning coefficients of the literature, and where each stands here.

census.json  one entry for each work and subject: statement, status, and a question with its answer
page  writes docs/literature.md from it
"""
