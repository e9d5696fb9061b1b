"""What is built on ``rlct sweep``.

atlas  ``rlct atlas``: the table of learning coefficients as CSV, JSON and pages
python_line  a question as a line of Python
atlas_page  the pages
"""
