"""`python api_engine.py HOME`: the real engine, server and all, over runs whose worker is small."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "faults"))

from small_runs import open_supervisor

from tailor.engine.parts import open_parts
from tailor.engine.server import serve


def main(home: Path) -> int:
    """Serve, then leave the names of all modules that were loaded."""
    code = serve(
        home, lambda home: open_parts(home, lambda home, store, _: open_supervisor(home, store))
    )
    (home / "modules.txt").write_text("\n".join(sys.modules))
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
