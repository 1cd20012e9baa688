"""Makes the served wizard of the folder above importable here."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
