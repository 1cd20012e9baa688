"""Fetches the starter model into a folder and prints where it is, for the tests.

The tests ask no network; this is done once before them, through the same child as the wizard's.
Usage: python scripts/starter_model.py FOLDER
"""

import sys
import time
from pathlib import Path

from pydantic import TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.models.starter import ID
from tailor.engine.types import ModelRecord

LIMITS = Limits(seconds=1800)


def main(folder: Path) -> int:
    """Print the model's folder; every wait is told on stderr."""
    models = folder.resolve() / "models"
    if not (models / ID / "model.safetensors").exists():
        request = {"source": "starter", "value": "", "models_folder": str(models)}
        child = Child("tailor.engine.models.fetch", folder / "job", request, LIMITS)
        last = ""
        while (answer := child.poll()) is None:
            words = child.progress()[1]
            if words and words != last:
                print(words, file=sys.stderr)
            last = words
            time.sleep(0.2)
        TypeAdapter(ModelRecord).validate_python(answer)
    print(models / ID)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1])))
    except UserError as problem:
        print(f"{problem.title}. {problem.detail} {problem.fix}", file=sys.stderr)
        sys.exit(1)
