"""Sphinx reads the theory pages as they are: ``sphinx-build -W theory build/theory``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import rlct

project = "rlct"
author = "The rlct authors"
release = rlct.__version__
extensions = ["myst_parser", "sphinxcontrib.bibtex"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["__pycache__"]

# Quotes and dashes are meant as they are typed.
smartquotes = False
myst_heading_anchors = 3

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "plain"

html_theme = "alabaster"
html_theme_options = {"description": "Theory pages: statements, proofs, values"}
html_show_sourcelink = False
