"""Lets the tests of this folder share their requests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
