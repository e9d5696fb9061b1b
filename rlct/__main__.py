"""``python -m rlct``."""

import sys

from rlct.cli.main import main

sys.exit(main())
