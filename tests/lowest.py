"""Print the lowest versions that pyproject.toml allows, for pip: ``make test_lowest``."""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"

for requirement in tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]:
    print(requirement.replace(">=", "=="))
print("pytest>=8.2", "pytest-xdist[psutil]>=3.5", "hypothesis", sep="\n")
