"""`python -m tailor.engine --home FOLDER`: be the engine of a home folder, in the foreground.

People start it with `python app.py`, which goes through `start.py`; this is what that starts.
"""

import argparse
import sys
from pathlib import Path

from tailor.engine.client import default_home
from tailor.engine.server import serve


def main() -> int:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m tailor.engine", description=__doc__)
    parser.add_argument("--home", type=Path, default=default_home(), help="Tailor's folder")
    return serve(parser.parse_args().home.resolve())


if __name__ == "__main__":
    sys.exit(main())
