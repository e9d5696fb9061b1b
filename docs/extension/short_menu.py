"""A menu that opens the branch of the page alone: all 360 pages in each take half of the build."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

BEFORE_THE_THEME = 400


def _collapse(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    if "toctree" in context:
        whole_menu = context["toctree"]
        context["toctree"] = lambda **options: whole_menu(**{**options, "collapse": True})


def setup(app: Sphinx) -> dict[str, Any]:
    """Register it."""
    app.connect("html-page-context", _collapse, priority=BEFORE_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
