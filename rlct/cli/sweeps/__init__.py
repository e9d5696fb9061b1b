"""Questions over grids.

sweep  ``rlct sweep``: a question over a grid
grid_run  processes, one writer for each store, progress
atlas  ``rlct atlas``: the table of learning coefficients as CSV, JSON and pages
python_line  a question as a line of Python
atlas_page  the pages
"""
