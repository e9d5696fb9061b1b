"""Make the models of the study importable: the suite runs with importlib import mode."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "validation" / "evidence"))
