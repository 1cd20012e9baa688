"""Tailor's command line: the wizard by default, and the same verbs for scripts.

It exists so that one file starts everything: `python app.py` opens the wizard, `python app.py demo`
runs the main job without a browser, the other commands speak to the engine as the wizard does. Each
command lives in `ui/terminal` or `ui/serve.py`; nothing heavy is imported before it is needed.
"""

import os
import sys
from pathlib import Path

# A folder called "kernels" at the head of sys.path breaks transformers (docs/decisions/0001): the
# checkout must never be importable by its bare folder names, here or in any child.
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
os.environ["PYTHONSAFEPATH"] = "1"

import argparse  # noqa: E402
from typing import Any  # noqa: E402


def build_parser() -> argparse.ArgumentParser:
    """Every command and option that a person can type."""
    parser = argparse.ArgumentParser(
        prog="python app.py",
        description="Fit a language model to your own data, on your own machine.",
    )
    parser.add_argument("--home", type=Path, help="where everything is kept (default: ~/.tailor)")
    parser.add_argument("--port", type=int, help="the wizard's port (default: the last, or 7860)")
    parser.add_argument("--no-browser", action="store_true", help="print the link, open nothing")
    parser.add_argument("--run", metavar="RUN", help="open the wizard on this run")
    commands = parser.add_subparsers(dest="command", metavar="command")
    demo = commands.add_parser("demo", help="run the built-in example from data to proven model")
    demo.add_argument("--seed", type=int, default=0, help="random state of the run")
    run = commands.add_parser("run", help="start a run from a file")
    run.add_argument("spec", type=Path, metavar="SPEC.yaml")
    run.add_argument("--detach", action="store_true", help="start it and return at once")
    status = commands.add_parser("status", help="what is running and how far it is")
    status.add_argument("run_id", nargs="?", metavar="RUN")
    logs = commands.add_parser("logs", help="what a run printed")
    logs.add_argument("run_id", metavar="RUN")
    stop = commands.add_parser("stop", help="finish the step, save, stop")
    stop.add_argument("run_id", nargs="?", metavar="RUN")
    stop.add_argument("--discard", action="store_true", help="stop without saving")
    stop.add_argument("--engine", action="store_true", help="stop the engine; runs go on")
    resume = commands.add_parser("resume", help="go on from the last saved step")
    resume.add_argument("run_id", metavar="RUN")
    data = commands.add_parser("data", help="look at your files before anything else")
    on_data = data.add_subparsers(dest="data_command", metavar="check", required=True)
    check = on_data.add_parser("check", help="read files and say what there is to know about them")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    check.add_argument("--json", action="store_true", help="print one JSON object instead of words")
    _add_estimate(commands)
    doctor = commands.add_parser("doctor", help="what this machine can do, what is missing")
    doctor.add_argument("--rebuild-index", action="store_true", help="rebuild the index of runs")
    return parser


def _add_estimate(commands: Any) -> None:
    """The options of `estimate`: a run, its rows, a machine, prices."""
    parser = commands.add_parser("estimate", help="what a run would need, here or elsewhere")
    add = parser.add_argument
    add("spec", nargs="?", type=Path, metavar="SPEC.yaml", help="a run that is written down")
    add("--model", metavar="NAME", help='or a model by its name, such as "Llama-3.1-8B"')
    add("--params-b", type=float, metavar="N", help="billions of weights of an unknown model")
    add("--technique", choices=("lora", "qlora", "full"), help="what learns (default: lora)")
    add("--rows", type=int, metavar="N", help="rows to learn from")
    add("--length", type=int, metavar="TOKENS", help="tokens of a row")
    add("--batch", type=int, metavar="N", help="rows that one step learns from, all cards together")
    add("--gpu", metavar="NAME", help='a card, such as "RTX 3090" (default: this computer)')
    add("--gpus", type=int, metavar="N", help="how many of them (default: 1)")
    add("--memory-gb", type=float, metavar="GB", help="memory of a card that is not in the table")
    add("--bandwidth", type=float, metavar="GB", help="its memory's speed, GB a second")
    add(
        "--sharding",
        choices=("ddp", "zero1", "zero2", "fsdp", "fsdp_offload"),
        help="how cards share the model (default: ddp, each holds all of it)",
    )
    add("--ram", type=float, metavar="GB", help="memory of the computer")
    add("--tariff", type=float, metavar="PRICE", help="of a kilowatt-hour")
    add("--card-hour", type=float, metavar="PRICE", help="of one rented card for an hour")
    add("--currency", default="", metavar="EUR", help="of these prices")
    add("--watts", type=float, metavar="W", help="what the computer draws beside its cards")
    add("--json", action="store_true", help="print one JSON object instead of words")


def main(arguments: list[str]) -> int:
    """Run one command. Returns the exit code; problems that a person can mend are told in words."""
    given = build_parser().parse_args(arguments)
    try:
        from tailor.engine.client import default_home
        from tailor.engine.errors import UserError
    except ModuleNotFoundError as missing:
        print(f"Tailor is not installed for this Python ({missing.name} is missing).")
        print("Use .venv/bin/python app.py, or run: make app")
        return 2
    home = (given.home or default_home()).expanduser().resolve()
    try:
        return _dispatch(given, home)
    except UserError as problem:
        print(f"{problem.title}\n  {problem.detail}\n  {problem.fix}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130


def _dispatch(given: argparse.Namespace, home: Path) -> int:
    """Each command's module is imported when it is wanted: the wizard alone takes seconds."""
    match given.command:
        case None:
            from tailor.ui.serve import serve

            is_opening = not given.no_browser
            serve(home, port=given.port or 0, open_browser=is_opening, run_id=given.run or "")
            code = 0
        case "demo":
            from tailor.ui.terminal.demo import run_demo

            code = run_demo(home, seed=given.seed)
        case "data":
            from tailor.ui.terminal.data import check_data

            code = check_data(given.files, home, as_json=given.json)
        case "estimate":
            from tailor.ui.terminal.estimate import run_estimate

            code = run_estimate(home, given)
        case "doctor":
            from tailor.ui.terminal.doctor import run_doctor

            code = run_doctor(home, rebuild_index=given.rebuild_index)
        case _:
            from tailor.ui.terminal import runs

            code = runs.run_command(home, given)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
