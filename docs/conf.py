"""Sphinx builds the guides and the theory pages: ``sphinx -W -c docs . build/docs``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent / "extension"))

import rlct

DOCS = Path(__file__).parent

project = "rlct"
author = project_copyright = "The rlct authors"
release = rlct.__version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_copybutton",
    "sphinxcontrib.bibtex",
    "reference",
    "plain_titles",
    "short_menu",
    "statements",
    "atlas",
]
source_suffix = {".md": "myst-nb"}
root_doc = "docs/index"
include_patterns = ["docs/**.md", "theory/**.md", "validation/**.md", "CHANGELOG.md"]
exclude_patterns = ["**/__pycache__"]

# Quotes and dashes are meant as they are typed.
smartquotes = False
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# Every build runs the notebooks; one that fails fails the build.
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_execution_show_tb = True

default_role = "py:obj"
autodoc_typehints = "none"  # numpydoc's parameters say it
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

bibtex_bibfiles = [str(DOCS.parent / "theory" / "references.bib")]
bibtex_default_style = "plain"

mathjax_path = "mathjax/tex-chtml.js"  # beside the pages, see extension/statements.py
mathjax3_config = {
    "options": {"enableMenu": False},  # it would load more
    "chtml": {"matchFontHeight": False},
}

# Prompts and outputs are not copied.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_title = f"rlct {release}"
html_extra_path = ["_static"]  # index.html leads to docs/index.html
html_static_path = ["style"]
html_css_files = ["custom.css"]
html_favicon = "style/favicon.svg"
html_js_files = ["access.js"]
html_search_scorer = str(DOCS / "style" / "scorer.js")
html_show_sourcelink = False
html_copy_source = False
