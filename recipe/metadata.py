"""Metadata of the package that follow from the address of its repository.

An index of packages shows README alone, so that its links to files of the repository are made
absolute there.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hatchling.metadata.plugin.interface import MetadataHookInterface


def project_urls(address: str) -> dict[str, str]:
    """Addresses of what people look for, from that of the repository."""
    host, path = urlsplit(address).netloc, urlsplit(address).path.strip("/")
    owner, _, name = path.partition("/")
    on_pages = host == "github.com" and name
    return {
        "Homepage": address,
        "Documentation": f"https://{owner}.github.io/{name}/" if on_pages else f"{address}/docs/",
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
    }


def absolute_links(text: str, address: str) -> str:
    """The same Markdown, with links to files of the repository and pictures by address."""

    def absolute(link: re.Match[str]) -> str:
        mark, target = link.groups()
        if re.match(r"[a-z]+:|#", target):
            return link[0]
        return f"{mark}({address}/{'raw' if mark.startswith('!') else 'blob'}/main/{target})"

    return re.sub(r"(!?\[[^\]]*\])\(([^)\s]+)\)", absolute, text)


class ProjectMetadata(MetadataHookInterface):
    """Addresses, and README with links that resolve anywhere."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what ``pyproject.toml`` calls dynamic."""
        address = self.config["address"]
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["urls"] = project_urls(address)
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(readme, address),
        }
