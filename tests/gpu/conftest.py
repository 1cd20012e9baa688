"""Lets the tests of this folder share their measuring functions."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
