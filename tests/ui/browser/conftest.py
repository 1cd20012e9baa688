"""Makes the served wizard of the folder above, and the engines kept in memory, importable here."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "setup")]
